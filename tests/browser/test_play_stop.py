"""Stopping the floor in a browser and starting it again: asked twice, and seen by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from punto.table.state import Phase
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import speaks
from tests.browser.visitor import LANGUAGES, PHONE
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow
WIDTH = "document.documentElement.scrollWidth"


@pytest.fixture(autouse=True)
def _goes_on(floor: RunningFloor) -> Iterator[None]:
    yield
    rob = floor.client("Rob").http
    for stop in rob.get("/house/stops").json()["stops"]:
        assert rob.post("/house/start", json={"book": stop["book"]}).status_code == 200


def stop(page: Page, book: str = "", reason: str = "a fire alarm") -> None:
    """Stop play in two steps."""
    page.locator("[data-begin-stop]").click()
    page.locator(f"[name=stop-book][value='{book}']").check()
    page.locator("[name=stop-reason]").fill(reason)
    page.locator("[data-stop-ask]").click()
    expect(page.locator("[data-stopping=sure]")).to_be_visible()
    page.locator("[data-stop-now]").click()
    expect(page.locator("[data-stopping]")).to_be_hidden()


def test_the_floor_is_stopped_and_started_again(visit: Visit, floor: RunningFloor) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    player, dealer = visit("Lee").at_table(croupier.table), visit("Dan").at_console(croupier.table)
    board = visit("Kim").open(f"/board/{croupier.table}")
    pit = visit("Rob").open("/pit").page
    expect(pit.locator("[data-stop=none]")).to_be_visible()
    pit.locator("[data-begin-stop]").click()
    pit.keyboard.press("Escape")
    expect(pit.locator("[data-begin-stop]")).to_be_focused()
    pit.locator("[data-begin-stop]").click()
    expect(pit.locator("[data-stop-ask]")).to_have_text("Stop the whole floor…")
    pit.locator("[name=stop-book][value=commission]").check()
    expect(pit.locator("[data-stop-ask]")).to_have_text(re.compile("^Stop (?!the whole floor).+…$"))
    pit.keyboard.press("Escape")
    stop(pit)
    expect(pit.locator("[data-stopped=floor]")).to_contain_text("by Rob, since")
    expect(pit.locator("[data-stopped=floor]")).to_contain_text("a fire alarm")
    expect(pit.locator("[data-finishing]")).to_contain_text(croupier.table.upper())
    expect(pit.locator("[data-begin-stop]")).to_have_count(0)
    for one in (player, dealer):
        expect(one.page.locator("[data-notice=stopped]")).to_contain_text("Play is stopped on the whole floor")
    croupier.deal("6D 2C KH 5S")
    while croupier.shown().phase is not Phase.IDLE:
        croupier.give(**croupier.next())
    expect(pit.locator("[data-finishing='0']")).to_be_visible()
    expect(dealer.page.locator("[data-next=call-bets]")).to_be_disabled()
    expect(dealer.page.locator("[data-problem=stopped]")).to_contain_text("Play is stopped")
    dealer.page.keyboard.press("Space")
    office = visit("Ada").open("/office").page
    expect(office.locator("[data-stopped=floor]")).to_contain_text("Rob")
    looking = visit("Sue").open("/pit").page
    expect(looking.locator("[data-stopped=floor]")).to_be_visible()
    expect(looking.locator("[data-start]")).to_have_count(0)
    expect(board.page.locator("[data-board=on]")).to_be_visible()
    office.locator("[data-start=floor]").click()
    office.locator("[data-start-now]").click()
    expect(office.locator("[data-stop=none]")).to_be_visible()
    expect(pit.locator("[data-stop=none]")).to_be_visible()
    expect(player.page.locator("[data-notice=stopped]")).to_have_count(0)
    expect(dealer.page.locator("[data-next=call-bets]")).to_be_enabled()
    expect(dealer.page.locator("[data-notice=refused]")).to_have_count(0)


def test_one_book_is_stopped_apart_from_the_others(visit: Visit, floor: RunningFloor) -> None:
    floor.new_table("ez")
    office = visit("Ada").open("/office").page
    stop(office, "ez", "cards of another colour")
    expect(office.locator("[data-stopped=ez]")).to_contain_text("cards of another colour")
    expect(office.locator("[data-stop=book] [data-begin-stop]")).to_have_text("Stop more…")
    stop(office)
    expect(office.locator("[data-stopped]")).to_have_count(2)
    office.locator("[data-start=floor]").click()
    expect(office.locator("[data-stopping=start]")).to_contain_text("Still stopped then: EZ Baccarat.")
    office.locator("[data-start-now]").click()
    expect(office.locator("[data-stopped]")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_phone_in_every_language(visit: Visit, floor: RunningFloor, language: str, scheme: str) -> None:
    floor.new_table("insurance")
    visitor = visit("Rob", size=PHONE, language=language)
    visitor.context.add_init_script(f"localStorage.setItem('punto.preferences', '{{\"theme\":\"{scheme}\"}}')")
    page = visitor.open("/pit").page
    speaks(visitor, language)
    assert page.evaluate(WIDTH) == PHONE[0]
    page.locator("[data-begin-stop]").click()
    page.locator("[name=stop-reason]").fill("a reason that is as long as anybody would write one " * 3)
    assert visitor.faults() == []
    visitor.picture(f"stop-what-{language}-{scheme}")
    page.locator("[data-stopping=what] button.main").click()
    assert visitor.faults() == []
    visitor.picture(f"stop-sure-{language}-{scheme}")
    page.locator("[data-stop-now]").click()
    expect(page.locator("[data-stopped=floor]")).to_be_visible()
    assert page.evaluate(WIDTH) == PHONE[0]
    assert visitor.faults() == []
    visitor.picture(f"stop-stopped-{language}-{scheme}")
