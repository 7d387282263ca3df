"""Mutation testing: change a module in one small place, and see whether a test notices.

    python tools/mutate.py MODULE TESTS... [--every N] [--lines A-B]

One change at a time: a comparison, an arithmetic or logical operator, a number (one more), a `not`
taken away, True and False exchanged. A change that no test notices is a survivor: either it means
the same (say so), or a test is missing. Type annotations and text are left alone. The checkout is
not touched: the package is copied. Cost: one run of the tests for each change; `--every 10`
samples.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}  # fmt: skip


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, object, object]]:
    """Yield (node, field, value now, value of the mutant) in a fixed order."""
    for node in code(tree):
        if isinstance(node, ast.Compare):
            for index, operator in enumerate(node.ops):
                if type(operator) in COMPARISONS:
                    changed = [*node.ops]
                    changed[index] = COMPARISONS[type(operator)]()
                    yield node, "ops", node.ops, changed
        elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            yield node, "op", node.op, ARITHMETIC[type(node.op)]()
        elif isinstance(node, ast.BoolOp):
            yield node, "op", node.op, ast.Or() if isinstance(node.op, ast.And) else ast.And()
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, "op", node.op, ast.UAdd()
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield node, "value", node.value, not node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node, "value", node.value, node.value + 1


def code(node: ast.AST) -> Iterator[ast.AST]:
    """Walk everything that is run, but no annotation, decorator or text."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "__all__"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.AST):
                yield child
                yield from code(child)


def main() -> int:
    """Print every survivor and the count; exit 0 whatever there is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--every", type=int, default=1, help="try only every n-th change")
    parser.add_argument("--lines", default="1-1000000", help="only these lines, as 100-200")
    options = parser.parse_args()
    low, high = map(int, options.lines.split("-"))

    root = Path(__file__).resolve().parent.parent
    original = (root / options.module).read_text("utf-8")
    tree = ast.parse(original)
    chosen = [place for place in places(tree) if low <= getattr(place[0], "lineno", 0) <= high][
        :: options.every
    ]
    killed, survivors = 0, []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(root / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(root / "tests", copy / "tests")
        shutil.copy(root / "pyproject.toml", copy)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        environment = {
            **os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip

        def passes() -> bool:
            try:
                done = subprocess.run(
                    [*command, *options.tests],
                    cwd=copy, env=environment, capture_output=True, check=False, timeout=300,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return False  # an endless loop was noticed
            return done.returncode == 0

        if not passes():
            print("the tests fail without any change")
            return 1
        for node, field, before, after in chosen:
            setattr(node, field, after)
            (copy / options.module).write_text(ast.unparse(tree), "utf-8")
            changed = ast.unparse(node)
            if passes():
                line = node.lineno  # type: ignore[attr-defined]
                survivors.append(line)
                print(f"survived: line {line}: {changed[:110]}", flush=True)
                print(f"          was: {original.splitlines()[line - 1].strip()[:110]}", flush=True)
            else:
                killed += 1
            setattr(node, field, before)
    print(f"{len(chosen)} changes, {killed} noticed, {len(survivors)} survived")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
