"""Coming to a table and leaving it: which book, which box, a kept game or a new one, where a new one is kept,
and the statement at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from punto.books import NAMES, load
from punto.cli.database_options import now_ms
from punto.cli.files import named_file
from punto.cli.game_terminal import WIDE, Dialogue, PersonLeft, open_console
from punto.cli.ink import columns
from punto.cli.main import INTERRUPTED
from punto.cli.output import REFUSED, complain, refuse, typed_name
from punto.cli.play_bets import read_money
from punto.cli.play_game import Game, Quit
from punto.cli.play_saved_games import KeptGame, free_name, game_file, kept_games, open_game
from punto.cli.play_screen import PlayScreen, played_rounds, statement_lines, statement_of, summary_lines
from punto.cli.play_table import GAME_NAME, NotKept, SoloTable, TableStopped, WrongSave, remove_game_files
from punto.documents.text import wrap
from punto.rules.book import Book, digest_of
from punto.rules.book_text import LimitKind
from punto.suggestion import did_you_mean
from punto.table.terms import Faces, Terms, boxes_of, default_terms, wrong_terms

USUAL_PACE = 0.6  # Seconds from card to card: time to see each.
SLOWEST = 60.0
NEW_GAME = "new"


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


def arrive(new_game: NewGame, save: str | None, *, name: str | None, is_new: bool, pace: float | None) -> int:
    """Play until the player leaves; the exit status."""
    if pace is not None and not 0 <= pace <= SLOWEST:
        refuse(f"--pace takes 0 to {SLOWEST:g} seconds, not {pace:g}")
    dialogue, console = Dialogue(), open_console(WIDE)
    beat = pace if pace is not None else USUAL_PACE if dialogue.is_live else 0.0
    try:
        if dialogue.is_live or save is not None or name is not None:
            game = _sit_down(new_game, dialogue, console, beat, save=save, name=name, is_new=is_new)
        else:  # a script that names no game keeps none
            game = _new_game(new_game, dialogue, console, beat)
    except PersonLeft:
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
    except PersonLeft:
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
    for line in statement_lines(statement_of(game.solo.bankroll, game.solo.events), screen.label):
        screen.say(line)
    for line in summary_lines(game.solo.book, game.solo.table.terms.decks, played_rounds(game.solo)):
        screen.say(line)
    part_from_game(game, is_over=is_over)


def _sit_down(
    new_game: NewGame,
    dialogue: Dialogue,
    console: Console,
    pace: float,
    *,
    save: str | None,
    name: str | None,
    is_new: bool,
) -> Game:
    """A kept game where there is one and it is wanted, otherwise a new one beside all that are kept."""

    file = place_of_game(save, name)
    resumed = wanted_game(new_game, dialogue, console, file=file, name=name, is_new=is_new)
    if resumed is not None:
        return taken_up_game(resumed, new_game, dialogue, console, pace, is_named=file is not None)
    game = _new_game(new_game, dialogue, console, pace, clock=now_ms)
    keep_game(game, file=file, is_new=is_new)
    return game


def _new_game(
    new_game: NewGame, dialogue: Dialogue, console: Console, pace: float, clock: Callable[[], int] | None = None
) -> Game:
    """A new game that is not kept yet."""
    book = _choose_book(new_game, dialogue, console)
    terms, bankroll = _terms(book, new_game), _money("--bankroll", new_game.bankroll)
    boxes = new_game.boxes or _choose_boxes(book, terms, dialogue)
    seed = str(new_game.seed) if new_game.seed is not None else secrets.token_hex(32)
    solo = SoloTable(book, seed, bankroll, clock)
    refusal = solo.open(terms, *boxes, bots=new_game.bots)
    if refusal is not None:
        refuse(refusal.sentence)
    if len(solo.bots()) < new_game.bots:
        refuse(f"--bots: the table has room for {len(solo.bots())} bots, not {new_game.bots}")
    screen = PlayScreen(console, book, pace)
    screen.say()
    screen.say(book.title, "bold")
    return Game(solo, screen, dialogue)


def list_choices(rows: list[tuple[str, str]]) -> None:
    """What can be chosen, each with its number; a long title goes on under itself."""
    room = max(len(name) for name, _ in rows) + 2
    for number, (name, text) in enumerate(rows, start=1):
        for line in wrap(text, columns(), f"  {number}  {name:<{room}}", " " * (room + 5)):
            print(line)


def _choose_book(new_game: NewGame, dialogue: Dialogue, console: Console) -> Book:
    if new_game.book is not None:
        return new_game.book
    books = {name: load(name) for name in NAMES}
    console.print("Which table?", style="bold")
    list_choices([(name, book.title) for name, book in books.items()])
    dialogue.complete(NAMES)
    while True:
        line = dialogue.ask(f"book (1-{len(books)} or its name) [1] ").lower() or "1"
        if line.isascii() and line.isdecimal() and 1 <= int(line) <= len(books):
            line = NAMES[int(line) - 1]
        meant_names = [name for name in NAMES if name.startswith(line)]
        if line in books or len(meant_names) == 1:
            name = line if line in books else meant_names[0]
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
        for line in wrap(f"The table has boxes 1 to {boxes}. Type one, or two such as 3 4.", columns(), "  ", "  "):
            print(line)
    return (middle,)


def _terms(book: Book, new_game: NewGame) -> Terms:
    terms = default_terms(book)
    if new_game.layout is not None and not new_game.layout.strip():
        refuse(f"--layout takes one of {', '.join(layout.name for layout in book.layouts)}")
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    most = _money("--maximum", new_game.maximum)
    if new_game.has_squeeze and book.squeeze is None:
        refuse(f"{book.name} has no squeeze; of the built-in books, insurance has one")
    terms = replace(
        terms,
        faces=Faces.DOWN if new_game.has_squeeze else Faces.UP,
        decks=terms.decks if new_game.decks is None else new_game.decks,
        layout=new_game.layout or terms.layout,
        minimum=_money("--minimum", new_game.minimum),
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


def place_of_game(save: str | None, name: str | None) -> Path | None:
    """The file that the command line names; None where it names none."""
    if save is not None and name is not None:
        refuse("give --save or --game, not both")
    if name is not None and not GAME_NAME.fullmatch(name):
        refuse(f"--game takes small letters, digits and hyphens, 40 at most, not {name!r}")
    return named_file("--save", save) if save is not None else game_file(name) if name is not None else None


def wanted_game(
    new_game: NewGame, dialogue: Dialogue, console: Console, *, file: Path | None, name: str | None, is_new: bool
) -> KeptGame | None:
    """The kept game that is to go on: the one that is named, or one that is chosen; None for a new one."""
    if file is None:
        return _offered_game(new_game, dialogue, console) if dialogue.is_live and not is_new else None
    if is_new and name is not None and file.exists():
        refuse(f"there is a game {name} already; name another one, or leave --new out to go on with it")
    return None if is_new else _named_game(file, name or file.stem, new_game)


def taken_up_game(
    saved: KeptGame, new_game: NewGame, dialogue: Dialogue, console: Console, pace: float, *, is_named: bool
) -> Game:
    """A saved game as it was left."""
    screen = PlayScreen(console, saved.book, pace)
    if changed := _changed_book(saved, new_game):
        screen.say(changed)
    if is_named:
        screen.say(f"There is a game of {saved.sentence}.")
    try:
        game = Game(SoloTable.resume(saved.file), screen, dialogue)
    except WrongSave as error:
        refuse(str(error))
    game.show_again()
    return game


def keep_game(game: Game, *, file: Path | None, is_new: bool) -> None:
    """Keep a new game in the file that is named, or in one of its own, where that can be."""
    path = game_file(free_name(game.solo.book.name)) if file is None else file
    if is_new and file is not None:
        remove_game_files(path)  # `--save FILE --new` asks for it
    try:
        game.solo.keep_in(path)
    except NotKept as error:
        game.tell_lost(str(error))


def part_from_game(game: Game, *, is_over: bool) -> None:
    """The player leaves: the game is kept, or removed if it is over; and that is said."""
    path, screen = game.solo.path, game.screen
    game.solo.close()
    if path is None:
        return
    play = f"{typed_name()} play"
    if is_over:
        remove_game_files(path)
        screen.say("The game is over, and nothing of it is kept.")
    elif path == game_file(path.stem):
        screen.say(f"The game is kept: {play} --game {path.stem} goes on with it.")
    else:
        screen.say(f"The game is kept in {path}; {play} --save {path} goes on with it.")


def _changed_book(saved: KeptGame, new_game: NewGame) -> str | None:
    """What is to be said where the book of a game is no longer what it was."""
    name = saved.book.name
    now = new_game.book if new_game.book is not None else load(name) if name in NAMES else None
    if now is None or digest_of(now) == digest_of(saved.book):
        return None
    return f"The book {name} has changed since this game began. The game goes on by the rules it began with."


def _named_game(file: Path, name: str, new_game: NewGame) -> KeptGame | None:
    """The game in the file that the command line names; None where there is none yet."""
    try:
        saved = open_game(name, file)
    except WrongSave as error:
        refuse(f"{error}; --new begins a game in its place")
    wanted = new_game.book.name if new_game.book is not None else None
    if saved is not None and wanted not in (None, saved.book.name):
        refuse(f"{file} holds a game of {saved.book.name}, not of {wanted}; name another file")
    return saved


def _offered_game(new_game: NewGame, dialogue: Dialogue, console: Console) -> KeptGame | None:
    """One of the kept games, of the book that was asked for if any; None for a new one."""
    games, wrong = kept_games()
    for sentence in wrong:
        console.print(f"{sentence}.", highlight=False, markup=False)
    if new_game.book is not None:
        games = [game for game in games if game.book.name == new_game.book.name]
    if not games:
        return None
    console.print("Games to go on with", style="bold")
    list_choices([(game.name, game.sentence) for game in games])
    names = [game.name for game in games]
    dialogue.complete((*names, NEW_GAME))
    which = f"1-{len(games)}" if len(games) > 1 else "1"
    while True:
        line = dialogue.ask(f"game ({which}), or new? [1] ").lower()
        if line in (NEW_GAME, "n", "no"):
            return None
        if line in ("", "g", "go", "y", "yes"):
            return games[0]
        if line.isdecimal() and line.isascii() and len(line) < 4 and 1 <= int(line) <= len(games):
            return games[int(line) - 1]
        if line in names:
            return games[names.index(line)]
        meant = did_you_mean(line, (*names, NEW_GAME))
        console.print(f"  There is no game {line} here{meant}.", highlight=False, markup=False)
