"""Evidence comes in and is taken back: what must come of a report, and of a card that is opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.agreement.second_case import OF_THE_SET, Case, CaseTable, told
from tests.agreement.second_deal import Deal, Fact
from tests.agreement.second_remedy import RemedyTable
from tests.agreement.second_table import with_shown
from tests.agreement.sighted import Evidence, Sighted, shown, with_report, without


@dataclass
class _Around:
    """What everybody at the table knows when a report is read."""

    table: CaseTable
    before: Deal

    def is_dealt_up(self, cards: Sequence[Sighted]) -> bool:
        return self.table.deals_up(sum(card.lies != "shoe" and not card.foreign for card in cards))

    def waiting(self, cards: Sequence[Sighted]) -> Sequence[tuple[str | None, bool]]:
        used = sum(card.carried and not card.nth for card in cards)
        return [(held.card, held.is_up) for held in self.before.carried[used:]]

    @property
    def is_carried_due(self) -> bool:
        return not self.before.kept

    @property
    def is_physical(self) -> bool:
        return self.table.terms.is_physical


@dataclass
class ReportTable(RemedyTable):
    """A table at which people report what they saw."""

    def reported(self, report: dict[str, Any]) -> list[Fact]:
        self.facts = []
        if report.get("round", self.round) != self.round:
            clause = "5.11" if self.terms.book == "insurance" else None
            return [("late", report["round"], clause)]
        case = self.case
        if case is None or case.is_chosen:
            evidence = Evidence(self.record(self.deal))
            trial = Case(self.cases + 1, evidence, self.deal, self.is_settled or self.is_reopened)
        else:
            trial = case.anew(case.evidence)
            if not report.get("cards") and not report.get("order"):
                trial.word, trial.is_ordered = case.word, case.is_ordered  # nothing new of the cards
        if refusal := self.refused(report, trial):
            return [refusal]
        if "insurance-neglected" in report.get("seen", ()) and not self.neglected_bets():
            return [("refused", "not-neglected")]
        trial.evidence = with_report(trial.evidence, report, _Around(self, trial.before))
        if not trial.evidence.follows(trial.before.carried):
            return [("refused", "card-not-there")]
        found = list(self.findings(trial))
        if "cards-run-out" in trial.evidence.seen and self.has_cards(trial):
            found = []  # the table's own shoe shows otherwise
        is_of_the_set = bool(found) and found[0] in OF_THE_SET
        if self.deal.phase == "idle" and not self.is_settled and not is_of_the_set:
            return [("refused", "no-round")]
        if not found:
            return [("refused", "nothing-wrong")]
        if trial.number > self.cases:
            if case is not None and case.found is not None:
                trial.owed, trial.owed_clause = case.undecided, case.options_clause
                trial.owed_put_right = case.is_choice_put_right
                self.close("superseded", case.found[1])
                trial.before = self.deal
            if self.is_settled and not set(found) <= set(OF_THE_SET):
                self.is_settled, self.is_reopened = False, True
                trial.took_back_settlement = True
                self.facts.append(("reopened", self.round))
                self.change(phase="finished")
                trial.before = self.deal
            self.open(trial)
        else:
            self.facts.append(("evidence-added", trial.number, told(trial.evidence)))
            self.case = trial
        self.weigh()
        return self.facts

    def has_cards(self, case: Case) -> bool:
        """Whether cards are left in a shoe that the system itself deals from."""
        drawn = sum(not card.carried for card in case.evidence.brought)
        back = sum(card.lies == "shoe" and card.nth > 0 for card in case.evidence.cards)
        return not self.terms.is_physical and case.before.shoe_left - drawn + back > 0

    def refused(self, report: dict[str, Any], trial: Case) -> Fact | None:
        """A dealer adds to the evidence; whoever changes it has to be a Pit Supervisor or above."""
        if report["role"] != "dealer":
            return None
        evidence, record = trial.evidence, self.record(trial.before)
        for entry in report.get("cards", ()):
            changed = with_report(evidence, {"cards": [entry]}, _Around(self, trial.before))
            if "nth" in entry:
                card = evidence.cards[entry["nth"] - 1]
                is_spoken_of = not card.nth or card != record[card.nth - 1]
                is_named = card.card is None and set(entry) <= {"nth", "is"}
                if is_spoken_of and changed != evidence and not is_named:
                    return "refused", "changes-evidence"
            evidence = changed
        return None

    def take_back(self, numbers: Sequence[int], facts: Sequence[str]) -> list[Fact]:
        """A Pit Supervisor or above takes back what was told."""
        self.facts = []
        case = self.case
        assert case is not None
        if case.is_chosen:
            return [("refused", "chosen-already")]
        left = without(case.evidence, numbers, facts, self.record(case.before))
        if not left.follows(case.before.carried):
            return [("refused", "card-not-there")]
        self.facts.append(("evidence-withdrawn", case.number, told(left)))
        self.case = case.anew(left)
        if next(self.findings(self.case), None) is None:
            self.restore(case.before)
            self.close("withdrawn", None)
        else:
            self.weigh()
        return self.facts

    def dismiss(self) -> list[Fact]:
        """All of it is taken back."""
        self.facts = []
        assert self.case is not None
        if self.case.is_chosen:
            return [("refused", "chosen-already")]
        self.restore(self.case.before)
        self.close("dismissed", None)
        return self.facts

    def restore(self, before: Deal) -> None:
        """The table as it was before the case; chips that went back when bets closed stay back."""
        self.deal = before
        self.is_closed = before.phase != "betting"

    def opened(self, hand: str, number: int, card: str) -> list[Fact]:
        """A card on record is opened while the case waits: that is evidence too, and stays."""
        self.facts = []
        case = self.case
        assert case is not None and case.found is not None
        nth = [at for at, to in enumerate(self.deal.record, start=1) if to == hand][number - 1]
        self.turned(hand, number, card)
        case.before = with_shown(case.before, hand, number, card)
        case.evidence = shown(case.evidence, nth, card)
        self.go_on()
        return self.facts
