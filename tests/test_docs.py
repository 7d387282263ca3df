"""The documentation: its commands run, its links lead somewhere, its languages say the same.

The dialogues (``>>>``) of the pages are run by test_doctests.py. Here:

- every command of a block ``sh`` runs, in a fresh folder that holds `FILES`;
- a block ``console`` is a session: ``$ command``, then all that it prints, and ``$ cat FILE`` shows
  a file that the commands after it use (``...`` stands for anything, such as a time);
- every block ``python`` that is no dialogue runs from top to bottom;
- other blocks hold no code: they are ``text`` and the like, listed in `SHOWN`.
"""

import contextlib
import doctest
import io
import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from knighttour import _engine
from knighttour.cli import main

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("**/*.md"))]
READMES = ("README.md", "README.zh-CN.md")

pytestmark = pytest.mark.skipif(
    not (ROOT / "README.zh-CN.md").exists() or not DOCS.exists(),
    reason="run without the source checkout",
)

#: Commands that build, install or test: .ci/run and the workflows run these, no test can.
NOT_RUN_HERE = (
    "python3 -m pip install",
    "python3 setup.py build_ext",
    "pip install",
    "python -m pip install",
    "python bench/",
    "python docs/gallery/make.py",
    "tools/",
)
#: Blocks that are not run: output, directives of the site, and other languages.
SHOWN = {"text", "{toctree}", "{eval-rst}", "{include} gallery/README.md"}
#: What the commands of ``sh`` blocks read.
FILES = {
    "grid.txt": " 1  4  7 10\n12  9  2  5\n 3  6 11  8\n",
    "map.txt": "......\n......\n......\n......\n......\n.....#\n",
    "puzzle.txt": "1 0 0 0\n0 0 0 0\n0 0 0 8\n",
}

BLOCK = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def named(page):
    return str(page.relative_to(ROOT))


def blocks(page):
    """All fenced blocks of a page as (language, text)."""
    for indent, language, text in BLOCK.findall(page.read_text("utf-8")):
        yield language.strip(), re.sub(f"^{indent}", "", text, flags=re.MULTILINE)


def with_blocks(language):
    found = [page for page in PAGES if any(kind == language for kind, _ in blocks(page))]
    return pytest.mark.parametrize("page", found, ids=named)


def run(command, monkeypatch):
    """Run one knighttour command in this process; return its exit code and all that it prints."""
    words = shlex.split(command, comments=True)
    assert words[0] == "knighttour", f"not a command of ours, nor one of NOT_RUN_HERE: {command}"
    printed = io.StringIO()
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            code = main(words[1:])
        except SystemExit as end:  # argparse: --help is 0, bad words are 2
            code = end.code
    return code, printed.getvalue()


def is_run_here(command):
    return not command.startswith(NOT_RUN_HERE)


def needs_core(page):
    if 'backend="core"' in page.read_text("utf-8") and "core" not in _engine._ENGINES:
        pytest.skip("the page compares the engines, and this installation has no compiled core")


@with_blocks("sh")
def test_shell_commands_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    for language, text in blocks(page):
        if language != "sh":
            continue
        for line in filter(None, map(str.strip, text.splitlines())):
            if not is_run_here(line) or line.startswith("#"):
                continue
            if line.startswith("knighttour bench"):
                line = line.replace("knighttour bench", "knighttour bench --runs 1")
            code, printed = run(line, monkeypatch)
            # "No, and here is the proof" is what an explanation is for.
            expected = 3 if line.startswith("knighttour explain") else 0
            assert code == expected, f"{line}\n{printed}"


@with_blocks("console")
def test_sessions_print_what_they_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language, text in blocks(page):
        if language != "console":
            continue
        first, *sessions = re.split(r"^\$ ", text, flags=re.MULTILINE)
        assert first == "", f"a session begins with a command: {first!r}"
        for session in sessions:
            command, _, expected = session.partition("\n")
            if command.startswith("cat "):
                file = Path(command.removeprefix("cat ").strip())
                if file.exists():
                    assert file.read_text("utf-8") == expected
                else:
                    file.write_text(expected, "utf-8")
            elif is_run_here(command):
                _, printed = run(command, monkeypatch)
                checker = doctest.OutputChecker()
                options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
                assert checker.check_output(expected, printed, options), (
                    f"{command}\nexpected:\n{expected}\nprinted:\n{printed}"
                )


