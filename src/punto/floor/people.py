"""The people of a house: who may be called what, who may log in and in which roles, and that an administrator stays.

Command line, server and demonstration come through here, so that the same act is refused with the same words
whoever asks. What comes next for players (limits, exclusion, profiles) stands beside this: they are rules about a
person too.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec

from punto.dealer.bot import BOTS
from punto.dealer.dealer import AUTOMATIC
from punto.floor.answers import OpenSession
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store import people as store_people
from punto.store.chain import HouseCode, Subject
from punto.store.errors import LastAdministrator
from punto.store.people import StoredSession
from punto.store.record import AccountOwner, Member, StoredAccount, StoredPerson
from punto.store.store import Store
from punto.store.transaction import OPENER, Transaction
from punto.store.witness import DEMONSTRATION, is_database_empty, mark_of, remove_mark, set_mark

LONGEST_NAME, LONGEST_TEXT = 80, 200  # Characters of a name, and of a display name or a contact.
CURRENCY = re.compile(r"[A-Z]{3,8}")
HOUSE_NAMES = frozenset((*BOTS, AUTOMATIC.name, "the floor", "the house", "house", "me"))
"""Names under which the house itself acts: nobody logs in as one of them."""
_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that show nothing."""
_KINDS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
"""Control and format characters, halves, private and unassigned ones, separators."""


_TWINS = str.maketrans("авеһікјӏмнорсԛтуѵԝхѕԁɑαβεζηικμνορτυχıſɡ", "abehikjlmhopcqtyvwxsdaabezhikmvoptyxisg")
"""Letters of other scripts that are drawn like a Latin one, small or large, beside it."""


def likeness(name: str) -> str:
    """What names that look alike have in common: case, width, script, accents written apart and blanks are gone."""
    before, reduced = "", name
    while reduced != before:  # a blank that goes may let a letter and its accent come together
        before = reduced
        apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", reduced).casefold())
        folded = unicodedata.normalize("NFKC", apart.translate(_TWINS))
        reduced = "".join(letter for letter in folded if not letter.isspace())
    return reduced


