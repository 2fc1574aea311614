"""Logging in while others do: fair turns, bounds by account, address and name, and what changes meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.floor import password as floor_password
from punto.floor.log_ins import FAILURES_OF_ADDRESS, FAILURES_OF_NAME, LONGEST_OF_NAME_MS, MOST_SESSIONS, network_of
from punto.rules.authority import Role
from punto.server import access as passwords
from punto.server.access import HASHES_AT_ONCE, MOST_HASHES_OF_ADDRESS, MOST_HASHES_OF_NAME, PasswordDesk
from punto.server.sessions import LOGINS_AT_ONCE, LoggedIn, SessionBook
from punto.server.validation import Rejected
from punto.store.people import MOST_KNOWN_ADDRESSES, change_password, erase_person, is_known_address, let_in, set_roles
from punto.store.record import StoredPerson
from punto.store.store import Store, open_store
from punto.store.transaction import Transaction
from tests.server.running_floor import CHEAP, PASSWORD
from tests.server.test_sessions import Clock

HOME, ELSEWHERE, NEW = "10.0.0.1", "10.9.9.9", "10.0.0.77"
QUARTER_MS = 15 * 60 * 1000


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor_password, "_hasher", CHEAP)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        with opened.write() as transaction:
            for name, role in (("Lee", Role.PLAYER), ("Ada", Role.ADMINISTRATOR), ("Kim", Role.CASHIER)):
                person = StoredPerson(name, None, None, CHEAP.hash(PASSWORD))
                let_in(transaction, person, "USD", (role,), "house", 0)
        yield opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(store: Store, clock: Clock) -> SessionBook:
    return SessionBook(store, PasswordDesk(), lifetime_ms=10**9, clock=clock)


def log_in(book: SessionBook, name: str, address: str, password: str = PASSWORD) -> LoggedIn | int:
    """A session, or the status of the refusal."""
    try:
        return asyncio.run(book.log_in(name, password, address))
    except Rejected as refused:
        return refused.status


# ── What changes while a password is compared ────────────────────────────────────────────────────


class Meanwhile(PasswordDesk):
    """A desk at which something happens between comparing a password and what follows from it."""

    def __init__(self, store: Store, act: Callable[[Transaction], object]) -> None:
        super().__init__()
        self._store, self._act = store, act

    async def compare(self, kept: str | None, password: str) -> bool:
        found = await super().compare(kept, password)
        with self._store.write() as transaction:
            self._act(transaction)
        return found


CHANGES: dict[str, Callable[[Transaction], object]] = {
    "a new password": lambda t: change_password(t, "Lee", CHEAP.hash("another one"), "Ada", 1),
    "the same password again": lambda t: change_password(t, "Lee", CHEAP.hash(PASSWORD), "Ada", 1),
    "erased": lambda t: erase_person(t, "Lee", "Ada", 1),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_session_opens_only_with_the_password_that_is_kept(store: Store, clock: Clock, change: str) -> None:
    book = SessionBook(store, Meanwhile(store, CHANGES[change]), 10**9, clock)
    assert log_in(book, "Lee", HOME) == 401
    with store.read() as reader:
        assert reader.rows("SELECT token FROM sessions") == []


@pytest.mark.parametrize("change", CHANGES)
def test_a_password_that_was_changed_meanwhile_proves_nothing(store: Store, clock: Clock, change: str) -> None:
    found = log_in(SessionBook(store, PasswordDesk(), 10**9, clock), "Lee", HOME)
    assert isinstance(found, LoggedIn)
    book = SessionBook(store, Meanwhile(store, CHANGES[change]), 10**9, clock)
    with pytest.raises(Rejected) as refused:
        asyncio.run(book.authenticate(found.caller, PASSWORD, HOME))
    assert refused.value.status == 401


def test_a_session_has_the_roles_of_the_moment(store: Store, clock: Clock) -> None:
    def promote(transaction: Transaction) -> None:
        set_roles(transaction, "Lee", (Role.DEALER,), "Ada", 1)

    found = log_in(SessionBook(store, Meanwhile(store, promote), 10**9, clock), "Lee", HOME)
    assert isinstance(found, LoggedIn) and found.caller.roles == (Role.DEALER,)


@pytest.mark.parametrize("change", ["roles", "log out", "password"])
def test_what_was_read_before_a_change_is_not_remembered(
    store: Store, book: SessionBook, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A look-up that began before a change ends after it."""
    found = log_in(book, "Lee", HOME)
    assert isinstance(found, LoggedIn)
    read = book._find

    async def race() -> None:
        began, goes_on = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(secret: str) -> object:
            caller = read(secret)
            loop.call_soon_threadsafe(began.set)
            asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result(60)
            return caller

        monkeypatch.setattr(book, "_find", slow)
        looking = asyncio.create_task(book.caller(found.token))
        await began.wait()
        monkeypatch.setattr(book, "_find", read)
        if change == "log out":
            await book.log_out(found.caller)
        else:
            with store.write() as transaction:
                if change == "roles":
                    set_roles(transaction, "Lee", (), "Ada", 1)
                else:
                    change_password(transaction, "Lee", CHEAP.hash("another one"), "Ada", 1)
            book.forget("Lee")
        goes_on.set()
        await looking
        after = await book.caller(found.token)
        assert after is None if change != "roles" else after is not None and after.roles == ()

    asyncio.run(race())


