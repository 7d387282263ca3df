"""The command line for boards of other shapes."""

import pytest

from knighttour.cli import main


def run(capsys, *arguments):
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def ring(tmp_path):
    file = tmp_path / "ring.txt"
    file.write_text("...\n.#.\n...\n")
    return str(file)


@pytest.fixture
def puzzle(tmp_path):
    file = tmp_path / "puzzle.txt"
    file.write_text("1 . . .\n? _ 0 .\n., ., ., 8\n")
    return str(file)


def test_holes_from_a_file(capsys, ring):
    code, out, err = run(capsys, "tour", "0,0", "--holes", ring)
    assert code == 0
    assert "2  4 # 8" in out
    assert "1 hole" in err


def test_leapers_and_wraps(capsys):
    code, out, _ = run(
        capsys, "tour", "--board", "5x5", "--wrap", "torus", "--closed", "--style", "names"
    )
    assert code == 0
    assert len(out.split()) == 25
    code, _, err = run(capsys, "tour", "--board", "10x10", "--leaper", "1,3")
    assert code == 3
    assert "leaper-keeps-its-colour" in err
    assert run(capsys, "tour", "--leaper", "1")[0] == 2


def test_positions(capsys):
    fen = "9/9/9/9/4p4/9/9/9/9/9"
    code, out, _ = run(capsys, "tour", "--fen", fen, "--no-leg-rule", "--style", "names")
    assert code == 0
    assert len(out.split()) == 89
    code, out, _ = run(capsys, "tour", "b0", "--fen", "9/9/9/9/9/9/9/9/9/1N7", "--style", "names")
    assert code == 0
    assert out.split()[0] == "b0"
    assert len(out.split()) == 90
    assert run(capsys, "tour", "--no-leg-rule")[0] == 2
    assert run(capsys, "tour", "--fen", fen, "--wrap", "rows")[0] == 2


def test_complete_a_puzzle(capsys, puzzle, tmp_path):
    code, out, err = run(capsys, "complete", puzzle, "--unique")
    assert code == 0
    assert out == " 1  4  7 10\n12  9  2  5\n 3  6 11  8\n"
    assert "the only completion" in err
    out_file = tmp_path / "out.csv"
    assert run(capsys, "complete", puzzle, "-o", str(out_file))[0] == 0
    assert out_file.read_text().splitlines()[0] == "1,4,7,10"
    bad = tmp_path / "bad.txt"
    bad.write_text("1 2 0 0\n0 0 0 0\n0 0 0 0\n")
    assert run(capsys, "complete", str(bad))[0] == 3
    bad.write_text("1 x 0 0\n")
    assert run(capsys, "complete", str(bad))[0] == 2


def test_an_ambiguous_puzzle_shows_a_second_completion(capsys, tmp_path):
    file = tmp_path / "open.txt"
    file.write_text("\n".join(["0 0 0 0"] * 3))
    code, out, err = run(capsys, "complete", str(file), "--unique")
    assert code == 0
    assert "not the only completion" in err
    assert len(out.splitlines()) == 7


def test_list_tours(capsys):
    code, out, err = run(capsys, "list", "--board", "3x4", "--count", "0")
    assert code == 0
    assert len(out.splitlines()) == 16
    assert err.startswith("16 tours")
    code, out, err = run(capsys, "list", "--board", "3x4", "--count", "2", "--style", "grid")
    assert out.splitlines()[:3] == [" 1  4  7 10", "12  9  2  5", " 3  6 11  8"]
    assert "perhaps more" in err
    assert run(capsys, "list", "--count", "-1")[0] == 2
