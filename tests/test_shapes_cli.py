"""The command line for boards of other shapes."""

import io

import pytest

from knighttour.cli import main

EMPTY = "9/9/9/9/9/9/9/9/9/9"
MIDGAME = "4ka3/4aN3/9/RC7/2b3b2/9/9/4p4/3nr3r/5K3"


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


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("1,,,\n,,,\n,,,8\n", 0, "a completion"),
        ("1;.;.;.\n.;.;.;.\n.;.;.;8\n", 0, "a completion"),
        ("1\t.\t.\t.\n....\n?_. 8\n", 0, "a completion"),
        ("\ufeff1 . . .\r\n....\r\n\r\n. . . 8\r\n", 0, "a completion"),
        ("...\n.#.\n...\n", 0, "a completion"),
        ("", 2, "rows of one length"),
        ("1 . .\n. . . .\n", 2, "row 1 has 4 numbers, row 0 has 3"),
        ("1 . . .\n. . . .\n. . . 13\n", 2, "13 at (2, 3) is not a number"),
        ("1 . . .\n. 1 . .\n. . . .\n", 2, "1 stands on (0, 0) and on (1, 1)"),
        ("1 . . .\n. -2 . .\n. . . .\n", 2, "'-2' in line 2"),
        ("1 . . .\n. ２ . .\n. . . .\n", 2, "'２' in line 2"),
        ("1 . . .\n. . . .\n. . . 999999999999999999999\n", 2, "999999999999999999999"),
        ("1 2 . .\n. . . .\n. . . .\n", 3, "no tour"),
    ],
)
def test_puzzles_as_people_write_them(capsys, tmp_path, monkeypatch, text, code, words):
    file = tmp_path / "puzzle.txt"
    file.write_bytes(text.encode())
    got, out, err = run(capsys, "complete", str(file))
    assert got == code
    assert words in err
    assert bool(out) == (code == 0)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert run(capsys, "complete", "-") == (got, out, err) or "\ufeff" in text


@pytest.mark.parametrize("command", ["tour", "list", "explain"])
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--holes", "absent.txt"], 1, "absent.txt"),
        (["--holes", "absent.png"], 1, "absent.png"),
        (["--holes", "."], 1, "directory"),
        (["--holes", "bytes.bin"], 2, "is not text"),
        (["--holes", "empty.txt"], 2, "the map is empty"),
        (["--holes", "ring.txt", "--board", "8x8"], 2, "--holes excludes --board"),
        (["--holes", "ring.txt", "--leaper", "1"], 2, "'1' is not a leaper"),
        (["--leaper", "1,2,3"], 2, "two numbers such as 1,4"),
        (["--leaper", ""], 2, "two numbers such as 1,4"),
        (["--leaper", "0,0"], 2, "(0, 0) is not a leaper"),
        (["--leaper", "-1,2"], 2, "(-1, 2) is not a leaper"),
        (["--fen", "xyz"], 2, "ten ranks"),
        (["--fen", ""], 2, "text of a FEN"),
        (["--fen", EMPTY, "--board", "8x8"], 2, "--fen excludes --board"),
        (["--fen", EMPTY, "--holes", "ring.txt"], 2, "--fen excludes --holes"),
        (["--fen", EMPTY, "--leaper", "1,4"], 2, "--fen excludes --leaper"),
        (["--no-leg-rule"], 2, "goes with --fen"),
        (["e8", "--fen", MIDGAME], 2, "horse='e8': there is no horse"),
        (["b2", "--holes", "ring.txt"], 2, "a hole of the board"),
    ],
)
def test_bad_input_on_every_option(
    capsys, tmp_path, monkeypatch, ring, command, arguments, code, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "bytes.bin").write_bytes(b"\xff\xfe\0")
    got, out, err = run(capsys, command, *arguments)
    assert (got, out) == (code, "")
    assert words.lower() in err.lower()


def test_holes_from_a_picture_and_from_standard_input(capsys, tmp_path, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    picture = image.new("L", (3, 3), 0)
    picture.putpixel((1, 1), 255)
    picture.save(tmp_path / "ring.png")
    picture.resize((30, 30), image.Resampling.NEAREST).save(tmp_path / "large.png")
    answers = [
        run(capsys, "tour", "0,0", "--holes", str(tmp_path / "ring.png")),
        run(capsys, "tour", "0,0", "--holes", str(tmp_path / "large.png"), "--board", "3x3"),
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\ufeff...\r\n.#.\r\n...\r\n"))
    answers.append(run(capsys, "tour", "0,0", "--holes", "-"))
    assert [code for code, _, _ in answers] == [0, 0, 0]
    assert len({out for _, out, _ in answers}) == 1


def test_one_tour_is_one_tour(capsys):
    assert run(capsys, "list", "--board", "1x1") == (0, "a1\n", "1 tour of 1x1\n")
    assert run(capsys, "list", "--board", "2x2") == (0, "", "0 tours of 2x2\n")


def test_what_cannot_be_written_is_refused_before_the_search(capsys, puzzle):
    code, _, err = run(capsys, "complete", puzzle, "-o", "out.xyz")
    assert code == 2
    assert "out.xyz" in err


def test_a_list_of_a_large_board_can_be_given_up(capsys):
    code, out, err = run(capsys, "list", "--board", "100x100", "--timeout", "0.2")
    assert (code, out) == (4, "")
    assert "timeout=0.2 seconds passed" in err
    assert run(capsys, "list", "--timeout", "-1")[0] == 2


def test_a_puzzle_for_another_leaper_and_on_a_torus(capsys, tmp_path):
    # A king's diagonal steps on one colour, and a knight's on the torus, told without the package.
    file = tmp_path / "puzzle.txt"
    file.write_text("1 # 0\n# 0 #\n5 # 0\n")
    code, _, err = run(capsys, "complete", str(file), "--leaper", "1,1")
    assert code == 3, err  # from the middle every corner is met once only: no walk over five
    file.write_text("1 0 0\n0 0 0\n0 0 0\n")
    code, out, err = run(capsys, "complete", str(file), "--wrap", "torus")
    assert code == 0, err
    grid = [list(map(int, line.split())) for line in out.splitlines()]
    place = {grid[row][col]: (row, col) for row in range(3) for col in range(3)}
    assert sorted(place) == list(range(1, 10))
    assert place[1] == (0, 0)
    for step in range(1, 9):
        (a, b), (c, d) = place[step], place[step + 1]
        # On three rows and columns 2 is one the other way: every step is diagonal.
        assert (a - c) % 3, (b - d) % 3
