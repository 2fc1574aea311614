"""The cut-card effect: how far playing to the cut card moves every bet from its value in a fresh shoe.

A shoe whose cards make long rounds comes to its cut card after fewer of them, so it weighs less when every
round is counted alike. The shift is a few millionths of a unit, and shows only over very many rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.documents.page import Grid, figures
from punto.rules.labels import label_of
from punto.studies.simulated import Simulated, normal_reach


@dataclass(frozen=True, slots=True)
class Shift:
    """One bet: its mean to the cut card less its value in a fresh shoe, and the error of that."""

    bet: str
    shift: float
    error: float

    @property
    def is_seen(self) -> bool:
        """Whether everything is inside the confidence interval."""
        return abs(self.shift) > normal_reach(self.error)


def cut_card_effect(simulated: Simulated) -> tuple[Shift, ...]:
    """The shift of every bet; a run of a fixed number of rounds per shoe has none."""
    if simulated.tally.deals.terms.rounds_per_shoe is not None:
        return ()
    return tuple(Shift(b.result.bet, b.result.mean - b.exact, b.result.error) for b in simulated.bets)


def shift_table(simulated: Simulated) -> Grid:
    """The shifts as rows for people, in millionths of a unit."""
    rows = tuple(
        (
            label_of(simulated.book, shift.bet),
            f"{shift.shift * 1e6:+.2f}",
            f"{shift.error * 1e6:.2f}",
            "yes" if shift.is_seen else "no",
        )
        for shift in cut_card_effect(simulated)
    )
    return figures("Shift by the cut card, millionths of a unit", ("Bet", "Shift", "Error", "Seen"), rows)
