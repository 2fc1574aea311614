"""The table of `punto play`: one player at a table on a floor of its own, where commands go in and events come out.

The floor decides everything once and keeps it, in memory or in a file: a database with one table like any
other, which holds events, commands and ledger. Whatever is done is durable before anything of it is shown,
so a game that is killed at any moment goes on where it was. Commands of the house come from the automatic
dealer, and cards from shoes that the seed fixes: commands and seed are the whole game, and where the file
fails they are given to a floor in memory. The seed is sealed with a key that everybody has: a game's cards
are not secret from whoever owns the file, and a copied file can be gone on with.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import seeded_bytes
from punto.cli.database_options import now_ms
from punto.dealer.bot import BOTS, next_bot
from punto.dealer.dealer import Awaited, Halt, Wait, next_step
from punto.floor.floor import Floor, PutBack, Together
from punto.floor.job import Accepted, decode_command
from punto.floor.loaded_table import BookCache, LoadedTable, book_document, load_table
from punto.floor.shoe import given_seeds, without_drawn_cards
from punto.ledger.movement import MovementKind, buy_in, held_account, player_account
from punto.refusal import Reason, Refusal
from punto.roads.roads import Roads, RoundResult, RoundWinner
from punto.rules.authority import Role
from punto.rules.book import Book, digest_of
from punto.rules.outcome import Hand
from punto.store.connection import Address, DatabaseKind
from punto.store.errors import StoreError
from punto.store.reader import Reader
from punto.store.record import StoredAccount
from punto.store.seal import Seal
from punto.store.store import Store, open_store, store_in_memory
from punto.store.transaction import Transaction
from punto.table import Legal, Phase, State, Table, Terms, legal_commands
from punto.table.acting import refusal_of
from punto.table.antes import GiveUpAnte, PlaceWager
from punto.table.betting import BetsCalled, BetsClosed, PlaceBet, ReduceBet, WithdrawBet
from punto.table.command import Command
from punto.table.dealing import AnswerSqueeze, AskSqueeze, may_open_card
from punto.table.event import Event
from punto.table.house import OpenTable, TakeSeat
from punto.table.insurance import DeclineInsurance, InsuranceOffered, TakeInsurance
from punto.table.replay import EndedRound, rounds_after
from punto.table.settlement import SettleRound
from punto.table.state import OfferMade
from punto.table.terms import Faces, boxes_of

PLAYER = "the player"
HOUSE = "the house"
UNNAMED_GAME = "game"  # The id of a table whose file has a name that no table can have.
GAME_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
SEAL = Seal(hashlib.sha256(b"punto play").digest())
BOTS_MONEY = 10**12  # What each bot brings: more than it can lose.

Decision = PlaceWager | GiveUpAnte | TakeInsurance
_OF_A_WINDOW = (TakeInsurance, DeclineInsurance)
_OF_A_ROUND = (PlaceBet, ReduceBet, WithdrawBet, PlaceWager, GiveUpAnte, *_OF_A_WINDOW)
"""Commands of a player that are meant for one round, and for one insurance window of it."""
_DECIDING = (Phase.BETTING, Phase.ANTES, Phase.DEALING)
MOST_BOT_COMMANDS = 4  # Commands that a bot gives in one turn.
_ANSWERABLE = (Awaited.BETS, Awaited.ANTES, Awaited.INSURANCE, Awaited.SQUEEZE)
"""What the player at a terminal is asked for."""
_ELSEWHERE = "it is being played in another window"
_CHANGED_ELSEWHERE = (Reason.VERSION, Reason.NO_TABLE)
_BOOKS = BookCache()  # Of all games that are looked at.


class TableStopped(Exception):
    """The automatic dealer cannot go on, and nobody else is there who could; the sentence says why."""


class WrongSave(Exception):
    """A file that is not a saved game; the sentence says what is wrong with it."""


class NotKept(Exception):
    """A game cannot be kept; the sentence says why."""


class _Refused(Exception):
    """Ends a transaction, so that nothing of it is kept."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


