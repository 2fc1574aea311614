"""Amounts as a player types them: `100`, `1,000`, `12.50`, `$50`, `2k`."""

from __future__ import annotations

from punto.money import format_money, parse_amount

THOUSAND = "k"
LONGEST_AMOUNT = 12
"""Characters of an amount: more than any table takes."""


def read_money(text: str) -> int:
    """An amount as people type it; `ValueError` says what is wrong.

    >>> read_money("1,250"), read_money("2k")
    (125000, 200000)
    """
    if len(text) > LONGEST_AMOUNT:
        raise ValueError(f"{text[:LONGEST_AMOUNT]}… is longer than any amount here")
    plain = text.lower().replace(",", "").removeprefix("$")
    if plain.endswith(THOUSAND):
        return parse_amount(plain.removesuffix(THOUSAND)) * 1000
    return parse_amount(plain)


def typed(units: int) -> str:
    """An amount that `read_money` reads back, without a comma."""
    return format_money(units).replace(",", "")
