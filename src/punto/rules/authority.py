"""The people of a table, their order of rank, who may give which command, and which commands need a second
person.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from punto.rules.entry import Entry, Name
from punto.rules.told import Told, told


class Role(Enum):
    """In which capacity somebody acts at a table."""

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"
    DEVICE = "device"  # Not a person: it reads the cards of a shoe, and has a key for one table.

    def is_at_least(self, other: Role) -> bool:
        """Whether this role ranks as high as the other; roles off the ladder rank with nobody."""
        return self in LADDER and other in LADDER and LADDER.index(self) >= LADDER.index(other)


LADDER: tuple[Role, ...] = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER)
"""Rank at the table, lowest first. Whoever administers the system is above nobody here."""
PIT_ROLES: tuple[Role, ...] = LADDER[1:]  # Those of them who stand behind tables and look after several.


ROLES_OF_PEOPLE: tuple[Role, ...] = tuple(role for role in Role if role is not Role.DEVICE)
"""What somebody who logs in may be."""


class Authority(Entry, frozen=True):
    """The roles that may give a command."""

    command: Name
    """The command, such as void-round."""
    roles: tuple[Role, ...]
    """Who may give it."""
    second: Role | None = None
    """A second person, of at least this rank, must agree."""
    clause: str | None = None
    """The clause on it, where the document has one."""


# A book states what its document says; where it is silent the house's reading below holds. A table's terms
# may differ from the house's reading, and may ask for more than the book, but never for less. Who may open a
# table or change its terms is not for terms to say.
_ON_BEHALF = LADDER[:3]
_PLAYER_OR_ON_BEHALF = (Role.PLAYER, *_ON_BEHALF)

HOUSE_AUTHORITY: dict[str, Authority] = {
    command: Authority(command, roles)
    for roles, commands in (
        (PIT_ROLES, ("open-table", "change-terms", "close-table")),
        (LADDER, ("pause-table", "resume-table", "load-shoe", "burn-cards")),
        (_PLAYER_OR_ON_BEHALF, ("place-bet", "reduce-bet", "withdraw-bet")),
        ((Role.PLAYER, *LADDER), ("take-seat", "leave-seat", "walk-away", "come-back")),
        ((Role.DEALER,), ("call-bets", "close-bets", "correct-card", "settle-round")),
        ((Role.DEALER, Role.PLAYER, Role.DEVICE), ("deal-card",)),
        ((Role.DEALER, Role.PLAYER), ("reveal-card",)),
        (_ON_BEHALF, ("reject-excess", "advise-minimum")),
        (_PLAYER_OR_ON_BEHALF, ("place-wager", "give-up-ante")),
        ((Role.DEALER,), ("expire-antes", "expire-options", "take-draw", "offer-insurance")),
        (_PLAYER_OR_ON_BEHALF, ("take-insurance", "decline-insurance", "wish-insurance")),
        ((Role.PLAYER,), ("ask-squeeze",)),
        (LADDER, ("answer-squeeze", "report")),
        (PIT_ROLES, ("judge-reconstruction", "void-round", "dismiss-report", "withdraw-evidence", "order-cards")),
        (PIT_ROLES, ("replace-cards", "reopen-bets")),
        ((Role.PLAYER,), ("choose-option",)),
        (LADDER, ("close-options",)),
        ((Role.PIT_MANAGER, Role.SHIFT_MANAGER), ("return-bets",)),
        ((Role.SHIFT_MANAGER,), ("rule",)),
        ((Role.PLAYER,), ("pledge-bytes", "open-bytes")),
        (LADDER, ("close-pledges", "open-seed")),
    )
    for command in commands
}
"""The house's reading: who may give each command where book and terms are silent."""

ABOVE_TERMS = frozenset(("open-table", "change-terms"))
"""Commands that no terms decide about: whoever gives them chooses the terms."""


def authority_over(command: str, book: tuple[Authority, ...], terms: tuple[Authority, ...]) -> Authority:
    """Who may give a command: terms first where they have a say, then the book, then the house."""
    for entry in () if command in ABOVE_TERMS else terms:
        if entry.command == command:
            # What older terms gave to whoever terms cannot give it to is not given.
            roles = tuple(role for role in entry.roles if can_terms_give(command, role, book))
            if roles:
                return entry if roles == entry.roles else replace(entry, roles=roles)
    for entry in book:
        if entry.command == command:
            return entry
    return HOUSE_AUTHORITY[command]


def can_terms_give(command: str, role: Role, book: tuple[Authority, ...]) -> bool:
    """Whether the terms of some table could let a role give a command.

    Terms move powers within the staff, where the book is silent; nobody else can ever have one that book and
    house do not give.
    """
    if role in authority_over(command, book, ()).roles:
        return True
    is_open = command not in ABOVE_TERMS and all(entry.command != command for entry in book)
    return is_open and role in LADDER


def authority_complaint(entry: Authority, before: tuple[Authority, ...]) -> Told | None:
    """What is wrong with an entry of a book or of terms, after the entries before it."""
    if entry.command not in HOUSE_AUTHORITY:
        return told("no-command", command=entry.command)
    if any(entry.command == other.command for other in before):
        return told("repeated", name=entry.command)
    if not entry.roles:
        return told("no-role", command=entry.command)
    if len(set(entry.roles)) < len(entry.roles):
        return told("role-twice", command=entry.command)
    if entry.second is not None and entry.second not in LADDER:
        ranks = ", ".join(role.value for role in LADDER)
        return told("no-second", rank=entry.second.value, ranks=ranks)
    return None


def lowered_authority(entry: Authority, book: tuple[Authority, ...]) -> str | None:
    """What an entry of a table's terms allows that the book does not; None where it keeps to the book."""
    if entry.command in ABOVE_TERMS:
        return f"who may give {entry.command} is for the book and the house to say, not for terms"
    demanded = next((other for other in book if other.command == entry.command), None)
    if demanded is None:
        role = next((role for role in entry.roles if not can_terms_give(entry.command, role, book)), None)
        return role and f"a {role.value} cannot be given {entry.command}: terms move powers within the staff only"
    extra = next((role for role in entry.roles if role not in demanded.roles), None)
    if extra is not None:
        return f"the book does not let a {extra.value} give {entry.command}"
    rank = demanded.second
    if rank is not None and (entry.second is None or not entry.second.is_at_least(rank)):
        return f"the book asks for a second person for {entry.command}, at least a {rank.value}"
    return None


def second_given_up(
    book: tuple[Authority, ...], before: tuple[Authority, ...], after: tuple[Authority, ...]
) -> Role | None:
    """The highest rank of a second person whom new terms ask for no more; None where all are asked for.

    Nobody alone takes away the second person whom he or she would need.
    """
    lost = []
    for command in HOUSE_AUTHORITY:
        old, new = (authority_over(command, book, terms).second for terms in (before, after))
        if old is not None and (new is None or not new.is_at_least(old)):
            lost.append(old)
    return max(lost, key=LADDER.index, default=None)
