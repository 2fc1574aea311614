"""What the pages of the house have in common: on phones they are read without being pushed sideways, an empty house
says what comes first, a table has the name of its sign, and play money is told wherever a stranger could take it for
real.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from punto.cards.source import SourceKind
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import PHONE, Visitor
from tests.documents.pdf_reader import text_of_pdf
from tests.server.running_floor import RunningFloor, running_floor
from tests.server.test_watch_routes import allow

pytestmark = pytest.mark.slow
PUSHED = """() => [...document.querySelectorAll("main table, main .wide")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.outerHTML.slice(0, 80))"""
"""What in the page is wider than it is shown."""
IN_SIGHT = """(link) => {
  const [inner, outer] = [link.getBoundingClientRect(), link.parentElement.getBoundingClientRect()];
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
}"""


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_people_sessions_invitations_and_devices_are_lines_on_a_phone(
    visit: Visit, floor: RunningFloor, language: str
) -> None:
    floor.fresh_client("Mia")
    table = floor.new_table("commission", source=SourceKind.ENTERED)
    ada = floor.client("Ada").http
    ada.post("/house/invitations", json={"number": 1, "buy_in": 500, "hours": 2}).raise_for_status()
    ada.post("/devices", json={"table": table, "name": f"shoe-{language.lower()}"}).raise_for_status()
    office = visit("Ada", size=PHONE, language=language).open("/office/people")
    page = office.page
    page.locator("[data-person=Mia] button").click()
    expect(page.locator("[data-sessions]")).to_be_visible()
    assert page.evaluate(PUSHED) == []
    assert office.faults() == []
    for room, shown in (("invitations", "[data-invitation]"), ("devices", "table td.table-name")):
        office.open(f"/office/{room}")
        expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate(PUSHED) == [], room
        assert office.faults() == []


def test_what_leads_elsewhere_is_one_line_with_the_open_page_in_sight(visit: Visit) -> None:
    for name, path in (("Ada", "office/health"), ("Rob", "reports/days"), ("Aud", "audit/software")):
        visitor = visit(name, size=PHONE).open(f"/{path}")
        for line in (visitor.page.locator("nav.parts"), visitor.page.locator("header nav")):
            chosen = line.locator("[aria-current]")
            expect(chosen).to_be_visible()
            visitor.page.wait_for_function(IN_SIGHT, arg=chosen.element_handle())
            box = line.bounding_box()
            assert box is not None and box["height"] < 60, (path, box)
        assert visitor.faults() == []


def test_an_empty_house_says_what_comes_first(browser: object, tmp_path: Path) -> None:
    with running_floor(str(tmp_path / "house.db")) as empty:

        def open(name: str, path: str) -> Page:
            visitor = Visitor(browser, empty, name)  # type: ignore[arg-type]
            opened.append(visitor)
            return visitor.open(path).page

        opened: list[Visitor] = []
        try:
            pit = open("Rob", "/pit")
            expect(pit.locator("p:has([data-open-first])")).to_have_text("No table is open. Open the first one.")
            pit.locator("[data-open-first]").click()
            expect(pit.locator("[data-open-table]")).to_be_visible()
            racks = open("Cas", "/cage/racks")
            expect(racks.locator("[data-no-tables]")).to_contain_text("The pit opens")
            expect(racks.locator("[name=rack-table]")).to_have_count(0)
            devices = open("Ada", "/office/devices")
            expect(devices.locator("[data-no-tables]")).to_be_visible()
            expect(devices.locator("[data-devices] form")).to_have_count(0)
            audit = open("Aud", "/audit/rounds")
            expect(audit.locator("[role=status]:not(.unseen)")).to_have_text("No round has been played yet.")
            audit.get_by_label("Player", exact=True).fill("Lee")
            audit.get_by_role("button", name="Find").click()
            expect(audit.locator("[role=status]:not(.unseen)")).to_have_text("No such round was found.")
        finally:
            for visitor in opened:
                visitor.context.close()


def test_a_table_is_called_as_on_its_sign_in_choices_and_rows(visit: Visit, floor: RunningFloor) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    table, sign = croupier.table, croupier.table.upper()
    aud = visit("Aud").open("/reports/floor")
    row = aud.page.locator("tbody [data-field=table]", has_text=sign)
    expect(row.first).to_have_text(sign)
    chosen = f"option[value='{table}']"
    expect(aud.page.locator(f"[name=of-table] {chosen}")).to_have_text(sign)
    aud.page.locator("[name=of-table]").select_option(table)
    aud.page.locator("[data-show]").click()
    expect(aud.page.locator("[data-report] dl").first).to_contain_text(sign)
    aud.open("/audit/rounds")
    expect(aud.page.locator(f"[data-round='{table}/1'] a")).to_have_text(f"{sign}/1")
    expect(aud.page.locator(f"form {chosen}")).to_have_text(sign)
    aud.page.get_by_label("Open a round").fill(f"{sign}/1")
    aud.page.get_by_role("button", name="Open").click()
    expect(aud.page.locator("[data-step]")).to_be_visible()
    for path in ("/audit/events", "/audit/verify"):
        expect(aud.open(path).page.locator(chosen)).to_have_text(sign)
    expect(visit("Cas").open("/cage/racks").page.locator(f"[name=rack-table] {chosen}")).to_have_text(sign)


def test_a_report_as_pdf_has_the_figures_of_the_page(visit: Visit, floor: RunningFloor) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="banker", amount=123_400, round=1)
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    mia = visit("Mia").open("/reports/floor")
    mia.page.locator("[name=of-table]").select_option(croupier.table)
    mia.page.locator("[data-show]").click()
    expect(mia.page.locator("[data-report] dl").first).to_contain_text(croupier.table.upper())
    row = mia.page.locator("tbody tr")
    expect(row).to_have_count(1)
    figures = [row.locator(f"[data-field={name}]").inner_text() for name in ("handle", "win")]
    assert figures[0] == "1,234" and figures[1] not in ("", "0", "–")
    with mia.page.expect_download() as file:
        mia.page.locator("[data-format=pdf]").click()
    assert file.value.suggested_filename.endswith(".pdf")
    said = text_of_pdf(Path(file.value.path()).read_bytes())
    assert croupier.table in said
    for figure in figures:
        assert figure.replace("\u2212", "-") in [text.replace("\u2212", "-") for text in said], (figure, said)


def test_play_money_is_told_to_strangers_and_real_money_is_not(visit: Visit, floor: RunningFloor) -> None:
    table, ada = floor.new_table("commission"), floor.client("Ada").http
    key = floor.client("Dan").http.post(f"/tables/{table}/board/key").json()["key"]
    allow(floor, 0)

    def marks() -> list[int]:
        """How often it is told at log-in, at the door, to guests, on the board, at the odds and their sheet."""
        nobody = visit(None).open("/")
        shown = []
        for path, seen in (("/", "[name=password]"), ("/join", "[name=password]"), ("/watch", f"[data-table={table}]")):
            expect(nobody.open(path).page.locator(seen).first).to_be_visible()
            shown.append(nobody.page.locator("main [data-play-money]").count())
        board = visit(None).open(f"/board/{table}#{key}")
        expect(board.page.locator("[data-board=on]")).to_be_visible()
        shown.append(board.page.locator("[data-play-money]").count())
        lee = visit("Lee").open("/odds/ez/8")
        expect(lee.page.locator("[data-sheet=pdf]")).to_be_visible()
        shown += [lee.page.locator(f"{part} [data-play-money]").count() for part in ("h1", "[data-sheet-money]")]
        expect(visit("Aud").open("/reports").page.locator("[data-report]")).to_be_visible()
        return shown

    try:
        ada.put("/house/rules", json={"rules": {"money": "play"}}).raise_for_status()
        assert marks() == [1] * 6
        ada.put("/house/rules", json={"rules": {"money": "real"}}).raise_for_status()
        assert marks() == [0] * 6
    finally:
        ada.put("/house/rules", json={"rules": {"money": None}})
        allow(floor, None)
