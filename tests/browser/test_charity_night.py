"""A charity night from the first invitation to the closed day, with nothing but browsers: office, door, pit, cage,
console, tables, reports and audit; and at the end everybody has counted the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from punto.ledger.movement import cash_account
from tests.browser.conftest import Visit
from tests.browser.test_cage import choose, count, let_pass, move, value_of
from tests.browser.test_console import press_next, type_cards
from tests.browser.visitor import PHONE, Visitor
from tests.server.running_floor import PASSWORD, RunningFloor, running_floor

pytestmark = pytest.mark.slow

FIRST, MORE, DRAWER, BET = 50_000, 20_000, 1_000_000, 10_000
BY_HAND, BY_HOUSE = "north", "east"
LONG = "600"  # Seconds: as long as it takes.


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningFloor]:
    """A house with its staff and nobody else, half an hour before its gaming day ends."""
    folder = tmp_path_factory.mktemp("night")
    with running_floor(str(folder / "house.db"), days=str(folder / "days")) as made:
        now = datetime.fromtimestamp(made.app_state.now() / 1000, UTC)
        ends = (now + timedelta(days=1)).replace(hour=6, minute=0, second=0, microsecond=0)
        let_pass(made, int((ends - now).total_seconds()) // 60 - 30)
        yield made


def test_a_night_from_the_invitation_to_the_closed_day(floor: RunningFloor, visit: Visit) -> None:
    links = invite(visit("Ada"))
    ivy, gus = join(visit(None, size=PHONE), "Ivy", links[0]), join(visit(None), "Gus", links[1])
    rob = visit("Rob")
    open_table(rob, BY_HAND, "entered")
    open_table(rob, BY_HOUSE, "shuffled")
    run_by_house(rob, bets=LONG)
    cas = visit("Cas")
    open_cage(cas)
    sell(cas, "Gus", MORE)

    deal_by_hand(visit("Dan"), ivy, gus)
    play_with_the_house(rob, gus)
    for table in (BY_HAND, BY_HOUSE):
        close_table(rob, table)

    paid = sum(pay_out(cas, guest, name) for guest, name in ((ivy, "Ivy"), (gus, "Gus")))
    count_drawer(cas, DRAWER + MORE - paid)
    let_pass(floor, 40)
    told = close_day(rob)
    compare(floor, visit("Aud"), told, paid)


def invite(ada: Visitor) -> list[str]:
    """Two cards, each with its first chips; the links that stand on them."""
    page = ada.open("/office/invitations").page
    page.locator("[name=number]").fill("2")
    page.locator("[name=buy-in]").fill(str(FIRST // 100))
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("[data-card] svg")).to_have_count(2)
    return [text for text in page.locator("[data-card] p.small").all_inner_texts() if "/join#" in text]


def join(guest: Visitor, name: str, link: str) -> Visitor:
    """By the link on the card: a name, a password, and the lobby with the first chips."""
    page = guest.open(link.removeprefix(guest.floor.url)).page
    expect(page.locator("[name=invitation]")).not_to_have_value("")
    page.locator("[name=name]").fill(name)
    page.locator("[name=password]").fill(f"the password of {name}")
    page.locator("form button.main").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    guest.open("/account")
    expect(page.locator("[data-balance]")).to_have_attribute("data-balance", str(FIRST))
    return guest


def open_table(rob: Visitor, table: str, source: str) -> None:
    form = rob.open("/pit/open").page.locator("[data-open-table]")
    form.locator("[name=table]").fill(table)
    form.locator("[name=book]").select_option(label="Commission Baccarat")
    expect(form.locator("[name=commission]")).to_have_count(1)
    form.locator("[name=source]").select_option(source)
    form.get_by_text("More terms").click()
    form.locator("[name=burn]").fill("none")
    form.locator("button.main").click()
    expect(rob.page.locator(f"[data-pit-table={table}][data-link=live]")).to_be_visible()


def run_by_house(rob: Visitor, bets: str = "0", rounds: str = "0") -> None:
    """The house deals, with so many seconds for bets and between rounds; everything else at once."""
    page = rob.open(f"/pit/tables/{BY_HOUSE}").page
    page.get_by_label("The automatic dealer").check()
    page.get_by_label("A pace of its own").check()
    for clock in page.locator("[name^=pace-]").all():
        clock.fill({"pace-bets": bets, "pace-rounds": rounds}.get(clock.get_attribute("name") or "", "0"))
    page.locator("[data-save-running]").click()
    expect(page.locator("[data-saved]")).to_be_visible()


def open_cage(cas: Visitor) -> None:
    cas.open("/cage/drawer").page.locator("[data-count]").click()
    count(cas, {100_000: 9, 10_000: 10}, DRAWER)
    cas.page.locator("[data-count-done]").click()
    expect(cas.page.locator("[data-shift=open]")).to_be_visible()


def sell(cas: Visitor, name: str, amount: int) -> None:
    cas.open("/cage")
    choose(cas, name.lower()[:2], name)
    move(cas, str(amount // 100), amount)


def deal_by_hand(dan: Visitor, ivy: Visitor, gus: Visitor) -> None:
    """One round with real cards: Player wins on a natural 9."""
    dan.at_console(BY_HAND)
    press_next(dan, "load-shoe")
    press_next(dan, "call-bets")
    for box, (guest, area) in enumerate(((ivy, "player"), (gus, "banker")), start=1):
        guest.at_table(BY_HAND).sit(box)
        guest.bet(area, BET)
    press_next(dan, "close-bets")
    type_cards(dan, "KS KH 9D 8C")
    press_next(dan, "settle-round")
    for guest in (ivy, gus):
        guest.phase("finished")


def play_with_the_house(rob: Visitor, gus: Visitor) -> None:
    """One bet at the table that the house deals; its time for bets is ended by the pit."""
    gus.at_table(BY_HOUSE).sit(1)
    gus.phase("betting")  # the house calls for bets once somebody sits there
    gus.bet("player", BET)
    run_by_house(rob, rounds=LONG)
    gus.phase("finished")


def close_table(rob: Visitor, table: str) -> None:
    run = rob.open(f"/pit/tables/{table}").page.locator(f"[data-pit-table={table}][data-link=live]")
    run.locator("[data-give=close-table]").click()
    run.locator("[data-sure=close-table]").click()
    expect(run.locator("[data-notice=closed]")).to_be_visible()


def pay_out(cas: Visitor, guest: Visitor, name: str) -> int:
    """All that a guest's own page says there is."""
    page = guest.open("/account").page
    expect(page.locator("[data-held='0']")).to_be_visible()
    free = int(page.locator("[data-balance]").get_attribute("data-balance") or 0)
    cas.open("/cage")
    choose(cas, name.lower()[:2], name)
    move(cas, f"-{free // 100}", free)
    guest.open("/account")
    expect(page.locator("[data-balance='0']")).to_be_visible()
    return free


