"""What can be asked when something went wrong, and what becomes of it: commands and events with their folds.

The house room needs two of these events when it closes a shoe in mid-round, so nothing is decided here:
see `irregularity_rulings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec.structs import replace

from punto.cards.card import Card
from punto.cards.shoe import CardNotThere, Shoe
from punto.rules.authority import Role
from punto.rules.book_text import Finding
from punto.rules.outcome import Hand
from punto.table import irregularity_case as cases
from punto.table.header import CommandHeader, EventHeader
from punto.table.irregularity_case import Evidence, Face, FoundClause, Place, Resolution, RoundCard, Seen
from punto.table.state import AnteState, Case, LaidInsurance, Phase, Slot, SqueezeKind, Stake, State


class Report(CommandHeader, frozen=True, kw_only=True):
    """What was seen; at least one card or fact. The table finds the clause, and the round stands still until the
    case is resolved. A further report adds to the evidence.
    """

    cards: tuple[cases.ReportedSighting, ...] = ()
    seen: tuple[Seen, ...] = ()
    order: cases.OrderKnown | None = None  # Everybody saw in which order the cards left the shoe: as they are named.
    round: int | None = None  # The round it happened in, where it is an earlier one.
    note: str = ""


class WithdrawEvidence(CommandHeader, frozen=True, kw_only=True):
    """Take back what was said of these cards, by their numbers in the round as now on record, and these facts."""

    cards: tuple[int, ...] = ()  # Numbers of cards in the round, as now on record.
    seen: tuple[Seen, ...] = ()


class DismissReport(CommandHeader, frozen=True, kw_only=True):
    """The report was a mistake."""

    reason: str


class JudgeReconstruction(CommandHeader, frozen=True, kw_only=True):
    """The house decides whether the hand can be reconstructed."""

    possible: bool


class OrderCards(CommandHeader, frozen=True, kw_only=True):
    """Set the order of cards that were drawn together."""

    cards: tuple[Card | int, ...]
    """Each by its name, or by its number in the round, as now on record: so is one that nobody has seen."""


class VoidRound(CommandHeader, frozen=True, kw_only=True):
    """Void the round, if the case calls for it."""

    reason: str = ""


class ReplaceCards(CommandHeader, frozen=True, kw_only=True):
    """Take the set of cards out of play after a round with an irregularity."""


class Option(Enum):
    """What a player may choose after a dealing error."""

    CONTINUE = "continue"
    RETURN = "return"


class ChooseOption(CommandHeader, frozen=True, kw_only=True):
    """A player's choice after a dealing error."""

    option: Option
    round: int | None = None


class CloseOptions(CommandHeader, frozen=True, kw_only=True):
    """End the choices: players who are away continue."""


class ExpireOptions(CommandHeader, frozen=True, kw_only=True):
    """The time to choose is over: whoever has not chosen continues."""


class ReturnBets(CommandHeader, frozen=True, kw_only=True):
    """Return the original bets of players who wanted insurance and got no offer."""


class Effect(Enum):
    """What a ruling does."""

    CONTINUE = "continue"
    VOID = "void"
    RETURN = "return"  # The bets of the players named go back; the round goes on.
    STAND = "stand"  # Bets under the minimum that were noticed stand as they are.


class Rule(CommandHeader, frozen=True, kw_only=True):
    """Give a ruling on something the rules do not cover."""

    effect: Effect
    reason: str
    players: tuple[str, ...] = ()  # Whose bets, for a ruling that returns bets.


EvidenceCommand = Report | WithdrawEvidence | DismissReport | JudgeReconstruction | OrderCards
OptionCommand = ChooseOption | CloseOptions | ExpireOptions
IrregularityCommand = EvidenceCommand | VoidRound | ReplaceCards | OptionCommand | ReturnBets | Rule


