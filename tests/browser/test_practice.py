"""What a floor owes its players on every page: play money marked, bots marked, stops said, what was decided for them,
disputes and their answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.dealer.bot import BOTS
from punto.floor.house_rules import change_rules
from punto.rules.authority import Role
from punto.table.terms import Drawing
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import check
from tests.browser.visitor import LANGUAGES, PHONE
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


@pytest.mark.gli("4.9.1")
def test_play_money_is_marked_wherever_money_is(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    real = visit("Lee").at_table(croupier.table)
    expect(real.page.locator("[data-balance]")).to_be_visible()
    assert real.page.locator("[data-play-money]").count() == 0, "by default a house is not for play money"
    change_rules(floor.store, {"money": "play"}, "Ada", 0)
    for size in ((1440, 900), PHONE):
        lee = visit("Lee", size=size).at_table(croupier.table)
        expect(lee.page.locator("[data-play-money]").first).to_be_in_viewport()
        lee.picture(f"play-money-table-{size[0]}")
        for path in ("/", "/account"):
            lee.open(path)
            expect(lee.page.locator("[data-play-money]").first).to_be_in_viewport()
            lee.picture(f"play-money-{path.strip('/') or 'lobby'}-{size[0]}")
        dealer = visit("Dan", size=size).at_console(croupier.table)
        expect(dealer.page.locator("[data-play-money]")).to_be_in_viewport()
        assert dealer.page.evaluate("document.documentElement.scrollWidth") == size[0]
        dealer.picture(f"play-money-console-{size[0]}")


MARKED = """marks => marks.map(mark => {
  const [seen, name] = [mark.getBoundingClientRect(), mark.parentElement.getBoundingClientRect()];
  const isWhole = seen.right <= name.right + 1 && mark.scrollWidth <= mark.clientWidth + 1;
  return seen.width >= 12 && seen.height >= 12 && isWhole;
})"""
"""Whether each mark of a bot is seen whole."""


@pytest.mark.gli("A.7.1")
def test_a_bot_is_marked_as_one(floor: RunningFloor, visit: Visit) -> None:
    bot = next(iter(BOTS))
    table = floor.new_table("commission")
    body = {"dealer": "automatic", "bots": [bot], "pace": dict.fromkeys(PACE, 600_000)}
    answer = floor.client("Rob").http.put(f"/tables/{table}/running", json=body)
    assert answer.status_code == 200, answer.text
    lee = visit("Lee").at_table(table)
    expect(lee.page.locator(".seat", has_text=bot).locator("[data-bot]")).to_have_text("bot")
    lee.sit(5)
    assert lee.page.locator(".seat.mine [data-bot]").count() == 0
    lee.picture("table-bot")
    for width, height in ((1440, 900), (390, 844), (320, 568)):
        lee.sized((width, height))
        assert lee.page.locator("[data-bot]").evaluate_all(MARKED) == [True], width
        if width == 1440:
            name = lee.page.locator(".seat:has([data-bot]) .name")
            hidden = name.evaluate("one => one.scrollWidth - one.clientWidth")
            assert hidden <= 0, "its name is whole too, beside nine boxes and the way out"
    floor.client("Rob").http.put(f"/tables/{table}/running", json={"dealer": "person"})


PACE = ("bets", "antes", "insurance", "squeeze", "cards", "rounds")


@pytest.mark.gli("2.4.1")
def test_a_stop_is_said_on_the_table_and_in_the_lobby(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "ez")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    assert floor.client("Rob").http.post("/house/stop", json={"book": "ez", "reason": "drill"}).status_code == 200
    try:
        expect(lee.page.locator("[data-notice=stopped]")).to_contain_text("stopped")
        assert lee.covered() == [] and lee.faults() == []
        lee.picture("table-stopped")
        lee.open("/")
        expect(lee.page.locator(f"li:has(h2:text-is('{croupier.table}')) .pill")).to_have_text("Stopped")
        lee.at_table(croupier.table)
    finally:
        floor.client("Rob").http.post("/house/start", json={"book": "ez", "reason": "over"})
    expect(lee.page.locator("[data-notice=stopped]")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.gli("4.16")
@pytest.mark.gli("A.4.4")
def test_decided_for_a_player_disputed_and_answered(floor: RunningFloor, visit: Visit, language: str) -> None:
    croupier = Croupier(floor, "ez", drawing=Drawing.PLAYERS)
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="banker", amount=10_000, round=1)
    croupier.give("take-draw")
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    lee = visit("Lee", language=language).at_table(croupier.table)
    round = f"{croupier.table}/1"
    row = lee.page.locator(f"[data-round='{round}']")
    expect(row.locator("[data-decided]")).to_be_visible()
    row.locator("[data-dispute]").focus()
    lee.page.keyboard.press("Enter")
    lee.page.locator("dialog[open] textarea").fill("I wanted to draw")
    check(lee, "dispute", (language,))
    lee.page.keyboard.press("Tab")
    lee.page.keyboard.press("Enter")
    expect(row.locator("[data-disputed=waits]")).to_be_visible()
    check(lee, "disputed", (language,))
    mia = visit("Mia", language=language).open("/")
    panel = mia.page.locator(f"[data-dispute-of='{round}']")
    expect(panel).to_contain_text("I wanted to draw")
    panel.locator("[name=answer]").fill("the clock was over")
    check(mia, "lobby-dispute", (language,))
    mia.page.keyboard.press("Enter")
    expect(panel).to_have_count(0)
    expect(row.locator("[data-disputed=answered]")).to_contain_text("the clock was over")
    lee.sized(PHONE)
    lee.open("/account")
    mine = lee.page.locator(f"[data-round='{round}']")
    expect(mine.locator("[data-disputed=answered]")).to_contain_text("the clock was over")
    mine.scroll_into_view_if_needed()
    check(lee, "account-rounds-phone", (language,))
    assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_whoever_has_no_chips_left_is_told_where_they_are_sold(floor: RunningFloor, visit: Visit) -> None:
    kim = visit("Kim").open("/")
    sum_shown = kim.page.locator("[data-balance]")
    expect(sum_shown).to_be_visible()
    all_of_it = int(sum_shown.get_attribute("data-balance") or 0)
    assert all_of_it > 0 and kim.page.locator("[data-broke]").count() == 0
    floor.client("Cas").cash_out("Kim", all_of_it)
    try:
        expect(kim.page.locator("[data-broke]")).to_contain_text("cashier")
        check(kim, "lobby-broke")
        croupier = Croupier(floor, "commission")
        croupier.open_bets()
        kim.at_table(croupier.table).sit(1)
        kim.page.locator("[data-chip='10000']").click()
        kim.spot("banker").click()
        expect(kim.page.locator("[data-notice=refused]")).to_contain_text("100")
        kim.picture("table-no-chips")
    finally:
        floor.client("Cas").buy_in("Kim", all_of_it)
    kim.open("/")
    expect(sum_shown).to_have_attribute("data-balance", str(all_of_it))
    assert kim.page.locator("[data-broke]").count() == 0
