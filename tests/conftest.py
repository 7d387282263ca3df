"""What every test may use: the engines that are here, one after the other."""

import os

import pytest

from knighttour._engine import BACKENDS, get_engine
from knighttour.errors import InvalidInputError


def installed() -> list[str]:
    """Return the engines to test: one if the environment insists on it, else all there are."""
    wanted = os.environ.get("KNIGHTTOUR_BACKEND") or "auto"
    if wanted != "auto":
        return [wanted]
    names = []
    for name in BACKENDS:
        try:
            get_engine(name)
        except InvalidInputError:
            continue
        names.append(name)
    return names


@pytest.fixture(params=installed())
def backend(request):
    """The name of an engine, for a call's ``backend=``."""
    return request.param


@pytest.fixture
def engine(backend):
    """An engine itself, for tests of the contract between front and engine."""
    return get_engine(backend)