# ── Whose turn it is ─────────────────────────────────────────────────────────────────────────────


class Turns:
    """A desk with a queue of people, and the order in which they had their turn."""

    def __init__(self) -> None:
        self.desk, self.order = PasswordDesk(), list[tuple[str, str]]()
        self.refused: list[tuple[str, str]] = []

    async def come(self, address: str, name: str) -> None:
        try:
            async with self.desk.place(address, name):
                self.order.append((address, name))
                await asyncio.sleep(0)
        except Rejected:
            self.refused.append((address, name))

    def queue(self, people: list[tuple[str, str]]) -> None:
        """All of them come in this order, before the first is done."""

        async def all_of_them() -> None:
            await asyncio.gather(*(self.come(*person) for person in people))

        asyncio.run(all_of_them())


def test_nobody_waits_for_all_that_one_account_sends() -> None:
    turns = Turns()
    turns.queue([(HOME, "Lee")] * MOST_HASHES_OF_NAME + [(ELSEWHERE, "Kim"), (HOME, "Ann")])
    assert turns.refused == []
    assert turns.order.index((ELSEWHERE, "Kim")) <= HASHES_AT_ONCE + 1
    assert turns.order.index((HOME, "Ann")) <= HASHES_AT_ONCE + 2


def test_nobody_waits_for_all_the_names_of_one_address() -> None:
    turns = Turns()
    turns.queue([(HOME, f"n{n}") for n in range(MOST_HASHES_OF_ADDRESS)] + [(ELSEWHERE, "Kim")])
    assert turns.refused == [] and turns.order.index((ELSEWHERE, "Kim")) <= HASHES_AT_ONCE + 1


def test_only_who_sends_too_much_is_refused() -> None:
    turns = Turns()
    many = MOST_HASHES_OF_NAME + HASHES_AT_ONCE
    turns.queue([(HOME, "Lee")] * (many + 3) + [(HOME, "Ann"), (ELSEWHERE, "Lee")])
    assert turns.refused == [(HOME, "Lee")] * 3 and len(turns.order) == many + 2
    turns = Turns()
    turns.queue([(HOME, f"n{n}") for n in range(HASHES_AT_ONCE + MOST_HASHES_OF_ADDRESS + 5)] + [(ELSEWHERE, "Lee")])
    assert len(turns.refused) == 5 and (ELSEWHERE, "Lee") in turns.order


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.booleans()), max_size=40))
def test_every_place_is_given_back(people: list[tuple[str, str, bool]]) -> None:
    """Also where somebody leaves while waiting, or at the moment of their turn."""

    async def live() -> None:
        turns = Turns()
        tasks = [asyncio.create_task(turns.come(address, name)) for address, name, _ in people]
        for task, (_, _, leaves) in zip(tasks, people, strict=True):
            await asyncio.sleep(0)
            if leaves:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (turns.desk._free, turns.desk._waiting, turns.desk._queues) == (HASHES_AT_ONCE, 0, {})

    asyncio.run(live())


