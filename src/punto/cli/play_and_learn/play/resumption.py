"""Games that are kept: which one to go on with, where a new one goes, and how a player parts from it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from punto.books import NAMES, load
from punto.cli.files.kept_file import named_file
from punto.cli.play_and_learn.play.arrival import NEW, NewGame, list_choices
from punto.cli.play_and_learn.play.game import Game
from punto.cli.play_and_learn.play.kept_games import (
    NAME,
    ONLY,
    KeptGame,
    free_name,
    game_file,
    go_on,
    kept_games,
    open_game,
)
from punto.cli.play_and_learn.play.saved_game import NotKept, WrongSave, restore
from punto.cli.play_and_learn.play.screen import PlayScreen
from punto.cli.play_and_learn.play.stored_game import StoredGame, remove_files
from punto.cli.terminal.dialogue import Dialogue
from punto.cli.terminal.say import refuse, typed_name
from punto.rules.digest import digest_of
from punto.suggestion import did_you_mean


def place_of(save: str | None, name: str | None) -> Path | None:
    """The file that the command line names; None where it names none."""
    if save is not None and name is not None:
        refuse("give --save or --game, not both")
    if name is not None and not NAME.fullmatch(name):
        refuse(f"--game takes small letters, digits and hyphens, 40 at most, not {name!r}")
    return named_file("--save", save) if save is not None else game_file(name) if name is not None else None


def wanted_game(
    asked: NewGame, dialogue: Dialogue, console: Console, *, file: Path | None, name: str | None, is_new: bool
) -> KeptGame | None:
    """The kept game that is to go on: the one that is named, or one that is chosen; None for a new one."""
    if file is None:
        return _offered(asked, dialogue, console) if dialogue.is_live and not is_new else None
    if is_new and name is not None and file.exists():
        refuse(f"there is a game {name} already; name another one, or leave --new out to go on with it")
    return None if is_new else _named(file, name or file.stem, asked)


def taken_up(
    kept: KeptGame, asked: NewGame, dialogue: Dialogue, console: Console, pace: float, *, is_named: bool
) -> Game:
    """A kept game as it was left."""
    screen = PlayScreen(console, kept.book, pace)
    if changed := _changed_book(kept, asked):
        screen.say(changed)
    if is_named:
        screen.say(f"There is a game of {kept.sentence}.")
    stored: StoredGame | None = None
    try:
        stored, solo, bankroll = go_on(kept)
    except WrongSave as error:
        refuse(str(error))
    except NotKept as error:
        assert kept.saved is not None, "a game that is stored is not stored anew"
        screen.say(f"The game is not being kept: {error}.", "lose")
        solo, bankroll = restore(kept.file, kept.saved), kept.saved.bankroll
    game = Game(solo, screen, dialogue, bankroll=bankroll, kept=stored)
    game.show_again()
    return game


def begun(game: Game, *, file: Path | None, is_new: bool) -> StoredGame | None:
    """A new game in the file that is named, or in one of its own; None where it cannot be kept."""
    path = game_file(free_name(game.solo.book.name)) if file is None else file
    if is_new and file is not None:
        remove_files(path)  # `--save FILE --new` asks for it
    table = path.stem if NAME.fullmatch(path.stem) else ONLY
    try:
        return StoredGame.begin(path, table, game.solo, game.bankroll)
    except NotKept as error:
        game.screen.say(f"The game is not being kept: {error}.", "lose")
        return None


def part(game: Game, *, is_over: bool) -> None:
    """The player leaves: the game is kept, or removed if it is over; and that is said."""
    kept, screen = game.kept, game.screen
    if kept is None:
        return
    if is_over:
        kept.remove()
        screen.say("The game is over, and nothing of it is kept.")
        return
    game.save()
    if game.kept is None:
        return
    kept.close()
    play = f"{typed_name()} play"
    if kept.path == game_file(kept.path.stem):
        screen.say(f"The game is kept: {play} --game {kept.path.stem} goes on with it.")
    else:
        screen.say(f"The game is kept in {kept.path}; {play} --save {kept.path} goes on with it.")


def _changed_book(kept: KeptGame, asked: NewGame) -> str | None:
    """What is to be said where the book of a game is no longer what it was."""
    name = kept.book.name
    if kept.saved is not None:
        again = "All its rounds are settled again by the book as it is now."
        changed = f"The book {kept.saved.book} has changed since this game was saved. {again}"
        return None if kept.saved.is_of(kept.book) else changed
    now = asked.book if asked.book is not None else load(name) if name in NAMES else None
    if now is None or digest_of(now) == digest_of(kept.book):
        return None
    return f"The book {name} has changed since this game began. The game goes on by the rules it began with."


def _named(file: Path, name: str, asked: NewGame) -> KeptGame | None:
    """The game in the file that the command line names; None where there is none yet."""
    try:
        kept = open_game(name, file)
    except WrongSave as error:
        refuse(f"{error}; --new begins a game in its place")
    wanted = asked.book.name if asked.book is not None else None
    if kept is not None and wanted not in (None, kept.book.name):
        refuse(f"{file} holds a game of {kept.book.name}, not of {wanted}; name another file")
    return kept


def _offered(asked: NewGame, dialogue: Dialogue, console: Console) -> KeptGame | None:
    """One of the kept games, of the book that was asked for if any; None for a new one."""
    games, wrong = kept_games()
    for sentence in wrong:
        console.print(f"{sentence}.", highlight=False, markup=False)
    if asked.book is not None:
        games = [game for game in games if game.book.name == asked.book.name]
    if not games:
        return None
    console.print("Games to go on with", style="bold")
    list_choices([(game.name, game.sentence) for game in games])
    names = [game.name for game in games]
    dialogue.complete((*names, NEW))
    which = f"1-{len(games)}" if len(games) > 1 else "1"
    while True:
        line = dialogue.ask(f"game ({which}), or new? [1] ").lower()
        if line in (NEW, "n", "no"):
            return None
        if line in ("", "g", "go", "y", "yes"):
            return games[0]
        if line.isdecimal() and line.isascii() and len(line) < 4 and 1 <= int(line) <= len(games):
            return games[int(line) - 1]
        if line in names:
            return games[names.index(line)]
        meant = did_you_mean(line, (*names, NEW))
        console.print(f"  There is no game {line} here{meant}.", highlight=False, markup=False)
