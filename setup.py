"""The compiled core: which modules are built, and what happens when they cannot be.

KNIGHTTOUR_PURE=1          build no core at all: a pure wheel
KNIGHTTOUR_REQUIRE_CORE=1  a core that does not build is fatal (for wheels and CI)
KNIGHTTOUR_LIMITED_API=1   one cp311-abi3 wheel for every CPython from 3.11 on
KNIGHTTOUR_COVERAGE=1      gcov counts how often each line of Cython runs, for tools/coverage.sh
KNIGHTTOUR_SANITIZE=1      the core watches itself, for tools/sanitize.sh
"""

import os
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


def flag(name: str) -> bool:
    """Whether an environment variable is set to anything but nothing and 0."""
    return os.environ.get(name, "") not in ("", "0")


PURE = flag("KNIGHTTOUR_PURE")
REQUIRE_CORE = flag("KNIGHTTOUR_REQUIRE_CORE")
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
LIMITED_API = flag("KNIGHTTOUR_LIMITED_API") and not FREE_THREADED
COVERAGE = flag("KNIGHTTOUR_COVERAGE")
SANITIZE = flag("KNIGHTTOUR_SANITIZE")

if PURE and REQUIRE_CORE:
    raise SystemExit("KNIGHTTOUR_PURE=1 and KNIGHTTOUR_REQUIRE_CORE=1 exclude each other")

MODULES = ["_core", "_construction", "_program", "_shapes", "_analysis", "_counting", "_frontier"]


class BuildCore(build_ext):
    """Build the core, or say in large letters that it was not built."""

    def run(self):
        try:
            super().run()
        except Exception as error:  # no compiler at all ends up here
            self.give_up(error)

    def build_extension(self, extension):
        try:
            super().build_extension(extension)
        except Exception as error:
            self.give_up(error)

    def give_up(self, error):
        if REQUIRE_CORE:
            raise error
        bar = "*" * 78
        print(
            f"\n{bar}\n"
            f"* knighttour: THE COMPILED CORE WAS NOT BUILT ({type(error).__name__}: {error})\n"
            "* The package works all the same, on its pure Python engine, about 60 times slower.\n"
            "* Remedy: install a C compiler and the Python headers, then reinstall with\n"
            "*     KNIGHTTOUR_REQUIRE_CORE=1 pip install --no-binary knighttour knighttour\n"
            f"{bar}\n",
            file=sys.stderr,
            flush=True,
        )
        # All compiled or all pure: a half-built core must not be shipped.
        self.extensions = []


def extensions():
    if PURE:
        return []
    macros = [("Py_LIMITED_API", "0x030B0000")] if LIMITED_API else []
    flags = ["/O2"] if sys.platform == "win32" else ["-O3"]
    link: list[str] = []
    if COVERAGE:
        link = ["--coverage"]
        flags = ["-O1", "-fprofile-update=atomic", *link]
    elif SANITIZE:
        # Python is built with -fwrapv, which makes an overflow legal and silent: it is taken back.
        link = ["-fsanitize=address,undefined"]
        flags = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
        flags += ["-fno-wrapv", *link]
    return [
        Extension(
            f"knighttour.{module}",
            [f"src/knighttour/{module}.pyx"],
            define_macros=macros,
            extra_compile_args=flags,
            extra_link_args=link,
            py_limited_api=LIMITED_API,
        )
        for module in MODULES
    ]


setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildCore},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED_API and not PURE else {},
)
