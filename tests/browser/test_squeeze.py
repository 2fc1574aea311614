"""The squeeze by mouse, by touch and by keyboard: what is bent up shows, nothing else, and to nobody else."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, expect

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


@pytest.mark.gli("WCAG 2.5.7")
def test_cards_are_squeezed_by_mouse_touch_and_keyboard(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance", faces=Faces.DOWN)
    croupier.open_bets()
    lee, kim = visit("Lee", has_touch=True).at_table(croupier.table), visit("Kim").at_table(croupier.table)
    lee.sit(1)
    kim.sit(2)
    lee.bet("player", 50_000)
    kim.bet("player", 10_000)
    croupier.give(**croupier.next())
    for card in ("player 1", "player 2", "banker 2"):
        lee.page.locator(f"[data-squeeze='{card}']").click()
        expect(lee.page.get_by_text("Waiting for the dealer")).to_be_visible()
        croupier.give("answer-squeeze", consent=True)
    croupier.deal("7S 6H 9D 8C")
    cards = lee.page.locator(".squeeze svg")
    expect(cards).to_have_count(3)
    expect(cards.locator("g[clip-path*=bent]")).to_have_count(0)

    mouse = cards.nth(0)
    x, y, width, height = place(mouse)
    lee.page.mouse.move(x + width / 2, y + height - 1)
    lee.page.mouse.down()
    lee.page.mouse.move(x + width / 2, y + height * 0.6, steps=4)
    shows_what_is_bent(mouse, 0.2)
    lee.picture("squeeze-mouse")
    lee.page.mouse.up()
    expect(mouse).to_have_attribute("data-share", "0.000")
    expect(kim.page.locator("[data-card=down]")).to_have_count(4)
    lee.page.mouse.move(x + width / 2, y + height - 1)
    lee.page.mouse.down()
    lee.page.mouse.move(x + width / 2, y - 10, steps=4)
    lee.page.mouse.up()
    expect(kim.page.locator("[data-card='7S']")).to_be_visible()
    expect(cards).to_have_count(2)

    touched, finger = cards.nth(0), Finger(lee)
    x, y, width, height = place(touched)
    finger.pull((x + 1, y + height / 2), (x + width * 0.1, y + height / 2), (x + width * 0.3, y + height / 2))
    expect(touched).not_to_have_attribute("data-share", "0.000")
    shows_what_is_bent(touched, 0.15)
    finger.lift()
    expect(touched).to_have_attribute("data-share", "0.000")
    finger.pull((x + 6, y + height - 6), (x + width * 0.1, y + height * 0.9), (x + width * 0.2, y + height * 0.8))
    expect(touched).not_to_have_attribute("data-share", "0.000")
    face, _ = touched.evaluate(IN_SIGHT)
    assert 0 < bent(touched) < 0.1 and face == pytest.approx(bent(touched), abs=0.03)
    finger.lift()
    expect(touched).to_have_attribute("data-share", "0.000")
    finger.pull((x + 1, y + height / 2), (x + width * 0.5, y + height / 2), (x + width + 9, y + height / 2))
    hidden = json.dumps(kim.frames) + kim.page.content()
    for card in ("9D", "6H", "8C"):
        assert f'"{card}"' not in hidden
    finger.lift()
    expect(kim.page.locator("[data-card='9D']")).to_be_visible()
    expect(cards).to_have_count(1)

    keys = cards.nth(0)
    wide = lee.page.viewport_size
    lee.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert place(keys)[2] >= 99, "a finger covers a small card"
    assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert wide is not None
    lee.page.set_viewport_size(wide)
    keys.focus()
    for _ in range(4):
        lee.page.keyboard.press("ArrowUp")
    shows_what_is_bent(keys, 4 * 18 / 2 / 350)
    expect(lee.page.locator(".squeeze [aria-live]")).to_have_text("no whole pip in sight")
    for _ in range(6):
        lee.page.keyboard.press("ArrowUp")
    expect(lee.page.locator(".squeeze [aria-live]")).to_have_text("2 pips in sight")
    for _ in range(10):
        lee.page.keyboard.press("ArrowDown")
    expect(keys).to_have_attribute("data-share", "0.000")
    assert '"8C"' not in json.dumps(kim.frames) + kim.page.content()
    lee.page.keyboard.press("Enter")
    expect(kim.page.locator("[data-card='8C']")).to_be_visible()
    croupier.give(**croupier.next())
    expect(lee.page.locator("[data-card='6H']")).to_be_visible()
