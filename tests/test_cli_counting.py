"""The commands count and sample: the number alone on standard output, the convention beside it."""

import json
import sys

import pytest

from knighttour import count
from knighttour.cli import main


@pytest.mark.parametrize(
    ("words", "number", "said"),
    [
        ("--board 5x6", "37568", "both directions"),
        ("--board 5x6 --undirected", "18784", "each once"),
        ("--board 5x6 --closed", "8", "each once"),
        ("--board 5x6 --closed --directed", "16", "both directions"),
        ("a5 --board 5x5", "304", "from the start"),
        ("0,0 --board 5x5 --end 4,4", "56", "to the end"),
        ("--board 5x5 --closed", "0", "closed tours"),
    ],
)
def test_count(words, number, said, capsys):
    assert main(["count", *words.split()]) == 0
    out, err = capsys.readouterr()
    assert out == f"{number}\n"
    assert said in err


def test_count_on_an_engine(backend, capsys):
    assert main(["--backend", backend, "count", "--board", "3x10", "--closed"]) == 0
    out, err = capsys.readouterr()
    assert out == "16\n"
    assert backend in err


def test_plan(capsys):
    assert main(["count", "--board", "10x10", "--closed", "--plan", "--memory", "64G"]) == 0
    out, _ = capsys.readouterr()
    assert "116,044,802,210" in out
    assert "does not fit" in out
    assert main(["count", "--board", "5x5", "--closed", "--plan"]) == 0
    assert "none" in capsys.readouterr().out


def test_plan_of_a_long_board_tells_repeating_rows_once(capsys):
    assert main(["count", "--board", "6x1000", "--closed", "--plan"]) == 0
    out, _ = capsys.readouterr()
    assert len(out.splitlines()) < 25
    assert "columns 4 to 998 repeat" in out
    assert "columns 999 and 1000" in out
    assert main(["count", "--board", "1000x5", "--plan"]) == 0
    out, _ = capsys.readouterr()
    assert "rows 5 to 998 repeat those two" in out
    assert main(["count", "--board", "5x60", "a1", "--plan"]) == 0
    assert "repeat those two" in capsys.readouterr().out
    assert main(["count", "--board", "8x8", "--plan", "--closed"]) == 0
    out, _ = capsys.readouterr()
    assert "repeat" not in out
    assert len(out.splitlines()) == 2 + 32 + 1 + 5


@pytest.mark.parametrize("words", ["--board 3x9..14 --closed", "--board 9..14x3 --closed"])
def test_a_range_of_lengths(words, backend, capsys):
    assert main(["--backend", backend, "count", *words.split()]) == 0
    out, err = capsys.readouterr()
    lines = [line.split() for line in out.splitlines()]
    assert [int(number) for _, number in lines] == [0, 16, 0, 176, 0, 1536]
    assert lines[1][0] == ("3x10" if "3x9" in words else "10x3")
    assert "each once" in err


@pytest.mark.parametrize(
    "words",
    [
        "--board 3x9.. --closed",
        "--board 3..4x9..10",
        "--board 3x10..9",
        "--board 40x1..50",
        "--board 3x9..14 --moves",
        "--board 3x9..14 --end a1",
        "--board 3x9..14 --leaper 1,3",
        "a1 --board 3x9..14",
    ],
)
def test_ranges_that_cannot_be_used(words, capsys):
    assert main(["count", *words.split()]) == 2
    assert capsys.readouterr().err


def test_plan_of_a_range(capsys):
    assert main(["count", "--board", "6x1..500", "--plan"]) == 0
    assert "columns 4 to 498 repeat" in capsys.readouterr().out


def test_a_number_of_any_length_is_printed_in_full(core, capsys):
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)  # the least possible; Python's own default is 4300
    try:
        assert main(["--backend", core, "count", "--board", "3x1500", "--closed"]) == 0
    finally:
        sys.set_int_max_str_digits(limit)
    number = capsys.readouterr().out.strip()
    assert len(number) > 700
    assert int(number) == count("3x1500", closed=True)


def test_too_large(capsys, core):
    assert main(["--backend", core, "count", "--board", "10x10", "--memory", "1G"]) == 4
    assert "spill" in capsys.readouterr().err
    assert main(["--backend", core, "count", "--board", "8x10", "--timeout", "0.2"]) == 4


