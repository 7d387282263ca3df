"""Which lines of the .pyx files have run, from what gcov counted; tools/coverage.sh calls it.

    python tools/pyx_coverage.py FOLDER

FOLDER has the .gcda and .gcno files of a build with KNIGHTTOUR_COVERAGE=1. A line of Cython becomes
many of C, in several functions perhaps: it has run if any of them has. So a line of which only the
failure is missing counts as run, and `def` lines run at import.
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


def counts(folder: Path) -> dict[str, dict[int, int]]:
    """Return for every .pyx how often each of its lines has run."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(folder.rglob("*.gcda")):
        output = subprocess.run(
            ["gcov", "--json-format", "--stdout", data.name],
            cwd=data.parent, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for report in output.splitlines():
            for file in json.loads(report)["files"]:
                if file["file"].endswith(".pyx"):
                    lines = found[Path(file["file"]).name]
                    for line in file["lines"]:
                        lines[line["line_number"]] += line["count"]
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
