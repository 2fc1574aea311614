"""The doctor finds what is wrong, says what to do, and changes nothing."""

from __future__ import annotations

import re
import shutil
import socket
from collections import namedtuple
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from punto.floor import doctor
from punto.floor.doctor import CHECKS, MACHINE_CHECKS, Patient, ServerPlan, examine
from punto.floor.floor import DealtBy, TableRun, keep_table_run
from punto.floor.integrity import Integrity, compared
from punto.store.backup import backup, note_backup
from punto.store.chain import HouseCode
from punto.store.connection import parse_address
from punto.store.lease import beat, database_time
from punto.store.seal import Seal
from punto.store.significant_events import EventFilter, latest_acts
from punto.store.store import connect_to, open_store
from punto.words import ENGLISH, phrases
from tests.floor.house import House
from tests.server.running_floor import RunningFloor, running_floor
from tests.store.postgres_server import PostgresServer
from tests.store.test_migration import write_first

pytestmark = pytest.mark.usefixtures("durable")

HOUR_MS = 3_600_000


@pytest.fixture
def house(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("PUNTO_KEY", "cd" * 32)
    with open_store(database) as store, House(store, seal=Seal()) as opened:
        opened.open("t1")
        opened.call()
        yield opened


def found(patient: Patient) -> dict[str, str]:
    """What is wrong, by check."""
    diagnosis = examine(patient)
    assert diagnosis.ok == all(check.ok for check in diagnosis.checks)
    return {check.check: check.sentence for check in diagnosis.checks if not check.ok}


def well() -> Integrity:
    return compared({"punto/a": "1"}, {"punto/a": "1"})


def patient_of(database: str, now: int = 1, package: Path | None = None) -> Patient:
    made = Patient(parse_address(database), now, well)
    if package is not None:
        made.package = package
    return made


@pytest.mark.gli("2.3.2")
@pytest.mark.usefixtures("house")
def test_a_house_that_is_well(database: str, tmp_path: Path) -> None:
    (tmp_path / "server/pages").mkdir(parents=True)
    (tmp_path / "server/pages/index.html").write_text("", encoding="utf-8")
    diagnosis = examine(patient_of(database, package=tmp_path))
    assert [check.check for check in diagnosis.checks] == list(CHECKS)
    wrong = {check.check: check.sentence for check in diagnosis.checks if not check.ok}
    if database.startswith("postgresql"):  # the server of the tests does not wait for its disk
        assert "fsync" in wrong.pop("durability")
    assert wrong == {}
    assert msgspec.to_builtins(diagnosis).keys() == {"ok", "checks"}


def test_a_machine_without_a_house_is_looked_at_too() -> None:
    diagnosis = examine(Patient(None, 1, well))
    assert [check.check for check in diagnosis.checks] == list(MACHINE_CHECKS)


@pytest.mark.gli("B.2.6")
@pytest.mark.usefixtures("house")
def test_changed_software_is_said(database: str) -> None:
    patient = patient_of(database)
    patient.software = lambda: compared({"punto/a": "1"}, {"punto/a": "2"})
    assert "changed: punto/a; missing: nothing; added: nothing" in found(patient)["software"]
    assert "install the wheel again" in found(patient)["software"]
    patient.software = lambda: compared({"punto/a": "1"}, None)
    assert "software" not in found(patient), "a checkout promises nothing"
    [told] = [one.sentence for one in examine(patient).checks if one.check == "software"]
    assert "checkout" in told and "install a wheel" in told


@pytest.mark.usefixtures("house")
def test_pages_that_were_not_built(database: str, tmp_path: Path) -> None:
    assert "make pages" in found(patient_of(database, package=tmp_path))["pages"]


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    wrong = found(patient_of(str(tmp_path / "no.db")))
    assert {"database", "schema", "damage"} <= wrong.keys() and "no.db" in wrong["database"]
    assert not (tmp_path / "no.db").exists(), "nothing is made"


def test_a_schema_that_is_old_is_not_brought_up_to_date(database: str) -> None:
    write_first(database)
    wrong = found(patient_of(database))
    assert wrong["schema"].startswith("the schema is v1") and "backup" in wrong["schema"]
    assert found(patient_of(database))["schema"] == wrong["schema"]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
        "UPDATE tables SET version = version + 1",
        "DELETE FROM house_events WHERE seq = (SELECT max(seq) FROM house_events)",
    ],
)
def test_a_chain_that_ends_elsewhere(statement: str, house: House, database: str) -> None:
    with house.store.write() as transaction:
        transaction.connection.run(statement)
    assert "punto audit verify" in found(patient_of(database))["damage"]


