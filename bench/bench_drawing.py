"""How long pictures take: SVG, PNG, GIF, heat maps.

python bench/bench_drawing.py [runs]     the best of so many runs (5), one line a picture

The drawing is one Python code path; the engines differ only in how the walk comes into memory, so
the walks are found before the clock starts, and there is one column.
"""

import io
import sys
from time import perf_counter

from knighttour import Strategy, tour
from knighttour.drawing import heatmap, raster
from knighttour.drawing.svg import svg
from knighttour.timing import human_time, machine

#: Warnsdorff's rule with the tie "far", which gets through where the named strategies do not.
FAR = Strategy(Strategy.named("course").order, tie="far", backtrack=False)

#: What, how it is made, and the most seconds that it may take (None: no promise).
WALKS = {
    "10x9": tour("a0", "xiangqi", strategy="course"),
    "8x8": tour("a1", "chess", strategy="course"),
    "50x50": tour((0, 0), "50x50", strategy="step-back"),
    "1000x1000": tour((0, 0), "1000x1000", strategy=FAR),
}


def gif(walk, **options):
    out = io.BytesIO()
    raster.animate(walk, out, **options)
    return out.getvalue()


ROWS = [
    ("SVG 10x9 line", lambda: svg(WALKS["10x9"]), 0.002),
    ("SVG 10x9 arrows and numbers", lambda: svg(WALKS["10x9"], path="arrows+numbers"), None),
    ("SVG 8x8 line", lambda: svg(WALKS["8x8"]), None),
    ("SVG 50x50 line", lambda: svg(WALKS["50x50"]), None),
    ("SVG 1000x1000 line", lambda: svg(WALKS["1000x1000"]), 3.0),
    ("PNG 10x9, 1000 pixels", lambda: raster.png(WALKS["10x9"]), None),
    ("PNG 50x50, 1000 pixels", lambda: raster.png(WALKS["50x50"]), None),
    ("PNG 1000x1000, 1000 pixels", lambda: raster.png(WALKS["1000x1000"]), None),
    ("GIF 10x9, 90 frames", lambda: gif(WALKS["10x9"]), 5.0),
    ("GIF 10x9 with numbers", lambda: gif(WALKS["10x9"], numbers=True), None),
    ("APNG 10x9, 90 frames", lambda: gif(WALKS["10x9"], kind="apng"), None),
    ("WebP 10x9, 90 frames", lambda: gif(WALKS["10x9"], kind="webp"), None),
    ("GIF 50x50, 148 frames", lambda: gif(WALKS["50x50"]), None),
    ("GIF 1000x1000, 151 frames", lambda: gif(WALKS["1000x1000"]), None),
    (
        "compare chess, 2000 nodes, compiled",
        lambda: heatmap.compare("chess", max_nodes=2000),
        None,
    ),
    (
        "compare chess, the same in pure Python",
        lambda: heatmap.compare("chess", max_nodes=2000, backend="pure"),
        None,
    ),
]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{machine()}; best of {runs}")
    slow = []
    for what, draw, most in ROWS:
        best = float("inf")
        for _ in range(runs):
            began = perf_counter()
            made = draw()
            best = min(best, perf_counter() - began)
            if best > 2:
                break
        size = f"{len(made):>9} bytes" if isinstance(made, (str, bytes)) else ""
        promise = "" if most is None else f"  (at most {human_time(most)})"
        print(f"{what:<40} {human_time(best):>10}  {size}{promise}", flush=True)
        if most is not None and best > most:
            slow.append(what)
    if slow:
        sys.exit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
