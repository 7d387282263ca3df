"""knighttour check, classify and convert."""

import io
import json
import sys

import pytest

from knighttour import historic, read, tour
from knighttour.cli import main

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
    assert lines[0].startswith(f"{file}:5: UNREADABLE the coordinates in line 5")
    assert lines[1] == f"{file}:1: valid open tour of 3x4, a3 to a2"
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
