"""The automatic dealer: what is due at a table, by its pace, as a pure function of table and time.

Whoever runs a table asks `next_step`, does what the answer says, and asks again: after a command at once,
after a wait when its time has come or when anything has happened at the table. Times are milliseconds. A
shoe dealt to its end without a table is here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from punto.cards.card import DECK, Card, format_symbols
from punto.cards.shoe import Burn, Shoe, burn_count
from punto.cards.source import SourceKind, seeded_bytes, shuffled_shoe
from punto.coup.coup import Coup, FinishedDeal, deal
from punto.documents.page import Grid, Tabled
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of
from punto.rules.book_text import Signal
from punto.rules.outcome import Hand
from punto.rules.table_of_play import Play
from punto.table.acting import refusal_of
from punto.table.antes import ExpireAntes
from punto.table.betting import AdviseMinimum, CallBets, CloseBets, RejectExcess
from punto.table.command import Command
from punto.table.dealing import DealCard, RevealCard, TakeDraw, drawer_of, due_hand, may_open_card
from punto.table.header import CommandHeader, Person
from punto.table.house import BurnCards, LoadShoe, is_shoe_finished
from punto.table.insurance import OfferInsurance, due_offers, greatest_stake, open_offer
from punto.table.irregularity_case import Awaits
from punto.table.irregularity_events import CloseOptions, ExpireOptions
from punto.table.settlement import SettleRound
from punto.table.shuffling import ClosePledges
from punto.table.state import Phase, Table
from punto.table.terms import Noticing

SKEW_MS = 60_000  # How far the clocks of two machines may lie apart, in milliseconds.


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a dealer waits, in milliseconds; None is as long as it takes."""

    bets: int | None = None
    antes: int | None = None
    insurance: int | None = None
    squeeze: int | None = None  # For the house to answer a squeeze that was asked for, and for a player to open a card.
    options: int | None = None  # For a player to choose after an irregularity.
    draw: int | None = None  # For a player to draw a card, where players do.
    cards: int = 0  # From one card to the next, and from the last card to the settlement.
    rounds: int = 0  # From the end of a round to the next call for bets.


AT_LEISURE = Pace()  # Nobody is hurried, and cards come at once.


def clock_start(time: int, now: int) -> int:
    """When a clock began that runs from this time.

    A time far ahead of now was written down before the clock of the machine was put back. Nobody can say how
    much of it is left, and a table must not stand still for as long as the clock was wrong: it has run out.
    """
    return time if time <= now + SKEW_MS else 0


class Awaited(Enum):
    """What a table waits for."""

    BETS = "bets"
    ANTES = "antes"
    INSURANCE = "insurance"
    OPTIONS = "options"  # Players choose whether to continue after a dealing error.
    SQUEEZE = "squeeze"  # The house answers a squeeze that was asked for, or a player opens a card.
    DRAWER = "drawer"  # A player draws the cards of this round.
    PACE = "pace"  # Nobody: the last card, or the result, is given time to be seen.
    CASE = "case"  # The pit resolves an irregularity.
    RESUMPTION = "resumption"  # The table is paused.


@dataclass(frozen=True, slots=True)
class Give:
    """Give this command now."""

    command: Command


@dataclass(frozen=True, slots=True)
class DrawCard:
    """Give this command with a card that only the source knows: the next one, or the one that is opened."""

    command: DealCard | BurnCards | RevealCard

    def with_card(self, card: Card | None) -> Command:
        """The command once the card is known; None where it is dealt unseen from a physical shoe."""
        return replace(self.command, card=card)


@dataclass(frozen=True, slots=True)
class Wait:
    """Give nothing before a time, unless what is awaited comes first."""

    what: Awaited
    whom: tuple[str, ...] = ()  # The players who are waited for; none where it is the house, or only time.
    until: int | None = None  # Milliseconds; None where there is no clock.


