"""A night at the cage, by keyboard and by thumb: what the pages count is what ledger and reports count; and the close
of a gaming day."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from punto.ledger.movement import cash_account, player_account
from punto.store.record import AccountOwner, StoredPerson
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import check
from tests.browser.visitor import DESKTOP, PHONE, Visitor
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow
MINUTE_MS = 60_000
LAPTOP = (1366, 650)
A4 = (1123, 794)
"""A sheet lengthwise, in pixels of a browser."""


def let_pass(floor: RunningFloor, minutes: int) -> None:
    """So much time goes by; the clock of a house never goes back."""
    clock = floor.app_state._clock
    floor.app_state._clock = lambda: clock() + minutes * MINUTE_MS  # type: ignore[assignment]


def choose(cas: Visitor, text: str, name: str) -> None:
    """Find a player by keyboard alone."""
    expect(cas.page.locator("[name=find]")).to_be_focused()
    cas.page.keyboard.type(text)
    expect(cas.page.locator(f"[data-found={name}][aria-selected=true]")).to_be_visible()
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator(f"[data-player={name}]")).to_be_visible()
    expect(cas.page.locator("[name=amount]")).to_be_focused()


def move(cas: Visitor, keys: str, amount: int) -> None:
    """Type an amount, see the total, confirm it, and go on to the next player; all with Enter."""
    cas.page.keyboard.type(keys)
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator(f"[data-sum='{amount}']")).to_be_visible()
    expect(cas.page.locator("[data-confirmed]")).to_be_focused()
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator("[data-receipt-sheet]")).to_be_visible()
    expect(cas.page.locator("[data-next-player]")).to_be_focused()


def count(cas: Visitor, pieces: dict[int, int], total: int) -> None:
    for value, number in pieces.items():
        cas.page.locator(f"[data-pieces='{value}']").fill(str(number))
    expect(cas.page.locator(f"[data-total='{total}']")).to_be_visible()


def sign(cas: Visitor, name: str) -> None:
    """The second person comes to the cage."""
    dialog = cas.page.locator("[data-second-person]")
    dialog.locator("[name=second-name]").fill(name)
    dialog.locator("[name=second-password]").fill(PASSWORD)
    cas.page.keyboard.press("Enter")


def value_of(visitor: Visitor, name: str) -> int:
    return int(visitor.page.locator(f"[data-total={name}]").first.get_attribute("data-value") or 0)


def report(floor: RunningFloor, kind: str) -> Any:
    answer = floor.client("Aud").http.get(f"/reports/{kind}")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.gli("MICS")
@pytest.mark.gli("2.9.1")
def test_a_night_at_the_cage_counts_as_the_ledger_does(floor: RunningFloor, visit: Visit) -> None:
    cas = visit("Cas").open("/cage")
    expect(cas.page.locator("[data-no-shift=uncounted]")).to_contain_text("not in any count")
    cas.page.locator("[data-no-shift] a").click()
    cas.page.locator("[data-count]").click()
    count(cas, {100_000: 9, 10_000: 10}, 1_000_000)
    cas.picture("cage-count")
    cas.page.locator("[data-count-done]").click()
    expect(cas.page.locator("[data-shift=open]")).to_be_visible()
    cas.open("/cage")
    choose(cas, "le", "Lee")
    expect(cas.page.locator("[data-no-shift]")).to_have_count(0)
    move(cas, "500", 50_000)
    cas.picture("cage-done")
    cas.page.keyboard.press("Enter")
    choose(cas, "KIM", "Kim")
    move(cas, "-200.50", 20_050)
    cas.page.keyboard.press("Enter")
    check_refused(cas)
    played(floor, visit)
    corrected(floor, cas)
    racked(floor, cas)
    cas.open("/cage/drawer")
    cas.page.locator("[data-count]").click()
    asked_before_it_is_closed(cas)
    count(cas, {100_000: 10, 10_000: 2, 2_500: 2, 1_000: 3}, 1_028_000)
    cas.page.locator("[data-count-done]").click()
    expect(cas.page.locator("[data-close-ask='1028000'] [data-off='-1950']")).to_contain_text("19.50 short")
    cas.picture("cage-close-ask")
    cas.page.locator("[data-close-now]").click()
    expect(cas.page.locator("[data-shift=closed]")).to_be_visible()
    expect(cas.page.locator("[data-expected='1029950']")).to_be_visible()
    expect(cas.page.locator("[data-difference='-1950']")).to_be_visible()
    expect(cas.page.locator("[data-named]")).to_contain_text("19.50 short")
    expect(cas.page.locator("[data-receipt]")).to_have_count(3)
    assert cas.faults() == []
    cas.picture("cage-shift-closed")
    counted_alike(floor, visit)


def asked_before_it_is_closed(cas: Visitor) -> None:
    """Nothing that was not counted can be sent, and a slip of the finger is seen before the shift ends with it."""
    done = cas.page.locator("[data-count-done]")
    expect(done).to_be_disabled()
    cas.page.locator("[data-pieces='500']").fill("0")
    expect(done).to_be_enabled()  # an empty drawer is counted by saying so
    cas.page.locator("[data-pieces='500']").fill("")
    expect(done).to_be_disabled()
    cas.page.locator("[data-pieces='50000']").fill("4")
    cas.page.keyboard.press("Enter")
    asked = cas.page.locator("[data-close-ask='200000']")
    expect(asked.locator("[data-counted-of='50000']")).to_have_text("4 × 500 = 2,000")
    expect(asked.locator("[data-off='-829950']")).to_contain_text("8,299.50 short")
    cas.page.keyboard.press("Enter")  # once too often: it counts again
    expect(cas.page.locator("[data-shift=open]")).to_be_visible()
    expect(cas.page.locator("[data-pieces='50000']")).to_have_value("4")
    cas.page.locator("[data-pieces='50000']").fill("")


def check_refused(cas: Visitor) -> None:
    """Bad input is said beside the amount, what the server refuses too, and nothing moves."""
    choose(cas, "Kim", "Kim")
    cas.page.keyboard.type("12.345")
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator("form .problem").first).to_contain_text("500.50")
    expect(cas.page.locator("[data-confirm]")).to_be_hidden()
    cas.page.locator("[name=amount]").fill("")
    cas.page.keyboard.type("-99999999")
    cas.page.keyboard.press("Enter")
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("form .problem").first).not_to_be_empty()
    cas.picture("cage-refused")
    cas.page.locator("[name=amount]").fill("1,000")  # nobody who types this means one
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator("[data-sum='100000']")).to_be_visible()
    cas.page.keyboard.press("Escape")
    free = cas.page.locator("[data-free]").get_attribute("data-free") or ""
    cas.page.locator("[name=amount]").fill("")
    cas.page.locator("[name=amount]").press_sequentially("+9a")
    expect(cas.page.locator("[name=amount]")).to_have_value("9")  # a buy-in has no all
    cas.page.locator("[name=amount]").press_sequentially("-a")
    expect(cas.page.locator("[name=amount]")).to_have_value(f"{int(free) / 100:.2f}")


def played(floor: RunningFloor, visit: Visit) -> None:
    """A round in between, which moves money and no cash."""
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("banker", 10_000)
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    lee.phase("finished")


def corrected(floor: RunningFloor, cas: Visitor) -> None:
    """A correction, which asks for the password again, and for a second person of the right rank."""
    let_pass(floor, floor.app_state.settings.fresh_minutes + 1)
    cas.page.locator("[data-another]").click()
    choose(cas, "Lee", "Lee")
    cas.page.locator("summary").click()
    cas.page.locator("[name=sign]").select_option("-1")
    cas.page.locator("[name=correction]").fill("30")
    cas.page.locator("[name=reason]").fill("a note was counted twice")
    cas.page.keyboard.press("Enter")
    cas.page.locator("[name=password-again]").fill(PASSWORD)
    cas.page.keyboard.press("Enter")
    cas.page.locator("[data-second]").click()
    sign(cas, "Sue")
    expect(cas.page.locator("[data-second-person] .problem")).not_to_be_empty()
    sign(cas, "Mia")
    cas.picture("cage-second-person")
    cas.page.locator("[data-decide=approve]").click()
    expect(cas.page.locator("[data-ended=approve]")).to_contain_text("Lee")
    expect(cas.page.locator("[data-pending]")).not_to_contain_text("Waits")
    expect(cas.page.locator("[data-receipt]").first).to_contain_text("Mia")
    number = cas.page.locator("[data-receipt]").first.get_attribute("data-receipt") or ""
    cas.page.locator("[name=receipt]").fill("999999")
    cas.page.keyboard.press("Enter")
    expect(cas.page.get_by_role("alert").last).to_contain_text("no such receipt")
    cas.open("/cage").page.locator("[name=receipt]").fill(number)
    cas.page.keyboard.press("Enter")
    expect(cas.page.locator(f"[data-receipt-sheet='{number}']")).to_contain_text("Mia")


def racked(floor: RunningFloor, cas: Visitor) -> None:
    """A rack is opened and filled, each with the dealer's signature; one that is declined changes nothing."""
    table = floor.new_table()
    cas.open(f"/cage/racks/{table}")
    for kind, decision in (("open", "approve"), ("fill", "decline"), ("fill", "approve")):
        cas.page.locator("[name=slip]").select_option(kind)
        count(cas, {10_000: 20, 500: 40}, 220_000)
        cas.page.locator("[data-sign]").click()
        cas.page.locator("[data-second]").click()
        sign(cas, "Dan")
        cas.page.locator(f"[data-decide={decision}]").click()
        expect(cas.page.locator(f"[data-ended={decision}]").first).to_be_visible()
    expect(cas.page.locator("[data-expected='440000']")).to_be_visible()
    cas.picture("cage-rack")
    told = floor.client("Aud").http.get(f"/tables/{table}/rack").json()
    assert (told["opener"], told["fills"], told["expected"]) == (220_000, 220_000, 440_000)
    assert [(each["by"]["name"], each["second"]["name"]) for each in told["slips"]] == [("Cas", "Dan")] * 2


