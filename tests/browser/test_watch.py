"""Somebody without an account: from the front page to a table, a round, a shoe, the rules and the board, as late as
the house says; a house that does not allow it, a table that is not for them, a table that closes, a connection that is
lost; and who follows an address comes back to it after the log-in.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from punto.table.terms import Faces
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.known_shoe import deal_rounds
from tests.browser.test_languages import check
from tests.browser.test_log_ins import log_in
from tests.browser.test_theme import by_day
from tests.browser.visitor import DESKTOP, LANGUAGES, PHONE, Visitor
from tests.server.running_floor import PASSWORD, PEOPLE, RunningFloor
from tests.server.test_watch_routes import Dealt, allow

pytestmark = pytest.mark.slow

SMALL = (1366, 650)
WIDE = "document.documentElement.scrollWidth"


@pytest.fixture(autouse=True)
def _allowed(floor: RunningFloor) -> Iterator[None]:
    allow(floor, 0)
    yield
    allow(floor, None)


def nobody_is_named(guest: Visitor) -> None:
    """Nobody's name stands on the page, or came over the stream."""
    seen = guest.page.locator("body").inner_text() + str(guest.frames)
    assert not [name for name in PEOPLE if f" {name} " in seen or f"'{name}'" in seen]


def test_from_the_front_page_to_a_table_and_back_after_the_log_in(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    deal_rounds(croupier, "BBPPTBP")
    guest = visit(None).open("/")
    page = guest.page
    page.locator("[data-watch]").click()
    expect(page.locator(f"[data-table={croupier.table}] [data-road=big] svg")).to_be_visible()
    expect(page.locator("[data-behind='0']")).to_have_text("◔ Watching as it happens")
    assert guest.faults() == []
    page.locator(f"[data-table={croupier.table}] .button.main").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-link=live]")).to_be_visible()
    expect(page.locator("[data-round='7']")).to_be_visible()
    croupier.open_bets()
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=3)
    croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=3, area="banker", amount=25_000, round=8)
    guest.phase("betting")
    expect(page.locator("[data-seat='3']")).to_contain_text("taken")
    expect(page.locator(".other")).to_have_count(0)  # one person's bet is not shown as what lies on a spot either
    expect(page.locator("[data-chip]")).to_have_count(0)
    croupier.deal("KS 2H 3D 4C")
    expect(page.locator("[data-live=polite]")).to_contain_text("4 of clubs")
    expect(page.locator(".hand.player .points")).to_have_text("3")
    guest.picture("guest-dealing")
    assert guest.faults() == []
    nobody_is_named(guest)
    page.locator("[data-looking-on=guest] a").click()
    page.reload()
    log_in(guest, "Lee", PASSWORD)
    expect(page.locator("[data-link=live] [data-worth]")).to_be_visible()
    assert page.url == f"{floor.url}/tables/{croupier.table}"


