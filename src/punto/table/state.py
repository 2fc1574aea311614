"""The state of a table: phase, shoe, hands, what lies on the layout, and what stands behind the order of the shoe.

Everything is frozen, and events fold one state into the next. The house binds itself to a seed before
anybody bets, by publishing a digest of it. A player who does not want to take the house's word adds bytes:
first only their digest, so that nobody, the house included, can choose with knowledge of the others; then,
once the list is closed, the bytes themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import Shoe
from punto.cards.source import SourceKind
from punto.coup.coup import points
from punto.money import Money, format_money
from punto.rules.book import Book, label_of
from punto.rules.book_text import Finding
from punto.rules.outcome import Hand, Result, Winner, insurance_area
from punto.table.irregularity_case import Evidence, FoundClause
from punto.table.terms import Terms

if TYPE_CHECKING:
    from punto.documents.page import Grid


class Stake(msgspec.Struct, frozen=True, omit_defaults=True):
    """An amount of one player on one betting area of one box."""

    box: int
    player: str
    area: str
    amount: Money


class AnteState(Enum):
    """What became of an ante so far."""

    OPEN = "open"
    WAGERED = "wagered"
    GIVEN_UP = "given-up"


class LaidBet(msgspec.Struct, frozen=True):
    """A bet as it lies on the layout."""

    box: int
    player: str
    area: str
    stake: int
    is_seated: bool
    is_advised: bool = False  # The dealer noticed that it is under the minimum and said so.
    ante: AnteState = AnteState.OPEN

    @property
    def spot(self) -> tuple[int, str, str]:
        return self.box, self.player, self.area

    @property
    def as_stake(self) -> Stake:
        return Stake(self.box, self.player, self.area, self.stake)


class OfferMade(msgspec.Struct, frozen=True):
    """Insurance that one holder of a main bet may take."""

    box: int
    player: str
    hand: Hand
    odds: str
    most: Money  # The greatest stake, a whole number of chips.


class LaidInsurance(msgspec.Struct, frozen=True):
    """Insurance as it was taken."""

    box: int
    player: str
    hand: Hand
    window: int
    amount: int
    odds: str
    totals: tuple[int, int]  # Points of Player and Banker that the offer was made on.

    @property
    def area(self) -> str:
        return insurance_area(self.hand, self.window)

    @property
    def as_stake(self) -> Stake:
        return Stake(self.box, self.player, self.area, self.amount)


class Wish(msgspec.Struct, frozen=True):
    """A player's wish to insure that met no offer."""

    box: int
    player: str
    hand: Hand
    window: int


class Closing(msgspec.Struct, frozen=True):
    """A window that the next card closed, and who passed it up by that."""

    nth: int  # The card of the round that closed it.
    forgone: tuple[str, ...]


class SqueezeKind(Enum):
    """What a player asks to do by hand."""

    CARD = "card"  # Squeeze a card that has not been dealt yet.
    BANKER_THIRD_FIRST = "banker-third-first"  # Squeeze Banker's third card before Player's third is opened.
    BANKER_THIRD_SHOWN = "banker-third-shown"  # Have Banker's third card shown before squeezing Player's third.


class SqueezeState(msgspec.Struct, frozen=True):
    """A squeeze that was asked for, and what was said to it."""

    kind: SqueezeKind
    player: str
    hand: Hand | None
    number: int | None
    consent: bool | None = None


