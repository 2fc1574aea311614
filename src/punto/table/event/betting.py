"""What happens to bets before the deal."""

from __future__ import annotations

from punto.table.event.header import EventHeader


class BetsCalled(EventHeader, frozen=True):
    round: int


class BetPlaced(EventHeader, frozen=True):
    """A bet was placed or raised; `amount` is what was taken of it now."""

    box: int
    player: str
    area: str
    amount: int
    is_seated: bool
    rejected: int = 0
    """The part over the limit that was pushed back, by `clause`."""
    clause: str | None = None


class BetReturned(EventHeader, frozen=True):
    """Part of a bet, or all of it, went back before it was decided."""

    box: int
    player: str
    area: str
    amount: int
    why: str
    """Reason code: withdrawn, reduced, needs-bet, excess, pro-rata, option, ruling."""
    clause: str | None = None


class WithdrawalIgnored(EventHeader, frozen=True):
    """Chips were taken off after the close: the bet stays in force."""

    box: int
    player: str
    area: str
    clause: str


class MinimumAdvised(EventHeader, frozen=True):
    box: int
    player: str
    area: str
    clause: str | None


class BetsClosed(EventHeader, frozen=True):
    clause: str
