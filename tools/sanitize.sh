#!/usr/bin/env bash
# The tests on a compiled core that watches itself: AddressSanitizer and UndefinedBehaviorSanitizer.
#
#     tools/sanitize.sh [arguments for pytest]
#
# Every read and write beyond an array, every use after free, every signed overflow, bad shift and
# misaligned access in the compiled modules ends the run at once, with the line of the generated C.
# Python's own allocator is switched off (PYTHONMALLOC), so that the bytes objects that the core
# writes into are watched as well. Python is built with -fwrapv, which makes an overflow legal and
# silent: it is taken back here. Leaks are not looked for, because Python itself keeps memory until
# it ends: tests/test_robustness.py has a test of its own for them.
#
# Needs gcc with libasan and libubsan. About three times as slow as the ordinary suite.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
python=${PYTHON:-python3}
compiler=${CC:-gcc}

flags="-g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -fno-wrapv"
KNIGHTTOUR_REQUIRE_CORE=1 CC=$compiler CFLAGS="$flags" LDFLAGS="-fsanitize=address,undefined" \
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
LD_PRELOAD="$preload" "$python" -m pytest -p no:cacheprovider --capture=sys "$@"