def counted_alike(floor: RunningFloor, visit: Visit) -> None:
    """Ledger, shift, reports over HTTP and reports in a browser have the same figures to the last unit."""
    with floor.store.read() as reader:
        balances = reader.all_balances()
    bought, paid = 3 * 100_000_000 + 50_000, 20_050
    assert -balances[cash_account("USD")] == bought - paid
    cashier, everything = report(floor, "cashier"), report(floor, "floor")
    [row] = cashier["rows"]
    assert (row["cashier"], row["buy_ins"], row["cash_outs"], row["corrections"]) == ("Cas", bought, paid, -3_000)
    shift = floor.client("Aud").http.get("/cashier/shifts/Cas").json()
    assert (shift["bought"], shift["paid"], shift["expected"]) == (50_000, 20_050, 1_029_950)
    players = sum(amount for name, amount in balances.items() if name.startswith((player_account(""), "held/")))
    assert everything["totals"]["liability"] == players
    assert row["drawer_change"] == everything["totals"]["win"] + players + 3_000, "the house bears what is taken off"
    for name, kind, fields in (
        ("Cas", "cashier", ("buy_ins", "cash_outs", "corrections", "drawer_after")),
        ("Aud", "floor", ("win", "handle", "liability", "rounds")),
    ):
        page = visit(name).open(f"/reports/{kind}")
        page.page.locator("[name=period]").select_option("all")
        page.page.locator("[data-show]").click()
        expect(page.page.locator("[data-report]")).to_contain_text("the beginning")
        totals = report(floor, kind)["totals"]
        assert {field: value_of(page, field) for field in fields} == {field: totals[field] for field in fields}
        assert page.faults() == []
        page.picture(f"reports-{kind}")


