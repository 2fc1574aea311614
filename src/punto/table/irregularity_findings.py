"""What evidence comes to: the hands that the cards could make, the findings, and the clause that speaks of them.

The cards on the table decide it, not the word of whoever reports. Their order is dealt again by the table of play,
which says where each was due; where it lies, which face shows and what the House said about reconstruction decide
the rest. Where a book is silent, a ruling of the shift manager decides; where it names nobody who decides, the house
does, and that is told as a house term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from punto.cards.card import Card, Rank
from punto.cards.source import SourceKind
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.book_text import Finding, Irregularity, Remedy, Signal
from punto.rules.condition import Reads
from punto.rules.outcome import Facts, Hand, Result, Totals, pair_index
from punto.rules.pay_table import PayTable
from punto.rules.table_of_play import STOOD, Play
from punto.table.antes import open_antes
from punto.table.insurance import neglected_bets
from punto.table.irregularity_case import Awaits, Evidence, Face, FoundClause, Place, RoundCard, Seen
from punto.table.state import Case, Phase, Slot, State, Table
from punto.table.terms import Faces, Terms

HANDS = {Place.PLAYER: Hand.PLAYER, Place.BANKER: Hand.BANKER}

Due = tuple[Hand | None, ...]  # Where each card was due; None for one that no hand was due.


def record_of(state: State) -> Evidence:
    """The cards of the round as they are on record."""
    cards: list[RoundCard] = []
    for nth, (hand, slot) in enumerate(state.recorded, start=1):
        face = Face.UP if slot.face_up else Face.DOWN
        got = sum(card.lies is Place(hand.value) for card in cards)
        plays_in = hand if slot.is_laid and got < 2 else None  # a third card the table of play gives
        cards.append(RoundCard(slot.card, Place(hand.value), face, nth, plays_in))
    return Evidence(tuple(cards))


def due_hands(play: Play, cards: Sequence[RoundCard]) -> Due | None:
    """Deal the cards again in their order. None if a draw hangs on a card whose face nobody has seen."""
    due = known_hands(play, cards)
    return due if len(due) == len(cards) else None


def known_hands(play: Play, cards: Sequence[RoundCard]) -> Due:
    """Where the cards were due, as far as that is certain: the first four by order alone."""
    hands = {hand: [card for card in cards if card.plays_in is hand] for hand in Hand}
    due: list[Hand | None] = []
    for card in cards:
        if card.plays_in is not None:
            due.append(card.plays_in)  # it is there whatever its order
            continue
        nexts = _next_hands(play, hands[Hand.PLAYER], hands[Hand.BANKER])
        if len(nexts) > 1:
            break
        due += nexts
        if due[-1] is not None:
            hands[due[-1]].append(card)
    return tuple(due)


def _next_hands(play: Play, player: Sequence[RoundCard], banker: Sequence[RoundCard]) -> set[Hand | None]:
    """The hands that may get the next card, None for no hand: more than one where a face is not known."""
    if min(len(player), len(banker)) < 2:
        return {Hand.PLAYER if len(player) <= len(banker) else Hand.BANKER}
    if len(banker) > 2:
        return {None}
    hands: set[Hand | None] = set()
    for p, b in product(points_of(player[:2]), points_of(banker[:2])):
        if play.ends[p * 10 + b]:
            hands.add(None)
        elif len(player) == 2 and play.player_draws[p * 10 + b]:
            hands.add(Hand.PLAYER)
        else:
            thirds = points_of(player[2:3]) if len(player) > 2 else {STOOD}
            hands |= {Hand.BANKER if play.banker_draws[third][b] else None for third in thirds}
    return hands


def points_of(cards: Sequence[RoundCard]) -> set[int]:
    """The points that cards can make, as far as their faces show."""
    totals = {0}
    for card in cards:
        face = card.shown
        values = range(10) if face is None else (face.points,)
        totals = {(points + value) % 10 for points in totals for value in values}
    return totals


def is_order_known(terms: Terms, play: Play, evidence: Evidence) -> bool:
    """Whether nobody has to set the order of cards drawn together (insurance 5.10): it was seen or set, or it can
    make no difference that anybody could see.
    """
    return evidence.is_order_set or _lies_as_due(terms, play, evidence)


def can_be_named(terms: Terms, card: RoundCard) -> bool:
    """Whether people know which card it is: it shows, or somebody drew it from a physical shoe and named it."""
    return card.card is not None and (terms.source is SourceKind.ENTERED or card.face is Face.UP)


def names_together(terms: Terms, evidence: Evidence) -> tuple[Card | int, ...]:
    """The cards drawn together as people call them: by name, or by number what nobody has seen."""
    return tuple(
        card.card if card.card is not None and can_be_named(terms, card) else number
        for number, card in enumerate(evidence.cards, start=1)
        if card in evidence.group
    )


def _lies_as_due(terms: Terms, play: Play, evidence: Evidence) -> bool:
    """Whether nobody can tell the cards drawn together apart and they lie with the hands at which cards were
    due, so that every order gives the same hands.
    """
    group, left = evidence.group, evidence.left
    due = known_hands(play, left)
    if any(can_be_named(terms, card) for card in group) or len(due) < len(left):
        return False
    places = _due_of_group(play, evidence)
    return None not in places and Counter(places) == Counter(HANDS.get(card.lies) for card in group)


def ordered_by_place(table: Table, evidence: Evidence) -> Evidence:
    """The evidence when cards that every order leaves where they lie came as they lie.

    Any other order is for a Pit Supervisor to set. Until then the cards stand as they were reported: the
    table puts none before another, least of all by its name.
    """
    play, cards = table.book.play, list(evidence.cards)
    if evidence.is_order_set or not _lies_as_due(table.state.round_terms, play, evidence):
        return evidence
    rest = [i for i, card in enumerate(evidence.cards) if card.together and card in evidence.left]
    for place, hand in zip(tuple(rest), _due_of_group(play, evidence), strict=True):
        came = next(i for i in rest if HANDS.get(evidence.cards[i].lies) is hand)
        cards[place] = evidence.cards[came]
        rest.remove(came)
    return replace(evidence, cards=tuple(cards))


def _due_of_group(play: Play, evidence: Evidence) -> list[Hand | None]:
    left = evidence.left
    return [hand for card, hand in zip(left, known_hands(play, left), strict=True) if card.together]


def possible_orders(terms: Terms, play: Play, evidence: Evidence) -> list[tuple[RoundCard, ...]]:
    """The cards that left the shoe, in every order that they may have left it in."""
    if is_order_known(terms, play, evidence):
        return [evidence.left]
    return [tried.left for tried in evidence.possible_orders()]


def due_by_order(table: Table, evidence: Evidence) -> Due | None:
    """Where each card was due; None where that hangs on a face that nobody saw, or on an order not known."""
    numbered = replace(evidence, cards=tuple(replace(card, nth=i) for i, card in enumerate(evidence.cards)))
    possible = set()
    for cards in possible_orders(table.state.round_terms, table.book.play, numbered):
        due = due_hands(table.book.play, cards)
        if due is None:
            return None
        numbers = [card.nth or 0 for card in cards]
        over = tuple(number for number, hand in zip(numbers, due, strict=True) if hand is None)
        by_number = dict(sorted(zip(numbers, due, strict=True)))
        by_hand = {hand: [card for card, place in zip(cards, due, strict=True) if place is hand] for hand in Hand}
        possible.add((tuple(by_number.values()), over, hands_as_read(table, by_hand)))
    return possible.pop()[0] if len(possible) == 1 else None


def hands_as_read(table: Table, hands: Mapping[Hand, Sequence[RoundCard]]) -> tuple[object, ...]:
    """What bets can read of two hands: which two cards came first, for they may be a pair, and which third; and the
    order of all where an ante or a bet on single cards lies.
    """
    book, areas = table.book, {bet.area for bet in table.state.bets}
    antes = {pair.ante for pair in book.ante.pairs} if book.ante else set()
    is_ordered = bool(areas & antes) or any(book.pay_tables[area].cards is not None for area in areas)
    faces = [[str(card.shown) for card in hands[hand]] for hand in Hand]
    return tuple(tuple(hand) if is_ordered else (*sorted(hand[:2]), *hand[2:]) for hand in faces)


def in_true_places(table: Table, evidence: Evidence) -> Evidence:
    """The evidence when a card never left the shoe: those on record after it were put where they were due.

    Their places on record followed from a card that was not there. Nobody saw them lie so, and where somebody
    did see one elsewhere than on record, that is its place. `table` is the table before the case.
    """
    first = next((i for i, card in enumerate(evidence.cards) if card in evidence.slips), None)
    if first is None:
        return evidence
    due = iter(known_hands(table.book.play, evidence.left))
    cards: list[RoundCard] = []
    for number, card in enumerate(evidence.cards):
        hand = next(due, None) if card in evidence.left else None
        is_as_recorded = card.nth is not None and HANDS.get(card.lies) is table.state.recorded[card.nth - 1][0]
        if number > first and hand is not None and is_as_recorded:
            card = replace(card, lies=Place(hand.value))
        cards.append(card)
    return replace(evidence, cards=tuple(cards))


def lying_with(cards: Sequence[RoundCard], place: Place) -> tuple[RoundCard, ...]:
    """The cards that were put to a hand, in the order in which it got them."""
    return tuple(card for card in cards if card.lies is place)


def has_wrong_number(play: Play, cards: Sequence[RoundCard]) -> bool:
    """Whether a hand, as it lies, has more cards than the table of play gives it at that moment.

    The first four are given in turn: after two cards neither hand can have both.
    """
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if max(len(player), len(banker)) <= 2:
        due = known_hands(play, cards)
        return len(player) > due.count(Hand.PLAYER) or len(banker) > due.count(Hand.BANKER)
    if min(len(player), len(banker)) < 2 or max(len(player), len(banker)) > 3:
        return True
    if any(card.shown is None for card in (*player[:2], *banker[:2])):
        return True  # no third card is due before the first four lie open
    thirds = points_of(player[2:]) if len(player) == 3 else {STOOD}
    return not any(
        not play.ends[p * 10 + b]
        and play.player_draws[p * 10 + b] == (len(player) == 3)
        and (len(banker) == 2 or all(play.banker_draws[third][b] for third in thirds))
        for p, b in product(points_of(player[:2]), points_of(banker[:2]))
    )


def is_short(play: Play, cards: Sequence[RoundCard]) -> bool:
    """Whether a hand, as it lies, certainly lacks a card that the table of play gives it."""
    player, banker = lying_with(cards, Place.PLAYER), lying_with(cards, Place.BANKER)
    if min(len(player), len(banker)) < 2:
        return True
    if len(banker) == 3:
        return False
    thirds = points_of(player[2:]) if len(player) == 3 else {STOOD}
    return all(
        not play.ends[p * 10 + b]
        and (
            (play.player_draws[p * 10 + b] and len(player) == 2) or all(play.banker_draws[third][b] for third in thirds)
        )
        for p, b in product(points_of(player[:2]), points_of(banker[:2]))
    )


def possible_hands(terms: Terms, play: Play, evidence: Evidence) -> list[tuple[tuple[Slot, ...], tuple[Slot, ...]]]:
    """The hands that may be played: as they lie, or put right in each order that the cards may have."""
    is_open = terms.faces is Faces.UP

    def slots(cards: Sequence[RoundCard]) -> tuple[Slot, ...]:
        """As they will lie in a hand; where cards lie open, one that was recovered shows if it is known."""
        return tuple(
            Slot(card.card, card.face is Face.UP or (is_open and card.is_recovered and card.card is not None))
            for card in cards
        )

    hands = [(slots(lying_with(evidence.left, Place.PLAYER)), slots(lying_with(evidence.left, Place.BANKER)))]
    for cards in possible_orders(terms, play, evidence):
        dealt = list(zip(cards, known_hands(play, cards), strict=False))
        player, banker = ([card for card, to in dealt if to is hand] for hand in Hand)
        hands.append((slots(player), slots(banker)))
    return hands


SeenCards = tuple[Card | None, ...]  # The cards of a hand so far; None for one that is not exposed.


def is_established(book: Book, player: tuple[Slot, ...], banker: tuple[Slot, ...]) -> bool:
    """Whether some bet that the layout offers has certainly won or lost.

    Judged by exposed cards alone, from the pay tables: whatever the cards to come, does a betting area win in every
    case, or lose in every case? A deal with nothing open has none; once Player's first two cards lie open the pair
    bet is decided.
    """
    faces = [tuple(slot.card if slot.face_up else None for slot in hand) for hand in (player, banker)]
    ends = _possible(book.play, *faces)
    results: Iterator[Result]
    for table in book.pay_tables.values():
        if table.cards is not None:
            cells = table.cards.possible_cells(book.play, *faces)
            results = (table.rows[table.cells[cell]].outcome.result for cell in cells)
        else:
            results = _results(table, ends)
        first = next(results, None)
        if first in (Result.WIN, Result.LOSE) and all(result is first for result in results):
            return True
    return False


Ends = dict[int, set[tuple[int, int]]]  # Totals, each with the pairs of both hands that go with them.


def _results(table: PayTable, ends: Ends) -> Iterator[Result]:
    for totals, pairs in ends.items():
        for pair in pairs if table.reads is not Reads.TOTALS else ((0, 0),):
            yield table.outcome(Facts(totals, *pair)).result


def _possible(play: Play, player: SeenCards, banker: SeenCards) -> Ends:
    """Every end that exposed cards still allow."""
    ends: Ends = {}
    player_third, banker_third = (hand[2] if len(hand) == 3 else None for hand in (player, banker))
    for (p, player_pairs), (b, banker_pairs) in product(_starts(player).items(), _starts(banker).items()):
        pairs = set(product(player_pairs, banker_pairs))
        for totals in _ends(play, p, b, player_third, banker_third):
            ends.setdefault(totals.index, set()).update(pairs)
    return ends


def _starts(hand: SeenCards) -> dict[int, set[int]]:
    """Points that the first two cards can make, each with the pairs that make them."""
    first, second = (*hand[:2], None, None)[:2]
    if first is not None and second is not None:
        return {(first.points + second.points) % 10: {pair_index(first, second)}}
    known = first or second
    starts: dict[int, set[int]] = {}
    for rank in Rank:
        for other in [known.rank] if known is not None else Rank:
            pairs = {2 * rank - 1, 2 * rank} if rank is other else {0}
            starts.setdefault((rank.points + other.points) % 10, set()).update(pairs)
    return starts


def _ends(play: Play, p: int, b: int, player_third: Card | None, banker_third: Card | None) -> set[Totals]:
    """How two-card points can end, third cards that lie open taken as they are."""
    two_hands = p * 10 + b
    if play.ends[two_hands]:
        return {Totals(p, 2, b, 2)}
    known_thirds = [player_third.points] if player_third else range(10)
    ends = set()
    for third in known_thirds if play.player_draws[two_hands] else [STOOD]:
        points, cards = (p, 2) if third == STOOD else ((p + third) % 10, 3)
        if not play.banker_draws[third][b]:
            ends.add(Totals(points, cards, b, 2))
            continue
        for fourth in [banker_third.points] if banker_third else range(10):
            ends.add(Totals(points, cards, (b + fourth) % 10, 3))
    return ends


OF_THE_SET = frozenset((Finding.FOREIGN_CARD, Finding.WRONG_SET, Finding.NOT_SHUFFLED))
"""What concerns the set of cards: found between rounds, it leaves the settled round standing."""

BESIDE_CARDS = frozenset((Finding.INTERRUPTION, Finding.INSURANCE_NEGLECTED, Finding.UNCOVERED))
"""What has nothing to do with the cards."""

_FACTS = {
    Seen.WRONG_SET: Finding.WRONG_SET,
    Seen.NOT_SHUFFLED: Finding.NOT_SHUFFLED,
    Seen.CARDS_RUN_OUT: Finding.CARDS_RUN_OUT,
}


def weigh(table: Table, evidence: Evidence, *, is_possible: bool | None = None) -> tuple[Finding, ...]:
    """Everything that the evidence comes to, in the order in which a clause is looked for: a document silent on the
    first may speak of the next. Nothing is found where the table is lawful.

    `table` is the table before the case; `is_possible` is the House's word on reconstruction, None until it is given.
    """
    all_findings = tuple(dict.fromkeys(_findings(table, in_true_places(table, evidence), is_possible)))
    if evidence.slips and BESIDE_CARDS.issuperset(all_findings):
        return (Finding.RECORD_SLIP, *all_findings)
    return all_findings  # where the cards come to a clause, that decides, and the record is corrected with it


def _findings(table: Table, evidence: Evidence, is_possible: bool | None) -> Iterator[Finding]:
    """In the order of the documents: the first finding that a book speaks of decides."""
    if Seen.FOREIGN_CARD in evidence.seen or any(card.foreign for card in evidence.cards):
        yield Finding.FOREIGN_CARD
    for seen in evidence.seen:
        if seen in _FACTS:
            yield _FACTS[seen]
    book, cards = table.book, evidence.left
    is_wrong = all(
        has_wrong_number(book.play, order) or _is_one_short(table, evidence, order)
        for order in possible_orders(table.state.round_terms, book.play, evidence)
    )
    if is_wrong and is_possible is False:  # before all that follows, once the House has said no
        yield Finding.WRONG_NUMBER
    if len(evidence.group) > 1:
        yield Finding.DRAWN_TOGETHER
    places = known_hands(book.play, cards)
    for finding, _ in _of_places(table, cards, places):
        yield finding
    if is_dealing_error(table, evidence, places):
        yield Finding.DEALING_ERROR
    if is_wrong:
        yield Finding.WRONG_NUMBER
    if Seen.INTERRUPTION in evidence.seen:
        yield Finding.INTERRUPTION
    if Seen.INSURANCE_NEGLECTED in evidence.seen and neglected_bets(table):
        yield Finding.INSURANCE_NEGLECTED
    if Seen.UNCOVERED in evidence.seen:
        yield Finding.UNCOVERED


def _of_places(table: Table, cards: tuple[RoundCard, ...], places: Due) -> Iterator[tuple[Finding, RoundCard]]:
    """What the cards come to by where they lie and where they were due, each finding with the card that it is of."""
    due = list(zip(cards, places, strict=False))
    yield from ((Finding.WRONG_SIDE, card) for card, hand in due if hand and HANDS.get(card.lies) not in (None, hand))
    early = (card for i, (card, hand) in enumerate(due) if is_shown_early(table, card, i, hand))
    yield from ((Finding.FACE_UP, card) for card in early)
    yield from ((Finding.EXCESS, card) for card, hand in due if hand is None)
    for card in (*cards[len(places) :], *_before_antes(table, cards)):
        yield (Finding.EXPOSED if card.face is Face.UP else Finding.EXCESS), card


def cards_behind(table: Table, evidence: Evidence, finding: Finding) -> tuple[tuple[int, Hand | None], ...]:
    """The cards that make a finding what it is: their numbers in the evidence, and the hand that each was due to.

    `table` is the table before the case. What was seen beside cards has none.
    """
    told = in_true_places(table, evidence)
    cards = told.left
    places = known_hands(table.book.play, cards)
    if finding is Finding.FOREIGN_CARD:
        found = [card for card in told.cards if card.foreign]
    elif finding is Finding.RECORD_SLIP:
        found = list(told.slips)
    elif finding is Finding.DRAWN_TOGETHER:
        found = list(told.group)
    elif finding is Finding.DEALING_ERROR:
        found = [card for card in told.cards if _is_odd(table, card)]
    else:
        found = [card for kind, card in _of_places(table, cards, places) if kind is finding]
    due = {id(card): hand for card, hand in zip(cards, places, strict=False)}
    of_finding = {id(card) for card in found}
    numbered = enumerate(told.cards, start=1)
    return tuple((number, due.get(id(card))) for number, card in numbered if id(card) in of_finding)


def _before_antes(table: Table, cards: tuple[RoundCard, ...]) -> list[RoundCard]:
    """The cards that a report brought up and that left the shoe before antes were decided."""
    shown = table.book.ante.shown_cards if table.book.ante and open_antes(table) else len(cards)
    return [card for card in cards[shown:] if card.nth is None]


def _is_one_short(table: Table, evidence: Evidence, cards: tuple[RoundCard, ...]) -> bool:
    """Whether a round was settled with fewer cards than the table of play gives.

    Where one on record never left the shoe it is still to come, and the record was wrong, not the deal.
    """
    return table.state.is_reopened and not evidence.slips and is_short(table.book.play, cards)


def is_shown_early(table: Table, card: RoundCard, place: int, due: Hand | None) -> bool:
    """Whether a card lies in its place, but face up where cards are dealt face down."""
    if due is None or HANDS.get(card.lies) is not due:
        return False
    if table.state.round_terms.faces is Faces.UP or card.face is Face.DOWN:
        return False
    if card.nth is not None:
        return not table.state.recorded[card.nth - 1][1].face_up
    if card.carried and any(slot.card is card.card and slot.face_up for slot in table.state.carried):
        return False  # everybody had seen it when it was carried over
    return table.book.ante is None or place >= table.book.ante.shown_cards


def is_dealing_error(table: Table, evidence: Evidence, places: Due) -> bool:
    """Whether something went wrong in the deal that no clause before describes."""
    if any(_is_odd(table, card) for card in evidence.cards) or _is_one_short(table, evidence, evidence.left):
        return True
    is_early = table.state.phase is Phase.BETTING and table.book.betting.closes.by is Signal.CALL
    return is_early and any(card.lies is not Place.SHOE for card in evidence.brought) and bool(places)


def _is_odd(table: Table, card: RoundCard) -> bool:
    if card.foreign or card.lies is Place.SHOE:
        return False
    if card.is_recovered or card.was is not None or card.is_moved:
        return True
    if table.state.round_terms.faces is Faces.UP and card.face is Face.DOWN:
        return card.nth is None or table.state.recorded[card.nth - 1][1].face_up
    return card.together


def is_to_be_put_right(book: Book, evidence: Evidence) -> bool:
    """Whether the hands as they lie are not those that the order of the cards makes."""
    due = due_hands(book.play, evidence.left)
    if due is None or any(card.lies is Place.SHOE or (card.nth and card.foreign) for card in evidence.cards):
        return True
    return any(hand is None or HANDS.get(card.lies) is not hand for card, hand in zip(evidence.left, due, strict=True))


_AWAITS = {
    Remedy.VOID: Awaits.VOID,
    Remedy.VOID_UNLESS_RECONSTRUCTED: Awaits.JUDGEMENT,
    Remedy.RECONSTRUCT: Awaits.JUDGEMENT,
    Remedy.PLAY_ON: Awaits.OPTIONS,
    Remedy.ORDER_CARDS: Awaits.ORDER,
    Remedy.COMPLETE_OR_VOID: Awaits.NOTHING,
    Remedy.NO_EFFECT: Awaits.NOTHING,
    Remedy.RETURN_BETS: Awaits.RETURN_BETS,
    Remedy.RULING: Awaits.RULING,
}
"""What a case waits for first, by the remedy of its clause."""


_RECORD_SLIP = Irregularity(
    Finding.RECORD_SLIP,
    "A card on record never left the shoe: the record is corrected",
    Remedy.RECONSTRUCT,
    Role.PIT_SUPERVISOR,
)
"""No misdeal, so no document speaks of it: in every book a Pit Supervisor confirms it (house term)."""


def entry_on(book: Book, finding: Finding) -> Irregularity | None:
    """The remedy that there is for a finding: the book's, or ours for a slip of the record."""
    entry = book.irregularity(finding)
    return _RECORD_SLIP if entry is None and finding is Finding.RECORD_SLIP else entry


