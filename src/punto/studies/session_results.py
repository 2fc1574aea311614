"""What the sessions of a strategy came to, beside exact values: the value of its stakes in a fresh shoe as they are
paid, records and tables of the sessions, and ruin against bankroll. What is not known is not shown.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction

import msgspec

from punto.documents.page import Grid, figures, percent
from punto.documents.typesetting import blocks_html
from punto.money import MINOR, format_money
from punto.odds.ante import GIVE_UP, ante_odds
from punto.odds.bet_odds import book_odds
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.ordered_draws import all_ways, ways
from punto.rules.book import Book
from punto.rules.holdings import promised_by
from punto.rules.outcome import Hand, insurance_area
from punto.rules.table_of_play import STOOD
from punto.simulation.own_kernel import OwnSessions
from punto.simulation.session_kernel import WINDOWS, rounded_net
from punto.simulation.sessions import ENDS, Sessions, SessionTally
from punto.simulation.strategy import Insuring, Progression, Strategy
from punto.studies.significance import EstimatedShare, Proportion
from punto.studies.simulation_results import (
    EstimatedMean,
    SimulatedBet,
    SimulatedRun,
    bet_beside,
    bet_cells,
    normal_interval,
    run_of,
)


def exact_values(sessions: Sessions) -> dict[str, float]:
    """Expectation of one unit of each stake that has one, by the names of `SessionTally.bets`."""
    book, strategy = sessions.book, sessions.strategy
    if isinstance(sessions, OwnSessions) or strategy.count is not None:
        return {}
    undealt = Undealt.of_decks(sessions.deals.terms.decks)
    values = _outright(book, strategy, undealt) | _antes(book, strategy, undealt)
    is_flat = strategy.progression is Progression.FLAT
    if book.insurance is not None and strategy.insuring and is_flat and strategy.bankroll is None:
        for hand in Hand:
            if (area := book.main_area(hand)) in values:
                values |= _insurance(book, strategy, undealt, hand, values[area])
    return {area: float(value) for area, value in values.items()}


def _outright(book: Book, strategy: Strategy, undealt: Undealt) -> dict[str, Fraction]:
    values = {}
    for bet in book_odds(book, undealt).bets:
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
        ante, wager = side.pair.ante, side.pair.wager
        if ante in strategy.stakes and all(_is_never_rounded(book, strategy, area) for area in (ante, wager)):
            given_up = strategy.giving_up.get(ante, ())
            nets = (d.chance * (GIVE_UP if _place(d.shown) in given_up else d.play) for d in side.decisions)
            values[ante] = sum(nets, Fraction(0))
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
    stake = strategy.stakes[area]
    rules = [rule for rule in strategy.insuring if rule.hand is hand]
    choices = {(rule.cards, rule.player_points, rule.banker_points): rule.choice for rule in rules}
    staked: dict[int, int] = defaultdict(int)
    won: dict[int, int] = defaultdict(int)
    for way in ways(book.play, undealt.points, RoundSoFar()):
        if not way.weight:
            continue
        promised = 0
        # The windows that a round may come to: cards on the table, Player's points and its third card then.
        second = () if way.players_third == STOOD else ((WINDOWS[1], way.player_points, way.players_third),)
        for cards, points, third in ((WINDOWS[0], way.player, None), *second):
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


QUANTILES = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")


class SessionBet(SimulatedBet, frozen=True, kw_only=True):
    """A bet of a strategy. Amounts of money are means and sums for statistics, in units and not in minor units."""

    made: int
    staked: float
    net: float


class Drawdown(msgspec.Struct, frozen=True):
    mean: float
    greatest: float


class SessionsSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How sessions ended, in units of money; None for what is not known."""

    number: int
    mean: float | None
    se: float | None
    interval: list[float] | None
    quantiles: dict[str, float | None]
    quantile_width: float | None  # By how much a quantile may be off, at most.
    drawdown: Drawdown | None
    ruin: EstimatedShare | None
    ends: dict[str, int]


class SessionsRecord(SimulatedRun, frozen=True, kw_only=True):
    """What a strategy came to, for programs."""

    rounds_per_shoe: EstimatedMean
    strategy: str
    bets: tuple[SessionBet, ...]
    sessions: SessionsSummary
    rounds_per_second: float


