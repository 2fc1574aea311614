"""The results of a simulation beside the exact values, as records for programs and tables for people, and how
each bet's mean comes nearer to its exact value as rounds are added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import NormalDist

from punto.documents.page import Grid, expectation, figures, percent
from punto.odds.bet_odds import BetOdds, odds_of
from punto.odds.known_cards import Undealt
from punto.odds.ordered_draws import totals_weights
from punto.rules.book import Book, digest_of, label_of
from punto.rules.wording import counted
from punto.simulation.run import BetResult, Tally
from punto.studies.significance import LEAST_OF_EACH, is_seen

CONFIDENCE = 0.95
LEAST_EXPECTED = 5.0  # Rounds that a cell of a chi-square is to expect.


def normal_reach(error: float) -> float:
    """Half the width of a confidence interval."""
    return NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * error


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
        """By how many standard errors the two differ."""
        return (self.result.mean - self.exact) / self.error if self.error else None

    def differs(self, bets: int) -> bool:
        """Whether the mean differs from the exact value beyond chance, when this many bets are looked at."""
        rounds = self.result.rounds
        if rounds * min(self.win, 1 - self.win) < LEAST_OF_EACH:
            return False
        return is_seen(self.result.mean - self.exact, self.deviation / rounds**0.5, bets)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Confidence interval of the mean."""
        if self.error is None:
            return None
        reach = normal_reach(self.error)
        return self.result.mean - reach, self.result.mean + reach


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """How far the frequencies of all totals lie from those of a fresh shoe."""

    value: float
    degrees: int

    @property
    def probability(self) -> float:
        """Chance of so large a value or a larger one, by Wilson and Hilferty's approximation."""
        spread = 2 / (9 * self.degrees)
        cube = (self.value / self.degrees) ** (1 / 3)
        return 1 - NormalDist().cdf((cube - (1 - spread)) / spread**0.5)

    def record(self) -> dict[str, object]:
        """For programs."""
        return {"value": self.value, "degrees": self.degrees, "probability": self.probability}


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

    def record(self) -> dict[str, object]:
        """The answer for programs; docs/reference/simulation.md describes it."""
        deals, terms = self.tally.deals, self.tally.deals.terms
        mean, error = self.tally.rounds_per_shoe
        return {
            "book": self.book.name,
            "digest": digest_of(self.book),
            "rounds": self.tally.rounds,
            "seed": deals.seed,
            "decks": terms.decks,
            "cut": None if terms.rounds_per_shoe else terms.behind_cut,
            "burn": str(terms.burn),
            "shoes": self.tally.shoes,
            "rounds_per_shoe": {"mean": mean, "se": error},
            "bets": [bet_record(bet) for bet in self.bets],
            "differing": [bet.result.bet for bet in self.differing],
            "chi_square": self.chi_square and self.chi_square.record(),
            "rounds_per_second": self.rounds_per_second,
        }

    def rows(self) -> list[dict[str, object]]:
        """A row for each bet, each with the run it comes from."""
        run = {
            "book": self.book.name,
            "digest": digest_of(self.book),
            "rounds": self.tally.rounds,
            "seed": str(self.tally.deals.seed),
        }
        return [{**run, **_flat(bet_record(bet))} for bet in self.bets]

    def table(self) -> Grid:
        """The bets as rows for people."""
        heads = ("Bet", "House edge", "Mean", "Error", "Exact", "z")
        rows = tuple(
            (
                label_of(self.book, bet.result.bet),
                percent(-bet.result.mean),
                expectation(bet.result.mean),
                "" if bet.error is None else f"{bet.error:.6f}",
                expectation(bet.exact),
                "" if bet.z is None else f"{bet.z:+.2f}",
            )
            for bet in self.bets
        )
        title = f"{self.book.title}: {self.tally.rounds:,} rounds, seed {self.tally.deals.seed}"
        return figures(title, heads, rows)

    def remarks(self) -> list[str]:
        """What belongs beside the table."""
        lines = [f"{self._shoes_words()}; {self.rounds_per_second / 1e6:,.1f} million rounds a second."]
        if chi := self.chi_square:
            lines.append(
                f"Chi-square of the totals against a fresh shoe: {chi.value:.1f} on {chi.degrees} degrees of "
                f"freedom, probability {chi.probability:.3f}."
            )
        return [*lines, self.verdict]

    def _shoes_words(self) -> str:
        """How many whole shoes were played, and with how many rounds each."""
        terms, shoes = self.tally.deals.terms, self.tally.shoes
        mean, error = self.tally.rounds_per_shoe
        if mean is None:
            return "No shoe was played to its end"
        each = f"{mean:g}" if terms.rounds_per_shoe else f"{mean:.4f}"
        reach = "" if error is None else f" ± {error:.4f}"
        plural = "shoe" if shoes == 1 else "shoes"
        return f"{shoes:,} whole {plural} of {counted(terms.decks, 'deck')}, {each}{reach} rounds each"

    @property
    def differing(self) -> tuple[Beside, ...]:
        """Bets that differ from a fresh shoe beyond chance, all bets taken together."""
        return tuple(bet for bet in self.bets if bet.differs(len(self.bets)))

    @property
    def verdict(self) -> str:
        """Whether the bets agree with their exact values, and what it means where they do not."""
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


