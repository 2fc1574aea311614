"""Logs of tables that were really dealt, shoe after shoe, and faults planted in what they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from msgspec.structs import replace

from punto import books
from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Result
from punto.table import Phase, Table, act, default_terms
from punto.table.betting import BetsCalled, CallBets, CloseBets, PlaceBet
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.house import BurnCards, CutCardCameOut, LoadShoe, OpenTable, TakeSeat, is_shoe_finished
from punto.table.settlement import RoundSettled, SettleRound


def dealt_log(name: str, shoes: int, seed: object, area: str = "tie") -> Iterator[Event]:
    """The events of a table of honest shoes, with one player who bets on one area in every round."""
    random, book = Random(repr(seed)), books.load(name)
    terms = replace(default_terms(book), source=SourceKind.ENTERED, minimum=100, chip=100)
    table, clock = Table(book), count(1)
    cards: list[Card] = []

    def give(command: Command) -> tuple[Event, ...]:
        nonlocal table
        step = act(table, replace(command, time=next(clock)))
        assert not isinstance(step, Refusal), step
        table = step.table
        return step.events

    yield from give(OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
    for _ in range(shoes):
        cards = [card for card in DECK for _ in range(terms.decks)]
        random.shuffle(cards)
        yield from give(LoadShoe(actor="Dan", role=Role.DEALER))
        if table.state.burn_due:
            shown = cards[0]
            yield from give(BurnCards(actor="Dan", role=Role.DEALER, card=shown))
        assert table.state.shoe is not None
        del cards[: table.state.shoe.size - table.state.shoe.cards_left]
        while not is_shoe_finished(table.state):
            yield from give(CallBets(actor="Dan", role=Role.DEALER))
            bet = PlaceBet(actor="Ray", role=Role.PLAYER, box=1, area=area, amount=10_000)
            if table.state.box_of("Ray") is None:
                yield from give(TakeSeat(actor="Ray", role=Role.PLAYER, box=1))
            yield from give(bet)
            if table.state.phase is Phase.BETTING and book.betting.closes.by.value == "call":
                yield from give(CloseBets(actor="Dan", role=Role.DEALER))
            while table.state.phase is not Phase.FINISHED:
                yield from give(DealCard(actor="Dan", role=Role.DEALER, card=cards.pop(0)))
            yield from give(SettleRound(actor="Dan", role=Role.DEALER))


def paying(events: Iterator[Event], area: str, to_one: int) -> Iterator[Event]:
    """The same table, but a bet that wins pays other odds than the book's."""
    for event in events:
        if isinstance(event, RoundSettled):
            lines = tuple(
                replace(line, net=line.stake * to_one, odds=f"{to_one}:1")
                if line.area == area and line.result is Result.WIN
                else line
                for line in event.bets
            )
            yield replace(event, bets=lines)
        else:
            yield event


def without_cut_card(events: Iterator[Event]) -> Iterator[Event]:
    """The same table, but nobody calls the cut card out."""
    return (event for event in events if not isinstance(event, CutCardCameOut))


def early_cut_card(events: Iterator[Event]) -> Iterator[Event]:
    """The same table, but the cut card is called out in the third round of each shoe."""
    for event in without_cut_card(events):
        yield event
        if isinstance(event, BetsCalled) and event.round % 80 == 3:
            yield CutCardCameOut(event.by, event.role, event.time, last_round=event.round + 1)


def late_cut_card(events: Iterator[Event]) -> Iterator[Event]:
    """The same table, but each cut card is called out in the round after the one in which it showed."""
    waiting: CutCardCameOut | None = None
    for event in events:
        if isinstance(event, CutCardCameOut):
            waiting = event
            continue
        yield event
        if isinstance(event, BetsCalled) and waiting is not None:
            yield waiting
            waiting = None
