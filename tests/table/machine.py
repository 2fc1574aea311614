"""A table at random: anybody gives commands, listed or wild, and after every event all must add up.

What must hold is written here once for all books: chips are conserved, caps and limits hold, every event and
command survives JSON and notation, the list of legal commands is what the table accepts, the log replays to
the state, and from every state there is a way to the end of the round.
"""

from __future__ import annotations

from math import ceil
from random import Random

import msgspec
from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from punto import books
from punto.rules.authority import Role
from punto.rules.outcome import Hand, parse_odds
from punto.table import Legal, Refusal, State, Table, decide, evolve, legal_commands
from punto.table.betting import PlaceBet, difference_in_box, is_under_minimum
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import Event
from punto.table.house import ChangeTerms, CloseTable, LoadShoe, OpenTable, PauseTable, TakeSeat
from punto.table.insurance import TakeInsurance
from punto.table.irregularity_events import Report
from punto.table.legality import covers
from punto.table.notation import CommandGiven, format_command, parse_line
from punto.table.state import Phase
from punto.table.terms import Noticing
from tests.table.machine_chips import Chips
from tests.table.machine_commands import (
    ASTRAY,
    COMMAND,
    ONWARD,
    PAST_BETTING,
    PEOPLE,
    PLAYERS,
    RESOLVING,
    TO_A_WINDOW,
    filled,
    random_terms,
    wild,
)
from tests.table.machine_evidence import random_sightings
from tests.table.machine_way_out import way_out

SEEDS = st.integers(0, 2**32 - 1)

EVENT = msgspec.json.Decoder(Event)


