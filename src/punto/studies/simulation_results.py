"""The results of a simulation beside the exact values, as records for programs and tables for people, and how
each bet's mean comes nearer to its exact value as rounds are added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import NormalDist

import msgspec

from punto.documents.page import Grid, expectation, figures, percent
from punto.documents.typesetting import blocks_html
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import Undealt
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book, digest_of, label_of
from punto.rules.wording import counted
from punto.simulation.deals import Deals
from punto.simulation.run import BetResult, Tally
from punto.studies.significance import LEAST_OF_EACH, is_seen

CONFIDENCE = 0.95
LEAST_EXPECTED = 5.0  # Rounds that a cell of a chi-square is to expect.


def normal_reach(error: float) -> float:
    """Half the width of a confidence interval."""
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error


def normal_interval(mean: float | None, error: float | None, units: int = 1) -> list[float] | None:
    """The confidence interval of a mean; none where mean or error are not known."""
    if mean is None or error is None:
        return None
    reach = normal_reach(error)
    return [(mean - reach) / units, (mean + reach) / units]


class SimulatedRun(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is known by, with which every record of it begins; docs/reference/simulation.md describes them."""

    book: str
    digest: str
    rounds: int
    seed: int
    decks: int
    cut: int | None  # Cards behind the cut card; None where the rounds of a shoe are counted instead.
    burn: str


def run_of(book: Book, rounds: int, deals: Deals) -> SimulatedRun:
    terms = deals.terms
    return SimulatedRun(
        book=book.name,
        digest=digest_of(book),
        rounds=rounds,
        seed=deals.seed,
        decks=terms.decks,
        cut=None if terms.rounds_per_shoe else terms.behind_cut,
        burn=str(terms.burn),
    )


class EstimatedMean(msgspec.Struct, frozen=True):
    mean: float | None
    se: float | None  # Standard error.


class SimulatedBet(msgspec.Struct, frozen=True):
    """What a unit of a bet gained on average, beside its exact value; None for what is not known."""

    bet: str
    mean: float
    se: float | None
    exact: float | None
    z: float | None
    interval: list[float] | None


def z_of(mean: float, error: float | None, exact: float | None) -> float | None:
    """By how many standard errors a mean differs from its exact value, where both are known."""
    return (mean - exact) / error if error and exact is not None else None


def bet_beside(bet: str, mean: float, error: float | None, exact: float | None) -> SimulatedBet:
    return SimulatedBet(bet, mean, error, exact, z_of(mean, error, exact), normal_interval(mean, error))


def bet_cells(mean: float, error: float | None, exact: float | None) -> tuple[str, ...]:
    """House edge, mean, error, exact value and z of a bet, for people."""
    z = z_of(mean, error, exact)
    return (
        percent(-mean),
        expectation(mean),
        "" if error is None else f"{error:.6f}",
        "" if exact is None else expectation(exact),
        "" if z is None else f"{z:+.2f}",
    )


@dataclass(frozen=True, slots=True)
class Beside:
    """A simulated bet with its exact expectation in a fresh shoe."""

    result: BetResult
    exact: float
    deviation: float  # Exact standard deviation of one round.
    win: float  # Exact chance to win.

    @property
    def error(self) -> float | None:
        """Standard error of the mean; none while no two rounds differed, for then it is not known."""
        return self.result.error or None

    @property
    def z(self) -> float | None:
        return z_of(self.result.mean, self.error, self.exact)

    def differs(self, bets: int) -> bool:
        """Whether the mean differs from the exact value beyond chance, when this many bets are looked at."""
        rounds = self.result.rounds
        if rounds * min(self.win, 1 - self.win) < LEAST_OF_EACH:
            return False
        return is_seen(self.result.mean - self.exact, self.deviation / rounds**0.5, bets)

    @property
    def interval(self) -> list[float] | None:
        return normal_interval(self.result.mean, self.error)


class ChiSquare(msgspec.Struct, frozen=True):
    """How far the frequencies of all totals lie from those of a fresh shoe."""

    value: float
    degrees: int
    probability: float  # Chance of so large a value or a larger one.

    @classmethod
    def of(cls, value: float, degrees: int) -> ChiSquare:
        """With its probability by Wilson and Hilferty's approximation."""
        spread = 2 / (9 * degrees)
        cube = (value / degrees) ** (1 / 3)
        return cls(value, degrees, 1 - NormalDist().cdf((cube - (1 - spread)) / spread**0.5))


class SimulationRecord(SimulatedRun, frozen=True, kw_only=True):
    """The bets of a simulation for programs."""

    shoes: int
    rounds_per_shoe: EstimatedMean
    bets: tuple[SimulatedBet, ...]
    differing: tuple[str, ...]  # Bets that differ from a fresh shoe beyond chance.
    chi_square: ChiSquare | None
    rounds_per_second: float


