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

    def press(self, what: Locator, key: str = "", *, focus_only: bool = False) -> None:
        """Press a button, or its key where it has one; without one the Tab key goes there, and Enter presses it."""
        if self._way == "mouse":
            what.click()
        elif self._way == "touch":
            what.tap()
        elif key:
            for one in key.split():
                self._visitor.page.keyboard.press(one)
        else:
            self._walk_to(what)
            if not focus_only:
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


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_the_second_insurance_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """A player insures after five cards; for another one the dealer does it, and that player agrees."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area="player", amount=20_000, round=1)
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    lee = visit("Lee", size=size, has_touch=has_touch).at_table(croupier.table)
    dealer = visit("Dan", size=size, has_touch=has_touch).at_console(croupier.table)
    hand, dealing = Hand(lee, way), Hand(dealer, way)
    croupier.deal("KS KH 5D 5C 4S")  # as many points after four cards, so nobody was offered anything there
    expect(dealer.page.locator("[data-insurance='5']")).to_be_visible()
    lee.phase("insurance")
    expect(lee.page.locator("[data-insure]").first).to_be_enabled()
    hand.press(lee.page.locator("[data-insure]").first, "i Enter")
    expect(lee.page.locator(".sheet")).to_contain_text("Insured for")
    expect(dealer.page.locator("[data-offer=Lee]")).to_contain_text("took")

    dealing.press(dealer.page.locator("[data-offer=Kim] [data-act=take-insurance]"), "i")
    form = dealer.page.locator("[data-form=take-insurance]")
    expect(form.locator("[name=amount]")).to_be_focused()
    dealer.page.keyboard.type("20")  # a phone has keys of its own
    dealing.press(form.get_by_role("button", name="Give"), "Enter")
    expect(dealer.page.locator("[data-notice=approval]")).to_contain_text("Waiting for Kim to agree")
    kim = visit("Kim", size=size, has_touch=has_touch).at_table(croupier.table)
    Hand(kim, way).press(kim.page.locator("[data-decide=approve]"))
    expect(dealer.page.locator("[data-offer=Kim]")).to_contain_text("took 20")
    croupier.deal("9S")
    croupier.finish()
    insured = [line for line in croupier.shown().view["result"]["lines"] if line.get("insures") == "player"]
    assert sorted(line["player"] for line in insured) == ["Kim", "Lee"]


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_a_case_is_decided_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """The order of cards drawn together is set on the page of the case; another report is dismissed, with a reason."""
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    sue = visit("Sue", size=size, has_touch=has_touch)
    hand, page = Hand(sue, way), sue.page
    together = [{"card": card, "lies": "table", "together": True} for card in ("5H", "2C")]

    croupier = bet_by_lee(floor, "insurance", "player")
    croupier.deal("KS 9H")
    croupier.give("report", cards=together)
    sue.open(f"/pit/cases/{croupier.table}")
    expect(page.locator("[data-card-order='3,4']")).to_be_visible()
    hand.press(page.locator("[data-confirm]:enabled"))
    expect(page.locator("[data-record] [data-event=cards-ordered]")).to_contain_text("5 of hearts, 2 of clubs")
    expect(page.locator("[data-awaits=options]")).to_be_visible()

    croupier = bet_by_lee(floor, "insurance", "player")
    croupier.deal("KS 9H")
    croupier.give("report", cards=together)
    sue.open(f"/pit/cases/{croupier.table}")
    remedy = page.locator("[data-remedy=dismiss-report]")
    if way == "keyboard":
        # Of choices that exclude each other one is a stop; the arrow keys go to the others.
        hand.press(page.locator("[name=remedy]:checked"), focus_only=True)
        for _ in range(page.locator("[name=remedy]").count()):
            if remedy.is_checked():
                break
            page.keyboard.press("ArrowDown")
    else:
        hand.press(remedy)
    expect(remedy).to_be_checked()
    hand.press(page.locator("[name=reason]"), focus_only=True)
    page.keyboard.type("a reflection")
    hand.press(page.locator("[data-confirm]:enabled"))
    expect(page.locator("[data-record] [data-event=case-closed]")).to_contain_text("“a reflection”")
    assert croupier.shown().view["case"] is None


@pytest.mark.parametrize("way", ["mouse", "touch", "keyboard"])
def test_a_card_is_corrected_by_one_way_alone(floor: RunningFloor, visit: Visit, way: str) -> None:
    """Of an earlier card, from its button: the key for the last one is in test_cards."""
    croupier = bet_by_lee(floor, "commission", "player")
    croupier.deal("KS 10H 9D")
    size, has_touch = (PHONE, True) if way == "touch" else (DESKTOP, False)
    dealer = visit("Dan", size=size, has_touch=has_touch).at_console(croupier.table)
    hand, page = Hand(dealer, way), dealer.page
    hand.press(page.locator("summary", has_text="Correct a card"))
    hand.press(page.locator("[data-act=correct-card]", has_text="Banker · card 1"))
    form = page.locator("[data-form=correct-card]")
    expect(form.locator("[name=card]")).to_be_focused()
    page.keyboard.type("JH")
    hand.press(form.get_by_role("button", name="Give"))
    expect(page.locator(".hand.banker [data-card=JH]")).to_be_visible()
