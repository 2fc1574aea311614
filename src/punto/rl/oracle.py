"""An oracle: what every open action is worth, exactly, to a player who remembers every card of the shoe; what it would
do; and how much the decisions of another policy cost beside it.

It sees what an agent sees, and answers in fractions of a unit. A value is what the decisions from here on add to this
round, the best being done after this one: stakes that are laid already are the same for all actions and not counted,
and what later rounds may bring is not either. So sitting out and leaving are worth nothing. An insurance counts with
the stake that it has here, to the minor unit. A main bet counts with the best use of its insurance as if it were the
only one, and the least stake that keeps a window open is taken for nothing there: it is one minor unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from operator import index
from typing import Any

import gymnasium
import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Card, Rank
from punto.inputs import AnyNumber, rounds_of
from punto.odds.ante import ante_odds
from punto.odds.bet_odds import Weighing
from punto.odds.insurance import gains_with_cards
from punto.odds.known_cards import RoundSoFar, Undealt
from punto.odds.ordered_draws import ways
from punto.rl.baccarat_env import BaccaratEnv, Observation
from punto.rl.setting import (
    HELD,
    INSURED,
    LEAST_INSURANCE,
    Action,
    AgentSetting,
    Deciding,
    Move,
    place_column,
    stake_column,
    unseen_column,
)
from punto.rules import holdings
from punto.rules.book import Book
from punto.rules.outcome import Hand, Winner, insurance_area
from punto.rules.pay_table import InsuranceOffer
from punto.rules.table_of_play import STOOD

NOTHING = Fraction(0)
_OF_RANK = {rank: Card(f"{rank.notation}S") for rank in Rank}  # Suits are not observed, so any will do.
_PHASES = tuple(Deciding)

Values = dict[int, Fraction]  # By the number of an action.
Policy = Callable[[Observation, NDArray[np.int8]], int]  # Of an observation and its mask: the number of an action.


@dataclass(frozen=True)
class Oracle:
    """Exact values for the observations of a setting."""

    setting: AgentSetting

    def __post_init__(self) -> None:
        given: object = self.setting
        if not isinstance(given, AgentSetting):
            raise ValueError(
                f"{type(given).__name__} is not a setting; give that of an environment: env.unwrapped.setting"
            )

    def exact(self, observation: Observation) -> Values:
        """What each action that is open is worth, in units."""
        seen = self.setting.named(observation)
        match _PHASES[seen["phase"]]:
            case Deciding.BETTING:
                return _Betting(self.setting, seen).values()
            case Deciding.ANTE:
                return self._ante(seen)
            case Deciding.INSURANCE:
                return _Insuring.of(self.setting, seen).values()
            case _:
                return {}

    def values(self, observation: Observation) -> NDArray[np.float64]:
        """The same as floats, an action that is not open being worth less than anything."""
        values = np.full(len(self.setting.actions), -np.inf)
        for number, value in self.exact(observation).items():
            values[number] = float(value)
        return values

    def act(self, observation: Observation) -> int:
        """The best action, the first of equals; `ValueError` where the episode is over."""
        values = self._open(observation)
        return max(values, key=lambda number: (values[number], -number))

    def regret(self, observation: Observation, action: int) -> Fraction:
        """How much less than the best an action is worth, in units; `ValueError` for one that is not open."""
        chosen, values = self.setting.chosen(action), self._open(observation)
        if action not in values:
            raise ValueError(f"{chosen} is not open here")
        return max(values.values()) - values[action]

    def _open(self, observation: Observation) -> Values:
        if values := self.exact(observation):
            return values
        raise ValueError("the episode is over, and nothing is decided any more")

    def _ante(self, seen: dict[str, int]) -> Values:
        book = self.setting.book
        assert book.ante is not None, "only a book with antes asks about one"
        pair = book.ante.pairs[seen["asked"]]
        weighing = Weighing(book, _undealt(seen), RoundSoFar.of(book.play, _table(seen)))
        play = weighing.odds(pair.ante).ev + book.ante.multiple * weighing.odds(pair.wager).ev
        units, number_of = seen[stake_column(pair.ante)], self.setting.number_of
        return {number_of[Move.PLAY.value]: play * units, number_of[Move.GIVE_UP.value]: Fraction(-units)}


class Regret(msgspec.Struct, frozen=True):
    """What the decisions of a policy cost beside the best ones, in units."""

    phase: Deciding
    decisions: int
    mistakes: int  # Decisions that were worth less than the best.
    total: Fraction

    @property
    def mean(self) -> Fraction:
        """Of one decision."""
        return self.total / self.decisions if self.decisions else NOTHING


def regret_of(
    env: gymnasium.Env[Any, Any],
    policy: Policy,
    rounds: AnyNumber,
    seed: int,
    phases: Iterable[Deciding] = tuple(Deciding)[:3],
) -> tuple[Regret, ...]:
    """What a policy loses by its decisions in a number of rounds, phase by phase. Each is compared with the best there
    was, so nothing depends on luck but what there is to decide. A policy takes an observation and its action mask, and
    gives the number of an action. Judging a bet takes some hundredths of a second where the book has insurance, and
    `phases` leaves it out."""
    env = env.unwrapped
    if not isinstance(env, BaccaratEnv):
        raise ValueError(f"regret_of takes a punto/Baccarat-v0 of one player, not {type(env).__name__}")
    oracle = Oracle(env.setting)
    lost: dict[Deciding, list[Fraction]] = {phase: [] for phase in phases}
    (seen, info), played, wanted = env.reset(seed=seed), 0, rounds_of(rounds)
    while played < wanted:
        action, phase = _number(policy(seen, info["action_mask"]), env.setting), _PHASES[seen[0]]
        if not info["action_mask"][action]:
            raise ValueError(f"the policy chose {env.setting.actions[action]}, which is not open")
        if phase in lost:
            lost[phase].append(oracle.regret(seen, action))
        seen, _, is_over, _, info = env.step(np.int64(action))
        # Leaving counts as a round, or a policy that always leaves would never come to an end.
        played += "round" in info or env.setting.actions[action].move is Move.LEAVE
        if is_over:
            seen, info = env.reset()
    return tuple(Regret(phase, len(each), sum(map(bool, each)), sum(each, NOTHING)) for phase, each in lost.items())


def _number(action: object, setting: AgentSetting) -> int:
    """The number of an action that a policy gave; `ValueError` if it is none."""
    try:
        setting.chosen(action)
    except ValueError:
        most = len(setting.actions) - 1
        raise ValueError(f"the policy gives {action!r}; it gives the number of an action, from 0 to {most}") from None
    return index(action)  # type: ignore[arg-type]


def _undealt(seen: dict[str, int]) -> Undealt:
    return Undealt(tuple(seen[unseen_column(rank)] for rank in Rank))


def _table(seen: dict[str, int]) -> list[Card]:
    """The cards on the table in dealing order; their suits are not known."""
    order = [(hand, number) for number in (1, 2, 3) for hand in Hand]
    ranks = (seen[place_column(hand, number)] for hand, number in order)
    return [_OF_RANK[Rank(rank)] for rank in ranks if rank]


@lru_cache(maxsize=64)
def unit_values(book: Book, undealt: Undealt) -> dict[str, Fraction]:
    """What a unit on each opening area is worth before the deal, insured or followed in the best way."""
    weighing = Weighing(book, undealt, RoundSoFar())
    values = {area: weighing.odds(area).ev for area in book.outright_areas}
    values |= {side.pair.ante: side.ev for side in ante_odds(book, undealt).sides}
    for hand, gain in gains_with_cards(book, undealt).items() if book.insurance is not None else ():
        if area := book.main_area(hand):
            values[area] += gain
    return values


class _Betting:
    """The choice of bets: what is worth laying is laid, as far as the setting goes, with what it needs beside it."""

    def __init__(self, setting: AgentSetting, seen: dict[str, int]) -> None:
        self._setting, self._seen = setting, seen
        book = setting.book
        self._units = unit_values(book, _undealt(seen))
        self._needs = {bet.area: bet.needs for bet in book.bets if bet.area in book.opening_areas}
        self._keys = tuple(dict.fromkeys(chain.from_iterable(self._needs.values())))

    def values(self) -> Values:
        held = {area: self._seen[stake_column(area)] for area in self._needs}
        values: Values = {}
        for number, action in enumerate(self._setting.actions):
            if action.move is Move.DEAL or (action.move is Move.LEAVE and not any(held.values())):
                values[number] = NOTHING
            elif action.move is Move.BET and self._is_open(action, held):
                after = {**held, action.area: held[action.area] + action.units}
                values[number] = action.units * self._units[action.area] + self._best(after)
        return values

    def _is_open(self, action: Action, held: dict[str, int]) -> bool:
        laid = {area for area, units in held.items() if units}
        fits = held[action.area] + action.units <= self._setting.most
        return fits and holdings.refuse_alone(self._setting.book, action.area, laid) is None

    def _best(self, held: dict[str, int]) -> Fraction:
        """The most that can still be added: by every choice of what other bets need, laid or not."""
        laid = {area for area, units in held.items() if units}
        free = [key for key in self._keys if key not in laid]
        choices = chain.from_iterable(combinations(free, number) for number in range(len(free) + 1))
        return max(sum(self._added(held, laid, set(opened)), NOTHING) for opened in choices)

    def _added(self, held: dict[str, int], laid: set[str], opened: set[str]) -> Iterator[Fraction]:
        for area, needs in self._needs.items():
            value, room = self._units[area], _room(self._setting, held[area])
            if needs and not (laid | opened).intersection(needs):
                continue
            if area in opened:
                yield max(min(self._setting.chips) * value, room * value)
            elif area in laid or area not in self._keys:
                yield max(NOTHING, room * value)


def _room(setting: AgentSetting, units: int) -> int:
    """The most units that chips can still add to an area."""
    return _reach(setting.chips, setting.most - units)


@lru_cache(maxsize=1024)
def _reach(chips: tuple[int, ...], room: int) -> int:
    reached = [True] + [False] * room
    for total in range(1, room + 1):
        reached[total] = any(chip <= total and reached[total - chip] for chip in chips)
    return max(total for total in range(room + 1) if reached[total])


_Ends = dict[Winner, int]  # In how many ways a round ends so.


@dataclass(frozen=True)
class _Insuring:
    """The choice of insurance: the offers of this window that are still to be answered, then those of the next."""

    setting: AgentSetting
    seen: dict[str, int]
    window: int
    hands: tuple[Hand, ...]  # To be answered, the first now.
    bets: dict[Hand, int]  # In minor units.
    promised: dict[Hand, int]
    is_taken: bool  # Whether some insurance was taken in this round.
    ends: dict[int, _Ends]  # How the round ends, by Player's third card.

    @classmethod
    def of(cls, setting: AgentSetting, seen: dict[str, int]) -> _Insuring:
        book, table = setting.book, RoundSoFar.of(setting.book.play, _table(seen))
        bets = {}
        for hand in Hand:
            area = book.main_area(hand)
            bets[hand] = seen[stake_column(area)] * setting.unit if area else 0
        first = {offer.hand: offer for offer in book.open_offers(4, *_first_points(table))}
        promised, is_taken = dict.fromkeys(Hand, 0), False
        for hand, offer in first.items():
            choice = seen[insurance_area(hand, 4)]
            if choice in (HELD, INSURED):
                stake = LEAST_INSURANCE if choice == HELD else holdings.greatest_insurance(offer, bets[hand], 0)
                promised[hand], is_taken = holdings.promised_by(offer.odds, stake), True
        ends: dict[int, _Ends] = {}
        for way in ways(book.play, _undealt(seen).points, table):
            if not way.weight:
                continue  # such as a third card of a Player who stands
            of_third = ends.setdefault(way.players_third, dict.fromkeys(Winner, 0))
            of_third[way.winner] += way.weight
        hands = tuple(Hand)[seen["asked"] :]
        window = 5 if len(table.player) == 3 else 4
        return cls(setting, seen, window, hands, bets, promised, is_taken, ends)

    def values(self) -> Values:
        return {
            number: self._chosen(self.hands, self.promised, self.is_taken, action.move) / self.setting.unit
            for number, action in enumerate(self.setting.actions)
            if action.move in (Move.INSURE, Move.HOLD, Move.PASS)
        }

    def _chosen(self, hands: tuple[Hand, ...], promised: dict[Hand, int], is_taken: bool, move: Move) -> Fraction:
        """What is gained if this is done with the first of these hands, and then the best."""
        hand = hands[0]
        offer = self._offers(self.window, STOOD)[hand]
        stake = holdings.greatest_insurance(offer, self.bets[hand], promised[hand]) if move is Move.INSURE else 0
        stake = LEAST_INSURANCE if move is Move.HOLD else stake
        after = {**promised, hand: promised[hand] + holdings.promised_by(offer.odds, stake)}
        now = stake * _worth(offer, self.ends.values())
        return now + self._best(hands[1:], after, is_taken or stake > 0)

    def _best(self, hands: tuple[Hand, ...], promised: dict[Hand, int], is_taken: bool) -> Fraction:
        asked = [hand for hand in hands if self._is_asked(hand, promised)]
        if asked:
            moves = (Move.INSURE, Move.HOLD, Move.PASS)
            return max(
                self._chosen((asked[0], *hands[hands.index(asked[0]) + 1 :]), promised, is_taken, m) for m in moves
            )
        return self._later(promised) if self.window == 4 and is_taken else NOTHING

    def _is_asked(self, hand: Hand, promised: dict[Hand, int]) -> bool:
        offer = self._offers(self.window, STOOD).get(hand)
        return offer is not None and self._most(offer, promised) >= LEAST_INSURANCE

    def _most(self, offer: InsuranceOffer, promised: dict[Hand, int]) -> int:
        """To the cap; nothing where the main bet is not held."""
        bet = self.bets[offer.hand]
        return holdings.greatest_insurance(offer, bet, promised[offer.hand]) if bet else 0

    def _later(self, promised: dict[Hand, int]) -> Fraction:
        """What the second window adds on average, where the first was not passed up."""
        gain, total = NOTHING, sum(sum(ends.values()) for ends in self.ends.values())
        for third, ends in self.ends.items():
            for offer in self._offers(5, third).values() if third != STOOD else ():
                worth = self._most(offer, promised) * _worth(offer, (ends,))
                gain += max(NOTHING, worth) * Fraction(sum(ends.values()), total)
        return gain

    def _offers(self, window: int, third: int) -> dict[Hand, InsuranceOffer]:
        """What a window offers; `third` where Player's third card is not on the table yet."""
        table = RoundSoFar.of(self.setting.book.play, _table(self.seen))
        player, banker = _first_points(table)
        if window == 4:
            return {offer.hand: offer for offer in self.setting.book.open_offers(4, player, banker)}
        third = table.player_points[2] if third == STOOD else third
        return {o.hand: o for o in self.setting.book.open_offers(5, (player + third) % 10, banker, third)}


def _first_points(table: RoundSoFar) -> tuple[int, int]:
    return sum(table.player_points[:2]) % 10, sum(table.banker_points[:2]) % 10


def _worth(offer: InsuranceOffer, ends: Iterable[_Ends]) -> Fraction:
    """What a unit of insurance gains."""
    gained, total = NOTHING, 0
    for one in ends:
        gained += sum((offer.outcome(winner).net * number for winner, number in one.items()), NOTHING)
        total += sum(one.values())
    return gained / total