@dataclass(frozen=True, slots=True)
class Halt:
    """The dealer cannot go on: the table would refuse the only command that is left."""

    command: Command
    refusal: Refusal

    @property
    def sentence(self) -> str:
        """What the dealer may not do, and why."""
        role = self.command.role.value.replace("-", " ")
        return f"the {role} cannot give {self.command.name()}: {self.refusal.sentence}"


Due = Give | DrawCard | Wait | Halt


AUTOMATIC = Person("the dealer", Role.DEALER)  # Who gives the commands where nobody else is named.


def next_step(
    table: Table, now: int = 0, pace: Pace = AT_LEISURE, *, ready: Collection[str] = (), dealer: Person = AUTOMATIC
) -> Due:
    """What comes next at this table, by clocks that run from `State.since`.

    No command is given that the table would refuse: what the book or the terms do not allow a dealer is named in a
    `Halt`, so that whoever runs the table stops instead of asking for ever. `ready` are the players who need no more
    time for the bets or the insurance that are open now.
    """
    return _Dealer(table, now, pace, ready, dealer).due()


@dataclass(frozen=True, slots=True)
class _Dealer:
    """A dealer who looks at a table once."""

    table: Table
    now: int
    pace: Pace
    ready: Collection[str]
    person: Person

    def due(self) -> Due:
        state = self.table.state
        if state.is_paused:
            return Wait(Awaited.RESUMPTION)
        if state.case is not None:
            return self._case()
        match state.phase:
            case Phase.BETTING:
                return self._bets()
            case Phase.ANTES:
                return self._antes()
            case Phase.DEALING:
                return self._deal()
            case Phase.FINISHED:
                return self._rest(self.pace.cards) or self._give(SettleRound)
            case _:
                return self._between_rounds()

    def _give(self, kind: type[CommandHeader], **fields: Any) -> Give | Halt:
        person = self.person
        command = cast("Command", kind(actor=person.name, role=person.role, time=self.now, **fields))
        refusal = refusal_of(self.table, command)
        return Give(command) if refusal is None else Halt(command, refusal)

    def _draw(self, kind: type[CommandHeader], **fields: Any) -> Due:
        """A command that a card belongs to: from the source, unless the table knows which it is."""
        shoe, carried = self.table.state.shoe, self.table.state.carried
        if kind is DealCard and (carried or shoe is None or not shoe.cards_left):
            # With nothing carried over and nothing left, any card gets the refusal that says so.
            return self._give(kind, card=carried[0].card if carried else DECK[0])
        step = self._give(kind, **fields)
        if isinstance(step, Halt) and step.refusal.reason is not Reason.CARD_NEEDED:
            return step
        is_physical = self.table.terms.source is SourceKind.ENTERED and kind is DealCard
        if isinstance(step, Give) and not is_physical:
            return step
        return DrawCard(cast("DealCard | BurnCards | RevealCard", step.command))

    def _wait(self, what: Awaited, whom: Iterable[str], clock: int | None, since: int | None = None) -> Wait | None:
        """Wait for the players of these who are at the table, as long as the clock lets them."""
        away = self.table.state.away
        here = tuple(player for player in dict.fromkeys(whom) if player not in away)
        until = self._until(clock, since)
        return Wait(what, here, until) if here and not self._is_over(until) else None

    def _rest(self, clock: int) -> Wait | None:
        until = self._until(clock)
        return None if self._is_over(until) else Wait(Awaited.PACE, until=until)

    def _until(self, clock: int | None, since: int | None = None) -> int | None:
        """When a clock runs out that began when the round last moved on, or at another time."""
        began = self.table.state.since if since is None else since
        return None if clock is None else clock_start(began, self.now) + clock

    def _is_over(self, until: int | None) -> bool:
        return until is not None and self.now >= until

    def _case(self) -> Due:
        """Irregularities are for the pit; options are closed when their time is over, or nobody is there."""
        case, found = self.table.state.open_case, self.table.state.found_clause
        if found is None or found.awaits is not Awaits.OPTIONS:
            return Wait(Awaited.CASE)
        here = [player for player in case.undecided if self.table.state.is_here(player)]
        if waiting := self._wait(Awaited.OPTIONS, here, self.pace.options, case.asked_at):
            return waiting
        return self._give(ExpireOptions if here else CloseOptions)

    def _between_rounds(self) -> Due:
        state = self.table.state
        if state.round and (rest := self._rest(self.pace.rounds)):
            return rest
        if is_shoe_finished(state):
            return self._give(LoadShoe)
        if state.pledges and not state.pledges_closed:
            return self._give(ClosePledges)  # no card leaves the shoe before
        return self._draw(BurnCards) if state.burn_due else self._give(CallBets)

    def _bets(self) -> Due:
        state, until = self.table.state, self._until(self.pace.bets)
        here = [player for player in dict.fromkeys(state.seats.values()) if player not in state.away]
        unready = tuple(player for player in here if player not in self.ready)
        if (unready or not here) and not self._is_over(until):
            return Wait(Awaited.BETS, unready, until)
        if noticed := next(self._noticed(), None):
            return noticed
        by_call = self.table.book.betting.closes.by is Signal.CALL
        closing = self._give(CloseBets) if by_call else self._next_card()
        if isinstance(closing, Halt) and closing.refusal.reason is Reason.ADVISED_BETS:
            return Wait(Awaited.BETS, tuple(bet.player for bet in state.bets if bet.is_advised))
        return closing

    def _noticed(self) -> Iterator[Give]:
        """What a dealer who has to notice limits says before bets close."""
        if self.table.terms.noticing is Noticing.STRICT:
            return
        for bet in self.table.state.bets:
            for step in (
                self._give(RejectExcess, box=bet.box),
                self._give(AdviseMinimum, box=bet.box, area=bet.area, player=bet.player),
            ):
                if isinstance(step, Give):
                    yield step

    def _antes(self) -> Due:
        undecided = (player for _, player, _ in self.table.state.antes_open)
        return self._wait(Awaited.ANTES, undecided, self.pace.antes) or self._give(ExpireAntes)

    def _deal(self) -> Due:
        """A window that is due is offered, what is offered is waited for, and then the next card comes."""
        if due_offers(self.table):
            return self._give(OfferInsurance)
        # A squeeze that was asked for is answered by the house before the next card, or not at all.
        until = self._until(self.pace.squeeze)
        is_asked = any(request.consent is None for request in self.table.state.squeezes)
        return (
            self._wait(Awaited.INSURANCE, self._insurable(), self.pace.insurance)
            or (Wait(Awaited.SQUEEZE, until=until) if is_asked and not self._is_over(until) else None)
            or self._rest(self.pace.cards)
            or self._next_card()
        )

    def _insurable(self) -> Iterator[str]:
        """Players who may still take insurance in the window that is open."""
        for made in self.table.state.offers:
            offer = open_offer(self.table, made.box, made.player, made.hand)
            can_take = offer is not None and greatest_stake(self.table, made.box, made.player, offer) > 0
            if can_take and made.player not in self.ready:
                yield made.player

    def _next_card(self) -> Due:
        """The next card of the deal, or one to be opened before it."""
        if isinstance(due_hand(self.table), Refusal) and (opened := self._reveal()):
            return opened
        dealt, drawer = self._draw(DealCard), drawer_of(self.table)
        is_players = isinstance(dealt, Halt) and dealt.refusal.reason is Reason.NOT_THE_DRAWER
        return self._players_draw(drawer) if is_players and drawer is not None else dealt

    def _players_draw(self, drawer: str) -> Due:
        """A player has a clock to draw, after those for bets or insurance; then the dealer draws."""
        state, clock = self.table.state, self.pace.draw
        before = self.pace.bets if state.phase is Phase.BETTING else None
        before = before if state.window is None else self.pace.insurance
        until = self._until(None if clock is None else (before or 0) + clock)
        return self._give(TakeDraw) if self._is_over(until) else Wait(Awaited.DRAWER, (drawer,), until)

    def _reveal(self) -> Due | None:
        """Open the first card that lies face down; whoever may squeeze it goes first."""
        state = self.table.state
        for hand in Hand:
            for number, slot in enumerate(state.slots(hand), start=1):
                if slot.face_up:
                    continue
                opened = self._draw(RevealCard, hand=hand, number=number)
                if isinstance(opened, Halt) and opened.refusal.reason is Reason.NO_SUCH_CARD:
                    continue  # not before another card
                squeezing = (player for player in state.bettors if may_open_card(state, player, hand, number))
                return self._wait(Awaited.SQUEEZE, squeezing, self.pace.squeeze) or opened
        return None


