"""A user's own strategy: its source text with the functions found in it, one session of it in Python, and
sessions as work with the same shoes, limits and ends as the built-in ones. A function takes one parameter,
a view, and gives stakes by area; or eight, numbers and arrays, and is compiled (`own_kernel.py` describes
them). Either may stand in a class as `bets`, beside `insure` and `follow`, which then decide insurance and
antes. The text travels with the sessions, so that every machine plays the same function and a checkpoint
knows it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from punto.cards.card import Rank
from punto.rules.book import Book
from punto.rules.holdings import promised_by, refuse_alone
from punto.rules.outcome import NO_PAIR, Facts, Hand, Totals, Winner
from punto.rules.pay_table import InsuranceOffer
from punto.simulation.deals import Recorded
from punto.simulation.session_kernel import (
    AT_GOAL,
    INSURED_AREAS,
    RUINED,
    STOPPED,
    SUMS,
    TO_THE_END,
    WINDOWS,
    rounded_net,
)
from punto.simulation.sessions import Sessions
from punto.simulation.strategy import MOST_STAKE, Insuring, Progression, Strategy, strategy_too_large

MOST_SOURCE = 1 << 20
"""Characters of a file."""
ARRAYS = ("round", "net", "bankroll", "last", "results", "unseen", "memory", "stakes")
"""Parameters of the compiled form; only their number counts."""
ASIDE = 3
"""Parameters of its `insure` and `follow`: offer or ante, unseen, memory."""


class StrategyFault(Exception):
    """A user's function that cannot be used, in one sentence."""


@dataclass(frozen=True, slots=True)
class View:
    """What a strategy may know before a round."""

    round: int
    """Of the shoe, from 1."""
    net: int
    """Of the session so far."""
    bankroll: int | None
    """What is left of it."""
    results: str
    """Winners of the shoe so far: `B`, `P` and `T`."""
    last: Facts | None
    """Facts of the round before in this shoe."""
    unseen: tuple[int, ...]
    """Cards not seen yet of each rank, ace first."""
    memory: dict[Any, Any] = field(default_factory=dict)
    """What the strategy wants to remember; empty when a session begins."""


@dataclass(frozen=True, slots=True)
class OwnOffer:
    """Insurance that is offered to a strategy."""

    hand: Hand
    cards: int
    """Cards on the table: 4 or 5."""
    player_points: int
    banker_points: int
    odds: Fraction
    main: int
    """The main bet that is insured."""
    most: int
    """The most that can be staked, by the cap and the money left."""
    dealt: tuple[Rank, ...]
    """The cards on the table, in dealing order."""


@dataclass(frozen=True, slots=True)
class OwnAnte:
    """An ante that a strategy follows with the wager or gives up."""

    area: str
    stake: int
    shown: tuple[Rank, ...]
    """The cards shown, in dealing order."""


Bets = Callable[[View], Mapping[str, int] | None]


@dataclass(frozen=True)
class OwnSource:
    """A strategy in a file: where, under which name, and the text of the file."""

    path: str
    name: str
    text: str

    def __reduce__(self) -> tuple[type[OwnSource], tuple[str, str, str]]:
        """Only the text travels to another machine, which loads it again."""
        return OwnSource, (self.path, self.name, self.text)

    @cached_property
    def found(self) -> Any:
        """The function or class; `StrategyFault` if there is none that can be used."""
        module = ModuleType("punto_strategy")
        module.__file__ = self.path
        try:
            exec(compile(self.text, self.path, "exec"), module.__dict__)
        except (Exception, SystemExit) as error:
            raise StrategyFault(f"{self.path} cannot be loaded: {_said(error)}") from error
        found = getattr(module, self.name, None)
        if not callable(found):
            raise StrategyFault(f"{self.path} has no function {self.name}")
        if isinstance(found, type) and not callable(getattr(found, "bets", None)):
            raise StrategyFault(f"the class {self.name} in {self.path} has no method bets")
        return found

    @property
    def is_class(self) -> bool:
        return isinstance(self.found, type)

    @cached_property
    def is_compiled(self) -> bool:
        """Whether it is the form with numbers and arrays."""
        parameters = _parameters(self.found.bets if self.is_class else self.found)
        taken = 2 if self.is_class else 1
        if parameters not in (taken, len(ARRAYS)):
            raise StrategyFault(
                f"{self.name} in {self.path} takes {parameters} parameters; it takes one, a view, "
                f"or {len(ARRAYS)}: {', '.join(ARRAYS)}"
            )
        return parameters == len(ARRAYS)

    def decides(self, what: str) -> bool:
        """Whether it has a function of its own for `insure` or `follow`."""
        return self.is_class and callable(getattr(self.found, what, None))

    def check(self) -> None:
        """Load it and look at all of its functions; `StrategyFault` if they cannot be used."""
        expected = ASIDE  # offer, unseen, memory; or self, view, offer
        assert self.is_compiled in (True, False)
        for what in ("insure", "follow"):
            if self.decides(what) and (number := _parameters(getattr(self.found, what))) != expected:
                raise StrategyFault(f"{self.name}.{what} in {self.path} takes {number} parameters, not 3")


