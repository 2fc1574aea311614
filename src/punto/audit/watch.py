"""Watching tables: every question with what came, what was expected, and the evidence against chance, for one table and
for a floor with tables of the same book together; each is a struct for programs, and has a page for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, log

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from punto.audit import evidence
from punto.audit.sight import CutSummary, Mispaid, SeenArrays, Sight, arrays_of, cut_summary
from punto.documents.page import Block, Grid, Listing, Page, Section, Style, figures, percent
from punto.money import format_money
from punto.odds.histograms import Histograms
from punto.rules.book import Book, digest_of
from punto.rules.wording import counted

LEVEL = 0.01  # Chance of a false alarm about a table, over its whole life.


class WatchedAnswer(msgspec.Struct, frozen=True):
    """What came to a question; evidence and its limit are natural logarithms of the e-value."""

    question: str
    answers: tuple[str, ...]
    came: tuple[float, ...]
    expected: tuple[float, ...]
    evidence: float = msgspec.field(name="log_evidence")
    greatest: float = msgspec.field(name="greatest_log_evidence")
    limit: float = msgspec.field(name="log_limit")  # From here on chance is ruled out at the level of the watch.
    seen_after: int | None = msgspec.field(name="beyond_chance_after")
    """Rounds settled when the limit was first exceeded; None where it never was."""

    @property
    def has_come(self) -> bool:
        return any(self.came) or any(self.expected)


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """What watching a table came to, or tables of one book together."""

    table: str = ""
    is_quiet: bool = msgspec.field(name="quiet", default=True)
    """Whether nothing speaks against an honest table that pays by the book: worked out from what follows."""
    rounds: int
    shoes: int
    left_out: int = 0  # Settled rounds that are not compared, because something had gone wrong in them.
    level: float
    answers: tuple[WatchedAnswer, ...] = msgspec.field(name="questions")
    mispaid: tuple[Mispaid, ...] = ()
    repeated: tuple[tuple[int, int], ...] = msgspec.field(name="repeated_orders", default=())
    """Shoes that began with the same cards in the same order."""
    not_watched: tuple[str, ...]  # Betting areas that ask for more than points, or for more than one pair.
    cut: CutSummary | None = msgspec.field(name="cut_cards", default=None)
    tables: tuple[str, ...] | UnsetType = UNSET  # Those that were watched together.

    def __post_init__(self) -> None:
        is_wrong = self.alarms or self.mispaid or self.repeated or (self.cut and self.cut.wrong)
        msgspec.structs.force_setattr(self, "is_quiet", not is_wrong)

    @property
    def alarms(self) -> tuple[WatchedAnswer, ...]:
        return tuple(answer for answer in self.answers if answer.seen_after is not None)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing yet that could be compared, and nothing wrong."""
        return not self.answers and self.is_quiet


def watch_table(table: str, sight: Sight, level: float = LEVEL) -> Watch:
    """Compare what was seen at a table with what an honest one brings."""
    shoes = [shoe for shoe in sight.shoes if shoe.rounds or shoe.cards]
    return msgspec.structs.replace(
        watch_arrays(sight.table.book, arrays_of(shoes), level),
        table=table,
        left_out=sight.left_out,
        mispaid=tuple(sight.mispaid),
        repeated=tuple(evidence.repeated_orders(shoes)),
        cut=cut_summary(shoes),
    )


def watch_arrays(book: Book, seen: SeenArrays, level: float = LEVEL) -> Watch:
    """Compare shoes and rounds in arrays with what an honest table brings, as far as arrays can tell."""
    questions, not_watched = evidence.questions_of(book)
    rounds_after = np.cumsum(np.bincount(seen.shoe, minlength=seen.shoes))
    answered, winnings = _asked_of_results(book, seen, questions)
    answered += evidence.ask_cards(seen)
    limit = log((len(answered) + 1) / level)
    limits = [limit] * len(answered)
    for nth, (player, rows) in enumerate(winnings.rows.items(), start=1):
        won, expected = winnings.won[player], winnings.expected[player]
        answered.append(evidence.AskedQuestion(f"winnings of {player}", rows, ("net",), (won,), (expected,)))
        limits.append(limit + log(nth * (nth + 1)))
    answers = []
    for one, limit in zip(answered, limits, strict=True):
        (course,) = evidence.courses(one.log_ratios, [one.log_ratios.shape[1]])
        first = course.first_over(limit)
        after = None if first is None else int(rounds_after[min(first, len(rounds_after) - 1)])
        logs = course.now, course.greatest, limit
        answers.append(WatchedAnswer(one.name, one.answers, one.came, one.expected, *logs, after))
    return Watch(rounds=seen.rounds, shoes=seen.shoes, level=level, answers=tuple(answers), not_watched=not_watched)