def test_the_cage_in_every_language_light_and_dark(floor: RunningFloor, visit: Visit) -> None:
    name = "Kim"
    limits = {"limits": [{"what": "buy-in", "period": "month", "amount": 900_000_000}]}
    assert floor.fresh_client(name).http.put("/accounts/me/limits", json=limits).status_code == 200
    cas = visit("Cas", size=PHONE).open("/cage")
    cas.page.locator("[name=find]").fill(name[:2].lower())
    cas.page.locator(f"[data-found={name}]").click()
    expect(cas.page.locator("[data-limit='buy-in month']")).to_be_visible()
    for key in ("6", "00", "00", ".", "5", "back"):
        cas.page.locator(f"[data-digit='{key}']").click()
    expect(cas.page.locator("[name=amount]")).to_have_value("60000.")
    cas.page.locator("[data-digit=back]").click()
    cas.page.locator("[data-digit=back]").click()
    cas.page.locator("[data-digit=back]").click()
    check(cas, "cage-player-phone")
    assert cas.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    cas.page.locator("[data-check]").click()
    expect(cas.page.locator("[data-sum='60000']")).to_be_in_viewport()
    check(cas, "cage-confirm-phone")
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("[data-receipt-sheet]")).to_be_visible()
    check(cas, "cage-receipt-phone")
    printed(cas)
    cas.page.locator("[data-next-player]").click()
    excluded(floor, cas, name)
    for size, theme in ((DESKTOP, "light"), (LAPTOP, "dark"), (PHONE, "light")):
        cas.sized(size)
        for path, shown in (("/cage", "[data-receipt]"), ("/cage/drawer", "[data-shift]"), ("/cage/racks", "select")):
            cas.open(path)
            cas.page.locator("[data-theme-choice]").select_option(theme)
            expect(cas.page.locator(shown).first).to_be_visible()
            check(cas, f"{path.replace('/', '-')[1:]}-{theme}-{size[0]}")
            assert cas.page.evaluate("document.documentElement.scrollWidth") <= size[0]


