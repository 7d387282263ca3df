"""The switch between the two engines: all compiled or all pure.

This is the only module that knows there are two. ``KNIGHTTOUR_BACKEND`` chooses when the package
is imported: ``auto`` (the default) takes the compiled core where there is one, ``core`` insists on
it, ``pure`` does without. A call's ``backend=`` asks for one engine by name, so that both can be
compared in one process.
"""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass, fields
from types import ModuleType

from .errors import InvalidInputError

__all__ = ["BACKEND", "BACKENDS", "Engine", "get_engine"]

BACKENDS = ("core", "pure")

_VARIABLE = "KNIGHTTOUR_BACKEND"

_REMEDY = (
    "reinstall where a C compiler is at hand (KNIGHTTOUR_REQUIRE_CORE=1 pip install --no-binary "
    "knighttour knighttour says what is missing), or use the pure engine"
)


@dataclass(frozen=True, slots=True, eq=False)  # an engine equals itself alone
class Engine:
    """One engine: its name and its modules, which have the same contract in both."""

    name: str
    core: ModuleType
    construction: ModuleType
    program: ModuleType
    shapes: ModuleType
    analysis: ModuleType
    counting: ModuleType
    frontier: ModuleType


def _load(name: str) -> Engine:
    suffix = "" if name == "core" else "_py"
    topics = [field.name for field in fields(Engine) if field.name != "name"]
    modules = [importlib.import_module(f"._{topic}{suffix}", __package__) for topic in topics]
    return Engine(name, *modules)


def _load_all(wanted: str) -> tuple[dict[str, Engine], str]:
    """Load what `wanted` (auto, core or pure) asks for; return the engines and the default one."""
    if wanted not in ("auto", *BACKENDS):
        raise ImportError(f"{_VARIABLE}={wanted!r} is unknown: use auto, core or pure")
    engines = {"pure": _load("pure")}
    try:
        engines["core"] = _load("core")
    except ImportError as error:
        if wanted == "core":
            raise ImportError(
                f"{_VARIABLE}=core, but this installation has no compiled core ({error}): {_REMEDY}"
            ) from error
    if wanted == "auto":
        wanted = "core" if "core" in engines else "pure"
    return engines, wanted


_ENGINES, BACKEND = _load_all(os.environ.get(_VARIABLE) or "auto")
_DEFAULT = _ENGINES[BACKEND]


def get_engine(backend: str | None = None) -> Engine:
    """Return an engine by name, or the default one.

    Raises:
        InvalidInputError: an unknown name, or ``"core"`` where there is no compiled core.
    """
    if backend is None:
        return _DEFAULT
    try:
        return _ENGINES[backend]
    except (KeyError, TypeError):
        if backend == "core":
            raise InvalidInputError(
                f"backend='core', but this installation has no compiled core: {_REMEDY}"
            ) from None
        raise InvalidInputError(
            f"backend={backend!r} is unknown: use {' or '.join(map(repr, BACKENDS))}"
        ) from None
