"""Who sends a request: log-ins, tokens and tickets, by the sessions of the floor.

Passwords are compared a few at once, and what was read of a session is remembered for a few seconds, no longer:
another process may have ended it.

Where the profile of the house says so, a session in which nothing is done for a while is locked until the password is
given again. What counts is what a person does: commands, and calls that a page does not make by itself
(`Endpoint.is_act`). Watching a stream does not. When something was last done is remembered here and written down every
few seconds for all sessions together, so that another process may lock a session by that much too early, never late.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import msgspec

from punto.floor.absence import Absences
from punto.floor.automatic_tables import HouseClock
from punto.floor.log_ins import HouseSessions, RoledSession, digest_of_secret, idle_minutes, network_of
from punto.floor.orders import HouseOrders
from punto.floor.people import Author
from punto.floor.second_factor import is_needed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.server.access import PasswordDesk, Throttle, slow_down
from punto.server.drawn_logins import EntryLink
from punto.server.validation import Rejected, ServerReason, rejected
from punto.store.errors import StoreError
from punto.store.people import StoredSession
from punto.store.seal import Seal
from punto.store.store import Store

WRITE_S = 15.0  # How often activity is written down.
REMEMBERED_S = 5.0  # How long a session is believed without looking it up again.
MOST_REMEMBERED = 20_000
LOGINS_A_SECOND, LOGINS_AT_ONCE = 1.0, 60.0  # How often one person can log in.
_T = TypeVar("_T")
_log = logging.getLogger("punto.server")


class Caller(msgspec.Struct, frozen=True):
    """Whoever sends a request."""

    handle: str
    roles: tuple[Role, ...]
    session: StoredSession
    csrf: str
    has_second_factor: bool = False

    @property
    def author(self) -> Author:
        """Who is written down as the one who did it."""
        return Author(self.handle, self.session.token)

    def role(self, wanted: Role | None = None) -> Role:
        """The role that is asked for, which the caller must hold; else the one that sees most at a table."""
        if wanted is not None and wanted not in self.roles:
            raise Rejected(403, ServerReason.NOT_YOUR_ROLE, role=wanted.value)
        if not self.roles:
            raise Rejected(403, ServerReason.NO_ROLE)
        return wanted or next(role for role in _BY_RANK if role in self.roles)


_BY_RANK = (
    *(Role.SHIFT_MANAGER, Role.PIT_MANAGER, Role.PIT_SUPERVISOR, Role.DEALER, Role.AUDITOR, Role.PLAYER),
    *(Role.CASHIER, Role.ADMINISTRATOR),
)


class LoggedIn(NamedTuple):
    """What somebody gets who logs in; the token is told once."""

    token: str
    caller: Caller


class SessionBook:
    def __init__(
        self,
        store: Store,
        passwords: PasswordDesk,
        lifetime_ms: int,
        clock: Callable[[], int],
        orders: Callable[[], HouseOrders] = HouseOrders,
        seal: Seal | None = None,
        absences: Absences | None = None,
    ) -> None:
        self._absences = absences
        self._passwords, self._clock, self._orders = passwords, HouseClock(clock), orders
        self._sessions = HouseSessions(store, lifetime_ms, self._clock, seal)
        self._remembered: OrderedDict[str, tuple[float, Caller]] = OrderedDict()
        self._forgotten = 0
        """How often something that is remembered was forgotten: what is being read meanwhile may be old."""
        self._logins = Throttle(LOGINS_A_SECOND, LOGINS_AT_ONCE)
        self._active: OrderedDict[str, int] = OrderedDict()  # When something was last done, by session.
        self._unwritten: dict[str, int] = {}  # What of it is not in the store yet.
        self.entry: EntryLink | None = None  # In a demonstration: the link of this start.

    async def log_in(self, name: str, password: str, address: str, code: str | None = None) -> LoggedIn:
        place = network_of(address)
        # Only who knows the password takes of its bucket: else strangers could keep somebody out.
        slow_down(self._logins, name, is_taken=False)
        hashed = await self._compare(name, password, place)
        slow_down(self._logins, name)
        token, opened = accepted(await asyncio.to_thread(self._sessions.open, name, place, hashed, code))
        return LoggedIn(token, _caller(opened))

    async def enter(self, code: str, address: str) -> LoggedIn:
        """Come in by the link that the start of a demonstration gave to whoever started it."""
        link = self.entry
        if link is None or not link.use(code, address, self._clock()):
            raise rejected(Refusal(Reason.LINK_OVER, None))
        token, opened = accepted(await asyncio.to_thread(self._sessions.open_drawn, link.name, network_of(address)))
        return LoggedIn(token, _caller(opened))

    async def caller(self, token: str) -> Caller | None:
        """Whose token this is; None where there is no such session, or it has expired."""
        return await self._current(digest_of_secret(token))

    async def still(self, caller: Caller) -> Caller | None:
        """The caller as the session stands now; None where it has ended or expired."""
        return await self._current(caller.session.token)

    def must_enrol(self, caller: Caller) -> bool:
        """Whether a role of somebody needs a second factor, and there is none: nothing else is possible then."""
        return not caller.has_second_factor and is_needed(self._orders().rules.profile, caller.roles)

    def refuse_unenrolled(self, caller: Caller) -> Refusal | None:
        return Refusal(Reason.SECOND_FACTOR_MISSING, None) if self.must_enrol(caller) else None

    def note_act(self, caller: Caller) -> None:
        """Somebody has done something in a session."""
        token = caller.session.token
        self._active[token] = self._unwritten[token] = self._clock()
        self._active.move_to_end(token)
        if len(self._active) > MOST_REMEMBERED:
            self._active.popitem(last=False)

    def idle_ms(self, caller: Caller) -> int | None:
        """How long until a session is locked if nothing is done in it: 0 where it is; None where it never is."""
        minutes = idle_minutes(self._orders().rules.profile, caller.roles)
        if minutes is None:
            return None
        session = caller.session
        active = max(session.active_ms, session.authenticated_ms, self._active.get(session.token, 0))
        return max(0, active + minutes * 60_000 - self._clock())

    def refuse_idle(self, caller: Caller) -> Refusal | None:
        """Why nothing can be done in a session before the password is given again."""
        if self.idle_ms(caller) != 0:
            return None
        minutes = idle_minutes(self._orders().rules.profile, caller.roles)
        return Refusal(Reason.SESSION_IDLE, None, {"minutes": minutes or 0})

    async def write_activity(self) -> None:
        """Write down what was done in sessions since the last time."""
        unwritten, self._unwritten = self._unwritten, {}
        if unwritten:
            await asyncio.to_thread(self._sessions.note_activity, unwritten)

    async def keep_running(self) -> None:
        """Until cancelled: write down now and then what was done, and see who has left."""
        while True:
            await asyncio.sleep(WRITE_S)
            try:
                await self.write_activity()
                if self._absences is not None:
                    await asyncio.to_thread(self._absences.look)
            except StoreError as error:
                _log.warning("the activity of sessions could not be written down: %s", error)

    async def log_out(self, caller: Caller) -> None:
        await asyncio.to_thread(self._sessions.end, caller.session.token)
        self._forget_session(caller.session.token)
        if self._absences is not None and Role.PLAYER in caller.roles:
            await asyncio.to_thread(self._absences.look, caller.handle)

    async def authenticate(self, caller: Caller, password: str, address: str) -> Caller:
        """The password is given again for an open session."""
        place = network_of(address)
        hashed = await self._compare(caller.handle, password, place)
        renewed = await asyncio.to_thread(self._sessions.authenticate, caller.session, place, hashed)
        self._forget_session(caller.session.token)
        return _caller(accepted(renewed))

    async def ticket(self, caller: Caller) -> tuple[str, int]:
        """A ticket that opens one stream, and when it expires."""
        return await asyncio.to_thread(self._sessions.draw_ticket, caller.session)

    async def redeem(self, ticket: str) -> Caller | None:
        """Whose ticket this is; it holds once."""
        session = await asyncio.to_thread(self._sessions.use_ticket, ticket)
        return _caller(session) if session is not None else None

    def forget(self, handle: str) -> None:
        """Roles or password of a person have changed: look up again at once."""
        self._forgotten += 1
        for digest in [d for d, (_, caller) in self._remembered.items() if caller.handle == handle]:
            del self._remembered[digest]

    def forget_all(self) -> None:
        """Look everybody up again: what other servers did was not heard for a while."""
        self._forgotten += 1
        self._remembered.clear()

    def _forget_session(self, digest: str) -> None:
        self._forgotten += 1
        self._remembered.pop(digest, None)

    async def _compare(self, name: str, password: str, place: str) -> str:
        """Refuse a wrong password, and count it; what is kept of the right one.

        Whether somebody is locked out is looked up again when it is their turn: many attempts sent at once
        must not all be let through before the first of them is counted.
        """
        accepted(await asyncio.to_thread(self._sessions.password_of, name, place))
        async with self._passwords.place(place, name):
            hashed = accepted(await asyncio.to_thread(self._sessions.password_of, name, place))
            if not await self._passwords.compare(hashed, password):
                raise rejected(await asyncio.to_thread(self._sessions.count_failure, name, place))
        assert hashed is not None
        return hashed

    async def _current(self, digest: str) -> Caller | None:
        now, known = time.monotonic(), self._remembered.get(digest)
        if known is None or known[0] <= now:
            forgotten = self._forgotten
            caller = await asyncio.to_thread(self._find, digest)
            if caller is None:
                self._remembered.pop(digest, None)
                return None
            known = (now + REMEMBERED_S, caller)
            if forgotten == self._forgotten:
                self._remembered[digest] = known
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        if known[1].session.expires_ms > self._clock():
            return known[1]
        self._remembered.pop(digest, None)
        return await asyncio.to_thread(self._find, digest)  # which ends it for good

    def _find(self, digest: str) -> Caller | None:
        session = self._sessions.find(digest)
        return _caller(session) if session is not None else None


def accepted(answer: _T | Refusal) -> _T:
    """What the floor answers; a refusal ends the request."""
    if isinstance(answer, Refusal):
        raise rejected(answer)
    return answer


def _caller(roled: RoledSession) -> Caller:
    session, roles, has_second_factor = roled
    # It follows from what is kept of the token; whoever has only the database can make it, and can do nothing
    # with it, since the token itself is not there.
    csrf = hmac.new(session.token.encode(), b"csrf", hashlib.sha256).hexdigest()
    return Caller(session.handle, roles, session, csrf, has_second_factor)
