"""The switch between the engines: strict, told, and asked for in one place only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import knighttour
from knighttour import InvalidInputError
from knighttour._engine import BACKENDS, get_engine

from .conftest import installed

PACKAGE = Path(knighttour.__file__).parent


def run(code, **environment):
    """Run Python code in a process of its own; return (exit code, stdout, stderr)."""
    env = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **environment}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.strip(), done.stderr


def test_a_required_core_is_there():
    """The environment that insists on a core when building insists on it when testing."""
    if os.environ.get("KNIGHTTOUR_REQUIRE_CORE", "") in ("", "0"):
        pytest.skip("KNIGHTTOUR_REQUIRE_CORE is not set")
    assert get_engine("core").name == "core"


TELL = "import knighttour; print(knighttour.BACKEND, knighttour.tour('a0').end)"


@pytest.mark.parametrize("name", installed())
def test_the_variable_chooses_the_engine(name):
    assert run(TELL, KNIGHTTOUR_BACKEND=name) == (0, f"{name} (5, 3)", "")


def test_auto_takes_the_core_where_there_is_one():
    code, out, _ = run(TELL, KNIGHTTOUR_BACKEND="auto")
    assert code == 0
    try:
        get_engine("core")
    except InvalidInputError:
        assert out.startswith("pure")
    else:
        assert out.startswith("core")


@pytest.mark.parametrize("value", ["cython", "CORE", "1"])
def test_an_unknown_engine_is_refused_at_import(value):
    code, _, error = run(TELL, KNIGHTTOUR_BACKEND=value)
    assert code == 1
    assert f"KNIGHTTOUR_BACKEND='{value}' is unknown: use auto, core or pure" in error


HIDE_CORE = """
import sys
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name == "knighttour._core":
            raise ImportError("hidden for a test")
sys.meta_path.insert(0, Hide())
"""


def test_core_without_a_core_is_an_import_error_that_says_what_to_do():
    code, _, error = run(HIDE_CORE + TELL, KNIGHTTOUR_BACKEND="core")
    assert code == 1
    assert "ImportError: KNIGHTTOUR_BACKEND=core" in error
    assert "KNIGHTTOUR_REQUIRE_CORE=1" in error


def test_without_a_core_auto_is_pure_and_a_call_for_the_core_is_a_clear_error():
    code, out, _ = run(HIDE_CORE + TELL, KNIGHTTOUR_BACKEND="auto")
    assert (code, out) == (0, "pure (5, 3)")
    code, _, error = run(
        HIDE_CORE + "import knighttour; knighttour.tour(backend='core')", KNIGHTTOUR_BACKEND="auto"
    )
    assert code == 1
    assert "InvalidInputError: backend='core', but this installation has no compiled core" in error


def test_a_call_may_ask_for_each_engine():
    for name in installed():
        assert get_engine(name).name == name
    with pytest.raises(InvalidInputError, match="'core' or 'pure'"):
        get_engine("fast")
    with pytest.raises(InvalidInputError, match="unknown"):
        get_engine([])


def test_only_the_switch_knows_that_there_are_two_engines():
    modules = "|".join(sorted(path.stem for path in PACKAGE.glob("_*_py.py")))
    assert modules
    for path in PACKAGE.rglob("*.py"):
        if path.name == "_engine.py" or path.stem.endswith("_py"):
            continue
        for twin in modules.split("|"):
            text = path.read_text("utf-8")
            assert f"import {twin}" not in text, path
            assert f".{twin[:-3]} import" not in text, path


def test_the_installed_files_have_types_and_contracts():
    assert (PACKAGE / "py.typed").exists()
    for path in PACKAGE.glob("_*_py.py"):
        assert (PACKAGE / f"{path.stem[:-3]}.pyi").exists()
    assert BACKENDS == ("core", "pure")


def test_versions_agree():
    from importlib.metadata import PackageNotFoundError, version

    try:
        assert version("knighttour") == knighttour.__version__
    except PackageNotFoundError:
        pytest.skip("run from a checkout that is not installed")


def test_no_module_has_the_name_of_an_exported_function():
    """``import knighttour.tour as m`` would give the function, and the module would be hidden."""
    modules = {path.stem for path in PACKAGE.glob("*.py")} | {"cli", "drawing"}
    assert modules.isdisjoint(knighttour.__all__)
