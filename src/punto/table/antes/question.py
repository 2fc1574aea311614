"""The question of the ante: once the card is shown, everybody with an ante is asked."""

from __future__ import annotations

from punto.rules.text.bet import Area
from punto.table.antes import events as e
from punto.table.draft import Draft
from punto.table.layout import AnteState, Stake


def ask_antes(draft: Draft) -> bool:
    """Ask for every ante once the card is shown; whether there was one to ask for."""
    ante = draft.book.ante
    if ante is None or draft.state.cards_out < ante.shown_cards:
        return False
    antes = []
    for bet in draft.state.bets:
        rule = draft.book.bet(bet.area)
        if rule is not None and rule.kind is Area.ANTE and bet.ante is AnteState.OPEN:
            antes.append(Stake(bet.box, bet.player, bet.area, bet.stake))
    if antes:
        draft.add(e.AntesAsked(*draft.stamp, antes=tuple(antes)))
    return bool(antes)
