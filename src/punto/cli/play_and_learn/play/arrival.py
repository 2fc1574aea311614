"""Coming to a table and leaving it: which book, which box, a kept game or a new one, and the statement."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace
from rich.console import Console

from punto.books import NAMES, load
from punto.cli.options.database import now_ms
from punto.cli.play_and_learn.play.account.rounds import played_rounds
from punto.cli.play_and_learn.play.account.statement import statement_lines, statement_of
from punto.cli.play_and_learn.play.account.summary import summary_lines
from punto.cli.play_and_learn.play.amount import read_money
from punto.cli.play_and_learn.play.game import Game, Quit
from punto.cli.play_and_learn.play.screen import PlayScreen
from punto.cli.play_and_learn.play.solo_table import SoloTable, TableStopped
from punto.cli.terminal.console import WIDE, open_console
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.ink import columns
from punto.cli.terminal.say import REFUSED, complain, refuse
from punto.documents.columns import wrap
from punto.rules.book import Book
from punto.rules.text.betting import LimitKind
from punto.suggestion import did_you_mean
from punto.table.terms import Faces, Terms, boxes_of, default_terms, wrong_terms

USUAL_PACE = 0.6
"""Seconds from card to card: time to see each."""
INTERRUPTED = 130
SLOWEST = 60.0
NEW = "new"


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the command line says about a new game."""

    book: Book | None
    seed: int | None
    decks: int | None
    layout: str | None
    boxes: tuple[int, ...]
    bots: int
    has_squeeze: bool
    bankroll: str
    minimum: str
    maximum: str


def arrive(asked: NewGame, save: str | None, *, name: str | None, is_new: bool, pace: float | None) -> int:
    """Play until the player leaves; the exit status."""
    if pace is not None and not 0 <= pace <= SLOWEST:
        refuse(f"--pace takes 0 to {SLOWEST:g} seconds, not {pace:g}")
    dialogue, console = Dialogue(), open_console(WIDE)
    beat = pace if pace is not None else USUAL_PACE if dialogue.is_live else 0.0
    try:
        if dialogue.is_live or save is not None or name is not None:
            game = _sit_down(asked, dialogue, console, beat, save=save, name=name, is_new=is_new)
        else:  # a script that names no game keeps none
            game = _new_game(asked, dialogue, console, beat)
    except Left:
        return 0
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    return _stay(game)


def _stay(game: Game) -> int:
    """The game itself, and the way out of it."""
    status, is_over, why = 0, False, ""
    try:
        game.play()
    except Quit as left:
        is_over = left.is_over
    except Left:
        pass
    except TableStopped as stopped:
        status, why = REFUSED, f"the game cannot go on: {stopped}"
    except KeyboardInterrupt:
        status = INTERRUPTED
        print()
    _say_goodbye(game, is_over=is_over)
    if why:
        complain(why)
    return status


def _say_goodbye(game: Game, *, is_over: bool) -> None:
    screen = game.screen
    game.enquiry.show_roads()
    screen.say()
    screen.say("Your statement", "bold")
    for line in statement_lines(statement_of(game.bankroll, game.solo.events), screen.label):
        screen.say(line)
    for line in summary_lines(game.solo.book, game.solo.table.terms.decks, list(played_rounds(game.solo))):
        screen.say(line)
    if game.kept is not None:
        from punto.cli.play_and_learn.play.resumption import part

        part(game, is_over=is_over)


def _sit_down(
    asked: NewGame,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    *,
    save: str | None,
    name: str | None,
    is_new: bool,
) -> Game:
    """A kept game where there is one and it is wanted, otherwise a new one beside all that are kept."""
    from punto.cli.play_and_learn.play.resumption import begun, place_of, taken_up, wanted_game

    file = place_of(save, name)
    kept = wanted_game(asked, dialogue, console, file=file, name=name, is_new=is_new)
    if kept is not None:
        return taken_up(kept, asked, dialogue, console, pace, is_named=file is not None)
    game = _new_game(asked, dialogue, console, pace, clock=now_ms)
    game.kept = begun(game, file=file, is_new=is_new)
    return game


