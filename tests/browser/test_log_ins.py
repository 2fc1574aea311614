"""One's own log-in on the pages: sessions that are listed and ended, a new password, and a second factor."""

from __future__ import annotations

import re

import pyotp
import pytest
from playwright.sync_api import expect

from punto.floor.house_rules import change_rules
from punto.floor.profile import Profile
from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.test_languages import check
from tests.browser.visitor import LANGUAGES, PHONE, Visitor
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow


def somebody(floor: RunningFloor, name: str, role: Role = Role.PLAYER) -> None:
    body = {"name": name, "password": PASSWORD, "roles": [role.value]}
    assert floor.client("Ada").http.post("/people", json=body).status_code == 201


def log_in(visitor: Visitor, name: str, password: str, code: str | None = None) -> None:
    visitor.page.locator("[name=name]").fill(name)
    visitor.page.locator("[name=password]").fill(password)
    visitor.page.keyboard.press("Enter")
    if code is not None:
        visitor.page.locator("[name=code]").fill(code)
        visitor.page.keyboard.press("Enter")


@pytest.mark.gli("2.8.9")
def test_sessions_are_listed_and_ended_and_a_password_is_changed(floor: RunningFloor, visit: Visit) -> None:
    somebody(floor, "Ivy")
    first = visit("Ivy").open("/")
    ivy = visit("Ivy", size=PHONE).open("/account")
    expect(ivy.page.locator("[data-last-log-in]")).to_contain_text("Last log-in before this one")
    expect(ivy.page.locator("[data-session]")).to_have_count(2)
    ivy.page.locator("[data-session=other] button").click()
    expect(ivy.page.locator("[data-session]")).to_have_count(1)
    first.page.reload()
    expect(first.page.locator("[name=password]")).to_be_visible()
    ivy.page.locator("[data-security] summary").click()
    ivy.page.locator("[name=password-now]").fill("not it")
    ivy.page.locator("[name=password-new]").fill("another good one")
    ivy.page.keyboard.press("Enter")
    expect(ivy.page.locator("[data-security] .problem").first).not_to_be_empty()
    ivy.page.locator("[name=password-now]").fill(PASSWORD)
    check(ivy, "account-password-phone", ("en",))
    ivy.page.keyboard.press("Enter")
    expect(ivy.page.get_by_text("Your password was changed")).to_be_visible()
    log_in(ivy, "Ivy", "another good one")
    expect(ivy.page.locator("[data-last-log-in]")).to_be_visible()


@pytest.mark.gli("2.5.3")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_second_factor_is_set_up_and_asked_for(floor: RunningFloor, visit: Visit, language: str) -> None:
    name = ("Gus", "Guy", "Gil")[LANGUAGES.index(language)]
    somebody(floor, name)
    gus = visit(name, language=language).open("/account")
    part = gus.page.locator("[data-second-factor]")
    part.locator("[name=factor-password]").fill(PASSWORD)
    gus.page.keyboard.press("Enter")
    expect(part.locator("img")).to_be_visible()
    secret = part.locator(".key code").inner_text()
    check(gus, "account-factor", (language,), name)
    part.locator("[name=factor-code]").fill(pyotp.TOTP(secret).now())
    gus.page.keyboard.press("Enter")
    expect(part.locator("li")).to_have_count(10)
    code = part.locator("li").first.inner_text()
    check(gus, "account-codes", (language,), name)
    part.locator("button.main").click()
    expect(gus.page.locator("[data-second-factor=on]")).to_be_visible()
    back = visit(None, language=language, size=PHONE).open("/account")
    log_in(back, name, PASSWORD)
    expect(back.page.locator("[name=code]")).to_be_focused()
    check(back, "log-in-code-phone", (language,))
    back.page.locator("[name=code]").fill("nothing")
    back.page.keyboard.press("Enter")
    expect(back.page.locator(".problem")).not_to_be_empty()
    back.page.locator("[name=code]").fill(code)
    back.page.keyboard.press("Enter")
    expect(back.page.locator("[data-second-factor=on]")).to_contain_text(re.compile("9"))


@pytest.mark.gli("2.5.3")
def test_who_must_have_a_second_factor_sets_it_up_first(floor: RunningFloor, visit: Visit) -> None:
    somebody(floor, "Hal", Role.PIT_SUPERVISOR)
    profile = Profile("own", second_factor=(Role.PIT_SUPERVISOR,))
    change_rules(floor.store, {"profile": profile}, "Ada", 0)
    floor.app_state.orders.look()
    try:
        hal = visit("Hal").open("/")
        expect(hal.page.locator("[name=factor-password]")).to_be_visible()
        hal.page.locator("[name=factor-password]").fill(PASSWORD)
        hal.page.keyboard.press("Enter")
        secret = hal.page.locator(".key code").inner_text()
        hal.page.locator("[name=factor-code]").fill(pyotp.TOTP(secret).now())
        hal.page.keyboard.press("Enter")
        expect(hal.page.locator("[data-second-factor] li")).to_have_count(10)
        hal.page.locator("[data-second-factor] button.main").click()
        expect(hal.page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()
    finally:
        change_rules(floor.store, {"profile": None}, "Ada", 0)
        floor.app_state.orders.look()
