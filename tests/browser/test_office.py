"""The office in a browser: a guest is added, invited by a printed card and shut out; a book file is examined, kept and
put on a table; rules, devices and health are shown; nobody else comes in.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from punto.books import built_in_source
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.test_languages import speaks
from tests.browser.visitor import LANGUAGES, PHONE, Visitor
from tests.server.running_floor import PASSWORD, PEOPLE, RunningFloor, running_floor

LAPTOP = (1366, 650)
ROOMS = ("people", "invitations", "approvals", "house", "books", "devices", "health")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    """A floor with an administrator who also works in the pit."""
    people = {**PEOPLE, "Bea": (Role.ADMINISTRATOR, Role.PIT_MANAGER)}
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db"), people) as made:
        yield made


def enter(visitor: Visitor, room: str) -> None:
    visitor.page.goto(f"/office/{room}")
    expect(visitor.page.locator(f"main[data-office={room}]")).to_be_visible()
    expect(visitor.page.locator(".panel").first).to_be_visible()


def test_a_guest_is_added_invited_and_shut_out(visit: Visit, floor: RunningFloor) -> None:
    office = visit("Bea")
    page = office.page
    enter(office, "people")
    form = page.locator("form[data-add]")
    form.locator("[name=name]").fill("Gus")
    form.locator("[name=password]").fill("a long password")
    form.get_by_role("button").click()
    expect(page.get_by_role("status")).to_have_text("Gus may log in now.")
    page.locator("[name=search]").fill("gu")
    expect(page.locator("[data-person]")).to_have_count(1)
    page.locator("[data-person=Gus] button").click()
    gus = page.locator("[data-member=Gus]")
    gus.get_by_label("Dealer").check()
    gus.get_by_role("button", name="Set roles").click()
    expect(page.locator("[data-person=Gus] td").nth(1)).to_have_text("Player, Dealer")
    gus.get_by_role("button", name="Shut the log-in").click()
    expect(page.get_by_role("alert").first).to_have_text("Give a reason")
    gus.locator("[name=reason]").fill("left the house")
    gus.get_by_role("button", name="Shut the log-in").click()
    expect(page.locator("[data-person=Gus]")).to_contain_text("shut: left the house")
    assert office.faults() == []
    office.picture("office-people")

    enter(office, "invitations")
    page.locator("[name=number]").fill("2")
    page.locator("[name=buy-in]").fill("50")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("[data-card]")).to_have_count(2)
    expect(page.locator("[data-card] svg").first).to_be_visible()
    assert office.faults() == []
    office.picture("office-invitations")
    page.emulate_media(media="print")
    for one in ("header", "main > nav", "h1", "form[data-invite]", "[data-invitations]"):
        expect(page.locator(one)).to_be_hidden()
    for i in range(2):
        expect(page.locator("[data-card]").nth(i).locator("svg")).to_be_visible()
        expect(page.locator("[data-card] .code").nth(i)).to_be_visible()
    office.picture("office-cards-printed")
    page.emulate_media(media="screen")
    code = page.locator("[data-card] .code").first.inner_text()
    guest = visit(None)
    joined = guest.context.request.post(
        f"/api/v1/invitations/{code}", data={"name": "Ivy", "password": "a long password"}
    )
    assert joined.status == 201 and joined.json()["free"] == 5_000
    page.reload()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("[data-invitation=withdrawn]")).to_have_count(1)
    names = {one["account"] for one in floor.client("Ada").http.get("/people").json()["people"]}
    assert {"Gus", "Ivy"} <= names


def test_a_book_file_is_examined_kept_and_put_on_a_table(visit: Visit, floor: RunningFloor, tmp_path: Path) -> None:
    office = visit("Bea")
    page, source = office.page, built_in_source("ez").text
    enter(office, "books")
    page.locator("[name=source]").fill(source.replace('odds = "40:1"', 'odds = "forty"', 1))
    page.get_by_role("button", name="Examine a book").click()
    expect(page.locator("[data-checked=wrong]")).to_be_visible()
    expect(page.locator("[data-checked] li").first).to_contain_text("Line ")
    file = tmp_path / "our-ez.toml"
    file.write_text(source.replace('name = "ez"', 'name = "our-ez"', 1), encoding="utf-8")
    page.locator("[name=file]").set_input_files(file)
    page.get_by_role("button", name="Examine a book").click()
    expect(page.locator("[data-checked=ok]")).to_be_visible()
    expect(page.locator("[data-bet=banker] td").last).to_contain_text("%")
    expect(page.locator("[data-checked] h3 + ul li").first).to_contain_text("Without a clause layouts.house")
    speaks(office, "zh-Hant")
    expect(page.locator("[data-checked] [data-bet=dragon-7] td").first).to_have_text("龍七")
    expect(page.locator("[data-checked] h3 + ul li").first).to_contain_text("沒有註明條款")
    speaks(office, "en")
    assert office.faults() == []
    office.picture("office-book")
    page.get_by_role("button", name="Keep this book").click()
    expect(page.get_by_role("alert").first).to_have_text("Give a reason")
    page.locator("[name=keep-reason]").fill("for the charity night")
    page.get_by_role("button", name="Keep this book").click()
    page.locator("[name=table]").fill("ours")
    page.get_by_role("button", name="Open a table by it").click()
    page.get_by_role("link", name="Table ours is open").click()
    expect(page).to_have_url(f"{floor.url}/tables/ours")
    assert floor.client("Bea").http.get("/tables/ours").json()["book"] == "our-ez"


def test_rules_devices_and_health_in_every_language_and_size(visit: Visit, floor: RunningFloor) -> None:
    floor.new_table(source="entered")
    for language, size in zip(LANGUAGES, ((1440, 900), LAPTOP, PHONE), strict=True):
        office = visit("Bea", language=language, size=size)
        for room in ROOMS:
            enter(office, room)
            if room == "health":
                expect(office.page.locator("[data-health=waiting]")).to_have_count(0)
            assert office.page.evaluate("document.documentElement.scrollWidth") <= size[0], (room, size)
            office.picture(f"office-{room}-{language}")
        assert office.faults() == []


def test_a_profile_shows_what_it_changes_before_it_is_confirmed(visit: Visit, floor: RunningFloor) -> None:
    office = visit("Ada")
    page = office.page
    enter(office, "house")
    page.locator("[name=profile]").select_option("strict")
    expect(page.locator("[data-changed='profile.advice']")).to_contain_text("nobody")
    expect(page.locator("[data-effect=must-enrol]")).to_contain_text("Cas")
    expect(page.locator("[data-effect=limits-needed]")).to_contain_text("Kim, Lee")
    assert floor.app_state.orders().rules.profile.name == "open", "nothing is changed by looking"
    assert office.faults() == []
    office.picture("office-profile")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[name=profile]")).to_have_value("open")
    page.locator("[name=operator]").fill("Harbour Club")
    page.locator("[name=large_cash]").fill("10000")
    page.locator("[data-look]").click()
    expect(page.locator("[data-changes='2']")).to_be_visible()
    expect(page.locator("[data-effect=none]")).to_be_visible()
    page.locator("[name=why]").fill("it has a name now")
    page.locator("[data-change]").click()
    expect(page.get_by_role("status")).to_contain_text("on record")
    rules = floor.client("Ada").http.get("/house/rules").json()
    assert (rules["operator"], rules["large_cash"]) == ("Harbour Club", 1_000_000)
    page.locator("[name=large_cash]").fill("ten")
    page.locator("[data-look]").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    floor.client("Ada").http.put("/house/rules", json={"rules": {"large_cash": None}})


def test_one_session_of_somebody_is_ended_and_the_other_goes_on(visit: Visit, floor: RunningFloor) -> None:
    first, second = floor.fresh_client("Mia"), floor.fresh_client("Mia")
    office = visit("Ada")
    page = office.page
    enter(office, "people")
    page.locator("[data-person=Mia] button").click()
    expect(page.locator("[data-sessions='2']")).to_be_visible()
    office.picture("office-sessions")
    page.locator("[data-session]").first.get_by_role("button").click()
    expect(page.get_by_role("status")).to_have_text("The session has ended.")
    expect(page.locator("[data-sessions='1']")).to_be_visible()
    answers = sorted(one.http.get("/accounts/me").status_code for one in (first, second))
    assert answers == [200, 401]
    assert office.faults() == []


def test_what_waits_is_seen_and_decided_by_who_has_the_rank(visit: Visit, floor: RunningFloor) -> None:
    body = {"key": "office", "account": "Kim", "amount": 500, "reason": "not booked"}
    floor.client("Cas").http.post("/cashier/correct", json=body).raise_for_status()
    ada, bea = visit("Ada"), visit("Bea")
    for one in (ada, bea):
        enter(one, "approvals")
        expect(one.page.locator("[data-approval]")).to_contain_text("Kim")
    expect(ada.page.locator("[data-decide]")).to_have_count(0)
    assert ada.faults() == []
    bea.picture("office-approvals")
    bea.page.locator("[data-decide=approve]").click()
    expect(bea.page.get_by_role("status")).to_contain_text("agreed")
    expect(ada.page.locator("[data-none]")).to_be_visible()
    assert floor.client("Aud").http.get("/cashier/accounts/Kim").json()["free"] == 500


def test_two_books_are_compared(visit: Visit, floor: RunningFloor) -> None:
    told = floor.client("Ada").http.post("/books/compare", json={"book": "commission", "other": "ez"}).json()
    office = visit("Bea")
    page = office.page
    enter(office, "books")
    page.locator("[name=first]").select_option(told["books"][0]["digest"])
    page.locator("[name=second]").select_option(told["books"][1]["digest"])
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("[data-compared=different]")).to_be_visible()
    edge = next(bet["second"]["edge"] for bet in told["bets"] if bet["bet"] == "banker")
    expect(page.locator("[data-compared] [data-bet=banker]")).to_contain_text(f"{edge * 100:.4f}%")
    expect(page.locator(f"[data-pays='{len(told['pays'])}']")).to_be_visible()
    assert office.faults() == []
    office.picture("office-compared")
    source = built_in_source("ez").text
    page.locator("[name=source]").fill(source)
    page.locator("[name=first]").select_option(told["books"][1]["digest"])
    page.locator("[name=second]").select_option("")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator("[data-compared=same]")).to_be_visible()


def test_the_password_is_asked_for_where_it_was_given_too_long_ago(visit: Visit, floor: RunningFloor) -> None:
    office = visit("Ada")
    page = office.page
    enter(office, "people")
    with floor.store.write() as transaction:
        transaction.connection.run("UPDATE sessions SET authenticated_ms = 0 WHERE handle = ?", ("Ada",))
    floor.app_state.sessions.forget("Ada")
    page.locator("[data-person=Non] button").click()
    page.locator("[data-member=Non] [name=reason]").fill("x")
    page.get_by_role("button", name="Shut the log-in").click()
    page.locator("[name=again]").fill("wrong")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("dialog [role=alert]")).not_to_be_empty()
    page.locator("[name=again]").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-person=Non]")).to_contain_text("shut: x")


def test_nobody_else_comes_into_the_office(visit: Visit, floor: RunningFloor) -> None:
    for name in ("Lee", "Dan", "Mia", "Rob", "Cas", "Aud"):
        closed = ("/people", "/house/invitations", "/house/doctor", "/people/Lee/second-factor", "/people/Lee/sessions")
        assert {floor.client(name).http.get(path).status_code for path in closed} == {403}, name
        source = {"source": built_in_source("ez").text}
        assert floor.client(name).http.post("/books/examine", json=source).status_code == 403
        assert floor.client(name).http.post("/books", json={**source, "reason": "x"}).status_code == 403
        assert floor.client(name).http.delete("/people/Lee/sessions").status_code == 403
        assert floor.client(name).http.post("/house/rules/effect", json={"rules": {}}).status_code == 403
        compare = {"book": "ez", "other": "commission"}
        assert floor.client(name).http.post("/books/compare", json=compare).status_code == 403
    cas = visit("Cas")
    cas.page.goto("/office")
    expect(cas.page.locator("main")).to_contain_text("This page is not yours")
    expect(cas.page.locator("[data-people]")).to_have_count(0)
