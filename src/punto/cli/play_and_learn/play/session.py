"""A session at a table: commands go in, events come out, and both are kept.

The session holds the real table engine and nothing beside it: every bet, card and payment is a command that
`decide` accepted. Cards come from a shoe that the seed and the number of the shoe fix, so the commands and
the seed together are the whole game and can be played again.
"""

from __future__ import annotations

from functools import lru_cache

from punto.cards.card import Card
from punto.cards.shuffle import seeded_bytes
from punto.cards.source import Shuffled
from punto.rules.book import Book
from punto.rules.role import Role
from punto.rules.text.bet import Area
from punto.table import (
    Legal,
    Phase,
    Refusal,
    State,
    Table,
    Terms,
    decide,
    evolved,
    legal_commands,
    refusal_of,
)
from punto.table import command as c
from punto.table import event as e

PLAYER = "the player"
DEALER = "the dealer"
HOUSE = "the house"

Decision = c.PlaceWager | c.GiveUpAnte | c.TakeInsurance


class Session:
    """One player at one table."""

    def __init__(self, book: Book, seed: str) -> None:
        self.book, self.seed = book, seed
        self.table = Table(book)
        self.commands: list[c.Command] = []
        self.events: list[e.Event] = []
        self.last_bets: dict[str, int] = {}
        """The bets that lay when bets last closed, by area: what `same` places again."""

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def box(self) -> int:
        """Where the player sits."""
        box = self.state.box_of(PLAYER)
        assert box is not None, "the player has sat down"
        return box

    def open(self, terms: Terms, box: int) -> Refusal | None:
        """Open the table and sit down, or say what cannot be."""
        opened = self.give(c.OpenTable(actor=HOUSE, role=Role.PIT_SUPERVISOR, terms=terms))
        if isinstance(opened, Refusal):
            return opened
        seated = self.give(c.TakeSeat(actor=PLAYER, role=Role.PLAYER, box=box))
        return seated if isinstance(seated, Refusal) else None

    def give(self, *commands: c.Command) -> tuple[e.Event, ...] | Refusal:
        """Give commands to the table: all of them happen, or none."""
        table, events = self.table, list[e.Event]()
        for command in commands:
            decided = decide(table, command)
            if isinstance(decided, Refusal):
                return decided
            table = evolved(table, decided)
            events += decided
        if any(isinstance(event, e.BetsClosed) for event in events):
            self._remember_bets(table.state)
        # The commands are what is kept: if Ctrl-C comes in between, the game is none the worse for it.
        self.commands += commands
        self.table = table
        self.events += events
        return tuple(events)

    def _remember_bets(self, state: State) -> None:
        bets = {bet.area: bet.stake for bet in state.bets if self._opens(bet.area)}
        self.last_bets = bets or self.last_bets

    def _opens(self, area: str) -> bool:
        bet = self.book.bet(area)
        return bet is not None and bet.kind is not Area.WAGER

    def mine(self) -> tuple[Legal, ...]:
        """Everything that the player may do now."""
        return legal_commands(self.table, PLAYER, Role.PLAYER)

    def bets(self) -> dict[str, Legal]:
        """The bets that the player may place now, by area."""
        found = {}
        for legal in self.mine():
            if isinstance(legal.command, c.PlaceBet) and legal.command.box == self.box:
                found[legal.command.area] = legal
        return found

    def decisions(self) -> list[tuple[Decision, Legal]]:
        """Antes and insurance that wait for the player."""
        if not self.state.antes_open and self.state.window is None:
            return []  # nothing is open, and asking what is legal takes a while
        kinds = (c.PlaceWager, c.GiveUpAnte, c.TakeInsurance)
        return [(legal.command, legal) for legal in self.mine() if isinstance(legal.command, kinds)]

    def call_bets(self) -> tuple[e.Event, ...]:
        """The dealer makes the table ready for a round and opens the betting."""
        return (*self.run(), *self._dealer(c.CallBets(actor=DEALER, role=Role.DEALER)))

    def close_bets(self) -> tuple[e.Event, ...] | Refusal:
        """The dealer closes the betting; where the book has no call for it, the first card does."""
        call = c.CloseBets(actor=DEALER, role=Role.DEALER)
        return self.give(self._card(c.DealCard) if refusal_of(self.table, call) else call)

    def run(self, *, passing: bool = False) -> tuple[e.Event, ...]:
        """The dealer goes on until the player is asked, or the round is settled.

        `passing`: what the player is being asked now was answered, and the next card may come.
        """
        events: tuple[e.Event, ...] = ()
        while self.state.phase is not Phase.BETTING:
            if self.decisions() and not passing:
                break
            command = self._dealers_command()
            if command is None:
                break
            passing = False
            events += self._dealer(command)
            if isinstance(command, c.SettleRound):
                break
        return events

    def _dealer(self, command: c.Command) -> tuple[e.Event, ...]:
        events = self.give(command)
        assert not isinstance(events, Refusal), f"the dealer does only what is legal: {events}"
        return events

    def _dealers_command(self) -> c.Command | None:
        """The dealer's next command: the first that the table allows."""
        turn: list[c.Command] = [c.SettleRound(actor=DEALER, role=Role.DEALER)]
        if self.state.shoe is not None and self.state.shoe.cards_left:
            turn += [self._card(c.DealCard), self._card(c.BurnCards)]
        turn.append(c.LoadShoe(actor=DEALER, role=Role.DEALER))
        return next((command for command in turn if refusal_of(self.table, command) is None), None)

    def _card(self, kind: type[c.DealCard] | type[c.BurnCards]) -> c.Command:
        """A command with the card that leaves the shoe next."""
        return kind(actor=DEALER, role=Role.DEALER, card=self.next_card())

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


@lru_cache(maxsize=2)
def shoe_order(seed: str, number: int, decks: int) -> tuple[Card, ...]:
    """The cards of a shoe. The first is the one that `punto deal --seed` deals."""
    return Shuffled.of_decks(decks, seeded_bytes(seed if number == 1 else f"{seed}, shoe {number}")).order
