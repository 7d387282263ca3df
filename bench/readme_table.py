"""Measure the speed table and write it into both READMEs, between its marks.

python bench/readme_table.py
"""

import re
from pathlib import Path

from knighttour.timing import human_time, machine, measure, ratio

ROOT = Path(__file__).parent.parent
CHINESE = {
    "one xiangqi tour": "一次中国象棋棋盘遍历",
    "all 90 xiangqi starts": "中国象棋全部 90 个起点",
    "all 64 chess starts": "国际象棋全部 64 个起点",
    "one 50x50 tour": "一次 50x50 遍历",
}


def markdown(rows, heads, names):
    lines = [f"| {' | '.join(heads)} |", "| --- | ---: | ---: | ---: |"]
    for row in rows:
        cells = (names.get(row.what, row.what), human_time(row.core), human_time(row.pure))
        lines.append(f"| {' | '.join(cells)} | {ratio(row)} |")
    return "\n".join(lines)


def replace(file, text):
    path = ROOT / file
    old = path.read_text("utf-8")
    new, count = re.subn(
        r"(<!-- speed table -->\n).*?(<!-- end -->)", rf"\g<1>{text}\n\g<2>", old, flags=re.S
    )
    assert count == 1, f"{file} has no place for the speed table"
    path.write_text(new, "utf-8")


def main():
    rows = measure()
    replace(
        "README.md",
        markdown(rows, ("", "core", "pure", "ratio"), {}) + f"\n\nBest of 40 runs; {machine()}.",
    )
    replace(
        "README.zh-CN.md",
        markdown(rows, ("", "编译内核", "纯 Python", "倍数"), CHINESE)
        + f"\n\n40 次中的最好成绩；{machine()}。",
    )
    print(markdown(rows, ("", "core", "pure", "ratio"), {}))


if __name__ == "__main__":
    main()
