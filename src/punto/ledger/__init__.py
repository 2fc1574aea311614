"""What everybody owns, derived from the events of tables and from the cashier."""

from __future__ import annotations

from punto.ledger.account import (
    AccountKind,
    bank_account,
    cash_account,
    float_account,
    held_account,
    kind_of,
    may_go_below_zero,
    play_account,
    player_account,
)
from punto.ledger.cashier import buy_in, cash_out, correct, refuse_funds
from punto.ledger.movement import Movement, MovementKind, Posting, moved, totals
from punto.ledger.postings import movements_of
from punto.ledger.purse import Purse, purse_of
from punto.ledger.results import TableResults, results_of

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
