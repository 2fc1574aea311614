"""Logging in: sessions and tickets of a house, and who is locked out after failures, for all of its processes.

A token has 256 random bits and is kept as its SHA-256. Whoever changes a password ends the sessions that were
opened with the old one; the roles of a session are those of the moment. Who has a second factor gives a code of it
with the password; a wrong code counts like a wrong password.
"""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from punto.floor.answers import LastLogIn
from punto.floor.profile import Profile
from punto.floor.second_factor import use_code
from punto.refusal import Reason, Refusal
from punto.rules.authority import LADDER, Role
from punto.store import people as store_people
from punto.store.chain import HouseCode, Subject
from punto.store.people import StoredSession, roles_of, stored_session
from punto.store.reader import Reader
from punto.store.seal import Seal
from punto.store.second_factor import stored_factor
from punto.store.significant_events import note_bounded
from punto.store.store import Store
from punto.store.transaction import Transaction

TICKET_MS = 30_000
FAILURES_OF_NAME, FAILURES_OF_ADDRESS = 5, 30
"""Failed log-ins that have no consequence: with one name, and from one address."""
LONGEST_OF_NAME_MS = 60_000
"""How long a name is locked at places that never failed: else a stranger could keep somebody out for good."""
MOST_SESSIONS = 100  # Open sessions of one person; the oldest ends when there would be more.


class RoledSession(NamedTuple):
    """A session with the roles that its person has now."""

    session: StoredSession
    roles: tuple[Role, ...]
    has_second_factor: bool = False


def idle_minutes(profile: Profile, roles: Collection[Role]) -> int | None:
    """After how many minutes in which somebody in these roles does nothing the password is asked again.

    Everybody who works at tables has the dealer's time, everybody else the player's; who is both has the shorter.
    """
    if profile.dealer_idle_minutes is None and profile.player_idle_minutes is None:
        return None  # asked with every request
    is_dealers, is_others = bool(set(roles) & set(LADDER)), bool(set(roles) - set(LADDER)) or not roles
    limits = (profile.dealer_idle_minutes if is_dealers else None, profile.player_idle_minutes if is_others else None)
    return min((limit for limit in limits if limit is not None), default=None)


def last_before(session: StoredSession) -> LastLogIn | None:
    """The log-in before the one that opened a session."""
    return LastLogIn(session.before_ms, session.before_address) if session.before_ms else None


