"""How bets open and close, how limits bind, how a round is paid, and who may squeeze."""

from __future__ import annotations

from enum import Enum

from punto.rules.text.entry import Entry, Labels, Text


class Signal(Enum):
    """What opens or closes the betting."""

    CALL = "call"
    FIRST_CARD = "first-card"


class Call(Entry, frozen=True):
    """The opening or closing of bets."""

    by: Signal
    """What opens or closes the bets: the dealer's call, or the first card."""
    clause: Text
    """The clause on it."""
    words: Labels | None = None
    """What the dealer says, where the document has a call."""


class Withdrawal(Enum):
    """What taking a bet off after the close means."""

    REFUSED = "refused"
    IN_FORCE = "in-force"


class Betting(Entry, frozen=True):
    """How bets open and close, and what a late try means."""

    opens: Call
    """What opens the bets."""
    closes: Call
    """What closes the bets."""
    late_clause: Text
    """Nothing is placed or raised after the close."""
    late_withdrawal: Withdrawal
    """What withdrawing a bet after the close means: refused, or the bet stays in force."""
    late_withdrawal_clause: Text
    """The clause on it."""
    areas_clause: Text
    """The clause on the betting areas; there are no others."""
    boxes_clause: str | None = None
    """Every player has a box."""
    standing_clause: str | None = None
    """Who may bet behind a seated player."""


class LimitKind(Enum):
    """What the greatest amount at a box is measured by."""

    PER_BET = "per-bet"
    DIFFERENTIAL = "differential"


class Limits(Entry, frozen=True):
    """How a table's limits bind."""

    kind: LimitKind
    """What limits a box: each bet alone, or the difference between Banker and Player bets."""
    shown_clause: str | None = None
    """Limits are displayed."""
    minimum_clause: str | None = None
    """A bet under the minimum, noticed in time."""
    unnoticed_clause: str | None = None
    """A bet under the minimum that nobody noticed."""
    excess_clause: str | None = None
    """Over the greatest differential, noticed in time."""
    pro_rata_clause: str | None = None
    """Over the greatest differential and not rejected."""
    exempt_clause: str | None = None
    """A bet under the minimum is not scaled."""


class Order(Enum):
    """In which order boxes are settled."""

    COUNTER_CLOCKWISE = "counter-clockwise"
    """From the dealer's right, where box 1 is."""


class Settlement(Entry, frozen=True):
    """How a finished round is paid."""

    order: Order
    """The order in which boxes are settled."""
    clause: Text
    """The clause on settlement."""
    void_clause: str | None = None
    """A void round returns every bet."""


class Squeeze(Entry, frozen=True):
    """Who may open cards by hand, and what that waives."""

    clause: Text
    """Who may squeeze cards."""
    reorder_clause: Text
    """Banker's third card before Player's third waives the last insurance window for all."""