def test_bad_words(capsys):
    assert main(["count", "--board", "5x5", "z9"]) == 2
    assert main(["count", "--board", "5x5", "--memory", "much"]) == 2
    assert main(["sample", "--board", "5x5", "-k", "-1"]) == 2
    assert main(["sample", "--board", "4x4"]) == 3
    assert main(["count", "--board", "5x6", "--moves", "--directed"]) == 2


def test_moves(capsys):
    assert main(["count", "--board", "5x6", "--closed", "--moves"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "a5-c4 8" in lines
    assert sum(int(line.split()[1]) for line in lines) == 8 * 30


def test_ends(capsys):
    assert main(["count", "--board", "5x5", "--ends"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert "a1 304" in lines
    assert sum(int(line.split()[1]) for line in lines) == 1728
    assert "in both directions" in err


@pytest.mark.parametrize(
    ("question", "title"),
    [
        (["--board", "5x6", "--closed"], "of the 8 tours"),
        (["--board", "5x5"], "of the 864 tours"),
        (["a1", "--board", "5x5"], "of the 304 tours"),
    ],
)
def test_a_map_of_the_moves(question, title, tmp_path, capsys):
    target = tmp_path / "moves.svg"
    assert main(["count", *question, "--moves", "-o", str(target)]) == 0
    assert capsys.readouterr().out == ""
    text = target.read_text("utf-8")
    assert title in text
    assert ("start on a square" in text) == ("start" not in title and "864" in title)


def test_a_map_in_pixels(tmp_path):
    pytest.importorskip("resvg_py")
    target = tmp_path / "moves.png"
    words = ["--board", "5x6", "--closed", "--moves", "--theme", "dark", "-o", str(target)]
    assert main(["count", *words]) == 0
    assert target.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "words",
    [
        ["-o", "moves.svg"], ["--theme", "dark"], ["--moves", "-o", "moves.gif"],
        ["--moves", "--theme", "dark"], ["--ends", "--closed"], ["--ends", "a1"],
        ["--ends", "-o", "x.svg"], ["--moves", "--directed"], ["--moves", "--checkpoint", "x"],
        ["--ends", "--spill", "x"],
    ],
)  # fmt: skip
def test_what_does_not_go_with_moves_and_ends(words, capsys):
    assert main(["count", "--board", "5x6", *words]) == 2
    assert capsys.readouterr().err.startswith("knighttour")


def test_moves_and_ends_exclude_each_other(capsys):
    with pytest.raises(SystemExit):
        main(["count", "--board", "5x6", "--moves", "--ends"])
    assert "not allowed" in capsys.readouterr().err


def test_a_board_without_tours_has_no_map(tmp_path, capsys):
    target = tmp_path / "moves.svg"
    assert main(["count", "--board", "4x4", "--moves", "-o", str(target)]) == 2
    assert "no tour" in capsys.readouterr().err
    assert not target.exists()


def test_checkpoint(tmp_path, capsys, core):
    for _ in range(2):
        words = ["count", "--board", "6x6", "--closed", "--checkpoint", str(tmp_path)]
        assert main(["--backend", core, *words]) == 0
        assert capsys.readouterr().out == "9862\n"


def test_sample(capsys):
    words = ["sample", "--board", "5x6", "--closed", "-k", "3", "--seed", "3"]
    assert main([*words, "--style", "json"]) == 0
    out, err = capsys.readouterr()
    assert len([json.loads(line) for line in out.splitlines()]) == 3
    assert "uniformly" in err
    for style in ("grid", "board", "list", "names"):
        assert main([*words, "--style", style]) == 0
        assert capsys.readouterr().out


@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_on_a_terminal_ends_as_an_empty_line(quiet, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    words = ["count", "--board", "6x6", "--closed"]
    assert main([*words, "--quiet"] if quiet else words) == 0
    out, err = capsys.readouterr()
    assert out == "9862\n"
    bars = err.split("\r")
    if quiet:
        assert len(bars) == 1
        return
    shown = [bar for bar in bars if bar.startswith("[")]
    assert all("step" in bar and " % " in bar for bar in shown)
    assert len(shown) > 1
    shares = [float(bar.split("]")[1].split("%")[0]) for bar in shown]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 100
    # Blanks cover the last bar before what is said at last.
    assert bars[-2] == " " * len(shown[-1])
    assert "closed tours" in bars[-1]