def cards_gone(state: State, evidence: Evidence) -> State:
    """The table with its shoe and the cards carried over as the evidence says; `state` is as before it."""
    if not state.are_cards_in_play or state.shoe is None:
        return state
    shoe, carried, kept, back = state.shoe, state.carried, state.kept, set()
    for card in evidence.cards:
        if card.nth is not None:
            shoe = _restated(shoe, state.recorded[card.nth - 1][1], card)
            if card.lies is Place.SHOE:
                back.add(card.nth)
        elif card.carried:
            if not carried or carried[0].card not in (None, card.card):
                raise CardNotThere(f"{card.card or 'that card'} was not carried over from an earlier round")
            if card.shown is not None and not carried[0].face_up:
                shoe = shoe.named(card.shown)
            carried, kept = carried[1:], max(0, kept - 1)
        elif not card.foreign and card.lies is not Place.SHOE:
            shoe = shoe.burned(1) if card.shown is None else shoe.drawn((card.shown,))
    # A card that never left the shoe was nobody's next card: who had passed up an offer by it has not.
    undone = (closing for closing in state.closings if closing.nth in back)
    forgone = state.forgone - {player for closing in undone for player in closing.forgone}
    closings = tuple(closing for closing in state.closings if closing.nth not in back)
    return replace(state, shoe=shoe, carried=carried, kept=kept, forgone=forgone, closings=closings)


def _restated(shoe: Shoe, slot: Slot, card: RoundCard) -> Shoe:
    was_shown, shown = slot.card if slot.face_up else None, card.shown
    if card.lies is Place.SHOE:
        return shoe.returned(was_shown)
    if was_shown is shown:
        return shoe
    if shown is None:
        return shoe.returned(was_shown).burned(1)
    return shoe.named(shown) if was_shown is None else shoe.corrected(was_shown, shown)


class CaseOpened(EventHeader, frozen=True):
    """Something went wrong: this is what is known; `still_asked` had a choice open in the case before, by
    `options_clause` and in the form `is_reconstructed`, and keep it; `reverses`: the settlement was taken back for
    it.
    """

    case: int
    evidence: Evidence
    still_asked: tuple[str, ...] = ()  # Players whose choice in the case before was still open.
    options_clause: str | None = None
    is_reconstructed: bool = False  # To continue meant with the reconstructed hand in that choice.
    reverses: bool = False  # The settlement of the round was taken back for it.

    def fold(self, state: State) -> State:
        case = Case(self.case, self.evidence, state, still_asked=self.still_asked, reverses=self.reverses)
        case = replace(case, asked_clause=self.options_clause, asked_reconstructed=self.is_reconstructed)
        return cards_gone(replace(state, case=case, cases=self.case), self.evidence)


class EvidenceAdded(EventHeader, frozen=True):
    """More was found out; `evidence` is all that now holds; `is_possible`: the House's word on reconstruction,
    which stands where nothing more was said of the cards.
    """

    case: int
    evidence: Evidence  # All that now holds.
    is_possible: bool | None = None  # The House's word, which stands where nothing more was said of the cards.

    def fold(self, state: State) -> State:
        state = _anew(state, self.evidence)
        return replace(state, case=replace(state.open_case, is_possible=self.is_possible))


class EvidenceWithdrawn(EventHeader, frozen=True):
    """Something was taken back; `evidence` is all that still holds."""

    case: int
    evidence: Evidence  # All that now holds.

    def fold(self, state: State) -> State:
        return _anew(state, self.evidence)


def _anew(state: State, evidence: Evidence) -> State:
    """The table as it was before the case, with this evidence."""
    old = state.open_case
    of_before = ("still_asked", "asked_clause", "asked_reconstructed", "reverses", "closed_bets")
    unchanged = {name: getattr(old, name) for name in of_before}
    case = Case(old.number, evidence, old.before, old.found, **unchanged)
    is_early = any(card.lies is not Place.SHOE for card in evidence.brought)
    before = state.as_before_case(bets_open_again=not is_early)
    finding = old.found.finding if old.found else before.last_finding
    return cards_gone(replace(before, case=case, last_finding=finding), evidence)


class ClauseFound(EventHeader, frozen=True):
    """The clause that the evidence comes to, when it changed: what it waits for, and the least rank that may
    decide, `player` for options, null where nothing is left to decide; `house_term`: the document does not name
    who.
    """

    case: int
    finding: Finding
    clause: str | None
    awaits: cases.Awaits
    decider: Role | None
    house_term: bool = False

    def fold(self, state: State) -> State:
        found = FoundClause(self.finding, self.clause, self.awaits, self.decider, self.house_term)
        return replace(state, case=replace(state.open_case, found=found), last_finding=self.finding)


