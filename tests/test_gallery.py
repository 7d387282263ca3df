"""The pictures of the documentation: as their program makes them, and described where shown."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from knighttour import _engine

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "gallery"
PAGES = [ROOT / "README.md", ROOT / "README.zh-CN.md", *sorted((ROOT / "docs").glob("**/*.md"))]

if not (GALLERY / "make.py").exists():
    pytest.skip("run without the source checkout", allow_module_level=True)


@pytest.fixture(scope="module")
def make():
    spec = importlib.util.spec_from_file_location("gallery_make", GALLERY / "make.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["gallery_make"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["gallery_make"]


def test_the_gallery_holds_what_its_program_makes_and_nothing_else(make):
    others = {"make.py", "README.md"}
    files = {path.name for path in GALLERY.iterdir() if path.is_file()} - others
    assert files == set(make.PICTURES)
    assert (GALLERY / "README.md").read_text("utf-8") == make.page()


@pytest.mark.parametrize("path", sorted(GALLERY.glob("*.svg")), ids=lambda path: path.name)
def test_pictures_are_as_this_version_draws_them(make, path):
    slow = ("compare-xiangqi-dark.svg", "moves-7x8.svg", "moves-6x6-open.svg")
    if path.name in slow and _engine.BACKEND == "pure":
        pytest.skip("takes the pure engine a quarter of a minute, or more")
    assert make.PICTURES[path.name].draw() == path.read_bytes()


def test_pictures_are_no_larger_than_they_may_be(make):
    for name, item in make.PICTURES.items():
        most = make.MOST_BYTES_IN_DOCS if item.in_docs else make.MOST_BYTES
        assert (GALLERY / name).stat().st_size <= most


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_picture_on_a_page_is_there_and_described(page):
    text = page.read_text("utf-8")
    shown = [(file, alt) for alt, file in re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", text)]
    for tag in re.findall(r"<img [^>]*>", text):
        shown.append((re.search(r'src="([^"]*)"', tag)[1], re.search(r'alt="([^"]*)"', tag)[1]))
    shown += [(file, "a source") for file in re.findall(r'srcset="([^"]*)"', text)]
    if "README" in page.name:
        assert len(shown) >= 4
    for file, alt in shown:
        assert (page.parent / file).is_file(), file
        assert len(alt) > 5, file
