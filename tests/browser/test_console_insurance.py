"""Insurance at the console: who is asked is in sight with the answers, at every size, and the hands are not hidden."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.test_felt import OTHER_SUITS, SIZES
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow

UNDER_THE_OFFERS = """() => {
  const panel = document.querySelector("[data-insurance]").getBoundingClientRect();
  const parts = [...document.querySelectorAll("[data-box], [data-free-boxes], [data-next], .hands")];
  const found = parts.filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return panel.left < right && left < panel.right && panel.top < bottom && top < panel.bottom;
  });
  const out = panel.top < 0 || panel.bottom > innerHeight ? ["it is not in view"] : [];
  return [...found.map((one) => one.className + " " + one.textContent.trim()), ...out];
}"""


def test_insurance_offers_cover_no_box(floor: RunningFloor, visit: Visit) -> None:
    """Beside the cards they take the place of the road: every box that is asked is in sight, with its answers."""
    croupier = Croupier(floor, "insurance")
    croupier.open_bets()
    for box, who in enumerate(("Lee", "Kim", "Max"), start=1):
        croupier.give("take-seat", by=who, role=Role.PLAYER, box=box)
        croupier.give("place-bet", by=who, role=Role.PLAYER, box=box, area="player", amount=30_000, round=1)
    croupier.deal("KS KH 5D 4C")
    dealer = visit("Dan").at_console(croupier.table)
    expect(dealer.page.locator("[data-offer] button")).to_have_count(6)
    wrong = dict[tuple[int, int], list[str]]()
    for size in (size for size in SIZES if size[0] > 1000):
        dealer.sized(size)
        wrong[size] = dealer.page.evaluate(UNDER_THE_OFFERS)
        for answer in dealer.page.locator("[data-offer] button").all():
            expect(answer).to_be_in_viewport(ratio=1)
        dealer.page.keyboard.press("i")
        form = dealer.page.locator("[data-form=take-insurance]")
        expect(form.locator("[name=amount]")).to_be_focused()
        for part in (form.locator("[name=amount]"), form.locator("button").first):
            expect(part).to_be_in_viewport(ratio=1)
        form.get_by_role("button", name="Cancel").click()
    assert not any(wrong.values()), wrong


def test_insurance_that_is_asked_is_on_every_small_screen(floor: RunningFloor, visit: Visit) -> None:
    """Over what the next card needs, until nobody is asked any more; the hands stay in sight."""
    croupier = Croupier(floor, "insurance")
    dealer = visit("Dan").at_console(croupier.table)
    offers = dealer.page.locator("[data-insurance='4']")
    for number, size in enumerate((size for size in SIZES if size[0] <= 1000), start=1):
        dealer.sized(size)
        croupier.open_bets()
        if number == 1:
            croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
        croupier.give("place-bet", by="Lee", role=Role.PLAYER, box=1, area="player", amount=30_000, round=number)
        croupier.deal("KS KH 5D 4C".translate({} if number % 2 else OTHER_SUITS))
        expect(offers.locator("[data-offer] button")).to_have_count(2)
        for part in (*offers.locator("[data-offer] button").all(), *dealer.page.locator(".hands .card").all()):
            expect(part).to_be_in_viewport(ratio=1)
        croupier.give("decline-insurance", by="Lee", role=Role.PLAYER, round=number, window=4)
        expect(offers.locator("[data-offer=Lee]")).to_contain_text("declined")
        assert offers.evaluate("one => getComputedStyle(one).position") == "sticky", "nothing lies on the keys"
        croupier.deal("2S 9S".translate({} if number % 2 else OTHER_SUITS))
        croupier.finish()
        expect(offers).to_have_count(0)
