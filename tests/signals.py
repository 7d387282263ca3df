"""Interrupting a call, and measuring how late the caller hears of it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SANITIZED = "KNIGHTTOUR_SANITIZED" in os.environ

#: How soon a signal must be heard, in seconds; sanitizers take their time over large memory.
SOON = 5 if SANITIZED else 0.1

#: The signals to try: Ctrl-C, and one whose handler raises an error of its own. Its clock is the
#: processor time of the process, so that a busy machine does not ring before the work has begun.
SIGNALS = ("SIGINT", "SIGPROF")


class RungError(Exception):
    """What a handler raises: no KeyboardInterrupt, so that ``except Exception`` would hide it."""


#: What comes out of an interrupted call.
RAISED = {"SIGINT": KeyboardInterrupt, "SIGPROF": RungError}


def killed_when(command: list[str], is_time: Callable[[], bool]) -> bool:
    """Start a process and kill it as soon as it is time; return whether it was still at work."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    try:
        while process.poll() is None and not is_time():
            time.sleep(0.0005)
    finally:
        process.kill()
        process.communicate()
    return process.returncode == -signal.SIGKILL


def now() -> tuple[float, float]:
    """Return two clocks: the real one, and the processor time of this process."""
    return time.monotonic(), time.process_time()


@contextmanager
def signal_after(seconds: float, name: str) -> Iterator[list[tuple[float, float]]]:
    """Send this process a signal after some time; yield a list that will say when.

    The collector rests meanwhile: an exception out of one of its callbacks (hypothesis has one)
    would be lost.
    """
    number = getattr(signal, name)
    when: list[tuple[float, float]] = []

    def ring(number: int, frame: Any) -> None:
        # One that comes late, when this is over, is for nobody.
        if is_armed:
            if name == "SIGINT":
                signal.default_int_handler(number, frame)
            raise RungError

    def interrupt() -> None:
        when.append(now())
        os.kill(os.getpid(), number)

    is_armed = True
    before = signal.signal(number, ring)
    gc.disable()
    bell = threading.Timer(seconds, interrupt)
    if name == "SIGINT":
        bell.start()
    else:
        real, worked = now()
        when.append((real + seconds, worked + seconds))
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield when
    finally:
        is_armed = False
        if name == "SIGINT":
            bell.cancel()
            bell.join()
        else:
            signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(number, before)
        gc.enable()


def lateness(
    call: Callable[[], Any], name: str = "SIGINT", delay: float = 0.06, tries: int = 5
) -> float:
    """Return how many seconds after the signal the caller has its exception.

    The best of some tries, by the clock that shows less: a busy machine can only add to either.

    Raises:
        AssertionError: the signal never came out of the calls.
    """
    best = float("inf")
    for _ in range(tries):
        with signal_after(delay, name) as when:
            heard = False
            try:
                # Again if it ends before the signal comes, as it may on a fast machine.
                while not when or now()[0] < when[0][0] + 10:
                    call()
            except RAISED[name]:
                heard = True
                real, worked = now()
        assert heard, "the signal was not heard"
        best = min(best, real - when[0][0], worked - when[0][1])
        if best < SOON:
            break
    return best
