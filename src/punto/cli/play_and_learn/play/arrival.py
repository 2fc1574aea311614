"""Coming to a table and leaving it: which book, which box, a kept game or a new one, and the statement."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from punto.books import NAMES, load
from punto.cli.files.kept_file import data_file, named_file
from punto.cli.play_and_learn.play.game import Game, Quit
from punto.cli.play_and_learn.play.purse import balance, money, read_money
from punto.cli.play_and_learn.play.saved_game import SavedGame, WrongSave, read_game, restore
from punto.cli.play_and_learn.play.scene import Scene
from punto.cli.play_and_learn.play.session import Session
from punto.cli.play_and_learn.play.statement import statement_lines, statement_of
from punto.cli.terminal.console import open_console
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.say import refuse
from punto.rules.book import Book
from punto.rules.text.betting import LimitKind
from punto.table.terms import Terms, boxes_of, default_terms, wrong_terms

FILE = "game.json"
"""The kept game in the user's data folder."""
USUAL_PACE = 0.6
"""Seconds between cards: time to see each."""
INTERRUPTED = 130
SLOWEST = 60.0


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line says about a new game."""

    name: str | None
    book: Book | None
    seed: int | None
    decks: int | None
    layout: str | None
    box: int | None
    bankroll: str
    minimum: str
    maximum: str


def arrive(wishes: Wishes, save: str | None, *, is_new: bool, pace: float | None) -> int:
    """Play until the player leaves; the exit status."""
    if pace is not None and not 0 <= pace <= SLOWEST:
        refuse(f"--pace takes 0 to {SLOWEST:g} seconds, not {pace:g}")
    dialogue, console = Dialogue(), open_console()
    beat = pace if pace is not None else USUAL_PACE if dialogue.is_live else 0.0
    file = _file(save, dialogue)
    try:
        game = _sit_down(wishes, file, dialogue, console, beat, is_new=is_new, is_named=save is not None)
    except Left:
        return 0
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
    return _stay(game)


def _file(save: str | None, dialogue: Dialogue) -> Path | None:
    """Where the game is kept: a script keeps none unless it names a file."""
    if save is not None:
        return named_file("--save", save)
    return data_file(FILE) if dialogue.is_live else None


def _stay(game: Game) -> int:
    """The game itself, and the way out of it."""
    status, is_over = 0, False
    try:
        game.play()
    except Quit as left:
        is_over = left.is_over
    except Left:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
        print()
    _say_goodbye(game, is_over=is_over)
    return status


def _say_goodbye(game: Game, *, is_over: bool) -> None:
    scene = game.scene
    scene.say()
    scene.say("Your statement", "bold")
    for line in statement_lines(statement_of(game.bankroll, game.session.events), scene.label):
        scene.say(line)
    if game.file is None:
        return
    if is_over:
        game.file.unlink(missing_ok=True)
        scene.say("The game is over, and nothing of it is kept.")
        return
    game.save()
    if game.file is not None:
        again = "punto play" if game.file == data_file(FILE) else f"punto play --save {game.file}"
        scene.say(f"The game is kept in {game.file}; {again} goes on with it.")


def _sit_down(
    wishes: Wishes,
    file: Path | None,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    *,
    is_new: bool,
    is_named: bool,
) -> Game:
    """A kept game where there is one and it is wanted, otherwise a new one."""
    kept = None if is_new else _kept(file)
    if kept is not None and file is not None:
        game = _resume(kept, file, wishes, dialogue, console, pace, is_named=is_named)
        if game is not None:
            return game
    name, book = _choose_book(wishes, dialogue, console)
    terms, bankroll = _terms(book, wishes), _money("--bankroll", wishes.bankroll)
    box = wishes.box if wishes.box is not None else _choose_box(book, terms, dialogue)
    session = Session(book, str(wishes.seed) if wishes.seed is not None else secrets.token_hex(16))
    refusal = session.open(terms, box)
    if refusal is not None:
        refuse(refusal.sentence)
    scene = Scene(console, book, pace)
    scene.say()
    scene.say(book.title, "bold")
    return Game(session, scene, dialogue, book=name, bankroll=bankroll, file=file)


def _kept(file: Path | None) -> SavedGame | None:
    if file is None:
        return None
    try:
        return read_game(file)
    except WrongSave as error:
        refuse(f"{error}; --new begins a game in its place")


def _resume(
    kept: SavedGame,
    file: Path,
    wishes: Wishes,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    *,
    is_named: bool,
) -> Game | None:
    """The kept game, unless the player would rather begin another."""
    try:
        session = restore(file, kept)
    except WrongSave as error:
        refuse(f"{error}; --new begins a game in its place")
    named = wishes.book.name if wishes.book is not None else None
    same_book = named in (None, session.book.name)
    if is_named and not same_book:
        refuse(f"{file} holds a game of {session.book.name}, not of {named}; --new begins one in its place")
    scene = Scene(console, session.book, pace)
    in_hand = money(balance(kept.bankroll, session.events))
    scene.say(f"There is a game of {session.book.title}: round {session.state.round}, in hand {in_hand}.")
    # Whoever names another book most likely means a new game; a new one takes the place of the old.
    if not is_named and not _goes_on(dialogue, usual=same_book):
        return None
    game = Game(session, scene, dialogue, book=kept.book, bankroll=kept.bankroll, file=file)
    game.show_again()
    return game


def _goes_on(dialogue: Dialogue, *, usual: bool) -> bool:
    while True:
        line = dialogue.ask(
            f"Go on with it, or begin anew? (go or new) [{'go' if usual else 'new'}] "
        ).lower()
        if not line:
            return usual
        if line in ("g", "go", "y", "yes"):
            return True
        if line in ("n", "new", "no"):
            return False


def _choose_book(wishes: Wishes, dialogue: Dialogue, console: Console) -> tuple[str, Book]:
    if wishes.book is not None and wishes.name is not None:
        return wishes.name, wishes.book
    books = {name: load(name) for name in NAMES}
    console.print("[bold]Which table?[/]")
    for number, (name, book) in enumerate(books.items(), start=1):
        console.print(f"  {number}  {name:<12}{book.title}", highlight=False)
    while True:
        line = dialogue.ask(f"book (1-{len(books)} or its name) [1] ").lower() or "1"
        if line.isdecimal() and 1 <= int(line) <= len(books):
            line = NAMES[int(line) - 1]
        found = [name for name in NAMES if name.startswith(line)]
        if line in books or len(found) == 1:
            name = line if line in books else found[0]
            return name, books[name]
        console.print(f"  There is no book {line} here.", highlight=False, markup=False)


def _choose_box(book: Book, terms: Terms, dialogue: Dialogue) -> int:
    """Where the player sits: asked at a terminal, the middle of the table for a script."""
    boxes = boxes_of(book, terms)
    middle = (boxes + 1) // 2
    while dialogue.is_live:
        line = dialogue.ask(f"Which box? (1-{boxes}) [{middle}] ") or str(middle)
        if line.isdecimal() and 1 <= int(line) <= boxes:
            return int(line)
        print(f"  The table has boxes 1 to {boxes}.")
    return middle


def _terms(book: Book, wishes: Wishes) -> Terms:
    terms = default_terms(book)
    if wishes.layout is not None and not wishes.layout.strip():
        refuse(f"--layout takes one of {', '.join(layout.name for layout in book.layouts)}")
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    most = _money("--maximum", wishes.maximum)
    terms = replace(
        terms,
        decks=terms.decks if wishes.decks is None else wishes.decks,
        layout=wishes.layout or terms.layout,
        minimum=_money("--minimum", wishes.minimum),
        maximum=None if measured else most,
        differential=most if measured else None,
    )
    refusal = wrong_terms(book, terms)
    if refusal is not None:
        refuse(refusal.sentence)
    return terms


def _money(option: str, text: str) -> int:
    try:
        return read_money(text)
    except ValueError as error:
        refuse(f"{option}: {error}")