# ── Bounds ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.gli("2.5.3")
def test_a_stranger_keeps_nobody_out(store: Store, book: SessionBook, clock: Clock) -> None:
    """Neither where somebody has logged in before, nor for more than a moment anywhere else."""
    assert isinstance(log_in(book, "Lee", HOME), LoggedIn)
    for _ in range(FAILURES_OF_NAME + 20):
        with suppress(Rejected):
            asyncio.run(book.log_in("Lee", "not it", ELSEWHERE))
        clock.now += 1_000
    for _ in range(24):
        assert log_in(book, "Lee", ELSEWHERE, "not it") in (401, 429)
        assert isinstance(log_in(book, "Lee", HOME), LoggedIn)
        clock.now += LONGEST_OF_NAME_MS
        assert isinstance(log_in(book, "Lee", NEW), LoggedIn), "from a new address a moment later"
        with store.write() as transaction:
            transaction.connection.run("DELETE FROM known_addresses WHERE address = ?", (NEW,))
        clock.now += QUARTER_MS - LONGEST_OF_NAME_MS


def test_many_strangers_keep_nobody_out_of_a_known_place(book: SessionBook) -> None:
    assert isinstance(log_in(book, "Lee", HOME), LoggedIn)
    for n in range(60):
        assert log_in(book, "Lee", f"10.1.{n}.1", "not it") in (401, 429)
    assert log_in(book, "Lee", NEW) == 429, "guessing from many addresses is slowed down"
    assert isinstance(log_in(book, "Lee", HOME), LoggedIn)
    for n in range(FAILURES_OF_ADDRESS + 5):
        assert log_in(book, f"nobody {n}", HOME, "not it") in (401, 429)
    assert log_in(book, "Kim", HOME) == 429, "who was never here waits with the address"
    assert isinstance(log_in(book, "Lee", HOME), LoggedIn)


def test_a_known_place_is_no_way_to_guess(book: SessionBook) -> None:
    assert isinstance(log_in(book, "Lee", HOME), LoggedIn)
    assert [log_in(book, "Lee", HOME, "not it") for _ in range(FAILURES_OF_NAME + 2)] == [
        *[401] * FAILURES_OF_NAME,
        *[429] * 2,
    ]
    assert log_in(book, "Lee", HOME) == 429


def test_a_person_has_so_many_sessions_and_places(store: Store, clock: Clock) -> None:
    opened: list[LoggedIn] = []
    book = SessionBook(store, PasswordDesk(), 10**9, clock)
    for n in range(MOST_SESSIONS + 3):
        if n % 40 == 0:
            book = SessionBook(store, PasswordDesk(), 10**9, clock)  # as from another start
        clock.now += 1
        found = log_in(book, "Lee", f"10.2.0.{n}")
        assert isinstance(found, LoggedIn)
        opened.append(found)
    kim = log_in(book, "Kim", HOME)
    assert isinstance(kim, LoggedIn)
    callers = [asyncio.run(book.caller(each.token)) for each in opened]
    assert [caller is None for caller in callers] == [True] * 3 + [False] * MOST_SESSIONS
    assert asyncio.run(book.caller(kim.token)) is not None
    with store.read() as reader:
        known = [is_known_address(reader, "Lee", f"10.2.0.{n}") for n in range(MOST_SESSIONS + 3)]
    assert known == [False] * (len(known) - MOST_KNOWN_ADDRESSES) + [True] * MOST_KNOWN_ADDRESSES


def test_one_account_logs_in_so_often_and_others_are_not_concerned(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    is_password = floor_password.is_password

    def counted(kept: str | None, password: str) -> bool:
        compared.append(password)
        return is_password(kept, password)

    monkeypatch.setattr(passwords, "is_password", counted)
    book = SessionBook(store, PasswordDesk(), 10**9, clock)
    answers = [log_in(book, "Lee", HOME) for _ in range(int(LOGINS_AT_ONCE) + 40)]
    assert answers.count(429) >= 20 and isinstance(answers[int(LOGINS_AT_ONCE) - 1], LoggedIn)
    assert len(compared) == len(answers) - answers.count(429), "what is refused costs no hash"
    assert isinstance(log_in(book, "Kim", HOME), LoggedIn)


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("::1", "::1"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("a proxy's word", "a proxy's word"),
        ("x" * 60_000, "x" * 64),
    ],
)
def test_one_customer_is_one_place(address: str, place: str) -> None:
    assert network_of(address) == place
