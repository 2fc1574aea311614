"""What protects players, on the pages: time and net in sight, the reality check, limits, a break; which software runs;
and a guest who comes by an invitation."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto import __version__
from punto.floor.house_rules import change_rules
from punto.floor.profile import Profile
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_languages import check
from tests.browser.visitor import DESKTOP, LANGUAGES, PHONE
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow
MINUTE_MS = 60_000


def player(floor: RunningFloor, name: str) -> None:
    body = {"name": name, "password": PASSWORD, "roles": [Role.PLAYER.value]}
    assert floor.fresh_client("Ada").http.post("/people", json=body).status_code == 201
    floor.client("Cas").buy_in(name, 10_000_000)


def let_pass(floor: RunningFloor, minutes: int) -> None:
    """So much time goes by; the clock of a house never goes back."""
    clock = floor.app_state._clock
    floor.app_state._clock = lambda: clock() + minutes * MINUTE_MS  # type: ignore[assignment]


@pytest.mark.gli("RTS 2E")
def test_time_and_net_of_the_session_are_in_sight(floor: RunningFloor, visit: Visit) -> None:
    player(floor, "Joy")
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    joy = visit("Joy", size=PHONE).at_table(croupier.table)
    joy.sit(1)
    joy.bet("banker", 10_000)
    croupier.deal("KS KH 9D 8C")
    croupier.finish()
    expect(joy.page.locator("[data-session-net='-10000']")).to_be_in_viewport()
    expect(joy.page.locator("[data-session-minutes]")).to_be_in_viewport()
    joy.picture("session-phone")
    assert joy.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    joy.sized(DESKTOP)
    expect(joy.page.locator("[data-session-net='-10000']")).to_be_in_viewport()
    joy.picture("session-desktop")


@pytest.mark.gli("RTS 13B")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reality_check_stops_betting_until_it_is_answered(floor: RunningFloor, visit: Visit, language: str) -> None:
    name = ("Kay", "Kit", "Ken")[LANGUAGES.index(language)]
    player(floor, name)
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    kay = visit(name, language=language).at_table(croupier.table)
    kay.sit(1)
    kay.bet("banker", 10_000)
    answer = floor.client(name).http.put("/accounts/me/reality-check", json={"minutes": 15})
    assert answer.status_code == 200, answer.text
    let_pass(floor, 16)
    kay.spot("banker").click()
    dialog = kay.page.locator("[data-reality-check]")
    expect(dialog).to_be_visible()
    kay.page.keyboard.press("Escape")
    kay.page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    check(kay, "reality-check", (language,), name)
    dialog.locator("button.main").focus()
    kay.page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    kay.spot("banker").click()
    kay.sees_bet("banker", 20_000)


@pytest.mark.gli("2.5.5")
@pytest.mark.gli("A.3.7")
@pytest.mark.gli("A.3.8")
@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_and_a_break_on_the_account_page(floor: RunningFloor, visit: Visit, language: str) -> None:
    name = ("Liv", "Lou", "Lex")[LANGUAGES.index(language)]
    player(floor, name)
    liv = visit(name, language=language, size=PHONE).open("/account")
    part = liv.page.locator("[data-protection]")
    part.locator("[name=limit-what]").select_option("stake")
    part.locator("[name=limit-amount]").fill("150")
    liv.page.keyboard.press("Enter")
    expect(part.locator("[data-limit='stake day']")).to_contain_text("150")
    part.locator("[name=check-minutes]").select_option("30")
    expect(part.locator("[name=check-minutes]")).to_have_value("30")
    part.locator("[data-limit='stake day'] button").click()
    expect(part.locator("[data-limit='stake day'] button")).to_have_count(0)
    expect(part.locator("[data-limit='stake day']")).to_contain_text("150")
    part.locator("summary").click()
    part.scroll_into_view_if_needed()
    check(liv, "account-limits-phone", (language,), name)
    liv.sized(DESKTOP)
    check(liv, "account-limits", (language,), name)
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    there = visit(name, language=language).at_table(croupier.table)
    there.sit(1)
    there.page.locator("[data-chip='50000']").click()
    there.spot("banker").click()
    expect(there.page.locator("[data-notice=refused]")).to_contain_text("150")
    check(there, "table-over-limit", (language,), name)
    part.locator("[name=exclude-sure]").check()
    part.locator("details button").click()
    expect(part.locator("[data-excluded]")).to_be_visible()
    there.page.reload()
    expect(there.page.locator("[data-notice=excluded]")).to_be_visible()
    assert there.covered() == []
    check(there, "table-excluded", (language,), name)


@pytest.mark.gli("A.3.7")
def test_a_limit_that_the_house_wants_first(floor: RunningFloor, visit: Visit) -> None:
    player(floor, "Moe")
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    change_rules(floor.store, {"profile": Profile("own", limits_required=True)}, "Ada", 0)
    try:
        moe = visit("Moe").at_table(croupier.table)
        expect(moe.page.locator("[data-notice=limit-needed]")).to_be_visible()
        assert moe.covered() == [] and moe.faults() == []
        moe.page.locator("[data-notice=limit-needed] a").click()
        expect(moe.page.locator("[data-protection]")).to_be_visible()
    finally:
        change_rules(floor.store, {"profile": None}, "Ada", 0)


@pytest.mark.gli("2.6.2")
def test_every_page_says_which_version_it_is(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    nobody = visit(None).open("/")
    lee, dealer = visit("Lee").at_table(croupier.table), visit("Dan", size=PHONE).at_console(croupier.table)
    for visitor in (nobody, lee, dealer, visit("Lee", size=PHONE).open("/account")):
        visitor.page.get_by_role("button", name="Help").click()
        about = visitor.page.locator(f"[data-about='{__version__}']")
        expect(about).to_contain_text(f"Punto {__version__}")
        assert visitor.faults() == []
    lee.picture("help-version")
    dealer.picture("console-help-phone")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guest_joins_by_an_invitation(floor: RunningFloor, visit: Visit, language: str) -> None:
    name = ("Nia", "Ned", "Nat")[LANGUAGES.index(language)]
    made = floor.fresh_client("Ada").http.post("/house/invitations", json={"buy_in": 500_000, "address": floor.url})
    assert made.status_code == 201, made.text
    [invitation] = made.json()["invitations"]
    nia = visit(None, language=language, size=PHONE).open(invitation["link"].removeprefix(floor.url))
    expect(nia.page.locator("[name=invitation]")).to_have_value(invitation["code"])
    nia.page.locator("[name=name]").fill(name)
    nia.page.locator("[name=password]").fill("a good password")
    check(nia, "join-phone", (language,), name)
    nia.page.keyboard.press("Enter")
    expect(nia.page.locator(".sum")).to_contain_text("5,000")
    again = visit(None, language=language).open(f"/join#{invitation['code']}")
    again.page.locator("[name=name]").fill("Otto")
    again.page.locator("[name=password]").fill("a good password")
    again.page.keyboard.press("Enter")
    expect(again.page.locator(".problem")).not_to_be_empty()
    check(again, "join-used", (language,))
