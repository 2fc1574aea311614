"""A round at the table as the documents play it, from the close of bets to the settlement.

Each command gives the facts that must come of it. It stands on the second reading beside it (oracle, checker,
law) and shares nothing with the table it checks: cards and areas are text, amounts whole minor units. What
goes wrong is in second_case.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tests.agreement import checker, law, oracle_deal
from tests.agreement.checker import Bet, Taken
from tests.agreement.second_deal import Closing, Deal, Fact, Held, Offer, Spot, Terms


@dataclass
class SecondTable:
    """The table, as far as a round needs it."""

    terms: Terms
    deal: Deal = field(default_factory=Deal)
    round: int = 0
    is_settled: bool = False
    is_reopened: bool = False
    """It had been settled, and no card has been played since."""
    bets: list[Bet] = field(default_factory=list)
    antes: dict[Spot, str] = field(default_factory=dict)
    """Antes that were decided: "wagered" or "given-up"."""
    insured: list[Taken] = field(default_factory=list)
    wishes: list[tuple[int, str, str, int]] = field(default_factory=list)
    walked_off: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    gone: list[Bet] = field(default_factory=list)
    """What lay before original bets went back by 5.13."""
    facts: list[Fact] = field(default_factory=list)
    is_case_open: bool = False
    last_finding: str = ""
    """What the last case of this round was resolved as."""
    is_closed: bool = False
    """Bets are closed."""

    def change(self, **fields: Any) -> None:
        self.deal = replace(self.deal, **fields)

    def begin(self) -> list[Fact]:
        """The next round is called."""
        self.round += 1
        self.deal = Deal(carried=self.deal.carried, shoe_left=self.deal.shoe_left)
        self.is_settled = self.is_closed = self.is_reopened = False
        self.bets, self.antes, self.insured, self.wishes = [], {}, [], []
        self.walked_off, self.gone = set(), []
        self.last_finding = ""
        return [("called", self.round)]

    def bettors(self) -> list[str]:
        return list(dict.fromkeys(bet.player for bet in self.bets))

    def stakes(self, *players: str) -> tuple[tuple[int, str, str, int], ...]:
        """Everything that lies on the layout, of some players or of all."""
        lying = [(bet.box, bet.player, bet.area, bet.stake) for bet in self.bets]
        lying += [(taken.box, taken.player, taken.area, taken.stake) for taken in self.insured]
        return tuple(stake for stake in lying if not players or stake[1] in players)

    def drop(self, players: tuple[str, ...]) -> None:
        """All bets of these players have gone back."""
        self.bets = [bet for bet in self.bets if bet.player not in players]
        self.insured = [taken for taken in self.insured if taken.player not in players]
        self.wishes = [wish for wish in self.wishes if wish[1] not in players]
        antes = tuple(spot for spot in self.deal.antes_open if spot[1] not in players)
        phase = "dealing" if self.deal.phase == "antes" and not antes else self.deal.phase
        offers = tuple(offer for offer in self.deal.offers if offer[1] not in players)
        self.change(antes_open=antes, phase=phase, offers=offers)

    # ── Cards ────────────────────────────────────────────────────────────────────────────────────

    def closes(self) -> None:
        """Bets close, once: a box over its differential is scaled (insurance 5.1.1)."""
        terms = self.terms
        self.change(phase="dealing")
        if self.is_closed:
            return
        self.is_closed = True
        if terms.book == "insurance":
            limits = (terms.differential, terms.minimum, terms.rounding)
            closed = checker.closed(self.bets, *limits)
            for bet, scaled in zip(self.bets, closed, strict=True):
                if scaled.stake < bet.stake:
                    self.facts.append(("cut", bet.box, bet.player, bet.area, bet.stake - scaled.stake, "pro-rata"))
            self.bets = closed
        self.facts.append(("bets-closed",))

    def next_hand(self) -> str | None:
        return law.next_hand(*self.deal.faces())

    def deals_up(self, number: int) -> bool:
        """Whether this table deals its card after so many face up: antes are decided by the first."""
        return not self.terms.faces_down or (self.terms.book == "knockout" and number == 0)

    def dealt(self, card: str | None) -> list[Fact]:
        """The next card goes where the table of play sends it."""
        self.facts = []
        if self.deal.phase == "betting":
            self.closes()
        self.close_window()
        hand, carried = self.next_hand(), self.deal.carried
        assert hand, "a card is due"
        is_up = carried[0].is_up if carried else False
        held = Held(card, is_up or self.deals_up(self.deal.cards_out))
        self.facts.append(("dealt", hand, card, held.is_up, bool(carried)))
        self.deal = self.deal.with_hand(hand, (*self.deal.hand(hand), held))
        self.change(
            record=(*self.deal.record, hand),
            carried=carried[1:],
            kept=max(0, self.deal.kept - 1),
            shoe_left=self.deal.shoe_left - (not carried),
        )
        self.proceed()
        return self.facts

    def turned(self, hand: str, number: int, card: str) -> None:
        """A card shows its face."""
        self.facts.append(("revealed", hand, number, card))
        self.deal = with_shown(self.deal, hand, number, card)

    def revealed(self, hand: str, number: int, card: str) -> list[Fact]:
        self.facts = []
        self.turned(hand, number, card)
        self.proceed()
        return self.facts

    def proceed(self) -> None:
        """What follows from the cards on the table: antes, insurance, the end of the deal."""
        deal = self.deal
        if deal.phase != "dealing" or self.is_case_open:
            return
        asked = [bet for bet in self.bets if bet.area.startswith("ante-") and _spot(bet) not in self.antes]
        if deal.cards_out and asked and deal.recorded()[0][1].is_up:
            self.change(phase="antes", antes_open=tuple(map(_spot, asked)))
            self.facts.append(("antes-asked", tuple((*_spot(bet), bet.stake) for bet in asked)))
            return
        if self.terms.offers_itself and self.due_odds():
            self.offer()
        if self.next_hand() == "":
            ended = self.ended()
            called = tuple(sorted(oracle_deal.called(self.terms.book, ended)))
            self.facts.append(("finished", ended.winner, ended.p, ended.b, called))
            self.change(phase="finished")

    def ended(self) -> oracle_deal.Deal:
        """The hands when all cards are out."""
        return oracle_deal.Deal(*([str(card) for card in hand] for hand in self.deal.faces()))

    # ── Insurance ────────────────────────────────────────────────────────────────────────────────

    def due_odds(self) -> dict[str, Fraction]:
        """Odds of the insurance that is due now and has not been offered for these hands."""
        deal = self.deal
        if self.terms.book != "insurance" or deal.phase != "dealing" or deal.window is not None:
            return {}
        if len(deal.banker) != 2 or len(deal.player) not in (2, 3) or deal.cards_out in deal.windows_seen:
            return {}
        return self.odds_at(deal.cards_out)

    def odds_at(self, cards: int) -> dict[str, Fraction]:
        """Odds at the time when so many cards were out, judged by exposed cards."""
        player, banker = self.deal.faces()
        if len(player) < cards - 2 or len(banker) < 2:
            return {}
        order = [player[0], banker[0], player[1], banker[1], *player[2 : cards - 2]]
        return {} if None in order else checker.open_odds([str(card) for card in order])

    def offer(self) -> None:
        """Open the window that is due, to everybody who has not passed one up (5.3)."""
        odds, gone = self.due_odds(), self.deal.forgone | self.walked_off
        offers = []
        for hand, pays in odds.items():
            for bet in self.bets:
                if bet.area != hand or bet.player in gone:
                    continue
                most = checker.most(bet, pays, self.insured, self.terms.chip)
                if most > 0:
                    offers.append((bet.box, bet.player, hand, pays, most))
        window = self.deal.cards_out
        self.facts.append(("offered", window, frozenset(odds.items()), frozenset(offers)))
        seen = self.deal.windows_seen | {window}
        self.change(window=window, offers=tuple(offers), windows_seen=seen)

    def close_window(self) -> None:
        """The next card has left the shoe (5.3)."""
        deal = self.deal
        if deal.window is not None:
            took = {taken.player for taken in self.insured if taken.cards == deal.window}
            gone = took | deal.forgone | self.walked_off
            passed = tuple(dict.fromkeys(offer[1] for offer in deal.offers if offer[1] not in gone))
            self.facts.append(("passed", deal.window, frozenset(passed)))
            closing = Closing(deal.cards_out + 1, passed)
            forgone = deal.forgone | set(passed)
            self.change(window=None, offers=(), forgone=forgone, closings=(*deal.closings, closing))
        elif self.due_odds() and deal.cards_out not in deal.neglected:
            self.facts.append(("neglected", deal.cards_out))
            self.change(neglected=deal.neglected | {deal.cards_out})

    def insure(self, offer: Offer, amount: int) -> list[Fact]:
        box, player, hand, odds, _ = offer
        cards, points = self.deal.cards_out, oracle_deal.total([str(held.card) for held in self.deal.player])
        self.insured.append(Taken(box, player, hand, cards, amount, odds, had_nine=cards == 5 and points == 9))
        return [("insured", box, player, hand, cards, amount, odds)]

    def neglected_bets(self) -> tuple[tuple[int, str, str, int], ...]:
        """Bets of those who wished to insure, got no offer, and would have won it (5.13)."""
        if self.deal.phase not in ("finished", "idle") or not self.bets:
            return ()
        found, ended = [], self.ended()
        for box, player, hand, window in self.wishes:
            bet = next((bet for bet in self.bets if _spot(bet) == (box, player, hand)), None)
            odds = self.odds_at(window).get(hand)
            if window not in self.deal.neglected or bet is None or odds is None:
                continue
            nine = window == 5 and ended.p == 9
            wish = Taken(box, player, hand, window, 1, odds, had_nine=nine)
            stake = (*_spot(bet), bet.stake)
            if checker.insurance_net(wish, ended) > 0 and stake not in found:
                found.append(stake)
        return tuple(found)

    # ── Settlement ───────────────────────────────────────────────────────────────────────────────

    def settle(self) -> list[Fact]:
        ended = self.ended()
        lines = checker.settled(self.terms.book, self.bets, self.insured, ended, self.terms.rounding, self.gone)
        self.is_settled, self.is_reopened = True, False
        self.change(phase="idle")
        return [("settled", ended.winner, tuple(lines))]


def _spot(bet: Bet) -> Spot:
    return bet.box, bet.player, bet.area


def with_shown(deal: Deal, hand: str, number: int, card: str) -> Deal:
    """The deal with a card of a hand open."""
    held = list(deal.hand(hand))
    held[number - 1] = Held(card, is_up=True, is_laid=held[number - 1].is_laid)
    return deal.with_hand(hand, tuple(held))
