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
    from punto.table.slip import SettlementLine, finished_coup, offers_of, settle_bet, settle_slip
    from punto.table.state import Phase, State, Table
    from punto.table.terms import Terms, default_terms, wrong_terms

__all__ = ["Command", "Event", "Legal", "Phase", "Reason", "Refusal", "Rounding", "SettlementLine", "State", "Step"]
__all__ += ["Table", "Terms", "act", "decide", "default_terms", "evolve", "evolved", "finished_coup", "format_amount"]
__all__ += ["legal_commands", "offers_of", "parse_amount", "refusal_of", "settle_bet", "settle_slip"]
__all__ += ["wrong_terms"]

_HOMES = {
    name: module
    for module, names in {
        "punto.money": "Rounding format_amount parse_amount",
        "punto.refusal": "Reason Refusal",
        "punto.table.acting": "Step act decide evolve evolved refusal_of",
        "punto.table.command": "Command",
        "punto.table.event": "Event",
        "punto.table.legality": "Legal legal_commands",
        "punto.table.slip": "SettlementLine finished_coup offers_of settle_bet settle_slip",
        "punto.table.state": "Phase State Table",
        "punto.table.terms": "Terms default_terms wrong_terms",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
