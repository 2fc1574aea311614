"""The boxes of a table through one shoe: who is asked what, what may be answered, and what each round comes to.

It is lighter than `punto.table`: no dealer errs, nobody is late and no minimum is noticed afterwards, so no events, no
roles and no terms are needed, and a decision takes microseconds. What may be held together is asked of the same
`rules.holdings`, and a round is settled as a slip is, so what a table would refuse is refused here, by the same clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from punto.cards.card import Card, Rank, format_cards
from punto.cards.shoe import Composition, Shoe, burn_count
from punto.coup.coup import Coup, deal, points
from punto.money import format_amount, format_money
from punto.refusal import Reason, Refusal
from punto.rl.setting import (
    GIVEN_UP,
    HELD,
    INSURED,
    LEAST_INSURANCE,
    PASSED,
    PLACES,
    PLAYED,
    Action,
    AgentSetting,
    Deciding,
    Move,
    place_column,
    stake_column,
    unseen_column,
    wager_column,
)
from punto.rules import holdings
from punto.rules.book_text import AntePair
from punto.rules.outcome import Hand, insurance_area
from punto.rules.pay_table import InsuranceOffer
from punto.table.slip import SettlementLine, settle_slip

LONGEST_ROUND = 6  # Cards that a round may take: none is begun with fewer left.
WINDOWS = (4, 5)  # Cards on the table at the windows of insurance.


@dataclass
class HeldBets:
    """What one box holds in a round."""

    units: dict[str, int] = field(default_factory=dict)  # By opening area.
    wagers: dict[str, int] = field(default_factory=dict)  # By wager: whether its ante was played or given up.
    insured: dict[str, int] = field(default_factory=dict)  # By insurance area, in minor units.
    choices: dict[str, int] = field(default_factory=dict)  # By insurance area, as an observation has it.
    promised: dict[Hand, int] = field(default_factory=lambda: dict.fromkeys(Hand, 0))
    is_forgone: bool = False


@dataclass(frozen=True)
class Asked:
    """Who decides what."""

    box: int
    phase: Deciding
    number: int = 0  # Which ante, or the insurance of which hand, is asked about.
    offer: InsuranceOffer | None = None


@dataclass(frozen=True)
class BoxesRound:
    """A round that is over, with what it came to for each box."""

    coup: Coup
    lines: tuple[tuple[SettlementLine, ...], ...]

    def net(self, box: int) -> int:
        """In minor units."""
        return sum(line.net for line in self.lines[box])


class Boxes:
    """A shoe in play with some boxes."""

    def __init__(self, setting: AgentSetting, order: Sequence[Card], boxes: int = 1) -> None:
        """`order` is the shoe as it was shuffled, the cards that are burned first."""
        terms = setting.shoe
        assert Composition.of_cards(order) == Composition.of_decks(terms.decks), "a shoe holds whole decks"
        self.setting, self.order = setting, tuple(order)
        burned, shoe = burn_count(terms.burn, order[0]), Shoe(terms.decks, terms.behind_cut)
        self.shoe = shoe.drawn(order[:1]).burned(burned - 1) if terms.burn.by_first_card else shoe.burned(burned)
        self._unseen = [self.shoe.composition.rank_count(rank) for rank in Rank]  # Before the round.
        self.rounds = 0  # Rounds that are over.
        self.after_cut = 0  # Rounds begun with the cut card out.
        self.here = [True] * boxes
        self.last: BoxesRound | None = None  # The round that the last answer ended.
        self._open_round()

    @property
    def is_over(self) -> bool:
        return not self.asked

    @property
    def decider(self) -> int | None:
        """The box that is asked."""
        return self.asked[0].box if self.asked else None

    def refusal(self, box: int, action: Action) -> Refusal | None:
        """Why a box may not do this now."""
        book, asked = self.setting.book, self.asked[0] if self.asked else None
        if asked is None:
            return Refusal(Reason.SHOE_FINISHED, None)
        if asked.box != box:
            return Refusal(Reason.NOT_YOURS, None, {"actor": f"box {box + 1}", "player": f"box {asked.box + 1}"})
        match action.move:
            case Move.DEAL | Move.BET | Move.LEAVE if asked.phase is not Deciding.BETTING:
                return Refusal(Reason.BETS_CLOSED, book.betting.late_clause)
            case Move.BET:
                return self._refuse_bet(box, action)
            case Move.LEAVE if self.held[box].units:
                return Refusal(Reason.BETS_LIE, None, {"player": f"box {box + 1}"})
            case Move.PLAY | Move.GIVE_UP if asked.phase is not Deciding.ANTE:
                return holdings.refuse_ante(book, self._antes()[0].ante, None)
            case Move.INSURE | Move.HOLD | Move.PASS if asked.phase is not Deciding.INSURANCE:
                return Refusal(Reason.NO_WINDOW, None)
            case _:
                return None

    def answer(self, action: Action) -> None:
        """Carry out what the box that is asked decides, which is not refused."""
        asked, self.last = self.asked[0], None
        held = self.held[asked.box]
        match action.move:
            case Move.BET:
                held.units[action.area] = held.units.get(action.area, 0) + action.units
                return
            case Move.LEAVE:
                self.here[asked.box] = False
            case Move.PLAY | Move.GIVE_UP:
                pair = self._antes()[asked.number]
                held.wagers[pair.wager] = PLAYED if action.move is Move.PLAY else GIVEN_UP
            case Move.INSURE | Move.HOLD | Move.PASS:
                self._insure(held, asked, action.move)
            case _:
                pass
        self.asked.pop(0)
        if not self.asked:
            self._go_on()

    def mask(self, box: int) -> NDArray[np.int8]:
        """Which actions a box may take now."""
        return np.array([self.refusal(box, action) is None for action in self.setting.actions], np.int8)

    def observation(self, box: int) -> NDArray[np.int16]:
        """What a box may see now."""
        seen, places = np.zeros(len(self.setting.columns), np.int16), self.setting.places
        for name, value in self._seen(box):
            seen[places[name]] = value
        return seen

    def line(self) -> str:
        """The table in one line of text."""
        dealt = format_cards(self.coup.cards[: self.dealt]) if self.coup is not None else ""
        bets = "; ".join(
            f"box {box + 1} " + ", ".join(f"{area} {format_money(stake)}" for area, stake in self.slip(box).items())
            for box, held in enumerate(self.held)
            if held.units
        )
        phase = self.asked[0].phase if self.asked else Deciding.OVER
        return f"round {self.rounds + 1}, {phase.value}; cards: {dealt or 'none'}; bets: {bets or 'none'}"

    def slip(self, box: int) -> dict[str, int]:
        """The bets of a box in this round as a slip, in minor units."""
        book, held, unit = self.setting.book, self.held[box], self.setting.unit
        slip = {area: units * unit for area, units in held.units.items()}
        for pair in self._antes():
            if held.wagers.get(pair.wager) == PLAYED:
                assert book.ante is not None
                slip[pair.wager] = book.ante.multiple * slip[pair.ante]
        return slip | held.insured

    def _open_round(self) -> None:
        terms, boxes = self.setting.shoe, range(len(self.here))
        self.held = [HeldBets() for _ in boxes]
        self.dealt = 0  # Cards of the round on the table.
        self.coup = None if self._is_finished(terms.rounds_after_cut) else self._next_coup()
        self.asked = [Asked(box, Deciding.BETTING) for box in boxes if self.here[box] and self.coup is not None]
        self._stage = 0

    def _is_finished(self, rounds_after_cut: int) -> bool:
        """Whether no round is begun any more; the first always is."""
        is_cut_out = self.shoe.is_cut_card_out and self.after_cut >= rounds_after_cut
        return self.rounds > 0 and (is_cut_out or self.shoe.cards_left < LONGEST_ROUND)

    def _next_coup(self) -> Coup:
        self.after_cut += self.shoe.is_cut_card_out
        return deal(self.setting.book.play, self.order, self.shoe.size - self.shoe.cards_left)

    def _go_on(self) -> None:
        """Deal until somebody is asked, or until the round is over and the next one is open."""
        if not any(self.here):
            return None
        ante = self.setting.book.ante
        stages = (ante.shown_cards if ante else 0, *WINDOWS)
        while not self.asked:
            if self._stage == len(stages):
                return self._settle()
            stage, self._stage = self._stage, self._stage + 1
            assert self.coup is not None
            self.dealt = min(stages[stage], len(self.coup.cards))
            self.asked = list(self._antes_asked() if stage == 0 else self._insurance_asked(self.coup, stages[stage]))
        return None

    def _antes_asked(self) -> Iterator[Asked]:
        for box, held in enumerate(self.held):
            for number, pair in enumerate(self._antes()):
                if pair.ante in held.units:
                    yield Asked(box, Deciding.ANTE, number)

    def _insurance_asked(self, coup: Coup, window: int) -> Iterator[Asked]:
        third = coup.player[2].points if window == WINDOWS[1] and len(coup.player) == 3 else None
        player, banker = points(coup.player[: window - 2]), points(coup.banker[:2])
        offers = self.setting.book.open_offers(window, player, banker, third)
        for box, held in enumerate(self.held):
            for offer in offers:
                if not held.is_forgone and self.greatest_insurance(held, offer) >= LEAST_INSURANCE:
                    yield Asked(box, Deciding.INSURANCE, list(Hand).index(offer.hand), offer)

    def greatest_insurance(self, held: HeldBets, offer: InsuranceOffer) -> int:
        """What may be staked on an offer, in minor units; nothing where the main bet is not held."""
        units = held.units.get(self.setting.book.main_area(offer.hand))
        if units is None:
            return 0
        return holdings.greatest_insurance(offer, units * self.setting.unit, held.promised[offer.hand])

    def _insure(self, held: HeldBets, asked: Asked, move: Move) -> None:
        offer = asked.offer
        assert offer is not None
        area = insurance_area(offer.hand, offer.window.cards)
        if move is Move.PASS:
            held.choices[area] = PASSED
        else:
            stake = self.greatest_insurance(held, offer) if move is Move.INSURE else LEAST_INSURANCE
            held.choices[area], held.insured[area] = (INSURED if move is Move.INSURE else HELD), stake
            held.promised[offer.hand] += holdings.promised_by(offer.odds, stake)
        # Whoever took none of the offers of a window has passed insurance up for the round.
        is_last = not any(other.box == asked.box for other in self.asked[1:])
        held.is_forgone = held.is_forgone or (is_last and not held.insured)

    def _settle(self) -> None:
        coup, book = self.coup, self.setting.book
        assert coup is not None
        self.dealt = len(coup.cards)
        lines = []
        for box in range(len(self.here)):
            settled = settle_slip(book, coup, self.slip(box))
            assert not isinstance(settled, Refusal), settled.sentence
            lines.append(tuple(settled))
        self.last = BoxesRound(coup, tuple(lines))
        self.shoe, self.rounds = self.shoe.drawn(coup.cards), self.rounds + 1
        for card in coup.cards:
            self._unseen[card.rank - 1] -= 1
        self._open_round()

    def _refuse_bet(self, box: int, action: Action) -> Refusal | None:
        held, unit, most = self.held[box].units, self.setting.unit, self.setting.most
        units = held.get(action.area, 0) + action.units
        if units > most:
            limits = {"maximum": format_amount(most * unit), "amount": format_amount(units * unit)}
            return Refusal(Reason.ABOVE_MAXIMUM, self.setting.book.limits.shown_clause, {"area": action.area, **limits})
        return holdings.refuse_alone(self.setting.book, action.area, held)

    def _antes(self) -> tuple[AntePair, ...]:
        return self.setting.book.ante.pairs if self.setting.book.ante else ()

    def _seen(self, box: int) -> Iterator[tuple[str, int]]:
        """The numbers of an observation that may be other than 0."""
        held, mine = self.held[box], [asked for asked in self.asked if asked.box == box]
        asked = mine[0] if mine else Asked(box, self.asked[0].phase if self.here[box] and self.asked else Deciding.OVER)
        yield "phase", asked.phase.number
        yield "asked", asked.number
        if asked.offer is not None:
            yield "odds gain", asked.offer.odds.numerator
            yield "odds to", asked.offer.odds.denominator
        table = self.coup.cards[: self.dealt] if self.coup is not None else ()
        yield from self._table(table)
        yield "round", self.rounds + 1
        yield "cards left", self.shoe.cards_left - len(table)
        yield "cut card", self.shoe.cards_left - len(table) <= self.shoe.behind_cut
        for rank in Rank:
            yield unseen_column(rank), self._unseen[rank - 1] - sum(card.rank is rank for card in table)
        for area, units in held.units.items():
            yield stake_column(area), units
        for wager, choice in held.wagers.items():
            yield wager_column(wager), choice
        yield from held.choices.items()

    def _table(self, table: tuple[Card, ...]) -> Iterator[tuple[str, int]]:
        """The cards of the round that lie on the table, hand by hand, and their points."""
        yield "dealt", len(table)
        players = [table[i] for i in (0, 2) if i < len(table)]
        bankers = [table[i] for i in (1, 3) if i < len(table)]
        more = list(table[4:])
        if more and self.coup is not None and len(self.coup.player) == 3:
            players.append(more.pop(0))
        hands = {Hand.PLAYER: players, Hand.BANKER: bankers + more}
        for hand, cards in hands.items():
            yield f"{hand.value} points", points(tuple(cards))
        for hand, number in PLACES:
            if number <= len(hands[hand]):
                yield place_column(hand, number), hands[hand][number - 1].rank