class CaseClosed(EventHeader, frozen=True):
    """How it ended."""

    case: int
    finding: Finding
    resolution: Resolution
    clause: str | None = None
    reason: str = ""

    def fold(self, state: State) -> State:
        if self.resolution.takes_back:
            state = state.as_before_case(bets_open_again=True)
        elif state.case is not None and state.case.slips:
            state = _without_false_hand(state, min(state.case.slips))
        return replace(state, case=None, since=self.time)


def _without_false_hand(state: State, nth: int) -> State:
    """The table when the nth card on record never left the shoe: no window opened on a hand with it.

    What was offered, passed up, wished for or waived in the light of that card counts for nothing. Nor did it
    bring the cut card out.
    """
    passed = {player for closing in state.closings if closing.nth >= nth for player in closing.forgone}
    passed |= {player for window, player in state.declined if window >= nth}
    is_false_four = nth <= _FIRST_FOUR
    is_cut = state.shoe is None or state.shoe.is_cut_card_out
    return replace(
        state,
        last_round=state.last_round if is_cut else None,
        windows_seen=tuple(window for window in state.windows_seen if window < nth),
        neglected=tuple(window for window in state.neglected if window < nth),
        closings=tuple(closing for closing in state.closings if closing.nth < nth),
        declined=tuple(declining for declining in state.declined if declining[0] < nth),
        forgone=state.forgone - passed,
        wishes=tuple(wish for wish in state.wishes if wish.window < nth),
        is_waived=state.is_waived and not is_false_four,
        squeezes=tuple(request for request in state.squeezes if request.kind is SqueezeKind.CARD or not is_false_four),
    )


_FIRST_FOUR = 4  # By the points of the first four cards Banker's third may be opened before Player's (insurance 3.14).


class ErrorFoundLate(EventHeader, frozen=True):
    """An error of an earlier round is noted, without effect."""

    round: int
    clause: str | None
    cards: tuple[cases.Sighting, ...] = ()
    seen: tuple[Seen, ...] = ()
    note: str = ""


class ReconstructionJudged(EventHeader, frozen=True):
    """Whether the hand can be reconstructed, as decided by `by`."""

    possible: bool
    clause: str | None

    def fold(self, state: State) -> State:
        return replace(state, case=replace(state.open_case, is_possible=self.possible))


class CardsOrdered(EventHeader, frozen=True):
    """The order of cards drawn together was set: by face, null for one that nobody has seen, and by number in the
    round.
    """

    cards: tuple[Card | None, ...]  # None for one that nobody has seen.
    clause: str | None
    numbers: tuple[int, ...] = ()  # The same by number in the round; logs of earlier versions have only names.

    def fold(self, state: State) -> State:
        evidence = state.open_case.evidence
        numbers = self.numbers or cases.numbers_of(evidence, tuple(card for card in self.cards if card))
        assert numbers is not None
        return replace(state, case=replace(state.open_case, evidence=cases.with_order_told(evidence, numbers)))


class CardsReconstructed(EventHeader, frozen=True):
    """The hands as the order of the cards makes them; null for a card that lies face down. `due` is where each card
    that left the shoe belongs, null for one that is over: `carried` starts the next round. Of the first `opened`
    cards those that were recovered lie open; `antes_wait`: the card that antes are decided by lies closed; `slips`:
    numbers of cards on record that never left the shoe.
    """

    due: tuple[Hand | None, ...]  # Where each card that left the shoe belongs, in order; None for one that is over.
    player: tuple[Card | None, ...]  # The faces that show; None for a card that lies face down.
    banker: tuple[Card | None, ...]
    carried: tuple[Card | None, ...] = ()
    clause: str | None = None
    opened: int = 0  # How many cards lie open with their hands, in the order of dealing, where they were recovered.
    antes_wait: bool = False  # The card that antes are decided by lies closed: they are asked for when it is open.
    slips: tuple[int, ...] = ()  # Numbers of cards on record that never left the shoe.

    def fold(self, state: State) -> State:
        left = state.open_case.evidence.left
        hands = {hand: cases.hand_of(left, self.due, hand) for hand in Hand}
        player, banker = (tuple(map(_slot, hands[hand])) for hand in Hand)
        state = _played(state, player, banker, antes_wait=self.antes_wait, slips=self.slips)
        state = with_opened(state, hands, self.opened)
        # What is over starts the next round, after the cards of this round that are kept for it already.
        over, kept = cases.hand_of(left, self.due, None), state.kept
        later = next((i for i, card in enumerate(over) if card.nth is None and not card.carried), len(over))
        slots = tuple(map(_slot, over))
        carried = (*slots[:later], *state.carried[:kept], *slots[later:], *state.carried[kept:])
        case = replace(state.open_case, is_reconstructed=True)
        return replace(state, case=case, carried=carried, kept=kept + len(slots))


