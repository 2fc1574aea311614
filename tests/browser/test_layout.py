"""Sizes, roads and hidden cards: what must hold on a screen, whatever has been dealt."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.known_shoe import deal_rounds
from tests.browser.visitor import DESKTOP, PHONE, TABLET, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

RESULTS = "BBBBBBBBTTPPBVPBTPPPPPPPBBPBPTBBBPPBPPBBBBTBPBPPPBTBPPBBPBVBPPPBBTPBBPBPPTBBPPBPBBBTPPBPBBP"


def marks(visitor: Visitor, road: str, kind: str = "marks") -> list[tuple[float, float, str]]:
    """The centre and colour of every mark on a road, column by column: one path has all marks of a colour."""
    paths = visitor.page.locator(f"[data-road={road}] path[data-{kind}]").evaluate_all(
        f"all => all.map(one => [one.dataset.{kind}, one.getAttribute('d')])"
    )
    return sorted(
        (round(float(x) + float(radius), 1), float(y), colour)
        for colour, path in paths
        for x, y, radius in re.findall(r"M(\S+) (\S+?)a(\S+) ", path)
    )


def filled(visitor: Visitor) -> Locator:
    """The bead plate once it has a mark."""
    return visitor.page.locator("[data-road=bead] path[data-marks][d^=M]").first


def test_roads_of_ninety_rounds_on_every_screen(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    dealt = deal_rounds(croupier, RESULTS)
    played = [one for one in dealt if one.result != "V"]
    croupier.open_bets()
    desktop = visit("Lee", size=DESKTOP).at_table(croupier.table)
    expect(filled(desktop)).to_be_attached()
    # The bead plate fills columns of six, and a void leaves no mark on it.
    beads = marks(desktop, "bead")
    columns, rows = sorted({x for x, _, _ in beads}), sorted({y for _, y, _ in beads})
    assert len(rows) == 6
    names = {"P": "player", "B": "banker", "T": "tie"}
    assert [(columns.index(x), rows.index(y), mark) for x, y, mark in beads] == [
        (i // 6, i % 6, names[one.result]) for i, one in enumerate(played)
    ]
    # The seventh win in a row bends right; ties add a slash and no ring.
    big = marks(desktop, "big")
    assert len(big) == sum(one.result in "PB" for one in played)
    at = sorted({y for _, y, _ in big})
    lefts = sorted({x for x, _, _ in big})
    cells = {(lefts.index(x), at.index(y)): winner for x, y, winner in big}
    for place in (*((0, row) for row in range(6)), (1, 5), (2, 5)):
        assert cells[place] == "banker"
    assert cells[1, 0] == "player" and (3, 5) not in cells
    slashes = desktop.page.locator("[data-road=big] path[data-slashes]")
    assert int(slashes.get_attribute("data-slashes") or 0) > 4
    # Banker's pair is a dot at the top left of its bead, Player's at the bottom right.
    pairs = [(kind, x, y) for x, y, kind in marks(desktop, "bead", "pairs")]
    expected = [
        (kind, bead[0], bead[1])
        for bead, one in zip(beads, played, strict=True)
        for kind, is_there in (("banker", one.banker_pair), ("player", one.player_pair))
        if is_there
    ]
    assert len(pairs) == len(expected) > 4
    for (kind, x, y), (wanted, cx, cy) in zip(sorted(pairs), sorted(expected), strict=True):
        assert kind == wanted
        assert (x < cx and y < cy) if kind == "banker" else (x > cx and y > cy)
    # A long line of patterns makes no road wider.
    assert desktop.page.locator(".patterns button").count() > 4
    panel = desktop.page.locator(".side").bounding_box()
    for road in desktop.page.locator(".side [data-road]").all():
        box = road.bounding_box()
        assert panel and box and box["x"] + box["width"] <= panel["x"] + panel["width"]
    is_scrolled = "document.documentElement.scrollHeight > innerHeight"
    assert not desktop.page.evaluate(is_scrolled)
    desktop.picture("table-ninety-rounds")
    for name, size in (("phone", PHONE), ("tablet", TABLET)):
        visitor = visit("Lee", size=size).at_table(croupier.table)
        expect(filled(visitor)).to_be_attached()
        assert visitor.page.evaluate("document.documentElement.scrollWidth") == size[0]
        visitor.picture(f"table-ninety-rounds-{name}")


@pytest.mark.parametrize("book", ["commission", "knockout"])
def test_a_phone_shows_what_a_bet_needs(floor: RunningFloor, visit: Visit, book: str) -> None:
    croupier = Croupier(floor, book)
    croupier.open_bets()
    lee = visit("Lee", size=PHONE, has_touch=True).at_table(croupier.table)
    lee.page.locator("[data-seat='1']").tap()
    expect(lee.page.locator(".seat.mine")).to_have_count(1)
    lee.page.locator("[data-chip='10000']").tap()
    lee.spot("banker").tap()
    lee.sees_bet("banker", 10_000)
    for place in ("[data-chip='10000']", "[data-phase-name=betting]", "[data-balance]"):
        expect(lee.page.locator(place)).to_be_in_viewport()
    for area in ("player", "tie", "banker"):
        expect(lee.spot(area)).to_be_in_viewport()
    for whole in lee.page.locator(".spot .name .whole").all():  # a range such as 1-4 stands on one line
        assert whole.evaluate("one => one.getClientRects().length") == 1
    assert (lee.page.locator(".spot .name .whole").count() > 0) == (book == "knockout")
    small = lee.page.locator("button:visible, a:visible, summary:visible").evaluate_all(
        """all => all.map((one) => [one.outerHTML, one.getBoundingClientRect()])
          .filter(([, box]) => Math.min(box.width, box.height) < 43.5).map(([text]) => text)"""
    )
    assert small == []
    expect(lee.page.locator("p:visible", has_text="Limits 10")).to_have_count(1)  # not in the head of a phone
    letters = lee.page.locator("svg text").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert letters and min(letters) >= 13
    lee.picture(f"{book}-betting-phone")


def test_the_clock_is_in_view_beside_chips_and_spots(floor: RunningFloor, visit: Visit) -> None:
    """Where an automatic dealer closes the bets, whoever bets sees how long there is, on the smallest screen too."""
    table, rob = floor.new_table("commission"), floor.client("Rob").http
    pace = dict.fromkeys(("antes", "insurance", "squeeze", "cards", "rounds"), 200) | {"bets": 600_000}
    assert rob.put(f"/tables/{table}/running", json={"dealer": "automatic", "pace": pace}).status_code == 200
    try:
        lee = visit("Lee", size=PHONE).at_table(table)
        lee.sit(1)
        for size in (PHONE, (360, 640), (320, 568), (844, 390), TABLET, DESKTOP):
            lee.sized(size)
            for shown in ("header [data-clock]", "[data-chip]", "[data-balance]", ".spot[data-area=banker]"):
                expect(lee.page.locator(shown).first).to_be_in_viewport(ratio=1)
    finally:
        rob.put(f"/tables/{table}/running", json={"dealer": "person"})


@pytest.mark.parametrize("who", ["Lee", "Dan"])
def test_a_table_fills_the_screen_where_that_is_wanted(floor: RunningFloor, visit: Visit, who: str) -> None:
    croupier = Croupier(floor, "commission")
    visitor = visit(who, size=(844, 390))
    (visitor.at_table if who == "Lee" else visitor.at_console)(croupier.table)
    is_full = "document.fullscreenElement === document.documentElement"
    help, dialog = visitor.page.get_by_role("button", name="Help"), visitor.page.locator("dialog[open]")
    for wanted in (True, False):
        help.click()
        dialog.locator("[data-full-screen]").click()
        expect(dialog).to_have_count(0)  # it would lie behind the page, which nobody could use then
        help.click()
        expect(dialog.locator("[data-full-screen]")).to_be_checked(checked=wanted)
        assert visitor.page.evaluate(is_full) is wanted
        seen = dialog.evaluate("one => one.contains(document.elementFromPoint(innerWidth / 2, innerHeight / 2))")
        assert seen, "the dialog lies over the page"
        visitor.picture(f"full-screen-{who}-{wanted}")
        dialog.get_by_role("button", name="Close").click()


def test_help_shows_every_key_on_a_laptop(floor: RunningFloor, visit: Visit) -> None:
    """Below the three pictures, without a scroll."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee = visit("Lee", size=(1366, 650)).at_table(croupier.table)
    lee.page.get_by_role("button", name="Help").click()
    keys = lee.page.locator("dialog[open] kbd")
    expect(keys).to_have_count(11)
    for key in keys.all():
        expect(key).to_be_in_viewport(ratio=1)
    lee.picture("help-laptop")


