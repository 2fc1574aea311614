"""Random rounds played through the table and held against the checker, command by command.

    python -m tests.agreement.random_rounds insurance 7 200

plays 200 rounds of block 7 again. A block is a seed: a failure names book and block, and gives the round as
the text of a `.punto` file.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import Any

from tests.agreement import oracle
from tests.agreement.compared import SEATED, STANDING, Disagreement
from tests.agreement.troubles import Troubled

ROUNDS_A_TABLE = 12
WITH_ERRORS = 0.1
"""The part of all rounds in which something goes wrong."""


class Rounds(Troubled):
    """A table that is being played at."""

    errors = 0
    """How many things are still to go wrong in this round."""
    with_errors = WITH_ERRORS

    # ── One round ────────────────────────────────────────────────────────────────────────────────

    def play(self) -> None:
        """A round from its call to its settlement, and what is found out after it."""
        read = self.read
        if not read.deal.carried and not read.away:
            self.lines = []
        is_replaced = self.table.state.shoe is None
        if is_replaced or len(read.deal.carried) + read.deal.shoe_left < 4:
            why = "no-shoe" if is_replaced else "shoe-finished"
            self.expect([("refused", why)], "call-bets")
            self.load()
            read.change(carried=(), shoe_left=self.shoe_size)
        self.windows, self.reports = [], 0
        self.expect(read.begin(), "call-bets")
        self._come_and_bet()
        self.errors = self.random.choice((1, 1, 1, 2, 3)) if self.chance(self.with_errors) else 0
        self.counts["rounds"] += 1
        self.counts["rounds with errors"] += bool(self.errors)
        while not self._is_over():
            self._step()
        is_together = self.book == "insurance" and read.last_finding == "drawn-together"
        if is_together and self.chance(0.1):
            self.expect(read.replaced(), "replace-cards", "Sue")
        if read.round > 1 and self.chance(0.01):
            self._late()

    def _likelihood(self) -> float:
        """Of something going wrong now: more while a window is open, and most when it is the last moment."""
        read, phase = self.read, self.read.deal.phase
        if phase == "idle" or read.neglected_bets():
            return 0.9
        is_hidden = read.deal.cards_out == 4 and not any(held.is_up for held in read.deal.player)
        if phase == "finished" or read.deal.window is not None or is_hidden:
            return 0.45
        return 0.15

    def _is_over(self) -> bool:
        read = self.read
        if read.case is not None or read.deal.phase != "idle":
            return False
        is_replaced = self.table.state.shoe is None
        return not read.is_settled or not self.errors or is_replaced

    def _late(self) -> None:
        """Something of an earlier round is noticed."""
        report = self.mishaps.fact() | {"round": self.random.randrange(1, self.read.round)}
        self.expect(self.read.reported(report | {"role": "dealer"}), "report", **report)

    def _come_and_bet(self) -> None:
        read, random = self.read, self.random
        chip = read.terms.chip
        for player in sorted(read.away):
            if self.chance(0.7):
                if read.round % 2 and player in SEATED:  # who bets in person has come back too
                    self.place(player, SEATED.index(player) + 1, "player", 9_000 // chip * chip)
                if player in read.away:
                    self.expect(read.came_back(player), "come-back", player)
        areas = [area for area in oracle.AREAS[self.book].split() if "insurance" not in area]
        for _ in range(random.randint(1, 10)):
            player = random.choice((*SEATED, *SEATED, *STANDING))
            if player in read.away:
                continue
            box = SEATED.index(player) + 1 if player in SEATED else random.randint(1, 3)
            area = random.choice(("player", "banker", *areas))
            amount = random.randint(1, 9_000) // chip * chip or chip
            self.place(player, box, area, amount)

    def _step(self) -> None:
        """One thing more: something goes wrong, somebody decides, or the deal goes on."""
        read, phase = self.read, self.read.deal.phase
        if read.case is not None:
            self.resolve()
        elif self.errors and self.chance(self._likelihood()):
            self.errors -= 1
            self.report_something()
        elif read.bets and self.chance(0.01):
            self.walk()
        elif phase == "betting" and self.book != "ez":
            read.facts = []
            read.closes()
            self.expect(read.facts, "close-bets")
        elif phase in ("betting", "dealing"):
            self._deal()
        elif phase == "antes":
            self._decide_antes()
        elif phase == "finished":
            self.expect(read.settle(), "settle-round")

    # ── The deal ─────────────────────────────────────────────────────────────────────────────────

    def _deal(self) -> None:
        read = self.read
        if read.deal.window is not None:
            self._insure()
        elif read.due_odds() and self._is_offered():
            return
        down = self.down()
        waits = read.deal.cards_out > 0 and read.is_ante_open(read.deal)  # for the card that it is decided by
        if waits and down:
            hand = read.deal.record[0]
            self.expect([("refused", "reveal-first")], "deal-card", card=self.draw())
            self.reveal(hand, 1)
            return
        if down and len(read.deal.player) > 1 and len(read.deal.banker) > 1:
            if self.chance(0.01):
                self.expect([("refused", "reveal-first")], "deal-card", card=self.draw())
            self.reveal(*self.random.choice(down))
            return
        self._deal_next()

    def _deal_next(self) -> None:
        read = self.read
        carried, is_physical = read.deal.carried, read.terms.is_physical
        if carried:
            is_named = carried[0].card is not None or not read.deals_up(read.deal.cards_out)
            card = carried[0].card if is_named else self.draw()
        elif not read.deal.shoe_left:
            self.expect([("refused", "card-not-there")], "deal-card", card=self.draw())
            self.report({"seen": ["cards-run-out"]})
            return
        else:
            is_hidden = is_physical and not read.deals_up(read.deal.cards_out)
            card = None if is_hidden else self.draw()
        self.expect(read.dealt(card), "deal-card", card=card)

    def _decide_antes(self) -> None:
        read = self.read
        spot = self.random.choice(read.deal.antes_open)
        box, player, area = spot
        ante = next(bet.stake for bet in read.bets if (bet.box, bet.player, bet.area) == spot)
        wager = area.replace("ante", "wager")
        fields: dict[str, Any] = {"box": box, "area": area}
        if player in read.away:
            self.expect(read.decide_ante(spot, is_wagered=False), "give-up-ante", player=player, **fields)
        elif self.chance(0.3):
            self.expect(read.decide_ante(spot, is_wagered=False), "give-up-ante", player, **fields)
        else:
            fields["area"] = wager
            self.expect([("refused", "wager-not-multiple")], "place-wager", player, amount=3 * ante, **fields)
            told = read.decide_ante(spot, is_wagered=True)
            self.expect(told, "place-wager", player, amount=2 * ante, **fields)

    # ── Insurance ────────────────────────────────────────────────────────────────────────────────

    def _is_offered(self) -> bool:
        """Where the dealer offers, some wish for insurance, and the dealer may forget it."""
        read = self.read
        for bet in read.bets:
            wish = (bet.box, bet.player, bet.area, read.deal.cards_out)
            is_open = bet.area in read.due_odds() and bet.player not in read.deal.forgone | read.walked_off
            if is_open and wish not in read.wishes and self.chance(0.4):
                told = read.wished(*wish[:3])
                self.expect(told, "wish-insurance", bet.player, box=bet.box, hand=bet.area)
        if self.chance(0.6):
            self.expect(read.offered_by_dealer(), "offer-insurance")
            return True
        return False

    def _insure(self) -> None:
        """Some take what they are offered, some decline, some are greedy."""
        read, chip = self.read, self.read.terms.chip
        took = {taken.player for taken in read.insured if taken.cards == read.deal.window}
        for offer in read.deal.offers:
            box, player, hand, _, most = offer
            spot = [taken for taken in read.insured if (taken.box, taken.player, taken.hand) == offer[:3]]
            if player in read.deal.forgone | read.walked_off or any(t.cards == read.deal.window for t in spot):
                continue
            fields: dict[str, Any] = {"box": box, "hand": hand}
            self.expect([("refused", "over-cap")], "take-insurance", player, amount=most + chip, **fields)
            if self.chance(0.5):
                amount = self.random.choice((most, chip))
                took.add(player)
                self.expect(read.insure(offer, amount), "take-insurance", player, amount=amount, **fields)
            elif player not in took and self.chance(0.2):
                self.expect(read.declined(player), "decline-insurance", player)


def play_block(book: str, block: int, rounds: int, with_errors: float = WITH_ERRORS) -> Counter[str]:
    """Play so many rounds of a block; how much was compared."""
    random, counts = Random(f"{book}/{block}"), Counter[str]()
    for start in range(0, rounds, ROUNDS_A_TABLE):
        table = Rounds(book, random)
        table.with_errors = with_errors
        for _ in range(min(ROUNDS_A_TABLE, rounds - start)):
            try:
                table.play()
            except Disagreement as error:
                raise Disagreement(f"{book}, block {block}: {error}") from error
        counts += table.counts
    return counts


if __name__ == "__main__":
    print(dict(play_block(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
