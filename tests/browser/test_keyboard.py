"""The house by keyboard alone: nobody touches a mouse, and what has the keys is seen. The cage, the felt and the
console have tests of their own for that.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_pit import drawn_together
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow
SEEN = """(one) => {
  const style = getComputedStyle(one);
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
}"""
"""Whether a frame stands around what has the keys."""
MOST = 80
"""Whatever is on a page is nearer than so many stops."""


def reach(page: Page, what: str) -> None:
    """Go on with the tab key until this has the keys."""
    expect(page.locator(what).first).to_be_visible()
    for _ in range(MOST):
        if page.evaluate("(what) => document.activeElement?.matches(what)", what):
            assert page.locator(":focus").evaluate(SEEN), f"nobody sees that {what} has the keys"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{what} cannot be reached")


def press(page: Page, what: str, key: str = "Enter") -> None:
    reach(page, what)
    page.keyboard.press(key)


def write(page: Page, what: str, text: str) -> None:
    reach(page, what)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def test_a_table_is_opened_changed_and_closed(floor: RunningFloor, visit: Visit) -> None:
    page = visit("Rob").open("/pit").page
    press(page, "a[href='/pit/open']")
    expect(page.locator("[data-open-table] [name=minimum]")).to_be_visible()
    write(page, "[name=table]", "by-keys")
    press(page, "[data-open-table] button.main")
    expect(page.locator("[data-pit-table=by-keys][data-link=live]")).to_be_visible()
    write(page, "[data-terms] [name=minimum]", "100")
    press(page, "[data-try-terms]")
    press(page, "[data-change-terms]")
    expect(page.locator("[data-pit-table]")).to_have_attribute("data-version", "2")
    press(page, "[data-give=close-table]")
    press(page, "[data-sure=close-table]")
    expect(page.locator("[data-notice=closed]")).to_be_visible()
    assert floor.client("Rob").table("by-keys", Role.SHIFT_MANAGER).terms.minimum == 10_000  # type: ignore[union-attr]


def test_a_case_is_decided(floor: RunningFloor, visit: Visit) -> None:
    page = visit("Sue").open("/pit").page
    table = drawn_together(floor)
    press(page, f"[data-table={table}] a[href='/pit/cases/{table}']")
    press(page, "[data-order='5']", "Home")
    expect(page.locator("[data-card-order='5,3,4']")).to_be_visible()
    press(page, "[data-confirm]:enabled")
    expect(page.locator("[data-record] [data-event=cards-ordered]")).to_be_visible()


def test_a_round_is_found_and_gone_through(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.play("KS KH 9D 8C")
    page = visit("Aud").open("/audit").page
    press(page, f"[data-round='{croupier.table}/1'] a")
    expect(page.locator("[data-step=bets-called]")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-step=round-settled]")).to_be_visible()
    press(page, ".events li:nth-child(2) button")
    expect(page.locator("[data-step=bets-closed]")).to_be_visible()
    press(page, "a[href='/audit/verify']")
    press(page, "[data-verify]")
    expect(page.locator("[data-verdict=good]")).to_be_visible()


def test_somebody_is_shut_out_and_a_book_is_examined(visit: Visit) -> None:
    page = visit("Ada").open("/office").page
    press(page, "[data-person=Max] button")
    write(page, "[data-member=Max] [name=reason]", "a test of keys")
    press(page, "[data-member=Max] .act:has([name=reason]) button")
    expect(page.locator("[data-person=Max]")).to_contain_text("shut: a test of keys")
    press(page, "nav a[href='/office/books']")
    write(page, "[name=source]", "nothing of a book")
    press(page, "form:has([name=source]) button.main")
    expect(page.locator("[data-checked=wrong]")).to_be_visible()


def test_a_report_is_read_and_odds_are_explored(visit: Visit) -> None:
    page = visit("Mia").open("/reports").page
    press(page, "[data-kind=staff]")
    expect(page.locator("[data-report=staff]")).to_be_visible()
    press(page, "[data-downloads] [data-format=csv]", "Tab")
    press(page, "header a[href='/odds']")
    expect(page.locator("[data-bet]").first).to_be_visible()
    press(page, "[data-rank=K]")
    expect(page.locator("[data-removed=K]")).to_be_visible()
    press(page, "[data-bet=player] button")
    expect(page.locator("[data-full=player]")).to_be_visible()
