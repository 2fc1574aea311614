"""What servers tell each other: at once by the wire, within a second by the log, and after every loss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from threading import Condition

import psycopg
import pytest

from punto.rules.authority import Role
from punto.store.connection import parse_address
from punto.store.notice import LogReader, Notice, NoticeKind, Wire, notice_of_act, parse_notice
from punto.store.pit import add_pit_call
from punto.store.record import PitCall
from punto.store.store import Store, open_store
from tests.store.postgres_server import PostgresServer

PERSON = Notice(NoticeKind.PERSON, "Lee/Kim")
EVERYTHING = Notice(NoticeKind.EVERYTHING)


@pytest.fixture
def url(postgres: PostgresServer) -> Iterator[str]:
    with postgres.lent_database() as lent:
        open_store(lent).close()
        yield lent


class Ear:
    """Keeps what was heard, for whoever waits for it."""

    def __init__(self) -> None:
        self.heard: list[Notice] = []
        self._changed = Condition()

    def __call__(self, notices: list[Notice]) -> None:
        with self._changed:
            self.heard += notices
            self._changed.notify_all()

    def wait_for(self, notice: Notice, times: int = 1) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.heard.count(notice) >= times, 60), self.heard


def test_a_topic_is_read_as_it_was_written() -> None:
    for notice in (Notice(NoticeKind.TABLE, "t-1", 12), PERSON, Notice(NoticeKind.ORDERS), EVERYTHING):
        assert parse_notice(notice.topic) == notice
    assert parse_notice("table/t-1/soon") is None and parse_notice("weather/fine") is None


def test_acts_of_the_house_say_what_to_look_at() -> None:
    assert notice_of_act("roles/Lee") == Notice(NoticeKind.PERSON, "Lee")
    assert notice_of_act("rules/house") == notice_of_act("stop/floor") == Notice(NoticeKind.ORDERS)
    assert notice_of_act("approval/abc") == Notice(NoticeKind.APPROVAL, "abc")
    assert notice_of_act("seed/t1/1") is None


def tell_of(store: Store, handle: str) -> None:
    with store.write() as transaction:
        transaction.tell(NoticeKind.PERSON, handle)


def test_the_log_finds_what_others_have_kept_once(url: str) -> None:
    with open_store(url) as store, store.connection() as connection:
        reader = LogReader("me")
        assert reader.look(connection) == [EVERYTHING], "at first anything may have changed"
        tell_of(store, "Lee")
        store.server = "me"
        tell_of(store, "Kim")  # one's own
        assert reader.look(connection) == [Notice(NoticeKind.PERSON, "Lee")]
        assert reader.look(connection) == []
        with store.write() as transaction:
            transaction.add_book("d", "mine", "{}")
            transaction.add_table("t1", "d", 0)
        assert reader.look(connection) == [Notice(NoticeKind.TABLE, "t1", 0)]


def test_a_wire_tells_the_others_and_is_mended_when_it_is_lost(url: str) -> None:
    address, one, two = parse_address(url), Ear(), Ear()
    with (
        open_store(url) as store,
        closing(Wire(address, "one", one)) as first,  # type: ignore[arg-type]
        closing(Wire(address, "two", two)) as second,  # type: ignore[arg-type]
    ):
        one.wait_for(EVERYTHING)
        two.wait_for(EVERYTHING)
        moved = Notice(NoticeKind.TABLE, "t1", 5)
        first.tell([moved, PERSON])
        two.wait_for(PERSON)
        assert moved in two.heard and moved not in one.heard, "nobody hears themselves"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                "AND pid <> pg_backend_pid() AND (query ~ 'notif' OR query ~ 'notices')"
            )
        tell_of(store, "Mia")  # with no wire at all, as the command line does
        for ear in (one, two):
            ear.wait_for(Notice(NoticeKind.PERSON, "Mia"))
            ear.wait_for(EVERYTHING)
        second.tell([Notice(NoticeKind.LEASES)])
        one.wait_for(Notice(NoticeKind.LEASES))


def test_a_call_for_the_pit_is_told(url: str) -> None:
    with open_store(url) as store, store.connection() as connection:
        reader = LogReader("me")
        reader.look(connection)
        with store.write() as transaction:
            transaction.add_book("d", "mine", "{}")
            transaction.add_table("t1", "d", 0)
            add_pit_call(transaction, PitCall("c1", "t1", "Dan", Role.DEALER, None, 0, None, None, None))
        assert Notice(NoticeKind.CALL, "c1") in reader.look(connection)