class HouseSessions:
    def __init__(self, store: Store, lifetime_ms: int, clock: Callable[[], int], seal: Seal | None = None) -> None:
        self._store, self._lifetime, self._clock, self._seal = store, lifetime_ms, clock, seal or Seal()

    def password_of(self, name: str, place: str) -> str | Refusal | None:
        """What is kept of somebody's password, None for nobody; refused while name or place is locked out.

        From a place at which somebody has logged in before they are not shut out by what strangers do.
        """
        with self._store.read() as reader:
            person = reader.person(name)
            locked = self._refuse_locked(reader, name, place)
        return locked or (person.password if person else None)

    def _refuse_locked(self, reader: Reader, name: str, place: str) -> Refusal | None:
        subjects = [_at_place(name, place)]
        if not store_people.is_known_address(reader, name, place):
            subjects += [f"name/{name}", f"address/{place}"]
        left = store_people.log_in_locked_until(reader, subjects) - self._clock()
        return Refusal(Reason.LOCKED_OUT, None, {"seconds": -(-left // 1000)}) if left > 0 else None

    def count_failure(self, name: str, place: str) -> Refusal:
        """Count a wrong password; it is refused in the same words whether there is such a name or not."""
        with self._store.write() as transaction:
            self._count(transaction, name, place)
        return Refusal(Reason.WRONG_PASSWORD, None)

    def _count(self, transaction: Transaction, name: str, place: str) -> None:
        now = self._clock()
        is_known = store_people.is_known_address(transaction, name, place)
        until = [
            store_people.count_failure(transaction, f"address/{place}", FAILURES_OF_ADDRESS, now),
            store_people.count_failure(transaction, _at_place(name, place), FAILURES_OF_NAME, now),
        ]
        if not is_known:
            of_name = (f"name/{name}", FAILURES_OF_NAME, now, LONGEST_OF_NAME_MS)
            until.append(store_people.count_failure(transaction, *of_name))
        note_refused(transaction, name, place, now, is_locked_out=any(until))

    def _refuse_code(self, transaction: Transaction, name: str, place: str, code: str | None) -> Refusal | None:
        """Why somebody who has a second factor is not let in with this code; a wrong one counts as a failed log-in.

        Whether they are locked out is looked up again: many codes may have been sent at once.
        """
        if stored_factor(transaction, name) is None:
            return None
        if code is None:
            return Refusal(Reason.SECOND_FACTOR_NEEDED, None)
        if (locked := self._refuse_locked(transaction, name, place)) is not None:
            return locked
        if use_code(transaction, self._seal, name, code, self._clock()):
            return None
        self._count(transaction, name, place)
        return Refusal(Reason.WRONG_CODE, None)

    def open(self, name: str, place: str, hashed: str, code: str | None = None) -> tuple[str, RoledSession] | Refusal:
        """A session and its token, which is told once; refused where another password was set meanwhile.

        `hashed` is what the password was compared with. Who has a second factor gives a code of it too.
        """
        token, now = secrets.token_urlsafe(32), self._clock()
        session = StoredSession(digest_of_secret(token), name, now, now + self._lifetime, now, place, now)
        with self._store.write() as transaction:
            if not store_people.is_still_password(transaction, name, hashed):
                return Refusal(Reason.WRONG_PASSWORD, None)
            if store_people.is_shut(transaction, name):
                return Refusal(Reason.LOG_IN_SHUT, None)
            if (refusal := self._refuse_code(transaction, name, place, code)) is not None:
                return refusal
            return token, self._opened(transaction, session)

    def open_drawn(self, name: str, place: str) -> tuple[str, RoledSession] | Refusal:
        """A session without a password for somebody who was drawn for a demonstration, and its token.

        Whoever has set a password or a second factor of their own is drawn no more: they log in as everybody does. What
        asks for a fresh password asks for it here too.
        """
        token, now = secrets.token_urlsafe(32), self._clock()
        session = StoredSession(digest_of_secret(token), name, now, now + self._lifetime, 0, place, now)
        with self._store.write() as transaction:
            person = transaction.person(name)
            is_own = person is None or not person.is_drawn or stored_factor(transaction, name) is not None
            if is_own or store_people.is_shut(transaction, name):
                return Refusal(Reason.LINK_OVER, None)
            return token, self._opened(transaction, session)

    def _opened(self, transaction: Transaction, session: StoredSession) -> RoledSession:
        name, place, now = session.handle, session.address, session.created_ms
        before_ms, before_address = store_people.last_log_in(transaction, name)
        session = msgspec.structs.replace(session, before_ms=before_ms, before_address=before_address)
        store_people.end_oldest_sessions(transaction, name, MOST_SESSIONS - 1)
        store_people.add_session(transaction, session)
        if not store_people.is_known_address(transaction, name, place):
            store_people.forget_failures(transaction, f"name/{name}")
        store_people.forget_failures(transaction, _at_place(name, place))
        store_people.know_address(transaction, name, place, now)
        return _roled(transaction, session)

    def authenticate(self, session: StoredSession, place: str, hashed: str) -> RoledSession | Refusal:
        """The password was given again for an open session."""
        with self._store.write() as transaction:
            if not store_people.is_still_password(transaction, session.handle, hashed):
                return Refusal(Reason.NO_SESSION, None)
            store_people.authenticate_again(transaction, session.token, self._clock())
            store_people.forget_failures(transaction, _at_place(session.handle, place))
        return self.find(session.token) or Refusal(Reason.NO_SESSION, None)

    def find(self, digest: str) -> RoledSession | None:
        """A session by what is kept of its token; one that has expired ends, wherever the clock is put later."""
        with self._store.read() as reader:
            session = stored_session(reader, digest)
            if session is None:
                return None
            if session.expires_ms > self._clock():
                return _roled(reader, session)
        self.end(digest)
        return None

    def end(self, digest: str) -> None:
        with self._store.write() as transaction:
            store_people.end_session(transaction, digest)

    def note_activity(self, active: Mapping[str, int]) -> None:
        """Write down when something was last done in sessions, by what is kept of their tokens."""
        with self._store.write() as transaction:
            store_people.note_activity(transaction, active)

    def draw_ticket(self, session: StoredSession) -> tuple[str, int]:
        """A ticket that opens one stream, and when it expires."""
        ticket, now = secrets.token_urlsafe(24), self._clock()
        with self._store.write() as transaction:
            store_people.add_ticket(transaction, digest_of_secret(ticket), session.token, now, now + TICKET_MS)
        return ticket, now + TICKET_MS

    def use_ticket(self, ticket: str) -> RoledSession | None:
        """Whose ticket this is; it holds once."""
        with self._store.write() as transaction:
            digest = store_people.use_ticket(transaction, digest_of_secret(ticket), self._clock())
        return self.find(digest) if digest is not None else None


def _roled(reader: Reader, session: StoredSession) -> RoledSession:
    has_second_factor = stored_factor(reader, session.handle) is not None
    return RoledSession(session, roles_of(reader, session.handle), has_second_factor)


def note_refused(transaction: Transaction, name: str, place: str, now: int, *, is_locked_out: bool) -> None:
    """Write down that a log-in was refused, and that name or place is locked out by it.

    Somebody may have typed a password where the name belongs, and what is written down stays for ever: a name that
    nobody has is left out.
    """
    known = name if transaction.account(name) is not None else None
    subject, details = (Subject.LOG_IN, f"{place}/{known or ''}"), {"name": known, "address": place}
    note_bounded(transaction, HouseCode.LOG_IN_REFUSED, subject, now, details)
    if is_locked_out:
        note_bounded(transaction, HouseCode.LOCKED_OUT, subject, now, details)


def digest_of_secret(secret: str) -> str:
    """What is kept of a token or a ticket."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


LONGEST_ADDRESS = 64  # Characters of an address; what a proxy hands on may be longer, and is none.


def network_of(address: str) -> str:
    """Where somebody logs in from: an address, or the network that one customer has of IPv6 addresses."""
    return _network_of(address[:LONGEST_ADDRESS])


@lru_cache(maxsize=4_096)
def _network_of(address: str) -> str:
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False)) if not ip.is_loopback else str(ip)


def _at_place(name: str, place: str) -> str:
    """Under which failures of a name at a place are counted."""
    return f"at/{place}/{name}"
