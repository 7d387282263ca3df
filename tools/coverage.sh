#!/usr/bin/env bash
# How much of the Python and of the Cython is run by the suite, line by line.
#
#     tools/coverage.sh [arguments for pytest]
#
# The compiled modules are built with line tracing (full API: the limited one has none), which makes
# them some ten times slower: a run of its own, on both engines, without the tests that measure how
# soon Ctrl-C is heard. Kernels that run without the GIL are traced too. Needs Python 3.11 and gcc.
# The report is printed, and left as coverage-html/.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath -s "$(command -v "${PYTHON:-python3}")")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r src tests docs bench README.md README.zh-CN.md setup.py pyproject.toml LICENSE "$work/"
find "$work" -name "*.so" -delete -o -name "*.c" -path "*/knighttour/*" -delete
(
    cd "$work"
    KNIGHTTOUR_REQUIRE_CORE=1 KNIGHTTOUR_TRACE=1 "$python" setup.py --quiet build_ext --inplace
    cat > coveragerc <<'RC'
[run]
plugins = Cython.Coverage
core = ctrace
branch = False
source = knighttour
[report]
skip_covered = False
exclude_also =
    if TYPE_CHECKING:
    @overload
RC
    export COVERAGE_FILE=$work/data COVERAGE_RCFILE=$work/coveragerc PYTHONPATH=src
    "$python" -m coverage run -m pytest -q -p no:cacheprovider -k "not ctrl_c and not at_once" "$@" \
        || echo "some tests failed under tracing (see above)"
    "$python" -m coverage report
    "$python" -m coverage html -q -d html
)
rm -rf coverage-html
cp -r "$work/html" coverage-html