class SoloTable:
    """One player at one table."""

    def __init__(self, book: Book, seed: str, bankroll: int, clock: Callable[[], int] | None = None) -> None:
        self.book, self.seed, self._clock = book, seed, clock
        self.bankroll = bankroll  # All the money that the player has brought.
        self.table = Table(book)
        self.commands: list[Command] = []  # Without the cards that the floor has put into them.
        self.events: list[Event] = []
        self.last_bets: dict[tuple[int, str], int] = {}
        """The player's bets when bets last closed, by box and area: what `same` places again."""
        self.shoes: dict[int, Shoe] = {}  # By round, the shoe before its first card.
        self.rounds: tuple[EndedRound, ...] = ()
        self.offers: dict[tuple[int, int], tuple[OfferMade, ...]] = {}
        """Insurance that the player was offered, by round and window."""
        self.id = UNNAMED_GAME
        self.path: Path | None = None  # The file that the game is kept in; None where it is not kept.
        self.tell_lost: Callable[[str], None] = lambda _: None
        """Is told why a game is no longer kept, when it goes on without its file."""
        self._floor: Floor | None = None
        self._together: Together  # What is being done at the table now, in one transaction.

    @classmethod
    def resume(cls, path: Path) -> SoloTable:
        """The game in a file, as it was left; there must be one. `WrongSave` says what is wrong with it."""
        with opened_game(path, is_left_open=True) as store:
            with store.read() as reader:
                look = _look(reader, path)
                assert look is not None, "looked at before"
                id, seed = look.stored.id, reader.seed(look.stored.id, 1)
                # Before the first shoe is loaded any seed will do.
                text = SEAL.open(id, 1, seed.sealed).decode() if seed else secrets.token_hex(32)
                solo = cls(look.stored.table.book, text, look.bought, now_ms)
                solo.id, solo.path = id, path
                solo._catch_up(reader)
            solo._floor = solo._floor_on(store)
        return solo

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def box(self) -> int:
        """Where the player sits first of all."""
        return self.boxes[0]

    @property
    def boxes(self) -> tuple[int, ...]:
        """Every box of the player, in the order in which they were taken."""
        return self.state.boxes_of(PLAYER)

    def roads(self) -> Roads:
        """The roads of the shoe in play; a void round leaves no mark."""
        results = tuple(
            RoundResult(RoundWinner(ended.winner.value), ended.banker_pair, ended.player_pair)
            for ended in self.rounds
            if ended.winner is not None and ended.shoe == self.state.shoe_number
        )
        return Roads().extend(results)

    def open(self, terms: Terms, *boxes: int, bots: int = 0) -> Refusal | None:
        """Open the table in memory and sit down, with bots at free boxes from box 1 on; or say why not."""
        self._floor = self._floor_on(store_in_memory())

        def sit_down() -> None:
            self._set_up(self._together, self.id, terms.currency)
            self._give(OpenTable(actor=HOUSE, role=Role.PIT_SUPERVISOR, terms=terms))
            self._give(*(TakeSeat(actor=PLAYER, role=Role.PLAYER, box=box) for box in boxes))
            free = (box for box in range(1, boxes_of(self.book, terms) + 1) if box not in self.state.seats)
            for box, name in list(zip(free, BOTS, strict=False))[:bots]:
                self._open_account(self._together.transaction, name, terms.currency, BOTS_MONEY)
                self._give(TakeSeat(actor=name, role=Role.PLAYER, box=box))

        events = self._carried_out(sit_down)
        return events if isinstance(events, Refusal) else None

    def keep_in(self, path: Path) -> None:
        """Keep the game in a file from now on, with all that has happened in it; `NotKept` says why not."""
        with _store_trouble_told():
            path.parent.mkdir(parents=True, exist_ok=True)
            store = open_store(Address(DatabaseKind.SQLITE, str(path)))
        try:
            self._move_to(store, path.stem if GAME_NAME.fullmatch(path.stem) else UNNAMED_GAME)
        except BaseException:
            store.close()
            raise
        self.path = path

    def _move_to(self, store: Store, id: str) -> None:
        """Give everything so far to a floor on another store, and go on there."""
        floor = self._floor_on(store)
        with _store_trouble_told(), floor.together(id) as together:
            if together.transaction.tables():
                raise NotKept(f"there is a game in {store.address} already")
            self._set_up(together, id, self.table.terms.currency)
            version = 0
            for command in self.commands:
                answer = together.give(command, version)
                assert isinstance(answer, Accepted), f"commands and seed are the whole game: {answer}"
                version = answer.version
        self.close()
        self._floor, self.id, self.path = floor, id, None

    def _floor_on(self, store: Store) -> Floor:
        return Floor(store, SEAL, given_seeds(self.seed))

    def _set_up(self, together: Together, id: str, currency: str) -> None:
        """The table without its events, and everybody's account with money."""
        transaction = together.transaction
        together.memory.books.put(self.book)
        transaction.add_book(digest_of(self.book), self.book.name, book_document(self.book))
        transaction.add_table(id, digest_of(self.book), self._now())
        self._open_account(transaction, PLAYER, currency, self.bankroll)
        for bot in self.bots().values():
            self._open_account(transaction, bot, currency, BOTS_MONEY)

    def _open_account(self, transaction: Transaction, handle: str, currency: str, amount: int) -> None:
        transaction.add_account(StoredAccount(handle, currency, self._now()))
        if amount:
            self._bring(transaction, handle, currency, amount)

    def _bring(self, transaction: Transaction, handle: str, currency: str, amount: int) -> None:
        account = player_account(handle)
        movement = buy_in(handle, currency, amount, free=transaction.balances([account])[account])
        if isinstance(movement, Refusal):
            raise _Refused(movement)
        transaction.post([movement], time_ms=self._now(), actor=HOUSE)

    def close(self) -> None:
        """Let go of the floor, and of the file that the game is kept in."""
        if self._floor is not None:
            self._floor.close()
            self._floor.store.close()

    def give(self, *commands: Command) -> tuple[Event, ...] | Refusal:
        """Give commands to the table: all of them happen, or none."""
        return self._in_one_transaction(lambda: self._give(*commands))

    def buy(self, amount: int) -> Refusal | None:
        """More money for the player, or why not."""
        if not amount:
            return None
        currency = self.table.terms.currency
        events = self._in_one_transaction(lambda: self._bring(self._together.transaction, PLAYER, currency, amount))
        if isinstance(events, Refusal):
            return events
        self.bankroll += amount
        return None

    def _in_one_transaction(self, act: Callable[[], object]) -> tuple[Event, ...] | Refusal:
        """Do something at the table; where the file fails, in memory, and the game is no longer kept."""
        try:
            return self._carried_out(act)
        except NotKept as error:
            self.tell_lost(str(error))
            self._move_to(store_in_memory(), UNNAMED_GAME)
            return self._carried_out(act)

    def _carried_out(self, act: Callable[[], object]) -> tuple[Event, ...] | Refusal:
        """What has happened, durable when this returns; or nothing, where something of it is refused."""
        assert self._floor is not None, "the table is open"
        before, events, commands = (self.table, self.last_bets, self.rounds), len(self.events), len(self.commands)
        try:
            with _store_trouble_told(), self._floor.together(self.id) as self._together:
                self._together.memory.books.put(self.book)  # compiled already, which takes a while
                act()
            return tuple(self.events[events:])
        except BaseException as error:
            self.table, self.last_bets, self.rounds = before
            del self.events[events:], self.commands[commands:]
            if isinstance(error, KeyboardInterrupt):
                # It may have come between the commit and our knowing of it.
                with self._floor.store.read() as reader:
                    self._catch_up(reader)
            if isinstance(error, _Refused):
                return error.refusal
            raise

    def _give(self, *commands: Command) -> None:
        for command in map(self._named, commands):
            answer = self._together.give(command, len(self.events))
            if isinstance(answer, Refusal):
                raise NotKept(_ELSEWHERE) if answer.reason in _CHANGED_ELSEWHERE else _Refused(answer)
            self.commands.append(command)
            for record in answer.records:
                self._note(record.event)

    def _note(self, event: Event) -> None:
        before = self.state
        self.events.append(event)
        self.rounds = rounds_after(self.rounds, self.book, before, event, len(self.events))
        self.table = Table(self.book, event.fold(before))
        state = self.state
        if isinstance(event, BetsCalled) and state.shoe is not None:
            self.shoes[event.round] = state.shoe
        elif isinstance(event, InsuranceOffered):
            offers = tuple(offer for offer in event.offers if offer.player == PLAYER)
            self.offers[state.round, event.window] = offers
        elif isinstance(event, BetsClosed):
            mine = [bet for bet in state.bets if bet.player == PLAYER and bet.area in self.book.opening_areas]
            self.last_bets = {(bet.box, bet.area): bet.stake for bet in mine} or self.last_bets

    def _catch_up(self, reader: Reader) -> None:
        """Everything that is kept of the game and not known here."""
        for record in reader.each_record(self.id, len(self.events)):
            self._note(record.event)
        accepted = [decode_command(stored.body) for stored in reader.commands(self.id) if not stored.refusal]
        self.commands = [without_drawn_cards(command) for command in accepted]

    def _named(self, command: Command) -> Command:
        """The command with its time, and what every bet at a stored table names: its round and window."""
        named: dict[str, int | None] = {}
        if self._clock is not None and not command.time:
            named["time"] = self._now()
        if isinstance(command, _OF_A_ROUND) and command.round is None:
            named["round"] = self.state.round
        if isinstance(command, _OF_A_WINDOW) and command.window is None:
            named["window"] = self.state.window
        return replace(command, **named) if named else command

    def _now(self) -> int:
        """The time, which never runs back at a table."""
        return max(self._clock(), self.state.since) if self._clock is not None else 0

    def bets(self, box: int | None = None) -> dict[str, Legal]:
        """The bets that the player may place now in a box, the own one by default, by area."""
        where = self.box if box is None else box
        legals = legal_commands(self.table, PLAYER, Role.PLAYER)
        bets = [(legal.command, legal) for legal in legals if isinstance(legal.command, PlaceBet)]
        return {bet.area: legal for bet, legal in bets if bet.box == where}

    def decisions(self) -> list[tuple[Decision, Legal]]:
        """Antes and insurance that wait for the player."""
        if not self.state.antes_open and self.state.window is None:
            return []  # nothing is open, and asking what is legal takes a while
        legals = legal_commands(self.table, PLAYER, Role.PLAYER)
        return [(legal.command, legal) for legal in legals if isinstance(legal.command, Decision)]

    def squeezed(self) -> tuple[Hand, int, Card] | None:
        """The card that the player may open now, if the dealer waits for that."""
        due = next_step(self.table, self._now(), ready=(PLAYER, *self.bots().values()))
        if not isinstance(due, Wait) or due.what is not Awaited.SQUEEZE:
            return None
        for hand in Hand:
            for number, slot in enumerate(self.state.slots(hand), start=1):
                if not slot.face_up and slot.card and may_open_card(self.state, PLAYER, hand, number):
                    return hand, number, slot.card
        return None

    def bots(self) -> dict[int, str]:
        """The bots at the table, by box."""
        return {box: name for box, name in self.state.seats.items() if name in BOTS}

    def go_on(self, *, is_ready: bool = False) -> tuple[Event, ...]:
        """The dealer goes on until the player is asked, or the round is settled.

        `is_ready`: the player has answered what was asked, and the next card may come.
        """
        events = self._in_one_transaction(lambda: self._go_on(is_ready=is_ready))
        assert not isinstance(events, Refusal), f"dealer and bots do only what is legal: {events}"
        return events

    def _go_on(self, *, is_ready: bool) -> None:
        bots, events = tuple(self.bots().values()), len(self.events)
        while True:
            if bots and self.state.phase in _DECIDING:
                self._let_bots_act()
            self._ask_squeezes()
            due = next_step(self.table, self._now(), ready=(PLAYER, *bots) if is_ready else bots)
            if isinstance(due, Wait | Halt):
                if len(self.events) == events:
                    _check_due(due)
                return
            self._give(due.command)
            is_ready = is_ready and self.state.phase is Phase.BETTING
            if isinstance(due.command, SettleRound):
                return

    def _let_bots_act(self) -> None:
        """Every bot does what it wants to do now; its chance comes from the seed, so that a game repeats."""
        for box, name in sorted(self.bots().items()):
            for _ in range(MOST_BOT_COMMANDS):
                chance = seeded_bytes(f"{self.seed}, {name}, command {len(self.commands)}")
                if (command := next_bot(self.table, box, chance)) is None:
                    break
                self._give(command)

    def _ask_squeezes(self) -> None:
        """At a table dealt face down, ask for the cards of the hand that the player has bet on most.

        The house consents; who may squeeze is for the table to say (insurance 3.9).
        """
        state = self.state
        is_begun = state.phase is not Phase.DEALING or state.squeezes or state.cards_out
        if self.table.terms.faces is Faces.UP or is_begun:
            return
        mine = [bet for bet in state.bets if bet.player == PLAYER]
        mains = {hand: sum(bet.stake for bet in mine if bet.area == self.book.main_area(hand)) for hand in Hand}
        hand = max(Hand, key=mains.__getitem__)
        for number in (1, 2, 3):
            wish = AskSqueeze(actor=PLAYER, role=Role.PLAYER, hand=hand, number=number)
            if not mains[hand] or refusal_of(self.table, wish) is not None:
                return
            self._give(wish, AnswerSqueeze(actor=HOUSE, role=Role.PIT_SUPERVISOR, consent=True))


