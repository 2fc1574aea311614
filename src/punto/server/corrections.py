"""Corrections of accounts: what a cashier asks for, whether it can be done, and doing it once agreed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from punto.floor.desk import holdings_of
from punto.ledger.cashier import correct as corrected
from punto.refusal import Reason, Refusal
from punto.rules.role import Role
from punto.store.access.approvals import StoredApproval
from punto.table.header import CommandHeader, Person

if TYPE_CHECKING:
    from punto.server.hall import Hall

SOMEBODY = "somebody else"
"""Whoever may agree."""


class CorrectAccount(CommandHeader, frozen=True, kw_only=True, tag="correct-account"):
    """A correction as it waits for the second person."""

    account: str
    amount: int
    reason: str


def refusal_of_correction(hall: Hall, command: CorrectAccount) -> Refusal | None:
    """Why a correction would be refused if somebody agreed; nobody is asked to decide about such a one."""
    with hall.store.read() as reader:
        account = reader.account(command.account)
        if account is None:
            return Refusal(Reason.NO_ACCOUNT, None, {"player": command.account})
        if command.account == command.actor:
            return Refusal(Reason.OWN_ACCOUNT, None)
        holds = holdings_of(reader, command.account)
    found = corrected(
        command.account,
        account.currency,
        command.amount,
        free=holds.free,
        held=sum(holds.held.values()),
        by=Person(command.actor, command.role),
        second=Person(SOMEBODY, Role.PIT_MANAGER),
        reason=command.reason,
    )
    return found if isinstance(found, Refusal) else None


def correct_agreed(hall: Hall, approval: StoredApproval, second: Person) -> Refusal | None:
    """Carry out a correction that a second person agreed to; for a thread."""
    asked = msgspec.json.decode(approval.body, type=CorrectAccount)
    by = Person(asked.actor, asked.role)
    found = hall.desk.correct(asked.account, asked.amount, by, second, asked.reason, hall.now(), asked.key)
    return found if isinstance(found, Refusal) else None
