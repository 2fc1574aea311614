"""Light and dark: chosen in the head of every page, kept on the machine, or as the machine has it; both can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_pit import drawn_together
from tests.browser.visitor import PHONE, Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


def ground(visitor: Visitor) -> str:
    return str(visitor.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


DARK, LIGHT = "rgb(12, 20, 18)", "rgb(238, 240, 234)"


def test_the_choice_is_kept_and_follows_the_machine(visit: Visit) -> None:
    lee = visit("Lee", color_scheme="light").open("/")
    expect(lee.page.locator("[data-theme-choice]")).to_have_value("dark")
    assert ground(lee) == DARK
    lee.page.locator("[data-theme-choice]").select_option("light")
    assert ground(lee) == LIGHT
    lee.page.reload()
    expect(lee.page.locator("[data-theme-choice]")).to_have_value("light")
    assert ground(lee) == LIGHT
    lee.page.locator("[data-theme-choice]").select_option("system")
    assert ground(lee) == LIGHT
    lee.page.emulate_media(color_scheme="dark")
    expect(lee.page.locator("html[data-theme=dark]")).to_be_attached()
    assert ground(lee) == DARK


def test_every_page_can_be_read_by_daylight(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    nobody = by_day(visit(None)).open("/")
    expect(nobody.page.locator("[name=password]")).to_be_visible()
    seen(nobody, "log-in")
    lee, dan = by_day(visit("Lee")), by_day(visit("Dan"))
    lee.at_table(croupier.table).bet("player", 50_000)
    seen(lee, "table")
    dan.at_console(croupier.table)
    seen(dan, "console")
    croupier.deal("KS KH 5D 4C")
    lee.phase("insurance")
    seen(lee, "table-insurance")
    for path, shown in (("/", "main a"), ("/account", "main table"), ("/rules", "main li")):
        lee.open(path)
        expect(lee.page.locator(shown).first).to_be_visible()
        seen(lee, path.strip("/") or "lobby")
    lee.sized(PHONE)
    lee.at_table(croupier.table)
    seen(lee, "table-phone")
    lee.open("/")
    assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    seen(lee, "lobby-phone")


def test_text_on_a_felt_can_be_read_by_daylight(floor: RunningFloor, visit: Visit) -> None:
    """The pit, a case and both boards: a felt stays dark by day, and so what is written on it stays pale."""
    table = drawn_together(floor)
    sue, aud = by_day(visit("Sue")), by_day(visit("Aud"))
    for path, shown in (
        ("/pit", f"[data-table={table}] .pill"),
        (f"/pit/tables/{table}", ".pill"),
        (f"/pit/cases/{table}", "[data-card-order]"),
    ):
        sue.open(path)
        expect(sue.page.locator(shown).first).to_be_visible()
        assert written_on_felt(sue) == [], path
        seen(sue, path)
    played = Croupier(floor, "commission")
    played.play("KS KH 9D 8C")
    aud.open(f"/audit/rounds/{played.table}/1")
    expect(aud.page.locator(".felt [data-step]")).to_be_visible()
    seen(aud, "audit-round")
    screen = by_day(visit("Lee", size=(1280, 720)))
    for path, shown in ((f"/board/{table}", "[data-board=on]"), ("/board", "[data-board=keypad]")):
        screen.open(path)
        expect(screen.page.locator(shown)).to_be_visible()
        assert written_on_felt(screen) == [], path
        seen(screen, path)


def by_day(visitor: Visitor) -> Visitor:
    visitor.context.add_init_script(
        'localStorage.setItem(\'punto.preferences\', \'{"theme":"light","hasSeenHowTo":true}\')'
    )
    return visitor


def seen(visitor: Visitor, name: str) -> None:
    visitor.picture(f"light-{name}")
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "light"
    assert visitor.faults() == []


CONTRASTS = """() => {
  const parts = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const light = (rgb) => {
    const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.map((one) => linear(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const felt = parts(getComputedStyle(document.querySelector("[data-felt-colour]")).backgroundColor).rgb;
  const behind = (one) => {
    const layers = [];
    for (let up = one; up; up = up.parentElement) {
      const { rgb, a } = parts(getComputedStyle(up).backgroundColor);
      layers.unshift([rgb, a]);
      if (a === 1) break;
    }
    const base = layers[0][0];
    const seen = layers.slice(1).reduce((below, [rgb, a]) => below.map((part, i) => part * (1 - a) + rgb[i] * a), base);
    return [String(base) === String(felt), seen];
  };
  const found = [];
  for (const one of document.querySelectorAll("#app *")) {
    const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    if (!text || one.closest("svg, .unseen, .card") || !one.checkVisibility()) continue;
    const [isOnFelt, back] = behind(one);
    if (isOnFelt) found.push([text, ratio(parts(getComputedStyle(one).color).rgb, back)]);
  }
  return found;
}"""
"""Every text that stands on a felt, with its contrast."""


def written_on_felt(visitor: Visitor) -> list[tuple[str, float]]:
    """What stands on a felt and can hardly be read; something has to stand there."""
    visitor.page.evaluate(
        """() => {
          const patch = document.createElement("i");
          patch.dataset.feltColour = "";
          patch.style.background = "var(--felt)";
          document.body.append(patch);
        }"""
    )
    found = visitor.page.evaluate(CONTRASTS)
    assert found, "nothing is written on a felt here"
    return [(text, round(contrast, 2)) for text, contrast in found if contrast < 4.5]