def _asked_of_results(
    book: Book, seen: SeenArrays, questions: tuple[evidence.RoundQuestion, ...]
) -> tuple[list[evidence.AskedQuestion], evidence.Winnings]:
    winnings, asking = evidence.Winnings(book, seen), evidence.AskedRounds(questions)
    if not seen.shoes:
        return [], winnings
    width, tilts = sum(asking.widths), len(evidence.TILTS)
    came, expected, ratios = np.zeros(width), np.zeros(width), np.zeros((seen.shoes, width * tilts))
    for start, totals in evidence.chances_by_totals(Histograms(book.play), seen):
        winnings.add(start, totals)
        came_here, chance = asking.answers_and_chances(seen, start, totals)
        places = seen.shoe[start : start + len(totals)]
        begins = np.flatnonzero(np.diff(places, prepend=-1))
        ratios[places[begins]] += evidence.tilted(came_here, chance, begins)
        came += came_here.sum(axis=0)
        expected += chance.sum(axis=0)
    by_tilt = ratios.reshape(seen.shoes, tilts, width)
    answered, start = [], 0
    for question, wide in zip(questions, asking.widths, strict=True):
        part = slice(start, start + wide)
        rows = by_tilt[:, :, part].reshape(seen.shoes, tilts * wide)
        here, due = (tuple(map(float, array[part])) for array in (came, expected))
        answered.append(evidence.AskedQuestion(question.name, rows, question.answers, here, due))
        start += wide
    return answered, winnings


# A fault that shows too rarely at one table, such as a bad deck that wanders from table to table or a player who does,
# adds up over the floor. Shoes of all tables of a book are taken in the order in which they were loaded, as if one
# table had dealt them. The level is for the floor as a whole: half of it is shared by the tables, half by the books.


class FloorWatch(msgspec.Struct, frozen=True):
    is_quiet: bool = msgspec.field(name="quiet")
    level: float
    tables: tuple[Watch, ...]
    together: tuple[Watch, ...]  # What tables of one book say together.


def watch_floor(sights: Mapping[str, Sight], level: float = LEVEL) -> FloorWatch:
    books: dict[str, list[str]] = {}
    for id, sight in sights.items():
        books.setdefault(digest_of(sight.table.book), []).append(id)
    groups = [tuple(ids) for ids in books.values() if len(ids) > 1]
    share = level / 2 if groups else level
    tables = tuple(watch_table(id, sight, share / len(sights)) for id, sight in sights.items())
    together = tuple(_together(sights, ids, share / len(groups)) for ids in groups)
    return FloorWatch(all(watch.is_quiet for watch in (*tables, *together)), level, tables, together)


def _together(sights: Mapping[str, Sight], ids: tuple[str, ...], level: float) -> Watch:
    shoes = [shoe for id in ids for shoe in sights[id].shoes if shoe.rounds or shoe.cards]
    shoes.sort(key=lambda shoe: shoe.time)
    watch = watch_arrays(sights[ids[0]].table.book, arrays_of(shoes), level)
    left_out = sum(sights[id].left_out for id in ids)
    return msgspec.structs.replace(watch, table=f"{', '.join(ids)} together", tables=ids, left_out=left_out)


MOST_SHOWN = 1e9  # Evidence beyond this is not written out.


def watch_page(watch: Watch) -> Page:
    return Page(f"Watch of {watch.table}", tuple(watch_sections(watch)), lead=watch_lead(watch))


