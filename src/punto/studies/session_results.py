"""What the sessions of a strategy came to, beside exact values: the value of its stakes in a fresh shoe as
they are paid, records and tables of the sessions, and ruin against bankroll. What is not known is not
shown.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec

from punto.documents.page import Grid, expectation, figures, percent
from punto.money import MINOR, format_money
from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.bet_odds import odds_of
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.ordered_draws import Way, all_ways, ways
from punto.rules.book import Book, digest_of
from punto.rules.holdings import promised_by
from punto.rules.outcome import Hand, insurance_area
from punto.rules.table_of_play import STOOD
from punto.simulation.own_strategy import OwnSessions
from punto.simulation.session_kernel import WINDOWS, rounded_net
from punto.simulation.sessions import ENDS, Sessions, SessionTally, StakeResult
from punto.simulation.strategy import Insuring, Progression, Strategy
from punto.studies.significance import Proportion
from punto.studies.simulation_results import normal_reach


def exact_values(sessions: Sessions) -> dict[str, float]:
    """Expectation of one unit of each stake that has one, by the names of `SessionTally.bets`."""
    book, strategy = sessions.book, sessions.strategy
    if isinstance(sessions, OwnSessions) or strategy.count is not None:
        return {}
    undealt = Undealt.of_decks(sessions.deals.terms.decks)
    values = _outright(book, strategy, undealt)
    values |= _antes(book, strategy, undealt)
    is_flat = strategy.progression is Progression.FLAT
    if book.insurance is not None and strategy.insuring and is_flat and strategy.bankroll is None:
        for hand in Hand:
            area = book.main_area(hand)
            if area in values and area is not None:
                values |= _insurance(book, strategy, undealt, hand, values[area])
    return {area: float(value) for area, value in values.items()}


def _outright(book: Book, strategy: Strategy, undealt: Undealt) -> dict[str, Fraction]:
    values = {}
    for bet in odds_of(book, undealt).bets:
        stake = strategy.stakes.get(bet.area)
        if stake is None:
            continue
        if strategy.progression is Progression.FLAT:
            paid = sum(rounded_net(stake, outcome.net) * ways for outcome, ways in bet.ways)
            values[bet.area] = Fraction(paid, stake * bet.total)
        elif _is_never_rounded(book, strategy, bet.area):
            values[bet.area] = bet.ev
    return values


def _antes(book: Book, strategy: Strategy, undealt: Undealt) -> dict[str, Fraction]:
    """Antes with their wagers, by the policy that is played."""
    values = {}
    for side in ante_odds(book, undealt).sides:
        areas = (side.pair.ante, side.pair.wager)
        if side.pair.ante in strategy.stakes and all(_is_never_rounded(book, strategy, area) for area in areas):
            given_up = strategy.giving_up.get(side.pair.ante, ())
            values[side.pair.ante] = sum(
                (
                    decision.chance * (GIVE_UP if _place(decision.shown) in given_up else decision.play)
                    for decision in side.decisions
                ),
                Fraction(0),
            )
    return values


def _place(shown: tuple[int, ...]) -> int:
    return sum(points * 10**i for i, points in enumerate(shown))


def _is_never_rounded(book: Book, strategy: Strategy, area: str) -> bool:
    """Whether every stake that a strategy may lay on an area is paid in whole minor units."""
    ante, multiple = book.ante_of(area), book.ante.multiple if book.ante else 1
    times = multiple if ante is not None else 1
    unit = strategy.stakes[ante if ante is not None else area]
    stakes = [unit] if strategy.maximum is None else [unit, strategy.maximum]
    if strategy.progression is Progression.FLAT:
        stakes = [unit]
    return all(stake * times % net.denominator == 0 for stake in stakes for net in set(book.pay_tables[area].nets))


def _insurance(book: Book, strategy: Strategy, undealt: Undealt, hand: Hand, main: Fraction) -> dict[str, Fraction]:
    """Insurance on a hand by the policy: a unit of it at each window, and the main bet with both."""
    area = book.main_area(hand)
    assert area is not None
    stake = strategy.stakes[area]
    choices = {
        (rule.cards, rule.player_points, rule.banker_points): rule.choice
        for rule in strategy.insuring
        if rule.hand is hand
    }
    staked: dict[int, int] = defaultdict(int)
    won: dict[int, int] = defaultdict(int)
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if not way.weight:
            continue
        promised = 0
        for cards, points in _moments(way):
            third = way.players_third if cards == WINDOWS[1] else None
            offer = next((o for o in book.open_offers(cards, points, way.banker, third) if o.hand is hand), None)
            if offer is None:
                continue
            choice = choices.get((cards, points, way.banker), Insuring.PASS)
            insured = int((stake - promised) / offer.odds) if choice is Insuring.INSURE else 1
            if choice is Insuring.PASS or insured <= 0:
                break
            promised += promised_by(offer.odds, insured)
            staked[cards] += insured * way.weight
            won[cards] += rounded_net(insured, offer.outcome(way.winner).net) * way.weight
    total = all_ways(undealt.points, RoundSoFar())
    values = {insurance_area(hand, cards): Fraction(won[cards], staked[cards]) for cards in WINDOWS if staked[cards]}
    return {**values, f"{area}-insured": main + Fraction(sum(won.values()), stake * total)}


def _moments(way: Way) -> list[tuple[int, int]]:
    """The windows that a round may come to: cards on the table, and Player's points then."""
    first = (WINDOWS[0], way.player)
    return [first] if way.players_third == STOOD else [first, (WINDOWS[1], way.player_points)]


# What the sessions of a strategy came to, beside exact values: records for programs, tables for people.
#
# What is not known is not shown: no quantiles without sessions, no error from one, no ruin without a
# bankroll, and an upper bound where no session was ruined.


QUANTILES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")


@dataclass(frozen=True, slots=True)
class SessionResults:
    """A strategy's result."""

    book: Book
    name: str
    tally: SessionTally
    exact: dict[str, float]  # Expectation of one unit staked, where it is known.
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


RUIN_UNITS = (5, 10, 20, 40, 80, 160, 320)  # Bankrolls, in units of the strategy.


@dataclass(frozen=True, slots=True)
class Ruin:
    """The share of sessions ruined with one bankroll."""

    bankroll: int  # In minor units.
    sessions: Proportion


def ruin_by_bankroll(sessions: Sessions, shoes: int, unit: int) -> tuple[Ruin, ...]:
    """Chance of ruin for bankrolls from a few units to many."""
    found = []
    for units in RUIN_UNITS:
        strategy = msgspec.structs.replace(sessions.strategy, bankroll=units * unit)
        poorer = replace(sessions, strategy=strategy)
        if poorer.problem() is None:
            tally = SessionTally.empty(poorer).plus(poorer.play(0, shoes))
            assert tally.ruined is not None, "there is a bankroll"
            found.append(Ruin(units * unit, Proportion(tally.ruined, tally.number)))
    return tuple(found)
