"""Sessions: logging in and out, giving the password again, tickets for streams; and names that look alike.

Tokens are kept as hashes only. Nobody takes a name that people could read as somebody else's, or not at
all.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterable

import msgspec

from punto.floor.desk import HOUSE_NAMES
from punto.floor.house import HouseClock
from punto.rules.authority import Role
from punto.server.access import PasswordDesk, Throttle, slow_down
from punto.server.validation import Rejected, ServerReason
from punto.store.people import (
    StoredSession,
    add_session,
    add_ticket,
    authenticate_again,
    count_failure,
    end_oldest_sessions,
    end_session,
    forget_failures,
    is_known_address,
    is_still_password,
    know_address,
    log_in_locked_until,
    roles_of,
    session_of,
    use_ticket,
)
from punto.store.store import Store

_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that show nothing."""
_KINDS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
"""Control and format characters, halves, private and unassigned ones, separators."""


def likeness(name: str) -> str:
    """What names that look alike have in common: case, width, accents written apart and blanks are gone."""
    before, found = "", name
    while found != before:  # a blank that goes may let a letter and its accent come together
        before = found
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", found).casefold())
        found = "".join(letter for letter in folded if not letter.isspace())
    return found


def is_readable(name: str) -> bool:
    """Whether every character of a name can be seen, and the name can stand in an address."""
    if not name.strip("."):
        return False
    return all(
        letter == " " or (unicodedata.category(letter) not in _KINDS and letter not in _UNSEEN) for letter in name
    )


