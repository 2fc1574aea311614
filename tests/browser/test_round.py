"""A full round of each book as player, two browsers at one table, and physical cards, which are known."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

SIX_SEVEN = "KS 9H 6D 8C"
"""Player, Banker, Player, Banker: 6 against 7, and nobody draws."""


@pytest.mark.parametrize("book", ["commission", "ez", "easy-six", "insurance", "knockout"])
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
    lee.picture(f"{book}-betting")
    first, *others = SIX_SEVEN.split()
    croupier.deal(first)
    lee.phase("dealing")
    croupier.deal(" ".join(others))
    expect(lee.page.locator(".hand.banker .points")).to_have_text("7")
    expect(kim.page.locator(".hand.player .points")).to_have_text("6")
    croupier.finish()
    expect(kim.page.locator(".hand.banker.winner")).to_be_visible()
    lee.picture(f"{book}-result")
    shown = croupier.shown().view["result"]["lines"]
    [line] = [line for line in shown if line["player"] == "Lee"]
    expect(lee.page.locator("[data-balance]")).to_have_attribute(
        "data-balance", str(before[0] - 10_000 + line["returned"])
    )
    expect(kim.page.locator("[data-balance]")).to_have_attribute("data-balance", str(before[1] - 10_000))