def printed(cas: Visitor) -> None:
    """On paper there is the receipt, and nothing else."""
    cas.page.emulate_media(media="print")
    expect(cas.page.locator("[data-receipt-sheet]")).to_be_visible()
    for other in ("header nav", "[data-player]", "[data-print]", "h1"):
        expect(cas.page.locator(other).first).to_be_hidden()
    cas.picture("cage-receipt-print")
    for size in (A4, PHONE):  # a sheet of paper is wide enough for two columns of the page
        cas.sized(size)
        at = cas.page.locator("[data-receipt-sheet]").bounding_box()
        assert at is not None and at["x"] < 40 and at["y"] < 40, at
    cas.page.emulate_media(media="screen")


def excluded(floor: RunningFloor, cas: Visitor, name: str) -> None:
    """Who is excluded cannot buy in, which is seen before money moves, and can cash out."""
    assert floor.client(name).http.post("/accounts/me/exclusion", json={"days": 7}).status_code == 200
    cas.page.locator("[name=find]").fill(name)
    cas.page.locator(f"[data-found={name}]").click()
    expect(cas.page.locator("[data-excluded]")).to_be_in_viewport()
    check(cas, "cage-excluded-phone")
    cas.page.locator("[name=amount]").fill("10")
    cas.page.locator("[data-check]").click()
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("form .problem").first).not_to_be_empty()
    cas.page.locator("[name=amount]").fill("")
    cas.page.locator("[name=amount]").press_sequentially("-10")
    cas.page.locator("[data-check]").click()
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("[data-receipt-sheet]")).to_be_visible()


def test_large_cash_is_marked_before_it_is_confirmed(floor: RunningFloor, visit: Visit) -> None:
    floor.client("Ada").http.put("/house/rules", json={"rules": {"large_cash": 1_000_000}}).raise_for_status()
    try:
        for size in (DESKTOP, LAPTOP, PHONE):
            cas = visit("Cas", size=size).open("/cage")
            choose(cas, "Max", "Max")
            cas.page.keyboard.type("-10000")
            cas.page.keyboard.press("Enter")
            expect(cas.page.locator("[data-large=single]")).to_be_visible()
            expect(cas.page.locator("[name=large-known]")).to_be_focused()
            expect(cas.page.locator("[data-confirmed]")).to_be_disabled()
            check(cas, f"cage-large-{size[0]}")
            cas.page.keyboard.press("Space")
            cas.page.keyboard.press("Tab")
            expect(cas.page.locator("[data-confirmed]")).to_be_focused()
            cas.page.keyboard.press("Enter")
            expect(cas.page.locator("[data-receipt-sheet]")).to_be_visible()
        aud = visit("Aud").open("/reports/cashier")
        expect(aud.page.locator("[data-large] tbody tr")).to_have_count(3)
        check(aud, "reports-large-cash")
    finally:
        floor.client("Ada").http.put("/house/rules", json={"rules": {"large_cash": None}})


