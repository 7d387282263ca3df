"""Which lines of the .pyx files have run, from what gcov counted; tools/coverage.sh calls it.

    python tools/pyx_coverage.py FOLDER

FOLDER is a checkout that was built in place with KNIGHTTOUR_COVERAGE=1. Cython writes before the C
of every statement, in a comment, from which line of the .pyx it was made. A line has run if any of
its C has, in any of the functions that it was copied into. So a line of which only the failure is
missing counts as run, and so do the `def` lines, which run at import.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ORIGIN = re.compile(r'\s*/\* "(?:.*/)?(\w+\.pyx)":(\d+)$')
END = re.compile(r"\s*/\* (function exit code|#### Code section: \w+ ###) \*/")


def origins(source: Path) -> dict[int, tuple[str, int]]:
    """Return for the lines of generated C the file and line that they were made of."""
    found: dict[int, tuple[str, int]] = {}
    origin: tuple[str, int] | None = None
    for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
        if match := ORIGIN.match(line):
            origin = match[1], int(match[2])
        elif END.match(line):
            origin = None
        elif origin is not None:
            found[number] = origin
    return found


def counts(folder: Path) -> dict[str, dict[int, int]]:
    """Return for every .pyx how often each of its lines has run."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(folder.glob("build/**/*.gcda")):
        origin = origins(folder / "src" / "knighttour" / f"{data.stem}.c")
        output = subprocess.run(
            ["gcov", "--json-format", "--stdout", data.name],
            cwd=data.parent, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for report in output.splitlines():
            for file in json.loads(report)["files"]:
                if Path(file["file"]).name != f"{data.stem}.c":
                    continue
                for line in file["lines"]:
                    if line["line_number"] in origin:
                        name, number = origin[line["line_number"]]
                        found[name][number] += line["count"]
    return found


def ranges(numbers: list[int]) -> str:
    """Write numbers in order as ranges: 3-5, 9."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)


def main() -> None:
    """Print a table like that of coverage.py."""
    total = missed = 0
    print(f"{'Name':<24}{'Stmts':>7}{'Miss':>7}{'Cover':>7}   Missing")
    for name, lines in sorted(counts(Path(sys.argv[1])).items()):
        missing = sorted(number for number, count in lines.items() if count == 0)
        total += len(lines)
        missed += len(missing)
        share = 100 * (1 - len(missing) / len(lines))
        print(f"{name:<24}{len(lines):>7}{len(missing):>7}{share:>6.1f}%   {ranges(missing)}")
    if not total:
        sys.exit("nothing was counted")
    print(f"{'TOTAL':<24}{total:>7}{missed:>7}{100 * (1 - missed / total):>6.1f}%")


if __name__ == "__main__":
    main()
