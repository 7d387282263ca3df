#!/usr/bin/env bash
# How much of the Python and of the Cython is run by the suite, line by line.
#
#     tools/coverage.sh [test files]        all of them where none is named
#
# The compiled modules are built with line tracing (full API: the limited one has none), which makes
# them some ten times slower: a run of its own, on both engines. Kernels that run without the GIL
# are traced too. Left out are the tests of Ctrl-C (what a signal handler raises while a kernel is
# traced is lost there), of the clock, and those that look at the machine rather than at the code:
# tests/test_robustness.py, tests/test_page_browser.py. Needs Python 3.11 and gcc.
#
# Each file of tests is a process of its own, and is stopped after LIMIT seconds (default 1200): a
# report of what has run so far is always there, with KEEP=DIRECTORY even while the rest runs.
# The report is printed, and left as coverage-html/.
set -euo pipefail
cd "$(dirname "$0")/.."
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
            */test_robustness.py | */test_page_browser.py | */test_package.py) ;;
            *) files+=("$file") ;;
        esac
    done
fi

cp -r src tests docs bench README.md README.zh-CN.md CHANGELOG.md setup.py pyproject.toml LICENSE "$work/"
find "$work" -name "*.so" -delete -o -name "*.c" -path "*/knighttour/*" -delete
(
    cd "$work"
    KNIGHTTOUR_REQUIRE_CORE=1 KNIGHTTOUR_TRACE=1 "$python" setup.py --quiet build_ext --inplace
    cat > coveragerc <<'RC'
[run]
plugins = Cython.Coverage
core = ctrace
parallel = True
sigterm = True
branch = False
source = knighttour
[report]
skip_covered = False
exclude_also =
    if TYPE_CHECKING:
    @overload
RC
    export COVERAGE_FILE=$work/data COVERAGE_RCFILE=$work/coveragerc PYTHONPATH=src
    left_out="ctrl_c or control_c or at_once or interrupt or large_boards"
    for file in "${files[@]}"; do
        timeout --kill-after=60 "$limit" "$python" -m coverage run -m pytest -q \
            -p no:cacheprovider -k "not ($left_out)" "$file" \
            || echo "$file: failed or was stopped under tracing (see above)"
    done
    "$python" -m coverage combine -q --keep
    "$python" -m coverage report
    "$python" -m coverage html -q -d html
)
rm -rf coverage-html
cp -r "$work/html" coverage-html