def test_bots_are_marked_among_the_last_movements(floor: RunningFloor, visit: Visit) -> None:
    floor.app_state.desk.open_account(StoredPerson("Amber"), "USD", floor.app_state.now(), kind=AccountOwner.BOT)
    for name in ("Amber", "Max"):
        floor.client("Cas").buy_in(name, 1_200)
    cas = visit("Cas").open("/cage")
    rows = cas.page.locator("[data-receipt]")
    expect(rows.filter(has_text="Amber").first.locator("[data-owner=bot]")).to_have_text("bot")
    expect(rows.filter(has_text="Max").first.locator("[data-owner]")).to_have_count(0)


def test_an_answer_that_is_lost_moves_nothing_twice(floor: RunningFloor, visit: Visit) -> None:
    cas, aud = visit("Cas").open("/cage"), floor.client("Aud").http
    before = aud.get("/cashier/accounts/Max").json()["free"]
    choose(cas, "Max", "Max")
    cas.page.keyboard.type("70")
    cas.page.keyboard.press("Enter")
    lost = [True]

    def lose(route: Any) -> None:
        if lost.pop() if lost else False:
            route.fetch()  # it is done, and nobody hears of it
            route.abort()
        else:
            route.continue_()

    cas.page.route("**/cashier/buy-in", lose)
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("[data-confirm] .problem")).to_contain_text("only once")
    cas.page.locator("[data-confirmed]").click()
    expect(cas.page.locator("[data-done]")).to_be_visible()
    assert aud.get("/cashier/accounts/Max").json()["free"] == before + 7_000


def test_a_gaming_day_is_closed_in_the_browser(
    floor: RunningFloor, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = msgspec.structs.replace(floor.app_state.settings, days=str(tmp_path))
    monkeypatch.setattr(floor.app_state, "settings", settings)
    rob = visit("Rob").open("/reports/days")
    with pytest.MonkeyPatch.context() as young:
        young.setattr("punto.floor.gaming_day.house_began", lambda _: floor.app_state.now())
        rob.page.locator("[name=close-day]").fill("2026-02-27")
        expect(rob.page.locator("[data-in-the-way=day-before-house]")).to_be_visible()
    rob.page.locator("[name=close-day]").fill("2999-12-31")
    expect(rob.page.locator("[data-in-the-way=day-not-over]")).to_be_visible()
    rob.page.locator("[name=close-day]").fill("2026-02-28")
    expect(rob.page.locator("[data-in-the-way=nothing]")).to_be_visible()
    expect(rob.page.locator("[data-close-day]")).to_be_disabled()
    rob.page.locator("[name=close-sure]").check()
    rob.picture("reports-close")
    rob.page.locator("[data-close-day]").click()
    expect(rob.page.locator("[data-closed='2026-02-28']")).to_contain_text(str(tmp_path))
    expect(rob.page.locator("[data-day='2026-02-28'] [data-total=liability]")).to_be_visible()
    with rob.page.expect_download() as file:
        rob.page.locator("[data-day='2026-02-28'] a", has_text="floor.csv").click()
    assert Path(file.value.path()).read_bytes() == (tmp_path / "2026-02-28/floor.csv").read_bytes()
    assert rob.faults() == []
    rob.picture("reports-closed")
    rob.page.locator("[data-day='2026-02-28'] a", has_text="Report of the day").click()
    expect(rob.page.locator("[data-fixed=same]")).to_be_visible()
    rob.open("/reports/days").page.locator("[name=close-day]").fill("2026-02-28")
    expect(rob.page.locator("[data-in-the-way=day-closed]")).to_be_visible()