def read_source(path: str, name: str) -> OwnSource:
    """The strategy of this name in a file; `StrategyFault` if it cannot be read or used."""
    try:
        if not Path(path).is_file():
            raise StrategyFault(f"there is no Python file {path}")
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MOST_SOURCE + 1)
    except (OSError, ValueError) as error:
        raise StrategyFault(f"{path} cannot be read: {_said(error)}") from None
    if len(text) > MOST_SOURCE:
        raise StrategyFault(f"{path} is longer than {MOST_SOURCE:,} characters")
    source = OwnSource(path, name, text)
    source.check()
    return source


def _parameters(function: Any) -> int:
    try:
        return len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return -1


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


# One session of a user's own strategy in Python: asked with a view before every round, and settled.
#
# The rules are those of the built-in strategies. Less than the table's minimum is not a bet, more than its
# maximum is cut to it. Stakes that the money left does not cover ruin the session; so does having nothing
# left. After the last round of a session the function is asked once more, to see whether it could have gone
# on.


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


# Sessions of a user's own strategy: the same shoes, limits and ends as those of the built-in ones.
#
# A function that takes a view is asked in Python (`own_session.py`), one that takes numbers and arrays is
# compiled (`own_kernel.py`). Both give the numbers of a built-in strategy that plays alike, to the last
# digit.


OWN_SHOES = 64
"""Shoes of a batch that is played in Python, about: a second of it."""


def own_strategy(book: Book, limits: Strategy) -> Strategy:
    """The limits of a strategy for a function that may lay any bet but those on suits and single cards."""
    tables = book.pay_tables
    areas = [a for a in book.opening_areas if not tables[a].reads_suits and tables[a].cards is None]
    one = dict.fromkeys(areas, 1)
    return msgspec.structs.replace(limits, stakes=one, progression=Progression.FLAT, count=None)


@dataclass(frozen=True)
class OwnSessions(Sessions):
    """Sessions played by a user's function."""

    source: OwnSource = field(default_factory=lambda: OwnSource("", "", ""))

    @property
    def batch_shoes(self) -> int:
        if self.source.is_compiled:
            return super().batch_shoes
        return max(1, OWN_SHOES // self.strategy.shoes) * self.strategy.shoes

    @property
    def identity(self) -> str:
        """The strategy with the text of its file, wherever the file is."""
        digest = sha256(self.source.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{super().identity} {self.source.name} {digest}"

    @property
    def maximum(self) -> int:
        """The most on one area."""
        return min(self.strategy.maximum or MOST_STAKE, MOST_STAKE)

    def problem(self) -> str | None:
        """Why these sessions cannot be played; the stakes are the function's own affair."""
        limits = msgspec.structs.replace(self.strategy, minimum=0, maximum=None)
        most = msgspec.structs.replace(limits, stakes=dict.fromkeys(self.strategy.stakes, self.maximum))
        if self.strategy.maximum is not None and self.strategy.maximum < self.strategy.minimum:
            return self.strategy.problem(self.book)
        return limits.problem(self.book) or strategy_too_large(self.book, most, self.deals.terms)

    @cached_property
    def insuring(self) -> dict[tuple[Hand, int, int, int], Insuring]:
        """The policy for a function that does not decide insurance itself."""
        return {
            (rule.hand, rule.cards, rule.player_points, rule.banker_points): rule.choice
            for rule in self.strategy.insuring
        }

    def _run(self, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
        if self.source.is_compiled:
            from punto.simulation.own_kernel import run_compiled

            run_compiled(self, recorded, sums, results, paths)
            return
        per_session = self.strategy.shoes
        totals = [0] * (len(sums) * SUMS)
        for session in range(len(results)):
            played = OwnSession(self, totals)
            first = session * per_session
            played.play(recorded, range(first, min(first + per_session, len(recorded.lengths))))
            results[session] = played.net, played.drawdown, len(played.path), played.end
            if session < len(paths):
                paths[session, : len(played.path)] = played.path
        low = (1 << 64) - 1
        signed = [(number & low, number >> 64) for number in totals]
        sums.reshape(-1, 2)[:] = [(part - (part >> 63 << 64), high) for part, high in signed]
