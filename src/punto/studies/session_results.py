"""What the sessions of a strategy came to, beside exact values: records for programs, tables for people.

What is not known is not shown: no quantiles without sessions, no error from one, no ruin without a bankroll,
and an upper bound where no session was ruined.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from punto.documents.number import expectation, percent
from punto.documents.page import Grid, figures
from punto.money import MINOR, format_money
from punto.rules.book import Book
from punto.rules.digest import digest_of
from punto.simulation.strategy import SessionTally, StakeResult
from punto.simulation.strategy.session_tally import ENDS
from punto.studies.proportion import Proportion
from punto.studies.simulated import normal_reach

QUANTILES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")


@dataclass(frozen=True, slots=True)
class SessionResults:
    """A strategy's result."""

    book: Book
    name: str
    tally: SessionTally
    exact: dict[str, float]
    """Expectation of one unit staked, where it is known."""
    rounds_per_second: float

    def bet_record(self, bet: StakeResult) -> dict[str, object]:
        """One kind of stake for programs."""
        return {
            "bet": bet.bet,
            "mean": bet.mean,
            "se": bet.error,
            "exact": self.exact.get(bet.bet),
            "z": self._z(bet),
            "interval": _interval(bet.mean, bet.error),
            "made": bet.made,
            "staked": bet.staked / MINOR,
            "net": bet.net / MINOR,
        }

    def _z(self, bet: StakeResult) -> float | None:
        exact = self.exact.get(bet.bet)
        return (bet.mean - exact) / bet.error if exact is not None and bet.error is not None else None

    def record(self) -> dict[str, object]:
        """The answer for programs; docs/reference/simulation.md describes it."""
        deals, terms = self.tally.sessions.deals, self.tally.sessions.deals.terms
        rounds, rounds_error = self.tally.rounds_per_shoe
        return {
            "book": self.book.name,
            "digest": digest_of(self.book),
            "rounds": self.tally.rounds,
            "seed": deals.seed,
            "decks": terms.decks,
            "cut": None if terms.rounds_per_shoe else terms.behind_cut,
            "burn": str(terms.burn),
            "rounds_per_shoe": {"mean": rounds, "se": rounds_error},
            "strategy": self.name,
            "bets": [self.bet_record(bet) for bet in self.tally.bets()],
            "sessions": self._sessions(),
            "rounds_per_second": self.rounds_per_second,
        }

    @property
    def ruin(self) -> Proportion | None:
        """Sessions that were ruined, out of all; none without a bankroll, and none without sessions."""
        ruined = self.tally.ruined
        return Proportion(ruined, self.tally.number) if ruined is not None and self.tally.number else None

    def _sessions(self) -> dict[str, object]:
        tally, ruin = self.tally, self.ruin
        mean, error = tally.net
        found = {share: tally.quantile(Fraction(share)) for share in QUANTILES}
        widths = [quantile.width for quantile in found.values() if quantile is not None]
        drawdown = tally.drawdown
        return {
            "number": tally.number,
            "mean": None if mean is None else mean / MINOR,
            "se": None if error is None else error / MINOR,
            "interval": _interval(mean, error, MINOR),
            "quantiles": {share: q and q.middle / MINOR for share, q in found.items()},
            "quantile_width": max(widths) / MINOR if widths else None,
            "drawdown": drawdown and {"mean": drawdown[0] / MINOR, "greatest": drawdown[1] / MINOR},
            "ruin": ruin and ruin.record(),
            "ends": {name: int(number) for name, number in zip(ENDS, tally.ends, strict=True)},
        }

    def rows(self) -> list[dict[str, object]]:
        """A row for each kind of stake, each with the run it comes from."""
        run = {
            "book": self.book.name,
            "digest": digest_of(self.book),
            "rounds": self.tally.rounds,
            "seed": str(self.tally.sessions.deals.seed),
            "strategy": self.name,
        }
        rows = []
        for bet in self.tally.bets():
            record = self.bet_record(bet)
            interval = record.pop("interval")
            low, high = interval if isinstance(interval, list) else (None, None)
            rows.append({**run, **record, "low": low, "high": high})
        return rows

    def table(self) -> Grid:
        """The stakes as rows for people."""
        heads = ("Bet", "Times", "House edge", "Mean per unit", "Error", "Exact", "z")
        rows = []
        for bet in self.tally.bets():
            exact, z = self.exact.get(bet.bet), self._z(bet)
            rows.append(
                (
                    bet.bet,
                    f"{bet.made:,}",
                    percent(-bet.mean),
                    expectation(bet.mean),
                    "" if bet.error is None else f"{bet.error:.6f}",
                    "" if exact is None else expectation(exact),
                    "" if z is None else f"{z:+.2f}",
                )
            )
        title = f"{self.book.title}: {self.name}, {self.tally.rounds:,} rounds"
        return figures(f"{title}, seed {self.tally.sessions.deals.seed}", heads, tuple(rows))

    def remarks(self) -> list[str]:
        """What became of the sessions."""
        speed = f"{self.rounds_per_second / 1e6:,.1f} million rounds a second."
        drawdown, (mean, error) = self.tally.drawdown, self.tally.net
        if drawdown is None or mean is None:
            return ["No session came to its end: give more rounds, or fewer shoes per session.", speed]
        ends = ", ".join(f"{n:,} {name}" for name, n in zip(ENDS, self.tally.ends, strict=True) if n)
        each = format_money(mean, is_signed=True)
        spread = "" if error is None else f" ± {format_money(error)}"
        fallen = f"Drawdown {format_money(drawdown[0])} on average, {format_money(drawdown[1])} at worst"
        lines = [
            f"{self.tally.number:,} sessions: {each}{spread} each; {ends}.",
            f"Ends of sessions: {self._quantiles()}.",
            f"{fallen}.",
        ]
        if self.ruin is not None:
            lines.append(ruin_sentence(self.ruin))
        return [*lines, speed]

    def _quantiles(self) -> str:
        """Exact ones as they are, others with how far off they may be."""
        words = []
        for share in QUANTILES:
            quantile = self.tally.quantile(Fraction(share))
            assert quantile is not None, "there are sessions"
            reach = f" ± {format_money(quantile.width / 2)}" if quantile.width else ""
            words.append(f"{Fraction(share) * 100} % {format_money(quantile.middle, is_signed=True)}{reach}")
        return ", ".join(words)


def ruin_sentence(ruin: Proportion) -> str:
    """The chance of ruin with its interval, in words."""
    low, high = ruin.interval
    if ruin.hits == 0:
        return f"No session was ruined: the chance of ruin is below {percent(high)} (95 % confidence)."
    if ruin.hits == ruin.trials:
        return f"Every session was ruined: the chance of ruin is above {percent(low)} (95 % confidence)."
    return f"Chance of ruin {percent(ruin.share)}, from {percent(low)} to {percent(high)} (95 % confidence)."


def _interval(mean: float | None, error: float | None, units: int = 1) -> list[float] | None:
    if mean is None or error is None:
        return None
    reach = normal_reach(error)
    return [(mean - reach) / units, (mean + reach) / units]