def _check_due(due: Wait | Halt) -> None:
    """`TableStopped` where the player cannot answer what the table waits for."""
    if isinstance(due, Halt):
        raise TableStopped(due.sentence)
    if due.what not in _ANSWERABLE:
        raise TableStopped(f"the table waits for {due.what.value}")
    if due.whom and PLAYER not in due.whom:
        raise TableStopped(f"the table waits for {due.what.value} of {', '.join(due.whom)}")


@contextmanager
def _store_trouble_told() -> Iterator[None]:
    """What goes wrong with a database, as a sentence for the player."""
    try:
        yield
    except PutBack:
        raise NotKept(_ELSEWHERE) from None
    except StoreError as error:
        raise NotKept(str(error)) from None
    except OSError as error:
        raise NotKept(f"{error.filename} cannot be written: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class GameLook:
    stored: LoadedTable
    in_hand: int
    bought: int  # All the money that the player has brought.


def look_at_game(path: Path) -> GameLook | None:
    """What the game in a database is; None where there is none in it yet."""
    with opened_game(path) as store, store.read() as reader:
        return _look(reader, path)


def game_files(path: Path) -> list[Path]:
    """A database, and the files beside it that a killed program leaves."""
    return [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]


def remove_game_files(path: Path) -> None:
    for file in game_files(path):
        file.unlink(missing_ok=True)


def _look(reader: Reader, path: Path) -> GameLook | None:
    tables = reader.tables()
    if not tables:
        return None
    if len(tables) > 1 or reader.account(PLAYER) is None:
        raise WrongSave(f"{path} is a database of tables, not a game")
    stored = load_table(reader, _BOOKS, tables[0])
    in_hand = reader.balances((player_account(PLAYER), held_account(stored.id, PLAYER)))
    lines = reader.statement(player_account(PLAYER))
    bought = sum(line.amount for line in lines if line.kind == MovementKind.BUY_IN.value)
    return GameLook(stored, sum(in_hand.values()), bought)


@contextmanager
def opened_game(path: Path, *, is_left_open: bool = False) -> Iterator[Store]:
    """The database of a game; `WrongSave` says what is wrong with it."""
    try:
        store = open_store(Address(DatabaseKind.SQLITE, str(path)), create=False)
        try:
            yield store
        except BaseException:
            store.close()
            raise
        if not is_left_open:
            store.close()
    except StoreError as error:
        raise WrongSave(str(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise WrongSave(f"{path} is a damaged game: {error}") from None