class SettledBet(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a bet was paid, with its box and player, as a settlement records it."""

    box: int
    player: str
    area: str
    stake: Money
    result: Result
    net: Money
    clause: str
    odds: str | None = None
    exact: str | None = None  # The net before rounding, as a fraction of minor units, where it was rounded.
    commission: Money = 0  # What the house keeps of the win; the net is without it.
    is_due: bool = False  # The commission is set aside, to be collected later.


MOST_PLEDGES = 64  # Pledges for one shoe.
MOST_BYTES = 64  # Bytes that one player adds.
DIGEST_DIGITS = 64


class Pledge(msgspec.Struct, frozen=True):
    """Bytes that a player adds to the shuffle of a shoe."""

    player: str
    digest: str  # SHA-256 of the bytes, in hexadecimal digits.
    opened: str | None = None  # The bytes, in hexadecimal digits, once they are known.


class Committed(msgspec.Struct, frozen=True):
    """A shoe whose seed the house has bound itself to and not opened yet."""

    shoe: int
    decks: int
    algorithm: str
    commitment: str  # SHA-256 over table, shoe, decks, algorithm and seed, in hexadecimal digits.
    contributions: tuple[str, ...] = ()  # The bytes that players opened, in the order of their pledges.


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 in small hexadecimal digits."""
    return len(text) == DIGEST_DIGITS and set(text) <= set("0123456789abcdef")


def digest_of_bytes(text: str) -> str | None:
    """The SHA-256 of bytes that are given in hexadecimal digits; None where they are not, or too many."""
    if not text or len(text) > 2 * MOST_BYTES or len(text) % 2 or not set(text) <= set("0123456789abcdef"):
        return None
    import hashlib  # here, because few tables have pledges, and whoever settles a slip loads this module

    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


class Phase(Enum):
    """Where a table stands in its round."""

    NEW = "new"  # Not opened yet.
    IDLE = "idle"  # Between rounds.
    BETTING = "betting"
    DEALING = "dealing"  # Bets are closed, cards are coming.
    ANTES = "antes"  # A card is shown, antes are being decided.
    FINISHED = "finished"  # All cards are out, nothing is paid yet.
    CLOSED = "closed"  # The table is closed for good.


class Slot(msgspec.Struct, frozen=True):
    """A card on the table; None where it is not known yet."""

    card: Card | None
    face_up: bool
    is_laid: bool = False  # It was left as it lay after an error: it belongs to its hand whatever its order.


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with; the round stands still."""

    number: int
    evidence: Evidence
    before: State  # The state of the table when the case was opened: evidence is measured against it.
    found: FoundClause | None = None
    is_possible: bool | None = None  # The House's word on reconstruction.
    closed_bets: bool = False  # A card that left too early closed the bets: they close once, whatever is found then.
    is_reconstructed: bool = False
    undecided: tuple[str, ...] = ()  # Players whose choice is still to come.
    options_clause: str | None = None  # The clause that gives them their choice.
    is_choice_reconstructed: bool = False  # To continue means with the reconstructed hand.
    asked_at: int = 0  # When they were given it: their clock runs from here.
    still_asked: tuple[str, ...] = ()
    """Players who had a choice open when this further error was reported, and have not chosen since."""
    asked_clause: str | None = None  # The clause that had given it to them.
    asked_reconstructed: bool = False  # To continue meant with the reconstructed hand in that choice.
    reverses: bool = False  # It took back the settlement of the round, which is made again if the report is dismissed.
    slips: tuple[int, ...] = ()  # Numbers of cards on record that never left the shoe, once the record is corrected.
    is_chosen: bool = False  # Somebody has chosen: the evidence stands.

    @property
    def clause(self) -> str | None:
        return self.found.clause if self.found else None


class State(msgspec.Struct, frozen=True):
    """Everything a table knows of itself."""

    terms: Terms | None = None  # What the house decided last; a round that is open keeps the terms at its call.
    terms_at_call: Terms | None = None
    """The terms at the call of the current round, or of the one just settled: it may be opened again."""
    phase: Phase = Phase.NEW
    is_paused: bool = False
    since: int = 0  # When the round last moved on. Clocks run from here, and placing a bet sets none of them back.
    round: int = 0
    shoe_number: int = 0
    shoe: Shoe | None = None
    burn_due: bool = False
    committed: tuple[Committed, ...] = ()  # Shoes whose seeds the house is bound to and has not opened, latest last.
    pledges: tuple[Pledge, ...] = ()  # Bytes that players add to the shuffle of the shoe in play.
    pledges_closed: bool = False
    round_shoe: int = 0  # The shoe from which the current round, or the one just over, was dealt.
    last_round: int | None = None  # Once the cut card is out: the last round of this shoe.
    seats: dict[int, str] = {}
    away: frozenset[str] = frozenset()
    bets: tuple[LaidBet, ...] = ()  # In the order in which they were first placed.
    bets_before_return: tuple[LaidBet, ...] = ()
    """What lay before original bets went back: the insurance on them keeps its place among the others."""
    antes_open: tuple[tuple[int, str, str], ...] = ()  # Antes that are not decided yet: box, player and area of each.
    player: tuple[Slot, ...] = ()
    banker: tuple[Slot, ...] = ()
    record: tuple[Hand, ...] = ()  # The hand that got each card, in the order in which they left the shoe.
    carried: tuple[Slot, ...] = ()  # Cards of an earlier round that come before those of the shoe.
    kept: int = 0  # How many of them, the first ones, left the shoe in this round and are kept (insurance 5.7).
    window: int | None = None  # The insurance window that is open, by number of cards.
    offers: tuple[OfferMade, ...] = ()
    windows_seen: tuple[int, ...] = ()  # Windows that were offered in this round.
    neglected: tuple[int, ...] = ()
    insured: tuple[LaidInsurance, ...] = ()
    forgone: frozenset[str] = frozenset()
    walked_off: frozenset[str] = frozenset()
    """Who walked away from a bet of this round, and has forgone insurance even after coming back."""
    closings: tuple[Closing, ...] = ()
    declined: tuple[tuple[int, str], ...] = ()  # Who declined insurance, and in which window.
    is_waived: bool = False
    wishes: tuple[Wish, ...] = ()
    squeezes: tuple[SqueezeState, ...] = ()
    case: Case | None = None
    cases: int = 0  # How many cases there have been at this table.
    last_finding: Finding | None = None  # What last went wrong in the current round, or in the round just over.
    earlier_finding: Finding | None = None
    """What went wrong in the round before, once the next one has begun: too late for it now."""
    replaced_by: str | None = None  # The clause by which the cards were taken out of play, until a new set is loaded.
    is_draw_taken: bool = False
    settled: tuple[SettledBet, ...] | None = None  # How the round just finished was settled, until the next one begins.
    winner: Winner | None = None
    is_reopened: bool = False  # The round had been settled, and an error of it was noticed in time.
    due: dict[str, int] = {}  # Commission that is set aside and not collected yet, by player.
    freed: dict[str, int] = {}
    """What players may use of the last settlement, though it can still be reversed: they left, or the table paused."""
    advanced: dict[str, int] = {}
    """What the house has put back into play for players who have theirs, until stakes or wins of the round repay it."""

    def with_due(self, lines: Iterable[SettledBet], sign: int = 1) -> State:
        """With the commission of these lines set aside, or with -1 no longer."""
        lines, due = [line for line in lines if line.is_due], dict(self.due)
        if not lines:
            return self
        for line in lines:
            due[line.player] = due.get(line.player, 0) + sign * line.commission
        assert all(amount >= 0 for amount in due.values()), "what is taken back was set aside"
        return replace(self, due={player: amount for player, amount in due.items() if amount})

    def winnings(self) -> dict[str, int]:
        """What the last settlement paid, stakes included, and is still held, by player."""
        paid: dict[str, int] = {}
        for line in self.settled or ():
            paid[line.player] = paid.get(line.player, 0) + line.stake + line.net
        if not self.advanced and not self.freed:
            return {name: amount for name, amount in paid.items() if amount}
        left = {name: amount - min(amount, self.advanced.get(name, 0)) for name, amount in paid.items()}
        return {name: amount for name in left if (amount := left[name] - self.freed.get(name, 0))}

    def repaid(self, stakes: Iterable[Stake]) -> State:
        """When these stakes have gone back: first to the house, as far as it has put them into play again."""
        if not self.advanced:
            return self
        advanced = dict(self.advanced)
        for stake in stakes:
            advanced[stake.player] = max(0, advanced.get(stake.player, 0) - stake.amount)
        return replace(self, advanced={player: amount for player, amount in advanced.items() if amount})

    def final_due(self) -> dict[str, int]:
        """Commission that is due whatever happens: the last settlement can still be reversed, until the next call."""
        return self.with_due(self.settled or (), -1).due

    @property
    def open_case(self) -> Case:
        """The case, where there must be one."""
        assert self.case is not None, "a case is open"
        return self.case

    @property
    def found_clause(self) -> FoundClause | None:
        """The clause that was found in the open case."""
        return self.case.found if self.case is not None else None

    def slots(self, hand: Hand) -> tuple[Slot, ...]:
        return self.player if hand is Hand.PLAYER else self.banker

    def slot(self, hand: Hand, number: int) -> Slot | None:
        """A hand's first, second or third card, if it has one."""
        slots = self.slots(hand)
        return slots[number - 1] if 1 <= number <= len(slots) else None

    @property
    def cards_out(self) -> int:
        return len(self.player) + len(self.banker)

    @property
    def recorded(self) -> tuple[tuple[Hand, Slot], ...]:
        """The cards of this round in the order in which they left the shoe, each with its hand."""
        hands = {Hand.PLAYER: iter(self.player), Hand.BANKER: iter(self.banker)}
        return tuple((hand, next(hands[hand])) for hand in self.record)

    @property
    def order(self) -> tuple[Slot, ...]:
        """The cards of this round in the order in which they left the shoe."""
        return tuple(slot for _, slot in self.recorded)

    @property
    def dealing_order(self) -> tuple[Hand, ...]:
        """The order in which the table of play deals hands of these sizes."""
        player, banker = len(self.player), len(self.banker)
        two = [hand for i in range(2) for hand in Hand if i < (player if hand is Hand.PLAYER else banker)]
        return (*two, *(Hand.PLAYER,) * max(0, player - 2), *(Hand.BANKER,) * max(0, banker - 2))

    def has_forgone(self, player: str) -> bool:
        """Whether a player has no more insurance in this round (insurance 5.3)."""
        return player in self.forgone or player in self.walked_off

    def bet(self, box: int, player: str, area: str) -> LaidBet | None:
        for bet in self.bets:
            if bet.area == area and bet.player == player and bet.box == box:
                return bet
        return None

    def box_of(self, player: str) -> int | None:
        """The box at which a player sits, the first one where there are several."""
        return next(iter(self.boxes_of(player)), None)

    def boxes_of(self, player: str) -> tuple[int, ...]:
        """Every box at which a player sits, in the order in which they were taken."""
        return tuple(box for box, seated in self.seats.items() if seated == player)

    @property
    def bettors(self) -> tuple[str, ...]:
        """Everybody with a bet in this round, in the order of their first bets."""
        return tuple(dict.fromkeys(bet.player for bet in self.bets))

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """Everything that lies on the layout, insurance too."""
        return (*(bet.as_stake for bet in self.bets), *(taken.as_stake for taken in self.insured))

    @property
    def are_cards_in_play(self) -> bool:
        """Whether the cards of the round still belong to the set on the table."""
        return self.shoe is not None and self.shoe_number == self.round_shoe

    @property
    def is_sealed(self) -> bool:
        """Whether this round, or the one just settled, is of a shoe whose order the house is bound to.

        The system itself gives such cards, and the record knows which of them left the shoe, in which order,
        where each lies and which faces show: nobody says otherwise, and none is known before its turn.
        """
        return any(shoe.shoe == self.round_shoe for shoe in self.committed)

    def as_before_case(self, *, bets_open_again: bool = False) -> State:
        """The table as it was when the case was opened; who came, left or walked away since stays so.

        Bets that a card closed too early are open again only when nothing is left of the case.
        """
        case = self.open_case
        state = replace(self, **{name: getattr(case.before, name) for name in _OF_THE_DEAL})
        is_closed = case.closed_bets and not bets_open_again
        return replace(state, phase=Phase.DEALING) if is_closed else state

    def is_here(self, player: str) -> bool:
        """Whether somebody with bets is at the table (insurance 5.12): has neither walked away nor got up."""
        sat = [bet for bet in self.bets if bet.player == player and bet.is_seated]
        return player not in self.away and not (sat and self.box_of(player) is None)

    def with_bet(self, bet: LaidBet) -> State:
        """With a bet in the place of the one that lies on its spot."""
        lying = self.bet(bet.box, bet.player, bet.area)
        return replace(self, bets=tuple([bet if other is lying else other for other in self.bets]))

    def with_slot(self, hand: Hand, number: int, slot: Slot) -> State:
        """With another card, or another face of it, in the place of a hand's first, second or third."""
        slots = list(self.slots(hand))
        slots[number - 1] = slot
        return replace(self, **{hand.value: tuple(slots)})

    def with_antes_open(self, antes: tuple[tuple[int, str, str], ...]) -> State:
        """With these antes still to be decided; once the last one is, the deal goes on."""
        done = self.phase is Phase.ANTES and not antes
        return replace(self, antes_open=antes, phase=Phase.DEALING if done else self.phase)

    def without_players(self, players: tuple[str, ...]) -> State:
        """The table when every bet of these players in the round has gone back."""
        state = self.with_antes_open(tuple(spot for spot in self.antes_open if spot[1] not in players))
        return replace(
            state,
            bets=tuple(bet for bet in state.bets if bet.player not in players),
            insured=tuple(taken for taken in state.insured if taken.player not in players),
            offers=tuple(offer for offer in state.offers if offer.player not in players),
            wishes=tuple(wish for wish in state.wishes if wish.player not in players),
        )

    def cleared(self) -> State:
        """The table without anything of the round."""
        return replace(self, **_NO_ROUND)

    def shuffled_again(self) -> State:
        """A continuous shuffler has every card inside again when a round is over, but those carried over."""
        assert self.terms is not None
        if self.terms.source is SourceKind.CONTINUOUS and self.shoe is not None:
            seen = open_cards(self.carried)
            unseen = len(self.carried) - len(seen)
            return replace(self, shoe=Shoe(self.shoe.decks, self.shoe.behind_cut, seen, unseen))
        return self

    @property
    def round_terms(self) -> Terms:
        """The terms of the current round, or of the one just settled; the table's where there is none."""
        terms = self.terms_at_call or self.terms
        assert terms is not None, "the table has been opened"
        return terms

    @property
    def is_in_round(self) -> bool:
        return self.phase in _IN_ROUND


_IN_ROUND = (Phase.BETTING, Phase.DEALING, Phase.ANTES, Phase.FINISHED)
_OF_THE_DEAL = (
    *("phase", "shoe", "last_round", "player", "banker", "record", "carried", "kept", "winner", "antes_open"),
    *("window", "offers", "windows_seen", "neglected", "forgone", "closings", "last_finding"),
    *("is_reopened", "declined"),
)
"""What a case may change and taking its evidence back restores."""


_NO_ROUND = {
    name: getattr(State(), name)
    for name in (
        *("bets", "bets_before_return", "antes_open", "player", "banker", "record", "case", "wishes", "squeezes"),
        *("window", "offers", "windows_seen", "neglected", "insured", "forgone", "walked_off", "closings"),
        *("declined", "is_waived"),
    )
}
"""What only a round has, as it is where there is none."""


class Table(msgspec.Struct, frozen=True):
    """A table: the book it is ruled by, and its state."""

    book: Book
    state: State = msgspec.field(default_factory=State)

    def __repr__(self) -> str:
        return f"<Table of {self.book.name}: {self.state.phase.value}, round {self.state.round}>"

    def _repr_html_(self) -> str:
        from punto.documents.typesetting import blocks_html

        return blocks_html(*_at_a_glance(self))

    @property
    def terms(self) -> Terms:
        """The terms that hold now: in a round those at its call, whatever was changed since."""
        state = self.state
        terms = (state.terms_at_call if state.phase in _IN_ROUND else None) or state.terms
        assert terms is not None, "the table has been opened"
        return terms


def open_cards(slots: tuple[Slot, ...]) -> tuple[Card, ...]:
    return tuple([slot.card for slot in slots if slot.face_up and slot.card is not None])


def shown_cards(slots: tuple[Slot, ...]) -> tuple[Card, ...] | None:
    """The cards of a hand if all of them are exposed, else None."""
    cards = open_cards(slots)
    return cards if len(cards) == len(slots) else None


def shown_points(slots: tuple[Slot, ...]) -> int | None:
    cards = shown_cards(slots)
    return None if cards is None else points(cards)


def card_face(card: Card | None) -> str:
    return "▯" if card is None else card.symbol


def slots_face(slots: tuple[Slot, ...]) -> str:
    """The cards of a hand as everybody sees them, with their points once all lie open."""
    seen = " ".join(card_face(slot.card if slot.face_up else None) for slot in slots)
    cards = shown_cards(slots)
    return f"{seen}  {points(cards)}" if cards else seen


def _at_a_glance(table: Table) -> Iterator[Grid]:
    """What a notebook shows of a table: how it stands, and what lies on it. Cards face down stay so."""
    from punto.documents.page import Grid

    state, book = table.state, table.book
    facts = [("Book", f"{book.title} ({book.name})"), ("Phase", state.phase.value + ", paused" * state.is_paused)]
    if state.terms is not None:
        facts.append(("Limits", _limits_words(table.terms)))
    if state.shoe is not None:
        cut = ", the cut card is out" if state.shoe.is_cut_card_out else ""
        facts.append(("Shoe", f"{state.shoe_number}, {state.shoe.cards_left} of {state.shoe.size} cards left{cut}"))
    if state.round:
        facts.append(("Round", str(state.round)))
    facts += [(hand.value.title(), slots_face(state.slots(hand))) for hand in Hand if state.slots(hand)]
    if state.winner is not None:
        facts.append(("Winner", state.winner.label))
    yield Grid(("", "table"), tuple(facts))
    settled = []
    for bet in state.settled or ():
        money = format_money(bet.stake), format_money(bet.net, is_signed=True)
        settled.append((str(bet.box), bet.player, label_of(book, bet.area), *money))
    laid = [(str(one.box), one.player, label_of(book, one.area), format_money(one.amount)) for one in state.stakes]
    if settled:
        yield Grid(("box", "player", "bet", "stake", "net"), tuple(settled), right=(3, 4))
    elif laid:
        yield Grid(("box", "player", "bet", "stake"), tuple(laid), right=(3,))


def _limits_words(terms: Terms) -> str:
    least, most = format_money(terms.minimum), terms.maximum
    if terms.differential is not None:
        return f"{terms.currency} from {least}, differential {format_money(terms.differential)}"
    return f"{terms.currency} {least} to {format_money(most)}" if most is not None else f"{terms.currency} from {least}"
