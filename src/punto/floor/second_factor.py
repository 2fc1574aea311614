"""A second factor: codes of six digits from an authenticator that holds the same secret (TOTP, RFC 6238).

It is begun with a secret that is shown once, and holds when a first code confirms it; then recovery codes are shown,
once too. The secret is sealed with the key of the house, so that whoever has the database cannot make a code; of
recovery codes only a digest is kept. A code holds once, and for one step of 30 seconds before and after its own,
because clocks of telephones are a little wrong.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import secrets
from collections.abc import Callable
from typing import Any

import pyotp

from punto.floor.answers import BegunFactor, RecoveryCodes, SecondFactorStatus
from punto.floor.house_rules import house_rules
from punto.floor.password import draw_password
from punto.floor.people import ADMINISTRATORS, Author, People, no_account, refuse_reason
from punto.floor.profile import Profile
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store import people as store_people
from punto.store import second_factor as stored
from punto.store.chain import HouseCode
from punto.store.reader import Reader
from punto.store.record import Member
from punto.store.seal import Seal
from punto.store.second_factor import StoredFactor
from punto.store.store import Store
from punto.store.transaction import Transaction

STEP_MS, DIGITS = 30_000, 6
STEPS_OFF = 1  # Steps by which a telephone's clock may be wrong.
BEGUN_MINUTES = 15  # How long a secret waits for its first code.
RECOVERY_CODES = 10
SECRET_LETTERS = 32  # 160 random bits, as RFC 4226 recommends.
ISSUER = "Punto"


def code_at(secret: str, step: int, digits: int = DIGITS, digest: Any = hashlib.sha1) -> str:
    """The code of a secret, in base 32, at a step of 30 seconds since 1970."""
    return pyotp.OTP(secret, digits=digits, digest=digest).generate_otp(step)


def step_of(now: int) -> int:
    return now // STEP_MS


def matching_step(secret: str, code: str, now: int, last: int) -> int | None:
    """The step whose code this is, now or one step off, and after the last that was used; None where it is none."""
    if not code.isascii():
        return None
    around = range(step_of(now) - STEPS_OFF, step_of(now) + STEPS_OFF + 1)
    matches = [step for step in around if hmac.compare_digest(code_at(secret, step).encode(), code.encode())]
    return next((step for step in matches if step > last), None)


def is_needed(profile: Profile, roles: tuple[Role, ...]) -> bool:
    """Whether somebody in these roles logs in with a second factor only."""
    return any(role in roles for role in profile.second_factor)


def plain_code(text: str) -> str:
    """A code as it is compared: people write blanks and hyphens, and capital letters."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def digest_of_code(handle: str, code: str) -> str:
    """What is kept of a recovery code; it has 74 random bits."""
    return hashlib.sha256(f"recovery/{handle}/{plain_code(code)}".encode("utf-8", "surrogatepass")).hexdigest()


def use_code(transaction: Transaction, seal: Seal, handle: str, code: str, now: int) -> bool:
    """Whether this is a code of somebody's second factor, or a recovery code; it is used up by that."""
    factor, plain = stored.stored_factor(transaction, handle), plain_code(code)
    if factor is None:
        return False
    if len(plain) == DIGITS and plain.isascii() and plain.isdecimal():
        step = matching_step(_opened(seal, handle, factor.sealed), plain, now, factor.last_step)
        return step is not None and stored.use_step(transaction, handle, step)
    return stored.use_recovery_code(transaction, handle, digest_of_code(handle, plain), now)


def _about(handle: str) -> str:
    """What a sealed secret is bound to: moved to somebody else, it does not open."""
    return f"person:second-factor/{handle}"


def _opened(seal: Seal, handle: str, sealed: bytes) -> str:
    return seal.open_secret(_about(handle), sealed).decode("ascii")


