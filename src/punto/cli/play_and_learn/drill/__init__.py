"""`punto drill`: questions for dealers in training, marked, explained with the clause, repeated when missed.

Rounds and cases are random; the right answers come from the book, through the engine that runs a table by it.
"""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import open_book
from punto.cli.options.completion import complete_book, complete_kind
from punto.cli.terminal.say import refuse
from punto.suggestion import did_you_mean

USUAL_QUESTIONS = 20
MOST_QUESTIONS = 1000
LONGEST_TARGET = 600
MOST_WEIGHT = 100


def drill(
    book: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOOK]",
            help="A built-in book or the path of a TOML file. Default: all built-in books.",
            show_default=False,
            autocompletion=complete_book,
        ),
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", metavar="N", help="How many questions.")
    ] = USUAL_QUESTIONS,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="KIND",
            help="draw, winner, pays, boxes, chips, calls, insurance, clause, remedy, decides or options; "
            "may be repeated.",
            autocompletion=complete_kind,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="A whole number that fixes the questions.")
    ] = None,
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            metavar="KIND=N",
            help="Ask a kind N times as often as one of weight 1; 0 leaves it out. May be repeated.",
            show_default=False,
        ),
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            metavar="FILE",
            help="The file to keep the score in; with --report several, to see them side by side.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target", metavar="SECONDS", help="How long an answer should take at most.", show_default=False
        ),
    ] = None,
    report: Annotated[
        bool,
        typer.Option("--report", help="Show how each topic and clause has gone so far, and ask nothing."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="With --report: write it as .html."),
    ] = None,
    json: Annotated[
        bool,
        typer.Option("--json", help="A scripted sitting: answers as lines on stdin, JSON Lines on stdout."),
    ] = False,
) -> None:
    """Ask what a dealer must know, mark the answers, and repeat what went wrong."""
    from punto.books import NAMES, load
    from punto.cli.play_and_learn.drill.examiner import hold_sitting, show_mastery
    from punto.drill.syllabus import KINDS

    if not 1 <= questions <= MOST_QUESTIONS:
        refuse(f"--questions takes 1 to {MOST_QUESTIONS}, not {questions}")
    weights = _weights(weight or [])
    for kind in (*(only or ()), *weights):
        if kind not in KINDS:
            meant = did_you_mean(kind, KINDS)
            refuse(f"there is no kind {kind}{meant}; the kinds are {', '.join(KINDS)}")
    books = [open_book(book)] if book is not None else [load(name) for name in NAMES]
    kinds = tuple(kind for kind in KINDS if (only is None or kind in only) and weights.get(kind, 1))
    if report:
        show_mastery(books, score or [], output, is_json=json)
        return
    if len(score or []) > 1:
        refuse("a sitting keeps one score; several are for --report")
    if not kinds:
        refuse("--weight leaves no kind to ask")
    if output is not None:
        refuse("--output goes with --report")
    if target is not None and not 0 < target <= LONGEST_TARGET:
        refuse(f"--target must be from 0 to {LONGEST_TARGET} seconds, not {target:g}")
    status = hold_sitting(
        books,
        kinds,
        weights=weights,
        questions=questions,
        seed=seed,
        score=score[0] if score else None,
        target=target,
        is_script=json,
    )
    raise typer.Exit(status)


def _weights(texts: list[str]) -> dict[str, int]:
    """How often each kind is to come."""
    found: dict[str, int] = {}
    for text in texts:
        kind, _, number = text.partition("=")
        if not (number.isascii() and number.isdecimal() and int(number[:4]) <= MOST_WEIGHT):
            refuse(f"--weight takes KIND=N with N from 0 to {MOST_WEIGHT}, such as pays=3, not {text!r}")
        if kind in found:
            refuse(f"--weight {kind} is given more than once")
        found[kind] = int(number)
    return found
