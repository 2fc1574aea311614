"""Numbers as conditions write them: one number, a range, odd or even, or a list of these."""

from __future__ import annotations

import re

Numbers = int | str | tuple[int | str, ...]
"""One number (6), a range ("4-9"), "odd" or "even", or a list of these: any of them."""

_RANGE = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)
_PARITIES = {"even": 0, "odd": 1}


def expand(numbers: Numbers, allowed: range) -> tuple[int, ...]:
    """The numbers that are meant, of those allowed; `ValueError` says in a sentence what is wrong."""
    found: list[int] = []
    for one in numbers if isinstance(numbers, tuple) else (numbers,):
        found += _meant(one, allowed)
    return tuple(dict.fromkeys(found))


def _meant(one: int | str, allowed: range) -> list[int]:
    if isinstance(one, int):
        return [_inside(one, allowed)]
    if one in _PARITIES:
        return [number for number in allowed if number % 2 == _PARITIES[one]]
    match = _RANGE.fullmatch(one)
    if match is None:
        raise ValueError(f'{one!r} is not a number; write 6, a range such as "4-9", "odd" or "even"')
    first, last = _inside(int(match[1]), allowed), _inside(int(match[2]), allowed)
    if first > last:
        raise ValueError(f"{one!r} runs backwards; write the smaller number first")
    return list(range(first, last + 1))


def _inside(number: int, allowed: range) -> int:
    if number not in allowed:
        raise ValueError(f"{number} is not between {allowed[0]} and {allowed[-1]}")
    return number