class SecondFactors:
    """Begins, confirms and removes the second factors of people."""

    def __init__(self, store: Store, people: People, seal: Seal, clock: Callable[[], int]) -> None:
        self._store, self._people, self._seal, self._clock = store, people, seal, clock

    def status(self, name: str) -> SecondFactorStatus | Refusal:
        """Whether somebody has a second factor, and whether one is needed."""
        with self._store.read() as reader:
            return _status(reader, name) if reader.account(name) is not None else no_account(name)

    def begin(self, name: str, by: Author) -> BegunFactor | Refusal:
        """Draw a secret for somebody; it is told only here, and holds when a code confirms it."""
        secret = "".join(secrets.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(SECRET_LETTERS))
        expires = self._clock() + BEGUN_MINUTES * 60_000

        def act(transaction: Transaction) -> BegunFactor | Refusal:
            if stored.stored_factor(transaction, name) is not None:
                return Refusal(Reason.SECOND_FACTOR_SET, None, {"person": name})
            sealed = self._seal.seal_secret(_about(name), secret.encode("ascii"))
            stored.begin_factor(transaction, name, sealed, expires)
            issuer = house_rules(transaction).operator or ISSUER
            uri = pyotp.TOTP(secret).provisioning_uri(name, issuer)
            return BegunFactor(name, secret, uri, qr_svg(uri), expires)

        return self._people.change(by, act, () if name == by.name else ADMINISTRATORS, of=name)

    def confirm(self, name: str, code: str, by: Author) -> RecoveryCodes | Refusal:
        """Take a second factor up that was begun; its recovery codes are told only here.

        Sessions that were opened without it end, but for the one in which this is asked.
        """
        codes = tuple(draw_password() for _ in range(RECOVERY_CODES))

        def act(transaction: Transaction) -> RecoveryCodes | Refusal:
            now, begun = self._clock(), stored.begun_factor(transaction, name, self._clock())
            if stored.stored_factor(transaction, name) is not None:
                return Refusal(Reason.SECOND_FACTOR_SET, None, {"person": name})
            if begun is None:
                return Refusal(Reason.NOTHING_BEGUN, None, {"minutes": BEGUN_MINUTES})
            step = matching_step(_opened(self._seal, name, begun), plain_code(code), now, 0)
            if step is None:
                return Refusal(Reason.WRONG_CODE, None)
            digests = [digest_of_code(name, each) for each in codes]
            stored.set_factor(transaction, StoredFactor(name, begun, now, step), digests, by.name)
            store_people.end_sessions_of(transaction, name, but=by.session)
            return RecoveryCodes(name, codes)

        return self._people.change(by, act, () if name == by.name else ADMINISTRATORS, of=name)

    def remove(self, name: str, reason: str, by: Author) -> Member | Refusal:
        """Remove somebody's second factor, by somebody else and on record; every session of theirs ends."""
        if (refusal := refuse_reason(reason)) is not None:
            return refusal
        if name == by.name and by.session is not None:
            return Refusal(Reason.OWN_SECOND_FACTOR, None)

        def act(transaction: Transaction) -> Member | Refusal:
            now, code = self._clock(), HouseCode.SECOND_FACTOR_REMOVED
            if not stored.remove_factor(transaction, name, by.name, now, reason, code):
                return Refusal(Reason.NO_SECOND_FACTOR, None, {"person": name})
            store_people.end_sessions_of(transaction, name)
            [member] = store_people.members(transaction, name)
            return member

        return self._people.change(by, act, of=name)


def _status(reader: Reader, name: str) -> SecondFactorStatus:
    factor = stored.stored_factor(reader, name)
    needed = is_needed(house_rules(reader).profile, store_people.roles_of(reader, name))
    left = len(stored.recovery_left(reader, name))
    return SecondFactorStatus(name, factor is not None, factor.since_ms if factor is not None else None, left, needed)


def qr_svg(text: str) -> str:
    """A text as a QR code that any telephone reads, as SVG: it is as large as whoever shows it makes it."""
    import segno

    return segno.make(text, micro=False).svg_inline(border=4, omitsize=True)


def qr_terminal(text: str) -> str:
    """The same for a terminal, in half blocks."""
    import segno

    with io.StringIO() as out:
        segno.make(text, micro=False).terminal(out, compact=True)
        return out.getvalue()
