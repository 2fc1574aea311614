"""The dealer's console: physical cards by keyboard alone, irregularities, and the pit beside the dealer."""

from __future__ import annotations

import re
from io import BytesIO

import httpx
import pytest
from PIL import Image
from playwright.sync_api import Locator, WebSocketRoute, expect

from punto.rules.authority import Role
from punto.table.terms import Faces, Offering
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_felt import RUNS_TOGETHER, SIZES, WATCH_SHIFTS
from tests.browser.test_languages import speaks
from tests.browser.visitor import PHONE, Visitor, sized
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow


def is_next(dealer: Visitor, act: str) -> None:
    expect(dealer.page.locator(f"[data-next={act}]")).to_be_visible()


def press_next(dealer: Visitor, act: str) -> None:
    is_next(dealer, act)
    # The act before it has been answered, and there was time to see what it did.
    expect(dealer.page.locator(f"[data-next={act}][data-ready=true]")).to_be_enabled()
    dealer.page.keyboard.press("Space")
    expect(dealer.page.locator(f"[data-next={act}]")).to_have_count(0)


def type_cards(dealer: Visitor, cards: str) -> None:
    for card in cards.split():
        is_next(dealer, "deal-card")
        before = dealer.page.locator(".hands .card").count()
        dealer.page.keyboard.type(card)
        expect(dealer.page.locator(".hands .card")).to_have_count(before + 1)


def test_a_bet_that_waits_for_a_word_ends_with_the_betting(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=10_000, round=1)
    dealer, player = visit("Dan").at_console(croupier.table), visit("Lee").at_table(croupier.table)
    dealer.page.get_by_text("Bet for a player").click()
    form = dealer.page.locator("[data-bet-for]")
    form.locator("[name=area]").select_option("banker")
    form.locator("[name=amount]").fill("150")
    form.locator("[name=amount]").press("Enter")
    expect(player.page.locator("[data-approval]")).to_contain_text("Dan")
    press_next(dealer, "close-bets")
    expect(player.page.locator("[data-approval]")).to_have_count(0)
    expect(dealer.page.locator("[data-notice=approval]")).to_have_attribute("data-decision", "expired")
    expect(dealer.page.locator("[data-waits-for]")).to_have_count(0)


def sign_in(dealer: Visitor, name: str) -> None:
    dealer.page.locator("[name=pit-name]").fill(name)
    dealer.page.locator("[name=pit-password]").fill(PASSWORD)
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.locator(f"[data-pit={name}]")).to_be_visible()


def seated(croupier: Croupier, area: str = "player", amount: int = 10_000) -> None:
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area=area, amount=amount, round=1)


