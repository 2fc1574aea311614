"""What becomes of a bet: it wins at some odds, comes back, or is lost.

Odds are exact fractions, "eight to one" being 8 units won for each unit staked. The stake itself always
comes back with a win, so it is not part of the odds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

_ODDS = re.compile(r"(\d+(?:\.\d+)?)(:| to | for )(\d+(?:\.\d+)?)", re.ASCII)
_FOR = " for "
"""Odds of this kind count the stake that comes back: 25 for 1 is 24 to 1."""
LONGEST_ODDS = 40
"""Characters of odds as they are written."""
MOST_ODDS = 1_000_000
"""The greatest number in odds in lowest terms, on either side."""


class Result(Enum):
    """The three things that can happen to a bet."""

    WIN = "win"
    PUSH = "push"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, the odds it is paid at if it is a win, and the clause it rests on."""

    result: Result
    odds: Fraction | None
    clause: str
    net_numerator: int = field(init=False)
    net_denominator: int = field(init=False)
    """The net of one unit staked, taken apart once so that settling needs only whole numbers."""

    def __post_init__(self) -> None:
        assert (self.odds is not None) == (self.result is Result.WIN), "a win has odds, and only a win"
        net = self.net
        object.__setattr__(self, "net_numerator", net.numerator)
        object.__setattr__(self, "net_denominator", net.denominator)

    @property
    def net(self) -> Fraction:
        """What one unit staked gains, exactly; a loss is -1."""
        if self.odds is not None:
            return self.odds
        return Fraction(0 if self.result is Result.PUSH else -1)


def parse_odds(text: str) -> Fraction:
    """Read odds such as `8:1`, `1:2`, `0.95:1`, `8 to 1`, or `9 for 1` with the stake in it.

    In lowest terms they have up to a million on each side.
    """
    if len(text) > LONGEST_ODDS:
        raise ValueError(f"odds are written with at most {LONGEST_ODDS} characters, and not with {len(text)}")
    match = _ODDS.fullmatch(text)
    gain, stake = (Fraction(match[1]), Fraction(match[3])) if match else (Fraction(0), Fraction(0))
    if match and match[2] == _FOR and stake:
        if gain <= stake:
            raise ValueError(f'{text!r} wins nothing beside the stake; write result = "push" or "lose"')
        gain -= stake
    if not gain or not stake:
        raise ValueError(
            f"{text!r} is not valid odds; write what is won, a colon and the stake, such as 8:1 or 1.5:1"
        )
    odds = gain / stake
    if max(odds.numerator, odds.denominator) > MOST_ODDS:
        raise ValueError(f"{text} is beyond {MOST_ODDS:,} on one side of the colon, in lowest terms")
    return odds


def format_odds(odds: Fraction) -> str:
    """Odds as whole numbers in lowest terms: `8:1`, `19:20`, `3:2`."""
    return f"{odds.numerator}:{odds.denominator}"
