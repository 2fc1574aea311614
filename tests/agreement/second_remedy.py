"""What comes of evidence: the clause, the hands that are played, who has options, what is voided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.agreement import law, oracle_deal
from tests.agreement.second_case import Case, CaseTable, told
from tests.agreement.second_deal import Deal, Held
from tests.agreement.sighted import HANDS, Evidence, Sighted


@dataclass
class RemedyTable(CaseTable):
    """A table at which the evidence decides what comes of a case."""

    def weigh(self) -> None:
        """Find the clause anew, from the table as it was before the case."""
        case = self.case
        assert case is not None
        evidence = case.evidence
        self.deal = case.before
        self.take_from_shoe(evidence)
        if evidence.brought:
            if self.deal.phase == "betting":
                self.closes()
            self.close_window()
        self.go_on()

    def go_on(self) -> None:
        """Say which clause was found, and go on until somebody has to decide."""
        case = self.case
        assert case is not None
        evidence = case.evidence
        self.say_found(case)
        assert case.found is not None
        finding, clause, awaits, *_ = case.found
        if "interruption" in evidence.seen and self.terms.book == "insurance" and awaits != "void":
            if not self.is_established(case):
                self.void("interruption", "5.4.2")
                return
            if finding == "interruption":
                self.close("completed", clause)
                return
        if awaits == "nothing":
            self.close("stands", clause)
        elif awaits == "options":
            self.play()

    def due(self, case: Case) -> list[str | None] | None:
        """Where each card was due; None if that hangs on a face not seen, or on an order not known."""
        found = set()
        for evidence in self.possible_orders(case):
            left = evidence.left
            places = evidence.due
            if places is None:
                return None
            by_card = {id(card): place for card, place in zip(left, places, strict=True)}
            over = tuple(id(card) for card, place in zip(left, places, strict=True) if place is None)
            found.add((tuple(by_card[id(card)] for card in case.evidence.left), over, self.read_of(left, places)))
        return list(found.pop()[0]) if len(found) == 1 else None

    def read_of(self, cards: Sequence[Sighted], places: Sequence[str | None]) -> tuple[object, ...]:
        """What a bet may look at: which card was a hand's third, and with an ante also which came first."""
        hands = [[card.card for card, at in zip(cards, places, strict=True) if at == hand] for hand in HANDS]
        has_ante = any("ante" in bet.area for bet in self.bets)
        return tuple((hand[2:], tuple(hand) if has_ante else None) for hand in map(tuple, hands))

    def take_from_shoe(self, evidence: Evidence) -> None:
        """Carried cards are used, and a card that never left the shoe has closed no window."""
        used = sum(card.carried for card in evidence.brought)
        self.change(kept=max(0, self.deal.kept - used))
        back = {card.nth for card in evidence.cards if card.lies == "shoe"}
        not_passed = {player for closing in self.deal.closings if closing.nth in back for player in closing.players}
        self.change(
            carried=self.deal.carried[used:],
            forgone=self.deal.forgone - not_passed,
            closings=tuple(closing for closing in self.deal.closings if closing.nth not in back),
            shoe_left=self.deal.shoe_left - (len(evidence.brought) - used) + len(back),
        )

    def say_found(self, case: Case) -> None:
        found = self.find(case)
        if found != case.found:
            self.facts.append(("found", *found))
        case.found = found

    # ── The hands that are played ────────────────────────────────────────────────────────────────

    def play(self) -> None:
        case = self.case
        assert case is not None and case.found is not None
        finding, clause, *_ = case.found
        evidence = case.evidence
        if case.word is False:
            self.lay_down(clause)
            self.give_options(finding, "continued")
        elif finding == "drawn-together":
            self.put_right(clause)
            self.give_options(finding, "ordered")
        elif case.word or self.is_to_be_put_right(evidence):
            self.put_right(clause)
            self.give_options(finding, "reconstructed")
        else:
            is_renamed = any(card.is_other or card.is_moved for card in evidence.cards)
            if evidence.brought or is_renamed:
                self.put_right(clause)
            self.turn_up(evidence)
            self.give_options(finding, "played-on")

    def turn_up(self, evidence: Evidence) -> None:
        """Cards that show their face too early stay so."""
        number = dict.fromkeys(HANDS, 0)
        for nth, (hand, held) in enumerate(self.deal.recorded(), start=1):
            number[hand] += 1
            face = next((card.face for card in evidence.cards if card.nth == nth), None)
            if face is not None and not held.is_up:
                self.turned(hand, number[hand], face)

    def lay_down(self, clause: str | None) -> None:
        """As they lie: each card belongs to the hand it was put to; one put to no hand is out of play."""
        assert self.case is not None
        evidence = self.case.evidence.in_truth(self.case.before.record)
        hands = [evidence.put_to(hand) for hand in HANDS]
        out = [card for card in evidence.left if card.lies not in HANDS]
        self.facts.append(("as-they-lie", *(_faces(cards) for cards in (*hands, out)), clause))
        self.play_hands(*([replace(card, home=card.lies) for card in cards] for cards in hands))

    def put_right(self, clause: str | None) -> None:
        """Deal the order again by the table of play; what is over starts the next round."""
        assert self.case is not None
        left = self.case.evidence.left
        due = self.due(self.case)
        assert due is not None
        player, banker, over = (
            [card for card, to in zip(left, due, strict=True) if to == hand] for hand in (*HANDS, None)
        )
        for hand in (player, banker):
            hand.sort(key=lambda card: card.home is None)  # what was left as it lay stands first
        player, banker = self.turned_up(player, banker)
        self.facts.append(("reconstructed", _faces(player), _faces(banker), _faces(over), clause))
        self.play_hands(player, banker)
        # What was kept before left the shoe after the cards on record, and before what was drawn since.
        since = next((i for i, c in enumerate(over) if not c.nth and not c.carried), len(over))
        held, kept = [Held(card.card, card.is_up) for card in over], self.deal.kept
        waiting = [*held[:since], *self.deal.carried[:kept], *held[since:], *self.deal.carried[kept:]]
        self.change(carried=tuple(waiting), kept=kept + len(over))

    def turned_up(self, *hands: list[Sighted]) -> list[list[Sighted]]:
        """The cards of both hands as they lie there: one that was recovered lies open, if it is known."""
        first = 0 if hands[0] else 1
        turned: list[list[Sighted]] = []
        for at, hand in enumerate(hands):
            turned.append([])
            for place, card in enumerate(hand):
                is_recovered = card.card is not None and card.lies not in HANDS
                is_open = is_recovered and self.is_open_at((at, place) == (first, 0))
                turned[-1].append(replace(card, is_up=card.is_up or is_open))
        return turned

    def is_open_at(self, is_first: bool) -> bool:
        """Whether cards lie open there; at a face-down table only the first one, if antes hang on it."""
        return not self.terms.faces_down or (self.deals_up(0) and is_first)

    def play_hands(self, player: Sequence[Sighted], banker: Sequence[Sighted]) -> None:
        """These hands are played; a window that is due for them is offered anew."""
        out, deal, case = len(player) + len(banker), self.deal, self.case
        assert case is not None
        never = [
            card.nth or len(deal.record) + 1 for card in case.evidence.cards if card.lies == "shoe" and not card.foreign
        ]
        case.slip = min(never, default=0)
        first = [
            hand
            for number in range(2)
            for hand, cards in zip(HANDS, (player, banker), strict=True)
            if len(cards) > number
        ]
        record = (*first, *("player" for _ in player[2:]), *("banker" for _ in banker[2:]))
        is_asked = bool(out) and (*player, *banker)[0].is_up  # an ante is decided by an open card
        antes = deal.antes_open if is_asked else ()
        self.is_reopened = False
        self.change(
            player=tuple(Held(card.card, card.is_up, card.home == "player") for card in player),
            banker=tuple(Held(card.card, card.is_up, card.home == "banker") for card in banker),
            record=record,
            window=None,
            offers=(),
            windows_seen=frozenset(window for window in deal.windows_seen if window < out),
            neglected=frozenset(window for window in deal.neglected if window < out),
            antes_open=antes,
            phase="antes" if antes else "betting" if case.slip and deal.phase == "betting" else "dealing",
        )

    def give_options(self, finding: str, resolution: str) -> None:
        case, rule = self.case, law.rule_on(self.terms.book, finding)
        assert case is not None and case.found is not None
        is_established = rule.options not in ("never", "always") and law.is_established(*self.deal.faces())
        has = {
            "never": False,
            "always": True,
            "no-outcome": not is_established,
            "unless-put-right": not is_established or case.word is False,
        }[rule.options]
        players = self.bettors()
        if not has or not players:
            self.close(resolution, rule.clause)
            return
        self.ask(players, resolution in ("ordered", "reconstructed"), rule.options_clause)

    def close(self, resolution: str, clause: str | None) -> None:
        """The case is over, unless somebody still had a choice in the one before it."""
        case = self.case
        assert case is not None and case.found is not None
        owed = [player for player in case.owed if player in self.bettors()]
        if owed and resolution not in ("superseded", "chosen"):
            if resolution in ("withdrawn", "dismissed"):
                case.evidence = Evidence(self.record(case.before))
                self.facts.append(("evidence-withdrawn", case.number, told(case.evidence)))
            was_put_right = case.owed_put_right and resolution != "continued"
            is_put_right = resolution in ("ordered", "reconstructed") or was_put_right
            self.ask(owed, is_put_right, case.owed_clause)
            return
        if case.slip and resolution not in ("withdrawn", "dismissed"):
            self.undo_false(case)
        self.facts.append(("resolved", case.number, case.found[0], resolution, clause))
        self.case, self.is_case_open = None, False
        if self.deal.phase == "betting":
            self.is_closed = False  # no card has left the shoe after all
        if resolution == "superseded":
            return
        if resolution == "stands":
            self.replace_after(case.found[0])  # before anything else that was seen has its turn
        self.proceed()
        if resolution not in ("withdrawn", "dismissed"):
            self.last_finding = case.found[0]
            self.take_next(case)
        elif case.took_back_settlement:
            self.facts += self.settle()  # nothing was wrong with it

    def undo_false(self, case: Case) -> None:
        """What came of a hand with a card that never left the shoe: offers, passing them up, and stakes."""
        slip, deal = case.slip, self.deal
        insured, back = [], []
        for taken in self.insured:
            same = self.odds_at(taken.cards).get(taken.hand) == taken.odds
            player = [str(held.card) for held in deal.player[: taken.cards - 2]]
            nine = taken.cards == 5 and same and oracle_deal.total(player) == 9
            if taken.cards < slip or (same and nine == taken.had_nine):
                insured.append(taken)
            else:
                back.append((taken.box, taken.player, taken.area, taken.stake))
        self.insured[:] = insured
        first = [held.card for _, held in case.before.recorded()[:1]]
        if slip == 1 and self.antes and first != [held.card for _, held in deal.recorded()[:1]]:
            wagers = [bet for bet in self.bets if bet.area.startswith("wager-")]
            back += [(bet.box, bet.player, bet.area, bet.stake) for bet in wagers]
            self.bets = [bet for bet in self.bets if bet not in wagers]
            self.antes = {}
            self.change(antes_open=(), phase="dealing" if deal.phase == "antes" else deal.phase)
        if back:
            self.facts.append(("bets-back", tuple(back), None))
        passed = {player for closing in deal.closings if closing.nth >= slip for player in closing.players}
        passed |= {player for window, player in deal.declined if window >= slip}
        self.wishes = [wish for wish in self.wishes if wish[3] < slip]
        self.change(
            windows_seen=frozenset(window for window in deal.windows_seen if window < slip),
            neglected=frozenset(window for window in deal.neglected if window < slip),
            forgone=deal.forgone - passed,
            closings=tuple(closing for closing in deal.closings if closing.nth < slip),
            declined=tuple(told for told in deal.declined if told[0] < slip),
        )

    def take_next(self, case: Case) -> None:
        """What was seen beside the finding that is resolved has its turn now."""
        assert case.found is not None
        turns = ("insurance-neglected", "uncovered")
        seen = tuple(fact for fact in case.evidence.seen if fact in turns and fact != case.found[0])
        after = Case(self.cases + 1, Evidence(self.record(self.deal), seen), self.deal, self.is_reopened)
        if seen and any(self.findings(after)):
            self.open(after)
            self.weigh()

    def open(self, case: Case) -> None:
        self.cases += 1
        self.case, self.is_case_open = case, True
        self.facts.append(("case-opened", case.number, told(case.evidence)))

    def ask(self, players: list[str], is_put_right: bool, clause: str | None) -> None:
        """These players choose."""
        case = self.case
        assert case is not None and case.found is not None
        self.facts.append(("options", tuple(players), is_put_right, clause))
        case.undecided, case.options_clause = list(players), clause
        case.is_choice_put_right = is_put_right
        case.found = (*case.found[:2], "options", "player", False)

    def void(self, finding: str, clause: str | None) -> None:
        assert self.case is not None
        self.facts.append(("resolved", self.case.number, finding, "void", clause))
        self.facts.append(("void", self.round, clause, self.stakes()))
        self.last_finding = finding
        self.case, self.is_case_open = None, False
        self.deal = Deal(phase="idle", carried=self.deal.carried, shoe_left=self.deal.shoe_left)
        self.bets, self.insured, self.is_settled = [], [], False
        self.replace_after(finding)

    def replace_after(self, finding: str) -> None:
        """easy-six 5.1.1: after a foreign card new cards are put into play."""
        if self.terms.book == "easy-six" and finding == "foreign-card":
            self.facts.append(("replaced", "5.1.1"))
            self.change(carried=(), kept=0)


def _faces(cards: Sequence[Sighted]) -> tuple[str | None, ...]:
    return tuple(card.face for card in cards)
