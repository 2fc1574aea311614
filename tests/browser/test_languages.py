"""Every page in every language, changed without a reload: axe finds nothing, no word is missing or cut off."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.books import NAMES as BOOKS
from punto.books import load
from punto.client import PitCall, Waiting
from punto.rules.authority import LADDER, Authority, Role
from punto.rules.book import digest_of
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.spoken import english_in, undrawn_in
from tests.browser.visitor import DESKTOP, LANGUAGES, PHONE, Visitor
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow

PAUSE_BY_TWO = Authority("pause-table", LADDER, second=Role.PIT_SUPERVISOR)
CUT = """
() => [...document.querySelectorAll("button, h1, h2, h3, dt, dd, th, label, legend, .phase, .call")]
  .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
  .filter(one => !one.closest(".unseen"))
  .filter(one => getComputedStyle(one).overflowX !== "auto" && getComputedStyle(one).display !== "inline")
  .map(one => `${one.tagName}.${one.className}: ${one.innerText.slice(0, 40)}`)
"""
"""Labels that are wider than their box."""
CHOSEN_CUT = """
() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("select, input[placeholder]")].filter(one => {
    const style = getComputedStyle(one), isSelect = one.tagName === "SELECT";
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const text = isSelect ? one.selectedOptions[0]?.text ?? "" : one.placeholder;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (!one.checkVisibility({ opacityProperty: true })) return false;
    return pen.measureText(text).width + (isSelect ? 16 : 0) > room + 1;
  }).map(one => one.outerHTML.slice(0, 80));
}
"""
"""Choices whose text does not fit beside their arrow, and fields too narrow for what they ask for."""
STRANGE = """
async () => {
  document.body.getBoundingClientRect(); // other words are laid out first: only then are their fonts asked for
  await document.fonts.ready;
  const text = document.body.innerText;
  return ["undefined", "[object", "NaN"].filter(word => text.includes(word));
}
"""


def speaks(visitor: Visitor, language: str) -> None:
    """Another language is chosen in the head of the page, which stays as it is; also where a dialog lies over it."""
    visitor.page.locator("select:has(option[value=en]):has(option[value=zh-Hant])").first.evaluate(
        "(one, code) => { one.value = code; one.dispatchEvent(new Event('change', { bubbles: true })); }", language
    )
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)


def check(visitor: Visitor, name: str, languages: tuple[str, ...] = LANGUAGES, *names: str) -> None:
    """One page in these languages, without a reload: its labels, axe, and a picture. Names are not English words."""
    for language in languages:
        speaks(visitor, language)
        assert visitor.page.evaluate(STRANGE) == []
        assert visitor.page.evaluate(CUT) == [], language
        assert visitor.page.evaluate(CHOSEN_CUT) == [], language
        if language != "en":
            assert english_in(visitor.page, *names) == [], language
            assert undrawn_in(visitor.page) == [], language
        visitor.picture(f"{name}-{language}")
    assert visitor.faults() == []


@pytest.mark.gli("4.4.1")
def test_pages_of_a_player(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "knockout")
    croupier.open_bets()
    nobody = visit(None).open("/")
    expect(nobody.page.locator("[name=password]")).to_be_visible()
    words = [address.rsplit("/", 1)[-1].split("-")[0] for address in nobody.asked if "/page-" in address]
    assert words == ["page"], "words of one language travel, and those of another when it is chosen"
    check(nobody, "log-in")
    assert len([address for address in nobody.asked if "/page-" in address]) == len(LANGUAGES)
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("player", 10_000)
    check(lee, "table-betting")
    croupier.deal("KS KH 2D 3C 4S 5H")
    croupier.finish()
    lee.phase("finished")
    check(lee, "table-result")
    for path, name, shown in (
        ("/", "lobby", "main a"),
        ("/account", "account", "main table"),
        (f"/rules/{croupier.shown().digest}", "rules", "main table"),
    ):
        lee.open(path)
        expect(lee.page.locator(shown).first).to_be_visible()
        check(lee, name)


@pytest.mark.gli("4.4.1")
def test_the_rules_of_every_book_are_in_chinese(visit: Visit) -> None:
    lee = visit("Lee").open("/rules")
    expect(lee.page.locator("main li")).not_to_have_count(0)
    check(lee, "books")
    for book in BOOKS:
        lee.open(f"/rules/{digest_of(load(book))}")
        expect(lee.page.locator("dd").first).to_be_visible()
        for language in LANGUAGES[1:]:
            check(lee, f"rules-{book}", (language,))
            assert lee.page.locator("main [lang=en]").all_inner_texts() == [load(book).source]


def test_pages_on_a_phone(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    lee = visit("Lee", size=PHONE).at_table(croupier.table)
    lee.page.locator("[data-seat='1']").click()
    expect(lee.page.locator(".seat.mine")).to_have_count(1)
    lee.bet("player", 50_000)
    check(lee, "table-betting-phone")
    croupier.deal("KS KH 5D 4C")
    lee.phase("insurance")
    check(lee, "table-insurance-phone")
    for path, name, shown in (
        ("/", "lobby", "main a"),
        ("/account", "account", "main table"),
        (f"/rules/{croupier.shown().digest}", "rules", "main table"),
    ):
        lee.open(path)
        expect(lee.page.locator(shown).first).to_be_visible()
        check(lee, f"{name}-phone")
        assert lee.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_the_console(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=50_000, round=1)
    dealer = visit("Dan", size=DESKTOP).at_console(croupier.table)
    for summary in dealer.page.locator("summary").all():
        summary.click()
    check(dealer, "console-betting")
    croupier.deal("KS KH 5D 4C")
    expect(dealer.page.locator("[data-insurance='4']")).to_be_visible()
    check(dealer, "console-insurance")
    dealer.page.keyboard.press("F8")
    dealer.page.locator("[data-report] [data-add]").click()
    check(dealer, "console-report")
    dealer.page.keyboard.press("Escape")
    croupier.give("report", seen=["wrong-set"], note="short")
    expect(dealer.page.locator("[data-case]")).to_be_visible()
    check(dealer, "console-case")
    dealer.sized(PHONE)
    check(dealer, "console-case-phone")
    dealer.page.locator("[data-call-pit]").click()
    check(dealer, "console-call-pit-phone")
    dealer.page.keyboard.press("Escape")
    dealer.page.locator("[data-pit-here]").click()
    dealer.page.locator("[name=pit-name]").fill("Sue")
    check(dealer, "console-pit-phone")
    dealer.page.locator("[name=pit-password]").fill(PASSWORD)
    dealer.page.keyboard.press("Enter")
    expect(dealer.page.locator("[data-pit=Sue]")).to_be_visible()
    check(dealer, "console-pit-signed-in-phone")


def test_the_pit_is_asked(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission", authority=(PAUSE_BY_TWO,))
    pause = floor.client("Dan").give(croupier.table, {"type": "pause-table"}, Role.DEALER, expected=1)
    assert isinstance(pause, Waiting)
    called = floor.client("Dan").call_pit(croupier.table, "a dispute over a bet")
    assert isinstance(called, PitCall)
    sue = visit("Sue").at_console(croupier.table)
    expect(sue.page.locator("[data-approval]")).to_be_visible()
    expect(sue.page.locator(f"[data-call-of={croupier.table}]")).to_be_visible()
    check(sue, "console-agree")
    sue.sized(PHONE)
    check(sue, "console-agree-phone")
    sue.open("/")
    expect(sue.page.locator(f"[data-call-of={croupier.table}]")).to_be_visible()
    check(sue, "lobby-pit-called-phone")
    floor.client("Sue").answer_pit_call(called.call, "cleared")
    floor.client("Sue").decide(pause.approval, "decline")
