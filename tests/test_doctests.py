"""Every example in the documentation runs and says what it says."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import knighttour
from knighttour import _engine

ROOT = Path(__file__).parent.parent
OPTIONS = doctest.NORMALIZE_WHITESPACE
MODULES = ["knighttour"] + [
    module.name
    for module in pkgutil.walk_packages(knighttour.__path__, "knighttour.")
    if not module.name.endswith("__main__")
]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("**/*.md"))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"{name} needs an extra that is not installed: {error}")
    result = doctest.testmod(module)
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages(page):
    text = page.read_text("utf-8")
    if 'backend="core"' in text and "core" not in _engine._ENGINES:
        pytest.skip("the page compares the engines, and this installation has no compiled core")
    # The fences of code blocks are no output.
    lines = ["" if line.startswith("```") else line for line in text.splitlines()]
    example = doctest.DocTestParser().get_doctest("\n".join(lines), {}, str(page), str(page), 0)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(example)
    assert result.failed == 0


def test_the_readmes_have_five_examples_each():
    for page in ("README.md", "README.zh-CN.md"):
        if not (ROOT / page).exists():
            pytest.skip("run without the source checkout")
        text = (ROOT / page).read_text("utf-8")
        blocks = [block for block in text.split("```") if block.startswith("python")]
        assert len(blocks) >= 5
        assert ".tolist()" in blocks[0]


def test_public_names_have_docstrings_with_an_example():
    for name in knighttour.__all__:
        thing = getattr(knighttour, name)
        if callable(thing) and not (isinstance(thing, type) and issubclass(thing, Exception)):
            assert thing.__doc__, name
            if not hasattr(thing, "_fields"):  # a named tuple describes its fields
                assert ">>>" in thing.__doc__, name