def rule_on(book: Book, finding: Finding) -> Irregularity:
    """What the book says about a finding; where it is silent, a ruling of the shift manager decides."""
    entry, other = entry_on(book, finding), book.irregularity(Finding.UNCOVERED)
    orders, clause = (other.orders, other.clause) if other else (Role.SHIFT_MANAGER, None)
    return entry or Irregularity(finding, "", Remedy.RULING, orders, clause, clause)


def find_clause(table: Table, case: Case, known: tuple[Finding, ...] | None = None) -> FoundClause:
    """The first clause that fits: the evidence, the table before the case and the House's word decide it.

    `known` is what the evidence comes to, where that has been worked out.
    """
    before = Table(table.book, case.before)
    all_findings = weigh(before, case.evidence, is_possible=case.is_possible) if known is None else known
    spoken = [f for f in all_findings if entry_on(table.book, f) is not None and f is not Finding.UNCOVERED]
    finding = (*spoken, *all_findings, Finding.DEALING_ERROR)[0]  # what fits nothing else is a dealing error
    rule = rule_on(table.book, finding)
    awaits = _awaits(before, case, rule)
    if awaits in HOUSE_DECIDES:
        is_ours = awaits is Awaits.JUDGEMENT or rule.orders_clause is None
        return FoundClause(finding, rule.clause, awaits, rule.orders, is_ours)
    clause = rule.clause
    if rule.remedy is Remedy.COMPLETE_OR_VOID and not is_certain(table):
        clause = rule.void_clause or clause  # an interruption without an outcome has one of its own
    return FoundClause(finding, clause, awaits, Role.PLAYER if awaits is Awaits.OPTIONS else None)


