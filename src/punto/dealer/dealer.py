"""The automatic dealer: loads and burns, calls and closes bets, deals, asks, offers, waits and settles.

`next_step` reads everything from the table. Its clocks run from `State.since`, the time of the event that
last moved the round on. No command is given that the table would refuse: what the book or the terms do not
allow a dealer is named in a `Halt`, so that whoever runs the table stops instead of asking for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from punto.cards.card import DECK
from punto.cards.source import SourceKind
from punto.dealer.due import Awaited, DrawCard, Due, Give, Halt, Wait
from punto.dealer.pace import AT_LEISURE, Pace, clock_start
from punto.refusal import Reason, Refusal
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.betting import Signal
from punto.table import command as c
from punto.table.acting import refusal_of
from punto.table.dealing.decisions import due_hand
from punto.table.dealing.drawer import drawer_of
from punto.table.dealing.squeezes import may_open
from punto.table.header import CommandHeader, Person
from punto.table.house.opening import is_shoe_finished
from punto.table.insurance.decisions import due_offers, greatest_stake, open_offer
from punto.table.irregularities.case import Awaits
from punto.table.state import Phase, Table
from punto.table.terms import Noticing

AUTOMATIC = Person("the dealer", Role.DEALER)
"""Who gives the commands where nobody else is named."""


def next_step(
    table: Table,
    now: int = 0,
    pace: Pace = AT_LEISURE,
    *,
    ready: Collection[str] = (),
    dealer: Person = AUTOMATIC,
) -> Due:
    """What comes next at this table.

    `ready` are the players who need no more time for the bets or the insurance that are open now.
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
                return self._rest(self.pace.cards) or self._give(c.SettleRound)
            case _:
                return self._between_rounds()

    # ── What is given ────────────────────────────────────────────────────────────────────────────

    def _give(self, kind: type[CommandHeader], **fields: Any) -> Give | Halt:
        command = self._made(kind, **fields)
        refusal = refusal_of(self.table, command)
        return Give(command) if refusal is None else Halt(command, refusal)

    def _draw(self, kind: type[CommandHeader], **fields: Any) -> Due:
        """A command that a card belongs to: from the source, unless the table knows which it is."""
        shoe, carried = self.table.state.shoe, self.table.state.carried
        if kind is c.DealCard and (carried or shoe is None or not shoe.cards_left):
            # With nothing carried over and nothing left, any card gets the refusal that says so.
            return self._give(kind, card=carried[0].card if carried else DECK[0])
        command = self._made(kind, **fields)
        refusal = refusal_of(self.table, command)
        if refusal is not None and refusal.reason is not Reason.CARD_NEEDED:
            return Halt(command, refusal)
        is_physical = self.table.terms.source is SourceKind.ENTERED and kind is c.DealCard
        if refusal is None and not is_physical:
            return Give(command)
        return DrawCard(cast("c.DealCard | c.BurnCards | c.RevealCard", command))

    def _made(self, kind: type[CommandHeader], **fields: Any) -> c.Command:
        person = self.person
        return cast("c.Command", kind(actor=person.name, role=person.role, time=self.now, **fields))

    def _is_legal(self, kind: type[CommandHeader], **fields: Any) -> bool:
        return refusal_of(self.table, self._made(kind, **fields)) is None

    # ── Who is waited for ────────────────────────────────────────────────────────────────────────

    def _wait(
        self, what: Awaited, whom: Iterable[str], clock: int | None, since: int | None = None
    ) -> Wait | None:
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

    # ── The phases of a round ────────────────────────────────────────────────────────────────────

    def _case(self) -> Due:
        """Irregularities are for the pit; options are closed when their time is over, or nobody is there."""
        case = self.table.state.case
        assert case is not None
        if case.found is None or case.found.awaits is not Awaits.OPTIONS:
            return Wait(Awaited.CASE)
        here = [player for player in case.undecided if self.table.state.is_here(player)]
        if waiting := self._wait(Awaited.OPTIONS, here, self.pace.options, case.asked_at):
            return waiting
        return self._give(c.ExpireOptions if here else c.CloseOptions)

    def _between_rounds(self) -> Due:
        state = self.table.state
        if state.round and (rest := self._rest(self.pace.rounds)):
            return rest
        if is_shoe_finished(state):
            return self._give(c.LoadShoe)
        if state.pledges and not state.pledges_closed:
            return self._give(c.ClosePledges)  # no card leaves the shoe before
        return self._draw(c.BurnCards) if state.burn_due else self._give(c.CallBets)

    def _bets(self) -> Due:
        state, until = self.table.state, self._until(self.pace.bets)
        here = [player for player in dict.fromkeys(state.seats.values()) if player not in state.away]
        unready = tuple(player for player in here if player not in self.ready)
        if (unready or not here) and not self._is_over(until):
            return Wait(Awaited.BETS, unready, until)
        noticed = next(self._noticed(), None)
        if noticed is not None:
            return noticed
        by_call = self.table.book.betting.closes.by is Signal.CALL
        closing = self._give(c.CloseBets) if by_call else self._next_card()
        if isinstance(closing, Halt) and closing.refusal.reason is Reason.ADVISED_BETS:
            return Wait(Awaited.BETS, tuple(bet.player for bet in state.bets if bet.is_advised))
        return closing

    def _noticed(self) -> Iterator[Give | Halt]:
        """What a dealer who has to notice limits says before bets close."""
        if self.table.terms.noticing is Noticing.STRICT:
            return
        for bet in self.table.state.bets:
            for kind, fields in (
                (c.RejectExcess, {"box": bet.box}),
                (c.AdviseMinimum, {"box": bet.box, "area": bet.area, "player": bet.player}),
            ):
                if self._is_legal(kind, **fields):
                    yield self._give(kind, **fields)

    def _antes(self) -> Due:
        undecided = (player for _, player, _ in self.table.state.antes_open)
        return self._wait(Awaited.ANTES, undecided, self.pace.antes) or self._give(c.ExpireAntes)

    def _deal(self) -> Due:
        """A window that is due is offered, what is offered is waited for, and then the next card comes."""
        if due_offers(self.table):
            return self._give(c.OfferInsurance)
        waiting = (
            self._wait(Awaited.INSURANCE, self._insurable(), self.pace.insurance)
            or self._wait_for_answer()
            or self._rest(self.pace.cards)
        )
        return waiting or self._next_card()

    def _insurable(self) -> Iterator[str]:
        """Players who may still take insurance in the window that is open."""
        for made in self.table.state.offers:
            offer = open_offer(self.table, made.box, made.player, made.hand)
            if made.player in self.ready or offer is None:
                continue
            if greatest_stake(self.table, made.box, made.player, offer) > 0:
                yield made.player

    def _wait_for_answer(self) -> Wait | None:
        """A squeeze that was asked for is answered by the house before the next card, or not at all."""
        until = self._until(self.pace.squeeze)
        is_asked = any(asked.consent is None for asked in self.table.state.squeezes)
        return Wait(Awaited.SQUEEZE, until=until) if is_asked and not self._is_over(until) else None

    def _next_card(self) -> Due:
        """The next card of the deal, or one to be opened before it."""
        if isinstance(due_hand(self.table), Refusal) and (opened := self._reveal()):
            return opened
        dealt, drawer = self._draw(c.DealCard), drawer_of(self.table)
        is_players = isinstance(dealt, Halt) and dealt.refusal.reason is Reason.NOT_THE_DRAWER
        return self._players_draw(drawer) if is_players and drawer is not None else dealt

    def _players_draw(self, drawer: str) -> Due:
        """A player has a clock to draw, after those for bets or insurance; then the dealer draws."""
        state, clock = self.table.state, self.pace.draw
        before = self.pace.bets if state.phase is Phase.BETTING else None
        if state.window is not None:
            before = self.pace.insurance
        until = self._until(None if clock is None else (before or 0) + clock)
        return self._give(c.TakeDraw) if self._is_over(until) else Wait(Awaited.DRAWER, (drawer,), until)

    def _reveal(self) -> Due | None:
        """Open the first card that lies face down; whoever may squeeze it goes first."""
        state = self.table.state
        for hand in Hand:
            for number, slot in enumerate(state.slots(hand), start=1):
                if slot.face_up:
                    continue
                opened = self._draw(c.RevealCard, hand=hand, number=number)
                if isinstance(opened, Halt) and opened.refusal.reason is Reason.NO_SUCH_CARD:
                    continue  # not before another card
                squeezing = (player for player in state.bettors if may_open(state, player, hand, number))
                return self._wait(Awaited.SQUEEZE, squeezing, self.pace.squeeze) or opened
        return None
