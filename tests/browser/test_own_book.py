"""A user's own book file on the pages: bets, odds, clauses and a round, without a line of web code."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.spoken import english_in
from tests.browser.visitor import DESKTOP, PHONE, ROOT
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

CARD_BETS = ROOT / "docs/examples/card-bets.toml"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_round_of_a_users_own_book(floor: RunningFloor, visit: Visit, size: tuple[int, int]) -> None:
    croupier = Croupier(floor, str(CARD_BETS))
    croupier.open_bets()
    lee = visit("Lee", size=size).open("/")
    link = lee.page.locator(f"main a[href='/tables/{croupier.table}']").first
    expect(link).to_be_visible()
    expect(lee.page.locator("main")).to_contain_text("Commission Baccarat with bets on cards")
    link.click()
    expect(lee.page.locator("[data-link=live]")).to_be_visible()
    lee.page.locator("[data-seat='1']").click()
    expect(lee.page.locator(".seat.mine")).to_have_count(1)
    before = lee.balance()
    expect(lee.spot("majestic-match")).to_contain_text("Majestic Match")
    expect(lee.spot("majestic-match")).to_contain_text("25 : 1 / 2.5 : 1")
    for area in ("player", "lucky-nines", "majestic-match", "all-black"):
        lee.bet(area, 10_000)
    # Twenty bets scroll in their own box: names stay in words, and hands and main bets in view.
    lines = "all => all.map(one => one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))"
    assert max(lee.page.locator(".spot .name").evaluate_all(lines)) < 3.5
    lee.page.evaluate("scrollTo(0, 0)")
    for place in (".hand.player", ".hand.banker", ".spot[data-area=player]", ".spot[data-area=banker]"):
        expect(lee.page.locator(place)).to_be_in_viewport(ratio=1)
    lee.picture(f"own-book-betting-{size[0]}")
    assert lee.page.evaluate("document.documentElement.scrollWidth") == size[0]
    croupier.deal("9D 2S KD 5C")
    croupier.finish()
    # A natural 9 with the nine of diamonds pays 2 : 1, two cards of one suit 2.5 : 1; not all are black.
    expect(lee.page.locator(".hand.player.winner")).to_be_visible()
    expect(lee.page.locator("[data-worth]")).to_have_attribute(
        "data-worth", str(before + 10_000 * (1 + 2) + 25_000 - 10_000)
    )
    expect(lee.page.locator("main .spot.won")).to_have_count(3)
    lee.picture(f"own-book-result-{size[0]}")
    lee.open(f"/rules/{croupier.shown().digest}")
    expect(lee.page.locator("main")).to_contain_text("Lucky Nines")
    expect(lee.page.locator("main")).to_contain_text("Bets on single cards, beside the bets of the document.")


def test_english_is_marked_on_a_chinese_page(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, str(CARD_BETS))
    croupier.open_bets()
    lee = visit("Lee", language="zh-Hant").at_table(croupier.table)
    lee.sit(1)
    for area in ("player", "first-card"):
        lee.bet(area, 10_000)
    expect(lee.spot("first-card").locator("[lang=en]").first).to_have_text("First Card")
    expect(lee.spot("player").locator(".name")).not_to_have_attribute("lang", "en")
    assert english_in(lee.page, attributes=()) == []
    croupier.deal("9D 2S KD 5C")
    croupier.finish()
    lee.phase("finished")
    expect(lee.page.locator(".results li [lang=en]")).to_have_text("First Card")
    assert english_in(lee.page, attributes=()) == []
    lee.open(f"/rules/{croupier.shown().digest}")
    expect(lee.page.locator("h1")).to_have_attribute("lang", "en")
    expect(lee.page.locator("#clause-3\\.2 p").first).to_have_text("荷官喊「停止下注」，下注即告結束。")
    # The condition of one bet names another, which this book has in English only.
    assert english_in(lee.page, "Monkey 6", attributes=()) == []
    lee.picture("own-book-rules-zh-Hant")
