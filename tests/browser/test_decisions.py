"""What players decide in the middle of a round: antes, both insurance windows, and what needs another bet."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import PHONE
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


def test_the_ante_is_decided_both_ways(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "knockout")
    croupier.open_bets()
    lee, kim = visit("Lee").at_table(croupier.table), visit("Kim", size=PHONE).at_table(croupier.table)
    lee.sit(1)
    kim.sit(2)
    lee.bet("ante-player", 10_000)
    kim.bet("ante-banker", 5_000)
    croupier.deal("KS")
    lee.phase("antes")
    lee.picture("antes")
    kim.picture("antes-phone")
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.locator("[data-box='2'] .flag")).to_contain_text("Kim: ante to decide")
    expect(lee.page.locator("[data-wager]")).to_have_attribute("data-wager", "20000")
    expect(lee.page.locator("[data-wager]")).to_have_text("Wager 2× = 200")
    expect(kim.page.locator("[data-give-up]")).to_contain_text("50")
    lee.page.locator("[data-wager]").click()
    lee.sees_bet("wager-player", 20_000)
    kim.page.locator("[data-give-up]").click()
    expect(kim.page.locator("[data-give-up]")).to_have_count(0)
    bets = [bet for seat in croupier.shown().view["seats"] for bet in seat["bets"]]
    found = {(bet["player"], bet["area"]): (bet["stake"], bet["status"]) for bet in bets}
    assert found[("Lee", "wager-player")][0] == 20_000
    assert found[("Kim", "ante-banker")] == (5_000, "given-up")
    croupier.deal("9H 9D 8C")
    croupier.finish()
    expect(lee.page.locator("[data-balance]")).to_be_visible()


def test_a_bet_that_needs_another_goes_with_it(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "knockout")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    before = lee.balance()
    lee.page.locator("[data-chip='10000']").click()
    lee.spot("winning-total-7").click()
    expect(lee.page.locator("[data-notice=refused]")).to_be_in_viewport()
    assert "Not accepted" in lee.said()
    assert lee.balance() == before
    lee.bet("player", 10_000)
    lee.bet("winning-total-7", 10_000)
    croupier.give("withdraw-bet", by="Lee", role=Role.PLAYER, box=1, area="player", round=1)
    expect(lee.page.locator("[data-notice=told]")).to_be_in_viewport()
    expect(lee.spot("winning-total-7").locator(".mine b")).to_have_count(0)
    assert lee.balance() == before


@pytest.mark.parametrize("size", [(1440, 900), PHONE])
def test_both_insurance_windows(floor: RunningFloor, visit: Visit, size: tuple[int, int]) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee = visit("Lee", size=size).at_table(croupier.table)
    kim = visit("Kim").at_table(croupier.table)
    lee.sit(1)
    kim.sit(2)
    lee.bet("player", 50_000)
    kim.bet("tie", 10_000)
    croupier.deal("KS KH 5D 4C")
    lee.phase("insurance")
    kim.phase("insurance")
    expect(kim.page.locator(".sheet")).to_have_count(0)  # nothing is asked of Kim
    expect(kim.page.locator("[data-call] [data-insurance-odds=player]")).to_have_text("Player 2 : 1")
    expect(lee.page.locator("[data-insure]").first).to_have_attribute("data-insure", "25000")
    stakes = lee.page.locator("[data-insure]").evaluate_all("all => all.map(one => +one.dataset.insure)")
    assert stakes == [25_000, 12_500, 10_000, 5_000]
    expect(lee.page.locator(".sheet")).to_contain_text("2 : 1")
    expect(lee.page.locator(".sheet")).to_contain_text("3.12.2")
    shown = lee.page.locator("[data-ends=player] [data-end]")
    ends = shown.evaluate_all("all => all.map(one => [one.dataset.end, one.dataset.result])")
    assert ends == [["loses", "win"], ["ties", "push"], ["wins", "lose"]]
    expect(shown.nth(1)).to_contain_text("On a tie, the stake is returned")
    lee.picture(f"insurance-first-{size[0]}")
    # It never lies over what is at stake, nor over what is free; chips of the tray are of no use now.
    sheet = lee.page.locator(".sheet").bounding_box()
    assert sheet is not None
    for place in (lee.spot("player").locator(".mine"), lee.page.locator("[data-worth]")):
        box = place.bounding_box()
        assert box is not None
        assert (
            sheet["x"] >= box["x"] + box["width"]
            or sheet["y"] + sheet["height"] <= box["y"]
            or sheet["y"] >= box["y"] + box["height"]
        )
    stake = lee.page.locator(".sheet input")
    stake.fill("251")
    stake.press("Enter")
    refused = lee.page.locator("[data-notice=refused]")
    expect(refused).to_be_in_viewport()
    notice, sheet = refused.bounding_box(), lee.page.locator(".sheet").bounding_box()
    assert notice is not None and sheet is not None
    assert notice["y"] + notice["height"] <= sheet["y"] or notice["x"] + notice["width"] <= sheet["x"]
    assert stake.input_value() == "251"
    stake.fill("100")
    stake.press("Enter")
    expect(lee.page.locator(".sheet")).to_contain_text("Insured for 100")
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.locator("[data-offer=Lee]")).to_contain_text("took 100")
    dealer.picture("console-insurance")
    croupier.deal("2S")
    expect(lee.page.locator("[data-area=player] [data-insured='10000']")).to_be_visible()
    expect(lee.page.locator("[data-seat='1'] [data-seat-insured='10000']")).to_be_visible()
    expect(lee.page.locator("[data-notice=refused]")).to_have_count(0)
    # 200 of the 500 are covered by the first window, at 4 : 1 there is room for 75 more (insurance 3.12.2).
    expect(lee.page.locator("[data-insure]").first).to_have_attribute("data-insure", "7500")
    lee.picture(f"insurance-second-{size[0]}")
    lee.page.locator("[data-decline]").click()
    expect(lee.page.locator("[data-insure]")).to_have_count(0)
    croupier.deal("9S")
    croupier.finish()
    late = floor.client("Lee").give(
        croupier.table, {"type": "take-insurance", "box": 1, "hand": "player", "amount": 1000, "window": 5}
    )
    assert getattr(late, "status", 200) == 409
    lee.phase("finished")
    # Player 7 beats Banker 3: the bet wins 500 and its insurance is lost, on the spot and in the seat.
    expect(lee.spot("player").locator("[data-spot-net='50000']")).to_be_visible()
    expect(lee.spot("player").locator("[data-insured]")).to_contain_text("−100")
    expect(lee.page.locator("[data-seat='1'] [data-seat-net='40000']")).to_have_text("+400")
    expect(kim.page.locator("[data-seat='2'] [data-seat-net='-10000']")).to_have_text("−100")
    # And in the history: among the viewer's own rounds, which lead to the page of the round.
    row = lee.page.locator(f"[data-round='{croupier.table}/1']")
    expect(row).to_contain_text("Insurance")
    expect(row.locator(".muted.bets")).to_contain_text("100")
    row.locator("a").first.click()
    expect(lee.page.locator("main")).to_contain_text("Insurance")
    assert lee.page.url.endswith(f"/tables/{croupier.table}/rounds/1")


def test_insurance_on_a_nine_pays_on_the_tie(floor: RunningFloor, visit: Visit) -> None:
    """By insurance 4.2.1: the offer says so before it is taken, and the tie is paid on the spot and in the seat."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("player", 50_000)
    before = lee.balance()
    croupier.deal("2S 6H 2D 5H 5D")
    lee.phase("insurance")
    tie = lee.page.locator("[data-ends=player] [data-end=ties]")
    expect(tie).to_have_attribute("data-result", "win")
    expect(tie).to_contain_text("On a tie, it pays 8 : 1")
    expect(tie).to_contain_text("4.2.1")
    stake = lee.page.locator(".sheet input")
    stake.fill("20")
    stake.press("Enter")
    expect(lee.page.locator(".sheet")).to_contain_text("Insured for 20")
    croupier.deal("8H")
    croupier.finish()
    lee.phase("finished")
    assert croupier.shown().view["result"]["winner"] == "tie"
    # The bet comes back, and its insurance is paid 8 to 1.
    expect(lee.spot("player").locator("[data-spot-net='0']")).to_be_visible()
    expect(lee.spot("player").locator("[data-insured]")).to_contain_text("+160")
    expect(lee.page.locator("[data-seat='1'] [data-seat-net='16000']")).to_have_text("+160")
    expect(lee.page.locator(f"[data-worth='{before + 50_000 + 16_000}']")).to_be_attached()


