"""`punto play`, `drill` and `demo`: their options. The game and the examiner, with Rich and the engine, are
loaded when one sits down.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.deal_commands import draw_rounds, shoe_tally
from punto.cli.options import JsonOption, argument, complete_book, complete_kind, open_book, option
from punto.cli.output import answer_json, refuse
from punto.cli.shoe_options import DecksOption, allowed_decks
from punto.suggestion import did_you_mean

if TYPE_CHECKING:
    from punto.coup.coup import Coup
    from punto.rules.book import Book
    from punto.table.slip import SettlementLine


_usual = partial(option, show_default=True)


def play(
    book: Annotated[
        str | None,
        argument("[BOOK]", "A built-in book, or the path of a TOML file; without it you are asked.", complete_book),
    ] = None,
    seed: Annotated[
        int | None, option("--seed", "SEED", "A whole number that fixes the shoes; default: fresh ones.")
    ] = None,
    decks: DecksOption = None,
    layout: Annotated[str | None, option("--layout", "NAME", "The table's layout; punto rules lists them.")] = None,
    box: Annotated[list[int] | None, option("--box", "N", "The betting box to sit at; can be repeated.")] = None,
    bots: Annotated[int, _usual("--bots", "N", "Bots at the other boxes.", min=0)] = 0,
    squeeze: Annotated[
        bool, typer.Option("--squeeze", help="Deal face down, and peel your cards, where the book allows it.")
    ] = False,
    bankroll: Annotated[str, _usual("--bankroll", "AMOUNT", "Money to begin with.")] = "5000",
    minimum: Annotated[str, _usual("--min", "AMOUNT", "The minimum bet.")] = "10",
    maximum: Annotated[
        str, _usual("--max", "AMOUNT", "The maximum bet, or differential in a book that has one.")
    ] = "10000",
    save: Annotated[
        str | None, option("--save", "FILE", "Save the game in this file, or resume the one in it.")
    ] = None,
    game: Annotated[str | None, option("--game", "NAME", "Name the game, or resume the one of this name.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the saved games, and do not play.")] = False,
    delete: Annotated[str | None, option("--delete", "NAME", "Delete a saved game, and do not play.")] = None,
    export: Annotated[
        str | None,
        option("--export", "FILE", "Write the game of --game or --save to FILE.punto for punto run, and do not play."),
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new game without asking; saved ones are kept.")] = False,
    pace: Annotated[float | None, option("--pace", "SECONDS", "Time between cards; 0 deals at once.")] = None,
) -> None:
    """Play at a table in the terminal, against the house."""
    if list_ or delete is not None or export is not None:
        from punto.cli import play_saved_games as saved_games

        if list_ + (delete is not None) + (export is not None) > 1:
            refuse("give one of --list, --delete and --export")
        if list_:
            saved_games.list_games()
        elif delete is not None:
            saved_games.delete_game(delete)
        elif export is not None:
            saved_games.export_game(game, save, export)
        return
    from punto.cli.play_arrival import WantedGame, arrive

    rule_book = open_book(book) if book is not None else None
    boxes = tuple(dict.fromkeys(box or ()))
    wanted = WantedGame(
        save, game, new, pace, rule_book, seed, decks, layout, boxes, bots, squeeze, bankroll, minimum, maximum
    )
    raise typer.Exit(arrive(wanted))


USUAL_QUESTIONS = 20
MOST_QUESTIONS = 1000
LONGEST_TARGET = 600
MOST_WEIGHT = 100


def drill(
    book: Annotated[
        str | None,
        argument("[BOOK]", "A built-in book or the path of a TOML file. Default: all built-in books.", complete_book),
    ] = None,
    questions: Annotated[int, _usual("--questions", "N", "How many questions.")] = USUAL_QUESTIONS,
    only: Annotated[
        list[str] | None,
        option(
            "--only",
            "KIND",
            "draw, winner, pays, boxes, chips, calls, insurance, clause, remedy, decides or options; can be repeated.",
            autocompletion=complete_kind,
        ),
    ] = None,
    seed: Annotated[int | None, option("--seed", "SEED", "A whole number that fixes the questions.")] = None,
    weight: Annotated[
        list[str] | None,
        option(
            "--weight", "KIND=N", "Ask a kind N times as often as one of weight 1; 0 leaves it out. Can be repeated."
        ),
    ] = None,
    score: Annotated[
        list[str] | None,
        option(
            "--score",
            "FILE",
            "The file to keep the score in; can be repeated with --report, to see several side by side.",
        ),
    ] = None,
    target: Annotated[float | None, option("--target", "SECONDS", "How long an answer should take at most.")] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Show how each topic and clause has gone so far, and ask nothing.")
    ] = False,
    output: Annotated[str | None, option("--output -o", "FILE", "With --report: write it as .html.")] = None,
    json: Annotated[
        bool, typer.Option("--json", help="A scripted sitting: answers as lines on stdin, JSON Lines on stdout.")
    ] = False,
) -> None:
    """Ask what a dealer must know, mark the answers, and repeat missed questions."""
    from punto.books import NAMES, load
    from punto.cli.drill_sitting import hold_sitting, show_mastery
    from punto.drill.training import KINDS, Score, Sitting

    if not 1 <= questions <= MOST_QUESTIONS:
        refuse(f"--questions takes 1 to {MOST_QUESTIONS}, not {questions}")
    weights = _kind_weights(weight or [])
    for kind in (*(only or ()), *weights):
        if kind not in KINDS:
            refuse(f"there is no kind {kind}{did_you_mean(kind, KINDS)}; the kinds are {', '.join(KINDS)}")
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
    file = score[0] if score else None
    sitting = Sitting({one.name: one for one in books}, kinds, Score(), weights=weights)
    raise typer.Exit(hold_sitting(sitting, questions, seed, file, target, is_script=json))


def _kind_weights(texts: list[str]) -> dict[str, int]:
    weights: dict[str, int] = {}
    for text in texts:
        kind, _, number = text.partition("=")
        if not (number.isascii() and number.isdecimal() and int(number[:4]) <= MOST_WEIGHT):
            refuse(f"--weight takes KIND=N with N from 0 to {MOST_WEIGHT}, such as pays=3, not {text!r}")
        if kind in weights:
            refuse(f"--weight {kind} is given more than once")
        weights[kind] = int(number)
    return weights


# What `make play` shows where there is no terminal. The seeds are fixed, so everybody sees the same cards.
DEMO_SEED = 1272  # Seed of the first book's shoe; each further book takes the next.
DEMO_ROUNDS = 6
DEMO_STAKE = 100_00  # On every area, in cents.


def demo(json: JsonOption = False) -> None:
    """Deal a few rounds by every built-in book."""
    from punto.books import NAMES, load
    from punto.cards.source import seeded_bytes
    from punto.dealer.dealer import SeededRounds, deal_shoe
    from punto.rules.wording import counted

    shoes = []
    for seed, book in enumerate(map(load, NAMES), start=DEMO_SEED):
        decks = allowed_decks(book)
        shoe = deal_shoe(decks, seeded_bytes(seed))
        shoes.append((book, decks, seed, list(islice(shoe.rounds(book.play), DEMO_ROUNDS))))
    if json:
        answer_json({"shoes": [SeededRounds.of(*shoe) for shoe in shoes]})
        return
    from punto.cli.ink import show, tell
    from punto.documents.page import Style
    from punto.table.slip import SettledBets

    for book, decks, seed, coups in shoes:
        tell(book.title, Style.TITLE)
        tell(f"{counted(decks, 'deck')}, seed {seed}. The first {shoe_tally(coups)}", Style.QUIET)
        draw_rounds(book, coups)
        # The round that paid the longest odds says the most about the book.
        settled = enumerate((demo_settlement(book, coup) for coup in coups), start=1)
        number, lines = max(settled, key=lambda each: max(line.outcome.odds or 0 for line in each[1]))
        print(f"\nRound {number}, settled:")
        show(SettledBets(lines).table)
        print()
    tell("Next: punto rules BOOK, punto deal BOOK, punto settle BOOK ..., punto --help", Style.QUIET)


def demo_slip(book: Book, coup: Coup) -> dict[str, int]:
    """A stake on every area, a wager for each ante, and the first insurance offered on each hand."""
    from punto.rules.book_text import Area
    from punto.table.slip import offers_of

    multiple = book.ante.multiple if book.ante else 1
    slip = {bet.area: DEMO_STAKE * (multiple if bet.kind is Area.WAGER else 1) for bet in book.bets}
    insured = set()
    for area, offer in offers_of(book, coup).items():
        if offer.hand not in insured:
            insured.add(offer.hand)
            slip[area] = int(DEMO_STAKE / offer.odds)
    return slip


def demo_settlement(book: Book, coup: Coup) -> list[SettlementLine]:
    from punto.refusal import Refusal
    from punto.table.slip import settle_slip

    lines = settle_slip(book, coup, demo_slip(book, coup))
    assert not isinstance(lines, Refusal), "no book refuses a bet on each of its areas"
    return lines