HOUSE_DECIDES = frozenset(Awaits) - {Awaits.OPTIONS, Awaits.NOTHING}


def is_certain(table: Table) -> bool:
    """Whether an outcome is established on whichever hands will be played: put right, or as they lie."""
    case = table.state.open_case
    evidence = in_true_places(Table(table.book, case.before), case.evidence)
    lying, *put_right = possible_hands(table.state.round_terms, table.book.play, evidence)
    hands = {None: [lying, *put_right], True: put_right, False: [lying]}[case.is_possible]
    return all(is_established(table.book, *each) for each in hands)


def _awaits(before: Table, case: Case, rule: Irregularity) -> Awaits:
    """What the case waits for now: what its remedy begins with, unless the cards or the House have settled that."""
    first, evidence = _AWAITS[rule.remedy], case.evidence
    judgement = Awaits.JUDGEMENT if case.is_possible is None else Awaits.OPTIONS  # the House speaks once
    if rule.remedy is Remedy.VOID_UNLESS_RECONSTRUCTED and case.is_possible is False:
        return Awaits.VOID  # the House has said that it cannot be reconstructed
    if rule.kind in OF_THE_SET and not before.state.is_in_round:
        return Awaits.NOTHING  # the settled round stands
    if first is Awaits.ORDER and is_order_known(before.state.round_terms, before.book.play, evidence):
        # Nobody has to set it; the House judges where it does not place every card, or the record was wrong.
        is_known = before.state.are_cards_in_play and due_by_order(before, evidence) is not None
        return Awaits.OPTIONS if is_known and not evidence.slips else judgement
    if rule.remedy is Remedy.PLAY_ON and is_to_be_put_right(before.book, evidence):
        return judgement  # something beside it is to be put right
    lacks = before.state.is_reopened and is_short(before.book.play, evidence.left)
    if rule.remedy is Remedy.RECONSTRUCT and not lacks and not is_to_be_put_right(before.book, evidence):
        return Awaits.OPTIONS  # the hands lie as they should: there is nothing to judge
    return judgement if first is Awaits.JUDGEMENT else first
