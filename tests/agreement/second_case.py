"""When something goes wrong: the clause, the hands that are played and who has options, as the documents say.

The evidence decides, not the word of whoever reports it (reading.md, Irregularities). Like the rest of the
checker this shares nothing with the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations

from tests.agreement import law
from tests.agreement.second_deal import Deal, Fact
from tests.agreement.second_table import SecondTable
from tests.agreement.sighted import HANDS, Evidence, Sighted, lies_as_due, reordered

Found = tuple[str, str | None, str, str | None, bool]
"""Finding, clause, what is waited for, who decides, and whether that is a house term."""
OF_THE_SET = ("foreign-card", "wrong-set", "not-shuffled")
HOUSE_DECIDES = ("order", "judgement", "void", "return-bets", "ruling")


@dataclass
class Case:
    """What is known, and how far it has got."""

    number: int
    evidence: Evidence
    before: Deal
    was_settled: bool
    """The round had been settled when it was reported."""
    found: Found | None = None
    word: bool | None = None
    """The House's word on reconstruction."""
    is_ordered: bool = False
    undecided: list[str] = field(default_factory=list)
    options_clause: str | None = None
    is_chosen: bool = False
    slip: int = 0
    """The first card on record that never left the shoe, once the record is corrected."""
    owed: list[str] = field(default_factory=list)
    """Players whose choice in the case before was open when this further error was reported."""
    owed_clause: str | None = None
    owed_put_right: bool = False
    """That choice was to continue with the reconstructed hand."""
    is_choice_put_right: bool = False
    took_back_settlement: bool = False
    """The round had been paid, and this report opened it again."""

    def anew(self, evidence: Evidence) -> Case:
        """The case with other evidence: what was decided on the old is decided anew."""
        case = Case(self.number, evidence, self.before, self.was_settled, self.found)
        case.owed, case.owed_clause, case.owed_put_right = self.owed, self.owed_clause, self.owed_put_right
        case.took_back_settlement = self.took_back_settlement
        return case


