"""Second factors: codes by RFC 6238, each once and one step off at most; setting up, recovery codes, removal."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.verification import verify
from punto.floor.answers import BegunFactor
from punto.floor.house_rules import change_rules
from punto.floor.log_ins import FAILURES_OF_NAME, HouseSessions
from punto.floor.people import Author, People
from punto.floor.profile import load_profile
from punto.floor.second_factor import (
    RECOVERY_CODES,
    STEP_MS,
    SecondFactors,
    code_at,
    is_needed,
    matching_step,
    plain_code,
    qr_svg,
    qr_terminal,
    step_of,
)
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.errors import KeyTrouble
from punto.store.people import let_in
from punto.store.record import Member, StoredPerson
from punto.store.seal import Seal
from punto.store.store import Store, open_store
from tests.documents.qr_reader import modules_of_svg, text_in

_T = TypeVar("_T")
HERE, SEAL = Author("the command line (ann)"), Seal(b"k" * 32)
HOME, AWAY = "10.0.0.1", "10.9.9.9"
SECRET = base64.b32encode(b"12345678901234567890").decode()

VECTORS: tuple[tuple[int, str, str, str], ...] = (
    (59, "94287082", "46119246", "90693936"),
    (1111111109, "07081804", "68084774", "25091201"),
    (1111111111, "14050471", "67062674", "99943326"),
    (1234567890, "89005924", "91819424", "93441116"),
    (2000000000, "69279037", "90698825", "38618901"),
    (20000000000, "65353130", "77737706", "47863826"),
)
"""RFC 6238, appendix B: seconds since 1970, and the codes of eight digits with SHA-1, SHA-256 and SHA-512."""


@pytest.mark.gli("2.5.3")
@pytest.mark.parametrize(("seconds", "sha1", "sha256", "sha512"), VECTORS)
def test_the_vectors_of_rfc_6238(seconds: int, sha1: str, sha256: str, sha512: str) -> None:
    seed, step = b"1234567890" * 7, step_of(seconds * 1000)
    for digest, size, wanted in ((hashlib.sha1, 20, sha1), (hashlib.sha256, 32, sha256), (hashlib.sha512, 64, sha512)):
        secret = base64.b32encode(seed[:size]).decode()
        assert code_at(secret, step, 8, digest) == wanted
    assert code_at(SECRET, step) == sha1[-6:], "ours have six digits"


@given(st.integers(10**6, 2**42), st.integers(-5, 5))
def test_a_code_holds_one_step_before_and_after_its_own(now: int, off: int) -> None:
    code, own = code_at(SECRET, max(0, step_of(now) + off)), max(0, step_of(now) + off)
    found = matching_step(SECRET, code, now, -1)
    if abs(own - step_of(now)) <= 1:
        assert found is not None and code_at(SECRET, found) == code
    elif found is not None:  # one in some hundred thousand looks the same
        assert code_at(SECRET, found) == code
    assert matching_step(SECRET, code, now, step_of(now) + 1) is None, "a step that was used, or an earlier one"


class Clock:
    now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Desk:
    """Everything about second factors of one house."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock = store, Clock()
        self.people = People(store, self.clock)
        self.factors = SecondFactors(store, self.people, SEAL, self.clock)
        self.sessions = HouseSessions(store, 10**12, self.clock, SEAL)
        with store.write() as transaction:
            for name, role in (("Ada", Role.ADMINISTRATOR), ("Eve", Role.ADMINISTRATOR), ("Lee", Role.PLAYER)):
                let_in(transaction, StoredPerson(name, None, None, "kept"), "USD", (role,), "house", 0)

    def enrol(self, name: str = "Lee") -> tuple[str, tuple[str, ...]]:
        """A second factor for somebody; its secret and its recovery codes. The step of now is used up by it."""
        begun = accepted(self.factors.begin(name, Author(name)))
        codes = accepted(self.factors.confirm(name, self.code(begun.secret), Author(name)))
        return begun.secret, codes.codes

    def code(self, secret: str, steps: int = 0) -> str:
        return code_at(secret, step_of(self.clock.now) + steps)

    def later(self, steps: int = 1) -> None:
        self.clock.now += steps * STEP_MS

    def log_in(self, code: str | None = None, name: str = "Lee", place: str = HOME) -> Reason | None:
        """Why somebody is not let in; None where they are."""
        opened = self.sessions.open(name, place, "kept", code)
        return opened.reason if isinstance(opened, Refusal) else None

    def acts(self) -> list[str]:
        with self.store.read() as reader:
            assert verify(reader).ok
            return [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]


@pytest.fixture
def desk(database: str) -> Iterator[Desk]:
    with open_store(database) as opened:
        yield Desk(opened)


def accepted(answer: _T | Refusal) -> _T:
    assert not isinstance(answer, Refusal), answer
    return answer


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal) and answer.sentence
    return answer.reason


