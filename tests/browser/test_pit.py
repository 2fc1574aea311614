"""The pit's page: the wall, a table that is run from it, and a whole case in the browsers of everybody concerned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Page, expect

from punto.books import built_in_source
from punto.client import Client
from punto.rules.authority import Authority, Role
from punto.store.chain import HouseCode
from punto.table.terms import Offering
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_console import press_next, type_cards
from tests.browser.test_languages import CHOSEN_CUT
from tests.browser.test_squeeze import HEARD
from tests.browser.visitor import LANGUAGES, PHONE, Visitor, sized
from tests.server.running_floor import PASSWORD, RunningFloor
from tests.server.test_endpoint_roles import PERSON

pytestmark = pytest.mark.slow
LAPTOP = (1366, 650)
WIDTH = "document.documentElement.scrollWidth"
OUTSIDE = """all => all.filter((one) => {
  const end = (element) => element.getBoundingClientRect().right;
  return end(one) > end(one.closest("li")) - 8;
}).map((one) => one.textContent)"""
"""Which of these come nearer to the right edge of their card than what else is in it."""


def wall_of(visitor: Visitor) -> Page:
    expect(visitor.open("/pit").page.locator("[data-wall=live]")).to_be_visible()
    return visitor.page


def bet(croupier: Croupier, name: str, box: int, area: str, amount: int = 10_000) -> None:
    number = croupier.shown().view["round"]
    croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
    croupier.give("place-bet", by=name, role=Role.PLAYER, box=box, area=area, amount=amount, round=number)


def audited(floor: RunningFloor, table: str, round: int) -> Any:
    """A finished round as an auditor gets it; the chain of its table has to verify."""
    auditor = floor.client("Aud").http
    checked = auditor.post("/audit/verify", json={"table": table}).json()
    assert checked["problems"] == [], checked
    answer = auditor.get(f"/audit/rounds/{table}/{round}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("role", PERSON)
def test_the_page_is_for_the_pit_alone(visit: Visit, role: Role) -> None:
    visitor = visit(PERSON[role]).open("/pit")
    if role in (Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER):
        expect(visitor.page.locator("[data-wall=live]")).to_be_visible()
        return
    expect(visitor.page.get_by_role("heading", name="You cannot open this page")).to_be_visible()
    assert [address for address in visitor.asked if "/pit/" in address] == []


def test_a_card_of_a_case_is_one_thing_and_the_record_says_how(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    bet(croupier, "Lee", 1, "player")
    croupier.deal("KS 9H 5D")
    croupier.give("report", cards=[{"nth": 2, "is": "8H", "lies": "player"}])
    dealer = visit("Dan").at_console(croupier.table).page
    pit = visit("Sue").open(f"/pit/cases/{croupier.table}").page
    for seen in (dealer.locator("[data-sighting]"), pit.locator("[data-sighting]")):
        expect(seen).to_have_count(1)
        expect(seen).to_contain_text("8 of hearts, with Player")
        expect(seen).to_contain_text("on record: 9 of hearts, with Banker")
    pit.locator("[data-remedy=dismiss-report]").check()
    pit.locator("[name=reason]").fill("a reflection")
    pit.locator("[data-confirm]:enabled").click()
    expect(pit.locator("[data-record] [data-event=case-closed]")).to_contain_text(
        "The case was closed: the report was dismissed “a reflection”"
    )


def test_a_whole_case_in_four_browsers(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    table = croupier.table
    croupier.open_bets()
    bet(croupier, "Lee", 1, "player")
    bet(croupier, "Kim", 2, "banker", 20_000)
    croupier.deal("KS 9H")
    dealer, lee, kim = (
        visit("Dan").at_console(table),
        visit("Lee").at_table(table),
        visit("Kim", size=PHONE).at_table(table),
    )
    pit = visit("Sue")
    page = wall_of(pit)
    expect(page.locator(f"[data-table={table}][data-phase=dealing]")).to_be_visible()

    # The dealer reports two cards that came out of the shoe together.
    dealer.page.keyboard.press("F8")
    report = dealer.page.locator("[data-report]")
    for number, card in enumerate(("5h", "2c")):
        report.locator("[data-add]").click()
        row = report.locator(f"[data-row='{number}']")
        row.get_by_label("Card from the shoe").fill(card)
        row.get_by_label("drawn with others at once").check()
    report.get_by_role("button", name="Report").click()
    expect(dealer.page.locator("[data-case] [data-finding=drawn-together]")).to_be_visible()

    # The supervisor sees it on the wall, says so on record, and sets the order by keys.
    alert = page.locator(f"[data-alert=case-open][data-alert-of={table}]")
    expect(alert).to_contain_text("Cards drawn together")
    expect(page.locator(f"[data-waiting] [data-case-for-you={table}]")).to_be_visible()
    pit.picture("pit-wall-case")
    alert.locator("[data-acknowledge]").click()
    expect(page.locator("[data-alert-seen=case-open]")).to_have_count(1)
    page.locator(f"[data-table={table}]").get_by_role("link", name="Open the case").click()
    case = page.locator(f"[data-case-page={table}]")
    expect(case.locator("h1")).to_have_text(f"Case 1 at {table.upper()}")
    expect(case.locator(".trail")).to_contain_text(f" {table.upper()} ")
    expect(page).to_have_title(f"Case 1 at {table.upper()} · Punto")
    expect(case.locator("[data-finding=drawn-together]")).to_contain_text(re.compile("clause", re.IGNORECASE))
    expect(case.locator("[data-felt=before] [data-place=player] [data-lies='1']")).to_be_visible()
    expect(case.locator("[data-felt=after] [data-lies='4']")).to_be_visible()
    expect(case.locator("[data-then-hand=player] [data-card='5H']")).to_be_visible()
    case.locator("[data-order='4']").focus()
    page.keyboard.press("ArrowLeft")
    expect(case.locator("[data-card-order='4,3']")).to_be_visible()
    expect(case.locator("[data-then-hand=player] [data-card='2C']")).to_be_visible()
    expect(case.locator("[data-then=options]")).to_be_visible()
    assert pit.faults() == []
    pit.picture("pit-case-order-1440")
    for size in (LAPTOP, PHONE):
        sized(page, size)
        assert page.evaluate(WIDTH) == size[0]
        pit.picture(f"pit-case-order-{size[0]}")
    sized(page, (1440, 900))
    case.locator("[data-confirm]").click()

    # The players choose differently, and the page shows it as it comes in.
    expect(case.locator("[data-choice=none]")).to_have_count(2)
    lee.page.locator("[data-option=continue]").click()
    expect(case.locator("[data-choice-of=Lee][data-choice=continue]")).to_be_visible()
    expect(case.locator("[data-choice-of=Kim][data-choice=none]")).to_be_visible()
    assert pit.faults() == []
    pit.picture("pit-case-options")
    kim.page.locator("[data-option=return]").click()
    expect(page.get_by_role("heading", name="No case is open")).to_be_visible()
    expect(case.locator("[data-record] [data-event=cards-ordered]")).to_contain_text(
        "Sue (Pit Supervisor) set the order of the cards: 2 of clubs, 5 of hearts"
    )
    found = case.locator("[data-record] [data-event=clause-found]")
    expect(found).to_contain_text(["The book finds", "The players choose"])  # the clause itself is said once
    pit.picture("pit-case-closed")

    # The dealer deals on and settles, and an auditor replays the round and verifies.
    deal_on(dealer, "6d 8c")
    for player in (lee, kim):
        player.phase("finished")
    replayed(visit("Aud"), table)
    played = audited(floor, table, 1)
    assert played["settled"] and not played["void"] and len(played["cases"]) == 1
    chosen = {
        one.event["player"]: one.event["option"]
        for one in floor.client("Aud").events(table).events  # type: ignore[union-attr]
        if one.event["type"] == "option-chosen"
    }
    assert chosen == {"Lee": "continue", "Kim": "return"}
    acts = floor.client("Aud").http.get("/audit/events", params={"code": "alert-acknowledged", "table": table})
    assert [one["who"] for one in acts.json()["events"]] == ["Sue"]


def deal_on(dealer: Visitor, cards: str) -> None:
    """Everything that is due at the console up to the settlement, by keys."""
    waiting, act = cards.split(), ""
    while act != "settle-round":
        act = dealer.page.locator("[data-next]").get_attribute("data-next") or ""
        if act == "deal-card":
            type_cards(dealer, waiting.pop(0))
        else:
            press_next(dealer, act)


def replayed(aud: Visitor, table: str) -> None:
    """The case on the auditor's page: each act with whoever did it, the felt as it was then, and a green answer."""
    page = aud.open(f"/audit/rounds/{table}/1").page
    for said, who in (("sets the order", "Sue · Pit Supervisor"), ("takes all bets back", "Kim · Player")):
        step = page.locator(".events button", has_text=said).last
        step.click()
        expect(page.locator("[data-who]")).to_have_text(who)
        expect(page.locator("[data-link-fits=true]")).to_be_visible()
    page.locator(".events button", has_text="Round 1 is settled").click()
    expect(page.locator(".hand .card")).to_have_count(6)
    expect(page.locator("[data-line=player]")).to_be_visible()
    expect(page.locator("[data-balance=Kim] td").nth(2)).to_have_text("0")
    aud.picture("audit-case-settled")
    aud.open("/audit/verify").page.get_by_label("Table").select_option(table)
    page.locator("[data-verify]").click()
    expect(page.locator("[data-verdict=good]")).to_be_visible()


