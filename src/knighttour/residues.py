"""Numbers from their residues: primes, and the Chinese remainder theorem.

What it does.  A count that does not fit into a machine word is made modulo several primes and put
together here, one prime more than needed having to agree.

Method.  Garner's mixed radix: value = d1 + d2 p1 + d3 p1 p2 + ...; a digit 0 says that the number
was known before.

Cost.  Nothing next to a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .errors import KnightTourError

__all__ = ["PRIMES_BELOW", "chinese_remainder", "primes_below"]

#: Primes below these bounds leave room to add two residues, by the bytes of a value.
PRIMES_BELOW = {2: 2**16, 4: 2**31, 8: 2**63}


def primes_below(bound: int) -> Iterator[int]:
    """Yield the primes below a bound of at most 2^63, the largest first.

    >>> from itertools import islice
    >>> list(islice(primes_below(2**16), 5))
    [65521, 65519, 65497, 65479, 65449]
    """
    for number in range(bound - 1, 1, -1):
        if _is_prime(number):
            yield number


def _is_prime(number: int) -> bool:
    """Decide by Miller and Rabin; these twelve bases decide every number below 3.1e23."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number in bases:
        return True
    if number < 2 or any(number % base == 0 for base in bases):
        return False
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd //= 2
        twos += 1
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def chinese_remainder(
    residues: Callable[[list[int]], list[int]], moduli: Iterator[int], batch: int = 1
) -> int:
    """Return the number that has the given residues, asking for one modulus more than needed.

    Args:
        residues: returns the residues modulo the given primes.
        moduli: distinct primes.
        batch: how many residues to ask for at a time.

    Raises:
        KnightTourError: the primes ran out.

    Garner's form: value = d1 + d2 p1 + d3 p1 p2 + ...; a digit 0 says that the number was known
    before, and confirms it with a probability of error of one in the prime.

    >>> chinese_remainder(lambda primes: [123456 % p for p in primes], primes_below(2**16))
    123456
    """
    value, product = 0, 1
    while True:
        primes = [prime for prime, _ in zip(moduli, range(batch), strict=False)]
        if not primes:
            raise KnightTourError("internal error: not enough primes")
        for prime, remainder in zip(primes, residues(primes), strict=True):
            digit = (remainder - value) * pow(product, -1, prime) % prime
            if digit == 0 and product > 1:
                return value
            value += digit * product
            product *= prime
