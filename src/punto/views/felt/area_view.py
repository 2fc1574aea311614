"""A betting area: its name, its odds, its limits, and whether the viewer may bet on it now."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache, partial

import msgspec

from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.pay_table import CompiledRow
from punto.rules.text.bet import Area, Bet
from punto.rules.text.when import When
from punto.rules.words import outcome_words
from punto.table.asking import Legal
from punto.table.command import PlaceBet, PlaceWager
from punto.table.state import Table
from punto.views.cost import edge_of
from punto.views.labels import LabelView, area_label, row_label


class AreaGroup(Enum):
    """Where an area lies on the layout."""

    MAIN = "main"
    PAIR = "pair"
    SIDE = "side"
    ANTE = "ante"
    WAGER = "wager"


class PaysView(msgspec.Struct, frozen=True):
    """One row of a pay table in words."""

    when: LabelView
    """When it holds: `Banker wins on 6`."""
    pays: str
    """Odds such as `8:1`, or `push` or `lose`."""
    clause: str


class AreaView(msgspec.Struct, frozen=True):
    """A betting area. Amounts are minor units."""

    area: str
    """Its name in commands, such as `banker-pair`."""
    label: LabelView
    group: AreaGroup
    hand: Hand | None
    """The hand that a main bet, an ante or a wager is on."""
    odds: tuple[str, ...]
    """What it can pay, the highest last as the book writes it, such as `8:1`."""
    pays: tuple[PaysView, ...]
    """Its whole pay table in words."""
    needs: tuple[str, ...]
    """Areas of which the same player must hold at least one."""
    least: int
    """The least stake at this table."""
    most: int | None
    """The greatest stake at this table, where it has one."""
    edge: float | None
    """The part of a stake that the house keeps on average, with a full shoe of the table's decks."""
    on: bool
    """Whether the viewer may bet on it now, in some box."""


def area_views(table: Table, legal: tuple[Legal, ...]) -> tuple[AreaView, ...]:
    """Every betting area of a table; `legal` is what the viewer may do."""
    open_areas = {entry.command.area for entry in legal if isinstance(entry.command, PlaceBet | PlaceWager)}
    terms = table.terms
    views = []
    for fixed in _fixed(table.book, terms.decks):
        limits = terms.limits_of(fixed.area)
        views.append(
            msgspec.structs.replace(
                fixed, least=limits.minimum, most=limits.maximum, on=fixed.area in open_areas
            )
        )
    return tuple(views)


@lru_cache(maxsize=64)
def _fixed(book: Book, decks: int) -> tuple[AreaView, ...]:
    """What a book alone says of its areas."""
    return tuple(_area_view(book, decks, bet) for bet in book.bets)


def _area_view(book: Book, decks: int, bet: Bet) -> AreaView:
    rows = book.pay_tables[bet.area].rows
    return AreaView(
        area=bet.area,
        label=area_label(book, bet.area),
        group=_group(bet),
        hand=bet.hand,
        odds=tuple(dict.fromkeys(row.odds for row in bet.pays if row.odds)),
        pays=tuple(map(partial(_pays, book), rows)),
        needs=bet.needs,
        least=0,
        most=None,
        edge=edge_of(book, decks, bet.area),
        on=False,
    )


def _pays(book: Book, row: CompiledRow) -> PaysView:
    return PaysView(row_label(book, row), outcome_words(row.outcome), row.outcome.clause)


def _group(bet: Bet) -> AreaGroup:
    """Side bets on a pair of one hand lie beside that hand; what a bet is on follows from its pay table."""
    if bet.kind is not Area.SIDE:
        return AreaGroup(bet.kind.value)
    wins = [row.when for row in bet.pays if row.odds and row.when is not None]
    facts = [one for when in wins for one in (when if isinstance(when, tuple) else (when,))]
    return AreaGroup.PAIR if facts and all(map(_is_pair, facts)) else AreaGroup.SIDE


def _is_pair(when: When) -> bool:
    asked = [name for name in when.__struct_fields__ if getattr(when, name) is not None]
    return asked in (["player_pair"], ["banker_pair"])
