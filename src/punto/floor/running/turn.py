"""Whose turn it is at a table that deals by itself, and when: its bots, then its dealer.

Pure, like the dealer and the bots themselves. What is due follows from the table, from how it is run and from
the time, so a process that takes over knows as much as the one before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import cast

from msgspec.structs import replace as changed

from punto.cards.shuffle import seeded_bytes
from punto.cards.source import SourceKind
from punto.dealer import (
    AUTOMATIC,
    Awaited,
    DrawCard,
    Due,
    Give,
    Halt,
    Pace,
    Wait,
    clock_start,
    next_bot,
    next_step,
)
from punto.floor.cards import without_cards
from punto.floor.loaded import LoadedTable
from punto.rules.role import Role
from punto.table import command as c
from punto.table.acting import refusal_of
from punto.table.layout import SqueezeKind
from punto.table.state import Phase, State, Table
from punto.table.terms import boxes_of

SEATING_PHASES = (Phase.IDLE, Phase.BETTING)
"""When a bot sits down."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A table that deals by itself, looked at once."""

    loaded: LoadedTable
    pace: Pace
    bots: tuple[str, ...]
    now: int
    moved: int
    """When the table last changed: pledges for a shuffle get their time from there."""
    barred: Collection[str] = ()
    """Bots that do nothing more in this round."""

    @property
    def table(self) -> Table:
        return self.loaded.table

    def command(self) -> c.Command | None:
        """What is to be given now; None where it is too early, or for people to do."""
        bot = self._bots_command()
        return bot if bot is not None else self._dealers_command()

    def time(self) -> int | None:
        """When something is due, unless the table changes before; None where it is for people to do."""
        times = [at for _, at in self._bot_times()]
        due = self._due()
        if isinstance(due, Give) or self._is_drawn(due):
            times.append(self.now)
        elif isinstance(due, Wait) and due.until is not None:
            times.append(due.until)
        return min(times, default=None)

    def problem(self) -> str | None:
        """Why the dealer cannot go on, in a sentence."""
        due = self._due()
        if isinstance(due, Halt):
            return due.sentence
        if isinstance(due, DrawCard) and self._is_entered:
            return "the cards of a physical shoe are dealt by a person"
        if isinstance(due, Wait) and due.what is Awaited.BETS and due.until is None:
            players = ", ".join(dict.fromkeys(due.whom))
            return f"bets under the minimum are raised, withdrawn or ruled on first: {players}"
        return None

    # ── The dealer ───────────────────────────────────────────────────────────────────────────────

    def _dealers_command(self) -> c.Command | None:
        due = self._due()
        if isinstance(due, Give):
            # A card that was carried over is named by the dealer, and filled in by the floor like all others.
            return due.command if self._is_entered else without_cards(due.command)
        if isinstance(due, DrawCard) and self._is_drawn(due):
            return due.command  # the floor fills its card in
        return None

    @property
    def _is_entered(self) -> bool:
        return self.table.terms.source is SourceKind.ENTERED

    def _is_drawn(self, due: Due | None) -> bool:
        """Whether a card comes next that the system draws itself."""
        return isinstance(due, DrawCard) and not self._is_entered

    def _due(self) -> Due | None:
        state = self.table.state
        if state.phase in (Phase.NEW, Phase.CLOSED):
            return None
        if state.phase is Phase.IDLE and not state.seats:
            return None  # nobody to deal for
        if is_shuffle_open(state) and not state.is_paused and state.case is None:
            waiting = self._shuffle()
            if waiting is not None:
                return waiting
        due = next_step(self.table, self.now, self.pace)
        if isinstance(due, Wait) and due.what is Awaited.DRAWER and due.whom[0] in self.bots:
            return Give(c.DealCard(actor=due.whom[0], role=Role.PLAYER, time=self.now))
        if isinstance(due, Wait) and due.what is Awaited.SQUEEZE and not due.whom:
            return self._consent() or due
        return due

    def _consent(self) -> Give | None:
        """A card that its player turns costs nobody anything; what waives insurance is for people."""
        if self.table.state.squeezes[-1].kind is not SqueezeKind.CARD:
            return None
        answer = c.AnswerSqueeze(actor=AUTOMATIC.name, role=AUTOMATIC.role, time=self.now, consent=True)
        return Give(answer) if refusal_of(self.table, answer) is None else None

    def _shuffle(self) -> Due | None:
        """A fresh shoe: who wants to add bytes to its shuffle has as long as there is between rounds."""
        state, until = self.table.state, clock_start(self.moved, self.now) + self.pace.rounds
        if state.pledges_closed and all(pledge.opened is not None for pledge in state.pledges):
            return None
        if self.now < until:
            return _until(until)
        if state.pledges and not state.pledges_closed:
            person = AUTOMATIC
            return Give(c.ClosePledges(actor=person.name, role=person.role, time=self.now))
        return None

    # ── The bots ─────────────────────────────────────────────────────────────────────────────────

    def _bots_command(self) -> c.Command | None:
        for name, at in self._bot_times():
            if at <= self.now and (command := self._bot_command(name)) is not None:
                return command
        return None

    def _bot_times(self) -> Iterator[tuple[str, int]]:
        """When each bot that has something to do does it: one after the other over the time there is."""
        state, clock = self.table.state, self._clock()
        if state.case is not None:
            # A choice after an error: nobody waits for a bot.
            yield from ((name, self.now) for name in self.bots if self._bot_command(name) is not None)
            return
        if state.is_paused or clock is None:
            return
        for place, name in enumerate(self.bots, start=1):
            if self._bot_command(name) is not None:
                yield name, clock_start(state.since, self.now) + clock * place // (len(self.bots) + 2)

    def _clock(self) -> int | None:
        """How long players have for what they are asked now; None where they are asked nothing."""
        state = self.table.state
        match state.phase:
            case Phase.IDLE:
                return 0
            case Phase.BETTING:
                return self.pace.bets or 0
            case Phase.ANTES:
                return self.pace.antes or 0
            case Phase.DEALING if state.window is not None:
                return self.pace.insurance or 0
            case _:
                return None

    def _bot_command(self, name: str) -> c.Command | None:
        state = self.table.state
        if state.case is not None:
            return self._choice(name)
        seat = state.box_of(name)
        if seat is None:
            return self._seating(name) if state.phase in SEATING_PHASES else None
        if name in self.barred:
            return None
        held = sum(bet.player == name for bet in state.bets)
        # The same bytes whenever it is asked: a bot that lets a round pass does not think again.
        random = seeded_bytes(f"{self.loaded.id}/{state.round}/{seat}/{state.window}/{held}")
        command = next_bot(self.table, seat, random)
        return None if command is None else self._stamped(command)

    def _choice(self, name: str) -> c.Command | None:
        """A bot that may have its bets back continues."""
        number, option = self.table.state.round, c.Option.CONTINUE
        choose = c.ChooseOption(actor=name, role=Role.PLAYER, time=self.now, option=option, round=number)
        return choose if refusal_of(self.table, choose) is None else None

    def _stamped(self, command: c.Command) -> c.Command:
        """A player's command names its round, and its window where there is one."""
        state, fields = self.table.state, command.__struct_fields__
        named = {"round": state.round, "window": state.window}
        return changed(command, time=self.now, **{key: named[key] for key in named if key in fields})

    def _seating(self, name: str) -> c.Command | None:
        """The last box that is free: people find the first ones."""
        for box in range(boxes_of(self.table.book, self.table.terms), 0, -1):
            if box not in self.table.state.seats:
                sit = c.TakeSeat(actor=name, role=Role.PLAYER, time=self.now, box=box)
                return sit if refusal_of(self.table, cast("c.Command", sit)) is None else None
        return None

    def at(self, now: int) -> Turn:
        """The same table later."""
        return replace(self, now=now)


def is_shuffle_open(state: State) -> bool:
    """Whether bytes may still be added to the shuffle of the shoe in play."""
    shoe = state.shoe
    if shoe is None or state.phase is not Phase.IDLE or shoe.cards_left < shoe.size:
        return False
    return state.round_shoe != state.shoe_number and any(
        each.shoe == state.shoe_number for each in state.committed
    )


def is_only_a_bet(before: LoadedTable, after: LoadedTable) -> bool:
    """Whether nothing changed but bets while they are open: the clock goes on as it was."""
    old, new = before.table.state, after.table.state
    return (
        old.phase is new.phase is Phase.BETTING
        and (old.since, old.seats, old.away, old.is_paused) == (new.since, new.seats, new.away, new.is_paused)
        and old.case is new.case is None
    )


def _until(time: int) -> Wait:
    return Wait(Awaited.PACE, until=time)
