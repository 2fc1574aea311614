"""Light and dark: chosen in the head of every page, kept on the machine, or as the machine has it; both can be read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
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
    lee.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    lee.at_table(croupier.table)
    seen(lee, "table-phone")
    lee.open("/")
    assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    seen(lee, "lobby-phone")


def by_day(visitor: Visitor) -> Visitor:
    visitor.context.add_init_script(
        'localStorage.setItem(\'punto.preferences\', \'{"theme":"light","hasSeenHowTo":true}\')'
    )
    return visitor


def seen(visitor: Visitor, name: str) -> None:
    visitor.picture(f"light-{name}")
    assert visitor.page.evaluate("document.documentElement.dataset.theme") == "light"
    assert visitor.faults() == []