@pytest.mark.gli("WCAG 2.1.1")
def test_a_dealer_runs_a_table_by_keyboard(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    dealer = visit("Dan").at_console(croupier.table)
    assert dealer.page.locator("main .hands .hand").first.get_attribute("class") is not None
    left, right = dealer.page.locator(".hand.banker"), dealer.page.locator(".hand.player")
    assert left.bounding_box()["x"] < right.bounding_box()["x"]  # type: ignore[index]
    press_next(dealer, "load-shoe")
    press_next(dealer, "call-bets")
    player = visit("Lee").at_table(croupier.table)
    player.sit(1)
    player.bet("player", 10_000)
    expect(dealer.page.locator("[data-box='1']")).to_contain_text("Player 100")
    press_next(dealer, "close-bets")
    dealer.page.keyboard.type("9x")
    expect(dealer.page.locator("[data-entry='9x']")).to_contain_text("not a card")
    dealer.page.keyboard.press("Backspace")
    type_cards(dealer, "2h ks 3D 6c")
    is_next(dealer, "deal-card")
    expect(dealer.page.locator("[data-next=deal-card]")).to_have_attribute("data-hand", "player")
    type_cards(dealer, "10s")
    expect(player.page.locator(".hand.player .card.crosswise")).to_have_attribute("data-card", "10S")
    expect(dealer.page.locator("[data-queue=due] [data-pay=Lee]")).to_contain_text("takes 100")
    expect(player.page.locator("[data-net]")).to_have_count(0)
    dealer.picture("console-settling")
    press_next(dealer, "settle-round")
    expect(dealer.page.locator("[data-queue=paid] [data-pay=Lee]")).to_contain_text("takes 100")
    dealer.picture("console-paying")
    is_next(dealer, "call-bets")
    assert croupier.shown().view["result"]["winner"] == "banker"


def test_a_bet_for_a_player_and_a_refusal_in_view(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", differential=100_000)
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.locator("[data-act=take-seat]")).to_have_count(1)
    dealer.page.locator("[data-act=take-seat]").click()
    seat = dealer.page.locator("[data-form=take-seat]")
    seat.locator("[name=box]").select_option("3")
    seat.locator("[name=player]").fill("Kim")
    seat.locator("[name=player]").press("Enter")
    expect(dealer.page.locator("[data-box='3']")).to_contain_text("Kim")
    dealer.page.get_by_text("Bet for a player").click()
    form = dealer.page.locator("[data-bet-for]")
    offered = form.locator("[name=where] option")
    for at, who in enumerate(("Box 1 · Lee", "Box 3 · Kim")):  # whoever sits there, before bets behind others
        expect(offered.nth(at)).to_have_text(who)
    form.locator("[name=area]").select_option("banker")
    player = visit("Lee").at_table(croupier.table)
    form.locator("[name=amount]").fill("150")
    form.locator("[name=amount]").press("Enter")
    expect(dealer.page.locator("[data-notice=approval]")).to_be_visible()
    # It waits for the player's word in its box, and does not lie there.
    expect(dealer.page.locator("[data-box='1'] [data-waits-for=Lee]")).to_have_text("Banker 150 waits for Lee")
    expect(dealer.page.locator("[data-sum=banker]")).to_have_text("0")
    player.page.locator("[data-decide=approve]").click()
    expect(dealer.page.locator("[data-waits-for]")).to_have_count(0)
    expect(dealer.page.locator("[data-box='1']")).to_contain_text("Banker 150")
    bet = [e.event for e in croupier.floor.client("Dan").events(croupier.table).events][-1]  # type: ignore[union-attr]
    assert (bet["player"], bet["by"], bet["amount"]) == ("Lee", "Dan", 15_000)
    form.locator("[name=amount]").fill("10.01")
    expect(form.get_by_role("button")).to_be_enabled()
    form.locator("[name=amount]").press("Enter")
    refused = dealer.page.locator("[data-notice=refused]")
    expect(refused).to_be_in_viewport()
    assert "Not accepted" in dealer.said()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_report_the_finding_and_the_pit_beside_the_dealer(
    floor: RunningFloor, visit: Visit, size: tuple[int, int]
) -> None:
    croupier = Croupier(floor, "insurance")
    seated(croupier)
    croupier.deal("KS 9H")
    dealer = visit("Dan", size=size).at_console(croupier.table)
    player = visit("Lee").at_table(croupier.table)
    dealer.page.keyboard.press("F8")
    report = dealer.page.locator("[data-report]")
    expect(report).to_be_visible()
    report.locator("[data-add]").click()
    report.locator("[data-row='0'] input.short").fill("3x")
    report.get_by_role("button", name="Report").click()
    expect(report.locator("[role=alert]")).to_contain_text("“3x” is not a card")
    report.locator("[data-row='0'] .remove").click()
    report.get_by_label("Too many or too few cards").check()
    report.locator("textarea").fill("one deck was short")
    dealer.picture(f"console-report-{size[0]}")
    report.get_by_role("button", name="Report").click()
    case = dealer.page.locator("[data-case]")
    expect(case).to_contain_text("one deck was short")
    expect(case.locator("[data-finding=wrong-set]")).to_contain_text("clause")
    expect(case.locator("[data-decider=pit-supervisor]")).to_be_visible()
    expect(case.locator("[data-act=void-round]")).to_have_count(0)
    expect(player.page.locator("[data-notice=case]")).to_be_in_viewport()
    dealer.picture(f"console-case-{size[0]}")
    case.get_by_role("button", name="Sign in for one act").click()
    sign_in(dealer, "Sue")
    pit = dealer.page.locator("dialog[open]")
    pit.locator("[data-act=void-round]").click()
    expect(pit.get_by_role("button", name="Yes, do it")).to_be_disabled()
    pit.get_by_label("Reason").fill("counted twice")
    dealer.picture(f"console-pit-{size[0]}")
    pit.get_by_role("button", name="Yes, do it").click()
    expect(pit.locator("[data-pit-done]")).to_be_visible()
    dealer.page.keyboard.press("Escape")
    expect(player.page.locator("[data-notice=void]")).to_contain_text("clause 5.5.2")
    for visitor in (player, dealer):
        expect(visitor.page.locator(".card.void")).to_have_count(2)
    expect(dealer.page.locator("[data-notice=void]")).to_contain_text("clause 5.5.2")
    dealer.picture(f"console-void-{size[0]}")
    player.picture("table-void")
    # A void round is one of the player's own too, and leads to its page.
    mine = player.page.locator(f"[data-round='{croupier.table}/1']")
    expect(mine).to_contain_text("Void")
    expect(mine.locator("a").first).to_have_attribute("href", f"/tables/{croupier.table}/rounds/1")
    who = [e.event for e in croupier.floor.client("Dan").events(croupier.table).events]  # type: ignore[union-attr]
    assert [event["by"] for event in who if event["type"] == "round-voided"] == ["Sue"]
    assert dealer.context.request.get("/api/v1/sessions/current").json()["account"] == "Dan"


def test_a_supervisor_sets_the_order_and_a_dealer_cannot(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    seated(croupier)
    croupier.deal("KS 9H")
    dealer = visit("Dan").at_console(croupier.table)
    dealer.page.keyboard.press("F8")
    report = dealer.page.locator("[data-report]")
    for number, card in enumerate(("5h", "2c")):
        report.locator("[data-add]").click()
        row = report.locator(f"[data-row='{number}']")
        row.get_by_label("Card from the shoe").fill(card)
        expect(row.locator("option[value=floor]")).to_have_count(1)
        expect(row.locator("option[value=shoe]")).to_have_count(0)  # it left it, or is still to come
        row.get_by_label("drawn with others at once").check()
    report.get_by_role("button", name="Report").click()
    case = dealer.page.locator("[data-case]")
    expect(case.locator("[data-finding=drawn-together]")).to_be_visible()
    expect(case.locator("[data-act=order-cards]")).to_have_count(0)
    supervisor = visit("Sue").at_console(croupier.table)
    shown = supervisor.page.locator("[data-case]")
    expect(shown).to_be_visible()
    shown.locator("[data-act=order-cards]").first.click()
    shown.locator("[data-form=order-cards] input").fill("2c 5h")
    shown.get_by_role("button", name="Yes, do it").click()
    expect(case.locator("[data-awaits=options]")).to_be_visible()
    # The felt of the case has the cards as they now come, and says so.
    felt = case.locator("[data-felt=after]")
    expect(felt.locator("figcaption")).to_have_text("In the order set")
    for hand, number, name in (("player", 3, "2 of clubs"), ("banker", 4, "5 of hearts")):
        expect(felt.locator(f"[data-place={hand}] [data-lies='{number}'].marked")).to_be_visible()
        expect(felt.locator(f"[data-lies='{number}']").get_by_label(name)).to_be_attached()
    expect(felt.locator("[data-place=table]")).to_have_count(0)
    player = visit("Lee").at_table(croupier.table)
    expect(player.page.locator("[data-option=continue]")).to_have_count(1)
    expect(player.page.locator("[data-option]")).to_have_count(2)
    player.picture("table-options")
    player.page.locator("[data-option=continue]").click()
    expect(case).to_have_count(0)
    hands = croupier.shown().view["hands"]
    assert [card["card"] for card in hands["player"]["cards"]] == ["KS", "2C"]


def test_voids_and_rulings_have_no_key(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    seated(croupier)
    croupier.deal("KS 9H")
    croupier.give("report", seen=["wrong-set"])
    supervisor = visit("Sue").at_console(croupier.table)
    expect(supervisor.page.locator("[data-act=void-round]")).to_be_visible()
    version = croupier.shown().version
    for key in ("Space", "Enter", "v", "V", "Delete", "F8", "Escape", "y"):
        supervisor.page.keyboard.press(key)
    supervisor.page.locator("[data-act=void-round]").click()
    expect(supervisor.page.locator("[data-form=void-round]")).to_be_visible()
    assert croupier.shown().version == version


def test_insurance_that_was_not_offered_is_refunded_by_a_manager_only(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", offering=Offering.DEALER)
    seated(croupier)
    croupier.deal("KS KH 6D 5C")
    player = visit("Lee").at_table(croupier.table)
    player.page.get_by_role("button", name="Ask for insurance").click()
    dealer = visit("Dan").at_console(croupier.table)
    is_next(dealer, "offer-insurance")
    expect(dealer.page.locator("[data-box='1']")).to_contain_text("wants insurance")
    croupier.give("deal-card", card="4S")
    dealer.page.keyboard.press("F8")
    dealer.page.get_by_label("Insurance was not offered").check()
    dealer.page.get_by_role("button", name="Report").click()
    case = dealer.page.locator("main [data-case]")
    expect(case.locator("[data-decider=pit-manager]")).to_be_visible()
    case.get_by_role("button", name="Sign in for one act").click()
    pit = dealer.page.locator("dialog[open]")
    sign_in(dealer, "Sue")
    expect(pit.locator("[data-act=dismiss-report]")).to_be_visible()
    expect(pit.locator("[data-act=return-bets]")).to_have_count(0)
    pit.get_by_role("button", name="Sign out without an act").click()
    sign_in(dealer, "Mia")
    pit.locator("[data-act=return-bets]").click()
    pit.get_by_role("button", name="Yes, do it").click()
    expect(pit.locator("[data-pit-done]")).to_be_visible()
    expect(case).to_have_count(0)
    expect(player.page.locator("[data-here='0']")).to_be_visible()


def test_an_act_on_a_table_that_has_moved_on_is_refused_in_view(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    dealer = visit("Dan")
    deaf: list[bool] = []

    def between(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda text: None if deaf and b'"answer"' not in _bytes(text) else socket.send(text))

    dealer.page.route_web_socket(re.compile("/stream$"), between)
    dealer.at_console(croupier.table)
    is_next(dealer, "close-bets")
    deaf.append(True)
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    dealer.page.keyboard.press("Space")
    expect(dealer.page.locator("[data-notice=refused]")).to_contain_text("The table changed just now")
    expect(dealer.page.locator("[data-notice=refused]")).to_be_in_viewport()
    assert croupier.shown().view["phase"] == "betting"
    dealer.page.reload()
    deaf.clear()
    press_next(dealer, "close-bets")


def test_a_case_shows_every_sighting_before_and_after_and_why(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    seated(croupier)
    croupier.deal("KS 9H")
    croupier.give("report", cards=[{"nth": 2, "lies": "player"}])
    for who in ("Dan", "Sue"):
        visitor = visit(who).at_console(croupier.table)
        case = visitor.page.locator("[data-case]")
        expect(case).to_be_visible()
        expect(visitor.page.locator("[data-feed]")).to_have_count(0)  # nobody names a card now
        # What was seen is added to and taken back where it stands; the last step has what decides.
        first = case.locator("ol > li:first-child")
        expect(first.locator("[data-add-evidence]")).to_have_count(1)
        expect(first.locator("[data-act=withdraw-evidence]")).to_have_count(1 if who == "Sue" else 0)
        expect(case.locator("ol > li:last-child [data-act=withdraw-evidence]")).to_have_count(0)
        expect(visitor.page.locator("[data-cards]")).to_have_count(0)  # no card is due: the case has the room
        expect(case.locator("[data-sighting='2']")).to_contain_text("9 of hearts, with Player")
        expect(case.locator("[data-sighting='2']")).to_contain_text("on record: with Banker")
        expect(case.locator("[data-felt=before] [data-place=banker] [data-lies='2']")).to_be_visible()
        expect(case.locator("[data-felt=after] [data-place=player] [data-lies='2']")).to_be_visible()
        expect(case.locator("[data-ground]").first).to_contain_text("Card 2")
        # Who decides, and the way there, is in view however much was seen, and a case is read where there is room.
        for size in SIZES:
            visitor.sized(size)
            for part in ("[data-decider]", ":is(button.main, .acts button)"):
                expect(case.locator(f"ol > li:last-child {part}").first).to_be_in_viewport(ratio=1)
            room, width = case.bounding_box(), visitor.page.locator("main").bounding_box()
            assert room is not None and width is not None
            assert room["width"] >= min(340, 0.9 * width["width"]), (size, room)
            below = visitor.page.locator(".tools").bounding_box()
            assert below is not None
            if below["y"] > room["y"]:  # one column: nothing empty comes between
                assert below["y"] - room["y"] - room["height"] < 140, (size, room, below)
        assert visitor.faults() == []


def test_what_else_is_allowed_stands_under_headings(floor: RunningFloor, visit: Visit) -> None:
    """Who sits and bets comes first, and the table itself last, in every language."""
    croupier = Croupier(floor, "commission")
    seated(croupier)
    visitor = visit("Sue").at_console(croupier.table)
    headings = visitor.page.locator("[data-shelf] h3")
    for act in ("take-seat", "walk-away"):
        expect(visitor.page.locator(f"[data-shelf=players] [data-act={act}]").first).to_be_attached()
    croupier.give("close-bets")
    expect(visitor.page.locator("[data-shelf=round] [data-act=reopen-bets]")).to_be_attached()
    for language, words in (
        ("en", ["Bets and players", "Round"]),
        ("zh-Hans", ["注码与玩家", "牌局"]),
        ("zh-Hant", ["注碼與玩家", "牌局"]),
    ):
        speaks(visitor, language)
        expect(headings).to_have_text(words)
    speaks(visitor, "en")
    croupier.deal("KS 9H 6D 8C")
    croupier.finish()
    expect(visitor.page.locator("[data-shelf=table] [data-act=pause-table]")).to_be_attached()
    expect(headings.last).to_have_text("Shoe and table")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_pay_queue_on_a_phone_says_that_there_is_more(floor: RunningFloor, visit: Visit, theme: str) -> None:
    """A shade at the edge behind which there are more boxes; none where the list ends."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim", "Max"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
        for area in ("player", "tie", "player-pair", "banker-pair"):
            croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area=area, amount=10_000, round=1)
    croupier.deal("KS 9H 6D 8C")
    dealer = visit("Dan", size=PHONE, color_scheme=theme).at_console(croupier.table)
    queue = dealer.page.locator("[data-queue=due]")
    queue.scroll_into_view_if_needed()
    assert queue.evaluate("one => one.scrollHeight - one.clientHeight") > 60

    def ground(at_the_end: bool) -> object:
        """What lies behind the rows along an edge of the list: the colour that is seen most there."""
        box = queue.bounding_box()
        assert box is not None
        edge = box["y"] + (box["height"] - 2 if at_the_end else 0)
        strip = {"x": box["x"], "y": edge, "width": box["width"], "height": 2}
        picture = Image.open(BytesIO(dealer.page.screenshot(clip=strip)))  # type: ignore[arg-type]
        return max(picture.convert("RGB").crop((0, 1, picture.width, 2)).getcolors(10_000) or [])[1]

    is_first_below = ground(True) != ground(False)
    shaded = ground(True)
    queue.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    assert is_first_below
    assert ground(True) != shaded
    assert ground(False) != ground(True)


def test_space_pressed_twice_opens_bets_and_leaves_them_open(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    dealer = visit("Dan")
    dealer.page.clock.install()
    dealer.at_console(croupier.table)
    press_next(dealer, "load-shoe")
    expect(dealer.page.locator("[data-next=call-bets][data-ready=true]")).to_be_enabled()
    # The page's clock stands still, so that the presses are as near to each other on a slow machine as on a fast one.
    dealer.page.clock.pause_at(dealer.page.evaluate("Date.now()") / 1000 + 5)
    dealer.page.keyboard.press("Space")
    is_next(dealer, "close-bets")
    for _ in range(4):
        dealer.page.keyboard.press("Space")
    dealer.page.locator("[data-next=close-bets]").dispatch_event("click")
    dealer.page.clock.resume()
    expect(dealer.page.locator("[data-next=close-bets][data-ready=true]")).to_be_enabled()
    assert croupier.shown().view["phase"] == "betting"
    press_next(dealer, "close-bets")
    supervisor = visit("Sue").at_console(croupier.table)
    supervisor.page.locator("[data-act=reopen-bets]").click()
    is_next(dealer, "close-bets")
    assert croupier.shown().view["phase"] == "betting"


def counted(dealer: Visitor, keys: str) -> int:
    """Press keys one after the other; how many they were."""
    for key in keys.split():
        dealer.page.keyboard.press(key)
    return len(keys.split())


@pytest.mark.gli("WCAG 2.1.1")
def test_a_face_down_round_by_keyboard_alone_in_few_keys(floor: RunningFloor, visit: Visit) -> None:
    """Unseen, a squeeze that is answered, cards turned by name, boxes ticked off: no mouse, no Tab."""
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
    dealer = visit("Dan", size=(1366, 650)).at_console(croupier.table)
    page, keys = dealer.page, 0
    waits = page.get_by_text("Waiting for bets")
    expect(waits).to_contain_text("Lee")
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=30_000, round=1)
    expect(waits).not_to_contain_text("Lee")
    croupier.give("place-bet", by="Kim", role=Role.PLAYER, box=2, area="banker", amount=10_000, round=1)
    expect(waits).to_have_count(0)
    expect(page.locator("[data-sum=player]")).to_have_text("300")
    expect(page.locator("[data-differential]")).to_have_text("200")
    expect(page.locator("[data-differential-of='1']")).to_contain_text("P 300")
    expect(page.locator("[data-differential-of='2']")).to_contain_text("B 100")
    dealer.picture("console-1366-betting")
    press_next(dealer, "close-bets")
    keys += 1
    croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="card", hand="player", number=2)
    expect(page.get_by_text("Lee asks to squeeze Player, card 2")).to_be_visible()
    keys += counted(dealer, "y")
    expect(page.get_by_text("asks to squeeze")).to_have_count(0)
    for dealt in range(4):
        expect(page.locator(".hands .card")).to_have_count(dealt)
        expect(page.locator("[data-key=u]")).to_be_enabled()
        keys += counted(dealer, "u")
    expect(page.locator("[data-call=true]")).to_have_count(0)
    dealer.picture("console-1366-face-down")
    turned = {"8 s": "Player, card 1", "k d": "Player, card 2", "2 h": "Banker, card 1", "5 c": "Banker, card 2"}
    for card, where in turned.items():
        expect(page.locator("[data-next=reveal-card]")).to_contain_text(where)
        keys += counted(dealer, card)
    expect(page.locator("[data-pay-box='1'] [data-total]")).to_contain_text("pays 300")
    expect(page.locator("[data-pay-box='2'] [data-total]")).to_contain_text("takes 100")
    press_next(dealer, "settle-round")
    keys += 1 + counted(dealer, "p p")
    expect(page.locator(".box.ticked")).to_have_count(2)
    expect(page.locator("[data-act=withdraw-bet]")).to_have_count(0)
    dealer.picture("console-1366-paid")
    assert croupier.shown().view["result"]["winner"] == "player"
    assert keys == 17, "one for each act, two for each card that is named"
    for size in ((1024, 768), (1440, 900)):
        sized(page, size)
        dealer.picture(f"console-{size[0]}-paid")


@pytest.mark.gli("WCAG 2.1.1")
def test_insurance_by_keyboard_alone(floor: RunningFloor, visit: Visit) -> None:
    """It is offered, taken for one player and declined for another by the keys that stand on their buttons."""
    croupier = Croupier(floor, "insurance", offering=Offering.DEALER)
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area="player", amount=30_000, round=1)
    croupier.give("close-bets")
    dealer = visit("Dan", size=SIZES[0]).at_console(croupier.table)
    page = dealer.page
    type_cards(dealer, "ks kh 5d 4c")
    is_next(dealer, "offer-insurance")
    press_next(dealer, "offer-insurance")
    offers = page.locator("[data-insurance='4']")
    expect(offers.locator("[data-offer=Kim] .flag")).to_be_visible()
    assert dealer.covered() == []
    page.keyboard.press("i")
    form = page.locator("[data-form=take-insurance]")
    expect(form.locator("[name=amount]")).to_be_focused()
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    # It is the player's money: the player agrees, or somebody who has heard it.
    expect(page.locator("[data-notice=approval]")).to_contain_text("Waiting for Lee to agree")
    lee = visit("Lee").at_table(croupier.table)
    lee.page.locator("[data-decide=approve]").click()
    expect(offers.locator("[data-offer=Lee]")).to_contain_text("took 100")
    expect(page.locator("[data-key=l]")).to_be_enabled()
    page.keyboard.press("l")
    expect(page.locator("[data-notice=approval]")).to_contain_text("Waiting for Kim to agree")
    decide = visit("Sue").at_console(croupier.table).page.locator("[data-decide=approve]")
    decide.click()
    expect(offers.locator("[data-offer=Kim]")).to_contain_text("declined")
    dealer.picture("console-insurance-by-keys")
    type_cards(dealer, "2s")


def test_the_glance_has_the_clock_and_the_pace_of_the_table(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    dealer = visit("Dan")
    dealer.page.clock.install()
    dealer.at_console(croupier.table)
    glance = dealer.page.locator("[data-glance]")
    croupier.play("KS 9H 6D 8C")
    is_next(dealer, "call-bets")
    told = floor.client("Dan").http.get(f"/tables/{croupier.table}/dealing").json()
    expect(glance.locator("[data-rounds-hour]")).to_have_text(str(told["rounds_an_hour"]))
    assert told["rounds_an_hour"] > 0
    croupier.open_bets()
    is_next(dealer, "close-bets")
    dealer.page.clock.run_for(65_000)
    expect(glance.locator("[data-elapsed]")).to_have_text(re.compile(r"^1:\d\d$"))
    expect(glance.locator("[data-road=big] path[data-marks=banker][d^=M]")).to_be_attached()


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_round_without_a_keyboard(floor: RunningFloor, visit: Visit, way: str) -> None:
    """Open, close, cards, a correction, settle; on a phone a rank and a suit name a card, in place of 52 keys."""
    croupier = Croupier(floor, "commission")
    size = PHONE if way == "touch" else SIZES[0]
    dealer = visit("Dan", size=size, has_touch=way == "touch").at_console(croupier.table)

    def press(what: Locator) -> None:
        what.tap() if way == "touch" else what.click()

    def give_next(act: str) -> None:
        press(dealer.page.locator(f"[data-next={act}][data-ready=true]:enabled"))
        expect(dealer.page.locator(f"[data-next={act}]")).to_have_count(0)

    def name_card(rank: str, suit: str) -> None:
        done = dealer.page.locator("[data-entry][data-state=done]")
        before = done.count()
        if way == "touch":
            press(dealer.page.locator(f"[data-rank-key='{rank}']"))
            press(dealer.page.locator(f"[data-suit-key={suit}]"))
        else:
            press(dealer.page.locator(f"[data-card-key='{rank}{suit}']"))
        expect(done).to_have_count(before + 1)

    for act in ("load-shoe", "call-bets", "close-bets"):
        give_next(act)
    for rank, suit in (("K", "S"), ("10", "H"), ("9", "D")):
        name_card(rank, suit)
    press(dealer.page.locator("summary", has_text="Correct a card"))
    press(dealer.page.locator("[data-act=correct-card]", has_text="Player · card 2"))
    form = dealer.page.locator("[data-form=correct-card]")
    form.locator("[name=card]").fill("8D")
    press(form.get_by_role("button", name="Give"))
    expect(dealer.page.locator(".hand.player .card").last).to_have_attribute("data-card", "8D")
    name_card("7", "C")
    give_next("settle-round")
    assert croupier.shown().view["result"]["winner"] == "player"


def test_the_pad_is_one_stop_and_who_takes_over_sees_who_dealt(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    seated(croupier)
    croupier.give("close-bets")
    relief = visit("Max").at_console(croupier.table)
    expect(relief.page.locator("[data-dealer=Dan]")).to_contain_text("Dan deals since")
    expect(relief.page.locator(".pad button[tabindex='0']")).to_have_count(1)
    relief.page.locator(".pad button[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "End", "ArrowUp", "Enter"):
        relief.page.keyboard.press(key)
    expect(relief.page.locator("[data-entry='KD'][data-state=done]")).to_be_visible()
    croupier.give("deal-card", card="8S", by="Max")
    croupier.give("deal-card", card="9S", by="Max")
    croupier.give("deal-card", card="KS", by="Max")
    press_next(relief, "settle-round")
    expect(relief.page.locator("[data-dealer=Max][data-dealer-before=Dan]")).to_contain_text("before: Dan")


def test_a_device_feeds_the_table_and_everybody_sees_it(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    seated(croupier)
    dealer, player = visit("Dan").at_console(croupier.table), visit("Lee").at_table(croupier.table)
    for one in (dealer, player):
        expect(one.page.locator("[data-feed=manual]")).to_be_visible()
    made = floor.fresh_client("Rob").http.post("/devices", json={"table": croupier.table, "name": "shoe-7"}).json()
    for one in (dealer, player):
        expect(one.page.locator("[data-feed=lost]")).to_be_visible()
    device = {"base_url": f"{floor.url}/api/v1/device/", "headers": {"Authorization": f"Bearer {made['key']}"}}
    with httpx.Client(**device) as reader:  # type: ignore[arg-type]
        assert reader.post("readings", json={"key": "r1", "card": "9H"}).status_code == 409
        for one in (dealer, player):
            expect(one.page.locator("[data-feed=device]")).to_be_visible()
        expect(dealer.page.locator("[data-feed-refused='9H']")).to_contain_text("shoe-7 read 9 of hearts")
        dealer.picture("console-device-out-of-turn")
        croupier.give("close-bets")
        assert reader.post("readings", json={"key": "r2", "card": "9H"}).status_code == 200
    expect(dealer.page.locator(".hand.player .card")).to_have_count(1)
    expect(dealer.page.locator("[data-feed-refused]")).to_have_count(0)
    dealer.page.keyboard.press("Backspace")
    expect(dealer.page.locator("[data-correcting]")).to_be_visible()
    dealer.page.keyboard.type("8h")
    expect(dealer.page.locator(".hand.player .card")).to_have_attribute("data-card", "8H")
    player.picture("table-fed-by-a-device")


def test_what_is_closed_to_a_role_says_so_with_a_way_out(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    for who, path, said in (
        ("Cas", f"/tables/{croupier.table}/dealer", "Your role cannot open it"),
        ("Lee", f"/tables/{croupier.table}/dealer", "Your role cannot open it"),
        ("Cas", f"/tables/{croupier.table}", "Your role does not allow this here."),
    ):
        visitor = visit(who).open(path)
        expect(visitor.page.get_by_text(said)).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Log out")).to_be_visible()


def test_an_auditor_looks_at_any_table_and_a_lobby_and_an_account_follow(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    auditor, lobby, account = visit("Aud").open("/"), visit("Lee").open("/"), visit("Lee").open("/account")
    elsewhere = visit("Lee").at_table(Croupier(floor, "ez").table)
    auditor.page.locator(f"a[href='/tables/{croupier.table}']").click()
    expect(auditor.page.locator("[data-looking-on=auditor]")).to_have_text(
        "You are watching as Auditor; you cannot act here."
    )
    free = int(lobby.page.locator("[data-balance]").get_attribute("data-balance") or 0)
    croupier.open_bets()
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="banker", amount=10_000, round=1)
    expect(auditor.spot("banker").locator(".other")).to_have_count(1)
    assert auditor.page.locator(".spot:enabled, .seat.free:enabled, .tray, .guide").count() == 0
    pages = (lobby.page, account.page, elsewhere.page)
    staked = lobby.page.locator("[data-staked]").first
    expect(staked).not_to_have_attribute("data-staked", "0")
    for page in pages:
        expect(page.locator("[data-balance]").first).to_have_attribute("data-balance", str(free - 10_000))
        expect(page.locator("[data-staked]").first).to_have_attribute(
            "data-staked", staked.get_attribute("data-staked") or ""
        )
    expect(lobby.page.locator("li", has_text=croupier.table).locator(".pill").first).to_have_text("Bets open")
    croupier.deal("2S 3H 5D 6C")  # Banker wins
    croupier.finish()
    auditor.phase("finished")
    expect(auditor.page.locator(".hands .card")).to_have_count(4)
    croupier.open_bets()
    for page in pages:
        expect(page.locator("[data-balance]").first).to_have_attribute("data-balance", str(free + 9_500))
    expect(account.page.locator("table.lines tbody tr").first).to_contain_text(croupier.table)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


ROOM_OF_THE_CONSOLE = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push("the page is " + wide + " too wide");
  const parts = "[data-next], .hands, .pad button, .glance dd, [data-act], .acts button";
  for (const one of document.querySelectorAll(parts)) {
    if (!one.checkVisibility()) continue;
    const { left, right, width, height } = one.getBoundingClientRect();
    const name = (one.dataset.next ?? one.className) + " " + one.textContent.trim().slice(0, 20);
    if (left < -1 || right > innerWidth + 1) found.push(name + " is outside");
    if (one.closest(".pad") && Math.min(width, height) < 34) found.push(name + " is " + width + "x" + height);
  }
  const next = document.querySelector("[data-next]").getBoundingClientRect();
  if (next.bottom > innerHeight) found.push("the next act is below the screen, by " + (next.bottom - innerHeight));
  const pad = document.querySelector(".pad")?.getBoundingClientRect();
  for (const keys of document.querySelectorAll(".pad, .short")) {
    const below = keys.getBoundingClientRect().bottom - innerHeight;
    if (keys.checkVisibility() && below > 0) found.push("keys are below the screen, by " + below);
  }
  const felt = document.querySelector(".hands").getBoundingClientRect();
  for (const part of document.querySelectorAll(".hands .hand, .hands header, .hands .lies")) {
    const { left, right } = part.getBoundingClientRect();
    if (left < felt.left || right > felt.right) found.push(part.className + " is beside the felt");
  }
  if (!pad && next.height < { 1920: 100, 2560: 130 }[innerWidth]) found.push("the next act is small: " + next.height);
  return found;
}"""
"""What of a console is cut, too small for a finger, or not there without scrolling."""
PLACE_OF_NEXT = "Math.round(document.querySelector('.next').getBoundingClientRect().top + scrollY)"


def test_the_console_at_every_size(floor: RunningFloor, visit: Visit) -> None:
    """The next act is in view and where it was, nothing is cut at the side, a finger can hit the keys of the pad."""
    croupier = Croupier(floor, "knockout")
    seated(croupier)
    dealer = visit("Dan").at_console(croupier.table)
    places: dict[tuple[int, int], set[float]] = {size: set() for size in SIZES}

    def fits(act: str) -> None:
        is_next(dealer, act)
        found: dict[str, list[str]] = {}
        for width, height in SIZES:
            dealer.sized((width, height))
            if wrong := dealer.page.evaluate(ROOM_OF_THE_CONSOLE) + dealer.page.evaluate(RUNS_TOGETHER):
                found[f"{act} {width}x{height}"] = wrong
                dealer.picture(f"console-wrong-{act}-{width}")
            places[width, height].add(dealer.page.evaluate(PLACE_OF_NEXT))
        assert found == {}

    fits("close-bets")
    croupier.give("close-bets")
    fits("deal-card")
    dealer.page.keyboard.type("kskh2d3c")
    expect(dealer.page.locator("[data-entry][data-state=done]")).to_have_count(4)
    fits("deal-card")
    dealer.page.keyboard.type("4s5h")
    fits("settle-round")
    assert {size: tops for size, tops in places.items() if len(tops) > 1} == {}, "the next act moves in a round"
    croupier.finish()
    expect(dealer.page.locator("[data-box='1'] [data-net-of]").first).to_be_visible()  # a stake no longer lies there
    fits("call-bets")


def test_nothing_jumps_in_a_round_at_the_console(floor: RunningFloor, visit: Visit) -> None:
    """Bets, cards, an insurance offer, the pay queue and the next call come and go; the rest stays where it is."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
    dealer = visit("Dan", size=SIZES[0]).at_console(croupier.table)
    jumps: dict[tuple[int, int], object] = {}
    for size in SIZES:
        dealer.sized(size)
        dealer.page.evaluate(WATCH_SHIFTS)
        number = int(croupier.shown().view["round"])
        for box, who, area in ((1, "Lee", "player"), (2, "Kim", "banker"), (1, "Lee", "player-pair")):
            bet = {"box": box, "area": area, "amount": 10_000, "round": number}
            croupier.give("place-bet", by=who, role=Role.PLAYER, **bet)
            expect(dealer.page.locator(f"[data-box='{box}']")).to_contain_text("100")
        croupier.deal("KS KH 5D 4C" if number % 2 else "KC KD 5H 4S")
        expect(dealer.page.locator(".hands .card")).to_have_count(4)
        croupier.deal("2S 9S" if number % 2 else "2C 9C")
        expect(dealer.page.locator(".hands .card")).to_have_count(6)
        is_next(dealer, "settle-round")
        croupier.finish()
        is_next(dealer, "call-bets")
        expect(dealer.page.locator("[data-queue=paid]")).to_be_visible()
        croupier.open_bets()
        expect(dealer.page.locator(".hands .card")).to_have_count(0)
        shifts = dealer.page.evaluate("window.shifts")
        if sum(value for value, _ in shifts) >= 0.01:
            jumps[size] = shifts
    assert jumps == {}
