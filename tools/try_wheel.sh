#!/usr/bin/env bash
# Install a wheel (or an sdist) into a fresh environment of some Python, and run the suite on it.
#
#     tools/try_wheel.sh PYTHON WHEEL core|pure [arguments for pytest]
#
# The tests are copied away from the source, so that it is the installed package that is tested.
# Where numpy or another test dependency has no wheel for this Python, what needs it is left out.
set -euo pipefail
python=$1
wheel=$(realpath "$2")
backend=$3
shift 3
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/venv"
pip() { "$work/venv/bin/python" -m pip --disable-pip-version-check "$@"; }
pip install --quiet "$wheel"
pip install --quiet pytest hypothesis numpy
for extra in networkx pillow rich resvg-py pytest-benchmark; do
    pip install --quiet --only-binary :all: "$extra" || echo "no wheel of $extra here"
done
cp -r "$here/tests" "$here/pyproject.toml" "$work/"
cd "$work"
unset PYTHONPATH
export KNIGHTTOUR_BACKEND=$backend
venv/bin/python -c '
import sys, knighttour
print(sys.version.split()[0], knighttour.__version__, knighttour.BACKEND, knighttour.__file__)
assert knighttour.BACKEND == sys.argv[1]
assert len(knighttour.tour("a0")) == 90
' "$backend"
venv/bin/python -m pytest -q -p no:cacheprovider "$@"