OVER_THE_EDGE = """() => [...document.querySelectorAll("header *, main :is(.panel, input, button, td, th)")]
  .filter((one) => one.checkVisibility() && !one.closest("[data-road], .grid"))
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const isCrooked = one.matches("main > .panel") && Math.abs(left - innerWidth + right) > 1;
    const edge = one.matches("td, th") ? innerWidth - 16 : innerWidth;
    return isCrooked || left < -1 || right > edge + 1;
  })
  .map((one) => one.tagName + " " + one.className + " " + one.textContent.trim().slice(0, 30))"""
"""What of a page lies outside of it; the large tables of the rules may, in a box that scrolls."""


def test_the_pages_of_a_player_fit_the_narrowest_phone(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.open_bets()
    bet = {"box": 1, "area": "banker", "amount": 952_500, "round": 1}
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, **bet)
    croupier.deal("KS 9H 6D 8C")
    croupier.finish()
    nobody, lee = (visit(name, size=(320, 568)) for name in (None, "Lee"))
    found = {}
    for path, shown in (
        ("/", "[data-table]"),
        ("/account", f"[data-round='{croupier.table}/1']"),
        ("/rules", "main li"),
        (f"/rules/{croupier.shown().digest}", "#drawing"),
        (f"/tables/{croupier.table}/rounds/1", "[data-step]"),
        ("log-in", "[name=password]"),
    ):
        visitor = nobody.open("/") if path == "log-in" else lee.open(path)
        expect(visitor.page.locator(shown).first).to_be_visible()
        if path == "/":  # a sum and what it is stand on one line
            expect(visitor.page.locator("[data-held]")).to_be_visible()
            lines = "all => all.map(one => one.parentElement.offsetHeight / one.offsetHeight)"
            tall = visitor.page.locator(".top b").evaluate_all(lines)
            assert len(tall) >= 2 and max(tall) < 1.6, tall
        wide = visitor.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wrong := visitor.page.evaluate(OVER_THE_EDGE) or wide > 0:
            found[path] = wrong
            visitor.picture(f"narrow-wrong-{path}")
    assert found == {}


