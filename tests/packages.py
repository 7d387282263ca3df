"""Packages that the tests can do without."""

import importlib
import os
from types import ModuleType

import pytest


def other_package(name: str) -> ModuleType:
    """Import a package, or skip the test; KNIGHTTOUR_REQUIRE_INTEROP=1 makes that a failure."""
    if os.environ.get("KNIGHTTOUR_REQUIRE_INTEROP", "") not in ("", "0"):
        return importlib.import_module(name)
    module: ModuleType = pytest.importorskip(name)
    return module
