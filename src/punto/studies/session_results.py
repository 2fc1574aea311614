"""What the sessions of a strategy came to, beside exact values: records for programs, tables for people."""

from __future__ import annotations

from dataclasses import dataclass

from punto.documents.number import expectation, percent
from punto.documents.page import Grid, figures
from punto.money import MINOR, format_money
from punto.odds.ante import ante_odds
from punto.odds.insurance import insurance_odds
from punto.odds.odds import odds_of
from punto.odds.undealt import Undealt
from punto.rules.book import Book
from punto.simulation.strategy import SessionTally, StakeResult
from punto.simulation.strategy.session_tally import ENDS
from punto.studies.simulated import normal_reach

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


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
        exact = self.exact.get(bet.bet)
        z = (bet.mean - exact) / bet.error if exact is not None and bet.error else None
        reach = normal_reach(bet.error)
        return {
            "bet": bet.bet,
            "mean": bet.mean,
            "se": bet.error,
            "exact": exact,
            "z": z,
            "interval": [bet.mean - reach, bet.mean + reach],
            "made": bet.made,
            "staked": bet.staked / MINOR,
            "net": bet.net / MINOR,
        }

    def record(self) -> dict[str, object]:
        """The answer for programs; docs/reference/simulation.md describes it."""
        deals, terms = self.tally.sessions.deals, self.tally.sessions.deals.terms
        rounds, rounds_error = self.tally.rounds_per_shoe
        return {
            "book": self.book.name,
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

    def _sessions(self) -> dict[str, object]:
        tally = self.tally
        mean, error = tally.net
        reach = normal_reach(error)
        ruin, ruin_error = tally.ruin
        drawdown, worst = tally.drawdown
        return {
            "number": tally.number,
            "mean": mean / MINOR,
            "se": error / MINOR,
            "interval": [(mean - reach) / MINOR, (mean + reach) / MINOR],
            "quantiles": {str(share): tally.quantile(share) / MINOR for share in QUANTILES},
            "quantile_width": tally.width / MINOR,
            "drawdown": {"mean": drawdown / MINOR, "greatest": worst / MINOR},
            "ruin": {"share": ruin, "se": ruin_error},
            "ends": {name: int(number) for name, number in zip(ENDS, tally.ends, strict=True)},
        }

    def rows(self) -> list[dict[str, object]]:
        """A row for each kind of stake, each with the run it comes from."""
        run = {
            "book": self.book.name,
            "rounds": self.tally.rounds,
            "seed": str(self.tally.sessions.deals.seed),
            "strategy": self.name,
        }
        rows = []
        for bet in self.tally.bets():
            record = self.bet_record(bet)
            interval = record.pop("interval")
            assert isinstance(interval, list)
            rows.append({**run, **record, "low": interval[0], "high": interval[1]})
        return rows

    def table(self) -> Grid:
        """The stakes as rows for people."""
        heads = ("Bet", "Times", "House edge", "Mean per unit", "Error", "Exact", "z")
        rows = []
        for bet in self.tally.bets():
            exact = self.exact.get(bet.bet)
            z = f"{(bet.mean - exact) / bet.error:+.2f}" if exact is not None and bet.error else ""
            shown = "" if exact is None else expectation(exact)
            edge, mean = percent(-bet.mean), expectation(bet.mean)
            rows.append((bet.bet, f"{bet.made:,}", edge, mean, f"{bet.error:.6f}", shown, z))
        title = f"{self.book.title}: {self.name}, {self.tally.rounds:,} rounds"
        return figures(f"{title}, seed {self.tally.sessions.deals.seed}", heads, tuple(rows))

    def remarks(self) -> list[str]:
        """What became of the sessions."""
        tally = self.tally
        mean, error = tally.net
        ruin, ruin_error = tally.ruin
        drawdown, worst = tally.drawdown
        spread = ", ".join(
            f"{share:.0%} {format_money(tally.quantile(share), is_signed=True)}" for share in QUANTILES
        )
        ends = ", ".join(
            f"{number:,} {name}" for name, number in zip(ENDS, tally.ends, strict=True) if number
        )
        return [
            f"{tally.number:,} sessions: {format_money(mean, is_signed=True)} ± {format_money(error)} each; "
            f"{ends}.",
            f"Ends of sessions: {spread}.",
            f"Drawdown {format_money(drawdown)} on average, {format_money(worst)} at worst; "
            f"chance of ruin {ruin:.4%} ± {ruin_error:.4%}.",
            f"{self.rounds_per_second / 1e6:,.1f} million rounds a second.",
        ]


def exact_values(book: Book, tally: SessionTally, insure: str, ante: str) -> dict[str, float]:
    """Expectation of one unit of each stake in a fresh shoe; a count bets on other shoes, so it has none."""
    sessions = tally.sessions
    if sessions.strategy.count is not None:
        return {}
    undealt = Undealt.of_decks(sessions.deals.terms.decks)
    exact = {bet.area: float(bet.ev) for bet in odds_of(book, undealt).bets}
    if book.insurance is not None and insure == "best":
        for insured in insurance_odds(book, undealt).bets:
            exact[f"{insured.bet.area}-insured"] = float(insured.ev)
    if book.ante is not None and ante == "best":
        for side in ante_odds(book, undealt).sides:
            exact[side.pair.ante] = float(side.ev)
    return exact