@pytest.mark.usefixtures("house")
def test_a_key_that_is_gone(database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "key" not in found(patient_of(database))
    monkeypatch.setenv("PUNTO_KEY", "ab" * 32)
    assert "another key" in found(patient_of(database))["key"]
    monkeypatch.delenv("PUNTO_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    [key] = [one for one in examine(patient_of(database)).checks if one.check == "key"]
    path = str(tmp_path / "punto" / "key")
    assert key.sentence.startswith(f"there is no key in {path}, and PUNTO_KEY is not set: shoes that were shuffled")
    assert not re.findall("[a-z]{2,}", key.words.zh_hans.replace(path, ""))


@pytest.mark.usefixtures("house")
def test_a_disk_that_is_full(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 9, 1024**2))
    assert "1 MiB left" in found(patient_of(database))["disk"]


def test_a_clock_that_was_put_back(house: House, database: str) -> None:
    with house.store.write() as transaction:
        transaction.note(HouseCode.SERVER_STOPPED, "server/x", "house", 3_600_000)
    assert "3,599 s in the future" in found(patient_of(database, 1_000))["clock"]
    assert "clock" not in found(patient_of(database, 3_600_000))


def test_backups_that_are_missing_or_old(house: House, database: str, tmp_path: Path) -> None:
    late = 100 * HOUR_MS
    assert "backups" not in found(patient_of(database, HOUR_MS)), "the house is young"
    assert found(patient_of(database, late))["backups"].startswith("there is no backup; punto backup FILE")
    rows = backup(house.store, tmp_path / "b.punto")
    note_backup(house.store, tmp_path / "b.punto", rows, "Ada")
    with house.store.read() as reader:
        [made] = latest_acts(reader, EventFilter((HouseCode.BACKUP_MADE.value,)), 1)
    assert made.after is not None and made.after["rows"] == rows and made.who == "Ada"
    assert "backups" not in found(patient_of(database, made.time + HOUR_MS))
    assert "72 hours old" in found(patient_of(database, made.time + 72 * HOUR_MS))["backups"]


def test_a_check_is_added_by_adding_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(_: Patient) -> doctor.Found:
        raise doctor.Unwell("trouble", error="the kettle is cold; put it on")

    monkeypatch.setitem(MACHINE_CHECKS, "tea", look)
    assert found(Patient(None, 1, well))["tea"] == "the kettle is cold; put it on"


def test_what_is_found_is_said_in_every_language() -> None:
    """Every key that the doctor says has its sentence, and every sentence its key; `tests/words` compares the gaps."""
    source = Path(doctor.__file__).read_text(encoding="utf-8")
    keys = set(re.findall(r'(?:Found|Unwell)\(\s*"([a-z-]+)"', source))
    keys |= {"software-checkout", "software-promised", "recovery-backup", "recovery-any"}  # of those one is chosen
    assert keys == {key for key in phrases(ENGLISH, doctor.WORDS) if not key.startswith("named.")}
    [check] = [one for one in examine(Patient(None, 1, well)).checks if one.check == "settings"]
    assert (check.sentence, check.words.en) == ("a server would listen on 127.0.0.1 (any port that is free)",) * 2
    assert check.words.zh_hans == "服务器会监听 127.0.0.1 （任何空闲的端口）"


def planned(**plan: Any) -> dict[str, str]:
    """What is wrong with a plan, wherever the tests run: a checkout may have no pages yet."""
    wrong = found(Patient(None, 1, well, plan=ServerPlan(**plan)))
    return {check: sentence for check, sentence in wrong.items() if check != "pages"}


def test_settings_that_cannot_be_used() -> None:
    assert planned(problem="--port must be from 0 to 65535") == {
        "settings": "--port must be from 0 to 65535; punto serve would not start with this"
    }


def test_a_port_that_somebody_else_has(floor: RunningFloor) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        other.settimeout(60)
        answering = Thread(target=lambda: other.accept()[0].close())
        answering.start()
        assert f"port {port} is used by something else" in planned(port=port)["ports"]
        answering.join()
    assert planned(port=port) == {}, "it is free again"
    ours = int(floor.url.rpartition(":")[2])
    diagnosis = examine(Patient(None, 1, well, plan=ServerPlan(port=ours)))
    assert f"a server of Punto answers on port {ours}" in {check.sentence for check in diagnosis.checks}


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        ({"https": True, "hosts": ("floor.example",)}, "--proxies"),
        ({"https": True, "proxies": ("10.0.0.2",)}, "--hosts"),
        ({"https": True, "proxies": ("0.0.0.0/0",), "hosts": ("floor.example",)}, "too many"),
        ({"host": "0.0.0.0", "is_loopback": False}, "without https"),
    ],
)
def test_a_proxy_that_tells_nobody_apart(plan: dict[str, Any], named: str) -> None:
    assert named in planned(**plan)["proxy"]
    assert "proxy" not in planned(https=True, proxies=("10.0.0.2",), hosts=("floor.example",), is_loopback=False)


