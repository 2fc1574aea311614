"""The door to a house: nobody is written over, and one administrator stays, whoever asks at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from threading import Barrier

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.rules.authority import Role
from punto.store.errors import LastAdministrator, NotUnique
from punto.store.people import (
    StoredSession,
    add_session,
    administrators,
    change_password,
    erase_person,
    let_in,
    roles_of,
    set_roles,
    stored_session,
)
from punto.store.record import StoredAccount, StoredPerson
from punto.store.store import Store, open_store
from punto.store.transaction import Transaction

ADMINISTRATOR, PLAYER = Role.ADMINISTRATOR, Role.PLAYER
NAMES = ("Ada", "Eve")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database) as opened:
        yield opened


def add_administrators(store: Store) -> None:
    with store.write() as transaction:
        for name in NAMES:
            let_in(transaction, StoredPerson(name, password="kept"), "USD", (ADMINISTRATOR,), "house", 0)


def test_nobody_is_written_over(store: Store) -> None:
    with store.write() as transaction:
        transaction.add_account(StoredAccount("Lee", "HKD", 7))
        set_roles(transaction, "Lee", (Role.CASHIER,), "Ada", 1)
        let_in(transaction, StoredPerson("Lee", "Lee W.", None, "first"), "USD", (PLAYER,), "house", 8)
    with pytest.raises(NotUnique), store.write() as transaction:
        let_in(transaction, StoredPerson("Lee", None, None, "second"), "USD", (ADMINISTRATOR,), "house", 9)
    with store.read() as reader:
        assert reader.person("Lee") == StoredPerson("Lee", "Lee W.", None, "first")
        assert reader.account("Lee") == StoredAccount("Lee", "HKD", 7)
        assert roles_of(reader, "Lee") == (PLAYER, Role.CASHIER)


def test_a_new_password_and_an_erased_person_have_no_session(store: Store) -> None:
    add_administrators(store)
    for act in (lambda t: change_password(t, "Eve", "new", "Adm", 0), lambda t: erase_person(t, "Eve", "Adm", 0)):
        with store.write() as transaction:
            add_session(transaction, StoredSession("token", "Eve", 0, 10**15, 0))
        with store.write() as transaction:
            act(transaction)
        with store.read() as reader:
            assert stored_session(reader, "token") is None


def _without_role(transaction: Transaction, name: str) -> None:
    set_roles(transaction, name, (PLAYER,), "house", 1)


def _erased(transaction: Transaction, name: str) -> None:
    erase_person(transaction, name, "Adm", 0)


ACTS: tuple[Callable[[Transaction, str], None], ...] = (_without_role, _erased)


def test_two_who_leave_at_the_same_moment_leave_one(database: str) -> None:
    for first, second in product(ACTS, ACTS):
        with open_store(database) as store:
            with store.write() as transaction:
                for name in NAMES:
                    if transaction.person(name) is None:
                        person = StoredPerson(name, password="kept")
                        let_in(transaction, person, "USD", (ADMINISTRATOR,), "house", 0)
                    set_roles(transaction, name, (ADMINISTRATOR,), "house", 0)
            gate = Barrier(2)

            def leave(
                act: Callable[[Transaction, str], None], name: str, store: Store = store, gate: Barrier = gate
            ) -> bool:
                gate.wait(60)
                try:
                    with store.write() as transaction:
                        act(transaction, name)
                except LastAdministrator:
                    return False
                return True

            with ThreadPoolExecutor(2) as pool:
                left = list(pool.map(leave, (first, second), NAMES))
            assert sorted(left) == [False, True]
            with store.read() as reader:
                assert administrators(reader) == 1


@given(st.lists(st.tuples(st.sampled_from(("roles", "erase", "password")), st.integers(0, 2), st.booleans())))
def test_a_house_that_had_an_administrator_has_one(acts: list[tuple[str, int, bool]]) -> None:
    from tempfile import TemporaryDirectory

    names = ("Ada", "Eve", "Lee")
    with TemporaryDirectory() as folder, open_store(f"{folder}/house.db") as store:
        with store.write() as transaction:
            for name in names:
                let_in(transaction, StoredPerson(name, password="kept"), "USD", (PLAYER,), "house", 0)
            set_roles(transaction, "Ada", (ADMINISTRATOR,), "house", 0)
        for act, who, is_administrator in acts:
            with suppress(LastAdministrator), store.write() as transaction:
                if act == "roles":
                    held = (ADMINISTRATOR,) if is_administrator else (PLAYER,)
                    set_roles(transaction, names[who], held, "house", 1)
                elif act == "erase":
                    erase_person(transaction, names[who], "Adm", 0)
                else:
                    change_password(transaction, names[who], "another", "Adm", 0)
            with store.read() as reader:
                assert administrators(reader) >= 1
