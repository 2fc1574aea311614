"""Coming to a table and leaving it: which book, which box, a kept game or a new one, where a new one is kept,
and the statement at the end.
"""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from punto.books import NAMES, built_in_source, load
from punto.cli.database_options import now_ms
from punto.cli.files import named_file
from punto.cli.game_terminal import WIDE, Dialogue, PersonLeft, open_console
from punto.cli.ink import columns
from punto.cli.main import INTERRUPTED
from punto.cli.options import read_as
from punto.cli.output import REFUSED, complain, refuse, typed_name
from punto.cli.play_bets import read_money
from punto.cli.play_game import Game, Quit
from punto.cli.play_saved_games import KeptGame, free_name, game_file, kept_games, open_game
from punto.cli.play_screen import PlayScreen, played_rounds, summary_lines
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
class WantedGame:
    """What the command line says about a game, most of it for a new one."""

    save: str | None
    name: str | None
    is_new: bool
    pace: float | None
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


def arrive(wanted: WantedGame) -> int:
    """Play until the player leaves; the exit status."""
    if wanted.pace is not None and not 0 <= wanted.pace <= SLOWEST:
        refuse(f"--pace takes 0 to {SLOWEST:g} seconds, not {wanted.pace:g}")
    try:
        game = Arrival(wanted).sit_down()
    except PersonLeft:
        return 0
    except KeyboardInterrupt:
        print()
        return INTERRUPTED
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


class Arrival:
    """Somebody comes to a table: with a game that is kept, or for a new one."""

    def __init__(self, wanted: WantedGame) -> None:
        self.wanted, self.dialogue, self.console = wanted, Dialogue(), open_console(WIDE)
        usual = USUAL_PACE if self.dialogue.is_live else 0.0
        self.pace = wanted.pace if wanted.pace is not None else usual

    def sit_down(self) -> Game:
        """A kept game where there is one and it is wanted, otherwise a new one beside all that are kept."""
        wanted = self.wanted
        if not self.dialogue.is_live and wanted.save is None and wanted.name is None:
            return self._new_game()  # a script that names no game keeps none
        file = self._named_file()
        resumed = self._kept_game(file)
        if resumed is not None:
            return self._resume(resumed, is_named=file is not None)
        game = self._new_game(now_ms)
        path = game_file(free_name(game.solo.book.name)) if file is None else file
        if wanted.is_new and file is not None:
            remove_game_files(path)  # `--save FILE --new` asks for it
        try:
            game.solo.keep_in(path)
        except NotKept as error:
            game.tell_lost(str(error))
        return game

    def _named_file(self) -> Path | None:
        """The file that the command line names; None where it names none."""
        save, name = self.wanted.save, self.wanted.name
        if save is not None and name is not None:
            refuse("give --save or --game, not both")
        if name is not None and not GAME_NAME.fullmatch(name):
            refuse(f"--game takes small letters, digits and hyphens, 40 at most, not {name!r}")
        return named_file("--save", save) if save is not None else game_file(name) if name is not None else None

    def _kept_game(self, file: Path | None) -> KeptGame | None:
        """The kept game that is to go on: the one that is named, or one that is chosen; None for a new one."""
        name, is_new = self.wanted.name, self.wanted.is_new
        if file is None:
            return self._chosen_game() if self.dialogue.is_live and not is_new else None
        if is_new and name is not None and file.exists():
            refuse(f"there is a game {name} already; name another one, or leave --new out to go on with it")
        if is_new:
            return None
        try:
            saved = open_game(name or file.stem, file)
        except WrongSave as error:
            refuse(f"{error}; --new begins a game in its place")
        book = self.wanted.book.name if self.wanted.book is not None else None
        if saved is not None and book not in (None, saved.book.name):
            refuse(f"{file} holds a game of {saved.book.name}, not of {book}; name another file")
        return saved

    def _chosen_game(self) -> KeptGame | None:
        """One of the kept games, of the book that was asked for if any; None for a new one."""
        games, wrong = kept_games()
        for sentence in wrong:
            self._say(f"{sentence}.")
        if self.wanted.book is not None:
            games = [game for game in games if game.book.name == self.wanted.book.name]
        if not games:
            return None
        by_name = {game.name: game for game in games}
        self._offer("Games to go on with", {name: game.sentence for name, game in by_name.items()}, NEW_GAME)
        which = f"1-{len(games)}" if len(games) > 1 else "1"
        while True:
            line = self.dialogue.ask(f"game ({which}), or new? [1] ").lower()
            if line in (NEW_GAME, "n", "no"):
                return None
            if line in ("", "g", "go", "y", "yes"):
                return games[0]
            if (number := _number(line)) in range(1, len(games) + 1):
                return games[number - 1]
            if line in by_name:
                return by_name[line]
            self._say(f"  There is no game {line} here{did_you_mean(line, (*by_name, NEW_GAME))}.")

    def _resume(self, saved: KeptGame, *, is_named: bool) -> Game:
        """A saved game as it was left."""
        screen, name = PlayScreen(self.console, saved.book, self.pace), saved.book.name
        now = self.wanted.book if self.wanted.book is not None else load(name) if name in NAMES else None
        if now is not None and digest_of(now) != digest_of(saved.book):
            screen.say(
                f"The book {name} has changed since this game began. The game goes on by the rules it began with."
            )
        if is_named:
            screen.say(f"There is a game of {saved.sentence}.")
        game = Game(SoloTable.resume(saved.file), screen, self.dialogue)
        game.show_again()
        return game

    def _new_game(self, clock: Callable[[], int] | None = None) -> Game:
        """A new game that is not kept yet."""
        wanted = self.wanted
        book = wanted.book if wanted.book is not None else self._chosen_book()
        terms, bankroll = _terms(book, wanted), read_as(read_money, wanted.bankroll, "--bankroll: ")
        boxes = wanted.boxes or self._chosen_boxes(boxes_of(book, terms))
        seed = str(wanted.seed) if wanted.seed is not None else secrets.token_hex(32)
        solo = SoloTable(book, seed, bankroll, clock)
        refusal = solo.open(terms, *boxes, bots=wanted.bots)
        if refusal is not None:
            refuse(refusal.sentence)
        if len(solo.bots()) < wanted.bots:
            refuse(f"--bots: the table has room for {len(solo.bots())} bots, not {wanted.bots}")
        screen = PlayScreen(self.console, book, self.pace)
        screen.say()
        screen.say(book.title, "bold")
        return Game(solo, screen, self.dialogue)

    def _chosen_book(self) -> Book:
        # Only the book that is chosen is compiled, which takes longer than reading five titles.
        titles = {name: tomllib.loads(built_in_source(name).text)["title"] for name in NAMES}
        self._offer("Which table?", titles)
        while True:
            line = self.dialogue.ask(f"book (1-{len(titles)} or its name) [1] ").lower() or "1"
            if (number := _number(line)) in range(1, len(titles) + 1):
                line = NAMES[number - 1]
            begun = [name for name in NAMES if name.startswith(line)]
            if line in titles or len(begun) == 1:
                return load(line if line in titles else begun[0])
            self._say(f"  There is no book {line} here{did_you_mean(line, NAMES)}.")

    def _chosen_boxes(self, boxes: int) -> tuple[int, ...]:
        """Where the player sits: asked at a terminal, the middle of the table for a script."""
        middle = (boxes + 1) // 2
        while self.dialogue.is_live:
            words = self.dialogue.ask(f"Which box? (1-{boxes}) [{middle}] ").replace(",", " ").split()
            if not words:
                break
            if all(1 <= _number(word) <= boxes for word in words):
                return tuple(dict.fromkeys(map(int, words)))
            for line in wrap(f"The table has boxes 1 to {boxes}. Type one, or two such as 3 4.", columns(), "  ", "  "):
                print(line)
        return (middle,)

    def _offer(self, title: str, choices: dict[str, str], *others: str) -> None:
        """What can be chosen, each with its number; a long title goes on under itself."""
        self.console.print(title, style="bold")
        room = max(map(len, choices)) + 2
        for number, (name, text) in enumerate(choices.items(), start=1):
            for line in wrap(text, columns(), f"  {number}  {name:<{room}}", " " * (room + 5)):
                print(line)
        self.dialogue.complete((*choices, *others))

    def _say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False)