def watch_sections(watch: Watch) -> list[Section]:
    """What a watch says of a table, part by part; what is wrong comes first."""
    sections = []
    if watch.repeated:
        pairs = tuple(f"Shoes {one} and {other} began with the same cards." for one, other in watch.repeated)
        sections.append(Section("An order that was seen before", (Listing(pairs),)))
    if watch.mispaid:
        sections.append(Section("Not paid by the book", (_mispaid(watch.mispaid),)))
    if watch.answers:
        sections.append(Section("What was asked", (_watch_summary(watch), _EXPLAINED)))
        sections.append(Section("What came", tuple(_detail(answer) for answer in watch.answers if answer.has_come)))
    if watch.cut is not None and watch.cut.shoes:
        sections.append(Section("Cut cards", (Listing(tuple(_cut_sentences(watch.cut))),)))
    return sections


def _cut_sentences(cut: CutSummary) -> Iterator[str]:
    yield f"{cut.came:,} of {counted(cut.shoes, 'shoe')} came to the cut card."
    if cut.came:
        rounds = cut.rounds
        yield f"It came in round {rounds.least} to {rounds.most} of its shoe, in round {rounds.mean:.1f} on average."
    if cut.left_early:
        yield f"Taken away before the cut card was due: shoes {_numbers(cut.left_early)}."
    if cut.wrong:
        yield f"Not called out in the round in which it was due: shoes {_numbers(cut.wrong)}."
    elif cut.came:
        yield "Every cut card was called out in the round in which it was due."


def _numbers(shoes: tuple[int, ...]) -> str:
    listed = ", ".join(map(str, shoes[:MOST_LISTED]))
    return listed if len(shoes) <= MOST_LISTED else f"{listed} and {len(shoes) - MOST_LISTED:,} more"


MOST_LISTED = 20  # Shoes, or lines, that are named one by one.

_EXPLAINED = (
    "Evidence of 20 means: somebody who had bet against the honest table at fair odds, all the time, would "
    "now have 20 times the starting money. At an honest table that happens to at most 1 in 20, however "
    "often and whenever one looks. The limit takes into account how many questions are asked."
)


def watch_lead(watch: Watch) -> tuple[str, ...]:
    sentences = []
    if watch.answers:
        counts = f"{counted(watch.rounds, 'round')} of {counted(watch.shoes, 'shoe')}"
        sentences.append(f"{counts}, against the odds of the cards left before each.")
    if watch.left_out:
        are = "is" if watch.left_out == 1 else "are"
        sentences.append(f"{counted(watch.left_out, 'round')} in which something went wrong {are} not compared.")
    if watch.is_empty:
        return (*sentences, NOTHING_YET)
    if watch.not_watched:
        areas = ", ".join(watch.not_watched)
        sentences.append(f"Not watched, because they ask for more than points or one pair: {areas}.")
    if watch.is_quiet:
        sentences.append(NOTHING_WRONG)
    chance = f"the chance of any false alarm is at most {percent(watch.level, 2)}"
    return (*sentences, *wrong_sentences(watch), f"Over the whole life of an honest table {chance}.")


NOTHING_YET = "No round has been finished yet, so there is nothing to compare."
NOTHING_WRONG = "Nothing here is beyond chance, and every bet was paid by the book."


def wrong_sentences(watch: Watch) -> list[str]:
    """What speaks against an honest table that pays by the book, in a sentence each."""
    sentences = []
    if watch.alarms:
        sentences.append(f"Beyond chance: {', '.join(answer.question for answer in watch.alarms)}.")
    if watch.mispaid:
        sentences.append(f"Not paid by the book: {counted(len(watch.mispaid), 'line')}.")
    if watch.repeated:
        sentences.append("The cards came in an order that was seen before.")
    if watch.cut is not None and watch.cut.wrong:
        sentences.append(f"The cut card was not called out when it was due: shoes {_numbers(watch.cut.wrong)}.")
    return sentences


