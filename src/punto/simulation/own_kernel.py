"""Sessions of a user's own strategy, with the same shoes, limits and ends as the built-in ones: a function with numbers
and arrays is made part of the loop that plays them, one that takes a view is asked in Python.

    bets(round, net, bankroll, last, results, unseen, memory, stakes)

`round` is that of the shoe, from 1; `net` that of the session; `bankroll` what is left of it, -1 for none. `last` has
the round before in this shoe: points and cards of Player, then of Banker, and the rank of each pair, all 0 in the
first. `results` has the winners of the shoe so far: 0 Player, 1 Banker, 2 tie. `unseen` has the unseen cards of each
rank, ace first. `memory` is 64 numbers of the strategy's own, 0 when a session begins. `stakes` is to be filled, in
minor units, one place for each betting area in the order of the book.

    insure(offer, unseen, memory)    gives a stake, 0 to pass
    follow(ante, unseen, memory)     gives whether to follow the ante with its wager

`offer` has the hand (0 Player, 1 Banker), the cards on the table, the points of Player and Banker, the odds as two
numbers, the main bet and the most that can be staked; `ante` has its place among the stakes, its stake, and the points
of the cards shown. `unseen` is then without the cards on the table.

Stakes that the money left does not cover ruin a session; so does having nothing left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
import numpy as np
from numba import njit, objmode
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from punto.cards.card import Rank
from punto.money import units_given
from punto.rules.holdings import refuse_alone
from punto.rules.outcome import Facts, Hand
from punto.simulation import session_kernel as kernel
from punto.simulation.deals import Recorded
from punto.simulation.machine_code import CODE_RANKS, compiled, inlined
from punto.simulation.own_fault import compile_words, failure_words
from punto.simulation.own_strategy import OwnAnte, OwnOffer, OwnSource, StrategyFault, View
from punto.simulation.session_kernel import Decisions, SessionState, follow_by_table, insure_by_policy, session_loop
from punto.simulation.sessions import Sessions
from punto.simulation.strategy import MOST_STAKE, strategy_too_large
from punto.suggestion import did_you_mean

STAKE_RULE = f"a stake is a whole number of minor units up to {MOST_STAKE}"
TEXT_TOO = ", or text such as '12.50'"  # In Python; a compiled strategy has numbers alone.
MEMORY = 64  # Numbers that a compiled strategy may remember.
SHOWN_FROM = 2  # Where the points of the shown cards begin in an ante.
RANKS = np.array([rank - 1 for rank in CODE_RANKS], np.int64)

OWN_SHOES = 64  # Shoes of a batch that is played in Python, about: a second of it.

user_code: Callable[..., Any] = njit(nogil=True, error_model="numpy")
"""Compiled, but not kept on disk: it is made of a user's functions."""
own_code: Callable[..., Any] = njit(nogil=True, error_model="numpy", boundscheck=True)
"""The functions themselves: what they write beside an array would be written over something else, without a word."""


