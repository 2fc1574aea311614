"""Burn and cut cards over the life of a table: whether each cut card came where it lay.

Where a cut card comes out is not a matter of chance: it lies behind a number of cards, and shows in the round
in which they are out. What chance has a say in, the burn card and the winners after the cut card, is asked
with the other questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.audit.watching.seen import SeenShoe


@dataclass(frozen=True, slots=True)
class CutSummary:
    """What became of the cut cards, and of the shoes around them."""

    shoes: int
    """Shoes that had one."""
    came: int
    """Shoes in which it was called out."""
    left_early: tuple[int, ...]
    """Shoes that were taken away before their cut card was due; the last shoe is not one of them."""
    wrong: tuple[int, ...]
    """Shoes in which it was called out early, late or not at all."""
    rounds: tuple[int, float, int] | None
    """Rounds called up to the one in which it came out: least, mean and most."""


def cut_summary(shoes: Sequence[SeenShoe]) -> CutSummary:
    """What became of the cut cards of these shoes, in their order."""
    with_cut = [shoe for shoe in shoes if shoe.cut is not None and not shoe.is_continuous]
    called = [shoe.cut.called_in for shoe in with_cut if shoe.cut and shoe.cut.called_in is not None]
    early = [
        shoe.number for shoe in with_cut if shoe.cut and shoe.cut.due_in is None and shoe is not shoes[-1]
    ]
    wrong = [shoe.number for shoe in with_cut if shoe.cut and shoe.cut.is_wrong(shoe.called)]
    return CutSummary(
        shoes=len(with_cut),
        came=len(called),
        left_early=tuple(early),
        wrong=tuple(wrong),
        rounds=(min(called), sum(called) / len(called), max(called)) if called else None,
    )
