"""The reports in a browser: each role has its own, with charts and tables, files, three languages, by day and by night;
and who opens which page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from punto.floor.gaming_day import reports_for
from punto.floor.house_pages import HousePage
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import check
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.server.running_floor import RunningFloor
from tests.server.test_endpoint_roles import PERSON
from tests.server.test_watch_routes import allow

pytestmark = pytest.mark.slow
LAPTOP = (1366, 650)


@pytest.fixture(scope="module", autouse=True)
def played(floor: RunningFloor) -> str:
    """A round at a table, and a rule of the house that was altered."""
    floor.new_table()  # at which nobody plays
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    for box, name, area, amount in (
        (1, "Lee", "banker", 10_000),
        (2, "Kim", "player", 50_000),
        (2, "Kim", "tie", 5_000),
    ):
        if area != "tie":
            croupier.give("take-seat", by=name, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=name, role=Role.PLAYER, box=box, area=area, amount=amount, round=1)
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    assert (
        floor.fresh_client("Ada").http.put("/house/rules", json={"rules": {"operator": "The Lodge"}}).status_code == 200
    )
    return croupier.table


@pytest.mark.gli("2.9.1")
@pytest.mark.parametrize("role", PERSON)
def test_who_opens_which_page_and_sees_which_report(visit: Visit, role: Role) -> None:
    somebody = visit(PERSON[role])
    for page, shown in SHOWS.items():
        somebody.open(f"/{page.value}")
        if role not in OPENED_BY[page]:
            expect(somebody.page.get_by_role("heading", name="You cannot open this page")).to_be_visible()
            continue
        expect(somebody.page.locator(shown).first).to_be_visible()
        head = somebody.page.locator("header nav a")
        here = [link for link in head.evaluate_all("all => all.map((one) => one.pathname.slice(1))") if link in PAGES]
        assert here == [one.value for one in HousePage if role in OPENED_BY[one]]
        if page is not HousePage.REPORTS:
            continue
        expect(somebody.page.locator("[data-report]")).to_be_visible()
        kinds = [kind.value for kind in reports_for((role,))]
        days = [] if role is Role.CASHIER else ["days"]
        buttons = somebody.page.locator("[data-kind]")
        assert [one.get_attribute("data-kind") for one in buttons.all()] == [*kinds, *days]
        somebody.open("/reports/player")
        shown_report = somebody.page.locator("[data-report=player]")
        expect(shown_report if "player" in kinds else somebody.page.get_by_text("Choose a report.")).to_be_visible()
    for path, is_right in (("/cashier/shift", role is Role.CASHIER), ("/house/days", role in DAY_READERS)):
        answer = somebody.context.request.get(f"/api/v1{path}")
        assert (answer.status == 403) is not is_right, (role, path, answer.status)


OPENED_BY = {
    HousePage.PIT: {Role.PIT_SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    HousePage.CAGE: {Role.CASHIER},
    HousePage.OFFICE: {Role.ADMINISTRATOR},
    HousePage.REPORTS: {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASHIER, Role.AUDITOR, Role.ADMINISTRATOR},
    HousePage.AUDIT: {Role.SHIFT_MANAGER, Role.AUDITOR, Role.ADMINISTRATOR},
}
"""Who may open which page, said a second time."""
SHOWS = {
    HousePage.PIT: "[data-wall=live]",
    HousePage.CAGE: "[name=find]",
    HousePage.OFFICE: "[data-people] table",
    HousePage.AUDIT: "main h1",
    HousePage.REPORTS: "[data-report]",
}
PAGES = {page.value for page in HousePage}


@pytest.mark.parametrize("delay", [None, 0])
def test_nobody_without_an_account_opens_a_page_of_the_house(
    floor: RunningFloor, visit: Visit, delay: int | None
) -> None:
    """Whether guests may watch or not: they are asked to log in, and nothing of the house is asked for."""
    allow(floor, delay)
    try:
        nobody = visit(None)
        for page in HousePage:
            nobody.open(f"/{page.value}")
            expect(nobody.page.locator("[name=password], main h1").first).to_be_visible()
            expect(nobody.page.locator(SHOWS[page] if page is not HousePage.AUDIT else "[data-round]")).to_have_count(0)
        asked = {address.split("/api/v1/")[1] for address in nobody.asked if "/api/v1/" in address}
        assert not [path for path in asked if not path.startswith(("house", "sessions", "watch", "accounts/me"))], asked
        assert "house/rules" not in asked
        without_role = visit("Non")
        for page in HousePage:
            without_role.open(f"/{page.value}")
            expect(without_role.page.get_by_role("heading", name="You cannot open this page")).to_be_visible()
    finally:
        allow(floor, None)


def test_each_page_is_fetched_by_itself(visit: Visit, played: str) -> None:
    """Whoever opens one page takes neither the script nor the words of another along."""
    opened = {
        "Pit": "Sue",
        "Cage": "Cas",
        "Office": "Ada",
        "Reports": "Mia",
        "Audit": "Aud",
        "Odds": "Lee",
        "Board": "Kim",
    }
    for page, name in opened.items():
        somebody = visit(name).open(f"/board/{played}" if page == "Board" else f"/{page.lower()}")
        expect(somebody.page.locator("main:is(:has(h1), :has(h2))").first).to_be_visible()
        somebody.page.wait_for_load_state("networkidle")
        files = {address.rsplit("/", 1)[-1].partition("-")[0] for address in somebody.asked if ".js" in address}
        others = {one for other in opened if other != page for one in (other, other.lower())}
        assert page in files and page.lower() in files
        assert not files & others, page


DAY_READERS = (Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.AUDITOR, Role.ADMINISTRATOR)


def test_every_report_in_every_language(visit: Visit) -> None:
    aud = visit("Aud").open("/reports")
    sizes = ((DESKTOP, "light"), (LAPTOP, "dark"), (PHONE, "light"))
    for place, kind in enumerate(("floor", "table", "cashier", "player", "staff", "alterations", "days")):
        (width, height), theme = sizes[place % 3]
        aud.sized((width, height))
        aud.page.locator(f"[data-kind={kind}]").click()
        aud.page.locator("[data-theme-choice]").select_option(theme)
        if kind == "days":
            expect(aud.page.locator("[data-in-the-way]")).to_be_visible()
        else:
            expect(aud.page.locator(f"[data-report={kind}] table")).not_to_have_count(0)
            if kind == "staff":
                expect(aud.page.locator("[data-field=rounds_an_hour]").first).to_have_text("–")
                expect(aud.page.locator("[data-chart]")).to_have_count(0)  # of one round nobody can say how fast
            else:
                expect(aud.page.locator("[data-chart]")).not_to_have_count(0)
        if kind == "floor":
            _nothing_is_no_bar(aud)
        if kind == "alterations":
            _in_words(aud)
        check(aud, f"report-{kind}-{theme}")
        assert aud.page.evaluate("document.documentElement.scrollWidth") <= width
    aud.page.locator("[data-kind=floor]").click()
    aud.page.locator("[name=period]").select_option("span")
    aud.page.locator("[name=from]").fill("2026-01-02T10:00")
    aud.page.locator("[name=to]").fill("2026-01-01T10:00")
    aud.page.locator("[data-show]").click()
    expect(aud.page.locator("main > .problem")).not_to_be_empty()
    aud.page.locator("[name=from]").fill("2026-01-01T09:00")
    aud.page.locator("[data-show]").click()
    expect(aud.page.locator("[data-no-activity]")).to_be_visible()
    check(aud, "report-no-activity-phone")


def _nothing_is_no_bar(aud: Visitor) -> None:
    """In the chart of what was staked there is a bar for every table where there was a bet, and for no other."""
    handles = aud.page.locator("td[data-field=handle]").all_text_contents()
    assert len(handles) >= 2 and "0" in handles
    bars = aud.page.locator("[data-chart=handle] rect.bar")
    expect(bars).to_have_count(sum(one != "0" for one in handles))


def _in_words(aud: Visitor) -> None:
    """What was altered reads as in the audit: neither keys nor JSON of the record."""
    row = aud.page.locator("[data-report=alterations] tbody tr", has_text="The Lodge").first
    expect(row.locator("[data-field=subject]")).to_have_text("本場")  # the house, in the language spoken by now
    expect(row.locator("[data-field=after]")).to_have_text("營運方 The Lodge")
    assert not [text for text in aud.page.locator("td.state").all_text_contents() if "{" in text or '"' in text]


def test_a_report_is_downloaded_as_it_is_shown(visit: Visit, played: str) -> None:
    mia = visit("Mia").open("/reports/table")
    mia.page.locator("[name=of-table]").select_option(played)
    mia.page.locator("[data-show]").click()
    expect(mia.page.locator("[data-report] dl").first).to_contain_text(played.upper())
    with mia.page.expect_download() as file:
        mia.page.locator("[data-format=csv]").click()
    name = file.value.suggested_filename
    assert name.startswith(f"table-{played}-") and name.endswith(".csv")
    assert "banker" in Path(file.value.path()).read_text(encoding="utf-8")