@pytest.mark.gli("2.5.3")
def test_it_holds_when_its_first_code_confirms_it(desk: Desk) -> None:
    assert desk.log_in() is None
    assert why(desk.factors.confirm("Lee", "000000", Author("Lee"))) is Reason.NOTHING_BEGUN
    begun = accepted(desk.factors.begin("Lee", Author("Lee")))
    assert desk.log_in() is None, "what is only begun keeps nobody out"
    wrong = f"{(int(desk.code(begun.secret)) + 1) % 10**6:06}"
    if wrong not in (desk.code(begun.secret, -1), desk.code(begun.secret, 1)):
        assert why(desk.factors.confirm("Lee", wrong, Author("Lee"))) is Reason.WRONG_CODE
    codes = accepted(desk.factors.confirm("Lee", desk.code(begun.secret), Author("Lee"))).codes
    assert len(set(codes)) == RECOVERY_CODES
    assert desk.log_in() is Reason.SECOND_FACTOR_NEEDED
    assert desk.log_in(desk.code(begun.secret)) is Reason.WRONG_CODE, "the code that confirmed it is used up"
    desk.later()
    assert desk.log_in(desk.code(begun.secret)) is None
    assert why(desk.factors.begin("Lee", Author("Lee"))) is Reason.SECOND_FACTOR_SET
    status = accepted(desk.factors.status("Lee"))
    assert (status.enrolled, status.recovery_left, status.needed) == (True, RECOVERY_CODES, False)


def test_what_takes_too_long_is_begun_again(desk: Desk) -> None:
    begun = accepted(desk.factors.begin("Lee", Author("Lee")))
    desk.clock.now = begun.expires
    assert why(desk.factors.confirm("Lee", desk.code(begun.secret), Author("Lee"))) is Reason.NOTHING_BEGUN
    first, second = (accepted(desk.factors.begin("Lee", Author("Lee"))) for _ in range(2))
    assert why(desk.factors.confirm("Lee", desk.code(first.secret), Author("Lee"))) is Reason.WRONG_CODE
    accepted(desk.factors.confirm("Lee", desk.code(second.secret), Author("Lee")))


@pytest.mark.gli("2.5.3")
def test_codes_that_are_replayed_late_or_early(desk: Desk) -> None:
    secret, _ = desk.enrol()
    desk.later(10)
    old, own, ahead = (desk.code(secret, steps) for steps in (-1, 0, 1))
    assert desk.log_in(desk.code(secret, -2)) is Reason.WRONG_CODE
    assert desk.log_in(desk.code(secret, 2)) is Reason.WRONG_CODE
    assert desk.log_in(old) is None
    assert desk.log_in(old) is Reason.WRONG_CODE, "replayed"
    assert desk.log_in(f"{own[:3]} {own[3:]}") is None, "people write blanks"
    assert desk.log_in(ahead) is None
    assert desk.log_in(own) is Reason.WRONG_CODE, "an earlier step than one that was used"


@pytest.mark.gli("2.5.3")
def test_a_code_that_two_send_at_once_lets_one_in(desk: Desk) -> None:
    secret, codes = desk.enrol()
    desk.later(2)
    for code in (desk.code(secret), codes[0]):
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _, sent=code: desk.log_in(sent), range(4)))
        assert sorted(str(answer) for answer in answers) == ["None", *[str(Reason.WRONG_CODE)] * 3]


@pytest.mark.gli("2.5.3")
def test_wrong_codes_count_as_failed_log_ins(desk: Desk) -> None:
    secret, _ = desk.enrol()
    desk.later(2)
    around = {desk.code(secret, steps) for steps in (-1, 0, 1)}
    wrong = next(code for code in ("111111", "222222", "333333", "444444") if code not in around)
    answers = [desk.log_in(wrong, place=AWAY) for _ in range(FAILURES_OF_NAME + 1)]
    assert answers == [*[Reason.WRONG_CODE] * FAILURES_OF_NAME, Reason.LOCKED_OUT]
    assert desk.log_in(desk.code(secret), place=AWAY) is Reason.LOCKED_OUT, "the right one too"
    locked = desk.sessions.password_of("Lee", AWAY)
    assert isinstance(locked, Refusal) and locked.reason is Reason.LOCKED_OUT, "and every password"
    assert desk.log_in(None, place=AWAY) is Reason.SECOND_FACTOR_NEEDED
    assert any('"log-in-refused"' in act for act in desk.acts())
    desk.later(100)
    assert desk.log_in(desk.code(secret), place=AWAY) is None


@pytest.mark.gli("2.5.3")
def test_recovery_codes_hold_once_each(desk: Desk) -> None:
    _, codes = desk.enrol()
    assert desk.log_in(codes[3].upper().replace("-", " ")) is None
    assert desk.log_in(codes[3]) is Reason.WRONG_CODE
    assert accepted(desk.factors.status("Lee")).recovery_left == RECOVERY_CODES - 1
    assert '"recovery-code-used"' in desk.acts()[-2] and '"log-in-refused"' in desk.acts()[-1]
    _, others = desk.enrol("Eve")
    assert desk.log_in(others[0]) is Reason.WRONG_CODE, "somebody else's"
    for code in (*codes[:3], *codes[4:]):
        desk.clock.now += 10**7  # failures are forgotten
        assert desk.log_in(code) is None
    assert accepted(desk.factors.status("Lee")).recovery_left == 0
    desk.acts()


