"""Building and installing: every promise of setup.py, in fresh virtual environments.

Slow, and it needs the package index for the build tools: `python -m pytest -m slow
tests/test_package.py`.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="needs a source checkout"),
]

FLAGS = ("KNIGHTTOUR_PURE", "KNIGHTTOUR_REQUIRE_CORE", "KNIGHTTOUR_LIMITED_API",
         "KNIGHTTOUR_BACKEND", "PYTHONPATH")  # fmt: skip
WITHOUT_COMPILER = {"CC": "/bin/false", "CXX": "/bin/false"}


def environment(**settings):
    clean = {key: value for key, value in os.environ.items() if key not in FLAGS}
    return {**clean, **settings}


@pytest.fixture
def source(tmp_path):
    """A copy of the checkout without anything built."""
    target = tmp_path / "source"
    shutil.copytree(
        ROOT, target,
        ignore=shutil.ignore_patterns("*.so", "*.c", ".git", ".venv*", "build", "__pycache__"),
    )  # fmt: skip
    return target


def build(source, tmp_path, **settings):
    """Build a wheel; return the process and the wheels."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-v", "--no-deps", "-w", tmp_path / "dist", source],
        env=environment(**settings), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done, list((tmp_path / "dist").glob("*.whl"))


def members(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def backend_of(wheel, tmp_path):
    """Install a wheel into a fresh environment and ask it what it is."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", wheel], check=True)
    done = subprocess.run(
        [python, "-c", "import knighttour as k; print(k.BACKEND, len(k.tour('a0')))"],
        env=environment(), capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    return done.stdout.split()


def test_with_a_compiler_the_core_is_built(source, tmp_path):
    done, wheels = build(source, tmp_path)
    assert done.returncode == 0, done.stderr
    names = members(wheels[0])
    assert any("_core." in name and name.endswith((".so", ".pyd")) for name in names)
    assert not [name for name in names if name.endswith((".pyx", ".c"))]
    assert backend_of(wheels[0], tmp_path) == ["core", "90"]


def test_without_a_compiler_the_wheel_is_pure_and_the_build_says_so_loudly(source, tmp_path):
    done, wheels = build(source, tmp_path, **WITHOUT_COMPILER)
    assert done.returncode == 0, done.stderr
    assert "THE COMPILED CORE WAS NOT BUILT" in done.stdout + done.stderr
    assert not [name for name in members(wheels[0]) if name.endswith((".so", ".pyd"))]
    assert backend_of(wheels[0], tmp_path) == ["pure", "90"]


def test_a_required_core_that_does_not_build_is_fatal(source, tmp_path):
    done, wheels = build(source, tmp_path, KNIGHTTOUR_REQUIRE_CORE="1", **WITHOUT_COMPILER)
    assert done.returncode != 0
    assert wheels == []


def test_a_pure_wheel_fits_every_platform(source, tmp_path):
    done, wheels = build(source, tmp_path, KNIGHTTOUR_PURE="1")
    assert done.returncode == 0, done.stderr
    assert wheels[0].name.endswith("-py3-none-any.whl")
    assert backend_of(wheels[0], tmp_path) == ["pure", "90"]


def test_an_abi3_wheel_fits_every_python(source, tmp_path):
    done, wheels = build(source, tmp_path, KNIGHTTOUR_LIMITED_API="1", KNIGHTTOUR_REQUIRE_CORE="1")
    assert done.returncode == 0, done.stderr
    assert "-cp311-abi3-" in wheels[0].name
    assert any(name.endswith("_core.abi3.so") for name in members(wheels[0])) or os.name == "nt"
    assert backend_of(wheels[0], tmp_path) == ["core", "90"]


def test_an_sdist_made_without_git_has_all_that_a_build_needs(source, tmp_path):
    assert not (source / ".git").exists()
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "builder"], check=True)
    python = tmp_path / "builder" / ("Scripts" if os.name == "nt" else "bin") / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "build"], check=True)
    subprocess.run(
        [python, "-m", "build", "--sdist", "-o", tmp_path / "sdist", source],
        env=environment(), check=True, capture_output=True,
    )  # fmt: skip
    (archive,) = (tmp_path / "sdist").glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    kept = {
        "README.md",
        "LICENSE",
        "setup.py",
        "src/knighttour/_core.pyx",
        "tests/failing_malloc.c",
    }
    assert kept <= names
    made = [name for name in names if name.endswith((".so", ".pyd", ".pyc", ".c"))]
    assert [name for name in made if not name.startswith("tests/")] == []
    done, wheels = build(archive, tmp_path, KNIGHTTOUR_REQUIRE_CORE="1")
    assert done.returncode == 0, done.stderr
    assert backend_of(wheels[0], tmp_path) == ["core", "90"]