def test_a_server_that_can_lose_or_only_read(postgres: PostgresServer, house_on_server: str) -> None:
    """Each is found with what to do about it, and is well again when that was done."""

    def ask(statement: str) -> None:
        with closing(connect_to(parse_address(house_on_server), create=False)) as connection:
            connection.run(statement)

    assert "database" not in found(patient_of(house_on_server))
    name = urlsplit(house_on_server).path[1:]
    ask(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        assert "default_transaction_read_only" in found(patient_of(house_on_server))["database"]
    finally:
        with closing(connect_to(parse_address(postgres.address()), create=False)) as connection:
            connection.run(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
    wrong = found(patient_of(house_on_server))
    assert "database" not in wrong and "fsync, full_page_writes off" in wrong["durability"]
    told = {check.check: check.sentence for check in examine(patient_of(house_on_server)).checks}
    assert "wal_level replica, 0 replicas, no archive" in told["recovery"]


def test_tables_that_nobody_deals(house_on_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.lease.LEASE_MS", 10**9)  # who was heard of once is there, however long this takes

    def told() -> str:
        return doctor.CHECKS["leases"](patient_of(house_on_server)).words_in(ENGLISH)

    with open_store(house_on_server) as store, House(store, seal=Seal(b"k" * 32)) as house:
        house.open("t1")
        with store.write() as transaction:
            keep_table_run(transaction, "t1", TableRun(DealtBy.AUTOMATIC), "Rob", 1)
        assert told() == "no server runs; tables that wait for one: 1"
        with store.write() as transaction:
            there = {"name": "one", "url": "u", "seen_ms": database_time(transaction)}
            transaction.connection.put("servers", ["name"], there)
        with pytest.raises(doctor.Unwell, match="no server deals: 1, t1 among them"):
            told()
        with store.write() as transaction:
            beat(transaction, "one", "http://one", ["t1"], {})
        assert told() == "servers: 1 (http://one); tables that they deal: 1"
        with store.write() as transaction:
            beat(transaction, "one", "http://one", ["t1"], {"t1": "the shoe is empty"})
        with pytest.raises(doctor.Unwell, match="the dealer of t1 cannot go on: the shoe is empty"):
            told()


@pytest.fixture
def house_on_server(postgres: PostgresServer) -> Iterator[str]:
    with postgres.lent_database() as database:
        open_store(database).close()
        yield database


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db"), {}) as made:
        yield made
