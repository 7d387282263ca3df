#!/usr/bin/env bash
# The documentation site, every warning an error: into site/, or the folder that is named.
# With "links" the links to other sites are tried as well, which needs a network.
#   pip install ".[docs]" && tools/docs.sh
#   tools/docs.sh links
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
if [ "${1:-}" = links ]; then
    "$python" -m sphinx -W --keep-going -b linkcheck docs build/linkcheck
    exit
fi
"$python" -m sphinx -W --keep-going -n -b html docs "${1:-site}"
