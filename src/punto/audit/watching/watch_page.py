"""A watch as a page for people, and as a record for programs."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Any

from punto.audit.watching.cut_card import CutSummary
from punto.audit.watching.seen import Mispaid
from punto.audit.watching.watch import Watch, WatchedAnswer
from punto.documents.number import percent
from punto.documents.page import Block, Grid, Listing, Page, Section, Style, figures
from punto.money import format_money

MOST_SHOWN = 1e9
"""Evidence beyond this is not written out."""


def watch_page(name: str, watch: Watch) -> Page:
    """Everything a watch says of a table."""
    return Page(f"Watch of {name}", tuple(watch_sections(watch)), lead=lead(watch))


def watch_sections(watch: Watch) -> list[Section]:
    """What a watch says of a table, part by part; what is wrong comes first."""
    sections = []
    if watch.repeated:
        pairs = tuple(f"Shoes {one} and {other} began with the same cards." for one, other in watch.repeated)
        sections.append(Section("An order that was seen before", (Listing(pairs),)))
    if watch.mispaid:
        sections.append(Section("Not paid by the book", (_mispaid(watch.mispaid),)))
    if watch.answers:
        sections.append(Section("What was asked", (_summary(watch), _EXPLAINED)))
        sections.append(Section("What came", tuple(map(_detail, filter(_has_come, watch.answers)))))
    if watch.cut is not None and watch.cut.shoes:
        sections.append(Section("Cut cards", (Listing(tuple(_cut(watch.cut))),)))
    return sections


def _cut(cut: CutSummary) -> Iterator[str]:
    yield f"{cut.came:,} of {cut.shoes:,} shoe{'' if cut.shoes == 1 else 's'} came to the cut card."
    if cut.rounds is not None:
        least, mean, most = cut.rounds
        yield f"It came in round {least} to {most} of its shoe, in round {mean:.1f} on average."
    if cut.left_early:
        yield f"Taken away before the cut card was due: shoes {_numbers(cut.left_early)}."
    if cut.wrong:
        yield f"Not called out in the round in which it was due: shoes {_numbers(cut.wrong)}."
    elif cut.came:
        yield "Every cut card was called out in the round in which it was due."


def _numbers(shoes: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, shoes[:MOST_LISTED]))
    return shown if len(shoes) <= MOST_LISTED else f"{shown} and {len(shoes) - MOST_LISTED:,} more"


MOST_LISTED = 20
"""Shoes, or lines, that are named one by one."""

_EXPLAINED = (
    "Evidence of 20 means: somebody who had bet against the honest table at fair odds, all the time, would "
    "now have 20 times the starting money. At an honest table that happens to at most 1 in 20, however "
    "often and whenever one looks. The limit takes into account how many questions are asked."
)


def lead(watch: Watch) -> tuple[str, ...]:
    """What a watch comes to, in a few sentences."""
    told = []
    if watch.answers:
        told.append(
            f"{_count(watch.rounds, 'round')} of {_count(watch.shoes, 'shoe')}, against the odds of the "
            "cards left before each."
        )
    if watch.left_out:
        are = "is" if watch.left_out == 1 else "are"
        told.append(f"{_count(watch.left_out, 'round')} in which something went wrong {are} not compared.")
    if is_empty(watch):
        return (*told, NOTHING_YET)
    if watch.not_watched:
        told.append(
            f"Not watched, because they ask for more than points or one pair: {', '.join(watch.not_watched)}."
        )
    if watch.is_quiet:
        told.append("Nothing here is beyond chance, and every bet was paid by the book.")
    told += wrong_sentences(watch)
    told.append(
        "Over the whole life of an honest table the chance of any false alarm is at most "
        f"{percent(watch.level, 2)}."
    )
    return tuple(told)


NOTHING_YET = "No round has been finished yet, so there is nothing to compare."


def is_empty(watch: Watch) -> bool:
    """Whether there is nothing yet that could be compared, and nothing wrong."""
    return not watch.answers and watch.is_quiet


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def wrong_sentences(watch: Watch) -> list[str]:
    """What speaks against an honest table that pays by the book, in a sentence each."""
    told = []
    if watch.alarms:
        told.append(f"Beyond chance: {', '.join(answer.question for answer in watch.alarms)}.")
    if watch.mispaid:
        count = len(watch.mispaid)
        told.append(f"Not paid by the book: {count:,} line{'' if count == 1 else 's'}.")
    if watch.repeated:
        told.append("The cards came in an order that was seen before.")
    if watch.cut is not None and watch.cut.wrong:
        told.append(f"The cut card was not called out when it was due: shoes {_numbers(watch.cut.wrong)}.")
    return told


def _summary(watch: Watch) -> Grid:
    rows = [
        (
            answer.question,
            _evidence(answer.course.now),
            _evidence(answer.course.greatest),
            _evidence(answer.limit),
            _verdict(answer),
        )
        for answer in watch.answers
    ]
    marks = {place: Style.BAD for place, answer in enumerate(watch.answers) if answer.is_beyond_chance}
    heads = ("question", "evidence now", "greatest", "limit", "verdict")
    return Grid(heads, tuple(rows), right=(1, 2, 3), marks=marks)


def _verdict(answer: WatchedAnswer) -> str:
    if answer.seen_after is not None:
        return f"beyond chance after {answer.seen_after:,} rounds"
    return "like chance" if _has_come(answer) else "no data yet"


def _has_come(answer: WatchedAnswer) -> bool:
    return any(answer.came) or any(answer.expected)


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
    for wrong in lines[:MOST_PAID]:
        bet = wrong.paid or wrong.due
        assert bet is not None
        paid = "no line" if wrong.paid is None else format_money(wrong.paid.net)
        due = "no line" if wrong.due is None else format_money(wrong.due.net)
        rows.append(
            (str(wrong.round), str(bet.box), bet.player, bet.area, format_money(bet.stake), paid, due)
        )
    heads = ("round", "box", "player", "bet", "stake", "paid", "due by the book")
    title = f"The first {MOST_PAID} of {len(lines):,} lines" if len(lines) > MOST_PAID else ""
    marks = dict.fromkeys(range(len(rows)), Style.BAD)
    return Grid(heads, tuple(rows), title, right=(4, 5, 6), marks=marks)


MOST_PAID = 100
"""Wrong lines that are shown."""


def _evidence(log: float) -> str:
    value = exp(min(log, 700.0))
    if value > MOST_SHOWN:
        return f"over {MOST_SHOWN:,.0f}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def watch_record(name: str, watch: Watch) -> dict[str, Any]:
    """A watch for programs; evidence is the natural logarithm of the e-value."""
    return {
        "table": name,
        "quiet": watch.is_quiet,
        "rounds": watch.rounds,
        "shoes": watch.shoes,
        "left_out": watch.left_out,
        "level": watch.level,
        "questions": [
            {
                "question": answer.question,
                "answers": list(answer.answers),
                "came": list(answer.came),
                "expected": list(answer.expected),
                "log_evidence": answer.course.now,
                "greatest_log_evidence": answer.course.greatest,
                "log_limit": answer.limit,
                "beyond_chance_after": answer.seen_after,
            }
            for answer in watch.answers
        ],
        "mispaid": [{"round": wrong.round, "paid": wrong.paid, "due": wrong.due} for wrong in watch.mispaid],
        "repeated_orders": [list(pair) for pair in watch.repeated],
        "not_watched": list(watch.not_watched),
        "cut_cards": None if watch.cut is None else _cut_record(watch.cut),
    }


def _cut_record(cut: CutSummary) -> dict[str, Any]:
    least, mean, most = cut.rounds or (None, None, None)
    return {
        "shoes": cut.shoes,
        "came": cut.came,
        "left_early": list(cut.left_early),
        "wrong": list(cut.wrong),
        "rounds": {"least": least, "mean": mean, "most": most},
    }
