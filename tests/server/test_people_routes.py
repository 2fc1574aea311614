"""People and their roles: administrators only, never one's own, and one administrator stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.audit.verification import verify
from punto.books import load
from punto.client import Client, Done, Refused
from punto.rules.authority import Role
from punto.store.chain import HouseAct
from punto.store.reader import Reader
from punto.table.terms import default_terms
from tests.browser.croupier import Croupier
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor


def reason(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["refusal"]["reason"]


@pytest.mark.gli("B.2.3")
def test_nobody_gives_themselves_a_role(floor: RunningFloor) -> None:
    own = floor.client("Ada").http.put("/people/Ada/roles", json={"roles": ["administrator", "cashier"]})
    assert reason(own) == (403, "own-roles")
    for name in ("Lee", "Rob", "Cas", "Aud"):
        tried = floor.client(name).http.put(f"/people/{name}/roles", json={"roles": ["administrator"]})
        assert reason(tried) == (403, "role-needed")


@pytest.mark.gli("B.2.3")
def test_one_administrator_stays(tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as floor:
        ada, eve = floor.client("Ada"), floor.client("Eve")
        assert ada.http.put("/people/Eve/roles", json={"roles": ["player"]}).status_code == 200
        assert reason(eve.http.get("/people")) == (403, "role-needed")
        with floor.store.write() as transaction:
            from punto.rules.authority import Role
            from punto.store.people import set_roles

            set_roles(transaction, "Mia", (Role.ADMINISTRATOR,), "house", 0)
            set_roles(transaction, "Ada", (), "house", 0)
        last = floor.client("Mia")
        floor.app_state.sessions.forget("Mia")
        assert reason(last.http.put("/people/Mia/roles", json={"roles": []})) == (403, "own-roles")


@pytest.mark.parametrize(
    ("name", "why"),
    [("Amber", "house-name"), ("the dealer", "house-name"), ("me", "house-name"), ("Lee", "account-exists")],
)
def test_a_name_belongs_to_one_person(floor: RunningFloor, name: str, why: str) -> None:
    body = {"name": name, "password": "something long"}
    assert reason(floor.client("Ada").http.post("/people", json=body)) == (409, why)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, (409, "wrong-name")) for name in ("", " Lee", "Lee ", "a/b", "x" * 81)),
        *((name, (400, "malformed")) for name in ("Lee\u202e", "Le\u0000e", "L\ne")),  # so is every text with these
    ],
)
def test_a_name_can_be_read_as_it_is(floor: RunningFloor, name: str, why: tuple[int, str]) -> None:
    body = {"name": name, "password": "something long"}
    assert reason(floor.client("Ada").http.post("/people", json=body)) == why


def test_a_new_password_ends_every_session(floor: RunningFloor) -> None:
    admin = floor.client("Ada")
    assert admin.http.post("/people", json={"name": "Ida", "password": PASSWORD}).status_code == 201
    first, second = floor.fresh_client("Ida"), floor.fresh_client("Ida")
    changed = first.http.put("/accounts/me/password", json={"password": "another one"})
    assert changed.status_code == 200
    assert {first.http.get("/accounts/me").status_code, second.http.get("/accounts/me").status_code} == {401}
    with Client(floor.url) as again:
        assert isinstance(again.log_in("Ida", PASSWORD), Refused)
        assert not isinstance(again.log_in("Ida", "another one"), Refused)
    assert admin.http.put("/people/Ida/password", json={"password": PASSWORD}).status_code == 200
    short = admin.http.put("/people/Ida/password", json={"password": "short"})
    assert reason(short) == (409, "weak-password")


def test_a_key_of_the_cashier_is_not_one_for_a_table(floor: RunningFloor) -> None:
    """Whoever is both is told so, whichever came first."""
    table, roles = floor.new_table("ez"), ["cashier", "pit-supervisor", "player"]
    body = {"name": "Bea", "password": PASSWORD, "roles": roles}
    assert floor.client("Ada").http.post("/people", json=body).status_code == 201
    pause = {"type": "pause-table"}
    with Client(floor.url) as bea:
        bea.log_in("Bea", PASSWORD)
        assert not isinstance(bea.buy_in("Kim", 1_000, key="both-1"), Refused)
        assert not isinstance(bea.give(table, pause, Role.PIT_SUPERVISOR, key="both-2"), Refused)
        for other in (
            bea.give(table, {"type": "resume-table"}, Role.PIT_SUPERVISOR, key="both-1"),
            bea.give(table, {"type": "take-seat", "box": 1}, Role.PLAYER, key="both-1"),
            bea.cash_out("Kim", 1_000, key="both-2"),
        ):
            assert isinstance(other, Refused) and (other.status, other.reason) == (409, "key-reused")


@pytest.mark.gli("2.5.6")
def test_the_cashier_moves_money_once(floor: RunningFloor) -> None:
    cas, kim = floor.client("Cas"), floor.client("Kim")
    before = kim.account()
    assert not isinstance(before, Refused)
    first = cas.buy_in("Kim", 7_000, key="in-1")
    assert not isinstance(cas.buy_in("Kim", 1_000), Refused)
    assert cas.buy_in("Kim", 7_000, key="in-1") == first, "also what was free after it"
    assert not isinstance(first, Refused) and (first.kind, first.free) == ("buy-in", before.free + 7_000)
    other = cas.cash_out("Kim", 7_000, key="in-1")
    assert isinstance(other, Refused) and (other.status, other.reason) == (409, "key-reused")
    after = kim.account()
    assert not isinstance(after, Refused) and after.free == before.free + 8_000
    much = cas.cash_out("Kim", after.free + 1)
    assert isinstance(much, Refused) and (much.status, much.reason) == (409, "not-enough-funds")
    nobody = cas.buy_in("Nobody", 1, key="in-2")
    assert isinstance(nobody, Refused) and (nobody.status, nobody.reason) == (409, "no-account")
    assert cas.buy_in("Nobody", 1, key="in-2") == nobody
    for name in ("Kim", "Dan", "Ada", "Mia"):
        refused = floor.client(name).buy_in("Kim", 1_000)
        assert isinstance(refused, Refused) and refused.status == 403


def test_a_cashier_does_not_serve_themselves(floor: RunningFloor) -> None:
    cas = floor.client("Cas")
    for moved in (cas.buy_in("Cas", 1_000), cas.cash_out("Cas", 1_000)):
        assert isinstance(moved, Refused) and (moved.status, moved.reason) == (409, "own-account")
    body = {"key": "own", "account": "Cas", "amount": 1_000, "reason": "not booked"}
    for _ in range(2):
        assert reason(cas.http.post("/cashier/correct", json=body)) == (409, "own-account")


def test_an_automatic_table_keeps_the_terms_that_it_can_deal_by(floor: RunningFloor) -> None:
    id, sue = floor.new_table("insurance"), floor.client("Sue")
    terms = sue.http.get(f"/tables/{id}").json()["terms"]
    wrong = ({"noticing": "dealer"}, {"source": "entered"})
    assert isinstance(sue.give(id, {"type": "pause-table"}, Role.PIT_SUPERVISOR), Done), "else rounds begin"
    assert sue.http.put(f"/tables/{id}/running", json={"dealer": "automatic"}).status_code == 200
    for other in wrong:
        change = {"type": "change-terms", "terms": {**terms, **other}}
        refused = sue.give(id, change, Role.PIT_SUPERVISOR)
        assert isinstance(refused, Refused) and (refused.status, refused.reason) == (409, "wrong-terms")
        assert "deals by itself" in refused.sentence
    assert sue.http.put(f"/tables/{id}/running", json={"dealer": "person"}).status_code == 200
    for other in wrong:
        change = {"type": "change-terms", "terms": {**terms, **other}}
        assert isinstance(sue.give(id, change, Role.PIT_SUPERVISOR), Done)


def test_who_runs_a_table_is_for_the_pit(floor: RunningFloor) -> None:
    id = floor.new_table("ez")
    sue = floor.client("Sue")
    assert sue.http.get(f"/tables/{id}/running").json()["dealer"] == "person"
    body = {"dealer": "automatic", "bots": ["Amber"]}
    assert reason(floor.client("Lee").http.put(f"/tables/{id}/running", json=body)) == (403, "role-needed")
    answer = sue.http.put(f"/tables/{id}/running", json=body)
    assert answer.status_code == 200 and answer.json()["bots"] == ["Amber"]
    wrong = sue.http.put(f"/tables/{id}/running", json={"dealer": "automatic", "bots": ["Nobody"]})
    assert reason(wrong) == (409, "wrong-terms")
    assert sue.http.put(f"/tables/{id}/running", json={"dealer": "person"}).status_code == 200


def test_a_table_is_opened_by_naming_its_book_once(floor: RunningFloor) -> None:
    sue = floor.client("Sue")
    body: dict[str, Any] = {"table": "short-1", "book": "insurance", "role": "pit-supervisor"}
    assert sue.http.post("/tables", json=body).status_code == 201
    shown = sue.http.get("/tables/short-1").json()["terms"]
    assert (shown["book"], shown["layout"], shown["differential"]) == ("insurance", "bean-9", 1_000_000)
    terms = {"decks": 6, "minimum": 500, "maximum": 9_000}
    partly = {**body, "table": "short-2", "book": "commission", "terms": terms}
    assert sue.http.post("/tables", json=partly).status_code == 201
    shown = sue.http.get("/tables/short-2").json()["terms"]
    assert {"book": "commission", "layout": load("commission").layouts[0].name, **terms}.items() <= shown.items()
    other = {**body, "table": "short-3", "terms": {"book": "ez"}}
    assert reason(sue.http.post("/tables", json=other)) == (409, "wrong-terms")
    unknown = {**body, "table": "short-3", "terms": {"colour": "red"}}
    assert reason(sue.http.post("/tables", json=unknown)) == (400, "malformed")


def test_a_table_is_opened_by_the_pit(floor: RunningFloor) -> None:
    terms = msgspec.to_builtins(default_terms(load("knockout")))
    body = {"table": "vip-1", "book": "knockout", "role": "pit-supervisor", "terms": terms}
    assert floor.client("Lee").http.post("/tables", json=body).status_code == 403
    sue = floor.client("Sue")
    opened = sue.http.post("/tables", json=body)
    assert opened.status_code == 201 and opened.json()["version"] == 1
    assert reason(sue.http.post("/tables", json=body)) == (409, "table-exists")
    assert reason(sue.http.post("/tables", json={**body, "table": "vip-2", "book": "poker"}))[0] == 404
    wrong = {**body, "table": "vip-2", "terms": {**terms, "decks": 3}}
    assert reason(sue.http.post("/tables", json=wrong)) == (409, "wrong-terms")
    names = [table["table"] for table in floor.client("Kim").http.get("/tables").json()["tables"]]
    assert "vip-1" in names and "vip-2" not in names


def acts_about(floor: RunningFloor, name: str) -> list[tuple[str, str | None]]:
    """What the house has written down about somebody, and who did it."""
    with floor.store.read() as reader:
        bodies = [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
        assert verify(reader).ok
    acts = [msgspec.json.decode(body, type=HouseAct) for body in bodies]
    return [(act.code, act.who) for act in acts if act.subject.partition("/")[2] == name]


@pytest.mark.gli("2.8.8")
@pytest.mark.gli("2.8.9")
def test_what_is_done_to_somebody_leaves_a_record_with_its_author(tmp_path: Path) -> None:
    """Also of roles that are given and taken away again, and nobody can remove it unseen."""
    with running_floor(str(tmp_path / "house.db")) as floor:
        ada, eve = floor.client("Ada").http, floor.client("Eve").http
        body = {"name": "New", "password": "something long", "roles": ["dealer"]}
        assert ada.post("/people", json=body).status_code == 201
        assert eve.put("/people/New/roles", json={"roles": ["administrator"]}).status_code == 200
        assert eve.put("/people/New/roles", json={"roles": ["dealer"]}).status_code == 200
        assert eve.put("/people/New/password", json={"password": "another long one"}).status_code == 200
        assert acts_about(floor, "New") == [
            *(("account-opened", "Ada"), ("password-set", "Ada"), ("roles-changed", "Ada")),
            *(("roles-changed", "Eve"), ("roles-changed", "Eve"), ("password-set", "Eve")),
        ]
        for statement, named in (
            ("DELETE FROM house_events WHERE seq = (SELECT max(seq) FROM house_events)", "acts of the house end"),
            ("UPDATE people SET password = 'mine' WHERE handle = 'New'", "the password of New"),
            ("INSERT INTO roles VALUES ('Lee', 'administrator', 'Ada', 1)", "what roles Lee has"),
            ("DELETE FROM roles WHERE handle = 'New'", "what roles New has"),
            ("UPDATE roles SET granted_by = 'Rob' WHERE handle = 'New'", "what roles New has"),
        ):
            with floor.store.connection() as connection:
                connection.begin_write()
                assert connection.run(statement) == 1
                problems = [problem.problem for problem in verify(Reader(connection)).problems]
                connection.roll_back()
            assert any(named in problem for problem in problems), problems


def test_bets_that_still_lie_have_cost_nothing(tmp_path: Path) -> None:
    """What play cost is of rounds that are decided, on both sides of the comparison."""
    with running_floor(str(tmp_path / "house.db")) as floor:
        floor.client("Cas").buy_in("Lee", 1_000_000)
        croupier, lee = Croupier(floor, "commission"), floor.client("Lee")

        def costs() -> list[tuple[int, int]]:
            told = lee.http.get("/accounts/me/costs").json()["costs"]
            return [(one["staked"], one["actual"]) for one in told if one["table"] == croupier.table]

        def bet(area: str, amount: int) -> None:
            number = croupier.shown().view["round"]
            croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=amount, round=number)

        croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
        croupier.open_bets()
        bet("player", 10_000)
        assert costs() == []
        croupier.deal("KS 9H 6D 8C")  # Player 6, Banker 7
        croupier.finish()
        assert costs() == [(10_000, 10_000)]
        croupier.open_bets()
        bet("player", 20_000)
        bet("tie", 5_000)
        assert costs() == [(10_000, 10_000)]
        croupier.deal("KC 8H 6H 8D")  # Player 6, Banker 6
        croupier.finish()
        # The tie pays 8 to 1, the bet on Player comes back, and neither was staked in vain.
        assert costs()[0][1] == 10_000 - 8 * 5_000
