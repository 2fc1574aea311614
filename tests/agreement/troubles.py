"""Rounds in which something goes wrong: somebody reports, more is found out or taken back, people decide."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.agreement.compared import STAFF, Compared
from tests.agreement.mishaps import Mishaps, Report

STANDS = ("foreign-card", "wrong-set", "not-shuffled")
"""What can be seen of the set of cards between rounds."""
MOST_REPORTS = 8
"""Reports of one round."""


class Troubled(Compared):
    """A table at which things go wrong."""

    def __init__(self, book: str, random: Random) -> None:
        super().__init__(book, random)
        self.mishaps = Mishaps(self.read, random, self.draw)
        self.reports = 0
        """Reports of this round."""

    def chance(self, of_one: float) -> bool:
        return self.random.random() < of_one

    # ── Reports ──────────────────────────────────────────────────────────────────────────────────

    def report_something(self) -> None:
        """Something goes wrong now; it is told in one report or in two."""
        report = self.mishaps.any()
        if self.read.is_settled:
            report = self._between_rounds(report)
        if not report:
            return
        cards = report.get("cards", [])
        if len(cards) > 1 and self.chance(0.3):
            at = self.random.randrange(1, len(cards))
            self.report(report | {"cards": cards[:at]})
            if self.read.deal.phase == "idle":
                return
            report = {"cards": cards[at:]}
        self.report(report)

    def report(self, report: Report) -> None:
        by = self.random.choice(("Dan", "Dan", "Sue"))
        self.reports += 1
        self.counts["reports"] += 1
        self.expect(self.read.reported(report | {"role": STAFF[by]}), "report", by, **report)

    def _between_rounds(self, report: Report) -> Report:
        """What can be noticed after the settlement: nothing is interrupted then, and no card runs out."""
        possible = (*STANDS, "uncovered", "insurance-neglected")
        seen = [fact for fact in report.get("seen", ()) if fact in possible]
        cards = [entry for entry in report.get("cards", ()) if not entry.get("foreign")]
        if any(fact in STANDS for fact in seen):
            return {"seen": seen[:1]}
        return ({"cards": cards} if cards else {}) | ({"seen": seen} if seen else {})

    # ── Decisions ────────────────────────────────────────────────────────────────────────────────

    def resolve(self) -> None:
        """One thing more while a case is open."""
        case = self.read.case
        assert case is not None and case.found is not None
        chance = self.random.random()
        if chance < 0.12 and self.reports < MOST_REPORTS:
            self.report_something()
        elif chance < 0.2:
            self._take_back()
        elif chance < 0.23:
            self.expect(self.read.dismiss(), "dismiss-report", "Sue", reason="no error")
        elif chance < 0.26:
            self._try_in_vain()
        elif chance < 0.3:
            self.walk()
        elif chance < 0.4 and case.found[2] in ("judgement", "order", "ruling") and self.down():
            self.reveal(*self.random.choice(self.down()))
        else:
            self._decide(case.found[2])

    def down(self) -> list[tuple[str, int]]:
        """Cards on record that lie face down, also by the evidence."""
        deal, case = self.read.deal, self.read.case
        evidence = case.evidence.cards if case else ()
        told = {card.nth for card in evidence if card.is_up or card.lies == "shoe"}
        found, number = [], dict.fromkeys(("player", "banker"), 0)
        for nth, (hand, held) in enumerate(deal.recorded(), start=1):
            number[hand] += 1
            if not held.is_up and nth not in told:
                found.append((hand, number[hand]))
        return found

    def reveal(self, hand: str, number: int) -> None:
        read = self.read
        card = read.deal.hand(hand)[number - 1].card
        fields: dict[str, Any] = {"hand": hand, "number": number}
        if card is None:
            card = self.draw()
            fields["card"] = card
        predict = read.revealed if read.case is None else read.opened
        self.expect(predict(hand, number, card), "reveal-card", **fields)

    def walk(self) -> None:
        """Somebody walks away, or comes back."""
        read = self.read
        here = [player for player in read.bettors() if player not in read.away]
        if here and self.chance(0.7):
            player = self.random.choice(here)
            self.expect(read.walked_away(player), "walk-away", player)
        elif read.away:
            player = self.random.choice(sorted(read.away))
            self.expect(read.came_back(player), "come-back", player)

    def _take_back(self) -> None:
        """A Pit Supervisor takes back something that was told."""
        case = self.read.case
        assert case is not None
        record = self.read.record(case.before)
        numbers = [
            number
            for number, card in enumerate(case.evidence.cards, start=1)
            if (not card.nth or card != record[card.nth - 1]) and not card.is_passed_over
        ]
        facts = list(case.evidence.seen)
        if facts and (not numbers or self.chance(0.5)):
            numbers, facts = [], [self.random.choice(facts)]
        elif numbers:
            some = self.random.sample(numbers, self.random.randint(1, len(numbers)))
            numbers, facts = sorted(some), []
        else:
            return
        fields = {"cards": numbers} if numbers else {"seen": facts}
        self.expect(self.read.take_back(numbers, facts), "withdraw-evidence", "Sue", **fields)

    def _try_in_vain(self) -> None:
        """What is refused while a case is open."""
        case = self.read.case
        assert case is not None and case.found is not None
        awaits = case.found[2]
        tries: list[tuple[str, str, str, dict[str, Any]]] = [
            ("case-open", "deal-card", "Dan", {"card": "KS"}),
            ("case-open", "settle-round", "Dan", {}),
            ("not-allowed", "judge-reconstruction", "Dan", {"possible": True}),
            ("not-allowed", "withdraw-evidence", "Dan", {"seen": ["uncovered"]}),
            ("not-allowed", "rule", "Mae", {"effect": "void", "reason": "so"}),
        ]
        if awaits != "options":
            tries.append(("no-case", "choose-option", "Ann", {"option": "return"}))
        if awaits != "judgement":
            tries.append(("no-case", "judge-reconstruction", "Sue", {"possible": False}))
        if awaits != "void":
            tries.append(("no-case", "void-round", "Sue", {}))
        reason, kind, by, fields = self.random.choice(tries)
        self.expect([("refused", reason)], kind, by, **fields)

    def _decide(self, awaits: str) -> None:
        read, random, case = self.read, self.random, self.read.case
        assert case is not None
        if awaits == "judgement":
            possible = self.chance(0.65 if read.due(case) is not None else 0.2)
            by = random.choice(("Sue", "Mae", "Shaw"))
            self.expect(read.judged(possible), "judge-reconstruction", by, possible=possible)
        elif awaits == "order":
            cards = [
                str(card.card) if card.is_up else number
                for number, card in enumerate(case.evidence.cards, start=1)
                if any(card is one for one in case.evidence.group)
            ]
            random.shuffle(cards)
            if self.chance(0.05):
                cards = cards[1:]
            self.expect(read.ordered(cards), "order-cards", "Sue", cards=cards)
        elif awaits == "void":
            self.expect(read.voided(), "void-round", random.choice(("Sue", "Shaw")))
        elif awaits == "return-bets":
            self.expect(read.bets_returned("pit-manager"), "return-bets", "Mae")
        elif awaits == "ruling":
            self._rule()
        else:
            self._choose()

    def _rule(self) -> None:
        effect = self.random.choice(("continue", "continue", "void", "return"))
        players: tuple[str, ...] = ()
        bettors = self.read.bettors()
        if effect == "return" and bettors:
            players = tuple(self.random.sample(bettors, self.random.randint(1, len(bettors))))
        elif effect == "return":
            effect = "continue"
        fields: dict[str, Any] = {"effect": effect, "reason": "house", "players": players}
        self.expect(self.read.ruled(effect, players, "shift-manager"), "rule", "Shaw", **fields)

    def _choose(self) -> None:
        read, case = self.read, self.read.case
        assert case is not None
        here = [player for player in case.undecided if player not in read.away]
        if not here or self.chance(0.05):
            self.expect(read.options_closed(), "close-options")
            return
        player = self.random.choice(here)
        option = "return" if self.chance(0.25) else "continue"
        self.expect(read.chosen(player, option), "choose-option", player, option=option)