def _number(text: str) -> int:
    """A number as it is typed to choose something; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0


def _terms(book: Book, wanted: WantedGame) -> Terms:
    terms = default_terms(book)
    if wanted.layout is not None and not wanted.layout.strip():
        refuse(f"--layout takes one of {', '.join(layout.name for layout in book.layouts)}")
    measured = book.limits.kind is LimitKind.DIFFERENTIAL
    most = read_as(read_money, wanted.maximum, "--max: ")
    if wanted.has_squeeze and book.squeeze is None:
        refuse(f"{book.name} has no squeeze; of the built-in books, insurance has one")
    terms = replace(
        terms,
        faces=Faces.DOWN if wanted.has_squeeze else Faces.UP,
        decks=terms.decks if wanted.decks is None else wanted.decks,
        layout=wanted.layout or terms.layout,
        minimum=read_as(read_money, wanted.minimum, "--min: "),
        maximum=None if measured else most,
        differential=most if measured else None,
    )
    refusal = wrong_terms(book, terms)
    if refusal is not None:
        refuse(refusal.sentence)
    return replace(terms, boxes_each=boxes_of(book, terms))


def _say_goodbye(game: Game, *, is_over: bool) -> None:
    """The player leaves: the roads, the account, and whether the game is kept or, if it is over, removed."""
    solo, screen, path = game.solo, game.screen, game.solo.path
    game.enquiry.show_roads()
    screen.say()
    screen.say("Your statement", "bold")
    for line in (*game.enquiry.statement(), *summary_lines(solo.book, solo.table.terms.decks, played_rounds(solo))):
        screen.say(line)
    solo.close()
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
