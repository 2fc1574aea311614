"""A table of play as a pure state machine: `decide` makes events of commands, `evolve` folds them.

Names are loaded when they are first asked for: settling one slip needs none of the commands and events. No
module has the name of a function, so that what is asked for here never depends on what was loaded before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from punto.money import Rounding, format_amount, parse_amount
    from punto.table.command import Command
    from punto.table.decision import decide, refusal_of
    from punto.table.event import Event
    from punto.table.fold import evolve, evolved
    from punto.table.legal import Legal, legal_commands
    from punto.table.refusal import Reason, Refusal
    from punto.table.settlement import Line, settle_bet, settle_bets
    from punto.table.slip import finished_deal, offers_of, settle_slip
    from punto.table.state import Phase, State, Table
    from punto.table.terms import Terms, default_terms, wrong_terms

__all__ = [
    "Command",
    "Event",
    "Legal",
    "Line",
    "Phase",
    "Reason",
    "Refusal",
    "Rounding",
    "State",
    "Table",
    "Terms",
    "decide",
    "default_terms",
    "evolve",
    "evolved",
    "finished_deal",
    "format_amount",
    "legal_commands",
    "offers_of",
    "parse_amount",
    "refusal_of",
    "settle_bet",
    "settle_bets",
    "settle_slip",
    "wrong_terms",
]

_HOMES = {
    "Command": "punto.table.command",
    "Event": "punto.table.event",
    "Legal": "punto.table.legal",
    "Line": "punto.table.settlement",
    "Phase": "punto.table.state",
    "Reason": "punto.table.refusal",
    "Refusal": "punto.table.refusal",
    "Rounding": "punto.money",
    "State": "punto.table.state",
    "Table": "punto.table.state",
    "Terms": "punto.table.terms",
    "decide": "punto.table.decision",
    "default_terms": "punto.table.terms",
    "evolve": "punto.table.fold",
    "evolved": "punto.table.fold",
    "finished_deal": "punto.table.slip",
    "format_amount": "punto.money",
    "legal_commands": "punto.table.legal",
    "offers_of": "punto.table.slip",
    "parse_amount": "punto.money",
    "refusal_of": "punto.table.decision",
    "settle_bet": "punto.table.settlement",
    "settle_bets": "punto.table.settlement",
    "settle_slip": "punto.table.slip",
    "wrong_terms": "punto.table.terms",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
