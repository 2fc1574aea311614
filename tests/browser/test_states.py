"""States that nobody may be stuck in: a pause, a new shoe, a second person, a session that ended."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.rules.authority import LADDER, Authority, Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.visitor import Visitor
from tests.server.running_floor import PASSWORD, RunningFloor

pytestmark = pytest.mark.slow

PAUSE_BY_TWO = Authority("pause-table", LADDER, second=Role.PIT_SUPERVISOR)


def notice(visitor: Visitor, name: str) -> None:
    """This notice, and no other, is in view, and covers nothing that is played with."""
    expect(visitor.page.locator(f"[data-notice={name}]")).to_be_in_viewport()
    expect(visitor.page.locator("[data-notice]")).to_have_count(1)
    assert visitor.covered() == []


def no_notice(visitor: Visitor) -> None:
    expect(visitor.page.locator("[data-notice]")).to_have_count(0)


def do(visitor: Visitor, act: str) -> None:
    """Press an act of the console, which may stand in a part that is folded away."""
    button = visitor.page.locator(f"[data-act={act}]").first
    expect(button).to_be_attached()
    folded = visitor.page.locator(f"details:not([open]):has([data-act={act}]) summary")
    if folded.count():
        folded.click()
    button.click()


def test_a_second_person_declines_and_agrees_and_a_table_is_paused_and_closed(
    floor: RunningFloor, visit: Visit
) -> None:
    croupier = Croupier(floor, "commission", authority=(PAUSE_BY_TWO,))
    croupier.play("KS 9H 6D 8C")
    dealer, lee = visit("Dan").at_console(croupier.table), visit("Lee").at_table(croupier.table)
    supervisor = visit("Sue").at_console(croupier.table)
    expect(supervisor.page.locator("[data-approval]")).to_have_count(0)
    # Somebody who watches declines.
    do(dealer, "pause-table")
    notice(dealer, "approval")
    expect(dealer.page.locator("[data-notice=approval]")).to_contain_text("Waiting for a second person")
    dealer.picture("console-waiting-for-a-second-person")
    expect(supervisor.page.locator("[data-approval]")).to_contain_text("Dan")
    supervisor.picture("console-asked-to-agree")
    supervisor.page.locator("[data-decide=decline]").click()
    expect(supervisor.page.locator("[data-approval]")).to_have_count(0)
    expect(dealer.page.locator("[data-decision=decline]")).to_be_in_viewport()
    assert not croupier.shown().view["paused"]
    dealer.page.locator("[data-notice=approval] button").click()
    no_notice(dealer)
    # Somebody who signs in beside the dealer agrees.
    do(dealer, "pause-table")
    notice(dealer, "approval")
    dealer.page.get_by_role("button", name="Pit: sign in here").click()
    dealer.page.locator("[name=pit-name]").fill("Sue")
    dealer.page.locator("[name=pit-password]").fill(PASSWORD)
    dealer.page.keyboard.press("Enter")
    dealer.page.locator("dialog[open] [data-decide=approve]").click()
    expect(dealer.page.locator("[data-pit-done]")).to_be_visible()
    dealer.page.keyboard.press("Escape")
    expect(dealer.page.locator("[data-decision=approve]")).to_be_in_viewport()
    notice(lee, "paused")
    lee.phase("paused")
    lee.picture("table-paused")
    do(dealer, "resume-table")
    no_notice(lee)
    do(supervisor, "close-table")
    supervisor.page.get_by_role("button", name="Yes, do it").click()
    notice(lee, "closed")
    lee.picture("table-closed")
    lee.page.locator("[data-notice=closed] a").click()
    expect(lee.page).to_have_url(f"{floor.url}/")
    expect(lee.page.locator("main h1")).to_be_visible()
    assert dealer.context.request.get("/api/v1/sessions/current").json()["account"] == "Dan"


def test_a_decision_is_learned_after_a_lost_connection(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission", authority=(PAUSE_BY_TWO,))
    croupier.play("KS 9H 6D 8C")
    dealer = visit("Dan").at_console(croupier.table)
    do(dealer, "pause-table")
    notice(dealer, "approval")
    dealer.context.set_offline(True)
    expect(dealer.page.locator("[data-notice=offline]")).to_be_visible()
    sue = visit("Sue").context.request
    asked = sue.get("/api/v1/approvals").json()["approvals"]
    [waiting] = [one["approval"] for one in asked if one["table"] == croupier.table]
    floor.client("Sue").decide(waiting, "decline")
    dealer.context.set_offline(False)
    expect(dealer.page.locator("[data-decision=decline]")).to_be_visible()


def test_a_shoe_comes_to_its_end_and_another_is_loaded(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission", behind_cut=410)
    lee, dealer = visit("Lee").at_table(croupier.table), visit("Dan").at_console(croupier.table)
    lee.phase("shoe")
    notice(lee, "shoe")
    croupier.open_bets()
    no_notice(lee)
    lee.sit(1)
    lee.bet("player", 10_000)
    croupier.deal("KS 9H 2D 8C AS")
    croupier.give("settle-round")
    for cards in ("KH 9S 6H 8D", "KC 9D 6S 8H"):  # the cut card comes out in the first, the second is the last
        croupier.open_bets()
        croupier.deal(cards)
        croupier.give("settle-round")
    assert croupier.next()["type"] == "load-shoe"
    notice(lee, "shoe")
    lee.phase("finished")
    lee.picture("table-new-shoe")
    expect(dealer.page.locator("[data-next=load-shoe]")).to_be_visible()
    dealer.page.keyboard.press("Space")
    expect(dealer.page.locator("[data-next=call-bets][data-ready=true]")).to_be_enabled()
    no_notice(lee)
    expect(lee.page.locator("[data-road=bead] path[data-marks]").first).to_be_attached()
    expect(lee.page.locator("[data-road=bead] path[data-marks][d^=M]")).to_have_count(0)
    dealer.page.keyboard.press("Space")
    lee.bet("player", 10_000)


def end_session(visitor: Visitor) -> None:
    """What the server does to a session that expires: streams end, a page without one is not told."""
    csrf = visitor.context.request.get("/api/v1/sessions/current").json()["csrf"]
    visitor.context.request.delete("/api/v1/sessions/current", headers={"X-CSRF-Token": csrf})


def log_in_again(visitor: Visitor, name: str) -> None:
    expect(visitor.page.get_by_text("You were logged out")).to_be_visible()
    visitor.page.locator("[name=name]").fill(name)
    visitor.page.locator("[name=password]").fill(PASSWORD)
    visitor.page.keyboard.press("Enter")
    expect(visitor.page.locator("[name=password]")).to_have_count(0)


def test_a_session_that_ends_while_a_page_is_open(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    lee = visit("Lee").at_table(croupier.table)
    lee.sit(1)
    lee.bet("banker", 10_000)
    end_session(lee)
    log_in_again(lee, "Lee")
    lee.sees_bet("banker", 10_000)
    lee.bet("player", 10_000)
    dealer = visit("Dan").at_console(croupier.table)
    end_session(dealer)
    log_in_again(dealer, "Dan")
    expect(dealer.page.locator("[data-next=close-bets]")).to_be_enabled()
    lee.open("/account")
    expect(lee.page.locator("main table").first).to_be_visible()
    end_session(lee)
    lee.page.locator("a[href='/']").first.click()
    log_in_again(lee, "Lee")
    expect(lee.page.locator(f"main a[href='/tables/{croupier.table}']").first).to_be_visible()
