"""The table, its shoe and its people in words."""

from __future__ import annotations

from collections.abc import Iterator

from punto.money import format_money
from punto.table.house import events as e
from punto.table.terms import Terms, boxes_of
from punto.table.words import (
    About,
    FactLine,
    Telling,
    Told,
    Words,
    by_clause,
    counted,
    fact,
    fields,
    say,
)


def _tell_opened(telling: Telling, event: e.TableOpened) -> Iterator[Told]:
    yield Told(About.RESULT, telling.book.title)
    yield Told(About.NOTE, "the table is open")
    yield from _terms(telling, event.terms)


def _tell_changed(telling: Telling, event: e.TermsChanged) -> Iterator[Told]:
    yield Told(About.NOTE, "the terms of the table are changed")
    yield from _terms(telling, event.terms)
    if event.needs_shoe:
        yield Told(About.NOTE, "the cards in play no longer fit: a new shoe is needed")


def _shoe_loaded_facts(event: e.ShoeLoaded) -> list[FactLine]:
    return [fact("shoe", event.number, "burn-due" if event.burn_due else None)]


def _tell_shoe_loaded(_: Telling, event: e.ShoeLoaded) -> Iterator[Told]:
    burn = "; cards are to be burned" if event.burn_due else ""
    if event.instead:
        yield Told(About.NOTE, f"the shoe before it is not dealt from any more: {event.instead}")
    yield Told(About.NOTE, f"shoe {event.number} is in play, {counted(event.decks, 'deck')}{burn}")
    if event.commitment:
        yield Told(About.NOTE, f"the house is bound to its order by {event.commitment}")


def _cards_burned_facts(event: e.CardsBurned) -> list[FactLine]:
    return [fact("burned", event.count, *(("shown", event.shown) if event.shown else ()))]


def _tell_burned(_: Telling, event: e.CardsBurned) -> Iterator[Told]:
    shown = f", {event.shown.symbol} shown" if event.shown else ""
    are = "is" if event.count == 1 else "are"
    yield Told(About.NOTE, f"{counted(event.count, 'card')} {are} burned{shown}")


def _seat_taken_facts(event: e.SeatTaken) -> list[FactLine]:
    notice = ("notice", event.notice) if event.notice else ()
    return [fact("seated", event.box, event.player, *notice)]


def _tell_seated(_: Telling, event: e.SeatTaken) -> Iterator[Told]:
    notice = f" and accepts the notice{by_clause(event.notice)}" if event.notice else ""
    yield Told(About.NOTE, f"{event.player} sits down at box {event.box}{notice}")


def _terms(telling: Telling, terms: Terms) -> Iterator[Told]:
    most = f"to {format_money(terms.maximum)}" if terms.maximum else "and more"
    limits = f"bets of {format_money(terms.minimum)} {most}"
    if terms.differential is not None:
        limits += f", differential {format_money(terms.differential)}"
    boxes = boxes_of(telling.book, terms)
    size = f"{counted(boxes, 'box', 'boxes')}, {counted(terms.decks, 'deck')}"
    yield Told(About.NOTE, f"{terms.layout}, {size}, face {terms.faces.value}")
    yield Told(About.NOTE, f"{limits}, chip {format_money(terms.chip)} {terms.currency}")
    insurance = telling.book.insurance
    if insurance is not None and not terms.insurance:
        yield Told(
            About.NOTE, f"notice: no insurance is offered at this table{by_clause(insurance.notice_clause)}"
        )


WORDS = {
    e.TableOpened: Words(
        ("opened",), lambda event: [fact("opened", event.terms.book, event.terms.layout)], _tell_opened
    ),
    e.TermsChanged: Words(
        ("changed",), lambda event: [fact("changed", "new-shoe" if event.needs_shoe else None)], _tell_changed
    ),
    e.TablePaused: Words(("paused",), fields("paused"), say(About.NOTE, "the table is paused")),
    e.TableResumed: Words(("resumed",), fields("resumed"), say(About.NOTE, "the table is resumed")),
    e.TableClosed: Words(("table-closed",), fields("table-closed"), say(About.NOTE, "the table is closed")),
    e.ShoeLoaded: Words(("shoe",), _shoe_loaded_facts, _tell_shoe_loaded),
    e.CardsBurned: Words(("burned",), _cards_burned_facts, _tell_burned),
    e.CutCardCameOut: Words(
        ("cut-card",),
        fields("cut-card", "last_round"),
        say(About.NOTE, "the cut card is out: round {last_round} is the last of this shoe"),
    ),
    e.SeatTaken: Words(("seated",), _seat_taken_facts, _tell_seated),
    e.SeatLeft: Words(
        ("left",), fields("left", "box", "player"), say(About.NOTE, "{player} leaves box {box}")
    ),
    e.WalkedAway: Words(("away",), fields("away", "player"), say(About.NOTE, "{player} walks away")),
    e.CameBack: Words(("back",), fields("back", "player"), say(About.NOTE, "{player} is back")),
}
