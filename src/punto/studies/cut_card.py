"""The cut-card effect: how far playing to the cut card moves every bet from its value in a fresh shoe.

A shoe whose rounds take few cards has more of them before the cut card. Late in such a shoe the cards that
make long rounds are left over, and the rounds that it has more of are played with those: long rounds are
over-represented, by some ten millionths. Over a fixed number of rounds per shoe there is no such effect.

To see so little, luck is taken out twice. A round counts with its exact expectation before the deal, not with
its result. And this expectation, less that of a fresh shoe, is a martingale: over a fixed number of rounds m
it sums to nothing on average. So only the rounds beyond m count; a shoe that ends sooner counts its last
expectation, negative, once for every round that it lacks. The mean is the same, and its error many times
smaller. The martingale may be stopped only by what is known before a round, so this holds where the
cut card is out before the last round begins; elsewhere m is 0, and every round counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from punto.documents.page import Grid, figures, percent
from punto.odds.bet_odds import book_odds
from punto.odds.histograms import Histograms
from punto.odds.known_cards import Undealt
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book, label_of
from punto.rules.outcome import ALL_TOTALS
from punto.rules.wording import counted
from punto.studies.expectations import Block, Expectations, Shoes, is_by_totals, totals_nets
from punto.studies.significance import POWER, is_seen, rounds_to_see

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHOES = 20_000  # Shoes to play where nothing else is asked for: some seconds.
PILOT, PILOT_SHOES = 2, 200  # The stream of random numbers, and the shoes, from which m is taken.
LEAST_BEHIND_CUT = 11  # Cards behind the cut card with which one more round can always be finished after it is out.
LENGTHS = (4, 5, 6)  # Cards that a round may take.


@dataclass(frozen=True, slots=True)
class Shift:
    """One bet, or rounds of some length: the mean to the cut card less the value in a fresh shoe."""

    bet: str  # A betting area, or `4 cards` and so on.
    fresh: float
    shift: float
    error: float
    deviation: float  # Standard deviation of one round.
    rows: int  # Rows of the table it stands in.

    @property
    def is_seen(self) -> bool:
        """Whether it is beyond chance, all rows of the table taken together."""
        return is_seen(self.shift, self.error, self.rows)

    @property
    def rounds_to_see(self) -> float:
        """Rounds of a plain simulation of all bets that would show an effect of this size."""
        return rounds_to_see(self.shift, self.deviation, self.rows)


@dataclass(frozen=True, slots=True)
class CutCardEffect:
    book: Book
    shoes: Shoes
    number: int
    seed: int
    rounds: float  # Rounds per shoe.
    bets: tuple[Shift, ...]
    lengths: tuple[Shift, ...]

    @property
    def table(self) -> Grid:
        """In millionths of a unit, a row for each bet and for each length of rounds."""
        heads = ("", "Effect", "± error", "Beyond chance", "Shows from, rounds")
        rows = tuple(
            (
                self.name(shift),
                f"{shift.shift * 1e6:+.2f}",
                f"{shift.error * 1e6:.2f}" if shift.error else "",
                "yes" if shift.is_seen else "no",
                f"{shift.rounds_to_see:.1e}" if shift.is_seen else "",
            )
            for shift in (*self.bets, *self.lengths)
        )
        return figures("Cut-card effect, millionths", heads, rows)

    def name(self, shift: Shift) -> str:
        return f"rounds of {shift.bet}" if shift in self.lengths else label_of(self.book, shift.bet)

    @property
    def remark(self) -> str:
        return (
            f"Measured over {self.number:,} shoes of {counted(self.shoes.decks, 'deck')} with "
            f"{self.shoes.behind_cut} cards behind the cut card (seed {self.seed}), each round by its "
            "exact expectation before the deal. Beyond chance: at 5 % for all rows together. Shows from: "
            "rounds of a plain simulation in "
            f"which an effect of this size would be seen with a chance of {percent(POWER, 0)}."
        )


def cut_card_effect(
    book: Book, shoes: Shoes, number: int, seed: int, tell: Callable[[int], None] = lambda _: None
) -> CutCardEffect:
    """Measure the effect over a number of shoes; `tell` is called with how many are done."""
    value = _values(book, shoes.decks)
    usual = _usual_rounds(shoes, seed)
    sums, rounds = np.zeros((number, len(value.fresh))), np.zeros(number)
    for block in shoes.sample(number, seed):
        played = np.bincount(block.shoe, minlength=block.shoes)
        rounds[block.first_shoe : block.first_shoe + block.shoes] = played
        rows, weights = _weighed(block, played, usual)
        part = Block(block.first_shoe, block.shoes, block.shoe[rows], block.ranks[rows])
        np.add.at(sums, block.first_shoe + part.shoe, (value(part) - value.fresh) * weights[:, None])
        tell(block.first_shoe + block.shoes)
    means = sums.sum(axis=0) / rounds.sum()
    residuals = sums - np.outer(rounds, means)
    errors = np.sqrt((residuals**2).sum(axis=0) * number / max(number - 1, 1)) / rounds.sum()
    columns = (value.names, value.fresh.tolist(), means.tolist(), errors.tolist(), value.deviations)
    shifts = tuple(Shift(*row, len(value.names)) for row in zip(*columns, strict=True))
    per_shoe, split = float(rounds.mean()), -len(LENGTHS)
    return CutCardEffect(book, shoes, number, seed, per_shoe, shifts[:split], shifts[split:])


class _Values:
    """Expectations of every bet by itself, and chances of rounds of each length, before many rounds."""

    def __init__(self, book: Book, decks: int) -> None:
        self._expect = Expectations(book, is_alone=True)
        self._histograms = Histograms(book.play)
        cards = [totals.player_cards + totals.banker_cards for totals in ALL_TOTALS]
        self._lengths = np.array([[float(n == length) for n in cards] for length in LENGTHS])
        self.names = (*self._expect.areas, *(f"{length} cards" for length in LENGTHS))
        ranks = np.full((1, 13), 4 * decks, np.int32)
        self.fresh = self(Block(0, 1, np.zeros(1, np.int64), ranks))[0]
        chances, deviations = self.fresh[-len(LENGTHS) :], bet_deviations(book, decks)
        lengths = np.sqrt(chances * (1 - chances)).tolist()
        self.deviations = [*(deviations[area] for area in self._expect.areas), *lengths]

    def __call__(self, block: Block) -> Floats:
        lengths = self._histograms.expectations(block.points, self._lengths)
        return np.concatenate([self._expect(block), lengths], axis=1)


@lru_cache(maxsize=8)
def _values(book: Book, decks: int) -> _Values:
    """What a full shoe says of a book: the same for every depth of the cut card."""
    return _Values(book, decks)


def bet_deviations(book: Book, decks: int) -> dict[str, float]:
    """Standard deviation of one round on every bet with a fresh shoe; of an ante that is always played."""
    undealt = Undealt.of_decks(decks)
    deviations = {bet.area: bet.sd for bet in book_odds(book, undealt).bets}
    weights = np.array(totals_weights(book.play, undealt.points), float)
    for area in book.opening_areas:
        if area not in deviations and is_by_totals(book, area):
            nets = totals_nets(book, area)
            mean = weights @ nets / weights.sum()
            deviations[area] = sqrt(weights @ (nets - mean) ** 2 / weights.sum())
    return deviations


def _usual_rounds(shoes: Shoes, seed: int) -> int:
    """The number m of the rounds that sum to nothing; 0 where the shoe may end by what a round brings."""
    if shoes.last_rounds != 1 or shoes.behind_cut < LEAST_BEHIND_CUT:
        return 0
    return round(sum(len(block.shoe) for block in shoes.sample(PILOT_SHOES, seed, stream=PILOT)) / PILOT_SHOES)


def _weighed(block: Block, played: NDArray[np.int64], usual: int) -> tuple[NDArray[np.int64], Floats]:
    """The rounds that count, and how often: those beyond the usual, and the last of shoes with fewer."""
    ends = np.cumsum(played)
    number = np.arange(len(block.shoe)) - np.repeat(ends - played, played) + 1
    beyond = np.flatnonzero(number > usual)
    short = np.flatnonzero(played < usual)
    rows = np.concatenate([beyond, ends[short] - 1])
    return rows, np.concatenate([np.ones(len(beyond)), (played[short] - usual).astype(float)])
