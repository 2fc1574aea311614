"""The floor as `punto serve` starts it: a newcomer comes in by its link, learns how to play, sits and plays a round."""

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
        page = visitor.open(floor.entry).page
        door = page.locator("[data-sit=commission]")
        expect(door).to_be_visible()
        by_hand = page.locator("li.panel", has_text="Somebody who is logged in as dealer deals here.")
        expect(by_hand).to_have_count(1)
        expect(by_hand).to_contain_text("Dealer at the table")
        code = floor.entry.partition("#")[2]
        assert page.url == f"{floor.url}/" and page.evaluate("history.length") <= 2
        assert not any(code in address for address in visitor.asked if "#" not in address), "it is in no address"
        learn_how_to_play(visitor)
        visitor.picture("lobby-served")
        door.focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-link=live]")).to_be_visible()
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
        expect(page.locator("dialog[open] .how svg text").first).to_be_visible()
        keep_the_second_language(visitor)
        look_back(visitor)
        page.goto("/")
        expect(page.get_by_text("You sit here")).to_have_count(1)
        expect(page.locator("[data-sit=commission]")).to_have_count(0)
        with Visitor(browser, floor, None) as late:
            late.open(floor.entry)
            expect(late.page.get_by_role("alert")).to_contain_text("has been used")
            assert late.errors == []
        assert visitor.outside() == []
        assert visitor.errors == []
        assert floor.stop() == 0


def learn_how_to_play(visitor: Visitor) -> None:
    """The three pictures are offered once, and have the odds of a book that is played here."""
    page = visitor.page
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".how svg text", has_text="0.95\u00a0:\u00a01")).to_be_visible()
    assert visitor.faults() == []
    visitor.picture("lobby-how-to-play")
    page.get_by_role("region", name="How to play").get_by_role("button", name="Close").click()
    page.reload()
    expect(page.locator("[data-sit=commission]")).to_be_visible()
    expect(page.get_by_role("button", name="Show me")).to_have_count(0)


def keep_the_second_language(visitor: Visitor) -> None:
    """The felt speaks the script that was chosen, also after a reload, and fetches no more of a font than that."""
    page = visitor.page
    page.locator("dialog[open] select[name=second]").select_option("zh-Hans")
    expect(page.locator(".spot[data-area=banker] .second")).to_have_text("庄")
    page.reload()
    expect(page.locator(".spot[data-area=banker] .second")).to_have_text("庄")
    page.evaluate("document.fonts.ready")
    fonts = [address for address in visitor.asked if "noto" in address]
    assert fonts and all("-felt-" in address for address in fonts), fonts


def look_back(visitor: Visitor) -> None:
    """From the statement to the page of the round, whose felt is gone through with the keys; a clause is a link."""
    page = visitor.page
    page.goto("/account")
    page.locator("main table.lines a[href*='/rounds/']").first.click()
    # It opens with what the round came to; the way there lies behind it.
    expect(page.locator("[data-step=settled]")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator("[data-step=called]")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-step=placed]")).to_contain_text("Banker")
    visitor.picture("round-bet")
    page.keyboard.press("End")
    expect(page.locator("[data-step=settled]")).to_be_visible()
    expect(page.locator("[data-line=banker]")).to_have_count(1)
    assert page.locator(".hand .card").count() >= 4
    visitor.picture("round-settled")
    assert visitor.faults() == []
    page.keyboard.press("Home")
    expect(page.locator(".hand .card")).to_have_count(0)
    page.keyboard.press("End")
    page.locator("[data-line=banker] a.clause").click()
    expect(page.locator("dl .named")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("[data-step=settled]")).to_be_visible()
