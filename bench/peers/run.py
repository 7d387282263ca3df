"""Compare knighttour with what else can find, count or rule out knight's tours: ``docs/peers.md``.

    pip install . -r bench/peers/requirements.txt
    python bench/peers/run.py                         # half an hour; writes docs/peers.md
    python bench/peers/run.py --peers knighttour clingo --tasks closed-8x8 --output -

Every pair of peer and task is a process of its own, with the same limits of CPU time, wall time and
memory. What is timed is one call from the board to the complete answer in Python (all squares of
every tour), the model of a general solver included, imports not. It is timed twice: the first call
in the process, then the same call again and again for a while, of which the median counts. Answers
are tested outside of the timing, by `tasks.py`. CPU time, of all threads, because it says more than
wall time on a machine that has other work. Peers take turns, task by task.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from models import PEERS  # noqa: E402
from tasks import TASKS, Task, is_tour  # noqa: E402

TASKS_BY_NAME = {task.name: task for task in TASKS}
AGAIN_SECONDS = 0.25
# Calls are timed in batches that take so long.
BATCH_SECONDS = 0.02


def clocks() -> tuple[float, float]:
    """CPU seconds of this process and its children, and wall seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime, time.perf_counter()


def check(task: Task, answer: Any) -> str:
    """Return "" for a right answer, else what is wrong with it."""
    if task.kind == "tour":
        if answer is None:
            return "no tour found"
        return "" if is_tour(task, answer) else "not a tour"
    if task.kind == "none":
        return "" if answer is None else "claims a tour"
    if task.kind == "count":
        return "" if answer == task.answer else f"says {answer:,}"
    if not all(is_tour(task, tour) for tour in answer):
        return "lists what is no tour"
    different = len({tuple(tour) for tour in answer})
    return "" if different == len(answer) == task.answer else f"says {len(answer):,}"


def limit(memory: int) -> None:
    """Refuse this process more memory. (A limit of its CPU time would make that clock coarse.)"""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def one(peer_name: str, task: Task) -> None:
    """Do one task with one peer, and print lines of JSON; the last one counts."""
    before = clocks()
    peer = PEERS[peer_name]()
    after = clocks()
    result: dict[str, Any] = {"version": peer.version, "import": after[0] - before[0]}
    print(json.dumps(result), flush=True)
    if getattr(peer, "tour" if task.kind == "starts" else task.kind, None) is None:
        print(json.dumps(result | {"error": "-"}), flush=True)
        return
    # The board's own tables are the task's, not the peer's.
    _ = task.neighbours, task.edges, task.index
    try:
        if task.kind == "starts":
            starts(peer, task, result)
        else:
            call(peer, task, result)
    except NotImplementedError:
        print(json.dumps(result | {"error": "-"}), flush=True)
    except MemoryError:
        print(json.dumps(result | {"error": "memory"}), flush=True)


