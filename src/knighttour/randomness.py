"""The random numbers of the pure engine and of everything that both engines share.

The generator splitmix64: one addition and three mixing steps a number, any 64-bit state. The
compiled kernels have the same lines in C, so that a seed means the same on both engines.
Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
"""

from __future__ import annotations

__all__ = ["splitmix64"]

_MASK = 2**64 - 1


def splitmix64(state: int) -> tuple[int, int]:
    """Return the next state and the next random 64-bit number.

    >>> splitmix64(0)[1] == 0xE220A8397B1DCDAF  # the first number of the published generator
    True
    """
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    value = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return state, value ^ (value >> 31)
