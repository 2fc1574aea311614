"""Rounds with known results, as many as a test wants: four cards each, and only cards that are in the set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from punto.cards.card import DECK, Card
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.table.betting import CallBets, CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.house import LoadShoe
from punto.table.irregularity_case import Seen
from punto.table.irregularity_events import Effect, Report, Rule
from punto.table.settlement import SettleRound
from tests.browser.croupier import Croupier


@dataclass(frozen=True)
class KnownRound:
    """A round that was dealt: `P`, `B`, `T`, or `V` for a void; which hands had a pair."""

    result: str
    player_pair: bool
    banker_pair: bool


def deal_rounds(croupier: Croupier, results: str, seed: int = 7) -> list[KnownRound]:
    """Deal rounds with these results at a table of the book commission, straight to the floor."""
    random, left = Random(seed), Counter(dict.fromkeys(DECK, 8))
    dealt = []
    for wanted in results:
        cards = _cards_for("P" if wanted == "V" else wanted, random, left)
        left -= Counter(cards)
        _deal(croupier, cards, is_void=wanted == "V")
        one, two, three, four = (card.rank for card in cards)
        dealt.append(KnownRound(wanted, one == three, two == four))
    return dealt


def _deal(croupier: Croupier, cards: tuple[Card, ...], is_void: bool) -> None:
    now = croupier.floor.app_state.now()
    dan = {"actor": "Dan", "role": Role.DEALER, "time": now}
    rob = {"actor": "Rob", "role": Role.SHIFT_MANAGER, "time": now}
    commands: list[Command] = [] if croupier.shown().view["shoe"] else [LoadShoe(**dan)]  # type: ignore[arg-type]
    commands += [CallBets(**dan), CloseBets(**dan), *(DealCard(**dan, card=card) for card in cards)]  # type: ignore[arg-type]
    if is_void:
        commands.insert(-1, Report(**dan, seen=(Seen.INTERRUPTION,)))  # type: ignore[arg-type]
        commands[-1] = Rule(**rob, effect=Effect.VOID, reason="power cut")  # type: ignore[arg-type]
    else:
        commands.append(SettleRound(**dan))  # type: ignore[arg-type]
    version = croupier.shown().version
    for command in commands:
        found = croupier.floor.app_state.floor.give(croupier.table, command, version)
        assert not isinstance(found, Refusal), found
        version = found.version


def _cards_for(wanted: str, random: Random, left: Counter[Card]) -> tuple[Card, ...]:
    pool = list(left.elements())
    while True:
        cards = tuple(random.sample(pool, 4))
        player, banker = _points(cards[0], cards[2]), _points(cards[1], cards[3])
        is_over = max(player, banker) >= 8 or min(player, banker) >= 6
        winner = "T" if player == banker else "P" if player > banker else "B"
        if is_over and winner == wanted:
            return cards


def _points(first: Card, second: Card) -> int:
    return sum("A23456789".find(str(card)[:-1]) + 1 for card in (first, second)) % 10