def _watch_summary(watch: Watch) -> Grid:
    rows = []
    for answer in watch.answers:
        verdict = "like chance" if answer.has_come else "no data yet"
        if answer.seen_after is not None:
            verdict = f"beyond chance after {answer.seen_after:,} rounds"
        logs = (answer.evidence, answer.greatest, answer.limit)
        rows.append((answer.question, *map(_evidence_text, logs), verdict))
    marks = {place: Style.BAD for place, answer in enumerate(watch.answers) if answer.seen_after is not None}
    heads = ("question", "evidence now", "greatest", "limit", "verdict")
    return Grid(heads, tuple(rows), right=(1, 2, 3), marks=marks)


def _detail(answer: WatchedAnswer) -> Block:
    is_money = answer.question.startswith("winnings of ")
    rows = []
    for word, came, expected in zip(answer.answers, answer.came, answer.expected, strict=True):
        if not came and not expected:  # an answer that no deal can have
            continue
        if is_money:
            rows.append((word, format_money(round(came)), format_money(round(expected))))
        else:
            rows.append((word, f"{came:,.0f}", f"{expected:,.1f}"))
    return figures(answer.question, ("", "came", "expected"), tuple(rows))


def _mispaid(lines: tuple[Mispaid, ...]) -> Grid:
    rows = []
    for wrong in lines[:MOST_MISPAID_SHOWN]:
        bet = wrong.paid or wrong.due
        assert bet is not None
        nets = ("no line" if line is None else format_money(line.net) for line in (wrong.paid, wrong.due))
        rows.append((str(wrong.round), str(bet.box), bet.player, bet.area, format_money(bet.stake), *nets))
    heads = ("round", "box", "player", "bet", "stake", "paid", "due by the book")
    title = f"The first {MOST_MISPAID_SHOWN} of {len(lines):,} lines" if len(lines) > MOST_MISPAID_SHOWN else ""
    return Grid(heads, tuple(rows), title, right=(4, 5, 6), marks=dict.fromkeys(range(len(rows)), Style.BAD))


MOST_MISPAID_SHOWN = 100


def _evidence_text(log: float) -> str:
    value = exp(min(log, 700.0))
    if value > MOST_SHOWN:
        return f"over {MOST_SHOWN:,.0f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def floor_page(floor: FloorWatch) -> Page:
    """Everything that a watch says of a floor; of one table, its own page."""
    if len(floor.tables) == 1:
        return watch_page(floor.tables[0])
    # Tables that say more together: one of them alone is shown already.
    seen = {watch.table for watch in floor.tables if not watch.is_empty}
    joined = (watch for watch in floor.together if len(seen.intersection(watch.tables or ())) > 1 or not watch.is_quiet)
    shown = [*floor.tables, *joined]
    if not shown:
        return Page("Watch of the floor", (), lead=("There are no tables yet.",))
    level = (
        "Over the whole life of an honest floor the chance of any false alarm is at most "
        f"{percent(floor.level, 2)}: half of it is shared by the tables, half by tables of one book together."
    )
    rows = []
    for watch in shown:
        wrong = " ".join(wrong_sentences(watch)) or ("no rounds yet" if watch.is_empty else "nothing")
        rows.append((watch.table, f"{watch.rounds:,}", f"{watch.shoes:,}", wrong))
    marks = {place: Style.BAD for place, watch in enumerate(shown) if not watch.is_quiet}
    heads = ("table", "rounds", "shoes", "what is wrong")
    sections = [Section("All tables", (Grid(heads, tuple(rows), right=(1, 2), grows=3, marks=marks),))]
    for watch in shown:
        if not watch.is_empty:
            sections.append(Section(watch.table, watch_lead(watch)))
            sections += [Section(f"{watch.table}: {part.heading}", part.blocks) for part in watch_sections(watch)]
    return Page("Watch of the floor", tuple(sections), lead=(floor_sentence(floor), level) if seen else (NOTHING_YET,))


def floor_sentence(floor: FloorWatch) -> str:
    if not floor.is_quiet:
        return "Something here is beyond chance, or was not paid by the book."
    return NOTHING_YET if all(watch.is_empty for watch in floor.tables) else NOTHING_WRONG
