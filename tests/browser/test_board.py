"""The board over a table: linked and switched from the console, read at every size, back after the server was away, no
larger after many rounds; and a board that somebody keeps by hand.
"""

from __future__ import annotations

import re
from math import atan, degrees
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from punto.rules.authority import Role
from tests.browser.board_rounds import SCREEN, Shoes, screen_of
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.known_shoe import deal_rounds
from tests.browser.visitor import LANGUAGES, PHONE, Visitor, sized
from tests.server.running_floor import RunningFloor
from tests.server.served import ServedFloor

pytestmark = pytest.mark.slow

SIZES = ((1280, 720), (1920, 1080), (3840, 2160), (1366, 650))
SHOE = "BBBPPBPPPTPBBPBBTBPBBBBBBBPPPPTTBPBPBB"
INSIDE = """() => [...document.querySelectorAll(".stage *")].filter((one) => {
  if (one.closest("svg, .road, .unseen") || !one.getClientRects().length) return false;
  const at = one.getBoundingClientRect(), stage = document.querySelector(".stage").getBoundingClientRect();
  return at.left < stage.left - 1 || at.right > stage.right + 1 || at.bottom > stage.bottom + 1;
}).map((one) => one.className || one.tagName)"""
"""What stands out of the board."""
CUT = """() => [...document.querySelectorAll(".stage *")].flatMap((one) => {
  const text = [...one.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
  if (!text || one.closest("svg, .road, .unseen, .card") || !one.getClientRects().length) return [];
  const range = document.createRange();
  range.selectNode(text);
  const at = range.getBoundingClientRect();
  const room = parseFloat(getComputedStyle(one).fontSize) / 4; // above and below the characters themselves
  const holder = one.closest("header > *, .hand, aside, figure, footer, .keys button, .middle, .roads .one");
  const own = holder.getBoundingClientRect();
  const isWide = at.left < own.left - 1 || at.right > own.right + 1;
  const isCut = isWide || at.top < own.top - room || at.bottom > own.bottom + room;
  const isAllowed = one.closest(".commitment, .book");
  return isCut && !isAllowed ? [`${holder.className || holder.tagName}: ${one.textContent.trim()}`] : [];
})"""
"""Words that run over the edge of what holds them; a long title and a commitment may be shortened."""
SIDEWAYS = """() => [...document.querySelectorAll(".stage *")].filter((one) => {
  if (one.closest("svg, .road .box, .unseen") || !one.getClientRects().length) return false;
  const at = one.getBoundingClientRect();
  return at.left < 0 || at.right > innerWidth + 1;
}).map((one) => one.className || one.tagName)"""
"""What stands out of the screen at its sides."""
SMALL = "all => all.filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44).map((one) => one.textContent)"
"""What is too small for a finger."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
"""The roads are drawn again in the frame after their box has another size."""
SCREENS = ((1920, 1080), (1280, 720), (1366, 650))
HIGH = """one => {
  const share = /[\\u2e80-\\u9fff]/.test(one.textContent) ? 0.88 : 0.727;
  return share * parseFloat(getComputedStyle(one).fontSize);
}"""
"""How high figures and capitals of our fonts are drawn, and Chinese characters."""


def columns(road: Locator) -> tuple[float, float]:
    """How many columns and rows a road shows."""
    shown = road.evaluate("one => [one.clientWidth, one.clientHeight, one.querySelector('svg').clientHeight / 6]")
    return shown[0] / shown[2], shown[1] / shown[2]


def test_a_board_is_linked_and_switched_from_the_console(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    table = croupier.table
    dan = visit("Dan").at_console(table)
    panel = dan.page.locator("[data-board-panel]")
    panel.locator("summary").click()
    panel.locator("[data-make-link]").click()
    link = panel.locator("input.link").input_value()
    assert "#punto-board-" in link
    assert dan.faults() == []
    dan.picture("console-board")

    screen = visit(None, size=(1920, 1080)).open(link.removeprefix(floor.url))
    page, board = screen.page, screen.page.locator("main[data-board]")
    expect(page.locator("[data-board=on][data-link=live]")).to_be_visible()
    assert page.url == f"{floor.url}/board/{table}", "the key is not left in the address"
    croupier.open_bets()
    expect(page.locator("[data-phase-name=betting]")).to_be_visible()
    expect(page.locator("figure svg[data-code]")).to_have_attribute("data-code", f"{floor.url}/tables/{table}")
    croupier.deal("KS 2H 3D 4C")
    expect(page.locator("[data-hand=player] .points")).to_have_text("3")
    expect(page.locator("[data-hand=banker] [data-card]")).to_have_count(2)
    screen.picture("board-dealing")

    panel.locator("select[name=board-language]").select_option("zh-Hant")
    expect(page.locator("[data-hand=banker] h2")).to_contain_text("莊")
    expect(board.locator("[data-hand]").first).to_have_attribute("data-hand", "player")
    panel.locator("input[name=mirrored]").check()
    expect(board.locator("[data-hand]").first).to_have_attribute("data-hand", "banker")
    panel.locator("input[name=road-cockroach]").uncheck()
    expect(page.locator("[data-road=cockroach]")).to_have_count(0)
    expect(page.locator("[data-road=small]")).to_have_count(1)
    screen.picture("board-zh-hant-mirrored")
    panel.locator("input[name=on]").uncheck()
    expect(page.locator("[data-board=off]")).to_be_attached()
    page.reload()
    expect(page.locator("[data-board=off]")).to_be_attached()
    panel.locator("input[name=on]").check()
    expect(page.locator("[data-board=on][data-link=live]")).to_be_visible()
    panel.locator("[data-make-link]").click()
    expect(page.locator("[data-board=unlinked]")).to_be_visible()
    expect(page.locator("input")).to_have_count(0)
    screen.picture("board-unlinked")
    assert screen.faults() == []


def test_the_roads_of_a_board_are_the_servers_at_every_size(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    deal_rounds(croupier, SHOE)
    roads = floor.client("Lee").http.get(f"/tables/{croupier.table}/roads").json()["roads"]
    lee = visit("Lee", size=SIZES[0]).open(f"/board/{croupier.table}")
    page = lee.page
    for side in ("banker", "player", "tie"):
        expect(page.locator(f"[data-count={side}] dd")).to_have_text(str(roads["counts"][side]))
    for side in ("banker", "player"):
        for kind, name in (("bigEye", "big_eye"), ("small", "small"), ("cockroach", "cockroach")):
            mark = page.locator(f"[data-ask='{side} {kind}'] [data-mark]")
            expect(mark).to_have_attribute("data-mark", "red" if roads["ask"][side][name]["red"] else "blue")
    assert page.locator("[data-last] li").all_text_contents() == [
        cell["result"][0].upper() for cell in roads["bead"][-12:]
    ]
    rings = page.locator("[data-road=big] [data-marks=banker]").get_attribute("d") or ""
    assert rings.count("M") == sum(mark["winner"] == "banker" for mark in roads["big"])
    assert page.locator("[data-road=bigEye] svg path").count() >= 3
    expect(page.get_by_text("For information only", exact=False)).to_be_visible()
    for width, height in SIZES:
        sized(page, (width, height))
        expect(page.locator("[data-road=big] .box")).to_be_visible()
        for kind, wide in (("big", 30), ("bead", 12)):
            assert columns(page.locator(f"[data-road={kind}] .box")) == pytest.approx((wide, 6), abs=0.1)
        assert page.evaluate(INSIDE) == []
        assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
            width,
            height,
        ]
        lee.picture(f"board-{width}x{height}")
    assert lee.faults() == []


def test_every_state_of_a_board_fits_its_screen(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", differential=500_000_00, maximum=1_000_000_00)
    deal_rounds(croupier, SHOE)
    screens = {code: visit("Lee", language=code).open(f"/board/{croupier.table}") for code in LANGUAGES}

    def fits(shown: str) -> None:
        """In every language, on all screens, nothing runs over an edge once this is shown."""
        for code, screen in screens.items():
            expect(screen.page.locator(shown).first).to_be_visible()
            for width, height in SCREENS:
                screen.sized((width, height))
                screen.page.evaluate(DRAWN)
                assert screen.page.evaluate(INSIDE) == [], (shown, code, width)
                assert screen.page.evaluate(CUT) == [], (shown, code, width)
            screen.picture(f"board-{code}-{shown}")

    croupier.open_bets()
    fits("[data-phase-name=betting]")
    croupier.deal("KS KH 6D 5C")
    fits("[data-insurance]")
    croupier.give("report", seen=["wrong-set"])
    fits("[data-phase-name=case]")
    croupier.give("void-round", by="Mia", role=Role.PIT_MANAGER)
    fits("[data-phase-name=void]")
    croupier.open_bets()
    croupier.deal("2S 2H 2D AC 3H 8C")
    croupier.finish()
    fits("[data-winner=player]")
    croupier.play("KS KH 9D 9C")
    fits("[data-winner=tie]")
    croupier.give("pause-table", by="Sue", role=Role.PIT_SUPERVISOR)
    fits("[data-phase-name=paused]")


def test_a_board_is_read_from_five_metres(floor: RunningFloor, visit: Visit) -> None:
    """On a screen of 55 inches: what a round turns on with ease (characters of sixteen minutes of arc, as ISO 9241-303
    asks of a display), limits, counts and last results by eyes that just see enough to drive (ten). Counts of pairs
    and naturals, the commitment and what the footer says are smaller: they are for whoever comes nearer."""
    croupier = Croupier(floor, "insurance", differential=500_000_00, maximum=1_000_000_00)
    deal_rounds(croupier, SHOE)
    croupier.open_bets()
    screens = [visit("Lee", language=code, size=SCREENS[0]).open(f"/board/{croupier.table}") for code in LANGUAGES]

    def minutes(screen: Visitor, what: str) -> float:
        """How high capitals and figures are, seen from five metres, in minutes of arc."""
        metres = 1.218 / SCREENS[0][0] * screen.page.locator(what).first.evaluate(HIGH)
        return degrees(atan(metres / 5)) * 60

    def reads(shown: str, *, easily: tuple[str, ...] = (), well: tuple[str, ...] = ()) -> None:
        for screen in screens:
            expect(screen.page.locator(shown).first).to_be_visible()
            for least, texts in ((16, easily), (10, well)):
                seen = {text: round(minutes(screen, text), 1) for text in texts}
                assert min(seen.values(), default=least) >= least, seen

    beside = (".facts b", ".facts .muted", "[data-last] li")
    reads("[data-phase-name=betting]", easily=(".phase span", "h1"), well=beside)
    croupier.deal("KS KH 6D 5C")
    reads("[data-insurance]", easily=(".points", ".hand h2"), well=("[data-count] dd", "[data-insurance] b"))
    croupier.deal("2C")
    croupier.finish()
    reads("[data-winner=player], [data-winner=banker], [data-winner=tie]", easily=(".phase span", ".points"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_of_a_board_kept_by_hand_can_be_pressed(visit: Visit, language: str) -> None:
    somebody = visit(None, size=PHONE, language=language, has_touch=True).open("/board")
    page = somebody.page
    for key in ("banker", "banker_pair", "natural"):
        page.locator(f"[data-key={key}]").click()
    expect(page.locator("[data-drawn=true] [data-count=banker] dd")).to_have_text("1")
    page.keyboard.type("bpt" * 12)
    expect(page.locator("[data-drawn=true] [data-count=tie] dd")).to_have_text("12")
    for key in ("banker", "tie", "player", "undo"):
        expect(page.locator(f"[data-key={key}]")).to_be_in_viewport(ratio=1)  # without scrolling
    for width, height in (PHONE, (844, 390), (820, 1180), *SCREENS):
        sized(page, (width, height))
        page.locator("[data-key=new]").click()
        expect(page.locator("[data-key=clear]")).to_be_visible()
        page.evaluate(DRAWN)
        somebody.picture(f"board-keys-{language}-{width}")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(SIDEWAYS) == [], width
        assert page.evaluate(CUT) == [], width
        assert page.locator(".keys button, .tools :is(button, select)").evaluate_all(SMALL) == [], width
        page.locator("[data-key=undo]").click()
        page.locator("[data-key=banker]").click()
    assert somebody.faults() == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_that_is_kept_by_hand(visit: Visit, language: str) -> None:
    somebody = visit(None, size=(1920, 1080), language=language).open("/board")
    page = somebody.page
    expect(page.locator("[data-board=keypad]")).to_have_attribute("data-typed", "")
    for key in ("b", "1", "p", "n", "t", "b", "Backspace", "p"):
        page.keyboard.press(key)
    expect(page.locator("[data-board=keypad]")).to_have_attribute("data-typed", "BbPnTP")
    expect(page.locator("[data-count=player] dd")).to_have_text("2")
    page.locator("[data-key=player_pair]").click()
    page.reload()
    expect(page.locator("[data-board=keypad]")).to_have_attribute("data-typed", "BbPnTPp")
    expect(page.locator("[data-count=banker] dd")).to_have_text("1")
    assert somebody.faults() == []
    somebody.picture(f"board-keypad-{language}")
    somebody.context.set_offline(True)
    page.keyboard.press("b")
    expect(page.locator("[data-drawn=false]")).to_be_visible()
    somebody.context.set_offline(False)
    expect(page.locator("[data-drawn=true] [data-count=banker] dd")).to_have_text("2")
    page.keyboard.press("Shift+Delete")
    page.locator("[data-key=clear]").click()
    expect(page.locator("[data-board=keypad]")).to_have_attribute("data-typed", "")


def test_a_board_comes_back_after_the_server_was_away(browser: Browser, tmp_path: Path) -> None:
    with ServedFloor(tmp_path, "--pace", "0.2", "--bets", "2") as floor:
        dealer = next(name for name in floor.logins if "deal" in name.lower() or name == "Dan")
        client = floor.client(dealer)
        tables = client.http.get("/tables").json()["tables"]
        table = next(one["table"] for one in tables if one["view"]["dealer"])  # the house deals there
        key = client.http.post(f"/tables/{table}/board/key").json()["key"]
        with Visitor(browser, floor, None, size=(1920, 1080)) as screen:
            screen.open(f"/board/{table}#{key}")
            expect(screen.page.locator("[data-board=on][data-link=live]")).to_be_visible()
            expect(screen.page.locator(".phase [data-clock]")).to_be_visible()
            promised = client.http.get(f"/tables/{table}").json()["view"]["shoe"]["commitment"]
            expect(screen.page.locator(".commitment code")).to_have_text(promised)
            floor.kill()
            expect(screen.page.locator("[data-board=on][data-link=offline] .offline")).to_be_visible()
            before = int(screen.page.locator("main").get_attribute("data-round") or 0)
            floor.start()
            expect(screen.page.locator("[data-board=on][data-link=live]")).to_be_visible()
            expect(screen.page.locator("main")).not_to_have_attribute("data-round", re.compile(f"^{before}$"))


def test_a_board_holds_no_more_after_many_rounds(floor: RunningFloor, visit: Visit) -> None:
    screen = visit(None, size=SCREEN)
    screen_of(floor, screen)
    shoes = Shoes(screen, 11)
    first = shoes.play(1, length=10)
    last = shoes.play(2, length=10)
    # A browser that has just begun still makes what it makes once; the frames of a few rounds would be more than that.
    assert last.is_level(first, level=1.1), (first, last)
    assert sum("/board/code/" in address for address in screen.asked) == 1
