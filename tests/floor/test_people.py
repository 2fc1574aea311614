"""Who may be called what and who is let in; an administrator stays, and who has lost a session changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from punto.floor.people import LONGEST_NAME, LONGEST_TEXT, Author, People, refuse_name
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.people import StoredSession, add_session, stored_session
from punto.store.record import Member, StoredPerson
from punto.store.store import Store, open_store

HERE = Author("the command line (ann)")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def people(store: Store) -> People:
    made = People(store, lambda: 7)
    for name, role in (("Ada", Role.ADMINISTRATOR), ("Lee", Role.PLAYER)):
        member = made.let_in(StoredPerson(name, password="kept"), "USD", (role,), HERE)
        assert member == Member(name, None, "USD", (role,), True)
    return made


def why(answer: object) -> tuple[Reason, dict[str, str | int]]:
    assert isinstance(answer, Refusal), answer
    assert answer.sentence
    return answer.reason, answer.params


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, Reason.WRONG_NAME) for name in ("", " Kim", "Kim ", "a/b", "L\nee", "x" * (LONGEST_NAME + 1))),
        *((name, Reason.UNSEEN_NAME) for name in ("..", "Kim\u3164", "a\u2003b")),
        *((name, Reason.HOUSE_NAME) for name in ("Amber", "THE  house", "me")),
    ],
)
def test_nobody_is_called_what_cannot_be_read_or_is_of_the_house(people: People, name: str, reason: Reason) -> None:
    assert why(refuse_name(name))[0] is reason
    for answer in (
        people.open_account(StoredPerson(name), "USD", HERE),
        people.let_in(StoredPerson(name, password="kept"), "USD", (), HERE),
    ):
        assert why(answer)[0] is reason


def test_a_name_that_looks_like_another_is_taken(people: People) -> None:
    taken = (Reason.ACCOUNT_EXISTS, {"player": "Lee"})
    for name in ("Lee", "lee", "Ｌee", "L ee"):
        assert why(people.open_account(StoredPerson(name), "USD", HERE)) == taken
        assert why(people.let_in(StoredPerson(name, password="kept"), "USD", (), HERE)) == taken


def test_currencies_and_texts_have_a_form(people: People) -> None:
    long = "x" * (LONGEST_TEXT + 1)
    assert why(people.open_account(StoredPerson("Kim"), "usd", HERE)) == (Reason.WRONG_CURRENCY, {"currency": "usd"})
    for person in (StoredPerson("Kim", long), StoredPerson("Kim", None, long)):
        assert why(people.open_account(person, "USD", HERE))[0] is Reason.TEXT_TOO_LONG


def test_whoever_has_an_account_is_let_in_with_it(people: People) -> None:
    opened = people.open_account(StoredPerson("Kim", "Kim W.", "kim@x"), "HKD", HERE)
    assert opened == Member("Kim", "Kim W.", "HKD", (), False)
    let_in = people.let_in(StoredPerson("Kim", password="kept"), "USD", (Role.DEALER,), HERE)
    assert let_in == Member("Kim", "Kim W.", "HKD", (Role.DEALER,), True)


def test_the_last_administrator_stays_whatever_is_done(store: Store, people: People) -> None:
    last = (Reason.LAST_ADMINISTRATOR, {"person": "Ada"})
    assert why(people.set_roles("Ada", (Role.PLAYER,), HERE)) == last
    assert why(people.erase("Ada", HERE)) == last
    with store.read() as reader:
        person = reader.person("Ada")
    assert person is not None and person.password == "kept"
    assert isinstance(people.set_roles("Lee", (Role.ADMINISTRATOR,), HERE), Member)
    assert people.erase("Ada", HERE) is True


def test_nobody_sets_their_own_roles_and_nobody_is_nobody(people: People) -> None:
    assert why(people.set_roles("Lee", (Role.DEALER,), Author("Lee")))[0] is Reason.OWN_ROLES
    unknown = (Reason.NO_ACCOUNT, {"player": "Nobody"})
    assert why(people.set_roles("Nobody", (), HERE)) == unknown
    assert why(people.set_password("Nobody", "kept", HERE)) == unknown
    assert why(people.erase("Nobody", HERE)) == unknown


ACTS: dict[str, Callable[[People, Author], object]] = {
    "let in": lambda people, by: people.let_in(StoredPerson("Kim", password="kept"), "USD", (), by),
    "roles": lambda people, by: people.set_roles("Lee", (Role.DEALER,), by),
    "password": lambda people, by: people.set_password("Lee", "another", by),
}


@pytest.mark.parametrize("act", ACTS)
def test_who_asks_in_a_session_still_has_it_and_the_role(store: Store, people: People, act: str) -> None:
    """Both may end while a password is hashed."""
    with store.write() as transaction:
        for name in ("Ada", "Lee"):
            add_session(transaction, StoredSession(f"of {name}", name, 1, 10**9, 1))
    assert why(ACTS[act](people, Author("Ada", "gone")))[0] is Reason.NO_SESSION
    if act != "password":  # one's own is
        own = why(ACTS[act](people, Author("Lee", "of Lee")))
        assert own[0] in (Reason.ROLE_NEEDED, Reason.OWN_ROLES)
    assert isinstance(ACTS[act](people, Author("Ada", "of Ada")), Member)


def test_a_new_password_ends_the_sessions_of_the_old_one(store: Store, people: People) -> None:
    with store.write() as transaction:
        add_session(transaction, StoredSession("of Lee", "Lee", 1, 10**9, 1))
    assert isinstance(people.set_password("Lee", "another", Author("Lee", "of Lee")), Member)
    with store.read() as reader:
        assert stored_session(reader, "of Lee") is None
