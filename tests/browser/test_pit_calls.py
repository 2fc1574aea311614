"""The dealer calls the pit: it is seen in the lobby, at another console and where somebody plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import PHONE
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


def test_the_pit_is_called_and_answers(floor: RunningFloor, visit: Visit) -> None:
    croupier, other = Croupier(floor, "commission"), Croupier(floor, "ez")
    table = croupier.table
    dealer, lobby = visit("Dan").at_console(table), visit("Sue").open("/")
    console = visit("Mia").at_console(other.table)
    expect(lobby.page.get_by_role("heading", name=table, exact=True)).to_be_visible()
    dealer.page.locator("[data-call-pit]").click()
    dealer.page.locator("[name=call-reason]").fill("a card fell on the floor")
    dealer.picture("console-call-pit")
    dealer.page.keyboard.press("Enter")
    mine = dealer.page.locator(f"[data-call-of={table}][data-answer=none]")
    expect(mine).to_contain_text("Nobody has answered yet")
    expect(dealer.page.locator("[data-call-pit]")).to_be_disabled()
    for page in (lobby.page, console.page):
        told = page.locator(f"[data-call-of={table}][data-answer=none]")
        expect(told).to_contain_text("Dan (Dealer) calls the pit")
        expect(told).to_contain_text("a card fell on the floor")
    expect(lobby.page.locator(f"li:has(h2:text-is('{table}')) [data-pit-called]")).to_be_visible()
    expect(lobby.page).to_have_title("(1) Tables · Punto")
    assert lobby.faults() == [] and console.faults() == [] and dealer.faults() == []
    lobby.picture("lobby-pit-called")
    console.picture("console-pit-called")
    lobby.page.reload()
    lobby.page.locator("[data-answer-call=coming]").click()
    expect(dealer.page.locator("[data-answer=coming]")).to_contain_text("Sue is coming.")
    expect(console.page.locator("[data-answer=coming]")).to_contain_text("Sue is coming.")
    expect(lobby.page.locator("[data-pit-called]")).to_have_count(0)
    expect(dealer.page.locator("[data-call-pit]")).to_be_enabled()
    dealer.picture("console-pit-coming")
    dealer.page.reload()
    expect(dealer.page.locator("[data-answer=coming]")).to_contain_text("Sue is coming.")


def test_a_call_is_taken_back_and_a_player_of_the_pit_hears_it(floor: RunningFloor, visit: Visit) -> None:
    body = {"name": "Pat", "password": "correct horse", "roles": ["player", "pit-manager"]}
    assert floor.client("Ada").http.post("/people", json=body).status_code == 201
    croupier, other = Croupier(floor, "commission"), Croupier(floor, "ez")
    other.open_bets()
    dealer, pat = visit("Dan", size=PHONE).at_console(croupier.table), visit("Pat").at_table(other.table)
    lee = visit("Lee").at_table(croupier.table)
    dealer.page.locator("[data-call-pit]").click()
    dealer.page.keyboard.press("Enter")
    expect(pat.page.locator(f"[data-call-of={croupier.table}]")).to_be_in_viewport()
    assert pat.covered() == []
    pat.picture("table-pit-called")
    dealer.picture("console-pit-waits-phone")
    expect(lee.page.locator("[data-call-of]")).to_have_count(0)
    dealer.page.locator("[data-answer-call=cleared]").click()
    expect(pat.page.locator(f"[data-call-of={croupier.table}]")).to_have_count(0)
    expect(dealer.page.locator("[data-call-of]")).to_have_count(0)
