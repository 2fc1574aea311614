"""A table of play as a pure state machine: `act` makes a step of a command, and events fold into the state.

Names are loaded when they are first asked for: settling one slip needs none of the commands and events. No
module has the name of a function, so that what is asked for here never depends on what was loaded before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from punto.money import Rounding, format_amount, parse_amount
    from punto.refusal import Reason, Refusal
    from punto.table.acting import Step, act, decide, evolve, evolved, refusal_of
    from punto.table.command import Command
    from punto.table.event import Event
    from punto.table.legality import Legal, legal_commands
    from punto.table.slip import SettlementLine, finished_deal, offers_of, settle_bet, settle_bets, settle_slip
    from punto.table.state import Phase, State, Table
    from punto.table.terms import Terms, default_terms, wrong_terms

__all__ = [
    "Command",
    "Event",
    "Legal",
    "Phase",
    "Reason",
    "Refusal",
    "Rounding",
    "SettlementLine",
    "State",
    "Step",
    "Table",
    "Terms",
    "act",
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
    "Legal": "punto.table.legality",
    "Phase": "punto.table.state",
    "Reason": "punto.refusal",
    "Refusal": "punto.refusal",
    "Rounding": "punto.money",
    "SettlementLine": "punto.table.slip",
    "State": "punto.table.state",
    "Step": "punto.table.acting",
    "Table": "punto.table.state",
    "Terms": "punto.table.terms",
    "act": "punto.table.acting",
    "decide": "punto.table.acting",
    "default_terms": "punto.table.terms",
    "evolve": "punto.table.acting",
    "evolved": "punto.table.acting",
    "finished_deal": "punto.table.slip",
    "format_amount": "punto.money",
    "legal_commands": "punto.table.legality",
    "offers_of": "punto.table.slip",
    "parse_amount": "punto.money",
    "refusal_of": "punto.table.acting",
    "settle_bet": "punto.table.slip",
    "settle_bets": "punto.table.slip",
    "settle_slip": "punto.table.slip",
    "wrong_terms": "punto.table.terms",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
