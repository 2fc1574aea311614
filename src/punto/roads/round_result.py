"""What the roads need to know of a round: who won, and which hand held a pair.

In text a result is one letter for the winner, `B`, `P` or `T`, followed by `b` for a Banker pair and `p`
for a Player pair. Results stand one behind the other, `BbPTp`, so that a whole shoe can be pasted into a
command or a test. The notation is strict: a slip of the pen in a shoe of eighty rounds would otherwise
turn into a different road.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import msgspec


class RoundWinner(Enum):
    """Which hand won, if one did."""

    BANKER = "banker"
    PLAYER = "player"
    TIE = "tie"


class RoundResult(msgspec.Struct, frozen=True, gc=False):
    """A round as the roads see it."""

    winner: RoundWinner
    banker_pair: bool = False
    player_pair: bool = False

    def __str__(self) -> str:
        return _LETTERS[self.winner] + "b" * self.banker_pair + "p" * self.player_pair


class ResultsError(ValueError):
    """A text that is not a row of results; the sentence names the place."""


_LETTERS = {RoundWinner.BANKER: "B", RoundWinner.PLAYER: "P", RoundWinner.TIE: "T"}

# There are only twelve results. Each is made once, so reading a shoe makes no new ones.
_RESULTS = {
    letter + pairs: RoundResult(winner, "b" in pairs, "p" in pairs)
    for winner, letter in _LETTERS.items()
    for pairs in ("", "b", "p", "bp", "pb")
}


def parse_results(text: str) -> tuple[RoundResult, ...]:
    """Read results such as `BbPTp`; both pairs may stand in either order."""
    results: list[RoundResult] = []
    written = ""
    for index, character in enumerate(text):
        longer = written + character
        if longer in _RESULTS:
            written = longer
        elif character in _RESULTS:
            results.append(_RESULTS[written])
            written = character
        else:
            raise ResultsError(_sentence(index, character, written))
    if written:
        results.append(_RESULTS[written])
    return tuple(results)


def format_results(results: Iterable[RoundResult]) -> str:
    """Write results so that `parse_results` reads them back."""
    return "".join(map(str, results))


def _sentence(index: int, character: str, written: str) -> str:
    """What is wrong at this place, with what could stand there instead."""
    place = f"character {index + 1} of the results, {character!r},"
    if character not in "bp":
        return f"{place} is not one of B, P and T for the winner or b and p for a pair"
    if not written:
        return f"{place} marks a pair before any winner: a result starts with B, P or T"
    return f"{place} marks the same pair twice in one result"
