#!/usr/bin/env bash
# How much of the Python and of the Cython is run by the suite, line by line.
#
#     tools/coverage.sh [test files]        all of them where none is named
#
# coverage.py watches the Python. The Cython is counted by gcov: the generated C says of which line of
# the .pyx it was made, and the compiler counts it, kernels without the GIL included. That costs
# little; tracing them by coverage.py makes them many times slower, and what a signal handler raises
# meanwhile is lost. What the tests start as processes of their own counts too. Left out are the tests
# of the machine rather than of the code: interruptions, memory, the browser. Needs Python 3.11, gcc
# and gcov.
#
# Each file of tests is a process of its own, and is stopped after LIMIT seconds (default 1200), so
# that a report of what has run is always there; KEEP=DIRECTORY keeps the counts, and goes on with
# them where a run was stopped. The report is printed; that of the Python is left as coverage-html/.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD
python=$(realpath -s "$(command -v "${PYTHON:-python3}")")
limit=${LIMIT:-1200}

if [ -n "${KEEP:-}" ]; then
    work=$(realpath -m "$KEEP")
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
files=("$@")
if [ ${#files[@]} = 0 ]; then
    for file in tests/test_*.py; do
        case $file in
            */test_robustness.py | */test_interrupts.py | */test_page_browser.py) ;;
            *) files+=("$file") ;;
        esac
    done
fi

if [ ! -e "$work/src" ]; then
    cp -r src tests docs bench tools ./*.md setup.py pyproject.toml LICENSE CITATION.cff "$work/"
    find "$work" -name "*.so" -delete -o -name "*.c" -path "*/knighttour/*" -delete
fi
cd "$work"
KNIGHTTOUR_REQUIRE_CORE=1 KNIGHTTOUR_COVERAGE=1 "$python" setup.py --quiet build_ext --inplace
cat > coveragerc <<'RC'
[run]
parallel = True
sigterm = True
patch = _exit, fork, subprocess
source = knighttour
[report]
skip_covered = False
show_missing = True
exclude_also =
    if TYPE_CHECKING:
    @overload
RC
# A line counts as run after one example as well as after a hundred. The package starts its threads
# by `_thread`, of which a tracer is not told.
cat > counted.py <<'PY'
import _thread
import sys
import threading

from hypothesis import settings

settings.register_profile("few", max_examples=20, deadline=None)
settings.load_profile("few")
start_new_thread = _thread.start_new_thread


def start_traced(function, *arguments):
    def traced(*given):
        sys.settrace(threading.gettrace())
        function(*given)

    return start_new_thread(traced, *arguments)


_thread.start_new_thread = start_traced
PY
left_out="ctrl_c or control_c or large_boards_square_by_square or counts_of_large_boards"
export COVERAGE_FILE=$work/data COVERAGE_RCFILE=$work/coveragerc PYTHONPATH=src:.
for file in "${files[@]}"; do
    [ ! -e "$work/done/$file" ] || continue
    status=0
    timeout --kill-after=60 "$limit" "$python" -m coverage run -m pytest -q -p counted \
        -p no:cacheprovider -k "not ($left_out)" "$file" || status=$?
    # 5: a file of slow tests alone, of which none was asked for.
    [ "$status" = 0 ] || [ "$status" = 5 ] || echo "$file: failed or was stopped (see above)"
    mkdir -p "$work/done/tests"
    touch "$work/done/$file"
done
# What an earlier run has left stays; without anything new there is nothing to combine.
"$python" -m coverage combine -q --append || true
"$python" -m coverage report
"$python" "$here/tools/pyx_coverage.py" "$work"
"$python" -m coverage html -q -d html
rm -rf "$here/coverage-html"
cp -r html "$here/coverage-html"