def is_of_the_house(name: str) -> bool:
    """Whether a name looks like one that the house itself acts under."""
    return look_alike(name, HOUSE_NAMES) is not None


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that looks like this one."""
    wanted = likeness(name)
    return next((other for other in others if likeness(other) == wanted), None)


# Sessions: logging in and out, giving the password again, tickets for streams.
#
# A token has 256 random bits and is kept as its SHA-256. The CSRF token follows from it by HMAC, so nothing
# more has to be kept. What was read of a session is remembered for a few seconds, no longer: another process
# may have ended it.


REMEMBERED_S = 5.0
"""How long a session is believed without looking it up again."""
MOST_REMEMBERED = 20_000
TICKET_MS = 30_000
FAILURES_OF_NAME, FAILURES_OF_ADDRESS = 5, 30
"""Failed log-ins that have no consequence: with one name, and from one address."""
LONGEST_OF_NAME_MS = 60_000
"""How long a name is locked at places that never failed: else a stranger could keep somebody out for good."""
MOST_SESSIONS = 100
"""Open sessions of one person; the oldest ends when there would be more."""
LOGINS_A_SECOND, LOGINS_AT_ONCE = 1.0, 60.0
"""How often one person can log in."""


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
        if not self.roles:
            raise Rejected(403, ServerReason.NO_ROLE)
        return next(role for role in _BY_RANK if role in self.roles)


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
        self._store, self._passwords, self._lifetime = store, passwords, lifetime_ms
        self._clock = HouseClock(clock)
        self._remembered: OrderedDict[str, tuple[float, Caller]] = OrderedDict()
        self._forgotten = 0
        """How often something that is remembered was forgotten: what is being read meanwhile may be old."""
        self._logins = Throttle(LOGINS_A_SECOND, LOGINS_AT_ONCE)

    async def log_in(self, name: str, password: str, address: str) -> LoggedIn:
        """Open a session, or count a failure."""
        place = network_of(address)
        # Only who knows the password takes of its bucket: else strangers could keep somebody out.
        slow_down(self._logins, name, is_taken=False)
        hashed = await self._compare(name, password, place)
        slow_down(self._logins, name)
        token = secrets.token_urlsafe(32)
        caller = await asyncio.to_thread(self._open, name, token, place, hashed)
        if caller is None:
            raise Rejected(401, ServerReason.WRONG_PASSWORD)
        return LoggedIn(token, caller)

    async def caller(self, token: str) -> Caller | None:
        """Whose token this is; None where there is no such session, or it has expired."""
        return await self._current(token_digest(token))

    async def still(self, caller: Caller) -> Caller | None:
        """The caller as the session stands now; None where it has ended or expired."""
        return await self._current(caller.session.token)

    async def log_out(self, caller: Caller) -> None:
        """End a session."""

        def end() -> None:
            with self._store.write() as transaction:
                end_session(transaction, caller.session.token)

        await asyncio.to_thread(end)
        self._forget_session(caller.session.token)

    async def authenticate(self, caller: Caller, password: str, address: str) -> Caller:
        """The password is given again for an open session."""
        place, token = network_of(address), caller.session.token
        hashed = await self._compare(caller.handle, password, place)

        def again() -> Caller | None:
            with self._store.write() as transaction:
                if not is_still_password(transaction, caller.handle, hashed):
                    return None
                authenticate_again(transaction, token, self._clock())
                forget_failures(transaction, _failure_key(caller.handle, place))
            return self._find(token)

        fresh = await asyncio.to_thread(again)
        self._forget_session(token)
        if fresh is None:
            raise Rejected(401, ServerReason.NO_SESSION)
        return fresh

    async def ticket(self, caller: Caller) -> tuple[str, int]:
        """A ticket that opens one stream, and when it expires."""
        ticket, now = secrets.token_urlsafe(24), self._clock()

        def add() -> None:
            with self._store.write() as transaction:
                add_ticket(transaction, token_digest(ticket), caller.session.token, now, now + TICKET_MS)

        await asyncio.to_thread(add)
        return ticket, now + TICKET_MS

    async def redeem(self, ticket: str) -> Caller | None:
        """Whose ticket this is; it holds once."""

        def use() -> Caller | None:
            with self._store.write() as transaction:
                secret = use_ticket(transaction, token_digest(ticket), self._clock())
            return self._find(secret) if secret is not None else None

        return await asyncio.to_thread(use)

    def forget(self, handle: str) -> None:
        """Roles or password of a person have changed: look up again at once."""
        self._forgotten += 1
        for secret in [s for s, (_, caller) in self._remembered.items() if caller.handle == handle]:
            del self._remembered[secret]

    def _forget_session(self, secret: str) -> None:
        self._forgotten += 1
        self._remembered.pop(secret, None)

    async def _compare(self, name: str, password: str, place: str) -> str:
        """Refuse a wrong password, and count it; what is kept of the right one.

        Whether somebody is locked out is looked up again when it is their turn: many attempts sent at once
        must not all be let through before the first of them is counted.
        """
        self._refuse_locked((await asyncio.to_thread(self._look_up, name, place))[0])
        async with self._passwords.place(place, name):
            until, hashed = await asyncio.to_thread(self._look_up, name, place)
            self._refuse_locked(until)
            if not await self._passwords.compare(hashed, password):
                await asyncio.to_thread(self._count, name, place)
                raise Rejected(401, ServerReason.WRONG_PASSWORD)
        assert hashed is not None
        return hashed

    async def _current(self, secret: str) -> Caller | None:
        now, found = time.monotonic(), self._remembered.get(secret)
        if found is None or found[0] <= now:
            forgotten = self._forgotten
            caller = await asyncio.to_thread(self._find, secret)
            if caller is None:
                self._remembered.pop(secret, None)
                return None
            found = (now + REMEMBERED_S, caller)
            if forgotten == self._forgotten:
                self._remembered[secret] = found
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        if found[1].session.expires_ms > self._clock():
            return found[1]
        self._remembered.pop(secret, None)
        return await asyncio.to_thread(self._find, secret)  # which ends it for good

    # ── In threads ───────────────────────────────────────────────────────────────────────────────

    def _look_up(self, name: str, place: str) -> tuple[int, str | None]:
        """Until when a name is not let in at a place, and what is kept of its password."""
        with self._store.read() as reader:
            person = reader.person(name)
            subjects = [_failure_key(name, place)]
            if not is_known_address(reader, name, place):
                subjects += [f"name/{name}", f"address/{place}"]
            return log_in_locked_until(reader, subjects), person.password if person else None

    def _count(self, name: str, place: str) -> None:
        now = self._clock()
        with self._store.write() as transaction:
            is_known = is_known_address(transaction, name, place)
            count_failure(transaction, f"address/{place}", FAILURES_OF_ADDRESS, now)
            count_failure(transaction, _failure_key(name, place), FAILURES_OF_NAME, now)
            if not is_known:
                by_name = (f"name/{name}", FAILURES_OF_NAME, now, LONGEST_OF_NAME_MS)
                count_failure(transaction, *by_name)

    def _open(self, name: str, token: str, place: str, hashed: str) -> Caller | None:
        """Open a session, if what was compared is still what is kept; None where it is not."""
        now = self._clock()
        session = StoredSession(token_digest(token), name, now, now + self._lifetime, now)
        with self._store.write() as transaction:
            if not is_still_password(transaction, name, hashed):
                return None
            end_oldest_sessions(transaction, name, MOST_SESSIONS - 1)
            add_session(transaction, session)
            if not is_known_address(transaction, name, place):
                forget_failures(transaction, f"name/{name}")
            forget_failures(transaction, _failure_key(name, place))
            know_address(transaction, name, place, now)
            return _caller(session, roles_of(transaction, name))

    def _find(self, secret: str) -> Caller | None:
        with self._store.read() as reader:
            session = session_of(reader, secret)
            if session is None:
                return None
            if session.expires_ms > self._clock():
                return _caller(session, roles_of(reader, session.handle))
        with self._store.write() as transaction:
            end_session(transaction, secret)  # it stays over, wherever the clock is put
        return None

    def _refuse_locked(self, until: int) -> None:
        left = until - self._clock()
        if left > 0:
            seconds = -(-left // 1000)
            raise Rejected(429, ServerReason.LOCKED_OUT, retry_after=seconds, seconds=seconds)


def token_digest(secret: str) -> str:
    """What is kept of a token or a ticket."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def network_of(address: str) -> str:
    """Where somebody logs in from: an address, or the network that one customer has of IPv6 addresses."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False)) if not found.is_loopback else str(found)


def _failure_key(name: str, place: str) -> str:
    """Under which failures of a name at a place are counted."""
    return f"at/{place}/{name}"


def _caller(session: StoredSession, roles: tuple[Role, ...]) -> Caller:
    # It follows from what is kept of the token; whoever has only the database can make it, and can do nothing
    # with it, since the token itself is not there.
    csrf = hmac.new(session.token.encode(), b"csrf", hashlib.sha256).hexdigest()
    return Caller(session.handle, roles, session, csrf)
