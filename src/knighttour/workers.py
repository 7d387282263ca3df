"""Work in threads, and by executors, of which nothing is left when the call is over.

Why not `ThreadPoolExecutor`.  A signal may be heard while a thread is being started. What its
handler raises then passes through the pool, which does not know that thread yet and does not wait
for it: it goes on writing into the memory and the files of a call that has ended. (And what it
interrupts in `Thread.start` may break that thread before it runs, which CPython reports on standard
error.) Here a thread is started by one call of C, has to sign on before it touches anything, and
the caller waits for all that have.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import TypeVar

__all__ = ["work_by_executor", "work_in_threads"]

_T = TypeVar("_T")

# Seconds between two looks at the clock and at signals.
_TICK = 0.05


def work_in_threads(
    calls: Iterable[Callable[[], _T]],
    threads: int,
    halt: Callable[[], None] | None = None,
    tick: Callable[[], None] | None = None,
) -> list[_T]:
    """Make calls in threads and return their results in order.

    Args:
        calls: what to do.
        threads: how many at a time; if the system gives fewer, those there are do the work.
        halt: asks the calls that are running to end soon. None: they are short, or hear signals
            themselves; this thread is one of those that work then.
        tick: called every twentieth of a second, where this thread does not work.

    Raises:
        BaseException: the first that came out of a call, out of `tick` or out of a signal handler;
            no call is running any more then.
    """
    left = list(enumerate(calls))
    left.reverse()
    wanted = len(left)
    results: dict[int, _T] = {}
    failures: list[BaseException] = []
    changed = threading.Condition()
    working = 0
    is_over = False

    def work() -> None:
        nonlocal working
        with changed:
            working += 1
        try:
            while not (is_over or failures):
                with changed:
                    if not left:
                        return
                    number, call = left.pop()
                results[number] = call()
        except BaseException as failure:
            failures.append(failure)
        finally:
            with changed:
                working -= 1
                changed.notify()

    def is_done() -> bool:
        return bool(failures) or (working == 0 and len(results) == wanted)

    try:
        others = min(threads, wanted)
        if halt is None:
            others -= 1
        for number in range(others):
            try:
                _thread.start_new_thread(work, ())
            except RuntimeError:  # the system has no thread left
                others = number
                break
        if halt is None or others == 0:
            work()
        while not is_done():
            with changed:
                changed.wait_for(is_done, _TICK)
            if tick is not None:
                tick()
        if failures:
            raise failures.pop(0)
    except BaseException:
        is_over = True
        if halt is not None:
            halt()
        with changed:
            changed.wait_for(lambda: working == 0)
        raise
    return [results[number] for number in range(wanted)]


def work_by_executor(
    executor: Executor,
    calls: Iterable[Callable[[], _T]],
    tick: Callable[[int], None] | None = None,
) -> list[_T]:
    """Have calls made by somebody's executor and return their results in order.

    Args:
        executor: who makes them, perhaps in other processes or on other machines.
        calls: what to do; can be pickled.
        tick: called every twentieth of a second with the number of calls that are done.

    Raises:
        BaseException: the first that came out of a call, out of `tick` or out of a signal handler;
            calls that had not begun are cancelled then, others may still be running.
    """
    futures: list[Future[_T]] = []
    try:
        for call in calls:
            futures.append(executor.submit(call))
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            if tick is not None:
                tick(len(futures) - len(waiting))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [future.result() for future in futures]
