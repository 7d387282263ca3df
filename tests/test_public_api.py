"""What users rely on does not change unnoticed: names, signatures and defaults are written down.

A change that is meant is written down again by
``python -m tests.test_public_api``; the diff of the file is then part of the change.
"""

import inspect
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


def test_every_public_member_is_documented():
    undocumented = [
        f"{name}.{member}"
        for name in knighttour.__all__
        if inspect.isclass(thing := getattr(knighttour, name))
        for member, value in vars(thing).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod))
        and not inspect.getdoc(getattr(thing, member))
    ]
    assert undocumented == []


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(describe()) + "\n", "utf-8")