def look_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of other names that looks like this one."""
    wanted = likeness(name)
    return next((other for other in others if likeness(other) == wanted), None)


def is_readable(name: str) -> bool:
    """Whether every character of a name can be seen, and the name can stand in an address."""
    seen = (each == " " or (unicodedata.category(each) not in _KINDS and each not in _UNSEEN) for each in name)
    return bool(name.strip(".")) and all(seen)


def refuse_name(name: str) -> Refusal | None:
    """Why nobody may be called this: people could read it as somebody else's name, or not at all.

    A slash parts the names of accounts in the ledger.
    """
    is_one_line = not any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in name)
    if not name or name != name.strip(" ") or len(name) > LONGEST_NAME or "/" in name or not is_one_line:
        return Refusal(Reason.WRONG_NAME, None, {"name": name, "most": LONGEST_NAME})
    if not is_readable(name):
        return Refusal(Reason.UNSEEN_NAME, None)
    if look_alike(name, HOUSE_NAMES) is not None:
        return Refusal(Reason.HOUSE_NAME, None, {"name": name})
    return None


def refuse_new(person: StoredPerson, currency: str) -> Refusal | None:
    """Why somebody cannot have an account as it is asked for, whoever else has one."""
    if refusal := refuse_name(person.handle):
        return refusal
    if not CURRENCY.fullmatch(currency):
        return Refusal(Reason.WRONG_CURRENCY, None, {"currency": currency})
    for what, text in (("a display name", person.display), ("a contact", person.contact)):
        if text is not None and len(text) > LONGEST_TEXT:
            return Refusal(Reason.TEXT_TOO_LONG, None, {"what": what, "most": LONGEST_TEXT})
    return None


def no_account(name: str) -> Refusal:
    return Refusal(Reason.NO_ACCOUNT, None, {"player": name})


def role_needed(roles: Iterable[Role]) -> Refusal:
    *first, last = [role.value for role in roles]
    return Refusal(Reason.ROLE_NEEDED, None, {"roles": f"{', '.join(first)} or {last}" if first else last})


def refuse_reason(reason: str) -> Refusal | None:
    """Why something that needs a reason cannot be done with this one."""
    if not reason.strip():
        return Refusal(Reason.REASON_NEEDED, None)
    return refuse_long_reason(reason)


def refuse_long_reason(reason: str) -> Refusal | None:
    if len(reason) > LONGEST_TEXT:
        return Refusal(Reason.TEXT_TOO_LONG, None, {"what": "a reason", "most": LONGEST_TEXT})
    return None


def public_name(token: str) -> str:
    """What a session is called where others see it: it follows from what is kept of the token, and leads nowhere."""
    return hashlib.sha256(f"session/{token}".encode()).hexdigest()[:16]


def _open_session(session: StoredSession) -> OpenSession:
    active = max(session.active_ms, session.authenticated_ms)
    return OpenSession(public_name(session.token), session.created_ms, active, session.expires_ms, session.address)


def _account_exists(name: str) -> Refusal:
    return Refusal(Reason.ACCOUNT_EXISTS, None, {"player": name})


ADMINISTRATORS = (Role.ADMINISTRATOR,)
_T = TypeVar("_T")


class Author(msgspec.Struct, frozen=True):
    """Who does something to people, as it is written down."""

    name: str
    session: str | None = None
    """The session in which it is asked, by what is kept of its token. None at the command line, which trusts
    whoever can open the database.
    """


Changed = Callable[[Transaction], _T | Refusal]  # What comes of a change, as it is made.


class People:
    """Everybody who has an account in a store: who is let in, in which roles, and who is forgotten."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock

    def open_account(
        self, person: StoredPerson, currency: str, by: Author, kind: AccountOwner = AccountOwner.PLAYER
    ) -> Member | Refusal:
        """Open an account for somebody who does not log in; its name is never given to anybody else."""
        if refusal := refuse_new(person, currency):
            return refusal

        def act(transaction: Transaction) -> Member | Refusal:
            taken = look_alike(person.handle, (account.handle for account in transaction.accounts()))
            if taken is not None:
                return _account_exists(taken)
            transaction.add_account(StoredAccount(person.handle, currency, self._clock(), kind.value), by.name)
            if person.display is not None or person.contact is not None:
                transaction.set_person(person, by.name, self._clock())
            return _member(transaction, person.handle)

        return self.change(by, act)

    def let_in(self, person: StoredPerson, currency: str, roles: Iterable[Role], by: Author) -> Member | Refusal:
        """Let somebody log in who could not; an account that is there stays, with its roles and currency."""

        def act(transaction: Transaction) -> Member | Refusal:
            return admit(transaction, person, currency, roles, by.name, self._clock())

        return self.change(by, act)

    def set_roles(self, name: str, roles: Iterable[Role], by: Author) -> Member | Refusal:
        """Give somebody else these roles and no others; the last administrator stays one."""
        wanted = tuple(roles)
        if name == by.name:
            return Refusal(Reason.OWN_ROLES, None)
        if Role.DEVICE in wanted:
            return Refusal(Reason.OF_DEVICES, None)

        def act(transaction: Transaction) -> Member:
            store_people.set_roles(transaction, name, wanted, by.name, self._clock())
            return _member(transaction, name)

        return self.change(by, act, of=name)

    def set_password(self, name: str, hashed: str, by: Author) -> Member | Refusal:
        """Keep a new password, one's own or as an administrator somebody's; every session of theirs ends."""

        def act(transaction: Transaction) -> Member:
            store_people.change_password(transaction, name, hashed, by.name, self._clock())
            return _member(transaction, name)

        return self.change(by, act, () if name == by.name else ADMINISTRATORS, of=name)

    def erase(self, name: str, by: Author) -> bool | Refusal:
        """Erase display name, contact, password and roles, if there are any; account, money and name stay."""

        def act(transaction: Transaction) -> bool:
            return store_people.erase_person(transaction, name, by.name, self._clock())

        return self.change(by, act, of=name)

    def shut(self, name: str, reason: str, by: Author) -> Member | Refusal:
        """Shut somebody's log-in: every session of theirs ends at once, and no password lets them in."""

        def act(transaction: Transaction) -> Member | Refusal:
            if not store_people.shut_log_in(transaction, name, by.name, self._clock(), reason):
                return Refusal(Reason.SHUT_ALREADY, None, {"person": name})
            return _member(transaction, name)

        refusal = refuse_reason(reason)
        return refusal if refusal is not None else self.change(by, act, of=name)

    def open_log_in(self, name: str, reason: str, by: Author) -> Member | Refusal:
        """Let somebody log in again whose log-in was shut."""

        def act(transaction: Transaction) -> Member | Refusal:
            if not store_people.open_log_in(transaction, name, by.name, self._clock(), reason):
                return Refusal(Reason.NOT_SHUT, None, {"person": name})
            return _member(transaction, name)

        refusal = refuse_reason(reason)
        return refusal if refusal is not None else self.change(by, act, of=name)

    def sessions(self, name: str) -> tuple[OpenSession, ...] | Refusal:
        """The open sessions of somebody, the latest first."""
        with self._store.read() as reader:
            if reader.account(name) is None:
                return no_account(name)
            return tuple(map(_open_session, store_people.sessions_of(reader, name, self._clock())))

    def end_session(self, id: str, by: Author) -> str | Refusal:
        """End an open session by its public name, one's own or as an administrator somebody's; whose it was."""

        def act(transaction: Transaction) -> str | Refusal:
            held = ADMINISTRATORS if by.session is None else store_people.roles_of(transaction, by.name)
            # Others' sessions are not there for anybody but an administrator.
            where, values = ("", ()) if set(ADMINISTRATORS) & set(held) else ("WHERE handle = ? ", (by.name,))
            rows = transaction.rows(f"SELECT token, handle FROM sessions {where}ORDER BY token", values)
            token, handle = next((row for row in rows if public_name(row[0]) == id), ("", ""))
            if not token:
                return Refusal(Reason.NO_OPEN_SESSION, None)
            store_people.end_session(transaction, token)
            self._note_ended(transaction, handle, by)
            return str(handle)

        return self.change(by, act, ())

    def end_sessions(self, name: str, by: Author) -> int | Refusal:
        """End every session of somebody; how many there were."""

        def act(transaction: Transaction) -> int:
            number = len(store_people.sessions_of(transaction, name, self._clock()))
            store_people.end_sessions_of(transaction, name)
            if number:
                self._note_ended(transaction, name, by)
            return number

        return self.change(by, act, () if name == by.name else ADMINISTRATORS, of=name)

    def _note_ended(self, transaction: Transaction, name: str, by: Author) -> None:
        """Sessions that somebody else ends are on record; one's own are one's own."""
        if name != by.name:
            transaction.note(HouseCode.SESSIONS_ENDED, Subject.SESSIONS.of(name), by.name, self._clock())

    def change(
        self, by: Author, act: Changed[_T], roles: tuple[Role, ...] = ADMINISTRATORS, *, of: str | None = None
    ) -> _T | Refusal:
        """Change something, of somebody who has an account, while nobody else changes people.

        Session and role of whoever asks may have ended while a password was hashed. Nothing is kept where nobody
        could administer the house after it.
        """
        try:
            with self._store.write() as transaction:
                store_people.lock_people(transaction)
                if by.session is not None and store_people.stored_session(transaction, by.session) is None:
                    return Refusal(Reason.NO_SESSION, None)
                held = roles if by.session is None else store_people.roles_of(transaction, by.name)
                if roles and not set(roles) & set(held):
                    return role_needed(roles)
                return act(transaction) if of is None or transaction.account(of) is not None else no_account(of)
        except LastAdministrator as error:
            return Refusal(Reason.LAST_ADMINISTRATOR, None, {"person": error.person})

    def draw_log_ins(self, hashes: Mapping[tuple[str, Role], str], mark: str) -> None:
        """Let everybody of a demonstration in with a new password; `mark` says which passwords these are.

        They are shown on a screen, so that a demonstration that becomes a house has to lose them.
        """
        now = self._clock()
        with self._store.write() as transaction:
            store_people.lock_people(transaction)
            drawn = set(store_people.drawn_people(transaction))
            for (name, role), hashed in hashes.items():
                if name in drawn:
                    store_people.change_password(transaction, name, hashed, OPENER, now)
                    person = transaction.person(name)
                    assert person is not None
                    transaction.set_person(msgspec.structs.replace(person, is_drawn=True), OPENER, now)
                else:
                    person = StoredPerson(name, None, None, hashed, is_drawn=True)
                    store_people.let_in(transaction, person, "USD", (role,), OPENER, now)
            set_mark(transaction, DEMONSTRATION, mark)

    def end_demonstration(self) -> list[str] | Refusal:
        """Make a house of a demonstration: the log-ins that were drawn for it go, if somebody else administers it."""

        def act(transaction: Transaction) -> list[str]:
            ended = store_people.drawn_people(transaction)
            for name in ended:
                store_people.erase_person(transaction, name, OPENER, self._clock())
            remove_mark(transaction, DEMONSTRATION)
            if not store_people.administrators(transaction):
                raise LastAdministrator(OPENER)
            return ended

        return self.change(Author(OPENER), act)


