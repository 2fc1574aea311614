"""A full round of each book as player, two browsers at one table, and physical cards, which are known."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

SIX_SEVEN = "KS 9H 6D 8C"
"""Player, Banker, Player, Banker: 6 against 7, and nobody draws."""


AREAS = {"Lee": ("banker", "ante-player", "wager-player"), "Kim": ("player", "ante-banker")}
"""What each of the two has bet at the end; all but the first only where there are antes."""


def decide_antes(lee: Visitor, kim: Visitor) -> None:
    """Player's first card lies open: Lee wagers twice the ante, Kim gives hers up."""
    for visitor in (lee, kim):
        visitor.phase("antes")
        expect(visitor.page.locator("[data-wager]")).to_have_count(1)
    lee.page.locator("[data-wager='10000']").click()
    lee.sees_bet("wager-player", 10_000)
    expect(kim.spot("wager-player").locator(".other")).to_contain_text("100")
    kim.page.locator("[data-give-up='2500']").click()
    for visitor in (lee, kim):
        expect(visitor.page.locator("[data-wager], [data-give-up]")).to_have_count(0)


@pytest.mark.parametrize("book", ["commission", "ez", "easy-six", "insurance", "knockout"])
@pytest.mark.gli("4.3.3")
@pytest.mark.gli("4.4.2")
def test_two_players_play_a_round(floor: RunningFloor, visit: Visit, book: str) -> None:
    croupier = Croupier(floor, book, differential=None) if book != "insurance" else Croupier(floor, book)
    croupier.open_bets()
    lee, kim = visit("Lee").at_table(croupier.table), visit("Kim").at_table(croupier.table)
    lee.phase("betting")
    lee.sit(1)
    kim.sit(2)
    before = lee.balance(), kim.balance()
    lee.bet("banker", 10_000)
    kim.bet("player", 10_000)
    expect(lee.spot("player").locator(".other")).to_contain_text("100")
    assert lee.balance() == before[0] - 10_000
    if has_antes := book == "knockout":
        lee.bet("ante-player", 5_000)
        kim.bet("ante-banker", 2_500)
    lee.picture(f"{book}-betting")
    first, *others = SIX_SEVEN.split()
    croupier.deal(first)
    if has_antes:
        decide_antes(lee, kim)
    lee.phase("dealing")
    croupier.deal(" ".join(others))
    expect(lee.page.locator(".hand.banker .points")).to_have_text("7")
    expect(kim.page.locator(".hand.player .points")).to_have_text("6")
    asked = {lee: len(lee.asked), kim: len(kim.asked)}
    croupier.finish()
    expect(kim.page.locator(".hand.banker.winner")).to_be_visible()
    lee.picture(f"{book}-result")
    lines = croupier.shown().view["result"]["lines"]
    for visitor, name, had in ((lee, "Lee", before[0]), (kim, "Kim", before[1])):
        nets = {line["area"]: line["net"] for line in lines if line["player"] == name}
        assert set(nets) == set(AREAS[name][: None if has_antes else 1])
        has = str(had + sum(nets.values()))
        expect(visitor.page.locator("[data-worth]")).to_have_attribute("data-worth", has)
        # The roads came with the stream: nobody asked for them, nor for the history.
        expect(visitor.page.locator("[data-road=bead] path[data-marks=banker][d^=M]")).to_be_attached()
        assert [url for url in visitor.asked[asked[visitor] :] if url.endswith(("/roads", "/history"))] == []
