"""What everybody owns, derived from the events of tables and from the cashier."""

from __future__ import annotations

from punto.ledger.movement import (
    AccountKind,
    Movement,
    MovementKind,
    Posting,
    bank_account,
    buy_in,
    cash_account,
    cash_out,
    correct,
    float_account,
    held_account,
    kind_of,
    may_go_below_zero,
    moved,
    play_account,
    player_account,
    refuse_funds,
    totals,
)
from punto.ledger.postings import movements_of
from punto.ledger.results import Purse, TableResults, purse_of, results_of

__all__ = [
    "AccountKind",
    "Movement",
    "MovementKind",
    "Posting",
    "Purse",
    "TableResults",
    "bank_account",
    "buy_in",
    "cash_account",
    "cash_out",
    "correct",
    "float_account",
    "held_account",
    "kind_of",
    "may_go_below_zero",
    "moved",
    "movements_of",
    "play_account",
    "player_account",
    "purse_of",
    "refuse_funds",
    "results_of",
    "totals",
]
