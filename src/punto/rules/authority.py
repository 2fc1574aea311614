"""Who may give which command at a table, and which commands need a second person.

A book states what its document says; a table's terms may state more; where both are silent the house's
reading below holds.
"""

from __future__ import annotations

from punto.rules.role import LADDER, Role
from punto.rules.text.entry import Entry, Name


class Authority(Entry, frozen=True):
    """The roles that may give a command."""

    command: Name
    roles: tuple[Role, ...]
    second: Role | None = None
    """A second person, of at least this rank, must agree."""
    clause: str | None = None


_DEALER = (Role.DEALER,)
_PLAYER = (Role.PLAYER,)
_STAFF = LADDER
_PIT = LADDER[1:]
_ON_BEHALF = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)

HOUSE: dict[str, Authority] = {
    entry.command: entry
    for entry in (
        *(Authority(name, _PIT) for name in ("open-table", "change-terms", "close-table")),
        *(Authority(name, _STAFF) for name in ("pause-table", "resume-table", "load-shoe", "burn-cards")),
        *(
            Authority(name, (Role.PLAYER, *_ON_BEHALF))
            for name in ("place-bet", "reduce-bet", "withdraw-bet")
        ),
        *(
            Authority(name, (Role.PLAYER, *_STAFF))
            for name in ("take-seat", "leave-seat", "walk-away", "come-back")
        ),
        *(Authority(name, _DEALER) for name in ("call-bets", "close-bets", "correct-card", "settle-round")),
        *(Authority(name, (Role.DEALER, Role.PLAYER)) for name in ("deal-card", "reveal-card")),
        *(Authority(name, _ON_BEHALF) for name in ("reject-excess", "advise-minimum")),
        *(Authority(name, (Role.PLAYER, *_ON_BEHALF)) for name in ("place-wager", "give-up-ante")),
        Authority("expire-antes", _DEALER),
        Authority("offer-insurance", _DEALER),
        *(Authority(name, (Role.PLAYER, *_ON_BEHALF)) for name in ("take-insurance", "decline-insurance")),
        Authority("wish-insurance", (Role.PLAYER, *_ON_BEHALF)),
        Authority("ask-squeeze", _PLAYER),
        Authority("answer-squeeze", _STAFF),
        Authority("report", _STAFF),
        *(Authority(name, _PIT) for name in ("judge-reconstruction", "void-round", "dismiss-report")),
        *(Authority(name, _PIT) for name in ("order-cards", "replace-cards")),
        Authority("choose-option", _PLAYER),
        Authority("close-options", _STAFF),
        Authority("return-bets", (Role.PIT_MANAGER, Role.SHIFT_MANAGER)),
        Authority("rule", (Role.SHIFT_MANAGER,)),
    )
}
"""The house's reading: who may give each command where book and terms are silent."""


def authority_over(command: str, book: tuple[Authority, ...], terms: tuple[Authority, ...]) -> Authority:
    """Who may give a command: the terms are asked first, then the book, then the house's reading."""
    for entry in (*terms, *book):
        if entry.command == command:
            return entry
    return HOUSE[command]
