"""The command line: every subcommand and option, in this process and as one of its own.

Exit codes: 0 yes, 1 failure, 2 bad input, 3 proved impossible, 4 gave up, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

import knighttour
from knighttour import DeadEndError, tour
from knighttour.cli import main
from knighttour.drawing import text

COMMAND = [sys.executable, "-m", "knighttour"]

FIVE = ("access-level", "step-back", "depth-first", "warnsdorff", "course")


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command in this process."""

    def run(*words: str, typed: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            code = main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
        return Answer(code, *capsys.readouterr())

    return run


def start_process(*words: str, **options) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def run_process(*words: str, typed: bytes = b"", **environment: str) -> Answer:
    """Run the command as a process of its own; its output is taken as UTF-8."""
    done = subprocess.run(
        [*COMMAND, *words],
        input=typed,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


# --- tour ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("process", [False, True])
def test_tour_prints_the_numbered_labelled_board(run, backend, process):
    call = run_process if process else run
    code, out, err = call("--backend", backend, "tour", "a0")
    assert code == 0
    found = tour("a0", backend=backend)
    assert out == text.numbered_grid(found, labels=True) + "\n"
    assert re.fullmatch(
        rf"(open|closed) tour of xiangqi by {found.stats.method}: \d+ nodes, \d+ backtracks, "
        rf"[\d.]+ (ns|µs|ms|s) \({backend}\)\n",
        err,
    )
    *rows, blank, letters = out.splitlines()
    assert len(rows) == 10
    assert blank == ""
    assert rows[-1].split()[:2] == ["0", "1"]
    assert letters.split() == list("abcdefghi")


@pytest.mark.parametrize("strategy", FIVE)
@pytest.mark.parametrize(("board", "start"), [("chess", "0,0"), ("3x4", "0,0"), ("4x3", "0,0")])
def test_tour_runs_exactly_the_strategy_asked_for(run, backend, strategy, board, start):
    code, out, err = run(
        "--backend", backend, "tour", start, "--board", board, "--strategy", strategy, "--style",
        "json",
    )  # fmt: skip
    assert code == 0
    answer = json.loads(out)
    found = tour((0, 0), board, strategy=strategy, backend=backend)
    assert [tuple(square) for square in answer["squares"]] == found.tolist()
    assert answer["grid"] == found.grid()
    assert (answer["rows"], answer["cols"]) == found.board.shape
    assert answer["method"] == strategy
    assert (answer["nodes"], answer["backtracks"]) == found.stats[1:3]
    assert answer["closed"] == found.closed
    assert f"by {strategy}: {found.stats.nodes} nodes, {found.stats.backtracks} backtracks" in err


def test_tour_takes_a_start_by_name_or_as_row_and_column(run):
    by_name = run("tour", "e4", "--strategy", "course", "--style", "names")
    by_numbers = run("tour", "5,4", "--strategy", "course", "--style", "names")
    with_ranks = run("tour", "e5", "--ranks", "1-10", "--strategy", "course", "--style", "names")
    assert by_name.code == by_numbers.code == with_ranks.code == 0
    assert by_name.out == by_numbers.out
    assert by_name.out.split() == tour((5, 4), strategy="course").names()
    assert with_ranks.out.split() == tour((5, 4), strategy="course").names(ranks="1-10")


def test_style_grid_board_list_and_names(run):
    found = tour("a1", "chess", strategy="course")
    words = ("tour", "a1", "--board", "chess", "--strategy", "course")
    assert run(*words).out == run(*words, "--style", "grid").out
    assert run(*words, "--style", "grid").out == text.numbered_grid(found, labels=True) + "\n"
    assert run(*words, "--style", "board").out == text.board_picture(found) + "\n"
    plain = run(*words, "--style", "board", "--ascii").out
    assert plain == text.board_picture(found, ascii_only=True) + "\n"
    assert plain.isascii()
    assert run(*words, "--style", "list").out == text.step_list(found) + "\n"
    assert run(*words, "--style", "list", "--lang", "zh").out.startswith("第1步(7,0)\n第2步(")
    assert run(*words, "--style", "names").out.split() == found.names()


def test_style_levels_shows_program_000(run):
    found = tour((0, 0), "chess", strategy="access-level")
    code, out, _ = run(
        "tour", "0,0", "--board", "chess", "--strategy", "access-level", "--style", "levels"
    )
    assert code == 0
    order = knighttour.Strategy.named("access-level").order
    assert out == (
        f"{text.level_tables(found.board, order)}\n\nfrom row[0],column[0]:\n\n"
        f"{text.running_total(found)}\n"
    )
    assert out.endswith("→row[6],column[5],boardtotal[64]\n")


def test_style_list_shows_program_003_and_its_partial_walk(run, backend):
    words = ("tour", "--board", "chess", "--strategy", "warnsdorff", "--style", "list")
    code, out, err = run("--backend", backend, *words, "0,0", "--lang", "zh")
    assert (code, len(out.splitlines())) == (0, 64)
    code, out, err = run("--backend", backend, *words, "1,3", "--lang", "zh")
    assert code == 4
    assert out.splitlines()[0] == "第1步(1,3)"
    assert out.splitlines()[-1].startswith("第60步(")
    assert "got stuck after 60 of 64 squares" in err


def test_the_time_taken_and_a_grid_of_any_size_show_program_002(run):
    code, out, err = run("tour", "0,0", "--board", "3x4", "--strategy", "depth-first")
    assert code == 0
    grid = [[int(word) for word in line.split()[1:]] for line in out.splitlines()[:3]]
    assert grid == tour((0, 0), "3x4", strategy="depth-first").grid()
    assert re.search(r", [\d.]+ (ns|µs|ms|s) \(", err)


@pytest.mark.parametrize("style", ["grid", "board", "list", "names", "levels", "json"])
def test_a_dead_end_is_exit_4_with_the_partial_walk(run, backend, style):
    with pytest.raises(DeadEndError) as stuck:
        tour((4, 2), "chess", strategy="access-level", backend=backend)
    walk = stuck.value.walk
    code, out, err = run(
        "--backend", backend, "tour", "4,2", "--board", "chess", "--strategy", "access-level",
        "--style", style,
    )  # fmt: skip
    assert code == 4
    assert err == f"knighttour: {stuck.value}\n"
    board = stuck.value.stats and tour((0, 0), "chess").board
    expected = {
        "grid": text.numbered_grid(walk, board, labels=True) + "\n",
        "board": text.board_picture(walk, board) + "\n",
        "list": text.step_list(walk) + "\n",
        "names": " ".join(board.name(square) for square in walk) + "\n",
        "json": "",
    }
    if style == "levels":
        assert out.endswith(text.running_total(walk) + "\n")
        assert "boardtotal[60]" in out
        assert "boardtotal[61]" not in out
    else:
        assert out == expected[style]


@pytest.mark.parametrize(("step", "index"), [("1", 0), ("2", 1), ("90", 89)])
def test_at_prints_one_square(run, step, index):
    found = tour("a0", strategy="course")
    code, out, _ = run("tour", "a0", "--strategy", "course", "--at", step)
    row, col = found[index]
    assert (code, out) == (0, f"{found.board.name((row, col))} ({row},{col})\n")


def test_max_nodes_and_timeout_are_exit_4(run, backend):
    words = ("--backend", backend, "tour", "0,1", "--board", "7x7", "--strategy", "step-back")
    code, out, err = run(*words, "--max-nodes", "5000")
    assert (code, out) == (4, "")
    assert "gave up" in err
    assert "placed 5000 squares" in err
    assert "max_nodes=5000" in err
    began = time.perf_counter()
    code, out, err = run(*words, "--timeout", "0.1")
    assert (code, out) == (4, "")
    assert "timeout=0.1 seconds" in err
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("strategy", ["step-back", "depth-first", "course"])
def test_no_tour_is_exit_3_with_its_reason(run, backend, strategy):
    code, out, err = run(
        "--backend", backend, "tour", "0,1", "--board", "3x4", "--strategy", strategy
    )
    assert (code, out) == (3, "")
    assert err.startswith("knighttour: no tour (exhausted-search): there is no tour from b3 on 3x4")
    assert "\n  source: exhaustive search" in err


def test_another_seed_is_another_tour_of_the_random_kind_only(run):
    words = ("tour", "a0", "--strategy", "course", "--style", "names")
    assert run(*words, "--seed", "1").out == run(*words, "--seed", "2").out


# --- -o ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", ["3x4", "4x3", "xiangqi"])
@pytest.mark.parametrize("ending", [".txt", ".csv", ".json", ".npy", ".TXT", ".Json"])
def test_o_writes_what_the_ending_says(run, tmp_path, board, ending):
    file = tmp_path / f"tour{ending}"
    code, out, err = run("tour", "0,0", "--board", board, "--strategy", "course", "-o", str(file))
    assert (code, out) == (0, "")
    assert "tour of" in err
    found = tour((0, 0), board, strategy="course")
    kind = ending.lower()
    if kind == ".txt":
        assert file.read_text() == f"{found}\n"
    elif kind == ".csv":
        rows = [line.split(",") for line in file.read_text().splitlines()]
        assert [[int(word) for word in row] for row in rows] == found.grid()
    elif kind == ".json":
        answer = json.loads(file.read_text())
        assert answer["grid"] == found.grid()
        assert [tuple(square) for square in answer["squares"]] == found.tolist()
    else:
        numpy = pytest.importorskip("numpy")
        grid = numpy.load(file)
        assert grid.shape == found.board.shape
        assert grid.tolist() == found.grid()
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_o_replaces_a_file_whole(run, tmp_path):
    file = tmp_path / "tour.txt"
    file.write_text("old " * 1000)
    assert run("tour", "0,0", "--board", "3x4", "-o", str(file)).code == 0
    assert file.read_text() == f"{tour((0, 0), '3x4')}\n"


@pytest.mark.parametrize("name", ["tour.doc", "tour", "tour.", ".txt", "tour.txt.old", ""])
def test_o_refuses_an_ending_that_there_is_not_before_it_computes(run, tmp_path, name):
    file = tmp_path / name if name else Path()
    # This search would not end.
    code, out, err = run(
        "tour", "0,1", "--board", "7x7", "--strategy", "step-back", "-o", str(file)
    )
    assert (code, out) == (2, "")
    assert repr(str(file)) in err
    assert ".txt" in err
    assert ".npy" in err
    assert list(tmp_path.iterdir()) == []


def test_o_into_no_directory_is_exit_1_and_names_the_file(run, tmp_path):
    file = tmp_path / "missing" / "tour.txt"
    code, out, err = run("tour", "a0", "-o", str(file))
    assert (code, out) == (1, "")
    assert f"'{file}'" in err
    assert list(tmp_path.iterdir()) == []


def test_o_onto_a_directory_is_exit_1_and_leaves_nothing(run, tmp_path):
    file = tmp_path / "tour.txt"
    file.mkdir()
    code, _, err = run("tour", "a0", "-o", str(file))
    assert code == 1
    assert f"'{file}'" in err
    assert [path.name for path in tmp_path.iterdir()] == ["tour.txt"]
    assert list(file.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_onto_a_full_disk_is_exit_1():
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [*COMMAND, "tour", "a0"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert process.returncode == 1
    assert b"Traceback" not in process.stderr
    assert b"No space left" in process.stderr


def test_a_dead_end_writes_no_file(run, tmp_path):
    file = tmp_path / "tour.txt"
    code, out, _ = run(
        "tour", "4,2", "--board", "chess", "--strategy", "access-level", "-o", str(file)
    )
    assert (code, out) == (4, "")
    assert list(tmp_path.iterdir()) == []


# --- Bad input -----------------------------------------------------------------------------------

BAD = [
    # the words, and what the message has to name: the value and what is valid
    (["tour", "z9"], ["'z9'", "a0", "i9"]),
    (["tour", "a10"], ["'a10'", "a0", "i9", 'ranks="1-10"']),
    (["tour", "a0", "--ranks", "1-10"], ["'a0'", "a1", "i10"]),
    (["tour", "10,0"], ["(10, 0)", "(0, 0) to (9, 8)"]),
    (["tour", "0,9"], ["(0, 9)", "(0, 0) to (9, 8)"]),
    (["tour", "-1,0"], ["(-1, 0)", "(0, 0) to (9, 8)"]),
    (["tour", "0,-1"], ["(0, -1)", "(0, 0) to (9, 8)"]),
    (["tour", "8,8", "--board", "chess"], ["(8, 8)", "(0, 0) to (7, 7)", "a1 to h8"]),
    (["tour", "1,2,3"], ["'1,2,3'", "ROW,COL"]),
    (["tour", "1.5,2"], ["'1.5,2'", "ROW,COL"]),
    (["tour", ","], ["','", "ROW,COL"]),
    (["tour", ""], ["''", "a0", "i9"]),
    (["ask", "--board", "-1x8"], ["'-1x8'", "'8x8'"]),
    (["tour", "a0", "--end", "j0"], ["'j0'", "a0", "i9"]),
    (["tour", "a0", "--end", "-1,0"], ["(-1, 0)", "(0, 0) to (9, 8)"]),
    (["tour", "a0", "--end", "a1", "--strategy", "course"], ["'course'", "end="]),
    (["tour", "a0", "--closed", "--strategy", "course"], ["'course'", "closed="]),
    (["tour", "--board", "0x8"], ["rows=0", ">= 1"]),
    (["tour", "--board", "8x0"], ["cols=0", ">= 1"]),
    (["tour", "--board", "-1x8"], ["'-1x8'", "'8x8'"]),
    (["tour", "-1,x"], ["'-1,x'", "ROW,COL"]),
    (["tour", "-5"], ["'-5'", "a0", "i9"]),
    (["tour", "--board", "8"], ["'8'", "'8x8'", "'xiangqi'"]),
    (["tour", "--board", "2.5x8"], ["'2.5x8'", "'8x8'"]),
    (["tour", "--board", ""], ["''", "'8x8'"]),
    (["tour", "--board", "9999999999999x9999999999999"], ["9999999999999x", "2^63"]),
    (["tour", "--strategy", "fast"], ["'fast'", "'step-back'", "'course'"]),
    (["tour", "--seed", "-1"], ["seed=-1", "0 to 2^64 - 1"]),
    (["tour", "--seed", str(2**64)], [f"seed={2**64}", "0 to 2^64 - 1"]),
    (["tour", "--seed", "x"], ["--seed", "'x'", "whole number"]),
    (["tour", "--max-nodes", "0"], ["max_nodes=0", ">= 1"]),
    (["tour", "--max-nodes", "-5"], ["max_nodes=-5", ">= 1"]),
    (["tour", "--max-nodes", "1e3"], ["--max-nodes", "'1e3'", "whole number"]),
    (["tour", "--timeout", "-1"], ["timeout=-1.0", ">= 0"]),
    (["tour", "--timeout", "nan"], ["timeout=nan", ">= 0"]),
    (["tour", "--timeout", "soon"], ["--timeout", "'soon'", "seconds >= 0"]),
    (["tour", "--at", "0"], ["--at 0", "1 to 90"]),
    (["tour", "--at", "91"], ["--at 91", "1 to 90"]),
    (["tour", "--at", "-1"], ["--at -1", "1 to 90"]),
    (["tour", "--at", "65", "--board", "chess"], ["--at 65", "1 to 64"]),
    (["tour", "--at", "x"], ["--at", "'x'", "whole number"]),
    (["tour", "--at", "1", "-o", "tour.txt"], ["--at", "-o"]),
    (["tour", "--board", "501x500"], ["250500", "--at K", "-o FILE"]),
    (["tour", "--style", "big"], ["--style", "'big'", "grid", "levels"]),
    (["tour", "--ranks", "2-11"], ["--ranks", "'2-11'", "0-9", "1-10"]),
    (["tour", "--lang", "fr"], ["--lang", "'fr'", "en", "zh"]),
    (["tour", "-o", "tour.doc"], ["'tour.doc'", ".txt"]),
    (["tour", "--fast"], ["--fast"]),
    (["tour", "a0", "b0"], ["b0"]),
    (["tour", "--strat", "course"], ["--strat"]),
    (["ask", "--board", "0x8"], ["rows=0", ">= 1"]),
    (["ask", "--board", "1000x1000"], ["1000000", "250000"]),
    (["ask", "--lang", "fr"], ["--lang", "'fr'", "en", "zh"]),
    (["bench", "--runs", "0"], ["--runs 0", "1 or more"]),
    (["bench", "--runs", "-3"], ["--runs -3", "1 or more"]),
    (["bench", "--runs", "many"], ["--runs", "'many'", "whole number"]),
    (["--backend", "fast", "info"], ["--backend", "'fast'", "core", "pure"]),
    (["play"], ["'play'", "tour", "ask", "info", "bench"]),
    ([], ["COMMAND"]),
]


@pytest.mark.parametrize(("words", "named"), BAD, ids=lambda value: " ".join(value)[:40])
def test_bad_input_is_exit_2_and_named_with_what_is_valid(run, words, named):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    message = re.split(r"knighttour(?: \w+)?: ", err)[-1]
    for part in named:
        assert part in message


def test_bad_input_is_exit_2_of_the_process_too():
    for words in (["tour", "-1,0"], ["tour", "--board", "0x8"], ["tour", "--seed", "x"], ["play"]):
        code, out, err = run_process(*words)
        assert (code, out) == (2, "")
        assert "Traceback" not in err


# --- ask -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("process", [False, True])
def test_ask_holds_program_004s_dialogue(run, backend, process):
    words = ("--backend", backend, "ask", "--lang", "zh")
    typed = "0\n1\n10\n2\nn\n"
    answer = run_process(*words, typed=typed.encode()) if process else run(*words, typed=typed)
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.startswith(
        " 中国象棋马的遍历 \n\n请输入入口点横坐标(在1-10之间)："
        "输入错误，请重新输入!(横坐标在1-10之间)\n"
    )
    assert "骑士巡游路径如下:\n (1,2)->(3,1)->" in answer.out
    assert answer.out.endswith("是否继续马的遍历（是：y；否：其他）：")


def test_ask_speaks_english_unless_told(run):
    assert run("ask", typed="1\n2\n").out == run("ask", "--lang", "en", typed="1\n2\n").out
    assert run("ask", typed="1\n2\n").out.isascii()


@pytest.mark.parametrize("typed", [b"", b"x", b"1\n", b"1\n2", b"1\n2\ny\n", b"1\n2\ny\n3\n"])
def test_ask_ends_when_its_input_does(backend, typed):
    code, out, err = run_process("--backend", backend, "ask", typed=typed)
    assert (code, err) == (0, "")
    assert out.endswith(": \n")


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "gbk"])
def test_ask_takes_no_byte_amiss(encoding):
    code, out, err = run_process(
        "ask", typed=b"\xff\xfe\n\x80abc\n3\n\xc3\x28\n4\n\xff\n", PYTHONIOENCODING=encoding
    )
    assert (code, err) == (0, "")
    assert out.count("Wrong input") == 3
    assert "(3,4)->" in out


def test_ask_about_other_boards(run):
    code, out, _ = run("ask", "--board", "5x6", typed="6\n5\n6\nn\n")
    assert code == 0
    assert "(rows are 1-5)" in out
    assert " (5,6)->" in out


# --- info and bench ------------------------------------------------------------------------------


@pytest.mark.parametrize("process", [False, True])
def test_info_tells_which_engine_computes(run, backend, process):
    code, out, err = (run_process if process else run)("--backend", backend, "info")
    assert (code, err) == (0, "")
    told = dict(line.split(": ", 1) for line in out.splitlines() if ": " in line)
    assert out.startswith(f"knighttour {knighttour.__version__}\n")
    assert told["backend"] == backend
    assert set(told) == {"backend", "compiled core", "python", "platform"}


def test_info_follows_the_environment(backend):
    code, out, _ = run_process("info", KNIGHTTOUR_BACKEND=backend)
    assert code == 0
    assert f"\nbackend: {backend}\n" in out


def test_bench_times_every_row_on_every_engine(run):
    code, out, err = run("bench", "--runs", "1")
    assert (code, err) == (0, "")
    first, head, *rows = out.splitlines()
    assert first.startswith(f"knighttour {knighttour.__version__}, ")
    assert first.endswith("; best of 1")
    assert head.split() == ["what", "core", "pure", "ratio"]
    names = ["one xiangqi tour", "all 90 xiangqi starts", "all 64 chess starts", "one 50x50 tour"]
    assert [re.split(r"\s{2,}", row)[0] for row in rows] == names
    for row in rows:
        _, core, pure, ratio = re.split(r"\s{2,}", row)
        assert re.fullmatch(r"[\d.]+ (ns|µs|ms|s)", pure)
        assert (core, ratio) == ("-", "-") or (core.endswith("s") and ratio.endswith("x"))


def test_version_and_help(run):
    assert run("--version") == (0, f"knighttour {knighttour.__version__}\n", "")
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for word in ("tour", "ask", "info", "bench", "130 interrupted"):
        assert word in " ".join(out.split())
    for command in ("tour", "ask", "info", "bench"):
        code, out, err = run(command, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(f"usage: knighttour {command} ")


# --- Ctrl-C, pipes, terminals --------------------------------------------------------------------

WITHOUT_END = ("tour", "0,1", "--board", "7x7", "--strategy", "step-back")


def interrupt(*words: str) -> tuple[int, bytes, bytes, float]:
    """Start the command, press Ctrl-C when it is at work: exit code, output, errors, seconds."""
    ready = "import sys, knighttour.cli as c; print(flush=True); sys.exit(c.main())"
    with subprocess.Popen(
        [sys.executable, "-c", ready, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == b""
            time.sleep(0.3)
            assert process.poll() is None
            began = time.perf_counter()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
            return process.returncode, out, err, time.perf_counter() - began
        finally:
            process.kill()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(("start", "board"), [("0,1", "7x7"), ("1,6", "5x8")])
def test_ctrl_c_ends_a_search_without_end_at_once(backend, start, board):
    words = ("tour", start, "--board", board, "--strategy", "step-back")
    code, out, err, seconds = interrupt("--backend", backend, *words)
    assert (code, out, err) == (130, b"", b"knighttour: interrupted\n")
    # 0.1 s, and what a busy machine adds to the end of a process.
    assert seconds < 0.5


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_the_dialogue():
    code, _, err, _ = interrupt("ask")
    assert code == 130
    assert err == b"knighttour: interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_leaves_no_file_behind(backend, tmp_path):
    file = tmp_path / "tour.json"
    assert interrupt("--backend", backend, *WITHOUT_END, "-o", str(file))[0] == 130
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_no_error():
    # Far more is printed than a pipe holds.
    process = start_process("tour", "0,0", "--board", "60x60", "--style", "levels")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=20) == 1
    assert "Traceback" not in err
    assert "BrokenPipe" not in err
    assert "Exception" not in err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk", "utf-8"])
@pytest.mark.parametrize(
    "words",
    [
        ["tour", "a0", "--style", "board"],
        ["tour", "a0", "--style", "list", "--lang", "zh"],
        ["tour", "a0", "--style", "levels"],
        ["ask", "--lang", "zh"],
    ],
    ids=lambda words: " ".join(words),
)
def test_no_terminal_is_too_poor(words, encoding):
    done = subprocess.run(
        [*COMMAND, *words],
        input=b"1\n2\nn\n",
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0
    out = done.stdout.decode(encoding)
    assert len(out) > 90
    assert b"Traceback" not in done.stderr


def test_main_without_words_takes_those_of_the_process(run, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["knighttour", "info"])
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main() == 0
    assert out.getvalue().startswith("knighttour ")


# --- Where no published search would answer: the library does ------------------------------------


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["0,1", "--board", "5x5"], "colour-majority"),
        (["0,1", "--board", "7x7"], "colour-majority"),
        (["--board", "3x3"], "isolated-centre"),
        (["0,0", "--board", "5x5", "--closed"], "schwenk-odd-area"),
        (["0,0", "--end", "7,7", "--board", "chess"], "colour-parity"),
    ],
)
def test_what_cannot_be_is_exit_3_at_once_with_its_reason(run, backend, words, reason):
    code, out, err = run("--backend", backend, "tour", *words)
    assert (code, out) == (3, "")
    assert err.startswith(f"knighttour: no tour ({reason}): ")
    assert "\n  source: " in err


def test_the_dialogue_ends_no_search_by_waiting(run, backend):
    # On 7x7 from row 1, column 2 there is no tour, and program 004 never knows it.
    code, out, err = run("--backend", backend, "ask", "--board", "7x7", typed="1\n2\ny\n1\n1\nn\n")
    assert (code, err) == (0, "")
    assert "There is no way from that point!\nAnother tour?" in out
    assert "The knight's way:\n (1,1)->" in out