class TableMachine(RuleBasedStateMachine):
    """One table of one book; a subclass names the book."""

    book = "commission"

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(books.load(self.book))
        self.log: list[Event] = []
        self.chips = Chips()
        self._listed: tuple[Table, dict[tuple[str, Role], tuple[Legal, ...]]] = self.table, {}

    @initialize(seed=SEEDS)
    def open(self, seed: int) -> None:
        """A table with any terms, its shoe in play and its players seated."""
        terms = random_terms(self.book, Random(seed))
        note(f"{terms}")
        opening: list[Command] = [
            OpenTable(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms),
            LoadShoe(actor="Dan", role=Role.DEALER),
            *(TakeSeat(actor=player, role=Role.PLAYER, box=box) for box, player in enumerate(PLAYERS[:2], 1)),
        ]
        for command in opening:
            assert self.give(command)

    @rule(seed=SEEDS)
    def go_on(self, seed: int) -> None:
        """Several steps that bring the round on: half of them the dealer's, if there is one to make."""
        random = Random(seed)
        for _ in range(6):
            people = random.sample(PEOPLE, len(PEOPLE))
            if random.random() < 0.5:
                people.insert(0, ("Dan", Role.DEALER))
            onward = ONWARD if len(self.table.state.bets) < 6 else PAST_BETTING
            any(self.do_one_of(onward, actor, role, random) for actor, role in people)

    @rule(seed=SEEDS)
    def go_astray(self, seed: int) -> None:
        """Somebody does what does not belong to every round: a report, a correction, a squeeze, insurance."""
        random = Random(seed)
        people = random.sample(PEOPLE, len(PEOPLE))
        any(self.do_one_of(ASTRAY, actor, role, random) for actor, role in people)

    @rule(seed=SEEDS)
    def go_wrong(self, seed: int) -> None:
        """Whoever is offered insurance takes it, something goes wrong with the cards, and it is resolved."""
        random = Random(seed)
        for player in PLAYERS:
            self.do_as_listed(PlaceBet, player, area=random.choice(("player", "banker")))
        for _ in range(random.choice((0, 0, 9))):  # on to the next window, if there is one
            if self.table.state.window is None:
                people = random.sample(PEOPLE, len(PEOPLE))
                any(self.do_one_of(TO_A_WINDOW, actor, role, random) for actor, role in people)
        for player in PLAYERS:
            self.do_as_listed(TakeInsurance, player)
        cards = random_sightings(self.table, random)
        self.give(Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=cards))
        for _ in range(5):
            people = random.sample(PEOPLE, len(PEOPLE))
            any(self.do_one_of(RESOLVING, actor, role, random) for actor, role in people)

    @rule(seed=SEEDS)
    def think_again(self, seed: int) -> None:
        """The house changes its terms when a round has been paid, and then an error of it is noticed."""
        random = Random(seed)
        if self.table.state.settled is None:
            return
        for _ in range(3):
            terms = random_terms(self.book, random)
            self.give(ChangeTerms(actor="Sue", role=Role.PIT_SUPERVISOR, terms=terms))
        self.give(Report(actor="Sue", role=Role.PIT_SUPERVISOR, cards=random_sightings(self.table, random)))
        for _ in range(5):
            people = random.sample(PEOPLE, len(PEOPLE))
            any(self.do_one_of((*RESOLVING, DealCard), actor, role, random) for actor, role in people)

    def do_as_listed(self, kind: type[Command], player: str, **fields: str) -> None:
        """Do the first thing of a kind that is listed for a player, just as it is listed."""
        for legal in self.listed(player, Role.PLAYER):
            told = all(getattr(legal.command, name, None) == value for name, value in fields.items())
            if isinstance(legal.command, kind) and told:
                self.give(legal.command)
                return

    def do_one_of(self, some: tuple[type[Command], ...], actor: str, role: Role, random: Random) -> bool:
        """Do something listed of these kinds, each kind as likely as another; whether there was any."""
        kinds: dict[type[Command], list[Legal]] = {}
        for legal in self.listed(actor, role):
            if isinstance(legal.command, some):
                kinds.setdefault(type(legal.command), []).append(legal)
        if kinds:
            self.give(filled(random.choice(random.choice(list(kinds.values()))), self.table, random))
        return bool(kinds)

    def listed(self, actor: str, role: Role) -> tuple[Legal, ...]:
        """What somebody may do now, worked out once for every state: most whom a rule asks cannot do it."""
        if self._listed[0] is not self.table:
            self._listed = self.table, {}
        known = self._listed[1]
        if (actor, role) not in known:
            known[actor, role] = legal_commands(self.table, actor, role)
        return known[actor, role]

    @rule(seed=SEEDS)
    def do_anything_listed(self, seed: int) -> None:
        random = Random(seed)
        actor, role = random.choice(PEOPLE)
        listed = legal_commands(self.table, actor, role)
        for legal in random.sample(listed, min(8, len(listed))):
            assert not isinstance(decide(self.table, legal.command), Refusal), legal
        lasting = [legal for legal in listed if not isinstance(legal.command, CloseTable | PauseTable)]
        chosen = listed if random.random() < 0.1 else lasting
        if chosen:
            self.give(filled(random.choice(chosen), self.table, random))

    @rule(seed=SEEDS)
    def try_anything(self, seed: int) -> None:
        """Wild commands: what the table accepts must have been on the list of whoever gave it."""
        random = Random(seed)
        for _ in range(12):
            command = wild(self.table, random)
            before = self.table
            if not self.give(command):
                continue
            listed = legal_commands(before, command.actor, command.role)
            assert any(covers(legal, command) for legal in listed), command

    @rule(seed=SEEDS)
    def look_for_the_way_out(self, seed: int) -> None:
        """No dead end: whatever lies on the table, the round can be brought to its end from here."""
        way_out(self.table, Random(seed))

    def give(self, command: Command) -> bool:
        """Give a command and hold every event of it; whether it was accepted."""
        assert COMMAND.decode(msgspec.json.encode(command)) == command
        assert parse_line(format_command(command)) == CommandGiven(command)
        answer = decide(self.table, command)
        assert decide(self.table, command) == answer, "deciding has no memory"
        if isinstance(answer, Refusal):
            assert answer.sentence
            return False
        note(f"{command}")
        terms = self.table.state.terms
        for event in answer:
            assert EVENT.decode(msgspec.json.encode(event)) == event
            state = evolve(self.table.state, event)
            assert evolve(self.table.state, event) == state
            self.table = Table(self.table.book, state)
            self.log.append(event)
            if state.terms is not None:
                self.chips.take_in(event, (terms or state.terms).rounding)
            self.chips.assert_like(state)
        self.assert_within_bounds()
        return True

    def assert_within_bounds(self) -> None:
        state, terms = self.table.state, self.table.terms
        for bet in state.bets:
            hand = next((hand for hand in Hand if bet.area == self.table.book.main_area(hand)), None)
            promised = sum(
                ceil(taken.amount * parse_odds(taken.odds))  # each is paid, and rounded, by itself
                for taken in state.insured
                if (taken.box, taken.player, taken.hand) == (bet.box, bet.player, hand)
            )
            assert promised <= bet.stake
        if terms.noticing is Noticing.STRICT and state.phase is Phase.BETTING:
            for bet in state.bets:
                assert not is_under_minimum(self.table, bet)
                assert difference_in_box(self.table, bet.box)[1] <= (terms.differential or 10**9)
        if state.phase is not Phase.ANTES:
            assert not state.antes_open
        if state.shoe is not None:
            assert 0 <= state.shoe.cards_left <= state.shoe.size
            assert state.shoe.burned_unseen >= 0
        unseen = sum(slot.card is None for slot in state.order)
        assert not (unseen and state.phase in (Phase.FINISHED, Phase.IDLE))

    def teardown(self) -> None:
        """The log alone gives the same state, through JSON too."""
        state, again = State(), State()
        for event in self.log:
            state = evolve(state, event)
            again = evolve(again, EVENT.decode(msgspec.json.encode(event)))
        assert state == again == self.table.state
