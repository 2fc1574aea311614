"""A table with one player: commands go in, events come out, and both are kept.

It holds the real table and nothing beside it: every bet, card and payment is a command that the table
accepted, and those of the house come from the automatic dealer. Cards come from a shoe that the seed and the
number of the shoe fix, so the commands and the seed are the whole game and can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.shuffle import seeded_bytes
from punto.cards.source import Shuffled
from punto.dealer import BOTS, Awaited, DrawCard, Halt, Wait, next_bot, next_step
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.bet import Area
from punto.table import Legal, Phase, Refusal, State, Table, Terms, act, legal_commands
from punto.table import command as c
from punto.table import event as e
from punto.table.acting import refusal_of
from punto.table.dealing.squeezes import may_open
from punto.table.terms import Faces, boxes_of

PLAYER = "the player"
HOUSE = "the house"

Decision = c.PlaceWager | c.GiveUpAnte | c.TakeInsurance

_OF_A_WINDOW = (c.TakeInsurance, c.DeclineInsurance)
_OF_A_ROUND = (c.PlaceBet, c.ReduceBet, c.WithdrawBet, c.PlaceWager, c.GiveUpAnte, *_OF_A_WINDOW)
"""Commands of a player that are meant for one round, and for one insurance window of it."""
_DECIDING = (Phase.BETTING, Phase.ANTES, Phase.DEALING)
MOST_BOT_COMMANDS = 4
"""Commands that a bot gives in one turn."""
_ASKED = (Awaited.BETS, Awaited.ANTES, Awaited.INSURANCE, Awaited.SQUEEZE)
"""What the player at a terminal is asked for."""


class TableStopped(Exception):
    """The automatic dealer cannot go on, and nobody else is there who could; the sentence says why."""


class SoloTable:
    """One player at one table."""

    def __init__(self, book: Book, seed: str, clock: Callable[[], int] | None = None) -> None:
        self.book, self.seed, self._clock = book, seed, clock
        self.table = Table(book)
        self.commands: list[c.Command] = []
        self.versions: list[int] = []
        """By command, how many events there were before it."""
        self.events: list[e.Event] = []
        self.last_bets: dict[tuple[int, str], int] = {}
        """The player's bets when bets last closed, by box and area: what `same` places again."""

        self.shoes: dict[int, Shoe] = {}
        """By round, the shoe before its first card."""

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def box(self) -> int:
        """Where the player sits first of all."""
        assert self.boxes, "the player has sat down"
        return self.boxes[0]

    @property
    def boxes(self) -> tuple[int, ...]:
        """Every box of the player, in the order in which they were taken."""
        return self.state.boxes_of(PLAYER)

    def open(self, terms: Terms, *boxes: int) -> Refusal | None:
        """Open the table and sit down, or say why not."""
        opened = self.give(c.OpenTable(actor=HOUSE, role=Role.PIT_SUPERVISOR, terms=terms))
        if isinstance(opened, Refusal):
            return opened
        seated = self.give(*(c.TakeSeat(actor=PLAYER, role=Role.PLAYER, box=box) for box in boxes))
        return seated if isinstance(seated, Refusal) else None

    def seat_bots(self, number: int) -> int:
        """Seat this many bots at free boxes, from box 1 on; returns how many found one."""
        boxes = boxes_of(self.book, self.table.terms)
        free = [box for box in range(1, boxes + 1) if box not in self.state.seats]
        names = [name for name in BOTS if name not in self.state.seats.values()]
        seated = list(zip(free[:number], names, strict=False))
        for box, name in seated:
            taken = self.give(c.TakeSeat(actor=name, role=Role.PLAYER, box=box))
            assert not isinstance(taken, Refusal), taken
        return len(seated)

    def bots(self) -> dict[int, str]:
        """The bots at the table, by box."""
        return {box: name for box, name in self.state.seats.items() if name in BOTS}

    def _let_bots_act(self) -> tuple[e.Event, ...]:
        """Every bot does what it wants to do now; its chance comes from the seed, so that a game repeats."""
        events: tuple[e.Event, ...] = ()
        for box, name in sorted(self.bots().items()):
            for _ in range(MOST_BOT_COMMANDS):
                chance = seeded_bytes(f"{self.seed}, {name}, command {len(self.commands)}")
                command = next_bot(self.table, box, chance)
                if command is None:
                    break
                given = self.give(command)
                assert not isinstance(given, Refusal), f"a bot does only what is legal: {given}"
                events += given
        return events

    def give(self, *commands: c.Command) -> tuple[e.Event, ...] | Refusal:
        """Give commands to the table: all of them happen, or none."""
        table, events = self.table, list[e.Event]()
        given, versions = list[c.Command](), list[int]()
        for bare in commands:
            command = self._named(table.state, bare)
            step = act(table, command)
            if isinstance(step, Refusal):
                return step
            table = step.table
            given.append(command)
            versions.append(len(self.events) + len(events))
            events += step.events
            called = next((event for event in step.events if isinstance(event, e.BetsCalled)), None)
            if called is not None and table.state.shoe is not None:
                self.shoes[called.round] = table.state.shoe
        if any(isinstance(event, e.BetsClosed) for event in events):
            self._remember_bets(table.state)
        # The commands are what is kept: Ctrl-C in between does no harm to the game.
        self.commands += given
        self.versions += versions
        self.table = table
        self.events += events
        return tuple(events)

    def _named(self, state: State, command: c.Command) -> c.Command:
        """The command with its time, and what every bet at a stored table names: its round and window."""
        named: dict[str, int | None] = {}
        if self._clock is not None and not command.time:
            named["time"] = self._now()
        if isinstance(command, _OF_A_ROUND) and command.round is None:
            named["round"] = state.round
        if isinstance(command, _OF_A_WINDOW) and command.window is None:
            named["window"] = state.window
        return replace(command, **named) if named else command

    def _now(self) -> int:
        """The time, which never runs back at a table."""
        return max(self._clock(), self.state.since) if self._clock is not None else 0

    def take_up(self, events: Iterable[e.Event], commands: list[c.Command]) -> None:
        """Go on with a game that was kept: its events, and the commands that led to them."""
        state = self.state
        for event in events:
            state = event.fold(state)
            self.events.append(event)
            if isinstance(event, e.BetsCalled) and state.shoe is not None:
                self.shoes[event.round] = state.shoe
            elif isinstance(event, e.BetsClosed):
                self._remember_bets(state)
        self.table = Table(self.book, state)
        self.commands, self.versions = list(commands), [0] * len(commands)

    def _remember_bets(self, state: State) -> None:
        bets = {
            (bet.box, bet.area): bet.stake
            for bet in state.bets
            if bet.player == PLAYER and self._opens(bet.area)
        }
        self.last_bets = bets or self.last_bets

    def _opens(self, area: str) -> bool:
        bet = self.book.bet(area)
        return bet is not None and bet.kind is not Area.WAGER

    def mine(self) -> tuple[Legal, ...]:
        """Everything that the player may do now."""
        return legal_commands(self.table, PLAYER, Role.PLAYER)

    def bets(self, box: int | None = None) -> dict[str, Legal]:
        """The bets that the player may place now in a box, the own one by default, by area."""
        found, where = {}, self.box if box is None else box
        for legal in self.mine():
            if isinstance(legal.command, c.PlaceBet) and legal.command.box == where:
                found[legal.command.area] = legal
        return found

    def decisions(self) -> list[tuple[Decision, Legal]]:
        """Antes and insurance that wait for the player."""
        if not self.state.antes_open and self.state.window is None:
            return []  # nothing is open, and asking what is legal takes a while
        kinds = (c.PlaceWager, c.GiveUpAnte, c.TakeInsurance)
        return [(legal.command, legal) for legal in self.mine() if isinstance(legal.command, kinds)]

    def go_on(self, *, is_ready: bool = False) -> tuple[e.Event, ...]:
        """The dealer goes on until the player is asked, or the round is settled.

        `is_ready`: the player has answered what was asked, and the next card may come.
        """
        events: tuple[e.Event, ...] = ()
        bots = tuple(self.bots().values())
        while True:
            if bots and self.state.phase in _DECIDING:
                events += self._let_bots_act()
            self._ask_squeezes()
            due = next_step(self.table, self._now(), ready=(PLAYER, *bots) if is_ready else bots)
            if isinstance(due, Wait | Halt):
                if not events:
                    _check(due)
                return events
            command = due.with_card(self.next_card()) if isinstance(due, DrawCard) else due.command
            given = self.give(command)
            assert not isinstance(given, Refusal), f"the dealer does only what is legal: {given}"
            events += given
            is_ready = is_ready and self.state.phase is Phase.BETTING
            if isinstance(command, c.SettleRound):
                return events

    def _ask_squeezes(self) -> None:
        """At a table dealt face down, ask for the cards of the hand that the player has bet on most.

        The house consents; who may squeeze is for the table to say (insurance 3.9).
        """
        state = self.state
        if self.table.terms.faces is Faces.UP or state.phase is not Phase.DEALING or state.squeezes:
            return
        if state.cards_out:
            return
        mains = {
            hand: sum(
                bet.stake
                for bet in state.bets
                if bet.player == PLAYER and bet.area == self.book.main_area(hand)
            )
            for hand in Hand
        }
        hand = max(Hand, key=mains.__getitem__)
        for number in (1, 2, 3):
            asked = c.AskSqueeze(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number)
            if not mains[hand] or refusal_of(self.table, asked) is not None:
                return
            self.give(asked, c.AnswerSqueeze(actor=HOUSE, role=Role.PIT_SUPERVISOR, consent=True))

    def squeezed(self) -> tuple[Hand, int, Card] | None:
        """The card that the player may open now, if the dealer waits for that."""
        due = next_step(self.table, self._now(), ready=(PLAYER, *self.bots().values()))
        if not isinstance(due, Wait) or due.what is not Awaited.SQUEEZE:
            return None
        for hand in Hand:
            for number, slot in enumerate(self.state.slots(hand), start=1):
                if not slot.face_up and slot.card and may_open(self.state, PLAYER, hand, number):
                    return hand, number, slot.card
        return None

    def next_card(self) -> Card:
        """The card that leaves the shoe next."""
        shoe = self.state.shoe
        assert shoe is not None
        return shoe_order(self.seed, self.state.shoe_number, shoe.decks)[shoe.size - shoe.cards_left]

    def replay(self, commands: list[c.Command]) -> str | None:
        """Play commands again; if they cannot have been this game, a sentence why."""
        for number, command in enumerate(commands, start=1):
            named = getattr(command, "card", None)
            if named is not None and (self.state.shoe is None or named is not self.next_card()):
                return f"command {number} draws {named}, which its seed does not bring"
            try:
                decided = self.give(command)
            except (AssertionError, LookupError, ValueError):  # no table could have taken it
                return f"command {number} makes no sense"
            if isinstance(decided, Refusal):
                return f"command {number} is refused: {decided.sentence}"
        return None if self.state.box_of(PLAYER) else "nobody has sat down in it"


def _check(due: Wait | Halt) -> None:
    """Whether the player can answer what the table waits for; `TableStopped` if not."""
    if isinstance(due, Halt):
        raise TableStopped(due.sentence)
    if due.what not in _ASKED:
        raise TableStopped(f"the table waits for {due.what.value}")
    if due.whom and PLAYER not in due.whom:
        raise TableStopped(f"the table waits for {due.what.value} of {', '.join(due.whom)}")


@lru_cache(maxsize=2)
def shoe_order(seed: str, number: int, decks: int) -> tuple[Card, ...]:
    """The cards of a shoe. The first is the one that `punto deal --seed` deals."""
    return Shuffled.of_decks(decks, seeded_bytes(seed if number == 1 else f"{seed}, shoe {number}")).order