@dataclass(frozen=True, slots=True, repr=False)
class Simulated:
    """A whole result: the tally, the exact values, and how fast it went."""

    book: Book
    tally: Tally
    bets: tuple[Beside, ...]
    chi_square: ChiSquare | None  # None for a handful of rounds.
    rounds_per_second: float

    def __repr__(self) -> str:
        return f"<Simulated {self.book.name}: {self.tally.rounds:,} rounds, {len(self.bets)} bets>"

    def _repr_html_(self) -> str:
        return blocks_html(self.table(), *self.remarks())

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def run(self) -> SimulatedRun:
        return run_of(self.book, self.tally.rounds, self.tally.deals)

    def bet(self, area: str) -> SimulatedBet:
        """The figures of one bet, as the record has them; KeyError where the book has no such area."""
        bets = self.record().bets
        areas = [bet.bet for bet in bets]
        return bets[areas.index(self.book.one_of(areas, area))]

    def record(self) -> SimulationRecord:
        return SimulationRecord(
            **msgspec.structs.asdict(self.run),
            shoes=self.tally.shoes,
            rounds_per_shoe=EstimatedMean(*self.tally.rounds_per_shoe),
            bets=tuple(bet_beside(bet.result.bet, bet.result.mean, bet.error, bet.exact) for bet in self.bets),
            differing=tuple(bet.result.bet for bet in self.differing),
            chi_square=self.chi_square,
            rounds_per_second=self.rounds_per_second,
        )

    def table(self) -> Grid:
        heads = ("Bet", "House edge", "Mean", "Error", "Exact", "z")
        rows = [
            (label_of(self.book, bet.result.bet), *bet_cells(bet.result.mean, bet.error, bet.exact))
            for bet in self.bets
        ]
        title = f"{self.book.title}: {self.tally.rounds:,} rounds, seed {self.tally.deals.seed}"
        return figures(title, heads, rows)

    def remarks(self) -> list[str]:
        lines = [f"{self._shoes_words()}; {self.rounds_per_second / 1e6:,.1f} million rounds a second."]
        if chi := self.chi_square:
            lines.append(
                f"Chi-square of the totals against a fresh shoe: {chi.value:.1f} on {chi.degrees} degrees of "
                f"freedom, probability {chi.probability:.3f}."
            )
        return [*lines, self.verdict]

    def _shoes_words(self) -> str:
        terms, shoes = self.tally.deals.terms, self.tally.shoes
        mean, error = self.tally.rounds_per_shoe
        if mean is None:
            return "No shoe was played to its end"
        each = f"{mean:g}" if terms.rounds_per_shoe else f"{mean:.4f}"
        reach = "" if error is None else f" ± {error:.4f}"
        return f"{counted(shoes, 'whole shoe')} of {counted(terms.decks, 'deck')}, {each}{reach} rounds each"

    @property
    def differing(self) -> tuple[Beside, ...]:
        """Bets that differ from a fresh shoe beyond chance, all bets taken together."""
        return tuple(bet for bet in self.bets if bet.differs(len(self.bets)))

    @property
    def verdict(self) -> str:
        if not self.differing:
            return "No bet differs from its value in a fresh shoe beyond chance (5 % for all bets together)."
        names = ", ".join(label_of(self.book, bet.result.bet) for bet in self.differing)
        differ = f"Beyond chance (5 % for all bets together), these differ from a fresh shoe: {names}."
        if self.tally.deals.terms.rounds_per_shoe:
            return f"{differ} With a fixed number of rounds per shoe there is no such effect: it is an error."
        return (
            f"{differ} Shoes played to the cut card shift by some millionths, which is not an error; play "
            "the same with --rounds-per-shoe, where there is no such shift, to tell the two apart."
        )


def beside_exact(book: Book, tally: Tally, rounds_per_second: float) -> Simulated:
    """A tally with the exact odds of a fresh shoe beside it."""
    undealt = Undealt.of_decks(tally.deals.terms.decks)
    exact = {bet.area: (float(bet.ev), bet.sd, float(bet.win)) for bet in book_odds(book, undealt).bets}
    bets = tuple(Beside(result, *exact[result.bet]) for result in tally.bets(book))
    chi_square = _chi_square(tally, totals_weights(book.play, undealt.points))
    return Simulated(book, tally, bets, chi_square, rounds_per_second)


def _chi_square(tally: Tally, weights: list[int]) -> ChiSquare | None:
    """Cells that hardly ever come are taken together; nothing where too few rounds leave no two of them."""
    scale = tally.rounds / sum(weights)
    cells = [(int(came), weight * scale) for came, weight in zip(tally.totals(), weights, strict=True) if weight]
    often = [cell for cell in cells if cell[1] >= LEAST_EXPECTED]
    if seldom := [cell for cell in cells if cell[1] < LEAST_EXPECTED]:
        often.append((sum(came for came, _ in seldom), sum(expected for _, expected in seldom)))
    if len(often) < 2:
        return None
    value = sum((came - expected) ** 2 / expected for came, expected in often)
    return ChiSquare.of(value, len(often) - 1)


CONVERGENCE_STEP = 1.3  # Rounds from one look to the next: points lie evenly on a scale of powers.


@dataclass(slots=True)
class Convergence:
    book: Book
    points: list[tuple[BetResult, ...]] = field(default_factory=list)

    def look(self, tally: Tally) -> None:
        """Note where every bet stands, if enough rounds were added since the last look."""
        if not self.points or tally.rounds >= self.points[-1][0].rounds * CONVERGENCE_STEP:
            self.points.append(tally.bets(self.book))
