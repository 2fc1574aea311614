"""A scripted dealer: rounds dealt through the console at the speed of a scanner, over a network that stalls and breaks.

    python -m tests.browser.scripted 1000 --seed 7

The script says which cards come; the dealer looks at the console, as a person would, and does what it shows. In the end
the log of the table must be the script, card by card: nothing lost, nothing doubled, nothing in another order.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Locator, TimeoutError, WebSocketRoute, sync_playwright

from punto.books import load
from punto.cards.card import DECK, Card
from punto.cards.source import SourceKind
from punto.client import Refused
from punto.coup.coup import deal
from tests.browser.visitor import ROOT, Visitor
from tests.server.running_floor import RunningFloor, running_floor

BOOK, DECKS = "commission", 8
LOOK_MS = 100  # How long a look at the console takes before the network is given a push.
AGAIN_MS = 4000  # Longer than a console waits before it tries to connect once more.
MOST_LOOKS = 1000
NEW_SHOE = "load-shoe"


class RoughNetwork:
    """Between a console and the floor: frames are held back, and are lost together with the connection."""

    def __init__(self, dealer: Visitor, seed: int, *, lost: float = 0.02, stalled: float = 0.04) -> None:
        self._random, self._lost, self._stalled = Random(seed), lost, stalled
        self._held: list[Callable[[], None]] | None = None
        self.losses = self.stalls = 0
        dealer.page.route_web_socket(re.compile("/stream$"), self._between)

    def push(self) -> None:
        """What was held back arrives, in its order."""
        held, self._held = self._held or [], None
        for send in held:
            send()

    def _between(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._held = None

        def breaks() -> bool:
            if self._random.random() >= self._lost:
                return False
            self.losses += 1
            self._held = None
            socket.close(code=1001)
            return True

        def say(text: str | bytes) -> None:
            if json.loads(text)["type"] == "hello" or not breaks():
                server.send(text)

        def hear(text: str | bytes) -> None:
            if json.loads(text)["type"] == "answer" and breaks():
                return
            if self._held is None and self._random.random() < self._stalled:
                self.stalls += 1
                self._held = []
            if self._held is None:
                socket.send(text)
            else:
                self._held.append(lambda: socket.send(text))

        socket.on_message(say)
        server.on_message(hear)


def script_of(seed: int) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """Shoes without end: of each the rounds, as the cards in the order in which they leave it."""
    random, play = Random(seed), load(BOOK).play
    while True:
        shoe, at, rounds = list(DECK) * DECKS, 0, list[tuple[Card, ...]]()
        random.shuffle(shoe)
        while len(shoe) - at > 20:  # the cut card comes out before that, and the table asks for another shoe
            coup = deal(play, shoe, at)
            count = len(coup.player) + len(coup.banker)
            rounds.append(tuple(shoe[at : at + count]))
            at += count
        yield tuple(rounds)


class ScriptedDealer:
    """Deals by the console alone: reads which act is next, presses Space, types what the scanner reads."""

    def __init__(self, floor: RunningFloor, dealer: Visitor, seed: int) -> None:
        self.table = floor.new_table(BOOK, source=SourceKind.ENTERED, burn="none", decks=DECKS, behind_cut=52)
        self._floor, self._page, self.network = floor, dealer.page, RoughNetwork(dealer, seed)
        self._page.clock.install()  # so that the time between two presses need not be waited for
        dealer.at_console(self.table)
        self.dealt: list[tuple[Card, ...]] = []

    def deal(self, rounds: int, seed: int) -> None:
        """Deal rounds of the script."""
        for shoe in script_of(seed):
            for number, cards in enumerate(shoe):
                if len(self.dealt) == rounds:
                    return
                if number and self._next() == NEW_SHOE:
                    break
                self._round(cards)
                self.dealt.append(cards)

    def log(self) -> list[tuple[Card, ...]]:
        """The rounds of the table's log, as the cards in their order."""
        found, rounds = list[list[Card]](), 0
        after = 0
        while True:
            page = self._floor.client("Dan").events(self.table, after, 1000)
            assert not isinstance(page, Refused)
            for each in page.events:
                if each.event["type"] == "bets-called":
                    found.append([])
                elif each.event["type"] == "card-dealt":
                    found[-1].append(Card(each.event["card"]))
                elif each.event["type"] == "round-settled":
                    rounds += 1
            if not page.events:
                break
            after = page.last
        assert rounds == len(found), "every round that was called is settled"
        return [tuple(cards) for cards in found]

    def _round(self, cards: tuple[Card, ...]) -> None:
        typed, called = False, False
        for _ in range(MOST_LOOKS):
            act = self._next()
            if act == "deal-card" and not typed:
                self._page.keyboard.type("".join(f"{card.value}\n" for card in cards))
                typed = True
            elif act == "deal-card":
                self._wait_for_cards()
            elif act in {"call-bets", NEW_SHOE} and typed:
                return  # another shoe belongs to the next round: its cards are those of the script's next shoe
            else:
                called = called or act == "call-bets"
                self._press(act)
        raise AssertionError(f"the round does not end: {self._next()}, called: {called}")

    def _next(self) -> str:
        """The act that the console shows, once it is live and nothing is on its way."""
        shown = self._page.locator("main[data-link=live] [data-next]")
        while True:
            self._look(shown)
            try:
                return shown.get_attribute("data-next", timeout=LOOK_MS) or ""
            except TimeoutError:
                continue  # the connection was lost between two looks, or what would make it live is held back

    def _press(self, act: str) -> None:
        ready = self._page.locator(f"main[data-link=live] button[data-next={act}]:not(:disabled)")
        self._look(ready)
        self._page.clock.fast_forward(1000)
        self._page.keyboard.press("Space")
        self._look(self._page.locator(f"main[data-link=live] [data-next]:not([data-next={act}])"), tries=16)

    def _wait_for_cards(self) -> None:
        """Cards that were typed go on by themselves; where the console asks for a word, it gets it."""
        open_ = self._page.locator("[data-entry][data-state=waiting], [data-entry][data-state=sent]")
        if self._page.locator("[data-held]").count() and self._page.locator("[data-held] button").count():
            self._page.clock.fast_forward(1000)
            self._page.keyboard.press("Space")
        assert self._page.locator("[data-entry][data-state=refused]").count() == 0, open_.all_inner_texts()
        self._look(self._page.locator("main[data-link=live] [data-next]:not([data-next=deal-card])"), tries=4)

    def _look(self, what: Locator, tries: int = MOST_LOOKS) -> None:
        """Look until something is there, and give the network a push between two looks."""
        for _ in range(tries):
            self.network.push()
            try:
                what.first.wait_for(timeout=LOOK_MS)
            except TimeoutError:
                self._page.clock.fast_forward(
                    AGAIN_MS
                )  # a console that waits before it connects again need not be waited for
                continue
            return
        assert tries < MOST_LOOKS, f"not there: {what}"