class SeededRounds(msgspec.Struct, frozen=True):
    """Rounds of a shoe that a seed fixes, as programs are told them."""

    book: str
    digest: str
    decks: int
    seed: int
    rounds: tuple[FinishedDeal, ...]

    @classmethod
    def of(cls, book: Book, decks: int, seed: int, coups: Iterable[Coup]) -> SeededRounds:
        return cls(book.name, digest_of(book), decks, seed, tuple(FinishedDeal.of(book, coup) for coup in coups))


@dataclass(frozen=True, slots=True)
class DealtShoe:
    """A shoe in the order in which it was shuffled."""

    decks: int
    order: tuple[Card, ...]
    burned: int  # Cards burned before the first round, the one that was shown among them.

    def rounds(self, play: Play) -> Iterator[Coup]:
        """Every round: the one in which the cut card comes out is finished, and one more is dealt."""
        shoe = Shoe(self.decks).drawn(self.order[:1]).burned(self.burned - 1)
        is_last = False
        while not is_last:
            is_last = shoe.is_cut_card_out
            coup = deal(play, self.order, shoe.size - shoe.cards_left)
            shoe = shoe.drawn(coup.cards)
            yield coup


def deal_shoe(decks: int, random: Iterable[int]) -> DealtShoe:
    order = shuffled_shoe(decks, random)
    return DealtShoe(decks, order, burn_count(Burn(), order[0]))