def drawn_together(floor: RunningFloor) -> str:
    """A table where three cards came out of the shoe together and the supervisor is to set their order."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    bet(croupier, "Lee", 1, "player")
    croupier.deal("KS 9H")
    together = [{"card": card, "lies": "table", "together": True} for card in ("5H", "2C", "9D")]
    croupier.give("report", cards=together)
    return croupier.table


def middle(page: Page, card: int) -> tuple[float, float]:
    box = page.locator(f"[data-order='{card}']").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_cards_are_put_in_order_by_mouse_and_by_finger(floor: RunningFloor, visit: Visit) -> None:
    table = drawn_together(floor)
    sue = visit("Sue").open(f"/pit/cases/{table}")
    page = sue.page
    expect(page.locator("[data-card-order='3,4,5']")).to_be_visible()
    page.mouse.move(*middle(page, 5))
    page.mouse.down()
    page.mouse.move(*middle(page, 4), steps=4)
    page.mouse.move(*middle(page, 3), steps=4)
    expect(page.locator("[data-card-order='5,3,4']")).to_be_visible()
    page.mouse.up()
    page.mouse.move(*middle(page, 4), steps=4)  # nothing is held any more
    expect(page.locator("[data-card-order='5,3,4']")).to_be_visible()
    expect(page.locator("[data-then-hand=player] [data-card='9D']")).to_be_visible()

    with_finger = visit("Sue", size=PHONE, has_touch=True, is_mobile=True).open(f"/pit/cases/{table}")
    phone = with_finger.page
    phone.locator("[data-order='3']").scroll_into_view_if_needed()
    finger = with_finger.context.new_cdp_session(phone)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    before = phone.evaluate("scrollY")
    (x, y), (to_x, to_y) = middle(phone, 3), middle(phone, 5)
    touch("touchStart", (x, y))
    for part in range(1, 9):
        touch("touchMove", (x + (to_x - x) * part / 8, y + (to_y - y) * part / 8))
    touch("touchEnd")
    expect(phone.locator("[data-card-order='4,5,3']")).to_be_visible()
    assert phone.evaluate("scrollY") == before, "the card was dragged, not the page"
    with_finger.picture("pit-case-dragged-390")
    phone.locator("[data-confirm]").click()
    expect(phone.locator("[data-record] [data-event=cards-ordered]")).to_be_visible()
    ordered = [one.event for one in floor.client("Aud").events(table).events if one.event["type"] == "cards-ordered"]  # type: ignore[union-attr]
    assert [one["cards"] for one in ordered] == [["2C", "9D", "5H"]]


def test_neglected_insurance_is_refunded_by_a_manager_who_drags_nothing(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", offering=Offering.DEALER)
    table = croupier.table
    croupier.open_bets()
    bet(croupier, "Lee", 1, "player")
    croupier.deal("KS KH 6D 5C")
    croupier.give("wish-insurance", by="Lee", role=Role.PLAYER, box=1, hand="player", round=1)
    croupier.give("deal-card", card="4S")
    croupier.give("report", seen=["insurance-neglected"])
    supervisor, manager = visit("Sue").open(f"/pit/cases/{table}"), visit("Mia", size=PHONE).open(f"/pit/cases/{table}")
    expect(supervisor.page.locator("[data-decider=pit-manager]")).to_be_visible()
    expect(supervisor.page.locator("[data-remedy=return-bets]")).to_have_count(0)
    page = manager.page
    page.locator("[data-remedy=return-bets]").check()
    expect(page.locator("[data-goes-back=Lee]")).to_contain_text("100 goes back to Lee")
    assert manager.faults() == []
    assert page.evaluate(WIDTH) == PHONE[0]
    manager.picture("pit-case-refund-390")
    page.locator("[data-confirm]").click()
    expect(page.get_by_role("heading", name="No case is open")).to_be_visible()
    lines = floor.client("Lee").http.get("/accounts/me/statement").json()["lines"]
    moved = [(line["kind"], line["amount"]) for line in lines if line["table"] == table]
    assert moved == [("bet", -10_000), ("return", 10_000)]
    croupier.finish()
    assert audited(floor, table, 1)["round"] == 1


def to_be_void(floor: RunningFloor) -> str:
    """A table with a case whose round a supervisor voids if a manager agrees."""
    both = Authority("void-round", (Role.PIT_SUPERVISOR, Role.PIT_MANAGER), second=Role.PIT_MANAGER)
    croupier = Croupier(floor, "insurance", authority=(both,))
    croupier.open_bets()
    bet(croupier, "Lee", 1, "player")
    croupier.deal("KS 9H")
    croupier.give("report", seen=["wrong-set"])
    return croupier.table


def test_a_void_takes_two_people(floor: RunningFloor, visit: Visit) -> None:
    table = to_be_void(floor)
    first, second = visit("Sue").open(f"/pit/cases/{table}"), visit("Mia")
    wall = wall_of(second)
    expect(first.page.locator("[data-confirm]")).to_be_disabled()
    first.page.locator("[data-remedy=void-round]").check()
    first.page.locator("[name=reason]").fill("counted twice")
    expect(first.page.locator("[data-second=pit-manager]")).to_be_visible()
    expect(first.page.locator("[data-goes-back=Lee]")).to_be_visible()
    first.picture("pit-case-void-second")
    first.page.locator("[data-confirm]").click()
    expect(first.page.locator("[data-notice=approval]")).to_be_visible()
    waiting = wall.locator(f"[data-approval]:has-text('{table}')")
    expect(waiting).to_contain_text(re.compile("Sue, Pit supervisor, asks for: Void the round", re.IGNORECASE))
    expect(wall).to_have_title(re.compile(r"^\(\d+\)"))
    asked, beside = waiting.locator("p").first.bounding_box(), waiting.bounding_box()
    assert asked is not None and beside is not None and asked["width"] > 0.95 * beside["width"], "in whole lines"
    assert second.faults() == []
    second.picture("pit-wall-approval")
    waiting.locator("[data-decide=approve]").click()
    expect(first.page.get_by_role("heading", name="No case is open")).to_be_visible()
    expect(waiting).to_have_count(0)
    voided = [one.event for one in floor.client("Aud").events(table).events if one.event["type"] == "round-voided"]  # type: ignore[union-attr]
    assert [(one["by"], one["clause"]) for one in voided] == [("Sue", "5.5.2")]
    acts = floor.client("Aud").http.get("/audit/events", params={"code": "round-voided", "table": table}).json()
    assert [(one["who"], one["second"]) for one in acts["events"]] == [("Sue", "Mia")]
    assert audited(floor, table, 1)["round"] == 1


def test_a_manager_who_has_a_second_factor_signs_beside_the_supervisor(floor: RunningFloor, visit: Visit) -> None:
    table = to_be_void(floor)
    body = {"name": "Nia", "password": PASSWORD, "roles": ["pit-manager"]}
    floor.client("Ada").http.post("/people", json=body).raise_for_status()
    with Client(floor.url) as nia:
        nia.log_in("Nia", PASSWORD)
        secret = nia.http.post("/accounts/me/second-factor").json()["secret"]
        code = {"code": pyotp.TOTP(secret).now()}
        codes = nia.http.post("/accounts/me/second-factor/confirm", json=code).raise_for_status().json()["codes"]
    sue = visit("Sue", size=PHONE).open(f"/pit/cases/{table}")
    page = sue.page
    page.locator("[data-remedy=void-round]").check()
    page.locator("[name=reason]").fill("counted twice")
    page.locator("[data-confirm]").click()
    expect(page.locator("[data-notice=approval]")).to_be_visible()
    page.locator("[data-second-here]").click()
    page.locator("[name=pit-name]").fill("Nia")
    page.locator("[name=pit-password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("[name=pit-code]")).to_be_focused()
    assert sue.faults() == []
    sue.picture("pit-case-second-factor")
    page.keyboard.type(codes[0])
    page.keyboard.press("Enter")
    expect(page.locator("[data-pit=Nia]")).to_be_visible()
    page.locator("dialog [data-decide=approve]").click()
    expect(page.get_by_role("heading", name="No case is open")).to_be_visible()
    acts = floor.client("Aud").http.get("/audit/events", params={"code": "round-voided", "table": table}).json()
    assert [(one["who"], one["second"]) for one in acts["events"]] == [("Sue", "Nia")]


def test_a_table_is_opened_run_and_closed_from_the_pit(floor: RunningFloor, visit: Visit) -> None:
    pit = visit("Rob")
    page = wall_of(pit)
    page.get_by_role("link", name="Open a table").click()
    form = page.locator("[data-open-table]")
    form.locator("[name=table]").fill("salon-9")
    expect(form.locator("[name=minimum]")).to_have_value("10")
    form.locator("[name=minimum]").fill("50")
    pit.picture("pit-open")
    assert pit.faults() == []
    form.get_by_role("button", name="Open a table").or_(form.get_by_role("button", name="Open the table")).click()
    run = page.locator("[data-pit-table=salon-9][data-link=live]")
    expect(run).to_be_visible()
    terms = run.locator("[data-terms]")
    expect(terms.locator("[name=minimum]")).to_have_value("50")
    terms.locator("[name=minimum]").fill("100")
    terms.locator("[data-try-terms]").click()
    expect(run.locator("[data-effect] [data-term=minimum]")).to_contain_text("50")
    expect(run.locator("[data-effect]")).to_contain_text(re.compile("Rob, Shift manager", re.IGNORECASE))
    pit.picture("pit-terms-effect")
    assert pit.faults() == []
    run.locator("[data-change-terms]").click()
    expect(run).to_have_attribute("data-version", "2")
    shown = floor.client("Rob").table("salon-9", Role.SHIFT_MANAGER)
    assert shown.terms.minimum == 10_000  # type: ignore[union-attr]
    run.locator("[data-give=pause-table]").click()
    expect(run.locator("[data-phase-name=paused]")).to_be_visible()
    run.locator("[data-give=resume-table]").click()
    expect(run.locator("[data-phase-name=paused]")).to_have_count(0)
    terms.locator("[name=minimum]").fill("100.01")
    terms.locator("[data-try-terms]").click()
    expect(run.locator("[data-effect-refused=wrong-terms]")).to_be_visible()
    terms.locator("[name=maximum]").fill("none at all")  # which must not take the maximum away
    terms.locator("[data-try-terms]").click()
    assert "500.50" in terms.locator("[name=maximum]").evaluate("one => one.validationMessage")
    run.get_by_label("The automatic dealer").check()
    expect(run.get_by_label("Amber")).to_be_visible()
    run.locator("[data-save-running]").click()
    expect(run.locator("[data-saved]")).to_be_visible()
    run.get_by_label("A dealer at the table").check()
    run.locator("[data-save-running]").click()
    expect(run.locator("[data-saved]")).to_be_visible()
    sized(page, PHONE)
    assert page.evaluate(WIDTH) == PHONE[0]
    pit.picture("pit-table-390")
    run.locator("[data-give=close-table]").click()
    run.locator("[data-sure=close-table]").click()
    expect(run.locator("[data-notice=closed]")).to_be_visible()


def test_terms_that_a_book_gives_to_two_people(floor: RunningFloor, visit: Visit, tmp_path: Path) -> None:
    """The page says whose word is missing before anything is asked, and the terms change when that is given."""
    file = tmp_path / "two.toml"
    entry = 'command = "change-terms"\nroles = ["pit-supervisor"]\nsecond = "shift-manager"\n'
    source = built_in_source("ez").text.replace('name = "ez"', 'name = "two"', 1)
    file.write_text(f"{source}\n[[authority]]\n{entry}", encoding="utf-8")
    table = floor.new_table(str(file))
    wall = wall_of(visit("Rob"))
    sue = visit("Sue", size=PHONE).open(f"/pit/tables/{table}")
    run = sue.page.locator(f"[data-pit-table={table}][data-link=live]")
    run.locator("[data-terms] [name=minimum]").fill("100")
    run.locator("[data-try-terms]").click()
    expect(run.locator("[data-effect] [data-second=shift-manager]")).to_contain_text("Shift Manager")
    assert sue.faults() == []
    sue.picture("pit-terms-second")
    run.locator("[data-change-terms]").click()
    expect(run.locator("[data-notice=approval]")).to_be_visible()
    assert floor.version(table) == 1
    wall.locator(f"[data-approval]:has-text('{table}') [data-decide=approve]").click()
    expect(run).to_have_attribute("data-version", "2")
    assert floor.client("Rob").table(table, Role.SHIFT_MANAGER).terms.minimum == 10_000  # type: ignore[union-attr]


def test_alerts_of_lock_outs_and_counts_name_who_and_where(floor: RunningFloor, visit: Visit) -> None:
    table, now = floor.new_table("commission"), floor.app_state.now()
    figures = {"expected": 100_000, "counted": 95_000, "difference": -5_000}
    with floor.store.write() as transaction:
        note = transaction.note
        told = {"name": "Lee", "address": "10.0.0.7", "count": 1}
        note(HouseCode.LOCKED_OUT, "log-in/10.0.0.7/Lee", None, now, after=told)
        note(HouseCode.COUNT_DIFFERS, f"difference/rack/{table}/4", "Dan", now, second="Sue", after=figures)
        note(HouseCode.COUNT_DIFFERS, "difference/shift/3", "Cas", now, after=figures)
    sue = visit("Sue").open("/pit")
    alerts = sue.page.locator("[data-alert]")
    expect(alerts.filter(has_text="locked out").locator(".details")).to_have_text("Lee, from 10.0.0.7")
    counts = "950 counted, 1,000 expected"
    rack = sue.page.locator(f"[data-alert-of={table}]").filter(has_text="A count differs")
    expect(rack.locator("a.table-name")).to_have_text(table)
    expect(rack.locator(".details")).to_have_text(f"counted by Dan + Sue, {counts}")
    drawer = alerts.filter(has_text="drawer of")
    expect(drawer.locator(".details")).to_have_text(f"drawer of Cas, {counts}")
    assert sue.faults() == []


def test_bots_that_the_pit_sends_sit_at_the_table(floor: RunningFloor, visit: Visit) -> None:
    table = floor.new_table("commission")
    rob = visit("Rob").open(f"/pit/tables/{table}")
    run = rob.page.locator(f"[data-pit-table={table}][data-link=live]")
    run.get_by_label("The automatic dealer").check()
    run.get_by_label("Amber").check()
    run.locator("[data-save-running]").click()
    expect(run.locator("[data-saved]")).to_be_visible()
    expect(run.get_by_role("cell", name=re.compile("^Amber"))).to_be_visible()
    assert floor.client("Rob").http.get(f"/tables/{table}/running").json()["bots"] == ["Amber"]
    run.get_by_label("A dealer at the table").check()
    run.locator("[data-save-running]").click()
    expect(run.locator("[data-saved]")).to_be_visible()


@pytest.mark.clause("insurance", "4.2.2")
def test_a_table_without_insurance_has_its_notice(floor: RunningFloor, visit: Visit) -> None:
    page = visit("Rob").open("/pit/open").page
    form = page.locator("[data-open-table]")
    form.locator("[name=table]").fill("salon-8")
    insurance = floor.client("Rob").http.get("/books/insurance").json()["digest"]
    form.locator("[name=book]").select_option(insurance)
    sized(page, PHONE)
    expect(form.get_by_text("Non-Commission Baccarat with Insurance and Super Six Plus").first).to_be_visible()
    assert page.evaluate(CHOSEN_CUT) == []
    form.locator("[name=insurance]").uncheck()
    form.locator("[name=private]").check()
    form.locator("button.main").click()
    expect(form.get_by_role("alert")).to_contain_text("4.2.2")  # who asked for it is needed
    form.locator("[name=requested_by]").fill("Kim")
    form.locator("button.main").click()
    expect(page.locator("[data-no-insurance]")).to_contain_text("as Kim asked")
    lobby = visit("Lee", size=PHONE).open("/").page.locator("li", has_text="salon-8")
    expect(lobby.locator("[data-no-insurance]")).to_be_visible()
    board = visit("Lee").open("/board/salon-8").page.locator("[data-board=on]")
    expect(board.locator("[data-no-insurance]")).to_be_in_viewport()
    table = visit("Max").at_table("salon-8").page
    expect(table.locator("[data-no-insurance]")).to_be_in_viewport()
    terms = page.locator("[data-terms]")
    terms.locator("[name=insurance]").check()
    terms.locator("[data-try-terms]").click()
    expect(page.locator("[data-effect] [data-term=requested_by]")).to_be_visible()
    page.locator("[data-change-terms]").click()
    for shown in (page, lobby, board, table):
        expect(shown.locator("[data-no-insurance]")).to_have_count(0)


def test_a_call_is_heard_until_somebody_answers(floor: RunningFloor, visit: Visit) -> None:
    table = Croupier(floor, "commission").table
    for call in floor.client("Sue").http.get("/pit-calls").json()["calls"]:
        floor.client("Sue").http.post(f"/pit-calls/{call['call']}", json={"answer": "cleared"})
    pit = visit("Sue")
    page, asked, answers = pit.page, list[str](), list[str]()
    pit.context.add_init_script(HEARD)
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/pit/tables") else None)
    page.on("response", lambda one: answers.append(one.url) if one.url.endswith("/pit/tables") else None)
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    wall_of(pit)
    page.get_by_role("heading", level=1).click()  # a browser is silent until it was touched

    def hears(looks: int) -> int:
        """How much the page has sounded when it has looked so many times more, every two seconds. Its clock stands
        still while an answer is on its way: on a busy machine the call would grow old meanwhile."""
        for _ in range(looks):
            before = len(answers)
            for _ in range(100_000):
                if len(answers) > before:
                    break
                if len(asked) > len(answers):
                    page.evaluate("0")  # what has arrived meanwhile is told to us
                else:
                    page.clock.run_for(100)
            assert len(answers) > before, "the page looks no more"
        found: int = page.evaluate("window.heard")
        return found

    assert hears(2) == 0
    floor.client("Dan").http.post(f"/tables/{table}/pit-calls", json={"reason": "9♥"})
    once = hears(3)
    assert once > 0
    call = page.locator(f"[data-call-of={table}]")
    expect(call.locator(".muted")).to_have_text(re.compile(r"^\d+ s$"))
    assert hears(5) == once, "not again and again"
    assert hears(5) > once, "nobody has answered for twenty seconds"
    call.locator("[data-answer-call=coming]").click()
    expect(page.locator(f"[data-call-of={table}][data-answer=coming]")).to_be_visible()
    last = hears(1)
    assert hears(13) == last


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wall_in_three_languages_and_sizes(floor: RunningFloor, visit: Visit, language: str) -> None:
    dealt = Croupier(floor, "commission")
    dealt.play("KS KH 9D 8C")  # its phase has the longest name in English
    croupier = Croupier(floor, "insurance", differential=20_000)
    croupier.open_bets()
    bet(croupier, "Lee", 1, "banker", 19_000)
    floor.client("Dan").http.post(f"/tables/{croupier.table}/pit-calls", json={"reason": "9♥"})
    pit = visit("Sue", language=language)
    page = wall_of(pit)
    expect(page.locator(f"[data-alert=differential][data-alert-of={croupier.table}]")).to_be_visible()
    page.locator("select:has(option[value=list])").select_option("list")  # many tables are tiles, without a pace
    pace = page.locator(f"[data-table={dealt.table}] [data-pace]")
    expect(pace).to_have_text("—")  # one round says nothing of it
    for _ in range(2):
        dealt.play("KS KH 9D 8C")
    expect(pace).to_have_text(re.compile(r"^\d+$"))
    for width, height in ((1440, 900), LAPTOP, PHONE):
        sized(page, (width, height))
        assert page.evaluate(WIDTH) == width
        pit.picture(f"pit-wall-{language}-{width}")
    assert page.locator(".pill").evaluate_all(OUTSIDE) == [], "a phase stays inside its card"
    assert pit.faults() == []
    assert "undefined" not in page.locator("main").inner_text()
    page.locator(f"[data-call-of={croupier.table}] [data-answer-call=coming]").click()
    expect(page.locator(f"[data-call-of={croupier.table}][data-answer=coming]")).to_be_visible()
    expect(page.locator(f"[data-alert=pit-called][data-alert-of={croupier.table}]")).to_have_count(0)
    if language == "en":
        pit.context.set_offline(True)
        lost = page.locator("[data-wall=offline] > [role=alert]")
        expect(lost).to_have_text("No connection. This page comes back by itself.")  # nobody here has bets
        pit.context.set_offline(False)
        expect(page.locator("[data-wall=live]")).to_be_visible()