def _new_game(
    asked: NewGame,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    clock: Callable[[], int] | None = None,
) -> Game:
    """A new game that is not kept yet."""
    book = _choose_book(asked, dialogue, console)
    terms, bankroll = _terms(book, asked), _money("--bankroll", asked.bankroll)
    boxes = asked.boxes or _choose_boxes(book, terms, dialogue)
    seed = str(asked.seed) if asked.seed is not None else secrets.token_hex(32)
    solo = SoloTable(book, seed, clock)
    refusal = solo.open(terms, *boxes)
    if refusal is not None:
        refuse(refusal.sentence)
    if solo.seat_bots(asked.bots) < asked.bots:
        refuse(f"--bots: the table has room for {len(solo.bots())} bots, not {asked.bots}")
    screen = PlayScreen(console, book, pace)
    screen.say()
    screen.say(book.title, "bold")
    return Game(solo, screen, dialogue, bankroll=bankroll)


def list_choices(rows: list[tuple[str, str]]) -> None:
    """What can be chosen, each with its number; a long title goes on under itself."""
    room = max(len(name) for name, _ in rows) + 2
    for number, (name, text) in enumerate(rows, start=1):
        for line in wrap(text, columns(), f"  {number}  {name:<{room}}", " " * (room + 5)):
            print(line)


def _choose_book(asked: NewGame, dialogue: Dialogue, console: Console) -> Book:
    if asked.book is not None:
        return asked.book
    books = {name: load(name) for name in NAMES}
    console.print("Which table?", style="bold")
    list_choices([(name, book.title) for name, book in books.items()])
    dialogue.complete(NAMES)
    while True:
        line = dialogue.ask(f"book (1-{len(books)} or its name) [1] ").lower() or "1"
        if line.isascii() and line.isdecimal() and 1 <= int(line) <= len(books):
            line = NAMES[int(line) - 1]
        found = [name for name in NAMES if name.startswith(line)]
        if line in books or len(found) == 1:
            name = line if line in books else found[0]
            return books[name]
        meant = did_you_mean(line, NAMES)
        console.print(f"  There is no book {line} here{meant}.", highlight=False, markup=False)


def _choose_boxes(book: Book, terms: Terms, dialogue: Dialogue) -> tuple[int, ...]:
    """Where the player sits: asked at a terminal, the middle of the table for a script."""
    boxes = boxes_of(book, terms)
    middle = (boxes + 1) // 2
    while dialogue.is_live:
        words = dialogue.ask(f"Which box? (1-{boxes}) [{middle}] ").replace(",", " ").split()
        chosen = [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) < 4]
        if not words:
            break
        if len(chosen) == len(words) and all(1 <= box <= boxes for box in chosen):
            return tuple(dict.fromkeys(chosen))
        for line in wrap(
            f"The table has boxes 1 to {boxes}. Type one, or two such as 3 4.", columns(), "  ", "  "
        ):
            print(line)
    return (middle,)


def _terms(book: Book, asked: NewGame) -> Terms:
    terms = default_terms(book)
    if asked.layout is not None and not asked.layout.strip():
        refuse(f"--layout takes one of {', '.join(layout.name for layout in book.layouts)}")
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    most = _money("--maximum", asked.maximum)
    if asked.has_squeeze and book.squeeze is None:
        refuse(f"{book.name} has no squeeze; of the built-in books, insurance has one")
    terms = replace(
        terms,
        faces=Faces.DOWN if asked.has_squeeze else Faces.UP,
        decks=terms.decks if asked.decks is None else asked.decks,
        layout=asked.layout or terms.layout,
        minimum=_money("--minimum", asked.minimum),
        maximum=None if measured else most,
        differential=most if measured else None,
    )
    refusal = wrong_terms(book, terms)
    if refusal is not None:
        refuse(refusal.sentence)
    return replace(terms, boxes_each=boxes_of(book, terms))


def _money(option: str, text: str) -> int:
    try:
        return read_money(text)
    except ValueError as error:
        refuse(f"{option}: {error}")
