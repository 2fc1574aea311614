"""The floor as `punto serve` starts it: a newcomer logs in, sits and plays a round, by keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visitor import Visitor
from tests.server.served import ServedFloor

pytestmark = pytest.mark.slow


@pytest.mark.gli("CCA 106")
@pytest.mark.gli("WCAG 2.1.1")
@pytest.mark.gli("WCAG 3.3.8")
def test_a_newcomer_plays_a_round_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    with ServedFloor(tmp_path, "--pace", "0.1", "--bets", "4") as floor, Visitor(browser, floor, None) as visitor:
        page = visitor.open("/").page
        page.locator("[name=name]").focus()
        page.keyboard.type("player")
        page.keyboard.press("Tab")
        page.keyboard.type(floor.logins["player"])
        page.keyboard.press("Enter")
        door = page.locator("a[href='/tables/commission']").first
        expect(door).to_be_visible()
        visitor.picture("lobby-served")
        door.focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-link=live]")).to_be_visible()
        seat = page.locator("button.seat.free:enabled").first
        expect(seat).to_be_visible()
        seat.focus()
        page.keyboard.press("Enter")
        expect(page.locator("button.seat.mine")).to_be_visible()
        # The whole time of a round is ahead of the newcomer, however slow this machine is.
        expect(page.locator("[data-phase-name=betting]")).to_have_count(0, timeout=20_000)
        expect(page.locator("[data-phase-name=betting]")).to_be_visible(timeout=20_000)
        page.keyboard.press("2")
        page.keyboard.press("b")
        expect(page.locator(".spot[data-area=banker] .mine:not(.pale) b")).to_be_visible()
        expect(page.get_by_text(re.compile("You (win|lose|break even)")).first).to_be_visible(timeout=30_000)
        visitor.picture("table-served")
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        visitor.picture("table-help")
        assert visitor.outside() == []
        assert visitor.errors == []
        assert floor.stop() == 0