def dealt_as_scripted(browser: Browser, floor: RunningFloor, rounds: int, seed: int) -> ScriptedDealer:
    """Deal rounds through a console, and compare the log with the script."""
    with Visitor(browser, floor, "Dan") as dealer:
        scripted = ScriptedDealer(floor, dealer, seed)
        scripted.deal(rounds, seed)
        log = scripted.log()
        assert dealer.errors == []
    for number, (said, kept) in enumerate(zip(scripted.dealt, log, strict=True), start=1):
        assert said == kept, f"round {number}: {said} was dealt, the log has {kept}"
    assert len(log) == rounds
    return scripted


def main() -> int:
    parser = argparse.ArgumentParser(description="Rounds dealt through the console over a bad network.")
    parser.add_argument("rounds", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = subprocess.run([ROOT / "tools/browser"], capture_output=True, text=True, check=True)
    with TemporaryDirectory() as folder, running_floor(str(Path(folder) / "house.db")) as floor, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=found.stdout.strip(), chromium_sandbox=False)
        done = losses = stalls = 0
        while done < asked.rounds:  # a hundred at each table, so that a failure names a short script
            count = min(100, asked.rounds - done)
            dealt = dealt_as_scripted(browser, floor, count, asked.seed + done)
            done, losses, stalls = done + count, losses + dealt.network.losses, stalls + dealt.network.stalls
            print(f"{done} rounds, {losses} connections lost, {stalls} stalls: the log is the script", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