class CardsPlayedAsTheyLie(EventHeader, frozen=True):
    """The cards cannot be reconstructed, and each belongs to the hand it was put to; `out` were put to no hand and
    are out of play; `slips` never left the shoe, and `moved` are cards on record after them with their true places.
    """

    player: tuple[Card | None, ...]  # The faces that show; None for a card that lies face down.
    banker: tuple[Card | None, ...]
    out: tuple[Card | None, ...] = ()  # Out of play: they were put to no hand.
    clause: str | None = None
    antes_wait: bool = False  # The card that antes are decided by lies closed: they are asked for when it is open.
    slips: tuple[int, ...] = ()  # Numbers of cards on record that never left the shoe.
    moved: tuple[tuple[int, Place], ...] = ()
    """Cards on record after a slip, by number, and the hands to which they were put in truth."""

    def fold(self, state: State) -> State:
        moved, left = dict(self.moved), state.open_case.evidence.left
        player, banker = (
            tuple(_slot(card, is_laid=True) for card in left if moved.get(card.nth or 0, card.lies) is place)
            for place in (Place.PLAYER, Place.BANKER)
        )
        return _played(state, player, banker, antes_wait=self.antes_wait, slips=self.slips)


def _slot(card: RoundCard, *, is_laid: bool = False) -> Slot:
    return Slot(card.card, face_up=card.face is Face.UP, is_laid=is_laid or card.plays_in is not None)


def with_opened(state: State, cards: Mapping[Hand, Sequence[RoundCard]], number: int) -> State:
    """The table with cards that were recovered turned up with their hands, where they are known.

    Only the first `number` cards in dealing order are turned up.
    """
    hands, shoe = {hand: list(state.slots(hand)) for hand in Hand}, state.shoe
    got = dict.fromkeys(Hand, 0)
    for hand in state.record[:number]:
        got[hand] += 1
        slot, card = hands[hand][got[hand] - 1], cards[hand][got[hand] - 1]
        if slot.face_up or slot.card is None or not card.is_recovered:
            continue
        if shoe is not None and state.are_cards_in_play:
            if shoe.count_out(slot.card) >= shoe.decks:
                continue  # it cannot be what somebody named it
            shoe = shoe.named(slot.card)
        hands[hand][got[hand] - 1] = replace(slot, face_up=True)
    return replace(state, player=tuple(hands[Hand.PLAYER]), banker=tuple(hands[Hand.BANKER]), shoe=shoe)


def _played(
    state: State, player: tuple[Slot, ...], banker: tuple[Slot, ...], *, antes_wait: bool, slips: tuple[int, ...]
) -> State:
    """The table when these hands are played; a window that is due for them is offered anew."""
    phase = Phase.BETTING if slips and state.phase is Phase.BETTING else Phase.DEALING  # no card has closed the bets
    out = len(player) + len(banker)
    # Without an open card nobody has anything to decide an ante by: it is asked again when one is shown.
    antes = () if antes_wait or not out else state.antes_open
    return replace(
        state,
        record=State(player=player, banker=banker).dealing_order,
        player=player,
        banker=banker,
        window=None,
        offers=(),
        windows_seen=tuple(window for window in state.windows_seen if window < out),
        neglected=tuple(window for window in state.neglected if window < out),
        antes_open=antes,
        phase=Phase.ANTES if antes else phase,
        winner=None,
        is_reopened=False,
        case=replace(state.open_case, slips=slips),
    )


