"""Invitations: codes with which people make their own log-in and get a first buy-in, so that a charity night needs no
typing by the house.

An administrator makes them, alone or a sheet at a time. A code has 74 random bits, is told once and kept as a digest,
holds once and until it expires, and can be withdrawn. Guessing is bounded as failed log-ins are, by address; whoever
guesses learns nothing, since every code that does not hold is refused in the same words. A name that has an account is
never given to a guest, also where nobody logs in with it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable

import msgspec

from punto.floor.answers import Invitation, Joined, NewInvitation
from punto.floor.desk import post_first_buy_in
from punto.floor.log_ins import FAILURES_OF_ADDRESS, note_refused
from punto.floor.password import draw_password
from punto.floor.people import CURRENCY, Author, People, admit, refuse_new
from punto.floor.second_factor import plain_code, qr_svg
from punto.ledger.movement import MOST_AT_CASHIER
from punto.money import format_amount
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store import people as store_people
from punto.store.invitation import (
    StoredInvitation,
    add_invitations,
    invitation_of,
    stored_invitations,
    use_invitation,
    withdraw_invitation,
)
from punto.store.reader import Reader
from punto.store.record import StoredPerson
from punto.store.store import Store
from punto.store.transaction import Transaction

MOST_AT_ONCE, LONGEST_HOURS = 500, 366 * 24
USUAL_HOURS = 7 * 24
_ADDRESS = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?", re.ASCII)
"""Where a telephone goes that reads a printed code; without `https://` it shows a text."""


class Wanted(msgspec.Struct, frozen=True):
    """Invitations that are to be made."""

    number: int = 1
    role: Role = Role.PLAYER
    buy_in: int = 0  # Minor units.
    currency: str = "USD"
    hours: int = USUAL_HOURS  # How long they hold.
    address: str = ""  # Where people reach the floor, such as https://floor.example.


def link_of(address: str, code: str) -> str:
    """Where a guest goes. The code stands behind `#`, which browsers send to nobody."""
    return f"{address.rstrip('/')}/join#{code}"


def digest_of_invitation(code: str) -> str:
    """What is kept of a code; blanks, hyphens and capital letters make no difference."""
    return hashlib.sha256(f"invitation/{plain_code(code)}".encode("utf-8", "surrogatepass")).hexdigest()


class Invitations:
    """Makes, lists, withdraws and redeems invitations."""

    def __init__(self, store: Store, people: People, clock: Callable[[], int]) -> None:
        self._store, self._people, self._clock = store, people, clock

    def make(self, wanted: Wanted, by: Author) -> tuple[NewInvitation, ...] | Refusal:
        """Make invitations; their codes are told only here."""
        if (refusal := _refuse_wanted(wanted)) is not None:
            return refusal
        now = self._clock()
        codes = [draw_password() for _ in range(wanted.number)]
        made = [
            StoredInvitation(
                *(secrets.token_hex(6), digest_of_invitation(code), wanted.role.value, wanted.currency, wanted.buy_in),
                *(by.name, now, now + wanted.hours * 3_600_000),
            )
            for code in codes
        ]

        def act(transaction: Transaction) -> tuple[NewInvitation, ...]:
            add_invitations(transaction, made)
            links = [link_of(wanted.address, code) for code in codes]
            told = zip(made, codes, links, strict=True)
            return tuple(
                NewInvitation(**msgspec.structs.asdict(_shown(each, now)), code=code, link=link, qr=qr_svg(link))
                for each, code, link in told
            )

        return self._people.change(by, act)

    def listed(self, reader: Reader) -> tuple[Invitation, ...]:
        """Every invitation, without its code."""
        return tuple(_shown(each, self._clock()) for each in stored_invitations(reader))

    def withdraw(self, id: str, by: Author) -> Invitation | Refusal:
        """Withdraw an invitation that nobody has used."""

        def act(transaction: Transaction) -> Invitation | Refusal:
            found, now = invitation_of(transaction, "id", id), self._clock()
            if found is None or not withdraw_invitation(transaction, found, by.name, now):
                return Refusal(Reason.INVITATION_OVER, None)
            changed = invitation_of(transaction, "id", id)
            assert changed is not None
            return _shown(changed, now)

        return self._people.change(by, act)

    def refuse(self, code: str, place: str, person: StoredPerson) -> Refusal | None:
        """Why somebody cannot come in with a code; asked before a password is hashed, and a wrong code counts."""
        with self._store.read() as reader:
            locked = self._refuse_locked(reader, place)
            found = invitation_of(reader, "digest", digest_of_invitation(code)) if locked is None else None
        if locked is not None:
            return locked
        if found is None or not found.holds(self._clock()):
            return self._count(place)
        return refuse_new(person, found.currency)

    def join(self, code: str, place: str, person: StoredPerson) -> Joined | Refusal:
        """Make somebody's own log-in with a code, and give them the first buy-in; all of it, or nothing."""
        now, name = self._clock(), person.handle
        with self._store.write() as transaction:
            store_people.lock_people(transaction)
            if (locked := self._refuse_locked(transaction, place)) is not None:
                return locked
            found = invitation_of(transaction, "digest", digest_of_invitation(code))
            if found is not None and found.holds(now):
                return _joined(transaction, found, person, name, now)
        return self._count(place)

    def _refuse_locked(self, reader: Reader, place: str) -> Refusal | None:
        left = store_people.log_in_locked_until(reader, [f"address/{place}"]) - self._clock()
        return Refusal(Reason.LOCKED_OUT, None, {"seconds": -(-left // 1000)}) if left > 0 else None

    def _count(self, place: str) -> Refusal:
        """Count a code that does not hold; why it does not is not told."""
        now = self._clock()
        with self._store.write() as transaction:
            until = store_people.count_failure(transaction, f"address/{place}", FAILURES_OF_ADDRESS, now)
            note_refused(transaction, "", place, now, is_locked_out=bool(until))
        return Refusal(Reason.NO_INVITATION, None)


def _joined(
    transaction: Transaction, found: StoredInvitation, person: StoredPerson, name: str, now: int
) -> Joined | Refusal:
    """What comes of an invitation that holds, while nobody else changes people."""
    member = admit(transaction, person, found.currency, (Role(found.role),), found.made_by, now, is_guest=True)
    if isinstance(member, Refusal):
        return member
    used = use_invitation(transaction, found, name, now)
    assert used, "it holds, and people are locked"
    if found.buy_in:
        refusal = post_first_buy_in(transaction, name, found.currency, found.buy_in, found.made_by, now, found.id)
        assert refusal is None, "its amount was checked when it was made"
    return Joined(name, member.display, found.currency, member.roles, found.buy_in)


def _refuse_wanted(wanted: Wanted) -> Refusal | None:
    problem = None
    if not 1 <= wanted.number <= MOST_AT_ONCE:
        problem = f"make from 1 to {MOST_AT_ONCE} invitations at once"
    elif not 1 <= wanted.hours <= LONGEST_HOURS:
        problem = f"an invitation holds from 1 to {LONGEST_HOURS} hours"
    elif wanted.role is Role.DEVICE:
        problem = "nobody comes in as a device; issue a key for its table"
    elif wanted.role is Role.ADMINISTRATOR:
        problem = "nobody becomes an administrator by a code on paper; add them by name"
    elif not 0 <= wanted.buy_in <= MOST_AT_CASHIER // 1_000:
        problem = f"a first buy-in is at most {format_amount(MOST_AT_CASHIER // 1_000)}"
    elif wanted.buy_in and wanted.role is not Role.PLAYER:
        problem = "only a player has a first buy-in"
    elif wanted.address and not _ADDRESS.fullmatch(wanted.address):
        problem = f"the address of a floor is such as https://floor.example, and {wanted.address!r} is not"
    if problem is not None:
        return Refusal(Reason.WRONG_INVITATION, None, {"problem": problem})
    if not CURRENCY.fullmatch(wanted.currency):
        return Refusal(Reason.WRONG_CURRENCY, None, {"currency": wanted.currency})
    return None


def _shown(stored: StoredInvitation, now: int) -> Invitation:
    is_over = "used" if stored.used_by is not None else "withdrawn" if stored.withdrawn_by is not None else None
    return Invitation(
        invitation=stored.id,
        state=is_over or ("open" if stored.holds(now) else "expired"),
        role=Role(stored.role),
        currency=stored.currency,
        buy_in=stored.buy_in,
        made_by=stored.made_by,
        made=stored.made_ms,
        expires=stored.expires_ms,
        used_by=stored.used_by,
        used=stored.used_ms,
    )
