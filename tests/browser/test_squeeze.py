"""The squeeze by mouse, by touch and by keyboard: what is bent up shows, nothing else, and to nobody else."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import PHONE, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

IN_SIGHT = """
card => {
  const box = card.getBoundingClientRect(), steps = 40;
  const seen = { face: 0, back: 0 };
  for (let i = 0; i < steps; i++)
    for (let j = 0; j < steps; j++) {
      const x = box.left + (i + .5) * box.width / steps, y = box.top + (j + .5) * box.height / steps;
      const at = document.elementFromPoint(x, y);
      if (at?.closest("g[clip-path*=bent]")) seen.face++;
      else if (at?.closest("g[clip-path*=lying]")) seen.back++;
    }
  return [seen.face / steps ** 2, seen.back / steps ** 2];
}
"""
"""Which shares of a card's place show its face and its back, by what the browser finds there."""


HEARD = """
window.heard = 0;
const start = AudioScheduledSourceNode.prototype.start;
AudioScheduledSourceNode.prototype.start = function (...when) { window.heard++; return start.apply(this, when); };
"""
"""Counts the strokes of sounds that a page plays."""


def bent(card: Locator) -> float:
    return float(card.get_attribute("data-share") or 0)


def place(card: Locator) -> tuple[float, float, float, float]:
    card.scroll_into_view_if_needed()
    box = card.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


def shows_what_is_bent(card: Locator, share: float) -> None:
    """An edge that is pulled over: as much face as is bent up, and where that lies and came from, no back."""
    assert bent(card) == pytest.approx(share, abs=0.02)
    face, back = card.evaluate(IN_SIGHT)
    assert face == pytest.approx(share, abs=0.04)
    assert back == pytest.approx(1 - 2 * share, abs=0.05)
    assert card.locator("text").count() == 0, "the index lies under the thumb"


class Finger:
    """One finger on a page, which Playwright itself only taps with."""

    def __init__(self, visitor: Visitor) -> None:
        self._cdp = visitor.context.new_cdp_session(visitor.page)

    def pull(self, *ways: tuple[float, float]) -> None:
        """Down at the first place and over the others; it stays there."""
        for number, (x, y) in enumerate(ways):
            kind = "touchMove" if number else "touchStart"
            self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})

    def lift(self) -> None:
        self._cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def is_over_the_felt(lee: Visitor, card: Locator) -> None:
    """Large, whole on the screen, and nothing below it has moved."""
    assert lee.page.viewport_size is not None
    wide, high = lee.page.viewport_size["width"], lee.page.viewport_size["height"]
    x, y, width, height = place(card)
    assert height >= (300 if wide > 1000 else high / 2), (wide, high, height)
    assert x >= 0 and y >= 0 and x + width <= wide and y + height <= high
    assert lee.page.evaluate("document.documentElement.scrollWidth") == wide


def knows_nothing(visitor: Visitor, *cards: str) -> None:
    """No frame that arrived and nothing in the page names one of these cards."""
    seen = json.dumps(visitor.frames) + visitor.page.content()
    assert [card for card in cards if f'"{card}"' in seen] == []