def count_drawer(cas: Visitor, expected: int) -> None:
    """The cash that is there, counted piece by piece, is what the ledger says there should be."""
    cas.open("/cage/drawer").page.locator("[data-count]").click()
    thousands, rest = divmod(expected, 100_000)
    count(cas, {100_000: thousands, 10_000: rest // 10_000}, expected)
    cas.page.locator("[data-count-done]").click()
    cas.page.locator(f"[data-close-ask='{expected}'] ~ .buttons [data-close-now]").click()
    expect(cas.page.locator("[data-shift=closed]")).to_be_visible()
    expect(cas.page.locator(f"[data-expected='{expected}']")).to_be_visible()
    expect(cas.page.locator("[data-difference='0']")).to_be_visible()


def close_day(rob: Visitor) -> dict[str, int]:
    """The gaming day that is over; its totals as the page shows them."""
    page = rob.open("/reports/days").page
    expect(page.locator("[data-in-the-way=nothing]")).to_be_visible()
    page.locator("[name=close-sure]").check()
    page.locator("[data-close-day]").click()
    page.locator("[name=password-again]").fill(PASSWORD)  # it was given long ago
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-closed]")).to_be_visible()
    rob.picture("charity-night-closed")
    return {name: value_of(rob, name) for name in ("rounds", "handle", "win", "liability")}


def compare(floor: RunningFloor, aud: Visitor, told: dict[str, int], paid: int) -> None:
    """The closed day, the report on its page, the ledger and what guests took home: one night, the same to the unit."""
    with floor.store.read() as reader:
        balances = reader.all_balances()
    assert -balances[cash_account("USD")] == 2 * FIRST + MORE - paid == told["win"], "what stays is what the house won"
    assert (told["rounds"], told["handle"], told["liability"]) == (2, 3 * BET, 0)
    page = aud.open("/reports/floor").page
    page.locator("[name=period]").select_option("all")
    page.locator("[data-show]").click()
    expect(page.locator("[data-report]")).to_contain_text("the beginning")
    assert {name: value_of(aud, name) for name in told} == told
    aud.open("/audit/verify").page.locator("[data-verify]").click()
    expect(page.locator("[data-verdict=good]")).to_be_visible()
