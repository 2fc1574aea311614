"""The pages of the house over a slow network: each says that it is loading and claims nothing meanwhile, what is
pressed twice is done once, and what nobody answered says what to do.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Visit
from tests.browser.test_cage import choose
from tests.browser.visitor import Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


class Held:
    """Answers to some calls, held back until somebody lets them go: no network is as slow as this one."""

    def __init__(self, visitor: Visitor, pattern: str) -> None:
        self.routes: list[Route] = []
        self.is_open = False
        visitor.page.route(pattern, lambda route: self._hold(route))

    def _hold(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        self.is_open = True
        for route in self.routes:
            route.continue_()


def twice(button: Locator) -> None:
    """Pressed twice before the page has drawn anything in between."""
    button.evaluate("(one) => { one.click(); one.click(); }")


def approvals(floor: RunningFloor) -> list[Any]:
    told = floor.client("Cas").http.get("/approvals").json()["approvals"]
    return [one for one in told if one["decision"] is None]


@pytest.mark.parametrize(
    ("name", "path", "calls", "wrong"),
    [
        ("Cas", "/cage", "**/cashier/receipts?*", "No movements yet."),
        ("Cas", "/cage/racks", "**/api/v1/tables", "There are no tables"),
        ("Cas", "/cage/drawer", "**/cashier/shift", "You have no open shift. Opening"),
        ("Sue", "/pit", "**/pit/tables", "No table is open."),
        ("Rob", "/pit/open", "**/pit/books/*/terms", "More terms"),
        ("Ada", "/office/people", "**/api/v1/people", "Nobody"),
        ("Ada", "/office/invitations", "**/house/invitations", "No invitations yet."),
        ("Ada", "/office/approvals", "**/api/v1/approvals", "Nothing is waiting."),
        ("Ada", "/office/devices", "**/api/v1/devices", "No keys yet."),
        ("Ada", "/office/health", "**/audit/integrity", "Server and pages are of the same version"),
    ],
)
def test_a_page_that_waits_says_so_and_claims_nothing(
    visit: Visit, name: str, path: str, calls: str, wrong: str
) -> None:
    visitor = visit(name)
    held = Held(visitor, calls)
    with visitor.page.expect_request(calls):
        visitor.open(path)
    loading = visitor.page.locator("main").get_by_text("Loading…").first
    expect(loading).to_be_visible()
    expect(visitor.page.locator("main")).not_to_contain_text(wrong)
    held.let_go()
    expect(visitor.page.locator("main").get_by_text("Loading…")).to_have_count(0)


def test_a_player_who_is_looked_for_and_chosen_is_on_the_way(visit: Visit) -> None:
    cas = visit("Cas").open("/cage")
    held = Held(cas, "**/cashier/accounts?*")
    cas.page.locator("[name=find]").fill("le")
    expect(cas.page.locator("section [data-loading]").first).to_be_visible()
    held.let_go()
    held = Held(cas, "**/cashier/accounts/Lee")
    cas.page.locator("[data-found=Lee]").click()
    expect(cas.page.locator("section [data-loading]").first).to_be_visible()
    held.let_go()
    expect(cas.page.locator("[name=amount]")).to_be_focused()


def test_sessions_that_are_not_known_are_not_none(visit: Visit, floor: RunningFloor) -> None:
    floor.fresh_client("Mia")
    ada = visit("Ada").open("/office/people")
    held = Held(ada, "**/people/Mia/sessions")
    ada.page.locator("[data-person=Mia] button").click()
    card = ada.page.locator("[data-member=Mia]")
    expect(card.locator("[data-loading]")).to_be_visible()
    expect(card).not_to_contain_text("No open sessions")
    held.let_go()
    expect(card.locator("[data-sessions]")).to_be_visible()


def test_a_correction_that_is_pressed_twice_or_not_answered_is_asked_for_once(
    visit: Visit, floor: RunningFloor
) -> None:
    before = len(approvals(floor))
    cas = visit("Cas").open("/cage")
    choose(cas, "le", "Lee")
    cas.page.locator("section details summary").last.click()
    form = cas.page.locator("form:has([name=correction])")
    form.locator("[name=correction]").fill("5")
    form.locator("[name=reason]").fill("a note was counted twice")
    lost = [True]

    def lose(route: Route) -> None:
        if lost.pop() if lost else False:
            route.fetch()  # it is asked for, and nobody hears of it
            route.abort()
        else:
            route.continue_()

    cas.page.route("**/cashier/correct", lose)
    twice(form.get_by_role("button").last)
    expect(form.locator(".problem")).to_contain_text("only once")
    twice(form.get_by_role("button").last)
    expect(form.locator("[name=reason]")).to_have_value("")
    assert len(approvals(floor)) == before + 1


def test_a_slip_that_is_not_answered_is_asked_for_once(visit: Visit, floor: RunningFloor) -> None:
    table, before = floor.new_table("commission"), len(approvals(floor))
    cas = visit("Cas").open(f"/cage/racks/{table}")
    expect(cas.page.locator("[data-rack=none]")).to_be_visible()
    cas.page.locator("[data-pieces='10000']").fill("12")
    lost = [True]

    def lose(route: Route) -> None:
        if route.request.method == "POST" and (lost.pop() if lost else False):
            route.fetch()
            route.abort()
        else:
            route.continue_()

    cas.page.route(f"**/tables/{table}/rack", lose)
    twice(cas.page.locator("[data-sign]"))
    expect(cas.page.locator("main section .problem").first).to_contain_text("only once")
    twice(cas.page.locator("[data-sign]"))
    expect(cas.page.locator("[data-pending]")).to_be_visible()
    assert len(approvals(floor)) == before + 1


def test_somebody_who_is_added_twice_is_added_once_and_an_answer_that_is_lost_says_what_to_do(visit: Visit) -> None:
    ada = visit("Ada").open("/office/people")
    form, asked = ada.page.locator("form[data-add]"), list[str]()

    def lose(route: Route) -> None:
        if route.request.method == "GET":
            route.continue_()
            return
        asked.append(route.request.url)
        route.fetch()
        route.abort()

    ada.page.route("**/api/v1/people", lose)
    form.locator("[name=name]").fill("Ted")
    form.locator("[name=password]").fill("a long password")
    twice(form.get_by_role("button"))
    expect(ada.page.locator(".problem.answer")).to_contain_text("See whether it was done")
    expect(ada.page.locator("[data-person=Ted]")).to_be_visible()
    assert len(asked) == 1
