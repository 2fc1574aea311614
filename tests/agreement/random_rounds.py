"""Random rounds played through the table and held against the checker, step by step.

    python -m tests.agreement.random_rounds insurance 7 200

plays 200 rounds of block 7 again. A block is a seed: a failure names book and block.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import Any

from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.money import Rounding
from punto.rules.text.irregularity import Irregular
from punto.table import Refusal
from punto.table import command as c
from punto.table import event as e
from punto.table.header import CommandHeader
from punto.table.state import Phase
from punto.table.terms import Faces, Noticing
from tests.agreement import checker, oracle
from tests.table.scenes import SUPERVISOR, Scene, made

SEATED = ("Ann", "Ben", "Cat")
STANDING = ("Dee", "Eve")
ROUNDS_A_TABLE = 20


class Rounds:
    """A table with random terms, and what has been played at it."""

    def __init__(self, book: str, random: Random) -> None:
        self.book, self.random, self.counts = book, random, Counter[str]()
        measured = book == "insurance"
        self.differential = random.choice((2_000, 5_000, 20_000))
        self.minimum = random.choice((100, 500, 1_000))
        self.scene = Scene(
            book,
            decks=8,
            chip=random.choice((1, 50, 100)),
            minimum=self.minimum,
            maximum=None,
            differential=self.differential if measured else None,
            noticing=random.choice(tuple(Noticing)),
            rounding=random.choice(tuple(Rounding)),
            faces=random.choice((Faces.UP, Faces.UP, Faces.DOWN)),
            source=SourceKind.CONTINUOUS,
        )
        self.carried: list[str] = []
        """Cards drawn too soon in the round before."""
        for box, player in enumerate(SEATED, start=1):
            self.scene.seat(player, box)

    # ── One round ────────────────────────────────────────────────────────────────────────────────

    def play(self) -> None:
        """Bets, the deal with everything that is decided on the way, and the settlement."""
        self.scene.call()
        self._bet()
        if self.book != "ez":
            before = self._lying()
            self.scene.close()
            terms = self.scene.table.terms
            if self.book == "insurance":
                limits = (self.differential, self.minimum, terms.rounding.value)
                assert self._lying() == checker.closed(before, *limits)
        cards = [*self.carried, *(str(card) for card in self.random.choices(DECK, k=9))]
        taken = self._deal(cards)
        deal = oracle.play_out(cards)
        assert [
            [str(slot.card) for slot in hand] for hand in (self.scene.state.player, self.scene.state.banker)
        ] == [
            deal.player,
            deal.banker,
        ]
        finished = next(event for event in reversed(self.scene.log) if isinstance(event, e.DealFinished))
        assert set(finished.declared) == oracle.called(self.book, deal)
        self._settle(deal, taken)

    def _lying(self) -> list[checker.Bet]:
        return [
            checker.Bet(bet.box, bet.player, bet.area, bet.stake, bet.is_seated)
            for bet in self.scene.state.bets
        ]

    def _bet(self) -> None:
        """Up to ten bets; what the table refuses is not laid."""
        areas = [area for area in oracle.AREAS[self.book].split() if "insurance" not in area]
        chip = self.scene.table.terms.chip
        for _ in range(self.random.randint(1, 10)):
            player = self.random.choice((*SEATED, *SEATED, *STANDING))
            box = SEATED.index(player) + 1 if player in SEATED else self.random.randint(1, 3)
            area = self.random.choice(("player", "banker", *areas))
            amount = self.random.randint(1, 9_000) // chip * chip or chip
            self._give(c.PlaceBet, player, box=box, area=area, amount=amount)

    def _give(self, what: type[CommandHeader], by: str, **fields: Any) -> bool:
        accepted = not isinstance(self.scene.give(made(what, by, **fields)), Refusal)
        self.counts["accepted" if accepted else "refused"] += 1
        return accepted

    def _deal(self, cards: list[str]) -> list[checker.Taken]:
        """Deal, now and then with cards that come too soon and are put where they belong."""
        taken: list[tuple[checker.Taken, Any]] = []
        scene, drawn = self.scene, 0
        while scene.state.phase is not Phase.FINISHED:
            if self._is_hasty():
                drawn += self._draw_too_many(cards[drawn : drawn + self.random.randint(1, 2)])
            else:
                scene.deal(cards[drawn])
                drawn += 1
            dealt = scene.state.cards_out
            if dealt >= 4:
                scene.open_all()
            self._decide_antes()
            if self.book == "insurance" and dealt in (4, 5) and scene.state.phase is Phase.DEALING:
                self._insure(cards[:dealt], taken)
        if self._is_hasty():
            drawn += self._draw_too_many(cards[drawn : drawn + 1])
        self.carried = cards[scene.state.cards_out : drawn]
        assert [str(card) for card in scene.state.carried] == self.carried
        return [insurance for insurance, _ in taken]

    def _is_hasty(self) -> bool:
        """Whether the dealer draws too soon now; what was carried over is in nobody's way any more."""
        return self.book != "ez" and not self.scene.state.carried and self.random.random() < 0.04

    def _draw_too_many(self, cards: list[str]) -> int:
        """Cards leave the shoe too soon: they are put right, and everybody plays on."""
        scene = self.scene
        kind = Irregular.EXCESS_OR_EXPOSED if self.book == "insurance" else Irregular.WRONG_NUMBER
        scene.report(kind, " ".join(cards))
        scene.open_all()
        scene.do(c.JudgeReconstruction, SUPERVISOR, possible=True)
        while scene.state.case is not None:
            scene.do(c.ChooseOption, scene.state.case.undecided[0], option=c.Option.CONTINUE)
        self.counts["put right"] += 1
        return len(cards)

    def _decide_antes(self) -> None:
        for box, player, area in self.scene.state.antes_open:
            ante = next(
                bet.stake for bet in self._lying() if (bet.box, bet.player, bet.area) == (box, player, area)
            )
            if self.random.random() < 0.3:
                self.scene.do(c.GiveUpAnte, player, box=box, area=area)
            else:
                wager = area.replace("ante", "wager")
                assert not self._give(c.PlaceWager, player, box=box, area=wager, amount=3 * ante)
                self.scene.do(c.PlaceWager, player, box=box, area=wager, amount=2 * ante)

    def _insure(self, cards: list[str], taken: list[tuple[checker.Taken, Any]]) -> None:
        """The offers are those of the document, and so is the greatest stake of each."""
        odds, state = checker.open_odds(cards), self.scene.state
        assert (state.window is not None) == bool(odds)
        chip = self.scene.table.terms.chip
        expected = [
            (bet.box, bet.player, hand, f"{pays.numerator}:{pays.denominator}", limit)
            for hand, pays in odds.items()
            for bet in self._lying()
            if bet.area == hand and bet.player not in state.forgone
            if (limit := checker.most(bet, pays, taken, chip)) > 0
        ]
        offers = [(made.box, made.player, made.hand.value, made.odds, made.most) for made in state.offers]
        assert sorted(offers) == sorted(expected)
        for offer in state.offers:
            fields = {"box": offer.box, "hand": offer.hand}
            assert not self._give(c.TakeInsurance, offer.player, amount=offer.most + chip, **fields)
            if self.random.random() < 0.6:
                amount = self.random.choice((offer.most, chip))
                self.scene.do(c.TakeInsurance, offer.player, amount=amount, **fields)
                insurance = checker.Taken(offer.box, offer.player, offer.hand.value, len(cards), amount)
                taken.append((insurance, odds[offer.hand.value]))

    def _settle(self, deal: oracle.Deal, taken: list[checker.Taken]) -> None:
        bets, rounding = self._lying(), self.scene.table.terms.rounding.value
        (settled,) = self.scene.do(c.SettleRound)
        lines = [
            (line.box, line.player, line.area, line.stake, line.result.value, line.net)
            for line in settled.bets
        ]
        assert lines == checker.settled(self.book, bets, taken, deal, rounding)
        assert settled.winner.value == deal.winner
        self.counts["rounds"] += 1
        self.counts["lines"] += len(lines)
        self.counts["insurance"] += len(taken)
        self.counts["scaled"] += sum(
            event.why == "pro-rata" for event in self.scene.log if isinstance(event, e.BetReturned)
        )
        self.scene.log.clear()


def play_block(book: str, block: int, rounds: int) -> Counter[str]:
    """Play so many rounds of a block; how much was compared."""
    random, counts = Random(f"{book}/{block}"), Counter[str]()
    for start in range(0, rounds, ROUNDS_A_TABLE):
        table = Rounds(book, random)
        for _ in range(min(ROUNDS_A_TABLE, rounds - start)):
            table.play()
        counts += table.counts
    return counts


if __name__ == "__main__":
    print(dict(play_block(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
