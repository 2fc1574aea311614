"""What players and dealers do, by mouse, by touch and by keyboard alone, each from its beginning to its end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

MOST_STOPS = 120
"""More stops of the Tab key than a table has."""


class Hand:
    """Somebody who has one way to do things, and no other."""

    def __init__(self, visitor: Visitor, way: str) -> None:
        self._visitor, self._way = visitor, way

    def press(self, what: Locator, key: str = "") -> None:
        """Press a button, or its key where it has one; without one the Tab key goes there."""
        if self._way == "mouse":
            what.click()
        elif self._way == "touch":
            what.tap()
        elif key:
            for one in key.split():
                self._visitor.page.keyboard.press(one)
        else:
            self._walk_to(what)
            self._visitor.page.keyboard.press("Enter")

    def _walk_to(self, what: Locator) -> None:
        expect(what).to_be_enabled()
        for _ in range(MOST_STOPS):
            if what.evaluate("one => one === document.activeElement"):
                return
            self._visitor.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {what}")


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_a_player_plays_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee = visit("Lee", size=PHONE if way == "touch" else DESKTOP, has_touch=way == "touch").at_table(croupier.table)
    hand, page = Hand(lee, way), lee.page
    undo, clear, double, rebet = (page.locator(".tray .acts button").nth(i) for i in range(4))
    hand.press(page.locator(".seat.free[data-seat='1']"))
    expect(page.locator(".seat.mine[data-seat='1']")).to_be_visible()
    chips = page.locator(".tray .chip[data-chip]")
    place = chips.evaluate_all("all => all.findIndex(one => one.dataset.chip === '10000')")
    hand.press(page.locator("[data-chip='10000']"), str(place + 1))
    hand.press(lee.spot("player"), "p")
    lee.sees_bet("player", 10_000)
    hand.press(lee.spot("tie"), "t")
    lee.sees_bet("tie", 10_000)
    hand.press(undo, "Backspace")
    expect(lee.spot("tie").locator(".mine")).to_have_count(0)
    hand.press(double, "d")
    lee.sees_bet("player", 20_000)
    hand.press(clear, "Delete")
    expect(page.locator(".spot .mine")).to_have_count(0)
    hand.press(undo, "Backspace")
    lee.sees_bet("player", 20_000)
    croupier.deal("KS KH 5D 4C")
    lee.phase("insurance")
    hand.press(page.locator("[data-insure]").first, "i Enter")
    expect(page.locator(".sheet")).to_contain_text("Insured for 100")
    croupier.deal("2S 9S")
    croupier.finish()
    lee.phase("finished")
    croupier.open_bets()
    lee.phase("betting")
    hand.press(rebet, "r")
    lee.sees_bet("player", 20_000)


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_a_player_answers_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """Two antes, a choice after an irregularity, what is asked of a road, a round looked back at, a seat given up."""
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    lee = visit("Lee", size=size, has_touch=has_touch)
    hand, page = Hand(lee, way), lee.page

    croupier = bet_by_lee(floor, "knockout", "ante-player", "ante-banker", "player")
    lee.at_table(croupier.table)
    croupier.deal("KS")
    lee.phase("antes")
    hand.press(page.locator("[data-ante=ante-player] [data-wager]"), "i Enter")
    lee.sees_bet("wager-player", 10_000)
    hand.press(page.locator("[data-ante=ante-banker] [data-give-up]"))
    expect(page.locator("[data-ante]")).to_have_count(0)

    croupier = bet_by_lee(floor, "insurance", "player")
    lee.at_table(croupier.table)
    croupier.deal("KS 9H")
    croupier.give("report", cards=[{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")])
    croupier.give("order-cards", by="Sue", role=Role.PIT_SUPERVISOR, cards=["2C", "5H"])
    hand.press(page.locator("[data-option=continue]"))
    expect(page.locator("[data-notice=case]")).to_have_count(0)
    croupier.deal("8S")
    croupier.finish()
    lee.phase("finished")

    asked = page.locator("[data-ask='banker small']")
    hand.press(asked)
    expect(page.locator("path[data-asked=banker]").first).to_be_attached()
    croupier.open_bets()
    hand.press(page.locator(".seat.leave"))
    expect(page.locator(".seat.mine")).to_have_count(0)
    hand.press(page.locator(f"[data-round='{croupier.table}/1'] a").first)
    expect(page.locator("[data-step=settled]")).to_be_visible()
    hand.press(page.locator(".steer button").first, "ArrowLeft")
    expect(page.locator("[data-step=settled]")).to_have_count(0)
    hand.press(page.locator(".steer button").last, "ArrowRight")
    expect(page.locator("[data-step=settled]")).to_be_visible()


def bet_by_lee(floor: RunningFloor, book: str, *areas: str) -> Croupier:
    """A table where Lee sits in box 1 and has 50 on each of these."""
    croupier = Croupier(floor, book)
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    for area in areas:
        croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=5_000, round=1)
    return croupier


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_dealer_bets_for_a_player_and_reports_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """What is seldom done, from its button to its end: the player agrees to the bet, and the report stops the round."""
    croupier = Croupier(floor, "commission")
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    dealer = visit("Dan", size=size, has_touch=has_touch).at_console(croupier.table)
    lee = visit("Lee", size=size, has_touch=has_touch).at_table(croupier.table)
    hand, page = Hand(dealer, way), dealer.page

    hand.press(page.locator("summary", has_text="Bet for a player"))
    form = page.locator("[data-bet-for]")
    form.locator("[name=area]").select_option("banker")
    hand.press(form.locator("[name=amount]"))
    expect(form.locator("[name=amount]")).to_be_focused()
    page.keyboard.type("150")  # a phone has keys of its own
    hand.press(form.get_by_role("button"))
    Hand(lee, way).press(lee.page.locator("[data-decide=approve]"))
    lee.sees_bet("banker", 15_000)
    expect(page.locator("[data-box='1']")).to_contain_text("Banker 150")

    croupier.deal("KS 9H")
    hand.press(page.get_by_role("button", name="Irregularity"))
    report = page.locator("[data-report]")
    hand.press(report.locator("[data-add]"))
    row = report.locator("[data-row='0']")
    row.get_by_label("Cards", exact=True).select_option("2")
    row.get_by_label("Where it lies").select_option("player")
    hand.press(report.get_by_role("button", name="Report"))
    expect(page.locator("[data-case] [data-sighting='2']")).to_contain_text("with Player")
    expect(lee.page.locator("[data-notice=case]")).to_be_visible()


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_dealer_deals_face_down_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """By keyboard it is in test_console: a squeeze is answered, cards come unseen, are turned, boxes are ticked off."""
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    for box, who, area in ((1, "Lee", "player"), (2, "Kim", "banker")):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area=area, amount=30_000, round=1)
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    dealer = visit("Dan", size=size, has_touch=has_touch).at_console(croupier.table)
    hand, page = Hand(dealer, way), dealer.page

    def give_next(act: str) -> None:
        hand.press(page.locator(f"[data-next={act}][data-ready=true]:enabled"))
        expect(page.locator(f"[data-next={act}]")).to_have_count(0)

    # Keys stand on the buttons where there are keys.
    expect(page.locator("main kbd:visible")).to_have_count(0) if way == "touch" else None
    give_next("close-bets")
    croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="card", hand="player", number=2)
    hand.press(page.locator("[data-act=answer-squeeze][data-effect=true]"))
    expect(page.locator("[data-act=answer-squeeze]")).to_have_count(0)
    for dealt in range(4):
        expect(page.locator(".hands .card")).to_have_count(dealt)
        hand.press(page.locator("[data-key=u]:enabled"))
    for rank, suit in (("8", "S"), ("K", "D"), ("2", "H"), ("5", "C")):
        up = page.locator(".hands .card:not([data-card=down])")
        before = up.count()
        expect(page.locator("[data-next=reveal-card]")).to_be_visible()
        if way == "touch":
            hand.press(page.locator(f"[data-rank-key='{rank}']"))
            hand.press(page.locator(f"[data-suit-key={suit}]"))
        else:
            hand.press(page.locator(f"[data-card-key='{rank}{suit}']"))
        expect(up).to_have_count(before + 1)
    give_next("settle-round")
    for box in (1, 2):
        hand.press(page.locator(f"[data-pay-box='{box}'] label"))
    expect(page.locator(".box.ticked")).to_have_count(2)
    give_next("call-bets")
    # What is seldom done has a button too: a report, a call for the pit, a bet for a player.
    hand.press(page.get_by_role("button", name="Irregularity"))
    expect(page.locator("[data-report]")).to_be_visible()
    hand.press(page.locator("[data-report]").get_by_role("button", name="Cancel"))
    expect(page.locator("[data-report]")).not_to_be_visible()
    hand.press(page.locator("[data-call-pit]"))
    expect(page.locator("dialog[open]")).to_be_visible()
