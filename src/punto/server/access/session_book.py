"""Sessions: logging in and out, giving the password again, tickets for streams.

A token has 256 random bits and is kept as its SHA-256. The CSRF token follows from it by HMAC, so nothing
more has to be kept. What was read of a session is remembered for a few seconds, no longer: another process
may have ended it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from punto.rules.role import Role
from punto.server.access.password import PasswordDesk
from punto.server.http.rejection import Rejected, ServerReason
from punto.store.access import failures
from punto.store.access import sessions as kept
from punto.store.access.roles import roles_of
from punto.store.access.sessions import StoredSession
from punto.store.store import Store

REMEMBERED_S = 5.0
"""How long a session is believed without looking it up again."""
MOST_REMEMBERED = 20_000
TICKET_MS = 30_000
FAILURES_OF_NAME, FAILURES_OF_ADDRESS = 5, 30
"""Failed log-ins that have no consequence."""


class Caller(msgspec.Struct, frozen=True):
    """Whoever sends a request."""

    handle: str
    roles: tuple[Role, ...]
    session: StoredSession
    csrf: str

    def role(self, asked: Role | None = None) -> Role:
        """The role that is asked for, which the caller must hold; else the one that sees most at a table."""
        if asked is not None:
            if asked not in self.roles:
                raise Rejected(403, ServerReason.NOT_YOUR_ROLE, role=asked.value)
            return asked
        return next((role for role in _BY_RANK if role in self.roles), Role.PLAYER)


_BY_RANK = (
    *(Role.SHIFT_MANAGER, Role.PIT_MANAGER, Role.PIT_SUPERVISOR, Role.DEALER, Role.AUDITOR, Role.PLAYER),
    *(Role.CASHIER, Role.ADMINISTRATOR),
)


class LoggedIn(msgspec.Struct, frozen=True):
    """What somebody gets who logs in; the token is told once."""

    token: str
    caller: Caller


class SessionBook:
    """The sessions of a house."""

    def __init__(
        self,
        store: Store,
        passwords: PasswordDesk,
        lifetime_ms: int,
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._store, self._passwords, self._lifetime, self._clock = store, passwords, lifetime_ms, clock
        self._remembered: OrderedDict[str, tuple[float, Caller]] = OrderedDict()

    async def log_in(self, name: str, password: str, address: str) -> LoggedIn:
        """Open a session, or count a failure."""
        by_name, by_address = f"name/{name}", f"address/{address}"
        await self._compare(name, password, (by_name, by_address))
        token = secrets.token_urlsafe(32)
        return LoggedIn(token, await asyncio.to_thread(self._open, name, token, by_name))

    async def caller(self, token: str) -> Caller | None:
        """Whose token this is; None where there is no such session, or it has expired."""
        return await self._current(digest(token))

    async def still(self, caller: Caller) -> Caller | None:
        """The caller as the session stands now; None where it has ended or expired."""
        return await self._current(caller.session.token)

    async def log_out(self, caller: Caller) -> None:
        """End a session."""

        def end() -> None:
            with self._store.write() as transaction:
                kept.end_session(transaction, caller.session.token)

        await asyncio.to_thread(end)
        self._remembered.pop(caller.session.token, None)

    async def authenticate(self, caller: Caller, password: str) -> Caller:
        """The password is given again for an open session."""
        subject = f"name/{caller.handle}"
        await self._compare(caller.handle, password, (subject,))

        def again() -> Caller | None:
            with self._store.write() as transaction:
                kept.authenticate_again(transaction, caller.session.token, self._clock())
                failures.forget_failures(transaction, subject)
            return self._find(caller.session.token)

        self._remembered.pop(caller.session.token, None)
        fresh = await asyncio.to_thread(again)
        if fresh is None:
            raise Rejected(401, ServerReason.NO_SESSION)
        return fresh

    async def ticket(self, caller: Caller) -> tuple[str, int]:
        """A ticket that opens one stream, and when it expires."""
        ticket, now = secrets.token_urlsafe(24), self._clock()

        def add() -> None:
            with self._store.write() as transaction:
                kept.add_ticket(transaction, digest(ticket), caller.session.token, now, now + TICKET_MS)

        await asyncio.to_thread(add)
        return ticket, now + TICKET_MS

    async def redeem(self, ticket: str) -> Caller | None:
        """Whose ticket this is; it holds once."""

        def use() -> Caller | None:
            with self._store.write() as transaction:
                secret = kept.use_ticket(transaction, digest(ticket), self._clock())
            return self._find(secret) if secret is not None else None

        return await asyncio.to_thread(use)

    def forget(self, handle: str) -> None:
        """Roles or password of a person have changed: look up again at once."""
        for secret in [s for s, (_, caller) in self._remembered.items() if caller.handle == handle]:
            del self._remembered[secret]

    async def _compare(self, name: str, password: str, subjects: tuple[str, ...]) -> None:
        """Refuse a wrong password, and count it.

        Whether somebody is locked out is looked up again when it is their turn: many attempts sent at once
        must not all be let through before the first of them is counted.
        """
        self._refuse_locked((await asyncio.to_thread(self._look_up, name, subjects))[0])
        async with self._passwords.place():
            until, hashed = await asyncio.to_thread(self._look_up, name, subjects)
            self._refuse_locked(until)
            if not await self._passwords.compare(hashed, password):
                await asyncio.to_thread(self._count, *subjects)
                raise Rejected(401, ServerReason.WRONG_PASSWORD)

    async def _current(self, secret: str) -> Caller | None:
        now, found = time.monotonic(), self._remembered.get(secret)
        if found is None or found[0] <= now:
            caller = await asyncio.to_thread(self._find, secret)
            if caller is None:
                self._remembered.pop(secret, None)
                return None
            self._remembered[secret] = found = (now + REMEMBERED_S, caller)
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        return found[1] if found[1].session.expires_ms > self._clock() else None

    # ── In threads ───────────────────────────────────────────────────────────────────────────────

    def _look_up(self, name: str, subjects: tuple[str, ...]) -> tuple[int, str | None]:
        with self._store.read() as reader:
            person = reader.person(name)
            return failures.locked_until(reader, subjects), person.password if person else None

    def _count(self, by_name: str, by_address: str | None = None) -> None:
        now = self._clock()
        with self._store.write() as transaction:
            failures.count_failure(transaction, by_name, FAILURES_OF_NAME, now)
            if by_address is not None:
                failures.count_failure(transaction, by_address, FAILURES_OF_ADDRESS, now)

    def _open(self, name: str, token: str, subject: str) -> Caller:
        now = self._clock()
        session = StoredSession(digest(token), name, now, now + self._lifetime, now)
        with self._store.write() as transaction:
            kept.add_session(transaction, session)
            failures.forget_failures(transaction, subject)
            return _caller(session, roles_of(transaction, name))

    def _find(self, secret: str) -> Caller | None:
        with self._store.read() as reader:
            session = kept.session_of(reader, secret)
            if session is None or session.expires_ms <= self._clock():
                return None
            return _caller(session, roles_of(reader, session.handle))

    def _refuse_locked(self, until: int) -> None:
        left = until - self._clock()
        if left > 0:
            seconds = -(-left // 1000)
            raise Rejected(429, ServerReason.LOCKED_OUT, retry_after=seconds, seconds=seconds)


def digest(secret: str) -> str:
    """What is kept of a token or a ticket."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _caller(session: StoredSession, roles: tuple[Role, ...]) -> Caller:
    # It follows from what is kept of the token; whoever has only the database can make it, and can do nothing
    # with it, since the token itself is not there.
    csrf = hmac.new(session.token.encode(), b"csrf", hashlib.sha256).hexdigest()
    return Caller(session.handle, roles, session, csrf)
