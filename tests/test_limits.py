"""Limits in the form that users give them."""

import math
import os
import subprocess
import sys
from time import monotonic

import pytest

from knighttour.errors import InvalidInputError
from knighttour.limits import UNLIMITED, Limits, free_memory, human_bytes


def test_no_limits():
    assert Limits.of(None, None) == UNLIMITED


def test_limits_are_put_into_the_engines_form():
    limits = Limits.of(5, 2.5)
    assert limits.max_nodes == 5
    assert limits.deadline - monotonic() == pytest.approx(2.5, abs=0.5)
    assert Limits.of(None, math.inf).deadline == math.inf


@pytest.mark.parametrize("max_nodes", [0, -1, 1.5, "3", True])
def test_a_bad_node_limit_names_the_value(max_nodes):
    with pytest.raises(InvalidInputError, match=r"max_nodes=.*>= 1"):
        Limits.of(max_nodes, None)


@pytest.mark.parametrize("timeout", [-0.1, math.nan, "1", True, None.__class__])
def test_a_bad_timeout_names_the_value(timeout):
    with pytest.raises(InvalidInputError, match=r"timeout=.*seconds >= 0"):
        Limits.of(None, timeout)


def test_free_memory_is_a_number_of_bytes_or_unknown():
    free = free_memory()
    assert free is None or 2**20 < free < 2**60


@pytest.mark.skipif("KNIGHTTOUR_SANITIZED" in os.environ, reason="sanitizers map terabytes")
def test_an_address_space_limit_lowers_the_ceiling():
    resource = pytest.importorskip("resource")
    assert resource is not None
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30));"
        "from knighttour.limits import free_memory; assert free_memory() < 2**30;"
        "from knighttour import tour, SearchLimitError\n"
        "try:\n    tour((0, 0), '30000x30000', strategy='course')\n"
        "except SearchLimitError as error:\n    print('refused', error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "refused" in done.stdout


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (1024, "1.0 KiB"), (10**9, "953.7 MiB"), (2**80, "1048576.0 EiB")],
)
def test_human_bytes(count, text):
    assert human_bytes(count) == text
