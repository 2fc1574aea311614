"""Log-ins for a demonstration: drawn and hashed at the first start, kept, and drawn anew if they are lost."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.floor import password
from punto.floor.log_ins import HouseSessions
from punto.floor.password import is_password
from punto.floor.people import Author, People, likeness
from punto.ledger.movement import player_account
from punto.refusal import Reason, Refusal
from punto.rules.authority import ROLES_OF_PEOPLE, Role
from punto.server.demonstration import demonstration_logins, is_demonstration
from punto.server.drawn_logins import (
    ENTRY_MS,
    LOGIN_NAMES,
    DemonstrationLogin,
    DrawnLogins,
    EntryLink,
    keep_logins,
    kept_logins,
    logins_file,
)
from punto.server.settings import Settings, WrongSetting
from punto.store.people import change_password, let_in, roles_of
from punto.store.record import StoredAccount, StoredPerson
from punto.store.second_factor import StoredFactor, set_factor
from punto.store.store import Store, open_store
from punto.store.transaction import Transaction
from punto.store.witness import DEMONSTRATION, set_mark
from tests.server.running_floor import CHEAP

LOCAL = Settings(database="house.db")


@pytest.fixture(autouse=True, scope="module")
def _cheap() -> Iterator[None]:
    before, password._hasher = password._hasher, CHEAP
    yield
    password._hasher = before


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "house.db")) as opened:
        yield opened


def test_every_role_has_a_password_of_its_own() -> None:
    drawn = DrawnLogins()
    assert [login.role for login in drawn.logins] == list(LOGIN_NAMES) == list(ROLES_OF_PEOPLE)
    hashes = drawn.hashes()
    for n, login in enumerate(drawn.logins):
        assert [is_password(hashed, login.password) for hashed in hashes] == [n == m for m in range(len(hashes))]
    drawn.close()


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    path, drawn = logins_file(tmp_path / "house.db"), DrawnLogins()
    assert path.name == "house.db.logins" and kept_logins(path) is None
    keep_logins(path, drawn.logins)
    assert kept_logins(path) == drawn.logins
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("[{]")
    assert kept_logins(path) is None
    with pytest.raises(WrongSetting, match="cannot be written"):
        keep_logins(tmp_path / "no folder" / "x.logins", drawn.logins)


def test_they_are_the_same_at_every_start_and_drawn_anew_where_the_file_is_lost(store: Store, tmp_path: Path) -> None:
    path, drawn = tmp_path / "house.db.logins", DrawnLogins()
    assert is_demonstration(store, LOCAL)
    first = demonstration_logins(store, path, drawn, 1)
    assert first == drawn.logins == kept_logins(path)
    assert demonstration_logins(store, path, None, 2) == first
    path.unlink()
    second = demonstration_logins(store, path, DrawnLogins(), 3)
    assert second != first and kept_logins(path) == second
    keep_logins(path, first)
    third = demonstration_logins(store, path, None, 4)
    assert third not in (first, second), "a file that is of another database is not believed"
    check_logins(store, third)
    with store.read() as reader:
        assert len(reader.statement(player_account("player"))) == 1, "no second gift"


def people(store: Store) -> People:
    return People(store, lambda: 0)


def check_logins(store: Store, logins: list[DemonstrationLogin]) -> None:
    """Everybody can log in, in one role."""
    with store.read() as reader:
        for login in logins:
            person = reader.person(login.name)
            assert person is not None and is_password(person.password, login.password) and person.is_drawn
            assert roles_of(reader, login.name) == (login.role,)


NAME = st.sampled_from([*LOGIN_NAMES.values(), "Admin", "DEALER", "Lee", "Amber"])


@settings(max_examples=25)
@given(st.dictionaries(NAME, st.sets(st.sampled_from(ROLES_OF_PEOPLE)), max_size=6))
def test_nobody_who_was_there_is_changed(people: dict[str, set[Role]]) -> None:
    """In an empty database there is nobody; in a demonstration somebody may have come with any name."""
    with TemporaryDirectory() as folder, open_store(f"{folder}/house.db") as store:
        path = Path(folder) / "house.db.logins"
        with store.write() as transaction:
            set_mark(transaction, DEMONSTRATION, "")
            for name, roles in people.items():
                let_in(transaction, StoredPerson(name, password="theirs"), "HKD", roles, "house", 1)
        for _ in range(2):
            logins = demonstration_logins(store, path, None, 2)
            check_logins(store, logins)
            taken = {likeness(name) for name in people}
            assert [each.name for each in logins] == [n for n in LOGIN_NAMES.values() if n not in taken]
            with store.read() as reader:
                for name, roles in people.items():
                    person, account = reader.person(name), reader.account(name)
                    assert person == StoredPerson(name, password="theirs")
                    assert account is not None and account.currency == "HKD"
                    assert set(roles_of(reader, name)) == roles
                    assert not reader.statement(player_account(name))
            path.unlink(missing_ok=True)


def test_only_an_empty_database_becomes_a_demonstration(tmp_path: Path) -> None:
    def account(transaction: Transaction) -> None:
        transaction.add_account(StoredAccount("Lee", "USD", 1))

    def book(transaction: Transaction) -> None:
        transaction.add_book("d", "ez", "{}")

    asked = msgspec.structs.replace(LOCAL, demonstration=True)
    for n, fill in enumerate((account, book)):
        with open_store(str(tmp_path / f"{n}.db")) as store:
            with store.write() as transaction:
                fill(transaction)
            assert not is_demonstration(store, LOCAL)
            with pytest.raises(WrongSetting, match="is a house"):
                is_demonstration(store, asked)
    with open_store(str(tmp_path / "new.db")) as store:
        assert is_demonstration(store, LOCAL)
        with store.write() as transaction:
            account(transaction)
        assert is_demonstration(store, LOCAL) and is_demonstration(store, asked)
        ada = StoredPerson("Ada", password="theirs")
        assert not isinstance(people(store).let_in(ada, "USD", (Role.ADMINISTRATOR,), Author("house")), Refusal)
        assert people(store).end_demonstration() == []
        assert not is_demonstration(store, LOCAL)


def test_who_has_a_password_of_their_own_is_no_demonstration(store: Store, tmp_path: Path) -> None:
    """A demonstration that becomes a house keeps whoever changed the password, and takes the others away."""
    path = tmp_path / "house.db.logins"
    assert is_demonstration(store, LOCAL)
    demonstration_logins(store, path, None, 1)
    with store.write() as transaction:
        change_password(transaction, "admin", "of their own", "admin", 1)
    logins = demonstration_logins(store, path, None, 2)
    assert "admin" not in {login.name for login in logins}
    ended = people(store).end_demonstration()
    assert not isinstance(ended, Refusal) and set(ended) == set(LOGIN_NAMES.values()) - {"admin"}
    with store.read() as reader:
        person = reader.person("admin")
        assert person is not None and person.password == "of their own"
        assert roles_of(reader, "admin") == (Role.ADMINISTRATOR,)


def test_a_link_lets_in_once_in_time_and_on_this_machine() -> None:
    link = EntryLink("player", 1000)
    late, other = 1000 + ENTRY_MS, EntryLink("player", 1000)
    assert link.code != other.code and len(link.code) >= 40
    for code, address, now in (
        (other.code, "127.0.0.1", 1000),
        ("", "127.0.0.1", 1000),
        ("\ud800", "127.0.0.1", 1000),
        (link.code, "10.0.0.9", 1000),
        (link.code, "::ffff:10.0.0.9", 1000),
        (link.code, "", 1000),
        (link.code, "127.0.0.1", late),
    ):
        assert not link.use(code, address, now), (code, address, now)
    assert link.use(link.code, "::ffff:127.0.0.1", late - 1), "tries that failed use nothing up"
    assert not link.use(link.code, "127.0.0.1", 1001), "it holds once"
    assert other.use(other.code, "::1", 1000)


@pytest.mark.parametrize("change", ["password", "second factor", "shut", "another person"])
def test_a_link_lets_nobody_in_as_somebody_with_a_log_in_of_their_own(
    store: Store, tmp_path: Path, change: str
) -> None:
    assert is_demonstration(store, LOCAL)
    demonstration_logins(store, tmp_path / "house.db.logins", None, 1)
    sessions = HouseSessions(store, 1000, lambda: 5)
    opened = sessions.open_drawn("player", "127.0.0.1")
    assert not isinstance(opened, Refusal)
    assert opened[1].roles == (Role.PLAYER,) and opened[1].session.authenticated_ms == 0, "no password was given"
    with store.write() as transaction:
        if change == "password":
            change_password(transaction, "player", "of their own", "player", 1)
        elif change == "second factor":
            set_factor(transaction, StoredFactor("player", b"sealed", 0, 1), (), "player")
        elif change == "another person":
            let_in(transaction, StoredPerson("Lee", password="theirs"), "USD", (Role.PLAYER,), "house", 1)
    if change == "shut":
        assert not isinstance(people(store).shut("player", "a reason", Author("admin")), Refusal)
    refused = sessions.open_drawn("Lee" if change == "another person" else "player", "127.0.0.1")
    assert isinstance(refused, Refusal) and refused.reason is Reason.LINK_OVER


def test_hashing_can_begin_before_much_is_loaded() -> None:
    code = "import sys, punto.server.serving; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"uvicorn", "sqlalchemy", "punto.floor.floor", "punto.server.app"}
    assert heavy.isdisjoint(loaded.stdout.split())