@with_blocks("python")
def test_python_blocks_without_a_dialogue_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    needs_core(page)
    names = {"__name__": "__main__"}
    for language, text in blocks(page):
        if language == "python" and ">>>" not in text:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, named(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_has_a_language_and_is_run_or_shown_on_purpose(page):
    for language, text in blocks(page):
        assert language in {"sh", "console", "python", *SHOWN}, f"{language!r}: {text[:80]}"
        if language not in ("python", "console"):
            assert ">>>" not in text
        if language not in ("sh", "console", "text"):
            assert not re.search(r"^(\$ )?knighttour ", text, re.MULTILINE), text


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_fences_are_closed(page):
    fences = re.findall(r"^ *```", page.read_text("utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(list(blocks(page)))


# Links

LINK = re.compile(r"""\]\(<?([^)\s>]+)>?\)|(?:src|srcset|href)="([^"]+)\"""")
ELSEWHERE = ("https://", "http://", "mailto:", "data:")


def without_blocks(page):
    return BLOCK.sub("", page.read_text("utf-8"))


def anchors(page):
    """The anchors of the headings, as GitHub and MyST make them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *$", without_blocks(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = 0
        while (anchor := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(anchor)
    return found | set(re.findall(r"""(?:id|name)="([^"]+)\"""", page.read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    broken = []
    for pair in LINK.findall(without_blocks(page)):
        target = pair[0] or pair[1]
        if target.startswith(ELSEWHERE):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "gallery.md"], ids=named)
def test_headings_begin_with_one_title_and_skip_no_level(page):
    levels = [len(marks) for marks in re.findall(r"^(#+) ", without_blocks(page), re.MULTILINE)]
    assert levels.count(1) == levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_every_page_is_in_the_navigation():
    listed = set()
    for language, text in blocks(DOCS / "index.md"):
        if language == "{toctree}":
            for line in text.splitlines():
                if line and not line.startswith(":"):
                    listed.add(re.sub(r".*<(.*)>", r"\1", line))
    # GitHub shows this one beside the pictures; the site has gallery.md.
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.glob("**/*.md")}
    assert pages - {"index", "gallery/README"} == listed


def test_every_public_name_is_in_the_reference():
    import knighttour

    text = (DOCS / "reference.md").read_text("utf-8")
    documented = set(re.findall(r"auto(?:function|class|data):: (\w+)$", text, re.MULTILINE))
    errors = {name for name in knighttour.__all__ if name.endswith("Error")}
    assert "automodule:: knighttour.errors" in text
    assert documented == set(knighttour.__all__) - errors - {"BACKEND", "__version__"}


# The same in both languages


def commands_of(page):
    """The commands of the shell blocks, without comments."""
    for language, text in blocks(page):
        if language == "sh":
            yield from (shlex.split(line, comments=True) for line in text.splitlines())


def links_of(page):
    """Where the links lead, whatever the language of the page there."""
    for pair in LINK.findall(without_blocks(page)):
        yield (pair[0] or pair[1]).replace(".zh-CN", "")


@pytest.mark.parametrize(
    ("english", "chinese"),
    [READMES, ("docs/tutorial.md", "docs/tutorial.zh-CN.md")],
    ids=["readme", "tutorial"],
)
def test_both_languages_say_the_same(english, chinese):
    english, chinese = ROOT / english, ROOT / chinese
    ours, theirs = (
        [text for language, text in blocks(page) if language in ("python", "text")]
        for page in (english, chinese)
    )
    assert ours == theirs
    assert list(commands_of(english)) == list(commands_of(chinese))
    assert sorted(links_of(english)) == sorted(links_of(chinese))
    levels = [
        re.findall(r"^#+ ", without_blocks(page), re.MULTILINE) for page in (english, chinese)
    ]
    assert levels[0] == levels[1]
    # The figures of the tables, whose words differ.
    rows = [
        [re.findall(r"\d[\d.]*(?: [µm]?s|x)", row) for row in without_blocks(page).splitlines()
         if row.startswith("|")]
        for page in (english, chinese)
    ]  # fmt: skip
    assert rows[0] == rows[1]


def test_the_version_is_said_once_and_the_citation_agrees():
    from knighttour import __version__

    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in cited
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == __version__
    assert __version__ not in (ROOT / "pyproject.toml").read_text("utf-8").replace(" ", "")


def test_workflows_pin_every_action_to_a_commit_and_name_its_version():
    for workflow in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        for line in workflow.read_text("utf-8").splitlines():
            if "uses:" in line:
                assert re.search(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), (
                    line
                )


def test_the_comparison_page_is_the_one_its_command_writes_around_its_figures():
    page = (DOCS / "peers.md").read_text("utf-8")
    head, tail = (ROOT / "bench" / "peers" / "page.md").read_text("utf-8").split("<!-- tables -->")
    assert page.startswith(head.rstrip())
    assert tail.strip() in page
    assert "Measured on " in page


@pytest.mark.slow
def test_the_comparison_runs_and_checks_what_it_is_told(tmp_path):
    command = [
        sys.executable,
        ROOT / "bench" / "peers" / "run.py",
        "--output",
        tmp_path / "page.md",
    ]
    command += ["--peers", "knighttour, pure", "depth first", "Warnsdorff, no way back"]
    command += ["--tasks", "none-5x5", "all-5x5", "--seconds", "1"]
    subprocess.run([*map(str, command)], check=True, capture_output=True, timeout=100)
    page = (tmp_path / "page.md").read_text("utf-8")
    assert re.search(r"^\| knighttour, pure \| [\d.]+ m?s", page, re.MULTILINE)
    assert "| depth first | > limit |" in page  # it takes 7 seconds to list them


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("sphinx")
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "docs", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