def test_a_table_is_called_as_on_its_sign(floor: RunningFloor, visit: Visit) -> None:
    """An address has small letters only; what is read begins with a capital."""
    croupier = Croupier(floor, "commission")
    lee = visit("Lee").at_table(croupier.table)
    sign = "one => getComputedStyle(one, '::first-letter').textTransform"
    for path, name in ((f"/tables/{croupier.table}", "header h1"), ("/", "li h2")):
        lee.open(path)
        expect(lee.page.locator(name, has_text=croupier.table).first).to_be_visible()
        assert lee.page.locator(name, has_text=croupier.table).first.evaluate(sign) == "uppercase"
    table, sue = croupier.table, visit("Sue")
    for path, name in ((f"/board/{table}", "h1"), ("/pit", f"[data-table={table}] a"), (f"/pit/tables/{table}", "h1")):
        page = (lee if path.startswith("/board") else sue).open(path).page
        expect(page.locator(name).first).to_have_text(table)
        assert page.locator(name).first.evaluate(sign) == "uppercase", path


def test_hands_of_a_past_round_stay_on_their_felt(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.play("2S 4S 3S 5S")
    page = visit("Lee", size=PHONE).open(f"/tables/{croupier.table}/rounds/1").page
    expect(page.locator("[data-step]").first).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".felt .hand.banker.winner .natural")).to_be_visible()
    felt, hand = (page.locator(one).bounding_box() for one in (".felt", ".hand.banker.winner"))
    assert felt and hand and hand["x"] + hand["width"] <= felt["x"] + felt["width"]


@pytest.mark.gli("2.6.5")
def test_a_face_down_card_has_no_rank_anywhere(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    croupier.deal("7S 7H 7D 7C")
    expect(lee.page.locator("[data-card=down]")).to_have_count(4)
    page = lee.page.content()
    heard = json.dumps(lee.frames)
    for card in ("7S", "7H", "7D", "7C"):
        assert f'"{card}"' not in page and f'"{card}"' not in heard
    assert '"up": false' in heard
    lee.picture("table-face-down")


def test_third_cards_lie_crosswise(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    croupier.deal("KS KH 2D 3C 4S 5H")
    third = lee.page.locator(".card.crosswise svg")
    expect(third).to_have_count(2)
    for one in third.all():
        box = one.bounding_box()
        assert box is not None and box["width"] > box["height"]
    straight = lee.page.locator(".card:not(.crosswise) svg").first.bounding_box()
    assert straight is not None and straight["width"] < straight["height"]


def test_known_points_stay_while_the_third_card_lies_face_down(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    croupier.deal("KS KH 2D 3C")
    while croupier.next()["type"] == "reveal-card":
        croupier.give(**croupier.next())
    for hand, points in (("player", "2"), ("banker", "3")):
        expect(lee.page.locator(f".hand.{hand} .points")).to_have_text(points)
    croupier.deal("4S")
    expect(lee.page.locator(".hand.player [data-card=down]")).to_have_count(1)
    for hand, points in (("player", "2"), ("banker", "3")):
        expect(lee.page.locator(f".hand.{hand} .points")).to_have_text(points)
