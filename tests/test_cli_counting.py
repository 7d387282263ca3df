"""The commands count and sample: the number alone on standard output, the convention beside it."""

import json

import pytest

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
