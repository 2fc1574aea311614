"""The odds explorer: figures are those of `punto odds --json`, what is chosen stands in the address, cells that favour
the player are marked, and a live shoe is for those whom the table allows.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from punto.books.catalogue import catalogue
from punto.table.terms import Audience
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import CHOSEN_CUT
from tests.browser.visitor import DESKTOP, LANGUAGES, PHONE, sized
from tests.cli.called import answer
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

SMALL = (1366, 650)
BOARD_SIZE = (1920, 1080)


def counted(page: Page) -> None:
    expect(page.locator("main[data-counting=false] [data-bet]").first).to_be_visible()


def told(book: str, decks: int, seen: str) -> dict[str, Any]:
    found: dict[str, Any] = answer("odds", book, "--decks", str(decks), "--seen", seen, "--json").json
    return found


@pytest.mark.parametrize(
    ("book", "decks", "removed"), [("insurance", 8, "9H,9S,8D"), ("knockout", 6, "4S"), ("ez", 8, "")]
)
def test_figures_are_those_of_the_command_line(visit: Visit, book: str, decks: int, removed: str) -> None:
    page = visit("Lee").open(f"/odds/{book}/{decks}/{removed}").page
    exact = told(book, decks, removed.replace(",", " "))
    expect(page.locator(f"[data-cards='{exact['cards']}']")).to_be_visible()
    counted(page)
    assert page.locator("[data-bet]").count() == len(exact["bets"])
    for bet in exact["bets"]:
        row = page.locator(f"[data-bet={bet['bet']}]")
        assert row.get_attribute("data-ev") == bet["ev"]
        expect(row.locator("[data-edge]")).to_contain_text(f"{abs(bet['edge']) * 100:.4f}%")
        expect(row.locator("[data-win]")).to_contain_text(f"{bet['win'] * 100:.4f}%")
        expect(row.locator("[data-sd]")).to_contain_text(f"{bet['sd']:.4f}")
    offers = exact.get("insurance", [])
    assert page.locator("[data-cell]").count() == len(offers)
    favoured = sum(Fraction(one["ev"]) > 0 for one in offers)
    if offers:
        expect(page.locator("[data-favoured]")).to_have_attribute("data-favoured", str(favoured))
        marked = page.locator("[data-cell].favours").all_text_contents()
        assert len(marked) == favoured and all("▲" in text for text in marked), "not by colour alone"
    assert page.locator("[data-antes] tbody tr").count() == len({one["first"] for one in exact.get("ante", [])})


def test_cards_are_removed_put_back_and_shared(visit: Visit) -> None:
    lee = visit("Lee").open("/odds/insurance")
    page = lee.page
    counted(page)
    assert lee.faults() == []
    lee.picture("odds-desktop")
    page.keyboard.press("9")
    page.locator("[data-rank='10']").click()
    page.locator("input[name=suit][value=H]").check()
    page.locator("[data-rank=K]").click()
    expect(page.locator("[data-removed]")).to_have_attribute("data-removed", "9,10,KH")
    expect(page.locator("[data-cards='413']")).to_be_visible()
    assert page.url.endswith("/odds/insurance/8/9,10,KH")
    page.keyboard.press("Backspace")
    page.locator("[data-undo]").click()
    expect(page.locator("[data-cards='415']")).to_be_visible()
    page.reload()
    expect(page.locator("[data-removed]")).to_have_attribute("data-removed", "9")
    counted(page)
    page.locator("[data-bet=player] button").click()
    exact = told("insurance", 8, "9H")
    ev = next(bet["ev"] for bet in exact["bets"] if bet["bet"] == "player")
    expect(page.locator("[data-full=player] dd").first).to_have_text(ev.replace("/", "\u200b/\u200b").replace("-", "−"))
    page.locator("[data-count]").click()
    expect(page.locator("[data-removals] tbody tr").first).to_be_visible(timeout=120_000)
    page.locator("details summary").first.click()
    assert lee.faults() == []
    for name, (width, height) in {"wide": BOARD_SIZE, "laptop": SMALL, "phone": PHONE}.items():
        sized(page, (width, height))
        lee.picture(f"odds-{name}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("[data-map]").first.scroll_into_view_if_needed()
    lee.picture("odds-phone-map")
    sized(page, DESKTOP)
    page.locator("[data-map]").first.scroll_into_view_if_needed()
    lee.picture("odds-map")
    page.locator("[data-removals]").scroll_into_view_if_needed()
    lee.picture("odds-removals")
    page.goto("/odds/knockout/8")
    expect(page.locator("[data-antes]")).to_be_visible()
    page.locator("[data-antes]").scroll_into_view_if_needed()
    lee.picture("odds-antes")


def test_the_name_of_a_book_is_whole_on_a_phone(visit: Visit) -> None:
    lee = visit("Lee", size=PHONE).open("/odds/insurance/8")
    page = lee.page
    counted(page)
    choice = page.locator("select[name=book]")
    for name in choice.locator("option").all_inner_texts():
        choice.select_option(label=name)
        shown = page.locator("main").get_by_text(name, exact=True).first
        expect(shown).to_be_visible()
        box, around = shown.bounding_box(), choice.bounding_box()
        assert box and around and around["x"] <= box["x"] and box["x"] + box["width"] < around["x"] + around["width"]
        assert around["y"] <= box["y"] and box["y"] + box["height"] <= around["y"] + around["height"]
        assert shown.evaluate("one => one.scrollWidth <= one.clientWidth"), name
        assert page.evaluate(CHOSEN_CUT) == []
        counted(page)
    lee.picture("odds-phone-book")
    assert lee.faults() == []


def test_figures_of_another_shoe_are_pale(visit: Visit) -> None:
    """Without a connection a card is gone, and the figures are those of the shoe before."""
    lee = visit("Lee").open("/odds/ez/8")
    page = lee.page
    counted(page)
    expect(page.locator("[data-old=false]")).to_be_visible()
    lee.context.set_offline(True)
    page.locator("[data-rank=K]").click()
    expect(page.locator("main > .flag")).to_be_visible()
    expect(page.locator("[data-old=true]")).to_have_css("opacity", "0.72")
    lee.context.set_offline(False)
    page.locator("main > .flag button").click()
    expect(page.locator("[data-cards='415']")).to_be_visible()
    expect(page.locator("[data-old=false]")).to_have_css("opacity", "1")


def test_a_live_shoe_is_for_those_whom_the_table_allows(floor: RunningFloor, visit: Visit) -> None:
    shut, open_ = Croupier(floor, "commission", advice=Audience.STAFF), Croupier(floor, "ez", advice=Audience.EVERYBODY)
    for croupier in (shut, open_):
        croupier.play("2S 4S 3S 5S")
    lee = visit("Lee").open(f"/odds/live/{open_.table}")
    expect(lee.page.locator("[data-cards='412']")).to_be_visible()
    expect(lee.page.locator("select[name=shoe] option:checked")).to_have_text(f"The shoe at {open_.table.upper()}")
    exact = told("ez", 8, "2S 4S 3S 5S")
    for bet in exact["bets"]:
        expect(lee.page.locator(f"[data-bet={bet['bet']}]")).to_have_attribute("data-ev", bet["ev"])
    open_.play("2H 4H 3H 5H")
    lee.page.locator("[data-refresh]").click()
    expect(lee.page.locator("[data-cards='408']")).to_be_visible()
    lee.page.locator("select[name=shoe]").select_option(shut.table)
    expect(lee.page.locator("[data-refused=not-allowed-here]")).to_be_visible()
    expect(lee.page.locator("[data-bet]")).to_have_count(0)
    lee.picture("odds-live-refused")
    assert lee.faults() == []


def test_the_catalogue_is_browsed_and_the_sheet_is_kept(visit: Visit) -> None:
    lee = visit("Lee").open("/odds/catalogue")
    page = lee.page
    page.locator("input[type=search]").fill("egalite-0")
    expect(page.locator("[data-catalogued]")).to_have_count(1)
    expect(page.locator("[data-catalogued=egalite-0]")).to_contain_text("150")
    page.locator("input[type=search]").fill("nothing like it")
    expect(page.get_by_role("status")).to_be_visible()
    page.locator("input[type=search]").fill("")
    page.locator("[data-section=each-total] summary").click()
    expect(page).to_have_url(re.compile("/odds/catalogue/each-total$"))
    page.locator("[data-section=each-total] [data-price]").click()
    expect(page.locator("[data-catalogued=egalite-0]")).to_contain_text("12.4527%", timeout=120_000)
    assert lee.faults() == []
    lee.picture("odds-catalogue")
    page.goto("/odds/ez")
    counted(page)
    with page.expect_download(timeout=240_000) as kept:
        page.locator("[data-sheet=json]").click()
    assert kept.value.suggested_filename == "ez-8-decks.json"


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_explorer_in_chinese(visit: Visit, language: str) -> None:
    lee = visit("Lee", size=PHONE, language=language).open("/odds/insurance")
    counted(lee.page)
    assert lee.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert lee.faults() == []
    lee.picture(f"odds-{language}")
    lee.open("/odds/catalogue")
    expect(lee.page.locator("[data-section=totals] summary")).to_be_visible()
    assert not [name for name in lee.page.locator("summary").all_inner_texts() if re.search("[A-Za-z]", name)]
    names = lee.page.locator("[data-catalogued] th").all_text_contents()
    assert len(names) == len(catalogue())
    assert not [name for name in names if re.search("[A-Za-z]{2}", name)]
