"""Antes in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.money import format_amount, format_money
from punto.table.antes import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    fact,
    fields,
    stake_fact,
)


def _tell_antes_asked(telling: Telling, event: e.AntesAsked) -> Iterator[Told]:
    ante = telling.book.ante
    assert ante is not None
    for stake in event.antes:
        due = format_money(ante.multiple * stake.amount)
        yield Told(About.OFFER, f"{telling.stake(stake)}; wager {due} or give up?")


def _wager_placed_facts(event: e.WagerPlaced) -> list[FactLine]:
    return [fact("wagered", event.box, event.player, event.area, format_amount(event.amount))]


def _tell_wagered(telling: Telling, event: e.WagerPlaced) -> Iterator[Told]:
    yield Told(About.NOTE, f"{telling.bet(event)}: {format_money(event.amount)}")


def _tell_given_up(telling: Telling, event: e.AnteGivenUp) -> Iterator[Told]:
    yield Told(About.NOTE, f"{telling.bet(event)}: given up{by_clause(event.clause)}")


WORDS = {
    e.AntesAsked: Words(
        ("asked",), lambda event: [stake_fact("asked", ante) for ante in event.antes], _tell_antes_asked
    ),
    e.WagerPlaced: Words(("wagered",), _wager_placed_facts, _tell_wagered),
    e.AnteGivenUp: Words(
        ("given-up",), fields("given-up", "box", "player", "area", "clause"), _tell_given_up
    ),
}