@dataclass
class CaseTable(SecondTable):
    """A table at which things go wrong."""

    case: Case | None = None
    cases: int = 0

    # ── What the evidence comes to ───────────────────────────────────────────────────────────────

    def record(self, deal: Deal) -> tuple[Sighted, ...]:
        """The cards on record; of those left as they lay the first two of a hand belong there for good."""
        cards: list[Sighted] = []
        for nth, (hand, held) in enumerate(deal.recorded(), start=1):
            is_home = held.is_laid and sum(card.lies == hand for card in cards) < 2
            home = hand if is_home else None
            cards.append(Sighted(held.card, hand, held.is_up, nth, held.is_up, home=home))
        return tuple(cards)

    def findings(self, case: Case) -> Iterator[str]:
        """All that fits, in the order of reading.md; a slip of the record where nothing was dealt wrongly."""
        found = list(self.found_in_cards(replace(case, evidence=case.evidence.in_truth(case.before.record))))
        beside = ("interruption", "insurance-neglected", "uncovered")
        if case.evidence.has_slip and all(finding in beside for finding in found):
            yield "record-slip"
        yield from found

    def found_in_cards(self, case: Case) -> Iterator[str]:
        evidence, left = case.evidence, case.evidence.left
        places = evidence.places
        is_short = self.is_short(case)
        is_wrong_number = is_short or all(
            law.has_too_many(*lying(order), due=order.places) for order in self.possible_orders(case)
        )
        if any(card.foreign for card in evidence.cards) and "foreign-card" not in evidence.seen:
            yield "foreign-card"
        yield from (fact for fact in evidence.seen if fact in (*OF_THE_SET, "cards-run-out"))
        if is_wrong_number and case.word is False:
            yield "wrong-number"
        if len(evidence.group) > 1:
            yield "drawn-together"
        for card, place in zip(left, places, strict=False):
            if place is not None and card.lies in HANDS and card.lies != place:
                yield "wrong-side"
        for number, (card, place) in enumerate(zip(left, places, strict=False)):
            if card.lies == place and self.is_shown_early(case, card, number):
                yield "face-up"
        for card in left[len(places) :]:
            yield "exposed" if card.is_up else "excess"
        if None in places:
            yield "excess"
        if self.is_ante_open(case.before):
            for card in evidence.brought:
                if card is not left[0]:
                    yield "exposed" if card.is_up else "excess"
        is_early = case.before.phase == "betting" and self.terms.book != "ez" and evidence.brought
        if is_short or is_early or any(self.is_odd(card) for card in evidence.cards):
            yield "dealing-error"
        if is_wrong_number:
            yield "wrong-number"
        if "interruption" in evidence.seen:
            yield "interruption"
        if "insurance-neglected" in evidence.seen and self.neglected_bets():
            yield "insurance-neglected"
        if "uncovered" in evidence.seen:
            yield "uncovered"

    def is_short(self, case: Case) -> bool:
        """Whether the round was settled with a card missing."""
        return case.was_settled and not case.evidence.has_slip and law.is_short(*lying(case.evidence))

    def is_order_known(self, case: Case) -> bool:
        """Whether nobody has to say in which order cards left the shoe that were drawn together.

        It was seen or set, or nobody can tell them apart and they lie where cards were due.
        """
        evidence = case.evidence
        is_set = case.is_ordered or evidence.is_order_seen or len(evidence.group) < 2
        return is_set or lies_as_due(evidence, self.terms.is_physical)

    def possible_orders(self, case: Case) -> list[Evidence]:
        evidence = case.evidence
        if self.is_order_known(case):
            return [evidence]
        return [reordered(evidence, order) for order in permutations(evidence.group)]

    def face_in_hand(self, card: Sighted) -> str | None:
        """What shows of a card in its hand: at a face-up table one that was recovered lies open there."""
        return card.face if self.terms.faces_down or card.lies in HANDS else card.card

    def is_ante_open(self, before: Deal) -> bool:
        """Whether an ante is still to be decided by the first card."""
        spots = [(bet.box, bet.player, bet.area) for bet in self.bets if bet.area.startswith("ante-")]
        return before.phase in ("betting", "dealing", "antes") and any(spot not in self.antes for spot in spots)

    def is_shown_early(self, case: Case, card: Sighted, number: int) -> bool:
        """Face up at a table that deals face down."""
        if not self.terms.faces_down or not card.is_up or card.nth:
            return self.terms.faces_down and card.is_up and not card.was_up
        if card.carried and not self.deals_up(number):
            at = [other for other in case.evidence.brought if other.carried].index(card)
            return not case.before.carried[at].is_up
        return not self.deals_up(number)

    def is_odd(self, card: Sighted) -> bool:
        """Whether something is wrong with a card that no clause before 5.12 describes."""
        if card.foreign or card.lies == "shoe":
            return False
        if card.lies not in HANDS or card.is_other or card.is_moved or card.together:
            return True
        return not self.terms.faces_down and not card.is_up and (not card.nth or card.was_up)

    def is_to_be_put_right(self, evidence: Evidence) -> bool:
        """Whether the hands, as they lie, are not those that the order of the cards makes."""
        if any(card.lies == "shoe" or (card.foreign and card.nth) for card in evidence.cards):
            return True
        left = evidence.left
        return evidence.due != [card.lies for card in left]

    def find(self, case: Case) -> Found:
        """The first clause that fits; a card that was named and fits no other is 5.12."""
        found = list(self.findings(case)) or ["dealing-error"]
        rules = law.RULES[self.terms.book]
        finding = next((name for name in found if name in rules), found[0])
        rule = law.rule_on(self.terms.book, finding)
        clause = rule.clause
        awaits = self.awaits(case, finding, rule.awaits)
        if awaits == "judgement" and case.word is not None:
            awaits = "options"  # the House has said it, and no card was spoken of since
        if finding == "interruption" and self.terms.book == "insurance" and not self.is_established(case):
            clause = "5.4.2"
        if awaits not in HOUSE_DECIDES:
            return finding, clause, awaits, "player" if awaits == "options" else None, False
        # 5.10 names who sets an order, and nobody who gives the House's word on reconstruction.
        return finding, clause, awaits, rule.decider, not rule.is_named or awaits == "judgement"

    def awaits(self, case: Case, finding: str, first: str) -> str:
        evidence = case.evidence
        is_right = not self.is_to_be_put_right(evidence)
        if finding in OF_THE_SET and case.before.phase == "idle":
            return "nothing"
        if first == "order" and self.is_order_known(case):
            return "options" if evidence.due is not None and not evidence.has_slip else "judgement"
        if finding == "wrong-number" and case.word is False:
            return "void"
        if first == "options" and not is_right:
            return "judgement"
        if first == "judgement" and finding != "wrong-number" and is_right:
            return "judgement" if self.is_short(case) else "options"
        return first

    def is_established(self, case: Case) -> bool:
        """Whether an outcome is established on the hands that will be played, whichever they will be."""
        ways = []
        truth = replace(case, evidence=case.evidence.in_truth(case.before.record))
        for evidence in self.possible_orders(truth):
            left = evidence.left
            dealt = list(zip(left, evidence.places, strict=False))
            if case.word is not False:
                ways.append([[self.face_in_hand(card) for card, to in dealt if to == hand] for hand in HANDS])
            if case.word is not True:
                ways.append([[self.face_in_hand(card) for card in evidence.put_to(hand)] for hand in HANDS])
        return all(law.is_established(*way) for way in ways)


def lying(evidence: Evidence) -> list[list[str | None]]:
    """The faces of both hands as they lie."""
    return [[card.face for card in evidence.put_to(hand)] for hand in HANDS]


def told(evidence: Evidence) -> Fact:
    """All that holds, as it is compared."""
    marks = ((c.card, c.lies, c.is_up, c.together, c.foreign, c.carried) for c in evidence.cards)
    return tuple(marks), evidence.seen