@pytest.mark.gli("2.5.3")
@pytest.mark.gli("B.2.3")
def test_somebody_else_removes_it_on_record(desk: Desk) -> None:
    secret, codes = desk.enrol()
    desk.later(2)
    token = accepted(desk.sessions.open("Lee", HOME, "kept", desk.code(secret)))[1].session.token
    ada = Author("Ada", accepted(desk.sessions.open("Ada", HOME, "kept"))[1].session.token)
    assert why(desk.factors.remove("Lee", " ", ada)) is Reason.REASON_NEEDED
    assert why(desk.factors.remove("Lee", "mine", Author("Lee", token))) is Reason.OWN_SECOND_FACTOR
    assert why(desk.factors.remove("Eve", "x", ada)) is Reason.NO_SECOND_FACTOR
    assert why(desk.factors.remove("Nobody", "x", ada)) is Reason.NO_ACCOUNT
    assert why(desk.factors.remove("Eve", "x", Author("Lee", token))) is Reason.ROLE_NEEDED
    removed = desk.factors.remove("Lee", "lost the telephone", ada)
    assert isinstance(removed, Member) and not removed.second_factor
    assert desk.sessions.find(token) is None and desk.log_in() is None
    act = desk.acts()[-1]
    assert '"second-factor-removed"' in act and "lost the telephone" in act and '"who":"Ada"' in act
    assert desk.log_in(codes[0]) is None, "who has none is asked for none"


def test_sessions_without_it_end_when_it_holds(desk: Desk) -> None:
    own, other = (accepted(desk.sessions.open("Lee", HOME, "kept"))[1].session.token for _ in range(2))
    begun = accepted(desk.factors.begin("Lee", Author("Lee", own)))
    assert desk.sessions.find(other) is not None
    accepted(desk.factors.confirm("Lee", desk.code(begun.secret), Author("Lee", own)))
    found = desk.sessions.find(own)
    assert desk.sessions.find(other) is None and found is not None and found.has_second_factor


@pytest.mark.gli("B.6.2")
def test_nothing_secret_is_kept_as_it_is(desk: Desk) -> None:
    secret, codes = desk.enrol()
    begun = accepted(desk.factors.begin("Eve", HERE))
    secrets = [secret, begun.secret, *codes, *(plain_code(code) for code in codes)]
    with desk.store.read() as reader:
        for table in ("second_factors", "begun_factors", "recovery_codes", "house_events", "people", "sessions"):
            for row in reader.rows(f"SELECT * FROM {table}"):
                for value in row:
                    kept = bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
                    assert not any(each.encode() in kept for each in secrets), table
        [(sealed,)] = reader.rows("SELECT sealed FROM second_factors")
    with pytest.raises(KeyTrouble):
        Seal(b"x" * 32).open_secret("person:second-factor/Lee", bytes(sealed))
    with pytest.raises(KeyTrouble):
        SEAL.open_secret("person:second-factor/Eve", bytes(sealed))
    assert SEAL.open_secret("person:second-factor/Lee", bytes(sealed)).decode() == secret


def test_who_is_erased_has_none(desk: Desk) -> None:
    desk.enrol()
    assert desk.people.erase("Lee", HERE) is True
    assert not accepted(desk.factors.status("Lee")).enrolled
    desk.acts()


def test_which_roles_need_one(desk: Desk) -> None:
    strict = load_profile("strict")
    needed = {role for role in Role if is_needed(strict, (role,))}
    assert needed == {Role.CASHIER, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR}
    assert is_needed(strict, (Role.PLAYER, Role.CASHIER)) and not is_needed(load_profile("open"), tuple(Role))
    change_rules(desk.store, {"profile": "strict"}, "Ada", 1)
    assert accepted(desk.factors.status("Ada")).needed and not accepted(desk.factors.status("Lee")).needed


def test_the_picture_says_where_the_secret_belongs(desk: Desk) -> None:
    change_rules(desk.store, {"operator": "Casa Lee"}, "Ada", 1)
    begun: Any = desk.factors.begin("Lee", HERE)
    assert isinstance(begun, BegunFactor)
    assert begun.uri.startswith("otpauth://totp/Casa%20Lee:Lee?secret=") and "issuer=Casa%20Lee" in begun.uri
    assert begun.qr == qr_svg(begun.uri) and text_in(modules_of_svg(begun.qr)) == begun.uri
    assert begun.qr.startswith("<svg viewBox=") and "script" not in begun.qr
    assert len(qr_terminal(begun.uri).splitlines()) > 20
