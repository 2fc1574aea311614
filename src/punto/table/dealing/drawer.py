"""Who draws the cards: the dealer, or a player whom the house rules name (ez 2).

A player who should draw and does not would hold everybody up, so the dealer may take over. What a person
decides by looking, an automatic dealer decides by a clock.
"""

from __future__ import annotations

from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.table.dealing import commands as c
from punto.table.dealing import events as e
from punto.table.draft import Draft
from punto.table.state import Phase, Table
from punto.table.terms import Drawing
from punto.table.verb import Verb, Verbs


def drawer_of(table: Table) -> str | None:
    """The player who draws the cards of this round, None for the dealer."""
    state = table.state
    if table.terms.drawing is Drawing.DEALER or state.is_draw_taken:
        return None
    seated = {bet.box: bet.player for bet in state.bets if bet.is_seated and bet.player not in state.away}
    players = [seated[box] for box in sorted(seated)]
    return players[(state.round - 1) % len(players)] if players else None


def refuse_drawer(table: Table, command: c.DealCard) -> Refusal | None:
    """Who draws the cards is for the house rules to say."""
    drawer = drawer_of(table)
    if drawer == (command.actor if command.role is Role.PLAYER else None):
        return None
    return Refusal(Reason.NOT_THE_DRAWER, table.book.play.drawer_clause, {"player": drawer or "the dealer"})


def refuse_take(table: Table, _: c.TakeDraw) -> Refusal | None:
    if table.state.phase in (Phase.BETTING, Phase.DEALING) and drawer_of(table) is not None:
        return None
    return Refusal(Reason.NO_CASE, table.book.play.drawer_clause, {"why": "no player is to draw a card"})


def take_draw(draft: Draft, _: c.TakeDraw) -> None:
    drawer = drawer_of(draft.table)
    assert drawer is not None
    draft.add(e.DrawTaken(*draft.stamp, player=drawer, clause=draft.book.play.drawer_clause))


VERBS: Verbs = {c.TakeDraw: Verb(refuse=refuse_take, carry_out=take_draw)}
