"""The house: a table is opened, its terms are changed, shoes are loaded and burned, and people come and go.

Commands, events, decisions and words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Burn, Shoe, burn_count
from punto.cards.source import SourceKind
from punto.money import format_money
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.rules.book import digest_of
from punto.rules.wording import counted
from punto.table.header import CommandHeader, Draft, EventHeader, Verb, Verbs, subject
from punto.table.irregularity_case import Resolution
from punto.table.irregularity_events import CaseClosed, RoundVoided
from punto.table.shuffling import refuse_pledges_open
from punto.table.state import Committed, Phase, State, Table, is_digest
from punto.table.terms import Terms, boxes_of, wrong_term, wrong_terms
from punto.table.words import Sentence, Telling, Theme, Words, by_clause, fact, plain, say


class OpenTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "open"

    terms: Terms


class ChangeTerms(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "change terms"

    terms: Terms


class PauseTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "pause"


class ResumeTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "resume"


class CloseTable(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "close the table"


FLOOR = "the floor"  # Who opens seeds, and takes a shoe out of play that may be known; nobody logs in by this name.


class LoadShoe(CommandHeader, frozen=True, kw_only=True):
    """Put a fresh, shuffled set of cards into play between rounds."""

    phrase: ClassVar[str] = "load the shoe"

    commitment: str = ""  # What the house binds itself to, where the system shuffles and the shuffle can be checked.
    algorithm: str = ""
    instead: str = ""  # Why the shoe in play may not be dealt from any more; only the floor itself says so.


class BurnCards(CommandHeader, frozen=True, kw_only=True):
    """Burn as the terms say; `card` is the one shown, where one is."""

    phrase: ClassVar[str] = "burn"

    card: Card | None = None


class TakeSeat(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "sit"

    box: int
    player: str | None = None  # Whom staff seats; a player sits down for himself or herself.


class LeaveSeat(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "leave the seat"

    player: str | None = None


class WalkAway(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "walk away"

    player: str | None = None


class ComeBack(CommandHeader, frozen=True, kw_only=True):
    phrase: ClassVar[str] = "come back"

    player: str | None = None


HouseCommand = (
    OpenTable
    | ChangeTerms
    | PauseTable
    | ResumeTable
    | CloseTable
    | LoadShoe
    | BurnCards
    | TakeSeat
    | LeaveSeat
    | WalkAway
    | ComeBack
)


class TableOpened(EventHeader, frozen=True):
    terms: Terms
    digest: str = ""  # Of the book that the table is played by: a name can come to mean another book, a digest cannot.

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, phase=Phase.IDLE)


class TermsChanged(EventHeader, frozen=True):
    terms: Terms
    needs_shoe: bool = False  # The cards in play no longer fit the terms.

    def fold(self, state: State) -> State:
        return replace(state, terms=self.terms, shoe=None if self.needs_shoe else state.shoe)


class TablePaused(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, is_paused=True)


class TableResumed(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, is_paused=False, since=self.time)


class TableClosed(EventHeader, frozen=True):
    def fold(self, state: State) -> State:
        return replace(state, phase=Phase.CLOSED)


class ShoeLoaded(EventHeader, frozen=True):
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
    shown: Card | None
    count: int  # All that were burned, the shown one included.

    def fold(self, state: State) -> State:
        assert state.shoe is not None
        shoe, unseen = state.shoe, self.count
        if self.shown is not None:
            shoe, unseen = shoe.drawn((self.shown,)), unseen - 1
        return replace(state, shoe=shoe.burned(unseen), burn_due=False)


class CutCardCameOut(EventHeader, frozen=True):
    last_round: int  # The last round that this shoe is played for.

    def fold(self, state: State) -> State:
        return replace(state, last_round=self.last_round)


class SeatTaken(EventHeader, frozen=True):
    box: int
    player: str
    notice: str | None = None  # The clause of a notice that the player accepts by sitting down.

    def fold(self, state: State) -> State:
        return replace(state, seats=state.seats | {self.box: self.player})


class SeatLeft(EventHeader, frozen=True):
    box: int
    player: str

    def fold(self, state: State) -> State:
        return replace(state, seats={box: name for box, name in state.seats.items() if box != self.box})


class WalkedAway(EventHeader, frozen=True):
    player: str

    def fold(self, state: State) -> State:
        off = {self.player} if state.is_in_round and self.player in state.bettors else set()
        return replace(state, away=state.away | {self.player}, walked_off=state.walked_off | off)


class CameBack(EventHeader, frozen=True):
    player: str

    def fold(self, state: State) -> State:
        return replace(state, away=state.away - {self.player})


HouseEvent = (
    TableOpened
    | TermsChanged
    | TablePaused
    | TableResumed
    | TableClosed
    | ShoeLoaded
    | CardsBurned
    | CutCardCameOut
    | SeatTaken
    | SeatLeft
    | WalkedAway
    | CameBack
)


def refuse_open_table(table: Table, command: OpenTable) -> Refusal | None:
    if table.state.phase is not Phase.NEW:
        return Refusal(Reason.ALREADY_OPENED, None)
    return wrong_terms(table.book, command.terms)


def open_table(draft: Draft, command: OpenTable) -> None:
    draft.add(TableOpened(*draft.stamp, terms=command.terms, digest=digest_of(draft.table.book)))


def refuse_change_terms(table: Table, command: ChangeTerms) -> Refusal | None:
    wrong = refuse_between_rounds(table) or wrong_terms(table.book, command.terms)
    if wrong is not None:
        return wrong
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
    draft.add(TermsChanged(*draft.stamp, terms=new, needs_shoe=not fits))


def refuse_between_rounds(table: Table, _: CommandHeader | None = None) -> Refusal | None:
    return None if table.state.phase is Phase.IDLE else Refusal(Reason.BETWEEN_ROUNDS, None)


def refuse_resume(table: Table, _: ResumeTable) -> Refusal | None:
    return None if table.state.is_paused else Refusal(Reason.NOT_PAUSED, None)


def refuse_load(table: Table, command: LoadShoe) -> Refusal | None:
    """A shoe is changed when it is finished, never because somebody would like other cards."""
    is_shuffled, case = table.terms.source is SourceKind.SHUFFLED, table.state.case
    if table.state.is_paused and not command.instead:
        return Refusal(Reason.PAUSED, None)
    if case is not None and case.found is not None and not command.instead:
        return Refusal(Reason.CASE_OPEN, case.found.clause, {"kind": case.found.finding.value})
    if command.commitment and not (is_shuffled and is_digest(command.commitment)):
        return Refusal(Reason.NO_COMMITMENT, None, {"shoe": table.state.shoe_number + 1})
    if command.instead:
        is_given = table.terms.source is not SourceKind.ENTERED and table.state.shoe is not None
        return None if is_given and command.actor == FLOOR else Refusal(Reason.NO_REPLACEMENT, None)
    if refusal := refuse_between_rounds(table):
        return refusal
    if table.state.shoe is not None and not is_shoe_finished(table.state):
        return Refusal(Reason.SHOE_IN_PLAY, None)
    return None


def is_shoe_finished(state: State) -> bool:
    """Whether the last round that the shoe is played for is over, or too few cards are left for any."""
    if state.shoe is None:
        return True
    if state.last_round is not None and state.round >= state.last_round:
        return True
    return state.shoe.cards_left + len(state.carried) < 4


def load_shoe(draft: Draft, command: LoadShoe) -> None:
    terms = draft.terms
    if command.instead and draft.state.phase is not Phase.IDLE:
        _void(draft, command.instead)
    continuous = terms.source is SourceKind.CONTINUOUS
    burn = Burn.parse(terms.burn)
    draft.add(
        ShoeLoaded(
            *draft.stamp,
            number=draft.state.shoe_number + 1,
            decks=terms.decks,
            behind_cut=0 if continuous else terms.behind_cut,
            burn_due=not continuous and (burn.by_first_card or burn.fixed > 0),
            commitment=command.commitment,
            algorithm=command.algorithm,
            instead=command.instead,
        )
    )


def _void(draft: Draft, reason: str) -> None:
    """Nobody bets, or is dealt to, on cards that may be known: every bet of the round goes back."""
    case, state = draft.state.case, draft.state
    if case is not None and case.found is not None:
        finding = case.found.finding
        draft.add(CaseClosed(*draft.stamp, case=case.number, finding=finding, resolution=Resolution.VOID, clause=None))
    draft.add(RoundVoided(*draft.stamp, round=state.round, clause=None, returned=state.stakes, reason=reason))


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
    if Burn.parse(table.terms.burn).by_first_card and command.card is None:
        return Refusal(Reason.CARD_NEEDED, None)
    return None


def burn_cards(draft: Draft, command: BurnCards) -> None:
    burn = Burn.parse(draft.terms.burn)
    first_card = command.card if burn.by_first_card else None
    draft.add(
        CardsBurned(
            *draft.stamp, shown=first_card, count=burn.fixed if first_card is None else burn_count(burn, first_card)
        )
    )


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
    """A box that the layout does not have."""
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
    draft.add(SeatTaken(*draft.stamp, box=command.box, player=subject(command), notice=notice))


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
        draft.add(SeatLeft(*draft.stamp, box=box, player=player))


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


HOUSE_VERBS: Verbs = {
    OpenTable: Verb(refuse=refuse_open_table, carry_out=open_table),
    ChangeTerms: Verb(refuse=refuse_change_terms, carry_out=change_terms, in_a_pause=True),
    PauseTable: Verb(refuse=refuse_between_rounds, carry_out=lambda draft, _: draft.add(TablePaused(*draft.stamp))),
    ResumeTable: Verb(
        refuse=refuse_resume, carry_out=lambda draft, _: draft.add(TableResumed(*draft.stamp)), in_a_pause=True
    ),
    CloseTable: Verb(
        refuse=refuse_between_rounds, carry_out=lambda draft, _: draft.add(TableClosed(*draft.stamp)), in_a_pause=True
    ),
    LoadShoe: Verb(refuse=refuse_load, carry_out=load_shoe, in_a_case=True, in_a_pause=True),
    BurnCards: Verb(refuse=refuse_burn, carry_out=burn_cards),
    TakeSeat: Verb(
        refuse=refuse_seat, carry_out=take_seat, in_a_case=True, in_a_pause=True, names_player=True, in_person=True
    ),
    LeaveSeat: Verb(refuse=refuse_leave_seat, carry_out=leave_seat, in_a_case=True, in_a_pause=True, names_player=True),
    WalkAway: Verb(
        refuse=refuse_walk_away,
        carry_out=lambda draft, command: draft.add(WalkedAway(*draft.stamp, player=subject(command))),
        in_a_case=True,
        in_a_pause=True,
        names_player=True,
    ),
    ComeBack: Verb(
        refuse=refuse_come_back,
        carry_out=lambda draft, command: draft.add(CameBack(*draft.stamp, player=subject(command))),
        in_a_case=True,
        in_a_pause=True,
        names_player=True,
    ),
}


def _tell_opened(telling: Telling, event: TableOpened) -> Iterator[Sentence]:
    yield Sentence(Theme.RESULT, telling.book.title)
    yield Sentence(Theme.NOTE, "the table is open")
    yield from _told_terms(telling, event.terms)


def _tell_changed(telling: Telling, event: TermsChanged) -> Iterator[Sentence]:
    yield Sentence(Theme.NOTE, "the terms of the table are changed")
    yield from _told_terms(telling, event.terms)
    if event.needs_shoe:
        yield Sentence(Theme.NOTE, "the cards in play no longer fit: a new shoe is needed")


def _tell_shoe_loaded(_: Telling, event: ShoeLoaded) -> Iterator[Sentence]:
    burn = "; cards are to be burned" if event.burn_due else ""
    if event.instead:
        yield Sentence(Theme.NOTE, f"the shoe before it is not dealt from any more: {event.instead}")
    yield Sentence(Theme.NOTE, f"shoe {event.number} is in play, {counted(event.decks, 'deck')}{burn}")
    if event.commitment:
        yield Sentence(Theme.NOTE, f"the house is bound to its order by {event.commitment}")


def _tell_burned(_: Telling, event: CardsBurned) -> Iterator[Sentence]:
    first_card = f", {event.shown.symbol} shown" if event.shown else ""
    are = "is" if event.count == 1 else "are"
    yield Sentence(Theme.NOTE, f"{counted(event.count, 'card')} {are} burned{first_card}")


def _tell_seated(_: Telling, event: SeatTaken) -> Iterator[Sentence]:
    notice = f" and accepts the notice{by_clause(event.notice)}" if event.notice else ""
    yield Sentence(Theme.NOTE, f"{event.player} sits down at box {event.box}{notice}")


def _told_terms(telling: Telling, terms: Terms) -> Iterator[Sentence]:
    most = f"to {format_money(terms.maximum)}" if terms.maximum else "and more"
    limits = f"bets of {format_money(terms.minimum)} {most}"
    if terms.differential is not None:
        limits += f", differential {format_money(terms.differential)}"
    boxes = boxes_of(telling.book, terms)
    size = f"{counted(boxes, 'box', 'boxes')}, {counted(terms.decks, 'deck')}"
    yield Sentence(Theme.NOTE, f"{terms.layout}, {size}, face {terms.faces.value}")
    yield Sentence(Theme.NOTE, f"{limits}, chip {format_money(terms.chip)} {terms.currency}")
    insurance = telling.book.insurance
    if insurance is not None and not terms.insurance:
        yield Sentence(Theme.NOTE, f"notice: no insurance is offered at this table{by_clause(insurance.notice_clause)}")


HOUSE_WORDS: dict[type[EventHeader], Words] = {
    TableOpened: Words(("opened",), lambda event: [fact("opened", event.terms.book, event.terms.layout)], _tell_opened),
    TermsChanged: Words(
        ("changed",), lambda event: [fact("changed", "new-shoe" if event.needs_shoe else None)], _tell_changed
    ),
    TablePaused: plain("paused", say("the table is paused")),
    TableResumed: plain("resumed", say("the table is resumed")),
    TableClosed: plain("table-closed", say("the table is closed")),
    ShoeLoaded: Words(
        ("shoe",), lambda event: [fact("shoe", event.number, "burn-due" if event.burn_due else None)], _tell_shoe_loaded
    ),
    CardsBurned: Words(
        ("burned",),
        lambda event: [fact("burned", event.count, *(("shown", event.shown) if event.shown else ()))],
        _tell_burned,
    ),
    CutCardCameOut: plain(
        "cut-card last_round", say("the cut card is out: round {last_round} is the last of this shoe")
    ),
    SeatTaken: Words(
        ("seated",),
        lambda event: [fact("seated", event.box, event.player, *(("notice", event.notice) if event.notice else ()))],
        _tell_seated,
    ),
    SeatLeft: plain("left box player", say("{player} leaves box {box}")),
    WalkedAway: plain("away player", say("{player} walks away")),
    CameBack: plain("back player", say("{player} is back")),
}
