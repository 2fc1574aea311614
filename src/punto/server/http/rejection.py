"""What the server itself refuses, and how any refusal is written: reason, parameters, sentence, clause.

A refusal of table, floor or ledger keeps its own reason. What is refused before they are asked (no session,
a body that cannot be read, too many requests) has a reason here.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from punto.refusal import Reason, Refusal


class ServerReason(Enum):
    """Why the server refuses something; the value is the code that programs see."""

    MALFORMED = "malformed"
    WRONG_HOST = "wrong-host"
    WRONG_ORIGIN = "wrong-origin"
    NO_SESSION = "no-session"
    WRONG_PASSWORD = "wrong-password"
    PASSWORD_AGAIN = "password-again"
    CSRF = "csrf"
    NOT_YOUR_ROLE = "not-your-role"
    ROLE_NEEDED = "role-needed"
    NO_ROLE = "no-role"
    OWN_ROLES = "own-roles"
    HOUSE_NAME = "house-name"
    UNSEEN_NAME = "unseen-name"
    LAST_ADMINISTRATOR = "last-administrator"
    NOT_THERE = "not-there"
    NO_METHOD = "no-method"
    TOO_LARGE = "too-large"
    TOO_OFTEN = "too-often"
    TOO_MANY_WAIT = "too-many-wait"
    LOCKED_OUT = "locked-out"
    OWN_APPROVAL = "own-approval"
    RANK_NEEDED = "rank-needed"
    APPROVAL_OVER = "approval-over"
    CALL_OVER = "call-over"
    UNKNOWN_BOOK = "unknown-book"
    NO_ADVICE = "no-advice"
    STILL_OPEN = "still-open"
    NO_MOMENT = "no-moment"
    STORE_FAILED = "store-failed"
    FAILED = "failed"


SENTENCES: dict[ServerReason, str] = {
    ServerReason.MALFORMED: "the request cannot be read: {problem}",
    ServerReason.WRONG_HOST: "this server does not answer to the host {host}",
    ServerReason.WRONG_ORIGIN: "pages from {origin} may not use this server",
    ServerReason.NO_SESSION: "log in first: there is no session, or it has expired",
    ServerReason.WRONG_PASSWORD: "name or password is wrong",
    ServerReason.PASSWORD_AGAIN: "give your password again: it was given more than {minutes} minutes ago",
    ServerReason.CSRF: "the header X-CSRF-Token is missing or belongs to another session",
    ServerReason.NOT_YOUR_ROLE: "you do not have the role {role}",
    ServerReason.ROLE_NEEDED: "your role must be {roles}",
    ServerReason.NO_ROLE: "you have no role here; ask an administrator",
    ServerReason.OWN_ROLES: "nobody changes their own roles",
    ServerReason.HOUSE_NAME: "the house itself acts under the name {name}; choose another one",
    ServerReason.UNSEEN_NAME: "the name has characters that cannot be seen, or only points; choose another",
    ServerReason.LAST_ADMINISTRATOR: "{person} is the last administrator: name another one first",
    ServerReason.NOT_THERE: "there is no {what}",
    ServerReason.NO_METHOD: "{method} is not possible here",
    ServerReason.TOO_LARGE: "the body is larger than {most} bytes",
    ServerReason.TOO_OFTEN: "too many requests; try again in {seconds} s",
    ServerReason.TOO_MANY_WAIT: "you have {most} commands waiting for a second person already",
    ServerReason.LOCKED_OUT: "too many failed log-ins; try again in {seconds} s",
    ServerReason.OWN_APPROVAL: "the second person must be somebody else",
    ServerReason.RANK_NEEDED: "this needs {rank} or above",
    ServerReason.APPROVAL_OVER: "this can no longer be decided: it {why}",
    ServerReason.CALL_OVER: "{person} has answered this call already",
    ServerReason.UNKNOWN_BOOK: "there is no rule book {book}; there are {books}",
    ServerReason.NO_ADVICE: "this cannot be computed: {why}",
    ServerReason.STILL_OPEN: "{what} is still in play: it can be looked at when it is over",
    ServerReason.NO_MOMENT: "event {at} is not of this round, which has the events {first} to {last}",
    ServerReason.STORE_FAILED: "the database could not do this now; try again",
    ServerReason.FAILED: "something failed here; it is in the server's log as {number}",
}
"""The English sentence of each reason, with its parameters in braces."""


class RefusalText(msgspec.Struct, frozen=True):
    """A refusal as it is sent."""

    reason: str
    params: dict[str, str | int]
    sentence: str
    clause: str | None = None


class RefusalAnswer(msgspec.Struct, frozen=True):
    """The body of every answer that is a refusal."""

    refusal: RefusalText


class Rejected(Exception):
    """Ends a request with a refusal."""

    def __init__(
        self, status: int, reason: ServerReason, *, retry_after: int | None = None, **params: str | int
    ) -> None:
        super().__init__(reason.value)
        self.status, self.retry_after = status, retry_after
        self.text = RefusalText(reason.value, dict(params), SENTENCES[reason].format(**params))


OF_ROLE = frozenset((Reason.NOT_ALLOWED, Reason.NOT_RANKED, Reason.CHANGES_EVIDENCE, Reason.NOT_THE_DRAWER))
"""Refusals of a table that are about the role of the one who asks."""


def status_of(refusal: Refusal) -> int:
    """The status of an answer that is a refusal of table, floor or ledger."""
    if refusal.reason is Reason.NO_TABLE:
        return 404
    if refusal.reason is Reason.TOO_MANY_REFUSED:
        return 429
    return 403 if refusal.reason in OF_ROLE else 409


def text_of(refusal: Refusal) -> RefusalText:
    """A refusal of table, floor or ledger as it is sent."""
    return RefusalText(refusal.reason.value, refusal.params, refusal.sentence, refusal.clause)
