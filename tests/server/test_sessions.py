"""Sessions: logging in, cookies and CSRF, expiry, giving the password again, lock-out, tickets."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from argon2 import PasswordHasher

from punto.client import Refused, StreamClosed
from punto.floor.log_ins import FAILURES_OF_NAME, TICKET_MS
from punto.floor.password import draw_password, is_password
from punto.server.access import HASHES_AT_ONCE, PasswordDesk, Throttle
from punto.server.sessions import SessionBook
from punto.server.validation import Rejected
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor


def test_log_in_gives_what_was_promised(floor: RunningFloor) -> None:
    answer = httpx.post(f"{floor.url}/api/v1/sessions", json={"name": "Max", "password": PASSWORD})
    assert answer.status_code == 201
    assert set(answer.json()) == {"account", "roles", "token", "csrf", "expires", "last", "must_enrol", "pages"}
    assert answer.json()["roles"] == ["player", "dealer"]
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "Path=/" in cookie


def test_by_https_no_other_host_can_set_the_cookie(tmp_path: Path) -> None:
    """A page at a neighbouring name could put somebody into a session of its own by the plain name."""
    with running_floor(str(tmp_path / "house.db"), https=True) as secure:
        answer = httpx.post(f"{secure.url}/api/v1/sessions", json={"name": "Kim", "password": PASSWORD})
        cookie, token = answer.headers["set-cookie"], answer.json()["token"]
        assert cookie.startswith(f"__Host-punto_session={token};")
        assert "; Secure" in cookie and "; Path=/;" in cookie and "Domain" not in cookie
        described = httpx.get(f"{secure.url}/api/v1/openapi.json").json()["components"]["securitySchemes"]
        statuses = {}
        for name in ("punto_session", described["cookie"]["name"]):
            asked = httpx.get(f"{secure.url}/api/v1/sessions/current", headers={"cookie": f"a=b; {name}={token}"})
            statuses[name] = asked.status_code
        assert statuses == {"punto_session": 401, "__Host-punto_session": 200}


@pytest.mark.gli("2.5.3")
def test_a_wrong_name_and_a_wrong_password_look_the_same(floor: RunningFloor) -> None:
    answers = [
        httpx.post(f"{floor.url}/api/v1/sessions", json={"name": name, "password": "not it"})
        for name in ("Kim", "Nobody")
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert answers[0].json() == answers[1].json()


def test_a_browser_needs_the_csrf_token(floor: RunningFloor) -> None:
    with httpx.Client(base_url=f"{floor.url}/api/v1") as browser:
        logged_in = browser.post("/sessions", json={"name": "Kim", "password": PASSWORD}).json()
        assert browser.get("/accounts/me").status_code == 200
        without = browser.post("/tickets")
        assert (without.status_code, without.json()["refusal"]["reason"]) == (403, "csrf")
        assert browser.post("/tickets", headers={"x-csrf-token": "0" * 64}).status_code == 403
        other = floor.fresh_client("Lee").session
        assert other is not None
        assert browser.post("/tickets", headers={"x-csrf-token": other.csrf}).status_code == 403
        again = browser.get("/sessions/current").json()["csrf"]
        assert again == logged_in["csrf"]
        assert browser.post("/tickets", headers={"x-csrf-token": again}).status_code == 200
        assert browser.delete("/sessions/current", headers={"x-csrf-token": again}).status_code == 204
        assert browser.get("/accounts/me").status_code == 401


def test_a_session_that_was_ended_is_over(floor: RunningFloor) -> None:
    lee = floor.fresh_client("Lee")
    session = lee.session
    assert session is not None
    assert lee.log_out() is None
    answer = httpx.get(f"{floor.url}/api/v1/accounts/me", headers={"authorization": f"Bearer {session.token}"})
    assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("header", ["Bearer", "Bearer x", "Basic TGVlOng=", "Bearer \xe9"])
def test_what_is_not_a_token_is_nobody(floor: RunningFloor, header: str) -> None:
    sent = [(b"authorization", header.encode("latin-1"))]
    answer = httpx.get(f"{floor.url}/api/v1/accounts/me", headers=sent)
    assert answer.status_code == 401


@pytest.mark.gli("2.5.3")
def test_after_some_failures_nobody_is_let_in_for_a_while(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        nobody = floor.fresh_client("Max")
        for _ in range(FAILURES_OF_NAME):
            wrong = nobody.log_in("Lee", "not it")
            assert isinstance(wrong, Refused) and wrong.status == 401
        locked = nobody.log_in("Lee", PASSWORD)
        assert isinstance(locked, Refused)
        assert (locked.status, locked.reason) == (429, "locked-out")
        assert locked.retry_after is not None and locked.retry_after > 1
        assert not isinstance(nobody.log_in("Kim", PASSWORD), Refused)


def test_a_ticket_opens_one_stream(floor: RunningFloor) -> None:
    from punto.client import Stream

    id = floor.new_table("ez")
    ticket = floor.client("Lee").ticket()
    assert not isinstance(ticket, Refused)
    with Stream(floor.url, id, ticket.ticket) as stream:
        assert stream.next(60)["type"] == "snapshot"
    for used in (ticket.ticket, "never given"):
        with Stream(floor.url, id, used) as stream, pytest.raises(StreamClosed) as closed:
            stream.next(60)
        assert closed.value.code == 4401


# ── By the clock ─────────────────────────────────────────────────────────────────────────────────


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(floor: RunningFloor, clock: Clock) -> SessionBook:
    return SessionBook(floor.store, PasswordDesk(), lifetime_ms=60_000, clock=clock)


@pytest.mark.gli("2.5.4")
def test_a_session_expires(book: SessionBook, clock: Clock) -> None:
    found = asyncio.run(book.log_in("Lee", PASSWORD, "::1"))
    clock.now += 59_999
    assert asyncio.run(book.caller(found.token)) is not None
    clock.now += 1
    assert asyncio.run(book.caller(found.token)) is None
    assert asyncio.run(book.still(found.caller)) is None


def test_what_has_expired_does_not_come_back_with_the_clock(floor: RunningFloor, clock: Clock) -> None:
    """In the same process, whether anybody looked or not, and in the next one where somebody did."""
    for has_looked in (True, False):
        book = SessionBook(floor.store, PasswordDesk(), lifetime_ms=60_000, clock=clock)
        found = asyncio.run(book.log_in("Lee", PASSWORD, "a"))
        other = asyncio.run(book.log_in("Kim", PASSWORD, "a"))
        clock.now += 5 * 3_600_000
        if has_looked:
            assert asyncio.run(book.caller(found.token)) is None
        assert asyncio.run(book.caller(other.token)) is None
        clock.now -= 5 * 3_600_000
        assert asyncio.run(book.caller(found.token)) is None
        again = SessionBook(floor.store, PasswordDesk(), lifetime_ms=60_000, clock=clock)
        assert asyncio.run(again.caller(found.token)) is None
        assert asyncio.run(again.caller(other.token)) is None


def test_a_ticket_expires_and_is_used_once(book: SessionBook, clock: Clock) -> None:
    found = asyncio.run(book.log_in("Lee", PASSWORD, "::1"))
    ticket, expires = asyncio.run(book.ticket(found.caller))
    assert expires == clock.now + TICKET_MS
    redeemed = asyncio.run(book.redeem(ticket))
    assert redeemed is not None and redeemed.handle == "Lee"
    assert asyncio.run(book.redeem(ticket)) is None
    late, _ = asyncio.run(book.ticket(found.caller))
    clock.now += TICKET_MS
    assert asyncio.run(book.redeem(late)) is None


def test_attempts_that_come_all_at_once_are_not_all_let_through(book: SessionBook) -> None:
    """Each is counted before the next has its turn; two have it at the same time."""

    async def attempts() -> list[BaseException | object]:
        sent = (book.log_in("Rob", f"guess {n}", f"10.0.0.{n}") for n in range(40))
        return await asyncio.gather(*sent, return_exceptions=True)

    found = asyncio.run(attempts())
    statuses = [one.status for one in found if isinstance(one, Rejected)]
    assert len(statuses) == 40
    assert FAILURES_OF_NAME <= statuses.count(401) < FAILURES_OF_NAME + HASHES_AT_ONCE
    assert statuses.count(429) == 40 - statuses.count(401)


def test_who_is_locked_out_is_so_in_every_process(floor: RunningFloor, clock: Clock) -> None:
    first, second = (SessionBook(floor.store, PasswordDesk(), 60_000, clock) for _ in range(2))
    for number in range(FAILURES_OF_NAME):
        with pytest.raises(Rejected):
            asyncio.run((first, second)[number % 2].log_in("Eve", "not it", "::1"))
    for book in (first, second):
        with pytest.raises(Rejected) as refused:
            asyncio.run(book.log_in("Eve", PASSWORD, "::1"))
        assert refused.value.status == 429


@pytest.mark.gli("2.5.3")
def test_the_wait_after_failures_doubles_and_ends(book: SessionBook, clock: Clock) -> None:
    def attempt(password: str) -> Rejected | None:
        try:
            asyncio.run(book.log_in("Sue", password, "::1"))
        except Rejected as refused:
            return refused
        return None

    waits: list[int] = []
    for number in range(FAILURES_OF_NAME + 3):
        refused = attempt("not it")
        assert refused is not None and refused.status == 401, number
        locked = attempt(PASSWORD)
        if number + 1 < FAILURES_OF_NAME:
            assert locked is None  # and what came before is forgotten
            waits.clear()
            for _ in range(number + 1):
                attempt("not it")
            continue
        assert locked is not None and locked.status == 429
        waits.append(locked.retry_after or 0)
        clock.now += (locked.retry_after or 0) * 1000
    assert len(waits) >= 2 and all(b == 2 * a for a, b in pairwise(waits))
    assert attempt(PASSWORD) is None


@pytest.mark.gli("2.5.4")
def test_sensitive_acts_ask_for_the_password_again(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db"), fresh_minutes=1) as floor:
        admin = floor.client("Ada")
        body = {"name": "New", "password": "something long"}
        with floor.store.write() as transaction:
            transaction.connection.run("UPDATE sessions SET authenticated_ms = authenticated_ms - 60001")
        floor.app_state.sessions.forget("Ada")
        stale = admin.http.post("/people", json=body)
        assert (stale.status_code, stale.json()["refusal"]["reason"]) == (401, "password-again")
        assert admin.http.get("/people").status_code == 200
        wrong = admin.http.post("/sessions/current/authenticate", json={"password": "not it"})
        assert wrong.status_code == 401
        assert admin.http.post("/sessions/current/authenticate", json={"password": PASSWORD}).status_code == 200
        assert admin.http.post("/people", json=body).status_code == 201


def test_a_bucket_refills_with_time() -> None:
    moment = [0.0]
    throttle = Throttle(2.0, 3.0, lambda: moment[0])
    assert [throttle.wait("a") for _ in range(4)] == [0, 0, 0, pytest.approx(0.5)]
    assert throttle.wait("b") == 0
    moment[0] = 0.5
    assert throttle.wait("a") == 0
    assert throttle.wait("a") > 0


def test_passwords_that_are_drawn_differ() -> None:
    drawn = {draw_password() for _ in range(200)}
    assert len(drawn) == 200 and all(len(password) == 17 for password in drawn)


def test_nothing_secret_is_kept_plain(floor: RunningFloor) -> None:
    lee = floor.fresh_client("Lee")
    ticket = lee.ticket()
    assert lee.session is not None and not isinstance(ticket, Refused)
    with floor.store.read() as reader:
        kept = repr([reader.connection.all(f"SELECT * FROM {name}") for name in ("sessions", "tickets", "people")])
    for secret in (lee.session.token, lee.session.csrf, ticket.ticket, PASSWORD):
        assert secret not in kept


def test_a_password_kept_with_another_setting_still_holds() -> None:
    """Settings of the hash stand in the hash: what an older version kept is compared by its own."""
    kept = PasswordHasher(time_cost=2, memory_cost=16, parallelism=2).hash("as it was")
    assert is_password(kept, "as it was") and not is_password(kept, "as it is")
