"""What users rely on does not change unnoticed: names, signatures and defaults are written down.

A change that is meant is written down again by
``python -m tests.test_public_api``; the diff of the file is then part of the change.
"""

import functools
import importlib
import inspect
import pkgutil
from pathlib import Path

import knighttour

SNAPSHOT = Path(__file__).parent / "data" / "public_api.txt"


def signature(thing):
    if hasattr(thing, "_fields"):  # how annotations of a named tuple are shown differs by version
        return f"({', '.join(thing._fields)})"
    text = str(inspect.signature(thing))
    return text.replace("knighttour.", "").replace("'", '"')


def describe():
    """Return one line for every public name and every public member of a public class."""
    lines = []
    for name in sorted(knighttour.__all__):
        thing = getattr(knighttour, name)
        if inspect.isclass(thing):
            bases = ", ".join(base.__name__ for base in thing.__mro__[1:-1])
            lines.append(f"class {name}({bases})")
            if not issubclass(thing, BaseException):
                lines.append(f"{name}{signature(thing)}")
            lines += members(name, thing)
        elif callable(thing):
            lines.append(f"{name}{signature(thing)}")
        else:
            lines.append(f"{name}: {type(thing).__name__}")
    return lines


def members(name, thing):
    for member in sorted(dir(thing)):
        ours = any(
            member in vars(base)
            for base in thing.__mro__
            if base.__module__.startswith("knighttour")
        )
        if member.startswith("_") or not ours:
            continue
        value = inspect.getattr_static(thing, member)
        if isinstance(value, classmethod | staticmethod):
            yield f"{name}.{member}{signature(value.__func__)} {type(value).__name__}"
        elif inspect.isfunction(value):
            yield f"{name}.{member}{signature(value)}"
        else:
            yield f"{name}.{member}"


def test_the_public_api_is_the_one_written_down():
    expected = SNAPSHOT.read_text("utf-8").splitlines()
    actual = describe()
    missing = [line for line in expected if line not in actual]
    added = [line for line in actual if line not in expected]
    assert (missing, added) == ([], [])


def undocumented(module):
    """Return the public things of a module, and their public members, without a docstring."""
    if not inspect.getdoc(module):
        yield module.__name__
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)):
            continue  # a constant or a type alias: what it is stands before it
        if not inspect.getdoc(thing):
            yield f"{module.__name__}.{name}"
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            kinds = property | classmethod | staticmethod | functools.cached_property
            if member.startswith("_") or not (inspect.isroutine(value) or isinstance(value, kinds)):
                continue
            if not inspect.getdoc(getattr(thing, member)):
                yield f"{module.__name__}.{name}.{member}"


def test_every_public_name_method_and_property_is_documented():
    missing = []
    for found in pkgutil.walk_packages(knighttour.__path__, "knighttour."):
        if found.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(found.name)
        except ImportError:
            continue  # an extra that is not installed
        missing += undocumented(module)
    assert [*undocumented(knighttour), *missing] == []


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(describe()) + "\n", "utf-8")
