"""One session of a user's own strategy in Python: asked with a view before every round, and settled.

The rules are those of the built-in strategies. Less than the table's minimum is not a bet, more than its
maximum is cut to it. Stakes that the money left does not cover ruin the session; so does having nothing left.
After the last round of a session the function is asked once more, to see whether it could have gone on.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from punto.cards.card import Rank
from punto.rules.facts import NO_PAIR, Facts, Hand, Totals, Winner
from punto.rules.holdings import promised_by, refuse_alone
from punto.rules.offers import InsuranceOffer
from punto.simulation.kernels.recording import Recorded
from punto.simulation.strategy.own_source import OwnAnte, OwnOffer, StrategyFault, View
from punto.simulation.strategy.settling import AT_GOAL, RUINED, STOPPED, SUMS, TO_THE_END
from punto.simulation.strategy.slip_tables import INSURED_AREAS, WINDOWS, rounded_net
from punto.simulation.strategy.strategy import MOST_STAKE, Insuring

if TYPE_CHECKING:
    from punto.simulation.strategy.own_function import OwnSessions

LETTERS = {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}


class OwnSession:
    """One session while it is played."""

    def __init__(self, sessions: OwnSessions, sums: list[int]) -> None:
        self._sessions, self._sums, self._book = sessions, sums, sessions.book
        self._strategy = sessions.strategy
        self._places = {area: i for i, area in enumerate(sessions.areas)}
        self._opening = frozenset(sessions.strategy.stakes)
        found = sessions.source.found
        self._self = found() if sessions.source.is_class else None
        self._bets = self._self.bets if self._self is not None else found
        self._memory: dict[Any, Any] = {}
        self.net = self._peak = self.drawdown = 0
        self.end = TO_THE_END
        self.path: list[int] = []

    def play(self, recorded: Recorded, shoes: range) -> None:
        for shoe in shoes:
            self._play_shoe(recorded, shoe)
            if self.end != TO_THE_END:
                return

    def _view(self, number: int, results: str, last: Facts | None, unseen: list[int]) -> View:
        bankroll = self._strategy.bankroll
        left = None if bankroll is None else bankroll + self.net
        return View(number + 1, self.net, left, results, last, tuple(unseen), self._memory)

    def _play_shoe(self, recorded: Recorded, shoe: int) -> None:
        unseen = [4 * self._sessions.deals.terms.decks] * len(Rank)
        shown = recorded.shown_rank(shoe)
        if shown is not None:
            unseen[shown - 1] -= 1
        results, last = "", None
        number = 0
        for number in range(int(recorded.lengths[shoe])):
            view = self._view(number, results, last, unseen)
            stakes = self._asked(view)
            if self._is_ruined(view, stakes):
                return
            last = facts_of(recorded, shoe, number)
            ranks = recorded.round_ranks(shoe, number)
            self._settle(view, stakes, last, ranks)
            results += LETTERS[Totals(*_spelled(last.totals)).winner]
            for rank in ranks:
                unseen[rank - 1] -= 1
            self._peak = max(self._peak, self.net)
            self.drawdown = max(self.drawdown, self._peak - self.net)
            self.path.append(self.net)
            if self._strategy.goal is not None and self.net >= self._strategy.goal:
                self.end = AT_GOAL
                return
            if self._strategy.stop_loss is not None and -self.net >= self._strategy.stop_loss:
                self.end = STOPPED
                break
        if self._strategy.bankroll is not None and self._is_over(shoe):
            view = self._view(number + 1, results, last, unseen)
            self._is_ruined(view, self._asked(view))

    def _is_over(self, shoe: int) -> bool:
        return self.end == STOPPED or (shoe + 1) % self._strategy.shoes == 0

    def _is_ruined(self, view: View, stakes: dict[str, int]) -> bool:
        if view.bankroll is None or 0 < view.bankroll >= self._at_risk(stakes):
            return False
        self.end = RUINED
        return True

    def _at_risk(self, stakes: dict[str, int]) -> int:
        ante = self._book.ante
        if ante is None:
            return sum(stakes.values())
        return sum(
            stake * (1 + (ante.multiple if self._book.wager_of(area) is not None else 0))
            for area, stake in stakes.items()
        )

    def _asked(self, view: View) -> dict[str, int]:
        stakes = dict(self._call(self._bets, view) or {})
        strategy = self._strategy
        for area, stake in stakes.items():
            if area not in self._opening:
                raise StrategyFault(f"the strategy bets on {area!r}, which is not a betting area it may use")
            if type(stake) is not int or not 0 <= stake <= MOST_STAKE:
                raise StrategyFault(
                    f"the strategy stakes {stake!r} on {area}; a stake is a whole number up to {MOST_STAKE}"
                )
            stakes[area] = 0 if stake < strategy.minimum else min(stake, self._sessions.maximum)
        laid = {area: stakes[area] for area in self._places if stakes.get(area)}
        for area in laid:
            if refusal := refuse_alone(self._book, area, laid):
                raise StrategyFault(f"the strategy may not do that: {refusal.sentence}")
        return laid

    def _call(self, function: Any, *arguments: object) -> Any:
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            raise StrategyFault(f"the strategy failed: {type(error).__name__}: {error}") from error

    def _settle(self, view: View, stakes: dict[str, int], facts: Facts, ranks: tuple[Rank, ...]) -> None:
        nets: dict[str, int] = {}
        left = None if view.bankroll is None else view.bankroll - self._at_risk(stakes)
        for area, stake in stakes.items():
            wager = self._book.wager_of(area)
            if wager is not None and not self._is_followed(view, area, stake, ranks):
                net = -stake
            else:
                net = rounded_net(stake, self._book.pay_tables[area].outcome(facts).net)
                if wager is not None:
                    assert self._book.ante is not None
                    follows = stake * self._book.ante.multiple
                    won = rounded_net(follows, self._book.pay_tables[wager].outcome(facts).net)
                    self._note(self._places[wager], follows, won)
                    net += won
            self._note(self._places[area], stake, net)
            nets[area] = net
            self.net += net
        if self._book.insurance is not None:
            self._insure(view, stakes, nets, facts, ranks, left)

    def _is_followed(self, view: View, area: str, stake: int, ranks: tuple[Rank, ...]) -> bool:
        ante = self._book.ante
        assert ante is not None
        shown = ranks[: ante.shown_cards]
        if self._sessions.source.decides("follow"):
            assert self._self is not None
            return bool(self._call(self._self.follow, view, OwnAnte(area, stake, shown)))
        place = sum(rank.points * 10**i for i, rank in enumerate(shown))
        return place not in self._strategy.giving_up.get(area, ())

    def _insure(
        self,
        view: View,
        stakes: dict[str, int],
        nets: dict[str, int],
        facts: Facts,
        ranks: tuple[Rank, ...],
        left: int | None,
    ) -> None:
        book, entry = self._book, len(self._places)
        mains = {hand: area for hand in Hand if (area := book.main_area(hand)) in stakes and area is not None}
        open_hands, promised, won = set(mains), dict.fromkeys(mains, 0), dict.fromkeys(mains, 0)
        points = [sum(rank.points for rank in ranks[i:4:2]) % 10 for i in (0, 1)]
        winner = Totals(*_spelled(facts.totals)).winner
        has_drawn = facts.totals // 2 % 2
        for cards in WINDOWS[: 1 + has_drawn]:
            third = ranks[4].points if cards == WINDOWS[1] else None
            player = (points[0] + (third or 0)) % 10
            offers = book.open_offers(cards, player, points[1], third)
            for offer in sorted(offers, key=lambda made: list(Hand).index(made.hand)):
                hand = offer.hand
                if hand not in open_hands:
                    continue
                most = int(Fraction(stakes[mains[hand]] - promised[hand]) / offer.odds)
                most = most if left is None else min(most, left)
                what = (offer, cards, player, points[1], stakes[mains[hand]], most, ranks[:cards])
                stake = self._insured(view, *what)
                if stake <= 0:
                    open_hands.discard(hand)
                    continue
                left = None if left is None else left - stake
                gain = rounded_net(stake, offer.outcome(winner).net)
                self._note(entry + INSURED_AREAS.index((hand, cards)), stake, gain)
                promised[hand] += promised_by(offer.odds, stake)
                won[hand] += gain
                self.net += gain
        for i, hand in enumerate(Hand):
            if hand in mains:
                area = mains[hand]
                self._note(entry + len(INSURED_AREAS) + i, stakes[area], nets[area] + won[hand])

    def _insured(
        self,
        view: View,
        offer: InsuranceOffer,
        cards: int,
        player: int,
        banker: int,
        main: int,
        most: int,
        dealt: tuple[Rank, ...],
    ) -> int:
        """What is staked on an offer."""
        if self._sessions.source.decides("insure"):
            assert self._self is not None
            told = OwnOffer(offer.hand, cards, player, banker, offer.odds, main, most, dealt)
            stake = self._call(self._self.insure, view, told)
            if type(stake) is not int or stake < 0:
                raise StrategyFault(f"the strategy insures with {stake!r}; a stake is a whole number")
            return min(stake, most)
        choice = self._sessions.insuring.get((offer.hand, cards, player, banker), Insuring.PASS)
        return 0 if choice is Insuring.PASS else most if choice is Insuring.INSURE else min(1, most)

    def _note(self, entry: int, stake: int, net: int) -> None:
        sums, place = self._sums, entry * SUMS
        sums[place] += 1
        sums[place + 1] += stake
        sums[place + 2] += net
        sums[place + 3] += net * net
        sums[place + 4] += net * stake
        sums[place + 5] += stake * stake


def facts_of(recorded: Recorded, shoe: int, number: int) -> Facts:
    """The facts of a recorded round; its pairs count as pairs of two suits."""
    codes = int(recorded.cards[shoe, number])
    player_drew, banker_drew = codes >> 24 & 1, codes >> 25 & 1
    ranks = recorded.round_ranks(shoe, number)
    thirds = ranks[4:]
    player = [ranks[0], ranks[2], *thirds[:player_drew]]
    banker = [ranks[1], ranks[3], *thirds[player_drew:]]
    points = [sum(rank.points for rank in hand) % 10 for hand in (player, banker)]
    totals = Totals(points[0], 2 + player_drew, points[1], 2 + banker_drew).index
    pairs = [2 * hand[0] - 1 if hand[0] is hand[1] else NO_PAIR for hand in (player, banker)]
    return Facts(totals, *pairs)


def _spelled(totals: int) -> tuple[int, int, int, int]:
    return totals // 40, 2 + totals // 2 % 2, totals // 4 % 10, 2 + totals % 2
