"""The question of the ante: once the card is shown, everybody with an ante is asked."""

from __future__ import annotations

from punto.rules.text.bet import Area
from punto.table.antes import events as e
from punto.table.draft import Draft
from punto.table.layout import AnteState, Stake
from punto.table.state import Table


def ask_antes(draft: Draft) -> bool:
    """Ask for every ante once the card is open; whether there was one to ask for."""
    antes = open_antes(draft.table)
    if not antes or waits_for_card(draft.table):
        return False
    draft.add(e.AntesAsked(*draft.stamp, antes=antes))
    return True


def waits_for_card(table: Table) -> bool:
    """Whether antes cannot be asked for yet: a card that they are decided by is to come, or lies closed."""
    ante, order = table.book.ante, table.state.order
    if ante is None or not open_antes(table):
        return False
    return not all(slot.face_up for slot in order[: ante.shown_cards]) or len(order) < ante.shown_cards


def open_antes(table: Table) -> tuple[Stake, ...]:
    """Antes that nobody has decided."""
    antes = []
    for bet in table.state.bets if table.book.ante is not None else ():
        rule = table.book.bet(bet.area)
        if rule is not None and rule.kind is Area.ANTE and bet.ante is AnteState.OPEN:
            antes.append(Stake(bet.box, bet.player, bet.area, bet.stake))
    return tuple(antes)