@dataclass(frozen=True)
class OwnSessions(Sessions):
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
        return min(self.strategy.maximum or MOST_STAKE, MOST_STAKE)

    def problem(self) -> str | None:
        """Why these sessions cannot be played; the stakes are the function's own affair."""
        limits = msgspec.structs.replace(self.strategy, minimum=0, maximum=None)
        most = msgspec.structs.replace(limits, stakes=dict.fromkeys(self.strategy.stakes, self.maximum))
        if self.strategy.maximum is not None and self.strategy.maximum < self.strategy.minimum:
            return self.strategy.problem(self.book)
        return limits.problem(self.book) or strategy_too_large(self.book, most, self.deals.terms)

    def _run(self, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
        play_own(self, recorded, sums, results, paths)


def play_own(sessions: OwnSessions, recorded: Recorded, sums: Any, results: Any, paths: Any) -> None:
    """Play a user's strategy; `StrategyFault` says what it did that cannot be."""
    source, book, areas = sessions.source, sessions.book, list(sessions.strategy.stakes)
    cards = np.full(len(Rank), 4 * sessions.deals.terms.decks, np.int64)
    player = None if source.is_compiled else ViewPlayer(sessions)
    memory = np.zeros(MEMORY) if player is None else np.array([player.number], np.int64)
    state = sessions.state(recorded, cards, memory, book.insurance is not None, sums)
    for i, area in enumerate(areas):
        bet = book.bet(area)
        state.needs[i] = [bool(bet and other in bet.needs) for other in areas]
    try:
        if player is None:
            _compiled_loop(source)(recorded, sessions.slip, state, results, paths)
        else:
            player.play(recorded, state, results, paths)
    except StrategyFault:
        raise
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise StrategyFault(f"the strategy cannot be compiled: {compile_words(error, source.functions)}") from error
    except Exception as error:
        raise StrategyFault(f"the strategy failed: {failure_words(error, source.functions)}") from error
    _complain(sessions, state.fault.tolist(), areas)


def _complain(sessions: OwnSessions, fault: list[int], areas: list[str]) -> None:
    what, area, stake = fault
    if what == kernel.WRONG_STAKE:
        raise StrategyFault(f"the strategy stakes {stake} on {areas[area]}; {STAKE_RULE}")
    if what == kernel.ALONE:
        bet = sessions.book.bet(areas[area])
        assert bet is not None
        raise StrategyFault(f"the strategy may bet on {areas[area]} only beside {' or '.join(bet.needs)}")
    if what == kernel.WRONG_INSURANCE:
        hand = list(Hand)[area].value
        raise StrategyFault(f"the strategy insures the {hand} hand with {stake}; a stake is a whole number")


@inlined
def staked_with_wagers(slip: Any, state: Any) -> Any:
    staked = 0
    for bet in range(len(state.units)):
        staked += state.units[bet] * (1 + (state.numbers[kernel.MULTIPLE] if slip.bets[bet, kernel.WAGER] >= 0 else 0))
    return staked


@inlined
def hold_to_limits(state: Any) -> None:
    """Cut stakes to the table's limits, and say where they may not be laid."""
    stakes, fault = state.units, state.fault
    for bet in range(len(stakes)):
        if stakes[bet] < 0 or stakes[bet] > MOST_STAKE:
            fault[0], fault[1], fault[2] = kernel.WRONG_STAKE, bet, stakes[bet]
            break
        stakes[bet] = (
            0 if stakes[bet] < state.numbers[kernel.MINIMUM] else min(stakes[bet], state.numbers[kernel.MAXIMUM])
        )
    for bet in range(len(stakes)):
        is_bound, is_held = False, False
        for other in range(len(stakes)):
            is_bound |= state.needs[bet, other] != 0
            is_held |= state.needs[bet, other] != 0 and stakes[other] > 0
        if fault[0] == kernel.FINE and stakes[bet] > 0 and is_bound and not is_held:
            fault[0], fault[1] = kernel.ALONE, bet


@inlined
def see_ranks(first: Any, end: Any, slip: Any, state: Any) -> None:  # noqa: ARG001
    for i in range(first, end):
        state.unseen[RANKS[state.codes[i]]] -= 1


@inlined
def remember_results(number: Any, units: Any, leading: Any, state: Any) -> None:  # noqa: ARG001
    last, facts = state.last, state.facts
    last[0], last[1] = facts[kernel.PLAYER], 2 + facts[kernel.PLAYER_DREW]
    last[2], last[3] = facts[kernel.BANKER], 2 + facts[kernel.BANKER_DREW]
    last[4], last[5] = (facts[kernel.PLAYER_PAIR] + 1) // 2, (facts[kernel.BANKER_PAIR] + 1) // 2
    state.winners[number] = 2 if last[0] == last[2] else (0 if last[0] > last[2] else 1)


@lru_cache(maxsize=8)
def _compiled_loop(source: OwnSource) -> Callable[..., None]:
    """The loop with the functions of one strategy in it; compiled when it is first called."""
    own = source.loaded
    bets = own_code(own.bets if source.is_class else own)

    def lay(number: Any, rounds: Any, net: Any, left: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
        state.units[:] = 0
        bankroll = left if state.numbers[kernel.BANKROLL] >= 0 else -1
        bets(number + 1, net, bankroll, state.last, state.winners[:number], state.unseen, state.memory, state.units)
        hold_to_limits(state)
        return staked_with_wagers(slip, state), 1

    follow = _follow_by(own_code(own.follow)) if source.decides("follow") else follow_by_table
    insure = _insure_by(own_code(own.insure)) if source.decides("insure") else insure_by_policy
    decide = Decisions(inlined(lay), follow, insure, see_ranks, remember_results)
    loop: Callable[..., None] = user_code(session_loop(decide))
    return loop


def _follow_by(function: Callable[..., Any]) -> Callable[..., Any]:
    def follow(bet: Any, stake: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
        ante = state.question
        ante[:] = 0
        ante[0], ante[1] = bet, stake
        for i in range(state.numbers[kernel.SHOWN]):
            ante[SHOWN_FROM + i] = kernel.points(state.codes[i])
        return bool(function(ante, state.unseen, state.memory))

    return inlined(follow)


def _insure_by(function: Callable[..., Any]) -> Callable[..., Any]:
    def insure(hand: Any, window: Any, most: Any, odds: Any, state: Any) -> Any:
        offer, facts, fault = state.question, state.facts, state.fault
        offer[0], offer[1] = hand, 4 + window
        offer[2], offer[3] = facts[kernel.PLAYER_TWO] if window == 0 else facts[kernel.PLAYER], facts[kernel.BANKER_TWO]
        offer[4], offer[5], offer[6], offer[7] = (
            odds[kernel.GAIN],
            odds[kernel.TO],
            state.cover[hand, kernel.MAIN],
            most,
        )
        stake = int(function(offer, state.unseen, state.memory))
        if stake < 0 and fault[0] == kernel.FINE:
            fault[0], fault[1], fault[2] = kernel.WRONG_INSURANCE, hand, stake
        return min(stake, most)

    return inlined(insure)


# A function that takes a view is asked from within the compiled loop: by the number of its player, which the
# loop has for a memory, for the interpreter is not to be found otherwise.

LAY, FOLLOW, INSURE = range(3)
_PLAYERS: dict[int, ViewPlayer] = {}
_NUMBERS = count()


def answer_of(player: int, what: int, first: int, second: int, third: int) -> int:
    return _PLAYERS[player].answer(what, first, second, third)


@njit(error_model="numpy")  # type: ignore[untyped-decorator,unused-ignore]
def ask(player: Any, what: Any, first: Any, second: Any, third: Any) -> Any:
    with objmode(answer="int64"):
        answer = answer_of(player, what, first, second, third)
    return answer  # noqa: RET504


@inlined
def lay_by_view(number: Any, rounds: Any, net: Any, left: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
    ask(state.memory[0], LAY, number, rounds, net)
    return staked_with_wagers(slip, state), 1


@inlined
def follow_by_view(bet: Any, stake: Any, slip: Any, state: Any) -> Any:  # noqa: ARG001
    return ask(state.memory[0], FOLLOW, bet, stake, 0) != 0


@inlined
def insure_by_view(hand: Any, window: Any, most: Any, offer: Any, state: Any) -> Any:  # noqa: ARG001
    return ask(state.memory[0], INSURE, hand, window, most)


@inlined
def remember_nothing(number: Any, units: Any, leading: Any, state: Any) -> None:
    """The facts of the round are still there when the next view is made."""


@cache
def view_loop(has_follow: bool, has_insure: bool) -> Callable[..., None]:
    """The loop that asks for bets in Python, and by these for antes and insurance."""
    follow = follow_by_view if has_follow else follow_by_table
    insure = insure_by_view if has_insure else insure_by_policy
    decide = Decisions(lay_by_view, follow, insure, see_ranks, remember_nothing)
    return compiled(session_loop(decide), f"view_loop_{has_follow:d}{has_insure:d}")


class ViewPlayer:
    """A function that takes a view, while its sessions are played."""

    def __init__(self, sessions: OwnSessions) -> None:
        self._sessions, self._strategy, self._book = sessions, sessions.strategy, sessions.book
        self._source, self.number = sessions.source, next(_NUMBERS)
        self._places = {area: i for i, area in enumerate(sessions.strategy.stakes)}
        self._error: BaseException | None = None

    def play(self, recorded: Recorded, state: SessionState, results: Any, paths: Any) -> None:
        """Play all sessions; whatever goes wrong in the function is raised again here."""
        self._state, self._areas = state, list(self._places)
        loop = view_loop(self._source.decides("follow"), self._source.decides("insure"))
        _PLAYERS[self.number] = self
        try:
            loop(recorded, self._sessions.slip, state, results, paths)
        finally:
            del _PLAYERS[self.number]
        if self._error is not None:
            raise self._error

    def answer(self, what: int, first: int, second: int, third: int) -> int:
        """The answer to a question of the loop; after an error, none."""
        try:
            if self._error is None:
                return (self._lay, self._follow, self._insure)[what](first, second, third)
        except BaseException as error:
            self._error, self._state.fault[0] = error, kernel.RAISED
        return 0

    def _lay(self, number: int, rounds: int, net: int) -> int:
        state, bankroll = self._state, self._strategy.bankroll
        if rounds == 0:
            own = self._source.loaded
            self._self = own() if self._source.is_class else None
            self._bets = own if self._self is None else self._self.bets
            self._memory: dict[Any, Any] = {}
        last = None
        if number == 0:
            self._results = ""
        else:
            facts = state.facts.tolist()
            last = Facts(*facts[kernel.TOTALS : kernel.BANKER_PAIR + 1])
            margin = facts[kernel.PLAYER] - facts[kernel.BANKER]
            self._results += "P" if margin > 0 else "B" if margin < 0 else "T"
        left = None if bankroll is None else bankroll + net
        self._view = View(number + 1, net, left, self._results, last, tuple(state.unseen.tolist()), self._memory)
        state.units[:] = 0
        for area, stake in self._stakes().items():
            state.units[self._places[area]] = stake
        return 0

    def _stakes(self) -> dict[str, int]:
        given = self._call(self._bets, self._view)
        try:
            stakes = dict(given or {})
        except (TypeError, ValueError):
            told = f"{given!r:.60}".replace("\n", " ")
            raise StrategyFault(
                f"the strategy gives {told}; it gives stakes by betting area, such as {{'banker': 1000}}, or nothing"
            ) from None
        laid: dict[str, int] = {}
        for name, stake in stakes.items():
            area = name if name in self._places else self._book.area_named(str(name))
            if area not in self._places:
                meant = did_you_mean(str(name), self._places)
                raise StrategyFault(f"the strategy bets on {name!r}, which is not a betting area it may use{meant}")
            if area in laid:
                raise StrategyFault(f"the strategy bets on {area} more than once")
            units = units_given(stake)
            if units is None or not 0 <= units <= MOST_STAKE:
                raise StrategyFault(f"the strategy stakes {stake!r} on {area}; {STAKE_RULE}{TEXT_TOO}")
            if units and units >= self._strategy.minimum:
                laid[area] = min(units, self._sessions.maximum)
        for area in laid:
            if refusal := refuse_alone(self._book, area, laid):
                raise StrategyFault(f"the strategy may not do that: {refusal.sentence}")
        return laid

    def _follow(self, bet: int, stake: int, _: int) -> int:
        ante = self._book.ante
        assert ante is not None and self._self is not None
        shown = OwnAnte(self._areas[bet], stake, self._dealt(ante.shown_cards))
        return bool(self._call(self._self.follow, self._view, shown))

    def _insure(self, hand: int, window: int, most: int) -> int:
        assert self._self is not None
        state, cards, insured = self._state, kernel.WINDOWS[window], list(Hand)[hand]
        player = int(state.facts[kernel.PLAYER_TWO if window == 0 else kernel.PLAYER])
        banker, main = int(state.facts[kernel.BANKER_TWO]), int(state.cover[hand, kernel.MAIN])
        (odds,) = (offer.odds for offer in self._book.offers.cells[cards, player, banker] if offer.hand is insured)
        offer = OwnOffer(insured, cards, player, banker, Fraction(odds), main, most, self._dealt(cards))
        stake = self._call(self._self.insure, self._view, offer)
        units = units_given(stake)
        if units is None or units < 0:
            raise StrategyFault(f"the strategy insures with {stake!r}; a stake is a whole number{TEXT_TOO}")
        return min(units, most)

    def _dealt(self, cards: int) -> tuple[Rank, ...]:
        return tuple(CODE_RANKS[code] for code in self._state.codes[:cards].tolist())

    def _call(self, function: Any, *arguments: object) -> Any:
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            raise StrategyFault(f"the strategy failed: {failure_words(error, (function,))}") from error
