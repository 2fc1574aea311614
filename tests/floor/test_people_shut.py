"""Log-ins that are shut and opened, sessions that are listed and ended, and what is on record of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import pytest

from punto.audit.verification import verify
from punto.floor.log_ins import HouseSessions, idle_minutes
from punto.floor.password import draw_password, hash_password
from punto.floor.people import Author, People, public_name
from punto.floor.profile import Profile, load_profile
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.people import StoredSession, add_session, is_shut
from punto.store.record import Member, StoredPerson
from punto.store.store import Store, open_store

_T = TypeVar("_T")
HERE = Author("the command line (ann)")
HOME, AWAY = "10.0.0.1", "10.9.9.9"


class Clock:
    now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(store: Store, clock: Clock) -> People:
    made = People(store, clock)
    for name, role in (("Ada", Role.ADMINISTRATOR), ("Lee", Role.PLAYER), ("Kim", Role.PLAYER)):
        assert isinstance(made.let_in(StoredPerson(name, password="kept"), "USD", (role,), HERE), Member)
    return made


@pytest.fixture
def sessions(store: Store, clock: Clock) -> HouseSessions:
    return HouseSessions(store, 10**9, clock)


def why(answer: object) -> Reason:
    assert isinstance(answer, Refusal) and answer.sentence
    return answer.reason


def acts(store: Store) -> list[str]:
    with store.read() as reader:
        assert verify(reader).ok
        return [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]


@pytest.mark.gli("2.4.1")
@pytest.mark.gli("2.8.9")
def test_a_shut_log_in_lets_nobody_in_until_it_is_opened(store: Store, people: People, sessions: HouseSessions) -> None:
    token, opened = accepted(sessions.open("Lee", HOME, "kept"))
    assert token and sessions.find(opened.session.token) is not None
    shut = people.shut("Lee", "asked for it", HERE)
    assert shut == Member("Lee", None, "USD", (Role.PLAYER,), False, "asked for it")
    assert sessions.find(opened.session.token) is None, "sessions end at once"
    assert why(sessions.open("Lee", HOME, "kept")) is Reason.LOG_IN_SHUT
    assert why(sessions.open("Lee", HOME, "another")) is Reason.WRONG_PASSWORD, "only who knows it is told"
    assert why(people.shut("Lee", "again", HERE)) is Reason.SHUT_ALREADY
    assert people.open_log_in("Lee", "is back", HERE) == Member("Lee", None, "USD", (Role.PLAYER,), True)
    assert why(people.open_log_in("Lee", "again", HERE)) is Reason.NOT_SHUT
    assert not isinstance(sessions.open("Lee", HOME, "kept"), Refusal)
    shutting, opening = acts(store)[-2:]
    assert '"log-in-shut"' in shutting and "asked for it" in shutting and HERE.name in shutting
    assert '"log-in-opened"' in opening and "is back" in opening


def accepted(answer: _T | Refusal) -> _T:
    assert not isinstance(answer, Refusal), answer
    return answer


def test_who_may_shut_whom(store: Store, people: People) -> None:
    with store.write() as transaction:
        for name in ("Ada", "Lee"):
            add_session(transaction, StoredSession(f"of {name}", name, 1, 10**9, 1))
    for reason, refused in (("", Reason.REASON_NEEDED), (" ", Reason.REASON_NEEDED), ("x" * 201, Reason.TEXT_TOO_LONG)):
        assert why(people.shut("Lee", reason, HERE)) is refused
        assert why(people.open_log_in("Lee", reason, HERE)) is refused
    assert why(people.shut("Nobody", "x", HERE)) is Reason.NO_ACCOUNT
    assert why(people.shut("Kim", "x", Author("Lee", "of Lee"))) is Reason.ROLE_NEEDED
    assert why(people.shut("Kim", "x", Author("Ada", "gone"))) is Reason.NO_SESSION
    assert why(people.shut("Ada", "x", HERE)) is Reason.LAST_ADMINISTRATOR
    with store.read() as reader:
        assert not is_shut(reader, "Ada") and not is_shut(reader, "Kim")
    assert isinstance(people.shut("Kim", "x", Author("Ada", "of Ada")), Member)


def test_a_shut_administrator_administers_nothing(people: People) -> None:
    assert isinstance(people.set_roles("Kim", (Role.ADMINISTRATOR,), HERE), Member)
    assert isinstance(people.shut("Kim", "away", HERE), Member)
    assert why(people.set_roles("Ada", (Role.PLAYER,), HERE)) is Reason.LAST_ADMINISTRATOR
    assert why(people.erase("Ada", HERE)) is Reason.LAST_ADMINISTRATOR


def test_a_log_in_that_is_shut_stays_so_for_whoever_is_let_in_again(people: People, sessions: HouseSessions) -> None:
    people.shut("Lee", "asked for it", HERE)
    assert people.erase("Lee", HERE) is True
    member = people.let_in(StoredPerson("Lee", password="new"), "USD", (), HERE)
    assert isinstance(member, Member) and not member.can_log_in
    assert why(sessions.open("Lee", HOME, "new")) is Reason.LOG_IN_SHUT


@pytest.mark.gli("2.8.9")
def test_the_log_in_before_is_told(people: People, sessions: HouseSessions, clock: Clock) -> None:
    assert people is not None
    _, first = accepted(sessions.open("Lee", HOME, "kept"))
    assert (first.session.before_ms, first.session.before_address) == (0, "")
    clock.now += 60_000
    _, second = accepted(sessions.open("Lee", AWAY, "kept"))
    assert (second.session.before_ms, second.session.before_address) == (1_000_000, HOME)
    clock.now += 60_000
    _, third = accepted(sessions.open("Lee", AWAY, "kept"))
    assert (third.session.before_ms, third.session.before_address) == (1_060_000, AWAY)
    found = sessions.find(third.session.token)
    assert found is not None and found.session == third.session


@pytest.mark.gli("B.2.3")
def test_sessions_are_listed_and_ended(store: Store, people: People, sessions: HouseSessions, clock: Clock) -> None:
    tokens = []
    for place in (HOME, AWAY):
        clock.now += 1_000
        tokens.append(accepted(sessions.open("Lee", place, "kept"))[1].session.token)
    sessions.note_activity({tokens[0]: clock.now + 5, "gone": 7})
    sessions.note_activity({tokens[0]: clock.now + 2})  # of another process, written down later
    listed = accepted(people.sessions("Lee"))
    assert [(each.address, each.active) for each in listed] == [(AWAY, clock.now), (HOME, clock.now + 5)]
    assert all(token not in repr(listed) for token in tokens), "nothing that opens a session is listed"
    lee, kim = Author("Lee", tokens[0]), Author("Kim", accepted(sessions.open("Kim", HOME, "kept"))[1].session.token)
    assert why(people.end_session(public_name(tokens[1]), kim)) is Reason.NO_OPEN_SESSION
    before = acts(store)
    assert people.end_session(public_name(tokens[1]), lee) == "Lee"
    assert why(people.end_session(public_name(tokens[1]), lee)) is Reason.NO_OPEN_SESSION
    assert acts(store) == before, "one's own session is one's own"
    ada = Author("Ada", accepted(sessions.open("Ada", HOME, "kept"))[1].session.token)
    assert people.end_session(public_name(tokens[0]), ada) == "Lee"
    assert accepted(people.sessions("Lee")) == () and '"sessions-ended"' in acts(store)[-1]
    assert people.end_sessions("Kim", HERE) == 1 and people.end_sessions("Kim", HERE) == 0
    assert why(people.end_sessions("Ada", kim)) in (Reason.ROLE_NEEDED, Reason.NO_SESSION)
    assert why(people.sessions("Nobody")) is Reason.NO_ACCOUNT


@pytest.mark.gli("2.5.4")
@pytest.mark.gli("C.6.5")
@pytest.mark.parametrize(
    ("roles", "minutes"),
    [
        ((Role.PLAYER,), 30),
        ((Role.CASHIER,), 30),
        ((Role.AUDITOR, Role.ADMINISTRATOR), 30),
        ((), 30),
        ((Role.DEALER,), 5),
        ((Role.SHIFT_MANAGER,), 5),
        ((Role.PLAYER, Role.DEALER), 5),
    ],
)
def test_the_idle_times_of_a_licensed_floor(roles: tuple[Role, ...], minutes: int) -> None:
    assert idle_minutes(load_profile("strict"), roles) == minutes
    assert idle_minutes(load_profile("open"), roles) is None
    assert idle_minutes(Profile("p", player_idle_minutes=7), (Role.DEALER,)) is None
    assert idle_minutes(Profile("p", player_idle_minutes=7), (Role.DEALER, Role.PLAYER)) == 7


@pytest.mark.gli("2.5.3")
@pytest.mark.parametrize("shortest", [8, 10, 17, 18, 64])
def test_a_password_is_as_long_as_the_profile_asks_for(shortest: int) -> None:
    short = hash_password("x" * (shortest - 1), shortest)
    assert isinstance(short, Refusal) and short.params["least"] == shortest
    drawn = draw_password(shortest)
    assert len(drawn) >= max(17, shortest) and not isinstance(hash_password(drawn, shortest), Refusal)
