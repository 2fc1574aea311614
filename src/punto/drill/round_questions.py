"""Questions on a round without errors: who draws, who won, what is called, what bets and boxes are paid,
chips, insurance.

For each kind there are its subjects in a book and how one is asked; `ROUND_KINDS` lists them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from punto.coup.coup import Coup, deal, next_hand, points
from punto.drill import quiz
from punto.drill.quiz import Cards, Chance, Question, QuestionKind, Rehearsal, Topic, UnreadableAnswer, bet_name
from punto.money import format_amount, format_money, parse_amount
from punto.refusal import Refusal
from punto.rules.authority import Role
from punto.rules.book import Book
from punto.rules.book_text import Area
from punto.rules.outcome import Hand, Result, Winner, parse_odds, shown_odds
from punto.rules.table_of_play import STOOD
from punto.rules.wording import outcome_words, row_words
from punto.table.betting import PlaceBet
from punto.table.house import TakeSeat
from punto.table.insurance import TakeInsurance
from punto.table.settlement import RoundSettled, SettleRound
from punto.table.slip import SettlementLine, offers_of, settle_slip
from punto.table.terms import boxes_of

NOBODY = "nobody"

_FOUR_CARDS = "four-cards"
_BANKER_SUBJECT = "banker-"


def draw_subjects(book: Book) -> tuple[str, ...]:
    """Four cards on the table; and five, by the points that Banker has then."""
    return (_FOUR_CARDS, *(f"{_BANKER_SUBJECT}{points}" for points in range(10) if points not in book.play.naturals))


def ask_draw(book: Book, subject: str, chance: Chance) -> Question:
    # Each answer is looked for equally often, where it is possible: most hands of a shoe are the easy ones.
    wanted = chance.one_of([*Hand, None])
    number = 4 if subject == _FOUR_CARDS else 5

    def fits(cards: Cards) -> bool:
        player, banker = _dealt_hands(cards, number)
        if subject == _FOUR_CARDS:
            return True
        drawn = next_hand(book.play, player[:2], banker) is Hand.PLAYER
        return drawn and points(banker) == int(subject.removeprefix(_BANKER_SUBJECT))

    cards = chance.find_cards(fits, lambda cards: next_hand(book.play, *_dealt_hands(cards, number)) is wanted)
    player, banker = _dealt_hands(cards, number)
    right = next_hand(book.play, player, banker)
    why, clause = _why_drawn(book, player, banker)
    topic, form = Topic(book.name, "draw", subject), quiz.WordAnswer((*(hand.value for hand in Hand), NOBODY))
    answer = right.value if right is not None else NOBODY
    return Question(topic, "Who gets the next card?", form, answer, why, clause, player, banker)


def _dealt_hands(cards: Cards, number: int) -> tuple[Cards, Cards]:
    return (cards[0], cards[2], *cards[4:number]), (cards[1], cards[3])


def _why_drawn(book: Book, player: Cards, banker: Cards) -> tuple[str, str]:
    play, p, b = book.play, points(player[:2]), points(banker)
    if play.ends[p * 10 + b]:
        return f"Player {p}, Banker {b}: a natural ends the deal", book.play.naturals_clause
    stands = play.player[p]
    assert stands is not None
    if len(player) == 2 and stands.draws:
        return f"Player draws on {p}", stands.clause
    third = player[2].points if len(player) == 3 else STOOD
    banks = play.banker[third][b]
    assert banks is not None
    does = "draws" if banks.draws else "stands"
    if third == STOOD:
        return f"Player stands on {p}, and then Banker {does} on {b}", banks.clause
    return f"Player's third card counts {third}, and then Banker {does} on {b}", banks.clause


def ask_winner(book: Book, subject: str, chance: Chance) -> Question:
    wanted = chance.one_of(list(Winner))

    def fits(cards: Cards) -> bool:
        return f"{len(deal(book.play, cards).cards)}-cards" == subject

    coup = deal(book.play, chance.find_cards(fits, lambda cards: deal(book.play, cards).winner is wanted))
    topic, form = Topic(book.name, "winner", subject), quiz.WordAnswer(tuple(winner.value for winner in Winner))
    why = f"Player has {coup.player_points}, Banker has {coup.banker_points}"
    clause = book.play.tie_clause if coup.winner is Winner.TIE else book.play.winner_clause
    return Question(topic, "Who won?", form, coup.winner.value, why, clause, coup.player, coup.banker)


OPENS, CLOSES, DECLARES = "bets-open", "bets-close", "declare"
NOTHING_MORE = "nothing more"


def calls_subjects(book: Book) -> tuple[str, ...]:
    """The calls that the document has words for, and each thing that is declared."""
    betting = book.betting
    called = [name for name, call in ((OPENS, betting.opens), (CLOSES, betting.closes)) if call.words is not None]
    return (*called, *(f"{DECLARES}-{declaration.name}" for declaration, _ in book.declarations))


def ask_calls(book: Book, subject: str, chance: Chance) -> Question:
    return (_ask_call if subject in (OPENS, CLOSES) else _ask_declared)(book, subject, chance)


def _ask_call(book: Book, subject: str, chance: Chance) -> Question:
    opens, closes = book.betting.opens, book.betting.closes
    call, when = (opens, "open") if subject == OPENS else (closes, "close")
    assert call.words is not None
    known = {call.words.en for call in (opens, closes) if call.words is not None}
    known |= {declaration.labels.en for declaration, _ in book.declarations}
    phrases = tuple(chance.shuffled(sorted(known)))
    topic, form = Topic(book.name, "calls", subject), quiz.WordAnswer(tuple(map(_phrase_word, phrases)), phrases)
    why = f"bets {when} with the call “{call.words.en}”"
    return Question(topic, f"Bets {when}. What do you call?", form, _phrase_word(call.words.en), why, call.clause)


def _ask_declared(book: Book, subject: str, chance: Chance) -> Question:
    """A finished deal: which of the declarations belongs to it, if one does."""
    wanted = subject.removeprefix(f"{DECLARES}-")
    is_declared = chance.happens(0.7)

    def fits(cards: Cards) -> bool:
        names = deal(book.play, cards).declared(book)
        return (names == (wanted,)) if is_declared else not names

    # Some things come seldom alone, and some books declare something over every deal.
    coup = deal(book.play, chance.find_cards(lambda cards: len(deal(book.play, cards).declared(book)) <= 1, fits))
    names = coup.declared(book)
    declared = {declaration.name: declaration for declaration, _ in book.declarations}
    right = declared[names[0]] if names else None
    phrases = (*(declaration.labels.en for declaration in declared.values()), NOTHING_MORE)
    topic, form = Topic(book.name, "calls", subject), quiz.WordAnswer(tuple(map(_phrase_word, phrases)), phrases)
    text = "What do you call besides the points and the winner?"
    points = f"Player {coup.player_points}, Banker {coup.banker_points}"
    if right is None:
        answer, clause = NOTHING_MORE, book.play.points_clause
        why = f"{points}: only the points and the winner are called"
    else:
        answer, clause, why = right.labels.en, right.clause, f"{points}: “{right.labels.en}” is called"
    return Question(topic, text, form, _phrase_word(answer), why, clause, coup.player, coup.banker)


def _phrase_word(phrase: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in phrase.lower()).split())


PAYMENT_TRIES = 4000
STAKE_CHIP = 5_00  # Stakes are whole numbers of these, in minor units.
MOST_CHIPS = 60
CHANCE_OF_A_WIN = 0.7  # How often a winning deal is looked for: what a dealer must know is mostly what to pay.
CHANCE_GIVEN_UP = 0.2


def ask_pays(book: Book, area: str, chance: Chance) -> Question:
    wants_win = chance.happens(CHANCE_OF_A_WIN)
    settled: tuple[Coup, dict[str, int], SettlementLine] | None = None
    for _ in range(PAYMENT_TRIES):
        coup = deal(book.play, chance.cards())
        slip = _payment_slip(book, coup, area, chance)
        if not slip or isinstance(lines := settle_slip(book, coup, slip), Refusal):
            continue
        line = next(line for line in lines if line.area == area)
        settled = coup, slip, line
        if (line.outcome.result is Result.WIN) is wants_win:
            break
    assert settled is not None, "every bet can be placed on some deal"
    coup, slip, line = settled
    bet, label = book.bet(area), bet_name(book, area)
    given_up = ", given up" if bet is not None and bet.kind is Area.ANTE and len(slip) == 1 else ""
    placed = " and ".join(f"{format_money(stake)} on {bet_name(book, one)}" for one, stake in slip.items())
    text = f"{placed}{given_up}. What is paid on {label}?"
    outcome = line.outcome
    result = {Result.PUSH: "is returned", Result.LOSE: "loses"}.get(outcome.result) or f"pays {outcome_words(outcome)}"
    points = f"Player {coup.player_points}, Banker {coup.banker_points}"
    why = f"{points}: {label} {result}{_paid_row_words(book, coup, line)}"
    topic, form, answer = Topic(book.name, "pays", area), quiz.WinningsAnswer(line.stake), format_amount(line.net)
    stakes = tuple(slip.items())
    return Question(topic, text, form, answer, why, outcome.clause, coup.player, coup.banker, stakes)


def _payment_slip(book: Book, coup: Coup, area: str, chance: Chance) -> dict[str, int]:
    """A stake on the area, and on the area it needs beside it; empty where the area is not offered."""
    stake = chance.between(2, MOST_CHIPS) * STAKE_CHIP
    if area in book.insurance_areas:
        offer = offers_of(book, coup).get(area)
        if offer is None:
            return {}
        most = int(stake / offer.odds)
        return {book.main_area(offer.hand): stake, area: most - most % 100 or most}
    bet, ante = book.bet(area), book.ante
    assert bet is not None
    if ante is not None and bet.kind in (Area.ANTE, Area.WAGER):
        pair = next(pair for pair in ante.pairs if area in (pair.ante, pair.wager))
        if area == pair.ante and chance.happens(CHANCE_GIVEN_UP):
            return {pair.ante: stake}
        return {pair.ante: stake, pair.wager: stake * ante.multiple}
    beside = {chance.one_of(bet.needs): stake} if bet.needs else {}
    return {**beside, area: stake}


def _paid_row_words(book: Book, coup: Coup, line: SettlementLine) -> str:
    """The row that decided a bet whose rows overlap: odds alone do not say why. Insurance has no rows."""
    table = book.pay_tables.get(line.area)
    if table is None or not any(row.is_overlapped for row in table.rows):
        return ""
    row = table.settled_row(coup.facts, coup.player, coup.banker)
    if row.outcome != line.outcome:  # an ante that was given up is lost by its own clause
        return ""
    return f" ({row_words(row, name_of=lambda area: bet_name(book, area))})"


_NUMBER_OF_BOXES = {"two-boxes": 2, "three-boxes": 3}


@dataclass(frozen=True, slots=True)
class PayoutsAnswer:
    """What each of several bets wins, in their order."""

    stakes: tuple[int, ...]

    @property
    def hint(self) -> str:
        return f"{len(self.stakes)} results in order, such as 95 lost 0"

    def read(self, text: str) -> str:
        words = text.replace(";", " ").replace(", ", " ").split()
        if len(words) != len(self.stakes) or len(text) > 4 * quiz.LONGEST_ANSWER:
            raise UnreadableAnswer(f"answer with {self.hint}")
        try:
            return " ".join(form.read(word) for form, word in zip(self._forms, words, strict=True))
        except UnreadableAnswer:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        results = (form.show(word) for form, word in zip(self._forms, answer.split(), strict=True))
        return ", ".join(word.removesuffix(", the stake is returned") for word in results)

    @property
    def _forms(self) -> list[quiz.WinningsAnswer]:
        return [quiz.WinningsAnswer(stake) for stake in self.stakes]


def ask_boxes(book: Book, subject: str, chance: Chance) -> Question:
    table = Rehearsal(book)
    seats = range(1, boxes_of(book, table.table.terms) + 1)
    boxes = chance.some_of(seats, _NUMBER_OF_BOXES[subject])
    laid = [bet for box in boxes for bet in _box_bets(table, box, chance, has_side=box == boxes[0])]
    table.close()
    table.deal(chance.cards())
    events = table.give(SettleRound(actor=quiz.DEALER, role=Role.DEALER))
    settled = next(event.bets for event in events if isinstance(event, RoundSettled))
    placed = ", ".join(f"box {box}: {format_money(stake)} on {bet_name(book, area)}" for box, area, stake in laid)
    results = "; ".join(
        f"box {bet.box} {bet_name(book, bet.area)} {shown_odds(bet.odds) if bet.odds else bet.result.value}"
        for bet in settled
    )
    text = f"{placed[:1].upper()}{placed[1:]}. What is paid on each bet, in the order of settlement?"
    topic, form = Topic(book.name, "boxes", subject), PayoutsAnswer(tuple(bet.stake for bet in settled))
    answer, why = " ".join(format_amount(bet.net) for bet in settled), f"in this order: {results}"
    stakes = tuple((f"box {box}: {area}", stake) for box, area, stake in laid)
    return Question(topic, text, form, answer, why, book.settlement.clause, *table.hands, stakes)


def _box_bets(table: Rehearsal, box: int, chance: Chance, *, has_side: bool) -> list[tuple[int, str, int]]:
    """A main bet of somebody in a box, and a side bet where one is wanted."""
    book, seated = table.book, table.state.seats.get(box)
    who = seated or f"box {box}"
    if seated is None:
        table.give(TakeSeat(actor=who, role=Role.PLAYER, box=box))
    areas = [book.main_area(chance.one_of(list(Hand)))]
    sides = [bet.area for bet in book.bets if bet.kind is Area.SIDE and not bet.needs]
    if has_side and sides:
        areas.append(chance.one_of(sides))
    laid = []
    for area in areas:
        stake = chance.between(2, MOST_CHIPS) * STAKE_CHIP
        table.give(PlaceBet(actor=who, role=Role.PLAYER, box=box, area=area, amount=stake))
        laid.append((box, area, stake))
    return laid


CHIP_VALUES = (5000_00, 1000_00, 500_00, 100_00, 25_00, 5_00, 1_00)
"""Chips of the rack, in minor units. Each divides the next larger one: taking the largest first is best."""
_CHIP_WORDS = ", ".join(format_money(value) for value in reversed(CHIP_VALUES))
SMALL_PAYOUT, LARGE_PAYOUT = "up-to-500", "up-to-20000"
_MOST_PAID = {SMALL_PAYOUT: 500, LARGE_PAYOUT: 20_000}
_COUNTED_CHIPS = re.compile(r"(?:(\d{1,3})\s*[x*×]\s*)?([\d.]+)")


@dataclass(frozen=True, slots=True)
class ChipsAnswer:
    """How many chips of each value, the largest first."""

    hint: ClassVar[str] = "chips and values, such as 3x100 1x25 2x5"

    def read(self, text: str) -> str:
        typed = text.strip().lower()[: 2 * quiz.LONGEST_ANSWER].replace(",", " ").replace("+", " ")
        counted = dict.fromkeys(CHIP_VALUES, 0)
        try:
            if _COUNTED_CHIPS.sub(" ", typed).strip() or not typed.strip():
                raise ValueError
            for number, value in _COUNTED_CHIPS.findall(typed):
                counted[parse_amount(value)] += int(number or 1)
        except (ValueError, KeyError):
            raise UnreadableAnswer(f"answer with {self.hint}; the chips are {_CHIP_WORDS}") from None
        return _chips_form(counted)

    def show(self, answer: str) -> str:
        parts = (part.split("x") for part in answer.split())
        return ", ".join(f"{number} × {format_money(parse_amount(value))}" for number, value in parts)


def ask_chips(book: Book, subject: str, chance: Chance) -> Question:
    least = 6 if subject == SMALL_PAYOUT else _MOST_PAID[SMALL_PAYOUT]
    amount = chance.between(least, _MOST_PAID[subject]) * 100
    counted = fewest_chips(amount)
    topic, text = (
        Topic(book.name, "chips", subject),
        f"Pay {format_money(amount)} with the fewest chips of {_CHIP_WORDS}.",
    )
    why = f"{sum(counted.values())} chips make {format_money(amount)}, the largest first"
    return Question(topic, text, ChipsAnswer(), _chips_form(counted), why, None)


def fewest_chips(amount: int) -> dict[int, int]:
    counted = {}
    for value in CHIP_VALUES:
        counted[value], amount = divmod(amount, value)
    assert amount == 0, "amounts are whole numbers of the smallest chip"
    return counted


def _chips_form(counted: dict[int, int]) -> str:
    return " ".join(f"{number}x{format_amount(value)}" for value, number in counted.items() if number)


CHANCE_OF_AN_OFFER = 0.7


def ask_insurance(book: Book, subject: str, chance: Chance) -> Question:
    hand, window = book.insurance_areas[subject]
    stake = chance.between(4, MOST_CHIPS) * STAKE_CHIP
    table, taken = _table_at_window(book, hand, _window_cards(book, hand, window, chance), stake, chance)
    offer = next((made for made in table.state.offers if made.hand is hand), None)
    why, clause = _why_offered(table, hand, stake, offer.odds if offer else None)
    topic, stakes = Topic(book.name, "insurance", subject), ((book.main_area(hand), stake),)
    text = f"{format_money(stake)} is on {hand.value.title()}{taken}. Which insurance is offered on it now?"
    answer = quiz.offer_form(offer.odds, offer.most) if offer else quiz.NO_OFFER
    return Question(topic, text, quiz.OfferAnswer(), answer, why, clause, *table.hands, stakes)


def _window_cards(book: Book, hand: Hand, window: int, chance: Chance) -> Cards:
    """Cards that reach the window, mostly such that the pay table has a row for them."""
    wants_offer = chance.happens(CHANCE_OF_AN_OFFER)
    for _ in range(quiz.MOST_TRIES):
        cards = chance.cards()[:window]
        player, banker = (cards[0], cards[2], *cards[4:]), (cards[1], cards[3])
        if window > 4 and next_hand(book.play, player[:2], banker) is not Hand.PLAYER:
            continue
        third = player[2].points if window > 4 else None
        offers = book.open_offers(window, points(player), points(banker), third)
        if any(offer.hand is hand for offer in offers) is wants_offer:
            return cards
    raise AssertionError("some cards reach every window")


def _table_at_window(book: Book, hand: Hand, cards: Cards, stake: int, chance: Chance) -> tuple[Rehearsal, str]:
    """The table at the window, and in words what was insured before."""
    table = Rehearsal(book)
    table.bet(hand, stake)
    table.deal(cards[:4])
    if len(cards) == 4:
        return table, ""
    first = next((made for made in table.state.offers if made.hand is hand), None)
    taken = ""
    if first is not None:  # whoever declines the first offer gets no second one
        chip = table.table.terms.chip
        amount = chance.between(1, first.most // chip) * chip
        table.give(TakeInsurance(actor=quiz.PLAYER, role=Role.PLAYER, box=quiz.BOX, hand=hand, amount=amount))
        taken = f", insured after four cards with {format_money(amount)} at {shown_odds(first.odds)}"
    table.deal(cards[4:])
    return table, taken


def _why_offered(table: Rehearsal, hand: Hand, stake: int, odds: str | None) -> tuple[str, str]:
    """Why that is offered: the pay table, the card to come, and what earlier insurance has used up."""
    insurance = table.book.insurance
    assert insurance is not None
    player = tuple(card for card in table.cards(Hand.PLAYER) if card is not None)
    banker = tuple(card for card in table.cards(Hand.BANKER) if card is not None)
    p, b, number = points(player), points(banker), len(player) + len(banker)
    at = f"at Player {p}, Banker {b} with {number} cards"
    promised = sum(taken.amount * parse_odds(taken.odds) for taken in table.state.insured)
    if odds is not None:
        less = f" less {format_money(Fraction(promised))} already promised" if promised else ""
        cap = f"; no more may be paid than {format_money(stake)}{less}"
        return f"the pay table has {odds} for {hand.value.title()} {at}{cap}", insurance.cap_clause
    cells = table.book.offers.cells.get((number, p, b), ())
    if not any(cell.hand is hand for cell in cells):
        return f"the pay table has nothing for {hand.value.title()} {at}", insurance.table_clause
    third = player[2].points if len(player) == 3 else None
    if not table.book.play.brings_card(p, b, third):
        return f"no card is to come {at}", insurance.draw_clause
    return "what is left of the bet is less than a chip at these odds", insurance.cap_clause


ROUND_KINDS: tuple[QuestionKind, ...] = (
    QuestionKind("draw", "who draws", draw_subjects, ask_draw),
    QuestionKind("winner", "who won", lambda _: ("4-cards", "5-cards", "6-cards"), ask_winner),
    QuestionKind("pays", "what a bet pays", lambda book: book.areas, ask_pays),
    QuestionKind("boxes", "what several boxes pay", lambda _: tuple(_NUMBER_OF_BOXES), ask_boxes),
    QuestionKind("chips", "breaking a pay-out into chips", lambda _: tuple(_MOST_PAID), ask_chips),
    QuestionKind("calls", "the words to call", calls_subjects, ask_calls),
    QuestionKind("insurance", "which insurance is offered", lambda book: tuple(book.insurance_areas), ask_insurance),
)
