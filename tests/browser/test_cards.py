"""Cards named at the console: none is lost, whatever the speed, the network and the focus; one key takes one back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from punto.rules.authority import Role
from tests.browser.conftest import Visit
from tests.browser.croupier import Croupier
from tests.browser.scripted import dealt_as_scripted
from tests.browser.visitor import Visitor
from tests.server.running_floor import RunningFloor

pytestmark = pytest.mark.slow


def closed(floor: RunningFloor, book: str = "commission", **terms: Any) -> Croupier:
    """A table whose first card is due."""
    croupier = Croupier(floor, book, **terms)
    croupier.open_bets()
    croupier.give("close-bets")
    return croupier


def dealt(croupier: Croupier) -> list[str]:
    """The cards of the log, in order, as `P 5H`; a correction as `P 5H>6H`."""
    found = croupier.floor.client("Dan").events(croupier.table)
    events = [each.event for each in found.events]  # type: ignore[union-attr]
    said = {
        "card-dealt": lambda event: f"{event['hand'][0].upper()} {event['card']}",
        "card-corrected": lambda event: f"{event['hand'][0].upper()} {event['was']}>{event['card']}",
    }
    return [said[event["type"]](event) for event in events if event["type"] in said]


def entries(dealer: Visitor) -> list[str]:
    shown = dealer.page.locator("[data-entry]")
    return [f"{one.get_attribute('data-entry')} {one.get_attribute('data-state')}" for one in shown.all()]


def confirmed(dealer: Visitor, count: int) -> None:
    expect(dealer.page.locator("[data-entry][data-state=done]")).to_have_count(count)


class Network:
    """Between a page and the floor: it can hold what the floor says, or lose a card and the connection with it."""

    def __init__(self, dealer: Visitor) -> None:
        self.held: list[Callable[[], None]] | None = None
        self.loses: str | None = None
        """What is lost with the connection once a card is sent: the `card`, or the `answer` to it."""
        dealer.page.route_web_socket(re.compile("/stream$"), self._between)

    def release(self) -> None:
        held, self.held = self.held or [], None
        for send in held:
            send()

    def _between(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def say(text: str | bytes) -> None:
            frame = json.loads(text)
            if self.loses == "card" and frame.get("command", {}).get("type") == "deal-card":
                self.loses = None
                socket.close(code=1001)
                return
            server.send(text)

        def hear(text: str | bytes) -> None:
            if self.loses == "answer" and json.loads(text)["type"] == "answer":
                self.loses = None
                socket.close(code=1001)
            elif self.held is not None:
                self.held.append(lambda: socket.send(text))
            else:
                socket.send(text)

        socket.on_message(say)
        server.on_message(hear)


def test_cards_at_the_speed_of_a_scanner_wherever_the_focus_is(floor: RunningFloor, visit: Visit) -> None:
    croupier = closed(floor)
    dealer = visit("Dan").at_console(croupier.table)
    dealer.page.locator(".hands").click()
    assert dealer.page.evaluate("document.activeElement.tagName") == "BODY"
    dealer.page.keyboard.type("2h\nks\n3D\n6c\n10s\n")
    confirmed(dealer, 5)
    expect(dealer.page.locator("[data-next=settle-round]")).to_be_visible()
    assert dealt(croupier) == ["P 2H", "B KS", "P 3D", "B 6C", "P 10S"]


def test_a_scanner_presses_no_button_and_types_into_no_dialog(floor: RunningFloor, visit: Visit) -> None:
    croupier = closed(floor)
    dealer = visit("Dan").at_console(croupier.table)
    dealer.page.locator("[data-pit-here]").focus()
    dealer.page.keyboard.type("2h\n")
    confirmed(dealer, 1)
    expect(dealer.page.locator("dialog[open]")).to_have_count(0)
    dealer.page.keyboard.press("F8")
    expect(dealer.page.locator("[data-report]")).to_be_visible()
    dealer.page.keyboard.type("ks\n")
    dealer.page.keyboard.press("Escape")
    expect(dealer.page.locator("[data-report]")).not_to_be_visible()
    dealer.page.keyboard.type("3d")
    confirmed(dealer, 2)
    assert dealt(croupier) == ["P 2H", "B 3D"]


def test_a_stalled_stream(floor: RunningFloor, visit: Visit) -> None:
    croupier = closed(floor)
    dealer = visit("Dan")
    network = Network(dealer)
    dealer.at_console(croupier.table)
    network.held = []
    dealer.page.keyboard.type("5h6s2d3c")
    expect(dealer.page.locator("[data-entry]")).to_have_count(4)
    assert entries(dealer) == ["5H sent", "6S waiting", "2D waiting", "3C waiting"]
    dealer.picture("console-queue")
    network.release()
    confirmed(dealer, 4)
    assert dealt(croupier) == ["P 5H", "B 6S", "P 2D", "B 3C"]


@pytest.mark.parametrize("lost", ["card", "answer"])
def test_a_connection_that_is_lost_with_a_card_on_its_way(floor: RunningFloor, visit: Visit, lost: str) -> None:
    croupier = closed(floor)
    dealer = visit("Dan")
    network = Network(dealer)
    dealer.at_console(croupier.table)
    dealer.page.keyboard.type("5h")
    confirmed(dealer, 1)
    network.loses = lost
    dealer.page.keyboard.type("6s2d3c")
    confirmed(dealer, 4)
    assert dealt(croupier) == ["P 5H", "B 6S", "P 2D", "B 3C"]


def test_a_refusal_names_the_card_and_keeps_the_rest(floor: RunningFloor, visit: Visit) -> None:
    croupier = closed(floor)
    dealer = visit("Dan")
    network = Network(dealer)
    dealer.at_console(croupier.table)
    network.held = []
    croupier.give("take-seat", by="Lee", role=Role.PLAYER, box=1)
    dealer.page.keyboard.type("5h6s")
    network.release()
    expect(dealer.page.locator("[data-refused-card='5H']")).to_be_in_viewport()
    assert entries(dealer) == ["5H refused", "6S waiting"]
    assert dealt(croupier) == []
    dealer.page.keyboard.type("r5h")
    confirmed(dealer, 2)
    assert dealt(croupier) == ["P 5H", "B 6S"]


def test_one_key_takes_the_last_card_back(floor: RunningFloor, visit: Visit) -> None:
    croupier = closed(floor, "insurance")
    dealer = visit("Dan").at_console(croupier.table)
    dealer.page.keyboard.type("kskh5d")
    confirmed(dealer, 3)
    dealer.page.keyboard.press("Backspace")
    expect(dealer.page.locator("[data-correcting]")).to_contain_text("Player, card 2")
    dealer.page.keyboard.type("6d")
    put_right = dealer.page.locator("[data-entry='6D'][data-state=done]")
    expect(put_right).to_have_attribute("data-was", "5D")
    dealer.page.keyboard.type("9c")
    confirmed(dealer, 4)  # a card that was put right is one card
    assert entries(dealer) == ["KS done", "KH done", "6D done", "9C done"]
    assert dealt(croupier) == ["P KS", "B KH", "P 5D", "P 5D>6D", "B 9C"]
    dealer.page.keyboard.press("Space")
    expect(dealer.page.locator("[data-next=call-bets]")).to_be_visible()
    dealer.page.keyboard.press("Backspace")
    expect(dealer.page.locator("[data-back]")).to_contain_text("cannot be corrected")
    # What is noticed after the settlement is reported: the console says how, at the key and where cards are corrected.
    expect(dealer.page.locator("[data-back]")).to_contain_text("Report it instead: F8.")
    dealer.page.locator("[data-misread]").click()
    report = dealer.page.locator("[data-report]")
    report.locator("[data-add]").click()
    report.get_by_label("Cards", exact=True).select_option(label="card 3: 6 of diamonds, Player")
    report.get_by_label("It is really").fill("5d")
    report.get_by_role("button", name="Report").click()
    expect(dealer.page.locator(".hand.player [data-card='5D']")).to_be_visible()  # the record is right again
    expect(dealer.page.locator("[data-entry='5D']")).to_have_count(1)


def test_a_card_named_too_soon_waits_for_a_word(floor: RunningFloor, visit: Visit) -> None:
    croupier = Croupier(floor, "commission")
    croupier.open_bets()
    dealer = visit("Dan").at_console(croupier.table)
    dealer.page.keyboard.type("5h")
    expect(dealer.page.locator("[data-held=not-due]")).to_be_visible()
    croupier.give("close-bets")
    expect(dealer.page.locator("[data-next=deal-card]")).to_be_visible()
    assert entries(dealer) == ["5H waiting"]
    dealer.page.keyboard.press("Space")
    confirmed(dealer, 1)
    assert dealt(croupier) == ["P 5H"]


def test_rounds_dealt_by_a_script_over_a_bad_network_are_the_log(browser: Browser, floor: RunningFloor) -> None:
    """A thousand in `make soak` (`python -m tests.browser.scripted`)."""
    scripted = dealt_as_scripted(browser, floor, 10, seed=3)
    assert scripted.network.losses > 0 and scripted.network.stalls > 0, "the network was bad"