def test_guests_at_every_size_in_every_language_by_night_and_day(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    croupier.deal("KS 2H 3D 4C")
    for size, is_day in ((DESKTOP, False), (SMALL, True), (PHONE, False)):
        guest = visit(None, size=size).open("/watch")
        guest = by_day(guest).open("/watch") if is_day else guest
        languages = ("en",) if is_day else LANGUAGES
        expect(guest.page.locator(f"[data-table={croupier.table}]")).to_be_visible()
        check(guest, f"guest-lobby-{size[0]}", languages)
        assert guest.page.evaluate(WIDE) == size[0]
        guest.at_table(croupier.table)
        expect(guest.page.locator("[data-card]")).to_have_count(4)
        expect(guest.page.locator("[data-behind]")).to_be_in_viewport()
        check(guest, f"guest-table-{size[0]}", languages)
        assert guest.page.evaluate(WIDE) == size[0]


def test_rounds_shoes_and_rules_have_addresses_for_guests(floor: RunningFloor, visit: Visit) -> None:
    dealt = Dealt(floor)
    dealt.play_shoe()
    dealt.call()
    guest = visit(None, size=PHONE).open(f"/tables/{dealt.id}")
    page = guest.page
    page.locator("[data-round='1'] a").click()
    expect(page.locator("[data-step]")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-step=settled]")).to_be_visible()
    assert page.url == f"{floor.url}/rounds/{dealt.id}/1" and guest.faults() == []
    guest.picture("guest-round")
    nobody_is_named(guest)
    page.go_back()
    page.get_by_text("Check shoe 1").click()
    expect(page.locator("[data-verdict=good]")).to_be_visible()
    assert page.url == f"{floor.url}/shoes/{dealt.id}/1" and guest.faults() == []
    guest.picture("guest-shoe")
    guest.open(f"/rules/{dealt.digest}")
    expect(page.locator("#drawing")).to_be_visible()
    for path in (f"/rounds/{dealt.id}/999", f"/shoes/{dealt.id}/999", "/tables/nowhere"):
        guest.open(path)
        expect(page.locator("[data-not-for-guests]")).to_be_visible()
    guest.picture("guest-not-for-guests")
    assert guest.faults() == []
    page.locator("[data-not-for-guests] .main").click()
    log_in(guest, "Lee", PASSWORD)
    expect(page.get_by_role("heading", name="This page does not exist.")).to_be_visible()
    assert page.url == f"{floor.url}/tables/nowhere"


def test_a_house_that_does_not_allow_it_asks_for_the_log_in_and_leads_back(floor: RunningFloor, visit: Visit) -> None:
    dealt = Dealt(floor)
    dealt.call()
    dealt.finish()
    guest = visit(None).at_table(dealt.id)
    page = guest.page
    allow(floor, None)
    expect(page.locator("[name=password]")).to_be_visible()
    expect(page.locator("[data-watch]")).to_have_count(0)
    guest.open("/watch")
    expect(page.locator("[data-guest-lobby=closed]")).to_be_visible()
    guest.picture("guest-lobby-closed")
    assert guest.faults() == []
    for path in (f"/tables/{dealt.id}", f"/rounds/{dealt.id}/1"):
        other = visit(None).open(path)
        log_in(other, "Lee", PASSWORD)
        shown = other.page.locator("[data-link=live], [data-step]")
        expect(shown.first).to_be_visible()
        assert other.page.url == f"{floor.url}{path}"


def test_a_guest_sees_a_table_close_and_comes_back_after_a_lost_connection(floor: RunningFloor, visit: Visit) -> None:
    dealt = Dealt(floor, faces=Faces.UP)
    guest = visit(None).at_table(dealt.id)
    page = guest.page
    guest.context.set_offline(True)
    expect(page.locator("[data-notice=offline]")).to_have_text("No connection. This page comes back by itself.")
    dealt.call()
    guest.context.set_offline(False)
    guest.phase("betting")
    expect(page.locator("[data-link=live]")).to_be_visible()
    dealt.finish()
    allow(floor, 1)  # another delay: the stream begins anew by itself
    expect(page.locator("[data-behind='1']")).to_be_visible()
    dealt.give("leave-seat", "Lee", Role.PLAYER)
    dealt.give("close-table", "Rob", Role.SHIFT_MANAGER)
    expect(page.locator("[data-notice=closed]")).to_be_visible()
    guest.picture("guest-closed")
    page.locator("[data-notice=closed] a").click()
    expect(page.locator("[data-guest-lobby]:not([data-guest-lobby=loading])")).to_be_visible()
    expect(page.locator(f"[data-table={dealt.id}]")).to_have_count(0)


def test_an_empty_lobby_and_a_board_for_guests(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    deal_rounds(croupier, "BPT")
    board = visit(None, size=(1920, 1080)).open(f"/board/{croupier.table}")
    expect(board.page.locator("[data-board=on][data-link=live]")).to_be_visible()
    expect(board.page.locator("[data-count=banker] dd")).to_have_text("1")
    expect(board.page.locator("[data-behind='0']")).to_be_visible()
    assert board.faults() == []
    board.picture("guest-board")
    allow(floor, 86_400)
    guest = visit(None, size=PHONE).open("/watch")
    expect(guest.page.locator("[data-guest-lobby='0']")).to_be_visible()
    expect(guest.page.locator("[data-behind]")).to_have_text("◔ Watching, 24 hours behind")
    guest.picture("guest-lobby-empty")
    assert guest.faults() == []