def admit(
    transaction: Transaction,
    person: StoredPerson,
    currency: str,
    roles: Iterable[Role],
    by: str,
    now: int,
    *,
    is_guest: bool = False,
) -> Member | Refusal:
    """Let somebody log in who could not; a guest only under a name that has no account, with nobody's money in it."""
    wanted = tuple(roles)
    if refusal := refuse_new(person, currency):
        return refusal
    if Role.DEVICE in wanted:
        return Refusal(Reason.OF_DEVICES, None)
    name = person.handle
    before = transaction.person(name) or StoredPerson(name)
    accounts = [account.handle for account in transaction.accounts()]
    is_taken = before.password is not None or (is_guest and name in accounts)
    taken = name if is_taken else look_alike(name, (handle for handle in accounts if handle != name))
    if taken is not None:
        return _account_exists(taken)
    display, contact = person.display or before.display, person.contact or before.contact
    whole = msgspec.structs.replace(person, display=display, contact=contact)
    store_people.let_in(transaction, whole, currency, wanted, by, now)
    return _member(transaction, name)


def take_as_demonstration(store: Store) -> bool:
    """Whether a database is a demonstration; one that is empty becomes one, and a house never does."""
    with store.read() as reader:
        is_one, is_new = mark_of(reader, DEMONSTRATION) is not None, is_database_empty(reader)
    if is_one or not is_new:
        return is_one
    with store.write() as transaction:
        is_new = is_database_empty(transaction)
        if is_new:
            set_mark(transaction, DEMONSTRATION, "")
    return is_new


def _member(transaction: Transaction, name: str) -> Member:
    [member] = store_people.members(transaction, name)
    return member
