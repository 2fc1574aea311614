"""No card of a shoe that the floor draws from becomes known before its turn, whoever works together.

The attack is played as it was found: somebody reports cards that nobody has seen, the report is dismissed,
and bets are placed on what was learned. Then random lives in two worlds that differ in the cards still to
come: to everybody they are the same until a card is dealt, whatever is reported, taken back or dismissed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from punto import books
from punto.audit.shuffle import CHACHA20
from punto.cards.card import Card
from punto.cards.shoe import Composition
from punto.cards.source import SourceKind
from punto.floor import shoe as floor_cards
from punto.floor.job import Decision, Job, decide_job
from punto.floor.loaded_table import LoadedTable
from punto.floor.shoe import Seed
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.outcome import Hand
from punto.store.store import open_store
from punto.table import Table
from punto.table.betting import CloseBets
from punto.table.command import Command
from punto.table.dealing import DealCard, RevealCard
from punto.table.house import BurnCards, ChangeTerms, LoadShoe, OpenTable
from punto.table.irregularity_case import Place, Seen, parse_sighting
from punto.table.irregularity_events import ChooseOption, DismissReport, Option, Report, WithdrawEvidence
from punto.table.shuffling import SeedOpened
from punto.table.state import Phase, State
from punto.table.terms import Faces
from tests.floor.house import House, accepted
from tests.table.machine_commands import random_terms
from tests.table.machine_evidence import random_sightings
from tests.views.worlds import any_command

PIT, DEALER = Role.PIT_SUPERVISOR, Role.DEALER
SIX = tuple(parse_sighting(f"unseen:{place}:up") for place in ("player", "banker") * 3)
ROUNDS = 12


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_store(str(tmp_path / "house.db")) as store, House(store) as opened:
        opened.buy_in("Ann", 1_000_000)
        yield opened


# ── The attack ───────────────────────────────────────────────────────────────────────────────────


def shown(state: State) -> list[Card]:
    """Every face that shows, on the table or in the evidence of a case."""
    slots = (*state.player, *state.banker, *state.carried)
    found = [slot.card for slot in slots if slot.face_up and slot.card is not None]
    if state.case is not None:
        found += [card.shown for card in state.case.evidence.brought if card.shown is not None]
    return found


def reported(house: House, by: Role) -> list[Card]:
    """Six cards that nobody has seen are reported, and the report is dismissed: what was learned."""
    told = house.deal(Report, role=by, cards=SIX)
    assert isinstance(told, Refusal) and told.reason is Reason.NOTHING_WRONG, told
    learned = shown(house.table().state)
    house.deal(DismissReport, by="Sue", role=PIT, reason="nobody saw anything")
    return learned


@pytest.mark.parametrize("by", [DEALER, PIT])
@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_no_round_can_be_predicted(house: House, by: Role, source: SourceKind) -> None:
    house.open("t1", "ez", burn="none", source=source)
    house.seat("Ann")
    for _ in range(ROUNDS):
        house.call()
        assert reported(house, by) == [], "the next cards were told"
        assert house.table().state.phase is Phase.BETTING
        accepted(house.bet("Ann", 1_000))
        accepted(house.deal(DealCard))
        known = shown(house.table().state)
        assert reported(house, by) == known
        house.finish()
        assert reported(house, by) == [*shown(house.table().state)], "nor those of the next round"


@pytest.mark.parametrize("source", [SourceKind.SHUFFLED, SourceKind.CONTINUOUS])
def test_a_case_of_words_turns_no_card_before_its_turn(house: House, source: SourceKind) -> None:
    """A case that waits for a ruling lets cards be opened to see where they go; the system knows that."""
    house.open("t1", "insurance", burn="none", faces=Faces.DOWN, source=source)
    house.call()
    accepted(house.deal(CloseBets))
    accepted(house.deal(DealCard))
    accepted(house.deal(Report, seen=(Seen.UNCOVERED,), note="a noise"))
    answer = house.deal(RevealCard, hand=Hand.PLAYER, number=1)
    assert isinstance(answer, Refusal) and answer.reason is Reason.NO_SUCH_CARD
    for turned in ("1:up", "1:floor", "1:shoe"):
        answer = house.deal(Report, role=PIT, cards=(parse_sighting(turned),))
        assert isinstance(answer, Refusal) and answer.reason is Reason.NOTHING_WRONG
    accepted(house.deal(DismissReport, by="Sue", role=PIT, reason="nothing"))
    assert shown(house.table().state) == []


def test_terms_changed_after_the_round_let_nobody_name_its_cards(house: House) -> None:
    """With a physical shoe people name cards; the round that was just settled had none."""
    house.open("t1", "insurance", burn="none")
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 1_000, round=1))
    accepted(house.deal(CloseBets))
    house.finish()
    terms = replace(house.table().terms, source=SourceKind.ENTERED)
    accepted(house.deal(ChangeTerms, role=PIT, terms=terms))
    for told in ("5H:player", "1:floor", "1:is-KS", "unseen:table:down"):
        answer = house.deal(Report, role=PIT, cards=(parse_sighting(told),))
        assert isinstance(answer, Refusal), told
    assert house.table().state.settled is not None


def test_cards_that_an_older_version_showed_do_not_go_back(house: House) -> None:
    """A case of an older log brought cards up: it is decided, and not dismissed."""
    house.open("t1", "insurance", burn="none")
    house.seat("Ann")
    house.call()
    accepted(house.bet("Ann", 1_000))
    card = replace(parse_sighting("unseen:player:up"), card=Card.S2)
    house.tell(Report(actor="Sue", role=PIT, cards=(card,)))
    left = house.table().state.shoe
    for kind, fields in ((DismissReport, {"reason": "no"}), (WithdrawEvidence, {"cards": (1,)})):
        answer = house.deal(kind, by="Sue", role=PIT, **fields)
        assert isinstance(answer, Refusal) and answer.reason is Reason.CARD_NAMED
    accepted(house.ask(ChooseOption, "Ann", option=Option.CONTINUE))
    state = house.table().state
    assert state.case is None and state.phase is Phase.DEALING and state.shoe == left
    house.finish()


# ── Two worlds ───────────────────────────────────────────────────────────────────────────────────

A, B = Seed(CHACHA20, b"a" * 32), Seed(CHACHA20, b"b" * 32)
IN_TURN = (DealCard, BurnCards, LoadShoe)


class Worlds:
    """One table and two shoes: what was dealt is the same, what is to come is not."""

    def __init__(self, book: str, random: Random, monkeypatch: pytest.MonkeyPatch) -> None:
        found = books.load(book)
        self.random, self.orders = random, dict[bytes, tuple[Card, ...]]()
        self.loaded = LoadedTable("t1", 0, Table(found))
        source = random.choice((SourceKind.SHUFFLED, SourceKind.SHUFFLED, SourceKind.CONTINUOUS))
        terms = replace(random_terms(book, random), source=source, faces=random.choice(list(Faces)))
        monkeypatch.setattr(floor_cards, "shoe_order", lambda seed, *_: self.orders[seed.secret])
        self.give(OpenTable(actor="Sue", role=PIT, terms=terms))
        self.load()

    def load(self) -> None:
        if self.give(LoadShoe(actor="Dan", role=DEALER)).after is not None:
            self.orders[A.secret] = self._shuffled(())

    def _shuffled(self, first: tuple[Card, ...]) -> tuple[Card, ...]:
        rest = list(Composition.of_decks(self.loaded.table.terms.decks).less(first).cards())
        self.random.shuffle(rest)
        return (*first, *rest)

    def decide(self, command: Command, seed: Seed) -> Decision:
        job = Job("t1", command, self.loaded.version)
        return decide_job(job, self.loaded, lambda _: seed, lambda: 0)

    def give(self, command: Command) -> Decision:
        decision = self.decide(command, A)
        self.loaded = decision.after or self.loaded
        return decision

    def compare(self, command: Command) -> None:
        """The command in both worlds; then it is given in the first."""
        before = self.loaded.table.state
        shoe = before.shoe
        out = shoe.size - shoe.cards_left if shoe is not None else 0
        self.orders[B.secret] = self._shuffled(self.orders[A.secret][:out])
        one, other = self.decide(command, A), self.decide(command, B)
        assert one.refusal == other.refusal, command
        if isinstance(command, IN_TURN):
            assert [event.name() for event in one.events[:1]] == [event.name() for event in other.events[:1]]
        else:
            # A seed that is opened is that of a shoe out of play: here every shoe of a world has the same.
            first, second = (
                [event for event in each.events if not isinstance(event, SeedOpened)] for each in (one, other)
            )
            assert first == second, command
        self.give(command)
        self._check(before, command)

    def _check(self, before: State, command: Command) -> None:
        """Cards leave the shoe by the deal alone, and faces show by the deal and by turning them in turn."""
        after = self.loaded.table.state
        if isinstance(command, IN_TURN) or after.round_terms.source is SourceKind.ENTERED:
            return  # with a physical shoe people say which cards left it
        if before.shoe is not None and after.shoe is not None and after.shoe_number == before.shoe_number:
            is_round_over = after.phase is Phase.IDLE  # a continuous shuffler takes the cards in again
            is_round_over |= before.phase is Phase.IDLE
            assert is_round_over or after.shoe.cards_left == before.shoe.cards_left, command
        is_turned = isinstance(command, RevealCard)
        assert not is_turned or before.cards_out >= 4 or shown(after) == shown(before)
        assert is_turned or not Counter(shown(after)) - Counter(shown(before)), command


def unnamed(command: Command, random: Random) -> Command:
    """Mostly as somebody would send it to such a table, who names no card."""
    if isinstance(command, DealCard | BurnCards | RevealCard):
        return replace(command, card=None)
    if isinstance(command, Report) and random.random() < 0.8:
        told = [replace(s, is_=None, after=None) for s in command.cards]
        told = [s if isinstance(s.nth, int) or s.foreign else replace(s, card=None) for s in told]
        return replace(command, cards=tuple(told))
    return replace(command, commitment="", algorithm="") if isinstance(command, LoadShoe) else command


def wild_report(table: Table, random: Random) -> Command:
    """Evidence of every kind, of the dealer or of the pit; or the report of it is taken back."""
    role = random.choice((DEALER, PIT, Role.SHIFT_MANAGER))
    draw = random.random()
    if table.state.case is not None and draw < 0.3:
        return DismissReport(actor="Sue", role=role, reason="a mistake")
    if table.state.case is not None and draw < 0.4:
        return WithdrawEvidence(actor="Sue", role=role, cards=(random.randint(1, 7),))
    if draw < 0.5:
        return Report(actor="Sue", role=role, seen=(random.choice(list(Seen)),))
    if draw < 0.7:
        places = random.sample(list(Place), 2)
        return Report(
            actor="Sue",
            role=role,
            cards=tuple(parse_sighting(f"unseen:{place.value}:{random.choice(('up', 'down'))}") for place in places),
        )
    return Report(actor="Sue", role=role, cards=random_sightings(table, random))


@pytest.mark.slow
@pytest.mark.parametrize("book", books.NAMES)
def test_worlds_that_differ_in_cards_to_come_are_the_same(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Counter[str]()
    for seed in range(4):
        kinds += live(Worlds(book, Random(f"{book}/{seed}"), monkeypatch))
    assert kinds["deal-card"] > 20 and kinds["report"] and kinds["dismiss-report"], kinds


def live(worlds: Worlds) -> Counter[str]:
    """A random life in both worlds; how many commands of each kind were accepted."""
    random, kinds = worlds.random, Counter[str]()
    for _ in range(150):
        table = worlds.loaded.table
        if table.state.phase is Phase.CLOSED:
            break
        make: Callable[[Table, Random], Command] = wild_report if random.random() < 0.3 else any_command
        command = unnamed(make(table, random), random)
        before = worlds.loaded.version
        if isinstance(command, LoadShoe):
            worlds.load()
        else:
            worlds.compare(command)
        kinds[command.name()] += worlds.loaded.version > before
    return kinds