@dataclass(frozen=True, slots=True, repr=False)
class SessionResults:
    """What a strategy came to. What is not known is not shown: no quantiles without sessions, no error from one, no
    ruin without a bankroll, and an upper bound where no session was ruined."""

    book: Book
    name: str
    tally: SessionTally
    exact: dict[str, float]  # Expectation of one unit staked, where it is known.
    rounds_per_second: float

    def __repr__(self) -> str:
        return f"<SessionResults {self.book.name}: {self.name}, {self.tally.rounds:,} rounds>"

    def _repr_html_(self) -> str:
        return blocks_html(self.table(), *self.remarks())

    @property
    def rounds(self) -> int:
        return self.tally.rounds

    @property
    def run(self) -> SimulatedRun:
        return run_of(self.book, self.tally.rounds, self.tally.sessions.deals)

    def bet(self, area: str) -> SessionBet:
        """The figures of one bet that was made, as the record has them; KeyError where it was not."""
        bets = self.record().bets
        areas = [bet.bet for bet in bets]
        return bets[areas.index(self.book.one_of(areas, area))]

    def record(self) -> SessionsRecord:
        bets = []
        for bet in self.tally.bets():
            beside = bet_beside(bet.bet, bet.mean, bet.error, self.exact.get(bet.bet))
            staked, net = bet.staked / MINOR, bet.net / MINOR
            bets.append(SessionBet(**msgspec.structs.asdict(beside), made=bet.made, staked=staked, net=net))
        return SessionsRecord(
            **msgspec.structs.asdict(self.run),
            rounds_per_shoe=EstimatedMean(*self.tally.rounds_per_shoe),
            strategy=self.name,
            bets=tuple(bets),
            sessions=self._sessions(),
            rounds_per_second=self.rounds_per_second,
        )

    @property
    def ruin(self) -> Proportion | None:
        """Sessions that were ruined, out of all; none without a bankroll, and none without sessions."""
        ruined = self.tally.ruined
        return Proportion(ruined, self.tally.number) if ruined is not None and self.tally.number else None

    def _sessions(self) -> SessionsSummary:
        tally, ruin = self.tally, self.ruin
        mean, error = tally.net
        quantiles = {share: tally.quantile(Fraction(share)) for share in QUANTILES}
        widths = [quantile.width for quantile in quantiles.values() if quantile is not None]
        drawdown = tally.drawdown
        return SessionsSummary(
            number=tally.number,
            mean=None if mean is None else mean / MINOR,
            se=None if error is None else error / MINOR,
            interval=normal_interval(mean, error, MINOR),
            quantiles={share: None if q is None else q.middle / MINOR for share, q in quantiles.items()},
            quantile_width=max(widths) / MINOR if widths else None,
            drawdown=drawdown and Drawdown(drawdown[0] / MINOR, drawdown[1] / MINOR),
            ruin=None if ruin is None else ruin.record(),
            ends={name: int(number) for name, number in zip(ENDS, tally.ends, strict=True)},
        )

    def table(self) -> Grid:
        heads = ("Bet", "Times", "House edge", "Mean per unit", "Error", "Exact", "z")
        rows = [
            (bet.bet, f"{bet.made:,}", *bet_cells(bet.mean, bet.error, self.exact.get(bet.bet)))
            for bet in self.tally.bets()
        ]
        title = f"{self.book.title}: {self.name}, {self.tally.rounds:,} rounds"
        return figures(f"{title}, seed {self.tally.sessions.deals.seed}", heads, rows)

    def remarks(self) -> list[str]:
        speed = f"{self.rounds_per_second / 1e6:,.1f} million rounds a second."
        drawdown, (mean, error) = self.tally.drawdown, self.tally.net
        if drawdown is None or mean is None:
            return ["No session came to its end: give more rounds, or fewer shoes per session.", speed]
        ends = ", ".join(f"{n:,} {name}" for name, n in zip(ENDS, self.tally.ends, strict=True) if n)
        each = format_money(mean, is_signed=True)
        spread = "" if error is None else f" ± {format_money(error)}"
        return [
            f"{self.tally.number:,} sessions: {each}{spread} each; {ends}.",
            f"Ends of sessions: {self._quantiles()}.",
            f"Drawdown {format_money(drawdown[0])} on average, {format_money(drawdown[1])} at worst.",
            *([ruin_sentence(self.ruin)] if self.ruin is not None else []),
            speed,
        ]

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
    low, high = ruin.interval
    if ruin.hits == 0:
        return f"No session was ruined: the chance of ruin is below {percent(high)} (95 % confidence)."
    if ruin.hits == ruin.trials:
        return f"Every session was ruined: the chance of ruin is above {percent(low)} (95 % confidence)."
    return f"Chance of ruin {percent(ruin.share)}, from {percent(low)} to {percent(high)} (95 % confidence)."


RUIN_UNITS = (5, 10, 20, 40, 80, 160, 320)  # Bankrolls, in units of the strategy.


@dataclass(frozen=True, slots=True)
class Ruin:
    bankroll: int  # In minor units.
    sessions: Proportion


def ruin_by_bankroll(sessions: Sessions, shoes: int, unit: int) -> tuple[Ruin, ...]:
    """Chance of ruin for bankrolls from a few units to many."""
    ruins = []
    for units in RUIN_UNITS:
        strategy = msgspec.structs.replace(sessions.strategy, bankroll=units * unit)
        poorer = replace(sessions, strategy=strategy)
        if poorer.problem() is None:
            tally = SessionTally.empty(poorer).plus(poorer.play(0, shoes))
            assert tally.ruined is not None, "there is a bankroll"
            ruins.append(Ruin(units * unit, Proportion(tally.ruined, tally.number)))
    return tuple(ruins)
