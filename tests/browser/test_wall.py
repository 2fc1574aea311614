"""The pit's wall with a whole floor of tables: all in sight, in the order that is wanted, and quiet while it waits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_pit import LAPTOP, WIDTH, bet, wall_of
from tests.browser.visitor import PHONE, sized
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

MANY = 60
COUNT_CHANGES = """() => {
  window.changes = 0;
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(() => (window.changes += 1)).observe(document.body, all);
}"""
"""Counts how often the page changes: each is drawn again."""


def a_floor_of_many(page: Page, croupier: Croupier) -> None:
    """Let the page hear of many tables: one that is there, as often as wanted, each with its own clock and figures."""

    def answer(route: Route) -> None:
        told = route.fetch().json()
        one = next(each for each in told["tables"] if each["table"] == croupier.table)
        mine = [each for each in told["alerts"] if each["table"] == croupier.table]
        route.fulfill(body=json.dumps({**told, "tables": [_copy(one, n) for n in range(1, MANY + 1)], "alerts": mine}))

    def _copy(one: dict[str, Any], n: int) -> dict[str, Any]:
        own = {
            "table": one["table"] if n == 7 else f"t{n * 100}",
            "clock": {"what": "bets", "ends_in_ms": 9_000 + 137 * n},
        }
        return {**one, **own, "day": {**one["day"], "handle": n * 10_000, "win": (-1) ** n * n * 1_000}}

    page.route("**/pit/tables", answer)


def test_sixty_tables_are_in_sight_and_in_order(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", differential=20_000)
    croupier.open_bets()
    bet(croupier, "Lee", 1, "banker", 19_000)
    pit = visit("Sue")
    page = pit.page
    a_floor_of_many(page, croupier)
    wall_of(pit)
    tiles = page.locator("[data-table]")
    expect(tiles).to_have_count(MANY)
    bottoms = tiles.evaluate_all("all => all.map((one) => one.getBoundingClientRect().bottom)")
    assert max(bottoms) <= 900, "every table is in sight on a desktop"
    assert tiles.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0
    sums = page.locator("[data-sum]")
    expect(sums).to_have_attribute("data-handle", str(sum(range(1, MANY + 1)) * 10_000))
    expect(sums).to_have_attribute("data-win", str(MANY // 2 * 1_000))

    expect(page.locator(f"[data-table={croupier.table}] [data-alert-mark=differential]")).to_be_visible()
    page.get_by_label("Order").select_option("alerts")
    expect(tiles.first).to_have_attribute("data-table", croupier.table)
    middle = "one => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; }"
    for width in (1180, 1240, 1300, 1366):
        sized(page, (width, 650))
        middles = [page.get_by_label(one).evaluate(middle) for one in ("Order", "Show as", "Only tables with alerts")]
        assert max(middles) - min(middles) < 1, f"what is chosen of the wall stands in one line: {width}"
    page.get_by_label("Order").select_option("handle")
    expect(tiles.first).to_have_attribute("data-table", f"t{MANY * 100}")
    for looked, shown in (("lee", MANY), ("dAN", MANY), ("t5900", 1), ("nobody", 0)):
        page.locator("[name=find]").fill(looked)
        expect(tiles).to_have_count(shown)
        expect(page.locator("[data-named]")).to_have_count(MANY if looked == "lee" else 0)
    page.locator("[name=find]").fill("")
    page.locator("[data-alerts-only]").check()
    expect(tiles).to_have_count(1)
    page.locator("[data-alerts-only]").uncheck()
    assert pit.faults() == []
    for width, height in (LAPTOP, PHONE):
        sized(page, (width, height))
        assert page.evaluate(WIDTH) == width
        pit.picture(f"pit-wall-many-{width}")
    sized(page, (1440, 900))
    pit.picture("pit-wall-many-1440")

    page.get_by_label("Show as").select_option("list")
    expect(page.locator(f"[data-table={croupier.table}]")).to_contain_text("Rounds/h")
    page.reload()
    expect(page.locator(".wall [data-table]")).to_have_count(MANY)


def test_clocks_of_many_tables_tick_together(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    pit = visit("Sue")
    page = pit.page
    page.clock.install()
    a_floor_of_many(page, croupier)
    wall_of(pit)
    clock = page.locator(f"[data-table=t{MANY * 100}] [data-clock]")
    expect(clock).to_be_visible()
    page.evaluate(COUNT_CHANGES)
    shown = set()
    for _ in range(16):
        page.clock.run_for(500)
        shown.add(clock.get_attribute("data-clock"))
    assert len(shown) >= 2, f"the clocks run: {shown}"
    # Eight seconds are eight ticks, and answers of the server between them; sixty clocks by themselves are hundreds.
    assert page.evaluate("window.changes") <= 8 * 3
