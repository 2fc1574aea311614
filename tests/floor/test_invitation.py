"""Invitations: one person each, whoever is faster; expiry, withdrawal, guessing, the first buy-in, and the records."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from punto.audit.verification import verify
from punto.floor.answers import Joined, NewInvitation
from punto.floor.invitation import LONGEST_HOURS, MOST_AT_ONCE, Invitations, Wanted, link_of
from punto.floor.log_ins import FAILURES_OF_ADDRESS
from punto.floor.people import Author, People
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.people import StoredSession, add_session, let_in
from punto.store.reader import Reader
from punto.store.record import StoredPerson
from punto.store.store import Store, open_store
from tests.documents.qr_reader import modules_of_svg, text_in
from tests.floor.ledger_check import check_store

_T = TypeVar("_T")
HERE = Author("the command line (ann)")
HOME, AWAY = "10.0.0.1", "10.9.9.9"
HOUR = 3_600_000


class Clock:
    now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


class Door:
    """The invitations of one house."""

    def __init__(self, store: Store) -> None:
        self.store, self.clock = store, Clock()
        self.people = People(store, self.clock)
        self.invitations = Invitations(store, self.people, self.clock)
        with store.write() as transaction:
            for name, role in (("Ada", Role.ADMINISTRATOR), ("Lee", Role.PLAYER)):
                let_in(transaction, StoredPerson(name, None, None, "kept"), "USD", (role,), "house", 0)
                add_session(transaction, StoredSession(f"of {name}", name, 1, 10**15, 1))

    def make(self, **fields: Any) -> NewInvitation:
        [made] = accepted(self.invitations.make(Wanted(**fields), Author("Ada", "of Ada")))
        return made

    def join(self, code: str, name: str, place: str = HOME) -> Joined | Refusal:
        return self.invitations.join(code, place, StoredPerson(name, None, None, "hashed"))

    def read(self, statement: str) -> list[Any]:
        with self.store.read() as reader:
            return reader.rows(statement)

    def acts(self) -> list[str]:
        check_store(self.store)
        with self.store.read() as reader:
            assert verify(reader).ok
        return [body for (body,) in self.read("SELECT body FROM house_events ORDER BY seq")]


@pytest.fixture
def door(database: str) -> Iterator[Door]:
    with open_store(database) as opened:
        yield Door(opened)


def accepted(answer: _T | Refusal) -> _T:
    assert not isinstance(answer, Refusal), answer
    return answer


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal) and answer.sentence
    return answer.reason


@pytest.mark.gli("2.5.2")
def test_a_guest_makes_a_log_in_and_gets_the_first_buy_in(door: Door) -> None:
    made = door.make(buy_in=50_000, currency="HKD", address="https://floor.example/")
    assert made.link == f"https://floor.example/join#{made.code}" == text_in(modules_of_svg(made.qr))
    joined = door.join(made.code.upper().replace("-", " "), "Zoe")
    assert joined == Joined("Zoe", None, "HKD", (Role.PLAYER,), 50_000)
    with door.store.read() as reader:
        person, account = reader.person("Zoe"), reader.account("Zoe")
        assert person is not None and person.password == "hashed" and account is not None and account.currency == "HKD"
        assert reader.balances(["player/Zoe"]) == {"player/Zoe": 50_000}
    [(kind, actor, reason)] = door.read("SELECT kind, actor, reason FROM movements")
    assert (kind, actor, reason) == ("buy-in", "Ada", f"invitation {made.invitation}"), "with who invited"
    assert any('"invitation-used"' in act and '"used_by":"Zoe"' in act for act in door.acts())


def test_a_role_of_the_house_has_no_buy_in(door: Door) -> None:
    made = door.make(role=Role.DEALER)
    assert accepted(door.join(made.code, "Dan")).roles == (Role.DEALER,)
    assert door.read("SELECT id FROM movements") == []
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"role": Role.DEALER, "buy_in": 1}, "only a player"),
        ({"role": Role.ADMINISTRATOR}, "administrator"),
        ({"number": 0}, f"from 1 to {MOST_AT_ONCE}"),
        ({"number": MOST_AT_ONCE + 1}, f"from 1 to {MOST_AT_ONCE}"),
        ({"hours": 0}, f"from 1 to {LONGEST_HOURS}"),
        ({"hours": LONGEST_HOURS + 1}, f"from 1 to {LONGEST_HOURS}"),
        ({"buy_in": 10**15}, "at most"),
        ({"buy_in": -1}, "at most"),
        ({"address": "floor.example"}, "such as https://floor.example, and 'floor.example' is not"),
        ({"address": "ftp://floor.example"}, "such as https://floor.example"),
        ({"address": "https://floor.example#top"}, "such as https://floor.example"),
        ({"address": "http://"}, "such as https://floor.example"),
    ]
    for fields, words in wrong:
        refused = door.invitations.make(Wanted(**fields), HERE)
        assert isinstance(refused, Refusal) and refused.reason is Reason.WRONG_INVITATION and words in refused.sentence
    assert why(door.invitations.make(Wanted(currency="usd"), HERE)) is Reason.WRONG_CURRENCY


def test_only_an_administrator_invites_and_withdraws(door: Door) -> None:
    made = door.make()
    lee = Author("Lee", "of Lee")
    assert why(door.invitations.make(Wanted(), lee)) is Reason.ROLE_NEEDED
    assert why(door.invitations.withdraw(made.invitation, lee)) is Reason.ROLE_NEEDED
    assert why(door.invitations.withdraw(made.invitation, Author("Ada", "gone"))) is Reason.NO_SESSION


def test_a_code_holds_once_and_until_it_expires(door: Door) -> None:
    used, withdrawn, expired, alive = (door.make(hours=hours) for hours in (24, 24, 1, 24))
    accepted(door.join(used.code, "Zoe"))
    accepted(door.invitations.withdraw(withdrawn.invitation, HERE))
    door.clock.now += HOUR
    refusals = {door.join(code, "Yan").__repr__() for code in (used.code, withdrawn.code, expired.code, "never-given")}
    assert len(refusals) == 1 and "no-invitation" in refusals.pop(), "why is not told"
    for over in (used, withdrawn, expired):
        assert why(door.invitations.withdraw(over.invitation, HERE)) is Reason.INVITATION_OVER
    assert why(door.invitations.withdraw("none", HERE)) is Reason.INVITATION_OVER
    with door.store.read() as reader:
        states = {each.invitation: (each.state, each.used_by) for each in door.invitations.listed(reader)}
    assert states[used.invitation] == ("used", "Zoe") and states[withdrawn.invitation] == ("withdrawn", None)
    assert states[expired.invitation] == ("expired", None) and states[alive.invitation] == ("open", None)
    accepted(door.join(alive.code, "Yan"))
    door.acts()


def test_two_devices_that_use_one_invitation_at_once(door: Door) -> None:
    made = door.make(buy_in=10_000)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda name: door.join(made.code, name), ("Zoe", "Yan", "Xia", "Wim")))
    joined = [answer for answer in answers if isinstance(answer, Joined)]
    assert (
        len(joined) == 1 and [why(each) for each in answers if isinstance(each, Refusal)] == [Reason.NO_INVITATION] * 3
    )
    assert door.read("SELECT count(*) FROM movements") == [(1,)]
    assert [handle for (handle,) in door.read("SELECT handle FROM accounts ORDER BY handle")] == sorted(
        ("Ada", "Lee", joined[0].account)
    )
    door.acts()


def test_two_guests_who_want_one_name_at_once(door: Door) -> None:
    made = [door.make(buy_in=10_000) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda each: door.join(each.code, "Zoe"), made))
    assert sorted(why(each).value if isinstance(each, Refusal) else "joined" for each in answers) == [
        *["account-exists"] * 2,
        "joined",
    ]
    left = [each for each, answer in zip(made, answers, strict=True) if isinstance(answer, Refusal)]
    accepted(door.join(left[0].code, "Yan"))  # their invitations still hold


def test_a_name_that_is_taken_or_cannot_be_uses_nothing_up(door: Door) -> None:
    made = door.make()
    accepted(door.people.open_account(StoredPerson("Kim"), "USD", HERE))
    for name, reason in (
        ("Lee", Reason.ACCOUNT_EXISTS),
        ("ＬＥＥ", Reason.ACCOUNT_EXISTS),
        ("Kim", Reason.ACCOUNT_EXISTS),  # nobody logs in with it, and it is not a guest's to take
        ("a/b", Reason.WRONG_NAME),
        ("the house", Reason.HOUSE_NAME),
    ):
        assert why(door.join(made.code, name)) is reason
    assert why(door.invitations.refuse(made.code, HOME, StoredPerson("a/b"))) is Reason.WRONG_NAME
    assert why(door.invitations.refuse(made.code, HOME, StoredPerson("Zoe", "x" * 201))) is Reason.TEXT_TOO_LONG
    assert door.invitations.refuse(made.code, HOME, StoredPerson("Zoe")) is None
    accepted(door.join(made.code, "Zoe"))


@pytest.mark.gli("2.5.3")
def test_guessing_is_bounded_as_log_ins_are(door: Door) -> None:
    made = door.make()
    tries = [door.invitations.refuse(f"guess-{n}", AWAY, StoredPerson("Zoe")) for n in range(FAILURES_OF_ADDRESS)]
    assert {why(each) for each in tries} == {Reason.NO_INVITATION}
    locked = door.invitations.refuse(made.code, AWAY, StoredPerson("Zoe"))
    assert isinstance(locked, Refusal) and locked.reason is Reason.LOCKED_OUT and int(locked.params["seconds"]) > 0
    assert why(door.join(made.code, "Zoe", AWAY)) is Reason.LOCKED_OUT
    assert any('"locked-out"' in act and AWAY in act for act in door.acts())
    accepted(door.join(made.code, "Zoe", HOME))


@pytest.mark.gli("B.6.2")
def test_no_code_is_kept_or_listed(door: Door) -> None:
    made = accepted(door.invitations.make(Wanted(5), HERE))
    accepted(door.join(made[0].code, "Zoe"))

    def everything(reader: Reader) -> str:
        tables = ("invitations", "house_events", "movements", "people", "failures")
        return repr([reader.rows(f"SELECT * FROM {table}") for table in tables])

    with door.store.read() as reader:
        kept, listed = everything(reader), repr(door.invitations.listed(reader))
    for each in made:
        for code in (each.code, each.code.replace("-", "")):
            assert code not in kept and code not in listed
    assert len({each.code for each in made}) == 5 and link_of("", "abc") == "/join#abc"
