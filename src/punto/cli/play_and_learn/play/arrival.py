"""Coming to a table and leaving it: which book, which box, a kept game or a new one, and the statement."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from punto.books import NAMES, load
from punto.cli.files.kept_file import data_file, named_file
from punto.cli.play_and_learn.play.amount import read_money
from punto.cli.play_and_learn.play.game import Game, Quit
from punto.cli.play_and_learn.play.saved_game import SavedGame, WrongSave, read_game, restore
from punto.cli.play_and_learn.play.screen import PlayScreen
from punto.cli.play_and_learn.play.solo_table import PLAYER, SoloTable, TableStopped
from punto.cli.play_and_learn.play.statement import statement_lines, statement_of
from punto.cli.terminal.console import open_console
from punto.cli.terminal.dialogue import Dialogue, Left
from punto.cli.terminal.say import REFUSED, refuse
from punto.ledger import purse_of
from punto.money import format_money
from punto.rules.book import Book
from punto.rules.text.betting import LimitKind
from punto.table.terms import Terms, boxes_of, default_terms, wrong_terms

FILE = "game.json"
"""The kept game in the user's data folder."""
USUAL_PACE = 0.6
"""Seconds from card to card: time to see each."""
INTERRUPTED = 130
SLOWEST = 60.0


@dataclass(frozen=True, slots=True)
class NewGame:
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


def arrive(asked: NewGame, save: str | None, *, is_new: bool, pace: float | None) -> int:
    """Play until the player leaves; the exit status."""
    if pace is not None and not 0 <= pace <= SLOWEST:
        refuse(f"--pace takes 0 to {SLOWEST:g} seconds, not {pace:g}")
    dialogue, console = Dialogue(), open_console()
    beat = pace if pace is not None else USUAL_PACE if dialogue.is_live else 0.0
    file = _file(save, dialogue)
    try:
        game = _sit_down(asked, file, dialogue, console, beat, is_new=is_new, is_named=save is not None)
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
    except TableStopped as stopped:
        status = REFUSED
        game.screen.say(f"The game cannot go on: {stopped}.", "lose")
    except KeyboardInterrupt:
        status = INTERRUPTED
        print()
    _say_goodbye(game, is_over=is_over)
    return status


def _say_goodbye(game: Game, *, is_over: bool) -> None:
    screen = game.screen
    screen.say()
    screen.say("Your statement", "bold")
    for line in statement_lines(statement_of(game.bankroll, game.solo.events), screen.label):
        screen.say(line)
    if game.file is None:
        return
    if is_over:
        game.file.unlink(missing_ok=True)
        screen.say("The game is over, and nothing of it is kept.")
        return
    game.save()
    if game.file is not None:
        again = "punto play" if game.file == data_file(FILE) else f"punto play --save {game.file}"
        screen.say(f"The game is kept in {game.file}; {again} goes on with it.")


def _sit_down(
    asked: NewGame,
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
        game = _resume(kept, file, asked, dialogue, console, pace, is_named=is_named)
        if game is not None:
            return game
    name, book = _choose_book(asked, dialogue, console)
    terms, bankroll = _terms(book, asked), _money("--bankroll", asked.bankroll)
    box = asked.box if asked.box is not None else _choose_box(book, terms, dialogue)
    solo = SoloTable(book, str(asked.seed) if asked.seed is not None else secrets.token_hex(32))
    refusal = solo.open(terms, box)
    if refusal is not None:
        refuse(refusal.sentence)
    screen = PlayScreen(console, book, pace)
    screen.say()
    screen.say(book.title, "bold")
    return Game(solo, screen, dialogue, book=name, bankroll=bankroll, file=file)


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
    asked: NewGame,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    *,
    is_named: bool,
) -> Game | None:
    """The kept game, unless the player would rather begin another."""
    try:
        solo = restore(file, kept)
    except WrongSave as error:
        refuse(f"{error}; --new begins a game in its place")
    named = asked.book.name if asked.book is not None else None
    same_book = named in (None, solo.book.name)
    if is_named and not same_book:
        refuse(f"{file} holds a game of {solo.book.name}, not of {named}; --new begins one in its place")
    screen = PlayScreen(console, solo.book, pace)
    in_hand = format_money(purse_of(PLAYER, kept.bankroll, solo.events).in_hand)
    screen.say(f"There is a game of {solo.book.title}: round {solo.state.round}, in hand {in_hand}.")
    if not kept.is_of(solo.book):
        screen.say(
            f"The book {kept.book} has changed since this game was saved. All its rounds are settled again "
            "by the book as it is now."
        )
    # Whoever names another book most likely means a new game; a new one takes the place of the old.
    if not is_named and not _goes_on(dialogue, usual=same_book):
        return None
    game = Game(solo, screen, dialogue, book=kept.book, bankroll=kept.bankroll, file=file)
    game.show_again()
    return game


def _goes_on(dialogue: Dialogue, *, usual: bool) -> bool:
    while True:
        line = dialogue.ask(
            f"Go on with it, or begin a new one? (go or new) [{'go' if usual else 'new'}] "
        ).lower()
        if not line:
            return usual
        if line in ("g", "go", "y", "yes"):
            return True
        if line in ("n", "new", "no"):
            return False


def _choose_book(asked: NewGame, dialogue: Dialogue, console: Console) -> tuple[str, Book]:
    if asked.book is not None and asked.name is not None:
        return asked.name, asked.book
    books = {name: load(name) for name in NAMES}
    console.print("Which table?", style="bold")
    for number, (name, book) in enumerate(books.items(), start=1):
        console.print(f"  {number}  {name:<12}{book.title}", highlight=False)
    while True:
        line = dialogue.ask(f"book (1-{len(books)} or its name) [1] ").lower() or "1"
        if line.isascii() and line.isdecimal() and 1 <= int(line) <= len(books):
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
        if line.isascii() and line.isdecimal() and 1 <= int(line) <= boxes:
            return int(line)
        print(f"  The table has boxes 1 to {boxes}.")
    return middle


def _terms(book: Book, asked: NewGame) -> Terms:
    terms = default_terms(book)
    if asked.layout is not None and not asked.layout.strip():
        refuse(f"--layout takes one of {', '.join(layout.name for layout in book.layouts)}")
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    most = _money("--maximum", asked.maximum)
    terms = replace(
        terms,
        decks=terms.decks if asked.decks is None else asked.decks,
        layout=asked.layout or terms.layout,
        minimum=_money("--minimum", asked.minimum),
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