def test_no_second_offer_where_banker_stands(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee, dealer = visit("Lee").at_table(croupier.table), visit("Dan", size=PHONE).at_console(croupier.table)
    lee.sit(1)
    lee.bet("player", 50_000)
    croupier.deal("KS KH 2D 7C")
    lee.phase("insurance")
    expect(lee.page.locator("[data-no-offer]")).to_have_count(0)
    croupier.deal("3S")
    for visitor in (lee, dealer):
        line = visitor.page.locator("[data-no-offer=banker-stands]")
        expect(line).to_have_text("Banker stands: no second insurance (clause 3.12.1)")
    assert dealer.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]  # with a third card
    expect(lee.page.locator("[data-no-offer]")).to_be_in_viewport()
    expect(lee.page.locator("[data-live=polite]")).to_contain_text("no second insurance")
    lee.picture("insurance-banker-stands")
    croupier.finish()
    croupier.open_bets()
    expect(lee.page.locator("[data-no-offer]")).to_have_count(0)
    # Where insurance is open on a hand that nobody has bet on, the console says so, and waits for nobody.
    lee.bet("banker", 10_000)
    croupier.deal("KC KD 5H 4S")
    expect(dealer.page.locator("[data-nobody]")).to_be_visible()
    expect(dealer.page.locator("[data-offer]")).to_have_count(0)


def test_consent_waives_the_second_window(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("player", 50_000)
    croupier.deal("KS KH 2D AC")
    while croupier.next()["type"] == "reveal-card":
        croupier.give(**croupier.next())
    croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="banker-third-shown")
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.get_by_text("nobody is offered the second insurance")).to_be_visible()
    # The same words never stand on two buttons: each names its card.
    for visitor in (lee, dealer):
        names = visitor.page.locator("main button:visible, .sheet button:visible").evaluate_all(
            "all => all.map((one) => one.ariaLabel ?? one.innerText.trim())"
        )
        squeezes = [name for name in names if "clause 3.14" in name or "queeze" in name]
        assert squeezes and sorted(set(squeezes)) == sorted(squeezes)
    dealer.page.locator("[data-act=answer-squeeze][data-effect=true]").click()
    expect(lee.page.locator("[data-waived]")).to_contain_text("3.14")
    expect(dealer.page.locator("[data-waived]")).to_contain_text("3.14")
    dealer.picture("console-waived")
