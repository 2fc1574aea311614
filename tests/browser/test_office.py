"""The office in a browser: a guest is added, invited by a printed card and shut out; a book file is examined, kept and
put on a table; somebody is let in again; health is what the doctor says; nobody else comes in.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Locator, expect

import punto
from punto.books import built_in_source
from punto.client import Client, Refused
from punto.rules.authority import Role
from punto.store.backup import backup, note_backup
from tests.browser.conftest import Visit
from tests.browser.test_languages import CHOSEN_CUT, speaks
from tests.browser.visitor import PHONE, Visitor, sized
from tests.documents.qr_reader import modules_of_pixels, text_in
from tests.server.running_floor import PASSWORD, PEOPLE, RunningFloor, running_floor


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    """A floor with an administrator who also works in the pit."""
    people = {**PEOPLE, "Bea": (Role.ADMINISTRATOR, Role.PIT_MANAGER)}
    with running_floor(str(tmp_path_factory.mktemp("floor") / "house.db"), people) as made:
        yield made


PIXELS = """async (picture) => {
  const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
  const taken = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = taken;
  const pen = new OffscreenCanvas(width, height).getContext("2d");
  pen.drawImage(taken, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  const row = (y) => Array.from({ length: width }, (_, x) => data[4 * (y * width + x)] < 128);
  return Array.from({ length: height }, (_, y) => row(y));
}"""
"""Row by row, which pixels of a picture are dark."""


def read_by_camera(code: Locator) -> str:
    """What a telephone makes of a code as it is drawn."""
    return text_in(modules_of_pixels(code.page.evaluate(PIXELS, b64encode(code.screenshot()).decode())))


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
    expect(page.locator("[role=status]:not(.unseen)")).to_have_text("Gus may log in now.")
    page.locator("[name=search]").fill("gu")
    expect(page.locator("[data-person]")).to_have_count(1)
    page.locator("[data-person=Gus] button").click()
    gus = page.locator("[data-member=Gus]")
    gus.get_by_label("Dealer").check()
    gus.get_by_role("button", name="Set roles").click()
    expect(page.locator("[data-person=Gus] td").nth(1)).to_have_text("Player, Dealer")
    expect(page.locator("[data-person=Gus] td").nth(3)).to_have_text("–")
    with Client(floor.url) as client:
        client.log_in("Gus", "a long password")
    enter(office, "people")
    expect(page.locator("[data-person=Gus] [data-last]")).to_contain_text(":")
    told = floor.client("Ada").http.get("/people").json()["last"]
    assert set(told) >= {"Ada", "Gus"} and told["Gus"] >= told["Bea"]
    page.locator("[data-person=Gus] button").click()
    gus.get_by_role("button", name="Shut the log-in").click()
    expect(page.get_by_role("alert").first).to_have_text("Give a reason")
    gus.locator("[name=reason]").fill("left the house")
    gus.get_by_role("button", name="Shut the log-in").click()
    expect(page.locator("[data-person=Gus]")).to_contain_text("shut: left the house")
    assert office.faults() == []
    office.picture("office-people")

    enter(office, "invitations")
    page.locator("[name=number]").fill("2")
    page.locator("[name=buy-in]").fill("5o")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("alert").first).to_contain_text("500.50")
    page.locator("[name=buy-in]").fill("50")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("[data-card]")).to_have_count(2)
    expect(page.locator("[data-card] svg").first).to_be_visible()
    assert office.faults() == []
    page.locator("[name=evening]").fill("Winter Night")
    expect(page.locator("[data-card] .evening").first).to_have_text("Winter Night")
    listed = page.locator("[data-invitations]")
    expect(listed).to_contain_text(page.locator("[data-card] [data-id]").first.inner_text())
    office.picture("office-invitations")
    page.emulate_media(media="print")
    for one in ("header", "main > nav", "h1", "form[data-invite]", "[data-invitations]"):
        expect(page.locator(one)).to_be_hidden()
    for i in range(2):
        expect(page.locator("[data-card]").nth(i).locator("svg")).to_be_visible()
        expect(page.locator("[data-card] .code").nth(i)).to_be_visible()
    office.picture("office-cards-printed")
    links = [text for text in page.locator("[data-card] p.small").all_inner_texts() if "/join#" in text]
    assert [read_by_camera(page.locator("[data-card]").nth(i).locator("svg")) for i in range(2)] == links
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


def test_a_profile_shows_what_it_changes_before_it_is_confirmed(visit: Visit, floor: RunningFloor) -> None:
    office = visit("Ada")
    page = office.page
    enter(office, "house")
    page.locator("[name=profile]").select_option("strict")
    expect(page.locator("[data-changed='profile.advice']")).to_contain_text("nobody")
    expect(page.locator("[data-effect=must-enrol]")).to_contain_text("Cas")
    expect(page.locator("[data-effect=limits-needed]")).to_contain_text("Kim, Lee")
    expect(page.locator("[data-effect=limits-needed]")).to_be_in_viewport(ratio=1)  # above all that changes
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
    expect(page.locator("[role=status]:not(.unseen)")).to_contain_text("on record")
    rules = floor.client("Ada").http.get("/house/rules").json()
    assert (rules["operator"], rules["large_cash"]) == ("Harbour Club", 1_000_000)
    enter(office, "invitations")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("[data-card] .evening")).to_have_text("Harbour Club")  # an evening without a name of its own
    enter(office, "house")
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
    expect(page.locator("[role=status]:not(.unseen)")).to_have_text("The session has ended.")
    expect(page.locator("[data-sessions='1']")).to_be_visible()
    answers = sorted(one.http.get("/accounts/me").status_code for one in (first, second))
    assert answers == [200, 401]
    assert office.faults() == []


def test_somebody_is_let_in_again_with_a_new_password_and_without_a_second_factor(
    visit: Visit, floor: RunningFloor
) -> None:
    """What is done for somebody who lost everything; each is on record with its reason and its author."""
    admin = floor.client("Ada").http
    body = {"name": "Ned", "password": "the first password", "roles": ["player"]}
    admin.post("/people", json=body).raise_for_status()
    with Client(floor.url) as ned:
        ned.log_in("Ned", "the first password")
        secret = ned.http.post("/accounts/me/second-factor").json()["secret"]
        ned.http.post("/accounts/me/second-factor/confirm", json={"code": pyotp.TOTP(secret).now()}).raise_for_status()
    admin.post("/people/Ned/shut", json={"reason": "lost the phone"}).raise_for_status()
    office = visit("Ada")
    page = office.page
    enter(office, "people")
    page.locator("[data-person=Ned] button").click()
    card, told = page.locator("[data-member=Ned]"), page.locator("[role=status]:not(.unseen)")
    card.get_by_role("button", name="Remove the second factor").click()
    expect(page.get_by_role("alert").first).to_have_text("Give a reason")
    card.locator("[name=reason]").fill("he came himself")
    card.get_by_role("button", name="Remove the second factor").click()
    expect(told).not_to_be_empty()
    expect(card.get_by_role("button", name="Remove the second factor")).to_have_count(0)
    card.get_by_role("button", name="Open the log-in").click()
    expect(page.locator("[data-person=Ned]")).not_to_contain_text("shut")
    card.locator("[name=password-new]").fill("short")
    card.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("alert").first).not_to_be_empty()
    card.locator("[name=password-new]").fill("the second password")
    card.get_by_role("button", name="Set password").click()
    expect(told).not_to_be_empty()
    assert office.faults() == []
    office.picture("office-let-in")
    opened = [floor_client(floor, "the second password") for _ in range(2)]
    page.locator("[data-person=Ned] button").click()
    expect(card.locator("[data-sessions='2']")).to_be_visible()
    card.get_by_role("button", name="End all sessions").click()
    expect(card.locator("[data-sessions]")).to_have_count(0)
    assert [one.http.get("/accounts/me").status_code for one in opened] == [401, 401]
    for one in opened:
        one.close()
    events = floor.client("Aud").http.get("/audit/events", params={"person": "Ned", "limit": 500}).json()["events"]
    removed = next(one for one in events if one["code"] == "second-factor-removed")
    assert (removed["who"], removed["reason"]) == ("Ada", "he came himself")


def floor_client(floor: RunningFloor, password: str) -> Client:
    made = Client(floor.url)
    assert not isinstance(made.log_in("Ned", password), Refused)
    return made


def test_health_says_what_the_doctor_and_the_record_say(visit: Visit, floor: RunningFloor, tmp_path: Path) -> None:
    office = visit("Ada")
    page = office.page
    enter(office, "health")
    expect(page.locator("[data-tile=backup]")).to_contain_text("punto backup")
    note_backup(floor.store, tmp_path / "copy.punto", backup(floor.store, tmp_path / "copy.punto"), "Ada")
    page.get_by_role("button", name="Look again").click()
    expect(page.locator("[data-tile=backup]")).to_have_attribute("data-hours", "0")
    told = floor.client("Ada").http.get("/house/doctor").json()
    for one in told["checks"]:
        row = page.locator(f"[data-check='{one['check']}']")
        expect(row).to_contain_text(one["words"]["en"])
        assert ("bad" in (row.get_attribute("class") or "").split()) is not one["ok"]
    expect(page.locator(f"[data-health={'well' if told['ok'] else 'unwell'}]")).to_be_visible()
    expect(page.locator("[data-tile=version]")).to_contain_text(f"Punto {punto.__version__}")
    assert office.faults() == []


def test_what_waits_is_seen_and_decided_by_who_has_the_rank(visit: Visit, floor: RunningFloor) -> None:
    body = {"key": "office", "account": "Kim", "amount": 500, "reason": "not booked"}
    floor.client("Cas").http.post("/cashier/correct", json=body).raise_for_status()
    ada, bea = visit("Ada"), visit("Bea")
    asked = "Correction · Kim · +5 · “not booked”"
    expect(bea.open("/pit").page.locator("[data-approval]")).to_contain_text(asked)
    for one in (ada, bea):
        enter(one, "approvals")
        expect(one.page.locator("[data-approval]")).to_contain_text(asked)
    expect(ada.page.locator("[data-decide]")).to_have_count(0)
    assert ada.faults() == []
    bea.picture("office-approvals")
    bea.page.locator("[data-decide=approve]").click()
    expect(bea.page.locator("[role=status]:not(.unseen)")).to_contain_text("agreed")
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
    sized(page, PHONE)
    page.locator("[name=second]").select_option(index=3)
    name = "Non-Commission Baccarat with Insurance and Super Six Plus (insurance)"
    expect(
        page.locator("[data-compare] label", has=page.locator("[name=second]")).locator("[aria-hidden]")
    ).to_have_text(name)
    assert page.evaluate(CHOSEN_CUT) == []
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
    page.locator("[name=password-again]").fill("wrong")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("dialog [role=alert]")).not_to_be_empty()
    page.locator("[name=password-again]").fill(PASSWORD)
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
    expect(cas.page.locator("main")).to_contain_text("You cannot open this page")
    expect(cas.page.locator("[data-people]")).to_have_count(0)
