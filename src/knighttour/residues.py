"""Numbers from their residues: primes, and the Chinese remainder theorem.

What it does.  A count that does not fit into a machine word is made modulo several primes and put
together here, one prime more than needed having to agree.

Method.  Garner's mixed radix: value = d1 + d2 p1 + d3 p1 p2 + ...; a digit 0 says that the number
was known before.

Cost.  Nothing next to a count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from .errors import KnightTourError

__all__ = [
    "PRIMES_BELOW",
    "Reconstruction",
    "chinese_remainder",
    "decimal",
    "primes_below",
    "take",
]

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


class Reconstruction:
    """A number that becomes known residue by residue.

    Garner's form: value = d1 + d2 p1 + d3 p1 p2 + ...; a digit 0 says that the number was known
    before, and confirms it with a probability of error of one in the prime.

    >>> number = Reconstruction()
    >>> [number.add(prime, 123456 % prime) for prime in (65521, 65519, 65497)]
    [False, False, True]
    >>> number.value
    123456
    """

    def __init__(self) -> None:
        self.value = 0
        self.product = 1
        #: whether a prime more than needed has confirmed the value
        self.is_known = False

    def add(self, prime: int, remainder: int) -> bool:
        """Take one residue more, and return whether the number is known now."""
        if not self.is_known:
            digit = (remainder - self.value) * pow(self.product, -1, prime) % prime
            self.is_known = digit == 0 and self.product > 1
            if not self.is_known:
                self.value += digit * self.product
                self.product *= prime
        return self.is_known


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

    >>> chinese_remainder(lambda primes: [123456 % p for p in primes], primes_below(2**16))
    123456
    """
    number = Reconstruction()
    while True:
        primes = take(moduli, batch)
        for prime, remainder in zip(primes, residues(primes), strict=True):
            if number.add(prime, remainder):
                return number.value


def take(moduli: Iterator[int], batch: int) -> list[int]:
    """Return the next primes.

    Raises:
        KnightTourError: the primes ran out.
    """
    primes = list(islice(moduli, batch))
    if not primes:
        raise KnightTourError("internal error: not enough primes")
    return primes


def decimal(number: int) -> str:
    """Write a number of any size in decimal; Python's own `str` refuses above 4300 digits.

    >>> len(decimal(10**10_000)), decimal(-12)
    (10001, '-12')
    """
    if number < 0:
        return "-" + decimal(-number)
    if number < _PLAIN:
        return str(number)
    # Halve the number of digits again and again, by powers of ten that are squares of each other.
    powers = [_PLAIN]
    while powers[-1] ** 2 <= number:
        powers.append(powers[-1] ** 2)

    def write(part: int, level: int) -> str:
        if level < 0:
            return str(part).zfill(_PLAIN_DIGITS)
        high, low = divmod(part, powers[level])
        return write(high, level - 1) + write(low, level - 1)

    return write(number, len(powers) - 1).lstrip("0")


#: Below the least limit that can be set.
_PLAIN_DIGITS = 512
_PLAIN = 10**_PLAIN_DIGITS