def bet_record(bet: Beside) -> dict[str, object]:
    """One bet for programs."""
    result = bet.result
    record: dict[str, object] = {"bet": result.bet, "mean": result.mean, "se": bet.error}
    return {**record, "exact": bet.exact, "z": bet.z, "interval": bet.interval and list(bet.interval)}


def _flat(record: dict[str, object]) -> dict[str, object]:
    interval = record.pop("interval")
    low, high = interval if isinstance(interval, list) else (None, None)
    return {**record, "low": low, "high": high}


def beside_exact(book: Book, tally: Tally, rounds_per_second: float) -> Simulated:
    """A tally with the exact odds of a fresh shoe beside it."""
    undealt = Undealt.of_decks(tally.deals.terms.decks)
    odds = odds_of(book, undealt)
    bets = tuple(_beside(result, odds.bet(result.bet)) for result in tally.bets(book))
    chi_square = _chi_square(tally, totals_weights(book.play, undealt.points))
    return Simulated(book, tally, bets, chi_square, rounds_per_second)


def _beside(result: BetResult, odds: BetOdds) -> Beside:
    return Beside(result, float(odds.ev), odds.sd, float(odds.win))


def _chi_square(tally: Tally, weights: list[int]) -> ChiSquare | None:
    """Cells that hardly ever come are taken together; nothing where too few rounds leave no two of them."""
    scale = tally.rounds / sum(weights)
    cells = [(int(came), weight * scale) for came, weight in zip(tally.totals(), weights, strict=True) if weight]
    often = [cell for cell in cells if cell[1] >= LEAST_EXPECTED]
    seldom = [cell for cell in cells if cell[1] < LEAST_EXPECTED]
    if seldom:
        often.append((sum(came for came, _ in seldom), sum(expected for _, expected in seldom)))
    if len(often) < 2:
        return None
    value = sum((came - expected) ** 2 / expected for came, expected in often)
    return ChiSquare(value, len(often) - 1)


CONVERGENCE_STEP = 1.3  # Rounds from one look to the next: points lie evenly on a scale of powers.


@dataclass(slots=True)
class Convergence:
    """Looks at a run while it is played."""

    book: Book
    points: list[tuple[BetResult, ...]] = field(default_factory=list)

    def look(self, tally: Tally) -> None:
        """Note where every bet stands, if enough rounds were added since the last look."""
        if not self.points or tally.rounds >= self.points[-1][0].rounds * CONVERGENCE_STEP:
            self.points.append(tally.bets(self.book))
