"""Decisions: what people say while a case is open, or about their bets, and what must come of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.agreement import law
from tests.agreement.checker import Bet
from tests.agreement.second_case import Case, lying
from tests.agreement.second_deal import Fact
from tests.agreement.second_report import ReportTable
from tests.agreement.sighted import Sighted, reordered

RANKS = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")


@dataclass
class SecondReading(ReportTable):
    """The table as the documents play it, right or wrong."""

    def waits_for(self, *awaited: str) -> Case | None:
        """The open case, if it waits for one of these."""
        case = self.case
        return case if case is not None and case.found is not None and case.found[2] in awaited else None

    def is_ranked(self, case: Case, role: str) -> bool:
        assert case.found is not None
        return RANKS.index(role) >= RANKS.index(case.found[3] or "dealer")

    def judged(self, possible: bool) -> list[Fact]:
        """The House's word on reconstruction."""
        case = self.waits_for("judgement")
        if case is None or case.found is None:
            return [("refused", "no-case")]
        if not possible and case.found[0] == "record-slip":
            return [("refused", "no-case")]
        if possible and self.due(case) is None:
            return [("refused", "cannot-reconstruct")]
        self.facts = [("judged", possible, case.found[1])]
        case.word = possible
        if not possible and "wrong-number" in self.findings(case):
            self.say_found(case)
            self.void("wrong-number", case.found[1])
        else:
            self.play()
        return self.facts

    def ordered(self, cards: Sequence[str | int]) -> list[Fact]:
        """A Pit Supervisor or above says which came first (5.10), by name or by number in the round."""
        case = self.waits_for("order")
        if case is None or case.found is None:
            return [("refused", "no-case")]
        group, all_cards = case.evidence.group, case.evidence.cards
        order: list[Sighted] = []
        for name in cards:
            by_name = [card for card in group if card.is_up and card.card == name]
            numbered = [all_cards[name - 1]] if isinstance(name, int) else by_name
            card = numbered[0] if numbered else None
            if card is None:
                return [("refused", "not-those-cards")]
            group = [one for one in group if one is not card]
            order.append(card)
        if group:
            return [("refused", "not-those-cards")]
        self.facts = [("ordered", tuple(card.face for card in order), case.found[1])]
        case.evidence, case.is_ordered = reordered(case.evidence, order), True
        self.go_on()
        return self.facts

    def chosen(self, player: str, option: str) -> list[Fact]:
        case = self.waits_for("options")
        if case is None or case.found is None:
            return [("refused", "no-case")]
        if player not in case.undecided or player in self.away:  # who is away continues
            return [("refused", "not-asked")]
        clause = case.options_clause
        back = self.stakes(player) if option == "return" else ()
        self.facts = [("chose", player, option, clause, back)]
        case.undecided.remove(player)
        case.is_chosen = True
        if option == "return":
            self.drop((player,))
        if not case.undecided:
            self.close("chosen", clause)
        return self.facts

    def options_closed(self) -> list[Fact]:
        """Who is away continues; who is here chooses."""
        case = self.waits_for("options")
        if case is None or case.found is None:
            return [("refused", "no-case")]
        if set(case.undecided) - self.away:
            return [("refused", "players-present")]
        clause = case.options_clause
        self.facts = [("chose", player, "continue", clause, ()) for player in case.undecided]
        self.close("chosen", clause)
        return self.facts

    def voided(self) -> list[Fact]:
        case = self.waits_for("void")
        if case is None or case.found is None:
            return [("refused", "no-case")]
        self.facts = []
        self.void(case.found[0], case.found[1])
        return self.facts

    def ruled(self, effect: str, players: tuple[str, ...], role: str) -> list[Fact]:
        """What the shift manager decides where the rules are silent."""
        case = self.waits_for("ruling")
        if role != "shift-manager":
            return [("refused", "not-allowed")]
        if case is None or case.found is None:
            return [("refused", "no-case")]
        clause = law.rule_on(self.terms.book, "uncovered").clause
        evidence = case.evidence.in_truth(case.before.record)
        is_known = self.due(case) is not None
        as_they_lie = {self.read_of(one.left, [card.lies for card in one.left]) for one in self.possible_orders(case)}
        cannot_lie = len(as_they_lie) > 1 or law.has_too_many(*lying(evidence), due=evidence.places)
        if effect != "void" and not is_known and cannot_lie:
            return [("refused", "cannot-reconstruct")]
        self.facts = [("ruled", effect, clause, self.stakes(*players) if players else ())]
        if effect == "void":
            self.void(case.found[0], clause)
            return self.facts
        if players:
            self.drop(players)
        is_renamed = any(card.is_other or card.is_moved for card in evidence.cards)
        if not is_known:
            self.lay_down(case.found[1])
        elif evidence.brought or is_renamed or self.is_to_be_put_right(evidence):
            self.put_right(case.found[1])
        else:
            self.turn_up(evidence)
        self.close("ruled", clause)
        return self.facts

    def bets_returned(self, role: str) -> list[Fact]:
        """A Pit Manager or above returns the bets of those who wished to insure (5.13)."""
        case = self.waits_for("return-bets")
        if role not in RANKS[2:]:
            return [("refused", "not-allowed")]
        if case is None or case.found is None:
            return [("refused", "no-case")]
        back = self.neglected_bets()
        self.facts = [("bets-back", back, case.found[1])]
        gone = {stake[:3] for stake in back}
        self.gone = self.gone or self.bets
        self.bets = [bet for bet in self.bets if (bet.box, bet.player, bet.area) not in gone]
        self.close("returned", case.found[1])
        return self.facts

    def replaced(self) -> list[Fact]:
        """After cards drawn together a new set may be put into play (5.10.2)."""
        self.change(carried=())
        return [("replaced", "5.10.2")]

    # ── People and their bets ────────────────────────────────────────────────────────────────────

    def walked_away(self, player: str) -> list[Fact]:
        """Who walks away from a bet has forgone insurance for the round, also after coming back (5.3)."""
        self.away.add(player)
        if self.deal.phase != "idle" and player in self.bettors():
            self.walked_off.add(player)
        return [("away", player)]

    def came_back(self, player: str) -> list[Fact]:
        self.away.remove(player)
        return [("back", player)]

    def declined(self, player: str) -> list[Fact]:
        told = (*self.deal.declined, (self.deal.cards_out, player))
        self.change(forgone=self.deal.forgone | {player}, declined=told)
        return [("declined", player)]

    def decide_ante(self, spot: tuple[int, str, str], is_wagered: bool) -> list[Fact]:
        box, player, area = spot
        self.antes[spot] = "wagered" if is_wagered else "given-up"
        if is_wagered:
            ante = next(bet for bet in self.bets if (bet.box, bet.player, bet.area) == spot)
            wager = Bet(box, player, area.replace("ante", "wager"), 2 * ante.stake, ante.is_seated)
            self.bets.append(wager)
            self.facts = [("wagered", box, player, wager.area, wager.stake)]
        else:
            self.facts = [("given-up", box, player, area)]
        left = tuple(other for other in self.deal.antes_open if other != spot)
        self.change(antes_open=left, phase="antes" if left else "dealing")
        self.proceed()  # after a mishap all cards may lie there already
        return self.facts

    def wished(self, box: int, player: str, hand: str) -> list[Fact]:
        window = self.deal.cards_out
        self.wishes.append((box, player, hand, window))
        return [("wished", box, player, hand, window)]

    def offered_by_dealer(self) -> list[Fact]:
        self.facts = []
        self.offer()
        return self.facts
