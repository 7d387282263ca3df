"""knighttour check, classify and convert."""

import io
import json
import sys

import pytest

from knighttour import historic, read, tour
from knighttour.cli import main
from knighttour.formats import TEXT_FORMS

GOOD = "1 4 7 10\n12 9 2 5\n3 6 11 8\n"
BAD = "1 2 3\n4 5 6\n7 8 9\n"


@pytest.fixture
def stdin(monkeypatch):
    def put(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return put


def test_a_line_a_tour_and_a_total(tmp_path, capsys):
    file = tmp_path / "tours.txt"
    file.write_text(f"{GOOD}\n{BAD}\n{GOOD}")
    assert main(["check", str(file)]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{file}:1: valid open tour of 3x4, a3 to a2"
    assert lines[1].startswith(f"{file}:5: INVALID not a tour of 3x3: the step 1 -> 2")
    assert lines[3] == "3 tours read: 2 valid, 1 invalid"
    assert main(["check", "--quiet", str(file)]) == 3
    assert capsys.readouterr().out == "3 tours read: 2 valid, 1 invalid\n"


def test_what_cannot_be_read_is_a_line_too_and_the_rest_is_checked(tmp_path, capsys):
    file = tmp_path / "tours.txt"
    file.write_text(f"{GOOD}\n1 2\n3 4\n\n{BAD}")
    assert main(["check", str(file)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{file}:1: valid open tour of 3x4, a3 to a2"
    assert lines[1].startswith(f"{file}:5: UNREADABLE the coordinates in line 5")
    assert lines[2].startswith(f"{file}:8: INVALID")
    assert lines[-1] == "2 tours read: 1 valid, 1 invalid; 1 unreadable"
    file.write_text("1 2\n3 4\n")
    assert main(["check", str(file)]) == 2
    assert capsys.readouterr().err.startswith("knighttour: the coordinates in line 1")


def test_standard_input(stdin, capsys, backend):
    stdin(GOOD)
    assert main(["--backend", backend, "check", "-"]) == 0
    assert capsys.readouterr().out == "standard input:1: valid open tour of 3x4, a3 to a2\n"
    stdin(GOOD)
    assert main(["check", "-", "--start", "0,1"]) == 3
    stdin(GOOD)
    assert main(["check", "-", "--closed"]) == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-", "--board", "4x4"],
        ["check", "-", "--start", "q,1"],
        ["check", "-", "--max-bytes", "3"],
        ["convert", "-", "out.xyz"],
        ["classify", "-", "--form", "names"],
    ],
)
def test_bad_input_is_two(stdin, arguments, capsys):
    stdin(GOOD)
    assert main(arguments) == 2
    assert "knighttour: " in capsys.readouterr().err


def test_a_missing_file_is_one(capsys):
    assert main(["check", "no such file"]) == 1
    assert "no such file" in capsys.readouterr().err


def test_classify_as_text_and_json(tmp_path, capsys):
    file = historic("beverley1848").save(tmp_path / "beverley.txt")
    assert main(["classify", str(file)]) == 0
    assert "row sums: all 260" in capsys.readouterr().out
    assert main(["classify", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["diagonals"] == [282, 210]
    file.write_text(BAD)
    assert main(["classify", str(file)]) == 3


def test_convert_to_files_and_standard_output(tmp_path, stdin, capsys):
    source = tour("a0").save(tmp_path / "tour.txt")
    target = tmp_path / "tour.json"
    assert main(["convert", str(source), str(target)]) == 0
    assert read(target) == tour("a0")
    assert main(["convert", str(target), "-", "--to", "chinese"]) == 0
    moves = capsys.readouterr().out
    stdin(moves)
    assert main(["convert", "-", str(tmp_path / "again.npy")]) == 0
    assert read(tmp_path / "again.npy") == tour("a0")
    stdin(f"{GOOD}\n{GOOD}")
    assert main(["convert", "-", "-", "--to", "names"]) == 0
    assert capsys.readouterr().out.count("a3 c2") == 2
    stdin(f"{GOOD}\n{GOOD}")
    assert main(["convert", "-", str(tmp_path / "two.txt")]) == 2
    stdin(BAD)
    assert main(["convert", "-", str(tmp_path / "bad.txt")]) == 3
    assert not (tmp_path / "bad.txt").exists()


def test_the_options_of_reading(stdin, capsys):
    flat = "1 4 7 10 12 9 2 5 3 6 11 8"
    stdin(flat)
    assert main(["check", "-", "--rows", "3"]) == 0
    stdin("\n".join(f"{c + 1},{r + 1}" for r, c in tour((0, 0), "3x4")))
    assert main(["check", "-", "--coordinates", "x,y", "--base", "1"]) == 0
    assert "3x4" in capsys.readouterr().out


def test_one_bad_file_does_not_keep_the_others_from_being_checked(tmp_path, capsys):
    good, bad, empty = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "empty.txt"
    good.write_text(GOOD)
    bad.write_text(BAD)
    empty.write_text("")
    gone = tmp_path / "gone.txt"
    assert main(["check", str(empty), str(good), str(bad)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{empty}: UNREADABLE the text is empty")
    assert lines[1] == f"{good}:1: valid open tour of 3x4, a3 to a2"
    assert lines[-1] == "2 tours read: 1 valid, 1 invalid; 1 unreadable"
    assert main(["check", str(gone), str(good)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == (
        "1 tour read: 1 valid, 0 invalid; 1 file not opened"
    )
    assert main(["classify", str(gone), str(good)]) == 1
    assert main(["classify", str(empty), str(good)]) == 2
    assert main(["classify", str(bad), str(good)]) == 3
    assert main(["check", str(good), str(good)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 tours read: 2 valid, 0 invalid"


def test_classify_says_which_of_several_it_describes(tmp_path, capsys):
    file = tmp_path / "tours.txt"
    file.write_text(f"{GOOD}\n{BAD}\n{GOOD}")
    assert main(["classify", str(file)]) == 3
    out, err = capsys.readouterr()
    assert out.startswith(f"{file}:1:\nopen tour of 3x4")
    assert f"\n{file}:9:\nopen tour" in out
    assert out.endswith("\n3 tours read: 2 valid, 1 invalid\n")
    assert err.startswith(f"knighttour: {file}:5: not a tour of 3x3")
    assert main(["classify", "--json", str(file)]) == 3
    out, err = capsys.readouterr()
    assert [json.loads(line)["source"] for line in out.splitlines()] == [f"{file}:1", f"{file}:9"]
    assert err.endswith("3 tours read: 2 valid, 1 invalid\n")


@pytest.mark.parametrize("form", [form for form in TEXT_FORMS if "wxf" not in form])
@pytest.mark.parametrize("board", ["5x6", "6x5"])
def test_convert_to_every_form_and_back(form, board, tmp_path, capsys):
    source = tour(None, board).save(tmp_path / "tour.npy")
    written = tmp_path / "written"
    assert main(["convert", str(source), str(written), "--to", form]) == 0
    options = ["--board", board]
    if form in ("flat", "order", "numbers"):
        options += ["--form", {"flat": "steps"}.get(form, form)]
    assert main(["convert", str(written), "-o", str(tmp_path / "again.csv"), *options]) == 0
    assert read(tmp_path / "again.csv") == tour(None, board)


@pytest.mark.parametrize("arguments", [["convert", "-"], ["convert", "-", "a.txt", "-o", "b.txt"]])
def test_convert_takes_one_output(arguments, stdin, capsys):
    stdin(GOOD)
    assert main(arguments) == 2
    assert "one OUT" in capsys.readouterr().err


def test_moves_of_black_and_other_encodings(tmp_path, stdin, capsys):
    found = tour("a0")
    file = tmp_path / "moves.txt"
    file.write_bytes("".join(found.move_names("chinese", side="black")).encode("gb18030"))
    assert main(["check", str(file)]) == 2
    assert "encoding= names another" in capsys.readouterr().err
    assert main(["check", str(file), "--encoding", "gb18030", "--start", "a0"]) == 0
    assert f"tour of xiangqi, a0 to {found.names()[-1]}" in capsys.readouterr().out
    assert (
        main(["check", str(file), "--encoding", "gb18030", "--start", "a0", "--side", "red"]) == 2
    )


@pytest.mark.parametrize("command", ["check", "classify", "convert"])
def test_the_help_says_the_exit_codes(command, capsys):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert "3 something is no tour" in " ".join(capsys.readouterr().out.split())
