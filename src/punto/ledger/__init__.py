"""What people own at a table, derived from its events."""

from __future__ import annotations

from punto.ledger.purse import Purse, purse_of

__all__ = ["Purse", "purse_of"]
