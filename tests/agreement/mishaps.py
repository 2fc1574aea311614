"""Things that go wrong at a table, at random: what happened, told as the entries and facts of a report.

A mishap is judged by nobody here: it says which cards left the shoe and where they lie.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.agreement.second_reading import SecondReading
from tests.agreement.sighted import HANDS, Sighted

Entry = dict[str, Any]
Report = dict[str, Any]
PLACES = ("player", "banker", "player", "banker", "table", "floor")


class Mishaps:
    """What can go wrong at one table."""

    def __init__(self, table: SecondReading, random: Random, draw: Callable[[], str]) -> None:
        self.table, self.random, self.draw = table, random, draw
        self.is_past = False
        """In this report cards were drawn past those that were carried over."""

    def any(self) -> Report:
        """One or two things that went wrong now; an empty report when nothing can be thought of."""
        self.is_past = False
        if self.table.neglected_bets() and self.random.random() < 0.5:
            return {"seen": ["insurance-neglected"]}
        report = self._one()
        if self.random.random() < 0.2 and len(report.get("cards", ())) < 3:
            second = self._one(len(self._new(report)))
            both = {key: [*report.get(key, ()), *second.get(key, ())] for key in ("cards", "seen")}
            report |= second | {key: told for key, told in both.items() if told}
        return report

    def _new(self, report: Report) -> list[Entry]:
        return [entry for entry in report.get("cards", ()) if "nth" not in entry]

    def _one(self, new: int = 0) -> Report:
        """`new` cards of the same report came before."""
        kinds: list[tuple[int, Callable[[], Report]]] = [
            (24, lambda: self._cards(1, new)),
            (10, lambda: self._cards(2, new)),
            (2, lambda: self._cards(3, new)),
            (10, lambda: self._together(new)),
            (6, self._crossed),
            (10, self._keyed),
            (10, self._turned),
            (6, self._in_the_shoe),
            (5, self._fallen),
            (4, self._moved),
            (4, self._foreign),
            (12, self.fact),
        ]
        weights, makers = zip(*kinds, strict=True)
        maker: Callable[[], Report] = self.random.choices(makers, weights)[0]
        return maker()

    # ── Cards just out of the shoe ───────────────────────────────────────────────────────────────

    def _room(self, new: int) -> int:
        """How many cards more can leave the shoe and still make sense to speak of."""
        case = self.table.case
        known = len(case.evidence.cards) if case else self.table.deal.cards_out
        return min(8 - known - new, self._left() - new)

    def _left(self) -> int:
        return self.table.deal.shoe_left

    def _card(self, lies: str, new: int, **marks: Any) -> Entry:
        """The next card, where it lies and sometimes which face shows."""
        random, table = self.random, self.table
        entry: Entry = {"lies": lies, **marks}
        waiting = [] if self.is_past else self._waiting()[new:]
        self.is_past = self.is_past or (
            bool(waiting) and random.random() < 0.1
        )  # the dealer forgets what was carried over
        if waiting and not self.is_past:
            card, is_up = waiting[0]
            entry |= {"card": card, "carried": True}
            if not is_up and random.random() < 0.3 and card is not None:
                entry["face"] = "up"
            elif card is None:
                entry["face"] = "down"
            return entry
        dealt_up = not table.terms.faces_down
        if random.random() < (0.4 if table.terms.faces_down else 0.04):
            entry["face"] = "up" if table.terms.faces_down else "down"
        is_up = entry.get("face", "up" if dealt_up else "down") == "up"
        is_shown = table.terms.book == "knockout" and not self._known()
        entry["card"] = self.draw() if is_up or is_shown or not table.terms.is_physical else None
        return entry

    def _known(self) -> tuple[Sighted, ...]:
        """All cards of the round as they are known now."""
        case, table = self.table.case, self.table
        if case is not None and not case.is_chosen:
            return case.evidence.cards
        return table.record(table.deal)

    def _waiting(self) -> list[tuple[str | None, bool]]:
        """Cards carried over that nobody has drawn in this round."""
        case, known = self.table.case, self._known()
        deal = case.before if case is not None and not case.is_chosen else self.table.deal
        used = sum(card.carried and not card.nth for card in known)
        return [(held.card, held.is_up) for held in deal.carried[used:]]

    def _cards(self, number: int, new: int) -> Report:
        if self._room(new) < number:
            return {}
        due = self.table.next_hand()
        entries = []
        for place in range(number):
            lies = self.random.choice(PLACES)
            if due in HANDS and place == 0 and self.random.random() < 0.2:
                lies = due
            entries.append(self._card(lies, new + place))
        return {"cards": entries}

    def _together(self, new: int) -> Report:
        number, table = self.random.choice((2, 2, 3)), self.table
        if self._room(new) < number:
            return {}
        all_up = not table.terms.faces_down or self.random.random() < 0.4
        entries = []
        for place in range(number):
            is_up = all_up or self.random.random() < 0.4
            lies = self.random.choice(("player", "banker", "table"))
            card = self._card(lies, new + place, together=True)
            if card["card"] is None and is_up:
                card["card"] = self.draw()
            elif table.terms.is_physical and not is_up:
                card["card"] = None
            entries.append(card | {"face": "up" if is_up else "down"})
        if any(card.get("carried") for card in entries):
            return {}
        report: Report = {"cards": entries}
        if self.random.random() < 0.3:
            report["order"] = "seen"
        return report

    # ── Cards on record ──────────────────────────────────────────────────────────────────────────

    def _nth(self, wanted: Callable[[Sighted], bool] = lambda _: True) -> int | None:
        """The number of a card on record."""
        numbers = [n for n, card in enumerate(self._known(), start=1) if card.nth and wanted(card)]
        return self.random.choice(numbers) if numbers else None

    def _crossed(self) -> Report:
        """A card, or one of each hand, went to the other side."""
        entries: list[Entry] = []
        for hand, other in zip(HANDS, reversed(HANDS), strict=True):
            nth = self._nth(lambda card, hand=hand: card.lies == hand)  # type: ignore[misc]
            if nth is not None and (not entries or self.random.random() < 0.7):
                entries.append({"nth": nth, "lies": other})
        return {"cards": entries} if entries else {}

    def _keyed(self) -> Report:
        """A card was keyed in wrongly."""
        nth = self._nth(lambda card: card.is_up)
        if nth is None or not self.table.terms.is_physical:
            return {}
        return {"cards": [{"nth": nth, "is": self.draw()}]}

    def _turned(self) -> Report:
        """A card on record shows its face."""
        nth = self._nth(lambda card: not card.is_up)
        if nth is None:
            return {}
        entry: Entry = {"nth": nth, "face": "up"}
        if self._known()[nth - 1].card is None:
            entry["is"] = self.draw()
        return {"cards": [entry]}

    def _in_the_shoe(self) -> Report:
        """The last card, or the last two, never left the shoe; or one before them, or several."""
        known = self._known()
        on_record = [number for number, card in enumerate(known, start=1) if card.nth]
        if on_record and self.random.random() < 0.4:
            told = self.random.sample(on_record, self.random.choice((1, 1, min(2, len(on_record)))))
            return {"cards": [{"nth": number, "lies": "shoe"} for number in told]}
        number = self.random.choice((1, 1, 1, 2))
        if len(known) < number or not all(card.nth for card in known):
            return {}
        return {"cards": [{"nth": len(known) - place, "lies": "shoe"} for place in range(number)]}

    def _fallen(self) -> Report:
        nth = self._nth()
        return {} if nth is None else {"cards": [{"nth": nth, "lies": self.random.choice(("floor", "table"))}]}

    def _moved(self) -> Report:
        """A card left the shoe before or after another."""
        known = self._known()
        nth = self._nth()
        if nth is None or len(known) < 2:
            return {}
        after = self.random.choice([n for n in range(1, len(known) + 1) if n != nth])
        return {"cards": [{"nth": nth, "after": after}]}

    # ── Everything else ──────────────────────────────────────────────────────────────────────────

    def _foreign(self) -> Report:
        nth = self._nth()
        if nth is not None and self.random.random() < 0.4:
            return {"cards": [{"nth": nth, "foreign": True}]}
        return {"cards": [{"card": "7C", "lies": self.random.choice(PLACES), "foreign": True, "face": "up"}]}

    def fact(self) -> Report:
        facts = ["foreign-card", "wrong-set", "not-shuffled", "cards-run-out", "uncovered"]
        facts += ["interruption", "interruption", "insurance-neglected"]
        return {"seen": [self.random.choice(facts)]}
