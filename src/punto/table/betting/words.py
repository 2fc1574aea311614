"""Bets in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.money import format_amount, format_money
from punto.rules.text.betting import Signal
from punto.table.betting import events as e
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    fact,
    fields,
)


def _tell_called(telling: Telling, event: e.BetsCalled) -> Iterator[Told]:
    words = telling.book.betting.opens.words
    yield Told(About.ROUND, f"Round {event.round}")
    yield Told(About.CALL, words.en) if words else Told(About.NOTE, "bets are open")


def _bet_placed_facts(event: e.BetPlaced) -> list[FactLine]:
    rejected = ("rejected", format_amount(event.rejected)) if event.rejected else ()
    amount = format_amount(event.amount)
    return [fact("bet", event.box, event.player, event.area, amount, *rejected, event.clause)]


def _tell_placed(telling: Telling, event: e.BetPlaced) -> Iterator[Told]:
    standing = "" if event.is_seated else ", standing"
    yield Told(About.NOTE, f"{telling.bet(event)}{standing}: {format_money(event.amount)}")
    if event.rejected:
        yield Told(About.NOTE, f"rejected: {format_money(event.rejected)}{by_clause(event.clause)}")


def _bet_returned_facts(event: e.BetReturned) -> list[FactLine]:
    amount = format_amount(event.amount)
    return [fact("returned", event.box, event.player, event.area, amount, event.why, event.clause)]


def _tell_returned(telling: Telling, event: e.BetReturned) -> Iterator[Told]:
    why = _WHY.get(event.why, event.why)
    text = f"back to {telling.bet(event)}: {format_money(event.amount)}, {why}{by_clause(event.clause)}"
    yield Told(About.NOTE, text)


def _tell_in_force(telling: Telling, event: e.WithdrawalIgnored) -> Iterator[Told]:
    yield Told(About.NOTE, f"{telling.bet(event)}: taken off too late, in force{by_clause(event.clause)}")


def _tell_advised(telling: Telling, event: e.MinimumAdvised) -> Iterator[Told]:
    yield Told(
        About.NOTE, f"{telling.bet(event)}: told that it is under the minimum{by_clause(event.clause)}"
    )


def _tell_bets_closed(telling: Telling, event: e.BetsClosed) -> Iterator[Told]:
    closes = telling.book.betting.closes
    if closes.words:
        yield Told(About.CALL, closes.words.en)
    elif closes.by is Signal.CALL:
        yield Told(About.NOTE, f"the bets are closed{by_clause(event.clause)}")
    else:
        yield Told(About.NOTE, f"the first card closes the bets{by_clause(event.clause)}")


_WHY = {
    "withdrawn": "withdrawn",
    "reduced": "reduced",
    "needs-bet": "off with the bet it needs",
    "excess": "over the limit",
    "pro-rata": "pro rata",
}


WORDS = {
    e.BetsCalled: Words(("called",), fields("called", "round"), _tell_called),
    e.BetPlaced: Words(("bet",), _bet_placed_facts, _tell_placed),
    e.BetReturned: Words(("returned",), _bet_returned_facts, _tell_returned),
    e.WithdrawalIgnored: Words(
        ("in-force",), fields("in-force", "box", "player", "area", "clause"), _tell_in_force
    ),
    e.MinimumAdvised: Words(
        ("advised",), fields("advised", "box", "player", "area", "clause"), _tell_advised
    ),
    e.BetsClosed: Words(("closed",), fields("closed", "clause"), _tell_bets_closed),
}