@pytest.mark.gli("WCAG 2.5.7")
def test_cards_are_squeezed_by_mouse_touch_and_keyboard(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee, kim = visit("Lee", has_touch=True), visit("Kim").at_table(croupier.table)
    lee.context.add_init_script(HEARD)
    dan = visit("Dan").at_console(croupier.table)
    lee.at_table(croupier.table)
    lee.sit(1)
    kim.sit(2)
    lee.bet("player", 50_000)
    kim.bet("player", 10_000)
    lee.page.wait_for_function("window.heard > 0")  # a chip of one's own
    for visitor in (lee, kim):
        visitor.page.locator("[data-wish=player]").click()  # before the deal; Kim's bet is not the highest
    croupier.give(**croupier.next())
    for number in (1, 2):
        expect(lee.page.locator(f"[data-asked='player {number}']")).to_contain_text("Waiting for the dealer")
        croupier.give("answer-squeeze", consent=True)
    expect(lee.page.locator("[data-granted]")).to_have_text("You may squeeze: Player, card 1, Player, card 2")
    lee.page.locator("[data-squeeze='banker 2']").click()
    expect(lee.page.get_by_text("Waiting for the dealer")).to_be_visible()
    croupier.give("answer-squeeze", consent=True)
    assert [asked["player"] for asked in croupier.shown().view["squeezes"]] == ["Lee"] * 3
    croupier.deal("7S 6H 9D 8C")
    card = lee.page.locator(".squeeze svg")
    expect(lee.page.locator("[data-squeezing='player 1']")).to_be_visible()
    expect(card.locator("g[clip-path*=bent]")).to_have_count(0)
    is_over_the_felt(lee, card)
    felt = lee.page.locator(".hands").bounding_box()
    lee.page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    assert lee.page.locator(".hands").bounding_box() == felt, "an overlay moves nothing"
    lee.page.locator("[data-pick]").first.click()
    expect(card).to_be_focused()

    x, y, width, height = place(card)
    lee.page.mouse.move(x + width / 2, y + height - 1)
    lee.page.mouse.down()
    lee.page.mouse.move(x + width / 2, y + height * 0.6, steps=4)
    shows_what_is_bent(card, 0.2)
    expect(kim.page.locator("[data-fold='bottom 8']")).to_be_visible()
    expect(dan.page.locator("[data-fold='bottom 8']")).to_be_visible()
    lee.picture("squeeze-mouse")
    kim.picture("squeeze-watched")
    lee.page.mouse.up()
    expect(card).to_have_attribute("data-share", "0.000")
    expect(kim.page.locator("[data-fold='bottom 0']")).to_be_visible()
    expect(kim.page.locator("[data-card=down]")).to_have_count(4)
    lee.page.mouse.move(x + width / 2, y + height - 1)
    lee.page.mouse.down()
    lee.page.mouse.move(x + width / 2, y + height * 0.45, steps=4)
    knows_nothing(kim, "7S", "6H", "9D", "8C")
    lee.page.mouse.up()  # past half of the way: about a quarter of the card is bent up
    expect(kim.page.locator("[data-card='7S']")).to_be_visible()
    expect(lee.page.locator("[data-squeezing='player 2']")).to_be_visible()

    finger, wide = Finger(lee), lee.page.viewport_size
    assert wide is not None
    lee.sized(PHONE)
    is_over_the_felt(lee, card)
    x, y, width, height = place(card)
    finger.pull((x + 1, y + height / 2), (x + width * 0.1, y + height / 2), (x + width * 0.3, y + height / 2))
    expect(kim.page.locator("[data-fold='left 6']")).to_be_visible()
    shows_what_is_bent(card, 0.15)
    finger.lift()
    expect(card).to_have_attribute("data-share", "0.000")
    finger.pull((x + 6, y + height - 6), (x + width * 0.1, y + height * 0.9), (x + width * 0.4, y + height * 0.6))
    expect(kim.page.locator("[data-fold='bottom-left 8']")).to_be_visible()
    face, _ = card.evaluate(IN_SIGHT)
    assert 0 < bent(card) < 0.3 and face == pytest.approx(bent(card), abs=0.03)
    lee.picture("squeeze-phone")
    kim.picture("squeeze-watched-corner")
    finger.lift()
    expect(card).to_have_attribute("data-share", "0.000")
    finger.pull((x + 1, y + height / 2), (x + width * 0.5, y + height / 2), (x + width * 0.55, y + height / 2))
    knows_nothing(kim, "9D", "6H", "8C")
    finger.lift()
    expect(kim.page.locator("[data-card='9D']")).to_be_visible()
    lee.page.set_viewport_size(wide)

    expect(lee.page.locator("[data-squeezing='banker 2']")).to_be_visible()
    expect(card).to_be_focused()
    for _ in range(4):
        lee.page.keyboard.press("ArrowUp")
    shows_what_is_bent(card, 4 / 20 / 2)
    expect(lee.page.locator(".squeeze [aria-live]")).to_have_text("no whole pip in sight")
    for _ in range(6):
        lee.page.keyboard.press("ArrowUp")
    expect(lee.page.locator(".squeeze [aria-live]")).to_have_text("2 pips in sight")
    for _ in range(10):
        lee.page.keyboard.press("ArrowDown")
    expect(card).to_have_attribute("data-share", "0.000")
    for _ in range(7):
        lee.page.keyboard.press("PageUp")
    expect(kim.page.locator("[data-fold='bottom-left 7']")).to_be_visible()
    knows_nothing(kim, "8C", "6H")
    assert lee.faults() == []
    lee.page.keyboard.press("Enter")
    expect(kim.page.locator("[data-card='8C']")).to_be_visible()
    croupier.give(**croupier.next())
    expect(lee.page.locator("[data-card='6H']")).to_be_visible()
    lee.page.locator("[data-sound]").click()
    lee.page.reload()
    expect(lee.page.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")
    assert {frame["player"] for frame in kim.frames if frame["type"] == "folded"} == {"Lee"}
    assert [frame for frame in lee.frames if frame["type"] == "folded"] == []


@pytest.mark.parametrize("way", ["mouse", "touch"])
def test_a_card_is_squeezed_from_the_right_and_from_the_top(floor: RunningFloor, visit: Visit, way: str) -> None:
    """The edges that no other test pulls, each past the turn: what is bent up shows, others see the fold alone."""
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee, kim = visit("Lee", has_touch=True).at_table(croupier.table), visit("Kim").at_table(croupier.table)
    lee.sit(1)
    lee.bet("player", 50_000)
    croupier.give("close-bets")
    for number in (1, 2):
        croupier.give("ask-squeeze", by="Lee", role=Role.PLAYER, kind="card", hand="player", number=number)
        croupier.give("answer-squeeze", consent=True)
    croupier.deal("7S 6H 9D 8C")
    card, finger, mouse = lee.page.locator(".squeeze svg"), Finger(lee), lee.page.mouse

    def pull(*ways: tuple[float, float]) -> None:
        if way == "touch":
            finger.pull(*ways)
            return
        mouse.move(*ways[0])
        mouse.down()
        for x, y in ways[1:]:
            mouse.move(x, y, steps=4)

    for number, edge in ((1, "right"), (2, "top")):
        expect(lee.page.locator(f"[data-squeezing='player {number}']")).to_be_visible()
        x, y, width, height = place(card)
        if edge == "right":
            ways = [(x + width - max(1, part * width), y + height / 2) for part in (0, 0.1, 0.3, 0.4, 0.55)]
        else:
            ways = [(x + width / 2, y + max(1, part * height)) for part in (0, 0.1, 0.3, 0.4, 0.55)]
        pull(*ways[:3])
        expect(kim.page.locator(f"[data-fold='{edge} 6']")).to_be_visible()
        shows_what_is_bent(card, 0.15)
        finger.lift() if way == "touch" else mouse.up()
        expect(card).to_have_attribute("data-share", "0.000")
        pull(*ways)
        knows_nothing(kim, *(("7S", "9D") if number == 1 else ("9D",)), "6H", "8C")
        finger.lift() if way == "touch" else mouse.up()
        expect(kim.page.locator(f"[data-card='{'7S' if number == 1 else '9D'}']")).to_be_visible()


SIZES = (
    *((1366, 650), (1280, 720), (1024, 768), (844, 390), (820, 1180)),
    *((390, 844), (360, 640), (320, 568), (1920, 1080), (2560, 1440)),
)
PACE = {"bets": 200, "antes": 200, "insurance": 200, "squeeze": 600_000, "cards": 1_500, "rounds": 600_000}


def test_an_automatic_table_grants_what_was_wished_and_shows_the_clock(floor: RunningFloor, visit: Visit) -> None:
    table = floor.new_table("insurance", faces=Faces.DOWN)
    lee = visit("Lee", language="zh-Hans").at_table(table)
    dan = floor.client("Dan")
    while (shown := dan.table(table)).view["phase"] != "betting":  # type: ignore[union-attr]
        dan.give(table, shown.view["next"]["command"], Role.DEALER, expected=shown.version)  # type: ignore[union-attr]
    lee.sit(1)
    lee.bet("banker", 10_000)
    lee.page.locator("[data-wish=banker]").click()
    lee.at_table(table)
    expect(lee.page.locator("[data-wish=banker]")).to_have_attribute("aria-pressed", "true")  # a reload forgets no wish
    rob = floor.client("Rob").http
    try:
        answer = rob.put(f"/tables/{table}/running", json={"dealer": "automatic", "pace": PACE})
        assert answer.status_code == 200, answer.text
        card = lee.page.locator(".squeeze svg")
        expect(lee.page.locator("[data-squeezing='banker 1'] [data-clock]")).to_be_visible()
        for width, height in SIZES:
            lee.sized((width, height))
            is_over_the_felt(lee, card)
            for button in ("[data-turn]", "[data-lay-down]", "[data-squeezing] [data-clock]"):
                expect(lee.page.locator(button)).to_be_in_viewport(ratio=1)
            lee.picture(f"squeeze-{width}")
        lee.page.locator("[data-turn]").click()
        expect(lee.page.locator("[data-squeezing='banker 2']")).to_be_visible()
    finally:
        rob.put(f"/tables/{table}/running", json={"dealer": "person"})
