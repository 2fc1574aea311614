"""Roads on a page: ask with what it would add, patterns by their names, whole columns, and a picture to keep."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_felt import SIZES
from tests.browser.visitor import PHONE
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

CARDS = {"B": "2{0} 4{0} 3{0} 5{0}", "P": "4{0} 2{0} 5{0} 3{0}"}
"""Four cards that decide a round, in some suit."""
SHOE = "BBBBBBPBPBPPBBPP"
CUT = """() => [...document.querySelectorAll(".roads [data-road] .box")].map((box) => {
  const size = box.querySelector("svg").getAttribute("height") / 6; // a large screen is zoomed, and a rectangle with it
  return [box.scrollLeft / size, box.clientWidth / size].map((columns) => Math.abs(columns - Math.round(columns)));
})"""
"""How much of a column is cut at the left and at the right of each road."""

OUTSIDE = """() => {
  const panel = document.querySelector(".roads").parentElement.getBoundingClientRect();
  return [...document.querySelectorAll(".roads [data-road], .roads [data-ask], .roads [data-share]")]
    .filter((one) => one.getBoundingClientRect().right > panel.right || one.getBoundingClientRect().left < panel.left)
    .map((one) => one.dataset.road ?? one.dataset.ask ?? "share");
}"""
"""Which parts of the roads stand out of their panel at a side."""


def test_ask_patterns_and_the_picture(floor: RunningFloor, visit: Visit, tmp_path: Path) -> None:
    croupier = Croupier(floor, "commission")
    for number, winner in enumerate(SHOE):
        croupier.play(CARDS[winner].format("SHDC"[number % 4]))
    lee = visit("Lee").at_table(croupier.table)
    roads = lee.page.locator(".roads")
    expect(roads.locator(".patterns button")).to_have_text(["Double jump of 6", "Single jump of 4", "Dragon of 6 B"])
    roads.locator("[data-pattern=dragon]").first.hover()
    expect(roads.locator("[data-road=big] path[data-pattern=dragon]")).to_be_attached()

    shown = lee.floor.client("Lee").http.get(f"/tables/{croupier.table}/roads").json()["roads"]
    for side in ("banker", "player"):
        for kind, name in (("bigEye", "big_eye"), ("small", "small"), ("cockroach", "cockroach")):
            answer = shown["ask"][side][name]
            mark = roads.locator(f"[data-ask='{side} {kind}'] [data-mark]")
            expect(mark).to_have_attribute("data-mark", "red" if answer["red"] else "blue")
    roads.locator("[data-ask='banker small']").hover()
    expect(roads.locator("path[data-asked=banker]")).to_have_count(4)
    lee.picture("roads-ask")
    lee.page.mouse.move(5, 5)
    expect(roads.locator("path[data-asked]")).to_have_count(0)
    roads.locator("[data-ask='player bigEye']").focus()
    expect(roads.locator("path[data-asked=player]")).to_have_count(4)
    assert lee.page.evaluate(CUT) == [[pytest.approx(0, abs=0.06)] * 2] * 5
    assert lee.faults() == []

    with lee.page.expect_download() as kept:
        roads.locator("[data-share]").click()
    assert kept.value.suggested_filename == f"punto-{croupier.table}-1.png"
    picture = tmp_path / "roads.png"
    kept.value.save_as(picture)
    content = picture.read_bytes()
    width, height = struct.unpack(">II", content[16:24])
    assert content[:8] == b"\x89PNG\r\n\x1a\n" and width > 1200 and height > 900

    for width, height in SIZES:
        lee.sized((width, height))
        lee.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert lee.page.evaluate(CUT) == [[pytest.approx(0, abs=0.06)] * 2] * 5, (width, height)
        assert lee.page.evaluate(OUTSIDE) == [], (width, height)
        assert lee.page.evaluate("document.documentElement.scrollWidth") == width

    lee.sized(PHONE)
    roads.locator("[data-ask='banker cockroach']").scroll_into_view_if_needed()
    roads.locator("[data-ask='banker cockroach']").click()
    expect(roads.locator("path[data-asked=banker]")).to_have_count(4)
    assert lee.page.evaluate(CUT) == [[pytest.approx(0, abs=0.06)] * 2] * 5
    assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    lee.picture("roads-phone")
    picture.rename(Path(".browser-tests") / "roads-shared.png")
