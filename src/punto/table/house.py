"""The house: a table is opened, its terms are changed, shoes are loaded and burned, and people come and go.

Commands, events, decisions and words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Burn, Shoe, burn_count
from punto.cards.source import SourceKind
from punto.money import Money
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.rules.book_text import Finding
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs, subject
from punto.table.irregularity_case import Resolution
from punto.table.irregularity_events import CaseClosed, RoundVoided
from punto.table.shuffling import refuse_pledges_open
from punto.table.state import Committed, Phase, State, Table, is_digest
from punto.table.terms import Collecting, Terms, boxes_of, wrong_term, wrong_terms
from punto.table.words import Sentence, Telling, Theme, Words, plain


class OpenTable(CommandHeader, frozen=True, kw_only=True):
    """Open the table with its terms."""

    terms: Terms


class ChangeTerms(CommandHeader, frozen=True, kw_only=True):
    """Replace all the terms, between rounds."""

    terms: Terms


class PauseTable(CommandHeader, frozen=True, kw_only=True):
    """Pause the table between rounds."""


class ResumeTable(CommandHeader, frozen=True, kw_only=True):
    """End the pause."""


class CloseTable(CommandHeader, frozen=True, kw_only=True):
    """Close the table for good, between rounds."""


FLOOR = "the floor"  # Who opens seeds, and takes a shoe out of play that may be known; nobody logs in by this name.


class LoadShoe(CommandHeader, frozen=True, kw_only=True):
    """Load a new, shuffled set of cards when no shoe is in play or the shoe is finished; `commitment` binds the
    house to the seed of its shuffle; `instead` is the floor's alone: why it replaces a shoe before it is finished,
    and voids the round.
    """

    commitment: str = ""  # What the house binds itself to, where the system shuffles and the shuffle can be checked.
    algorithm: str = ""
    instead: str = ""  # Why the shoe in play may not be dealt from any more; only the floor itself says so.


class BurnCards(CommandHeader, frozen=True, kw_only=True):
    """Burn cards as the terms say; `card` is the card shown."""

    card: Card | None = None


class TakeSeat(CommandHeader, frozen=True, kw_only=True):
    """Seat a player at a box."""

    box: int
    player: str | None = None  # Whom staff seats; a player sits down for himself or herself.


class LeaveSeat(CommandHeader, frozen=True, kw_only=True):
    """Leave the seat, or every seat of the player where the terms allow several; not while the player has bets on
    the table.
    """

    player: str | None = None


class WalkAway(CommandHeader, frozen=True, kw_only=True):
    """The player is away: bets stay, offers pass, the dealer gives up their antes, and they continue after a
    dealing error; who bets in person or sits down is there again.
    """

    player: str | None = None


class ComeBack(CommandHeader, frozen=True, kw_only=True):
    """The player is back at the table."""

    player: str | None = None


TableCommand = OpenTable | ChangeTerms | PauseTable | ResumeTable | CloseTable
HouseCommand = TableCommand | LoadShoe | BurnCards | TakeSeat | LeaveSeat | WalkAway | ComeBack


class TableOpened(EventHeader, frozen=True):
    """The table is open; `digest` is that of its book."""

    terms: Terms
    digest: str = ""  # Of the book that the table is played by: a name can come to mean another book, a digest cannot.

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, phase=Phase.IDLE)


class TermsChanged(EventHeader, frozen=True):
    """The terms changed; `needs_shoe`: the cards in play no longer fit them."""

    terms: Terms
    needs_shoe: bool = False  # The cards in play no longer fit the terms.

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, shoe=None if self.needs_shoe else state.shoe)


class TablePaused(EventHeader, frozen=True):
    """The table is paused."""

    def fold(self, state: State) -> State:
        return replace(state, is_paused=True)


class TableResumed(EventHeader, frozen=True):
    """The pause is over."""

    def fold(self, state: State) -> State:
        return replace(state, is_paused=False, since=self.time)


class TableClosed(EventHeader, frozen=True):
    """The table is closed for good."""

    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.CLOSED)


class ShoeLoaded(EventHeader, frozen=True):
    """A shoe is in play, with `behind_cut` cards behind the cut card; `burn_due`: cards must be burned first;
    `commitment`: what the house is bound to; `instead`: why the one before it was taken out of play unfinished.
    """

    number: int
    decks: int
    behind_cut: int
    burn_due: bool
    commitment: str = ""  # A digest that binds table, shoe, decks, algorithm and seed.
    algorithm: str = ""
    instead: str = ""  # Why the shoe before it was taken out of play, where it was not finished.

    def fold(self, state: State) -> State:
        shoe = Committed(self.number, self.decks, self.algorithm, self.commitment)
        return replace(
            state,
            committed=(*state.committed, shoe) if self.commitment else state.committed,
            pledges=(),
            pledges_closed=False,
            shoe=Shoe(self.decks, self.behind_cut),
            shoe_number=self.number,
            burn_due=self.burn_due,
            last_round=None,
            carried=(),
            replaced_by=None,
        )


class CardsBurned(EventHeader, frozen=True):
    """`count` cards were burned, including the one shown."""

    shown: Card | None
    count: int  # All that were burned, the shown one included.

    def fold(self, state: State) -> State:
        assert state.shoe is not None
        shoe, unseen = state.shoe, self.count
        if self.shown is not None:
            shoe, unseen = shoe.drawn((self.shown,)), unseen - 1
        return replace(state, shoe=shoe.burned(unseen), burn_due=False)


class CutCardCameOut(EventHeader, frozen=True):
    """The cut card came out; `last_round` is the last round of this shoe."""

    last_round: int  # The last round that this shoe is played for.

    def fold(self, state: State) -> State:
        return replace(state, last_round=self.last_round)


class SeatTaken(EventHeader, frozen=True):
    """A player sat down; `notice` is the clause of a notice that the player accepts by sitting down."""

    box: int
    player: str
    notice: str | None = None  # The clause of a notice that the player accepts by sitting down.

    def fold(self, state: State) -> State:
        return replace(state, seats=state.seats | {self.box: self.player})


class SeatLeft(EventHeader, frozen=True):
    """A player left the seat."""

    box: int
    player: str

    def fold(self, state: State) -> State:
        return replace(state, seats={box: name for box, name in state.seats.items() if box != self.box})


class CommissionCollected(EventHeader, frozen=True):
    """Commission that was set aside was collected."""

    player: str
    amount: Money

    def fold(self, state: State) -> State:
        left = state.due[self.player] - self.amount
        assert left >= 0 < self.amount, "what is collected was set aside"
        due = {player: left if player == self.player else amount for player, amount in state.due.items()}
        return replace(state, due={player: amount for player, amount in due.items() if amount})


class WinningsReleased(EventHeader, frozen=True):
    """What the last settlement paid is free before the next call: the player left, or the table paused."""

    player: str
    amount: Money

    def fold(self, state: State) -> State:
        freed = state.freed.get(self.player, 0) + self.amount
        return replace(state, freed=state.freed | {self.player: freed})


class WalkedAway(EventHeader, frozen=True):
    """A player is away."""

    player: str

    def fold(self, state: State) -> State:
        off = {self.player} if state.is_in_round and self.player in state.bettors else set()
        return replace(state, away=state.away | {self.player}, walked_off=state.walked_off | off)


class CameBack(EventHeader, frozen=True):
    """A player is back."""

    player: str

    def fold(self, state: State) -> State:
        return replace(state, away=state.away - {self.player})


TableEvent = TableOpened | TermsChanged | TablePaused | TableResumed | TableClosed
SeatEvent = SeatTaken | SeatLeft | CommissionCollected | WinningsReleased | WalkedAway | CameBack
HouseEvent = TableEvent | ShoeLoaded | CardsBurned | CutCardCameOut | SeatEvent


def refuse_open_table(table: Table, command: OpenTable) -> Refusal | None:
    is_new = table.state.phase is Phase.NEW
    return wrong_terms(table.book, command.terms) if is_new else Refusal(Reason.ALREADY_OPENED, None)


def open_table(draft: Draft, command: OpenTable) -> None:
    draft.add(TableOpened, terms=command.terms, digest=digest_of(draft.table.book))


def refuse_change_terms(table: Table, command: ChangeTerms) -> Refusal | None:
    if refusal := refuse_between_rounds(table) or wrong_terms(table.book, command.terms):
        return refusal
    if command.terms.currency != table.terms.currency:
        problem = f"the table was opened in {table.terms.currency}, and what it pays is held in that"
        return wrong_term("currency", command.terms.currency, problem)
    boxes = boxes_of(table.book, command.terms)
    taken = next((box for box in sorted(table.state.seats) if box > boxes), None)
    if taken is not None:
        return Refusal(Reason.SEAT_TAKEN, None, {"box": taken, "player": table.state.seats[taken]})
    for player in table.state.seats.values():
        held = table.state.boxes_of(player)
        if len(held) > command.terms.boxes_each:
            return Refusal(Reason.ALREADY_SEATED, None, {"box": held[-1], "player": player})
    return None


def change_terms(draft: Draft, command: ChangeTerms) -> None:
    old, new = draft.terms, command.terms
    fits = (old.decks, old.behind_cut, old.source) == (new.decks, new.behind_cut, new.source)
    draft.add(TermsChanged, terms=new, needs_shoe=not fits)


def refuse_between_rounds(table: Table, _: CommandHeader | None = None) -> Refusal | None:
    return None if table.state.phase is Phase.IDLE else Refusal(Reason.BETWEEN_ROUNDS, None)


def refuse_resume(table: Table, _: ResumeTable) -> Refusal | None:
    return None if table.state.is_paused else Refusal(Reason.NOT_PAUSED, None)


def refuse_load(table: Table, command: LoadShoe) -> Refusal | None:
    """A shoe is changed when it is finished, never because somebody would like other cards."""
    is_shuffled, found = table.terms.source is SourceKind.SHUFFLED, table.state.found_clause
    if table.state.is_paused and not command.instead:
        return Refusal(Reason.PAUSED, None)
    if found is not None and not command.instead:
        return Refusal(Reason.CASE_OPEN, found.clause, {"kind": found.finding.value})
    if command.commitment and not (is_shuffled and is_digest(command.commitment)):
        return Refusal(Reason.NO_COMMITMENT, None, {"shoe": table.state.shoe_number + 1})
    if command.instead:
        is_given = table.terms.source is not SourceKind.ENTERED and table.state.shoe is not None
        return None if is_given and command.actor == FLOOR else Refusal(Reason.NO_REPLACEMENT, None)
    is_over = is_shoe_finished(table.state)
    return refuse_between_rounds(table) or (None if is_over else Refusal(Reason.SHOE_IN_PLAY, None))


def is_shoe_finished(state: State) -> bool:
    """Whether the last round that the shoe is played for is over, or too few cards are left for any."""
    if state.shoe is None or (state.last_round is not None and state.round >= state.last_round):
        return True
    return state.shoe.cards_left + len(state.carried) < 4


def load_shoe(draft: Draft, command: LoadShoe) -> None:
    terms = draft.terms
    if command.instead and draft.state.phase is not Phase.IDLE:
        void_round(draft, None, command.instead)  # nobody bets, or is dealt to, on cards that may be known
    continuous, burn = terms.source is SourceKind.CONTINUOUS, Burn.parse(terms.burn)
    behind_cut, burn_due = (0, False) if continuous else (terms.behind_cut, burn.by_first_card or burn.fixed > 0)
    if terms.commission is Collecting.END_OF_SHOE:
        collect_commission(draft, draft.state.final_due())
    promise = command.commitment, command.algorithm, command.instead
    draft.add(ShoeLoaded, draft.state.shoe_number + 1, terms.decks, behind_cut, burn_due, *promise)


def void_round(draft: Draft, clause: str | None, reason: str, finding: Finding | None = None) -> None:
    """Every bet of the round goes back, insurance, wagers and given-up antes too, and an open case is closed."""
    state = draft.state
    if state.case is not None and state.found_clause is not None:
        draft.add(CaseClosed, state.case.number, finding or state.found_clause.finding, Resolution.VOID, clause)
    draft.add(RoundVoided, state.round, clause, state.stakes, reason)


def refuse_no_shoe(state: State) -> Refusal | None:
    if state.shoe is not None:
        return None
    why = "the cards were replaced" if state.replaced_by is not None else "no shoe is in play"
    return Refusal(Reason.NO_SHOE, state.replaced_by or None, {"why": why})


def refuse_burn(table: Table, command: BurnCards) -> Refusal | None:
    if refusal := refuse_no_shoe(table.state):
        return refusal
    if not table.state.burn_due:
        return Refusal(Reason.NO_BURN_DUE, None)
    if refusal := refuse_pledges_open(table.state):
        return refusal
    is_shown = Burn.parse(table.terms.burn).by_first_card
    return Refusal(Reason.CARD_NEEDED, None) if is_shown and command.card is None else None


def burn_cards(draft: Draft, command: BurnCards) -> None:
    burn = Burn.parse(draft.terms.burn)
    first_card = command.card if burn.by_first_card else None
    draft.add(CardsBurned, first_card, burn.fixed if first_card is None else burn_count(burn, first_card))


def refuse_subject(command: CommandHeader) -> Refusal | None:
    """A player acts for nobody else; staff say for whom they act."""
    named = getattr(command, "player", None)
    if command.role is Role.PLAYER:
        if named not in (None, command.actor):
            return Refusal(Reason.NOT_YOURS, None, {"actor": command.actor, "player": str(named)})
    elif not named:
        return Refusal(Reason.NO_PLAYER, None, {"command": command.name(), "role": command.role.value})
    return None


def refuse_box(table: Table, box: int) -> Refusal | None:
    boxes = boxes_of(table.book, table.terms)
    if 1 <= box <= boxes:
        return None
    return Refusal(Reason.UNKNOWN_BOX, table.book.betting.boxes_clause, {"box": box, "boxes": boxes})


def refuse_seat(table: Table, command: TakeSeat) -> Refusal | None:
    player, clause = subject(command), table.book.betting.boxes_clause
    if refusal := refuse_box(table, command.box):
        return refusal
    seated = table.state.seats.get(command.box)
    if seated is not None:
        return Refusal(Reason.SEAT_TAKEN, clause, {"box": command.box, "player": seated})
    boxes_held = table.state.boxes_of(player)
    if len(boxes_held) >= table.terms.boxes_each:
        return Refusal(Reason.ALREADY_SEATED, None, {"box": boxes_held[0], "player": player})
    # A further box has no bets in it yet, so nobody's bets change their rank.
    return None if boxes_held else _refuse_live_bets(table, player)


def take_seat(draft: Draft, command: TakeSeat) -> None:
    insurance = draft.book.insurance
    notice = insurance.notice_clause if insurance and not draft.terms.insurance else None
    draft.add(SeatTaken, box=command.box, player=subject(command), notice=notice)


def refuse_leave_seat(table: Table, command: LeaveSeat) -> Refusal | None:
    player = subject(command)
    if table.state.box_of(player) is None:
        return Refusal(Reason.NOT_SEATED, None, {"player": player})
    return _refuse_live_bets(table, player)


def _refuse_live_bets(table: Table, player: str) -> Refusal | None:
    """Seats do not change while a player has bets: seated and standing bets rank differently."""
    if table.state.phase is not Phase.IDLE and player in table.state.bettors:
        return Refusal(Reason.BETS_LIE, None, {"player": player})
    return None


def leave_seat(draft: Draft, command: LeaveSeat) -> None:
    player = subject(command)
    for box in draft.state.boxes_of(player):
        draft.add(SeatLeft, box=box, player=player)
    collect_commission(draft, {player: draft.state.final_due().get(player, 0)})
    _release(draft, player)


def walk_away(draft: Draft, command: WalkAway) -> None:
    draft.add(WalkedAway, subject(command))
    _release(draft, subject(command))


def pause_table(draft: Draft, _: PauseTable) -> None:
    draft.add(TablePaused)
    _release(draft, *draft.state.winnings())


def _release(draft: Draft, *players: str) -> None:
    """Nobody who leaves, or whose table stands still, waits for a call that may never come."""
    held = draft.state.winnings()
    for player in players:
        if player in held:
            draft.add(WinningsReleased, player, held[player])


def collect_commission(draft: Draft, due: Mapping[str, int]) -> None:
    """Collect what is due, player by player (commission 4.1.1; when is a house term)."""
    for player, amount in due.items():
        if amount:
            draft.add(CommissionCollected, player, amount)


def collect_before_call(draft: Draft) -> None:
    """What a call makes final is collected from whoever has no seat, and from all when the shoe is another one.

    Whoever left the seat after a settlement that could still be reversed pays what is due on it here.
    """
    state, when = draft.state, draft.terms.commission
    is_shoe_over = when is Collecting.END_OF_SHOE and state.round_shoe != state.shoe_number
    if is_shoe_over or when is Collecting.WITH_PAYOUT:
        collect_commission(draft, state.due)
    else:
        seated = set(state.seats.values())
        collect_commission(draft, {player: amount for player, amount in state.due.items() if player not in seated})


def close_table(draft: Draft, _: CloseTable) -> None:
    collect_commission(draft, draft.state.due)
    draft.add(TableClosed)


def refuse_walk_away(table: Table, command: WalkAway) -> Refusal | None:
    player, state = subject(command), table.state
    if player in state.away:
        return Refusal(Reason.ALREADY_AWAY, None, {"player": player})
    if player not in state.seats.values() and player not in state.bettors:
        return Refusal(Reason.NOT_AT_TABLE, None, {"player": player})
    return None


def refuse_come_back(table: Table, command: ComeBack) -> Refusal | None:
    player = subject(command)
    return None if player in table.state.away else Refusal(Reason.NOT_AWAY, None, {"player": player})


_AT_ANY_TIME = {"in_a_case": True, "in_a_pause": True, "names_player": True}

HOUSE_VERBS: Verbs = {
    OpenTable: Verb("open", refuse_open_table, open_table),
    ChangeTerms: Verb("change terms", refuse_change_terms, change_terms, in_a_pause=True),
    PauseTable: Verb("pause", refuse_between_rounds, pause_table),
    ResumeTable: Verb("resume", refuse_resume, lambda draft, _: draft.add(TableResumed), in_a_pause=True),
    CloseTable: Verb("close the table", refuse_between_rounds, close_table, in_a_pause=True),
    LoadShoe: Verb("load the shoe", refuse_load, load_shoe, in_a_case=True, in_a_pause=True),
    BurnCards: Verb("burn", refuse_burn, burn_cards),
    TakeSeat: Verb("sit", refuse_seat, take_seat, **_AT_ANY_TIME, in_person=True),
    LeaveSeat: Verb("leave the seat", refuse_leave_seat, leave_seat, **_AT_ANY_TIME),
    WalkAway: Verb("walk away", refuse_walk_away, walk_away, **_AT_ANY_TIME),
    ComeBack: Verb(
        "come back", refuse_come_back, lambda draft, command: draft.add(CameBack, subject(command)), **_AT_ANY_TIME
    ),
}


def _tell_terms(telling: Telling, event: TableOpened | TermsChanged) -> Iterator[Sentence]:
    if isinstance(event, TableOpened):
        yield Sentence(Theme.RESULT, telling.text(telling.book.title))
    yield from telling.say(event.name(), event)
    boxes, insurance = boxes_of(telling.book, event.terms), telling.book.insurance
    notice = insurance.notice_clause if insurance and not event.terms.insurance else None
    yield from telling.say("terms", event.terms, boxes=boxes, notice=notice)
    if isinstance(event, TermsChanged) and event.needs_shoe:
        yield from telling.say("shoe-needed", event)


HOUSE_WORDS: dict[type[EventHeader], Words] = {
    TableOpened: plain("opened terms.book terms.layout", _tell_terms),
    TermsChanged: plain("changed needs_shoe?new-shoe", _tell_terms),
    TablePaused: plain("paused"),
    TableResumed: plain("resumed"),
    TableClosed: plain("table-closed"),
    ShoeLoaded: plain("shoe number burn_due?burn-due"),
    CardsBurned: plain("burned count shown:shown"),
    CutCardCameOut: plain("cut-card last_round"),
    SeatTaken: plain("seated box player notice:notice"),
    SeatLeft: plain("left box player"),
    CommissionCollected: plain("collected player amount"),
    WinningsReleased: plain("released player amount"),
    WalkedAway: plain("away player"),
    CameBack: plain("back player"),
}