class OptionsGiven(EventHeader, frozen=True):
    """These players have a choice; `is_reconstructed`: to continue means with the reconstructed hand."""

    players: tuple[str, ...]
    is_reconstructed: bool  # Continue means with the reconstructed hand.
    clause: str | None

    def fold(self, state: State) -> State:
        assert state.found_clause is not None
        found = replace(state.found_clause, awaits=cases.Awaits.OPTIONS, decider=Role.PLAYER, house_term=False)
        case = replace(state.open_case, found=found, undecided=self.players, asked_at=self.time)
        case = replace(case, options_clause=self.clause, is_choice_reconstructed=self.is_reconstructed)
        return replace(state, case=case)


class OptionChosen(EventHeader, frozen=True):
    """A player chose; `returned` lists the bets that were returned."""

    player: str
    option: Option
    clause: str | None
    returned: tuple[Stake, ...] = ()

    def fold(self, state: State) -> State:
        case = state.open_case
        undecided = tuple(player for player in case.undecided if player != self.player)
        still_asked = tuple(player for player in case.still_asked if player != self.player)
        state = replace(state, case=replace(case, undecided=undecided, still_asked=still_asked, is_chosen=True))
        return state.without_players((self.player,)).repaid(self.returned) if self.option is Option.RETURN else state


class CardsReplaced(EventHeader, frozen=True):
    """The set is out of play; a new one must be loaded."""

    clause: str | None

    def fold(self, state: State) -> State:
        return replace(state, shoe=None, last_round=None, carried=(), kept=0, replaced_by=self.clause or "")


class BetsReturned(EventHeader, frozen=True):
    """Original bets were returned because insurance was not offered; or, with `is_slip`, what was staked on a hand
    with a card that never left the shoe: `insured` is the insurance that stands, and with `antes_again` antes are
    decided anew.
    """

    bets: tuple[Stake, ...]
    clause: str | None
    is_slip: bool = False  # It was staked in the light of a card which never left the shoe.
    insured: tuple[LaidInsurance, ...] | None = None
    """Where the record was corrected: the insurance that stands, on the true hands."""
    antes_again: bool = False  # Decided by a card that never left the shoe: they are decided by the true one.

    def fold(self, state: State) -> State:
        back = {(stake.box, stake.player, stake.area) for stake in self.bets}
        lay, state = state.bets_before_return or state.bets, state.repaid(self.bets)
        left = tuple(bet for bet in state.bets if bet.spot not in back)
        if self.is_slip:
            stands = tuple(t for t in state.insured if (t.box, t.player, t.area) not in back)
            if self.antes_again:
                left = tuple(replace(bet, ante=AnteState.OPEN) for bet in left)
                state = state.with_antes_open(())
            return replace(state, bets=left, insured=stands if self.insured is None else self.insured)
        return replace(state, bets=left, bets_before_return=lay)


class Ruled(EventHeader, frozen=True):
    """The shift manager gave a ruling."""

    effect: Effect
    reason: str
    players: tuple[str, ...]
    clause: str | None
    returned: tuple[Stake, ...] = ()

    def fold(self, state: State) -> State:
        if self.effect is Effect.RETURN:
            return state.without_players(self.players).repaid(self.returned)
        if self.effect is Effect.STAND:
            return replace(state, bets=tuple(replace(bet, is_advised=False) for bet in state.bets))
        return state


class RoundVoided(EventHeader, frozen=True):
    """The round has no result: all its bets were returned."""

    round: int
    clause: str | None
    returned: tuple[Stake, ...]
    reason: str = ""

    def fold(self, state: State) -> State:
        # Without the terms at its call it cannot be opened again.
        state = replace(
            state.cleared().repaid(self.returned), phase=Phase.IDLE, settled=None, winner=None, terms_at_call=None
        )
        return replace(state, since=self.time).shuffled_again()


EvidenceEvent = CaseOpened | EvidenceAdded | EvidenceWithdrawn
CaseEvent = EvidenceEvent | ClauseFound | CaseClosed | ErrorFoundLate
CardsEvent = ReconstructionJudged | CardsOrdered | CardsReconstructed | CardsPlayedAsTheyLie
IrregularityEvent = (
    CaseEvent | CardsEvent | OptionsGiven | OptionChosen | CardsReplaced | BetsReturned | Ruled | RoundVoided
)