def call(peer: Any, task: Task, result: dict[str, Any]) -> None:
    """Time the first call, and more of them if they are short."""
    method = getattr(peer, task.kind)
    begun = clocks()
    answer = method(task)
    cpu, wall = (now - then for now, then in zip(clocks(), begun, strict=True))
    result |= {"first": cpu, "first_wall": wall, "error": check(task, answer)}
    result["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    del answer
    print(json.dumps(result), flush=True)
    if cpu > AGAIN_SECONDS / 3:
        return
    times, walls, calls, until = [], [], 1, time.process_time() + AGAIN_SECONDS
    while time.process_time() < until or not times:
        begun = clocks()
        for _ in range(calls):
            method(task)
        cpu, wall = (now - then for now, then in zip(clocks(), begun, strict=True))
        if cpu < BATCH_SECONDS:
            calls *= 2
            continue
        times.append(cpu / calls)
        walls.append(wall / calls)
    result |= {"again": statistics.median(times), "again_wall": statistics.median(walls)}
    print(json.dumps(result), flush=True)


def starts(peer: Any, task: Task, result: dict[str, Any]) -> None:
    """Ask for a tour from every square; say after each how many there are so far."""
    found = wrong = 0
    begun = clocks()
    for asked, start in enumerate(task.squares, start=1):
        answer = peer.tour(task, start)
        cpu, wall = (now - then for now, then in zip(clocks(), begun, strict=True))
        if answer is not None:
            right = is_tour(task, answer, start)
            found, wrong = found + right, wrong + (not right)
        result |= {"first": cpu, "first_wall": wall, "asked": asked, "found": found}
        result["error"] = "not a tour" if wrong else ""
        if asked == len(task.squares) or asked % 8 == 0 or cpu > 0.1:
            print(json.dumps(result), flush=True)


def cpu_seconds(process: int) -> float:
    """The CPU time of another process so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(peer: str, task: Task, seconds: float, memory: int) -> dict[str, Any]:
    """Do one task in a process with limits; return what it printed last and why it ended."""

    command = [sys.executable, str(Path(__file__).resolve()), "--one", peer, task.name]
    command += ["--seconds", str(seconds), "--memory", str(memory >> 30)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    timed_out = False
    give_up = time.monotonic() + 20 * seconds
    while True:
        try:
            out, err = child.communicate(timeout=0.2)
            break
        except subprocess.TimeoutExpired:
            if cpu_seconds(child.pid) > seconds or time.monotonic() > give_up:
                child.kill()
                timed_out = True
    lines = [line for line in out.splitlines() if line.startswith("{")]
    result: dict[str, Any] = {"peer": peer, "task": task.name}
    result |= json.loads(lines[-1]) if lines else {}
    if child.returncode == 0:
        return result
    if "ModuleNotFoundError" in err and "version" not in result:
        return result | {"error": "not installed"}
    if task.kind == "starts" and "asked" in result:
        return result | {"error": "time"}
    if "first" in result:  # only the repetitions did not end
        return result
    if timed_out:
        return result | {"error": "time"}
    if "MemoryError" in err or "bad_alloc" in err or child.returncode == -6:
        return result | {"error": "memory"}
    last = err.strip().splitlines()[-1:] or [f"exit {child.returncode}"]
    return result | {"error": f"fails: {last[0]}"}


# The page


def amount(seconds: float) -> str:
    """Write a time with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{float(f'{seconds / size:.3g}'):g} {unit}"
    raise AssertionError


def cell(result: dict[str, Any] | None, task: Task) -> str:
    """Write one result for the tables."""
    if result is None or result.get("error") == "-":
        return "-"
    error = result.get("error", "")
    if task.kind == "starts" and "asked" in result:
        share = f"{result['found']}/{len(task.squares)}"
        return f"{share} in {'the limit' if error == 'time' else amount(result['first'])}"
    if error == "time":
        return "> limit"
    if error == "memory":
        return "memory"
    if error == "smaller":
        return "> limit*"
    if error:
        return f"**{error}**"
    text = amount(result["first"])
    return text + (f" / {amount(result['again'])}" if "again" in result else "")


def table(results: dict[tuple[str, str], dict[str, Any]], peers: list[str], tasks: list[Task]):
    yield "| | " + " | ".join(task.title for task in tasks) + " |"
    yield "| --- |" + " ---: |" * len(tasks)
    for peer in peers:
        cells = [cell(results.get((peer, task.name)), task) for task in tasks]
        if any(text != "-" for text in cells):
            yield f"| {peer} | " + " | ".join(cells) + " |"


def processor() -> str:
    """The name of the processor, as far as the system tells it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def page(collected: dict[str, Any]) -> str:
    """Write the page from what was measured."""
    results = {(item["peer"], item["task"]): item for item in collected["results"]}
    missing = sorted({p for (p, _), item in results.items() if item["error"] == "not installed"})
    peers = [peer for peer in PEERS if peer in collected["peers"] and peer not in missing]
    tasks = [task for task in TASKS if task.name in collected["tasks"]]
    versions = {i["peer"]: i["version"] for i in collected["results"] if "version" in i}
    imports = {
        peer: statistics.median(costs)
        for peer in versions
        if (costs := [i["import"] for i in results.values() if i["peer"] == peer and "import" in i])
    }
    groups = [
        ("One tour of the chessboard", [t for t in tasks if t.rows == t.cols == 8]),
        ("One tour of larger boards", [t for t in tasks if t.kind == "tour" and t.rows > 8]),
        ("All of them", [t for t in tasks if t.kind in ("list", "count")]),
        ("Proofs that there is none", [t for t in tasks if t.kind == "none"]),
    ]
    head, tail = (HERE / "page.md").read_text("utf-8").split("<!-- tables -->")
    lines = [head.rstrip(), ""]
    lines += [
        f"Measured on {collected['date']} by `{collected['command']}`: {collected['system']};",
        f"load {collected['load']}; limits of {collected['seconds']:g} s of CPU time and"
        f" {collected['memory'] / 2**30:g} GiB a task.",
        "",
    ]
    for title, chosen in groups:
        if chosen:
            lines += [f"## {title}", "", *table(results, peers, chosen), ""]
    lines += ["## Who was asked", "", "| | version | licence | import, CPU | how it was asked |"]
    lines += ["| --- | --- | --- | ---: | --- |"]
    for peer in peers:
        kind = PEERS[peer]
        cost = amount(imports[peer]) if peer in imports and versions[peer] else "-"
        version = versions.get(peer) or "-"
        lines.append(f"| {peer} | {version} | {kind.licence} | {cost} | {kind.note} |")
    if missing:
        lines += ["", f"Not installed, and so not asked: {', '.join(missing)}."]
    lines += ["", tail.strip(), ""]
    lines += ["## Every run", "", "| | task | CPU | wall | again, CPU | wall | peak memory |"]
    lines += ["| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for task in tasks:
        for peer in peers:
            item = results.get((peer, task.name), {})
            if "first" not in item:
                continue
            times = [
                amount(item[name]) if item.get(name) else ""
                for name in ("first", "first_wall", "again", "again_wall")
            ]
            peak = f"{item['peak'] / 2**20:.0f} MiB" if "peak" in item else ""
            lines.append(f"| {peer} | {task.name} | {' | '.join(times)} | {peak} |")
    return "\n".join(lines) + "\n"


def measure(options: argparse.Namespace, done: list[dict[str, Any]]) -> dict[str, Any]:
    """Do every task with every peer that is not done; return everything that the page needs."""
    results = {(item["peer"], item["task"]): item for item in done}
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    system = (
        f"{processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"CPython {platform.python_version()}"
    )
    collected = {
        "date": f"{datetime.date.today():%d %B %Y}".lstrip("0"),
        "command": f"python bench/peers/run.py --seconds {options.seconds:g} --jobs {options.jobs}",
        "system": system,
        "load": load,
        "seconds": options.seconds,
        "memory": options.memory << 30,
        "peers": options.peers,
        "tasks": options.tasks,
    }
    lock = threading.Lock()

    def do(task: Task) -> None:
        if task.after in running:
            running[task.after].result()
        for peer in options.peers:
            if (peer, task.name) in results:
                continue
            earlier = results.get((peer, task.after or ""), {}).get("error", "")
            if earlier in ("time", "memory", "smaller", "-", "not installed", "no tour found"):
                failed = "smaller" if earlier in ("time", "memory", "no tour found") else earlier
                result = {"peer": peer, "task": task.name, "error": failed}
            else:
                result = run(peer, task, options.seconds, options.memory << 30)
            with lock:
                results[peer, task.name] = result
                print(peer, task.name, cell(result, task), file=sys.stderr, flush=True)
                collected["results"] = list(results.values())
                if options.json:
                    options.json.write_text(json.dumps(collected, indent=1), "utf-8")

    # A task waits for the one before it, which was handed in earlier.
    with ThreadPoolExecutor(options.jobs) as executor:
        running: dict[str | None, Future[None]] = {}
        for task in TASKS:
            if task.name in options.tasks:
                running[task.name] = executor.submit(do, task)
        for future in running.values():
            future.result()
    return collected | {"results": list(results.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--one", nargs=2, metavar=("PEER", "TASK"), help=argparse.SUPPRESS)
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS), metavar="PEER")
    parser.add_argument("--tasks", nargs="+", choices=TASKS_BY_NAME, default=list(TASKS_BY_NAME),
                        metavar="TASK")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=30, help="of CPU time for one task")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at a time")
    parser.add_argument("--memory", type=int, default=6, help="GiB for one task")
    parser.add_argument("--output", default=str(ROOT / "docs" / "peers.md"), help="- for stdout")
    parser.add_argument("--json", type=Path, help="keep the measurements here, and go on from them")
    options = parser.parse_args()
    if options.one:
        limit(options.memory << 30)
        one(options.one[0], TASKS_BY_NAME[options.one[1]])
        return
    done = []
    if options.json and options.json.exists():
        done = json.loads(options.json.read_text("utf-8"))["results"]
    collected = measure(options, done)
    text = page(collected)
    if options.output == "-":
        sys.stdout.write(text)
    else:
        Path(options.output).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
