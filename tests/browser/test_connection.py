"""Lost and found: offline within two seconds, back in mid-round, a reload, a new log-in, bets too late."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_felt import SIZES
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow


@pytest.mark.gli("2.6.4")
def test_a_lost_connection_in_mid_round(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("banker", 10_000)
    croupier.deal("KS 9H")
    lee.phase("dealing")
    lee.context.set_offline(True)
    expect(lee.page.locator("[data-notice=offline]")).to_be_in_viewport(timeout=2_000)
    expect(lee.spot("player")).to_be_disabled()
    lee.sees_bet("banker", 10_000)
    lee.picture("table-offline")
    croupier.deal("6D 8C")
    croupier.finish()
    croupier.open_bets()
    lee.context.set_offline(False)
    expect(lee.page.locator("[data-notice=back]")).to_contain_text("1 round was played in the meantime")
    lee.phase("betting")
    expect(lee.page.locator("[data-notice=offline]")).to_have_count(0)


def test_what_could_not_be_looked_at_is_forgotten_once_it_can(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    dan = visit("Dan").at_console(croupier.table)
    panel = dan.page.get_by_label("Waiting for you to agree")
    dan.context.set_offline(True)
    expect(dan.page.locator("[data-notice=offline]")).to_be_visible()
    expect(panel).to_contain_text("cannot be reached")
    dan.context.set_offline(False)
    expect(dan.page.locator("[data-link=live]")).to_be_visible()
    croupier.deal("KS")
    expect(panel).to_have_count(0)


def test_a_reload_restores_the_round(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("banker", 10_000)
    croupier.deal("KS 9H 6D")
    lee.phase("dealing")
    lee.page.reload()
    lee.sees_bet("banker", 10_000)
    expect(lee.page.locator(".hands .card")).to_have_count(3)
    expect(lee.page.locator(".seat.mine")).to_have_count(1)


def test_a_session_that_ended_leads_back_to_the_table(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    csrf = lee.context.request.get("/api/v1/sessions/current").json()["csrf"]
    lee.context.request.delete("/api/v1/sessions/current", headers={"X-CSRF-Token": csrf})
    lee.page.reload()
    lee.page.locator("[name=name]").fill("Lee")
    lee.page.locator("[name=password]").fill("wrong")
    lee.page.keyboard.press("Enter")
    expect(lee.page.locator("[role=alert]")).not_to_be_empty()
    lee.page.locator("[name=password]").fill(PASSWORD)
    lee.page.keyboard.press("Enter")
    expect(lee.page.locator("[data-link=live]")).to_be_visible()
    assert lee.page.url.endswith(f"/tables/{croupier.table}")


def test_the_first_chip_is_enough_for_a_bet(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission", minimum=2500)
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    first = int(lee.page.locator("[data-chip]").first.get_attribute("data-chip") or 0)
    assert first >= 2500
    expect(lee.page.locator("[data-call] [lang=zh-Hant]")).to_have_text("請下注")
    lee.bet("player", first)


def test_a_try_after_the_close(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("banker", 10_000)
    before = lee.balance()
    croupier.deal("KS")
    lee.phase("dealing")
    lee.spot("player").click()
    expect(lee.page.locator("[data-notice=refused]")).to_be_in_viewport()
    assert "Not accepted" in lee.said()
    assert lee.balance() == before
    lee.picture("table-refused")
    # What it says lies over no card, no bet and no seat, on any screen.
    found = {}
    for size in SIZES:
        lee.sized(size)
        expect(lee.page.locator("[data-notice=refused]")).to_be_in_viewport(ratio=1)
        if covered := lee.covered():
            found[size] = covered
            lee.picture(f"refused-wrong-{size[0]}")
    assert found == {}


HEARD = """() => {
  window.heard = [];
  const hear = (record) => window.heard.push(...[...record.addedNodes].map((node) => node.textContent).filter(Boolean));
  for (const region of document.querySelectorAll("[data-live]"))
    new MutationObserver((records) => records.forEach(hear)).observe(region, { childList: true, subtree: true });
}"""


def test_the_same_refusal_and_the_same_close_are_heard_again_and_cards_and_bets_too(
    floor: RunningFloor, visit: Visit
) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.page.evaluate(HEARD)
    lee.bet("banker", 10_000)
    croupier.deal("KS")
    lee.phase("dealing")
    for count in (1, 2):
        lee.spot("player").click()
        lee.page.wait_for_function(f"() => heard.filter((text) => text.startsWith('Not accepted')).length === {count}")
    croupier.deal("9H 6D 8C")
    croupier.finish()
    croupier.open_bets()
    lee.phase("betting")
    croupier.give("close-bets")
    lee.phase("dealing")
    lee.page.wait_for_function("() => heard.filter((text) => text === 'No more bets').length === 2")
    heard = lee.page.evaluate("heard")
    assert sum("Banker: 100 accepted" in text for text in heard) == 1
    for card in ("Player: king of spades", "Banker: 9 of hearts", "Player: 6 of diamonds", "Banker: 8 of clubs"):
        assert sum(card in text for text in heard) == 1, "\n".join([card, *heard])
