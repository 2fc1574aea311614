"""A whole table to pay: the bets of several boxes, each in its turn, in the order of settlement."""

from __future__ import annotations

from dataclasses import dataclass

from punto.drill.answer import LONGEST, UnreadableAnswer, WinningsAnswer
from punto.drill.chance import Chance
from punto.drill.question import Question, QuestionKind, Topic, bet_name
from punto.drill.questions.payment import CHIP, MOST_CHIPS
from punto.drill.rehearsal import DEALER, Rehearsal
from punto.money import format_amount, format_money
from punto.rules.book import Book
from punto.rules.facts import Hand
from punto.rules.role import Role
from punto.rules.text.bet import Area
from punto.table import command as c
from punto.table import event as e
from punto.table.layout import SettledBet
from punto.table.terms import boxes_of

NAME = "boxes"
TWO, THREE = "two-boxes", "three-boxes"
_BOXES = {TWO: 2, THREE: 3}


@dataclass(frozen=True, slots=True)
class PayoutsAnswer:
    """What each of several bets wins, in their order."""

    stakes: tuple[int, ...]

    @property
    def hint(self) -> str:
        return f"{len(self.stakes)} results in order, such as 95 lost 0"

    def read(self, text: str) -> str:
        words = text.replace(";", " ").replace(", ", " ").split()
        if len(words) != len(self.stakes) or len(text) > 4 * LONGEST:
            raise UnreadableAnswer(f"answer with {self.hint}")
        try:
            return " ".join(
                WinningsAnswer(stake).read(word) for stake, word in zip(self.stakes, words, strict=True)
            )
        except UnreadableAnswer:
            raise UnreadableAnswer(f"answer with {self.hint}") from None

    def show(self, answer: str) -> str:
        shown = (
            WinningsAnswer(stake).show(word) for stake, word in zip(self.stakes, answer.split(), strict=True)
        )
        return ", ".join(word.removesuffix(", it goes back") for word in shown)


def boxes_subjects(_: Book) -> tuple[str, ...]:
    """By the number of boxes with bets."""
    return tuple(_BOXES)


def ask_boxes(book: Book, subject: str, chance: Chance) -> Question:
    """What each bet is paid, box by box."""
    table = Rehearsal(book)
    seats = range(1, boxes_of(book, table.table.terms) + 1)
    boxes = chance.some_of(seats, _BOXES[subject])
    laid = [bet for place, box in enumerate(boxes) for bet in _bets(table, box, chance, has_side=place == 0)]
    close = c.CloseBets(actor=DEALER, role=Role.DEALER)
    if table.takes(close):
        table.give(close)
    table.deal(chance.cards())
    settled = _settled(table)
    placed = ", ".join(
        f"box {box}: {format_money(stake)} on {bet_name(book, area)}" for box, area, stake in laid
    )
    results = "; ".join(
        f"box {bet.box} {bet_name(book, bet.area)} {bet.odds or bet.result.value}" for bet in settled
    )
    return Question(
        Topic(book.name, NAME, subject),
        f"{placed[:1].upper()}{placed[1:]}. What is paid on each bet, in the order of settlement?",
        PayoutsAnswer(tuple(bet.stake for bet in settled)),
        " ".join(format_amount(bet.net) for bet in settled),
        f"in this order: {results}",
        book.settlement.clause,
        table.cards(Hand.PLAYER),
        table.cards(Hand.BANKER),
        tuple((f"box {box}: {area}", stake) for box, area, stake in laid),
    )


KIND = QuestionKind(NAME, "what several boxes are paid", boxes_subjects, ask_boxes)


def _bets(table: Rehearsal, box: int, chance: Chance, *, has_side: bool) -> list[tuple[int, str, int]]:
    """A main bet of somebody in a box, and a side bet where one is wanted."""
    book, who = table.book, f"box {box}"
    if table.state.seats.get(box) is None:
        table.give(c.TakeSeat(actor=who, role=Role.PLAYER, box=box))
    else:
        who = table.state.seats[box]
    areas = [book.main_area(chance.one_of(list(Hand)))]
    sides = [bet.area for bet in book.bets if bet.kind is Area.SIDE and not bet.needs]
    if has_side and sides:
        areas.append(chance.one_of(sides))
    laid = []
    for area in areas:
        stake = chance.between(2, MOST_CHIPS) * CHIP
        table.give(c.PlaceBet(actor=who, role=Role.PLAYER, box=box, area=area, amount=stake))
        laid.append((box, area, stake))
    return laid


def _settled(table: Rehearsal) -> tuple[SettledBet, ...]:
    events = table.give(c.SettleRound(actor=DEALER, role=Role.DEALER))
    return next(event.bets for event in events if isinstance(event, e.RoundSettled))