def rounds_grid(book: Book, coups: Iterable[Coup], title: str = "") -> Grid:
    """Rounds for people: their cards and points, the winner, and what the dealer calls out."""
    rows = []
    for number, coup in enumerate(coups, start=1):
        player = format_symbols(coup.player), str(coup.player_points)
        banker = format_symbols(coup.banker), str(coup.banker_points)
        rows.append((str(number), *player, *banker, coup.winner.label, ", ".join(coup.called_out(book))))
    heads = ("", "Player", "", "Banker", "", "winner", "")
    return Grid(heads, tuple(rows), title, right=(0, 2, 4), grows=6)


@dataclass(frozen=True, slots=True, repr=False)
class SeededShoe(Tabled):
    """A shoe of a book that a seed fixes, dealt to its end; to go through it is to go through its rounds."""

    book: Book
    seed: int
    dealt: DealtShoe
    rounds: tuple[Coup, ...]

    @classmethod
    def of(cls, book: Book, decks: int, seed: int) -> SeededShoe:
        dealt = deal_shoe(decks, seeded_bytes(seed))
        return cls(book, seed, dealt, tuple(dealt.rounds(book.play)))

    @property
    def order(self) -> tuple[Card, ...]:
        """Every card, in the order in which it was shuffled."""
        return self.dealt.order

    @property
    def decks(self) -> int:
        return self.dealt.decks

    @property
    def burned(self) -> int:
        """Cards burned before the first round, the one that was shown among them."""
        return self.dealt.burned

    def __iter__(self) -> Iterator[Coup]:
        return iter(self.rounds)

    def __getitem__(self, number: int) -> Coup:
        return self.rounds[number]

    def __len__(self) -> int:
        return len(self.rounds)

    def __repr__(self) -> str:
        return f"<SeededShoe of {self.book.name}: {len(self)} rounds, {self.decks} decks, seed {self.seed}>"

    @property
    def table(self) -> Grid:
        title = f"{self.book.title}: {len(self)} rounds, {self.decks} decks, seed {self.seed}"
        return rounds_grid(self.book, self.rounds, title)
