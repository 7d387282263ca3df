#!/usr/bin/env bash
# The tests on a compiled core that watches itself: AddressSanitizer and UndefinedBehaviorSanitizer.
#
#     tools/sanitize.sh [arguments for pytest]
#
# Every read and write beyond an array, every use after free, every signed overflow, bad shift and
# misaligned access in the compiled modules ends the run at once, with the line of the generated C.
# Python's own allocator is switched off (PYTHONMALLOC), so that the bytes objects that the core
# writes into are watched as well. Leaks are not looked for, because Python itself keeps memory until
# it ends: tests/test_robustness.py has a test of its own for them.
#
# Needs gcc with libasan and libubsan. About three times as slow as the ordinary suite. Without
# arguments each file of tests is a process of its own: what one of them finds hides nothing of the
# others. KEEP=DIRECTORY keeps the build, and uses it again.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${KEEP:-}" ]; then
    build=$(realpath -m "$KEEP")
else
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
fi
python=${PYTHON:-python3}
compiler=${CC:-gcc}

KNIGHTTOUR_REQUIRE_CORE=1 KNIGHTTOUR_SANITIZE=1 CC=$compiler \
    "$python" setup.py --quiet build --build-base "$build" --build-lib "$build/lib"

export PYTHONPATH="$build/lib"
export KNIGHTTOUR_BACKEND=core KNIGHTTOUR_SANITIZED=1
export PYTHONMALLOC=malloc
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="print_stacktrace=1"
preload="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)"

LD_PRELOAD="$preload" "$python" -c '
import knighttour._core, sys
maps = open("/proc/self/maps").read()
assert "libasan" in maps and "libubsan" in maps, "the sanitizers are not loaded"
print("sanitized core:", knighttour._core.__file__)
'
# A report is written past Python as the process dies: pytest must not hold standard error then.
run() { LD_PRELOAD="$preload" "$python" -m pytest -p no:cacheprovider --capture=sys "$@"; }
if [ $# -gt 0 ]; then
    run "$@"
    exit
fi
failed=()
for file in tests/test_*.py; do
    echo "== $file"
    code=0
    run -q "$file" || code=$?
    [ $code = 0 ] || [ $code = 5 ] || failed+=("$file") # 5: it has no tests for this
done
[ ${#failed[@]} = 0 ] || { echo "failed: ${failed[*]}"; exit 1; }
