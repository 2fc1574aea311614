"""The command as a whole: help, versions, wrong command lines, pipes and Ctrl-C."""

from __future__ import annotations

import io
import json
import re
import shlex
from importlib import import_module

import pytest

import punto
from punto.cli.app import ENDING_ERRORS, ending_errors, load_command
from punto.cli.commands import EXAMPLES, GROUPS, LINES, SUBCOMMANDS
from tests.cli.called import answer, call, refusal
from tests.cli.started import SETTLE, process

FOR_PEOPLE_ONLY = ("play",)
"""Commands that hold a conversation; every other one also answers programs."""


def test_help_lists_every_command() -> None:
    shown = answer("--help").out
    assert answer("-h").out == shown
    assert answer().out == shown
    for group, commands in GROUPS.items():
        assert f"\n{group.capitalize()}:\n" in shown
        for name, summary in commands.items():
            assert f"  {name}" in shown
            assert summary in shown


@pytest.mark.parametrize("name", LINES)
def test_every_command_has_help_and_json(name: str) -> None:
    shown = answer(*name.split(), "--help").out
    assert shown.startswith(f"Usage: punto {name} ")
    assert ("--json" in shown) is (name not in FOR_PEOPLE_ONLY)
    assert load_command(name).name == name.split()[-1]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_command_with_commands_of_its_own_lists_them(name: str) -> None:
    shown = answer(name, "--help").out
    assert answer(name).out == shown
    assert "Whoever can open the database is trusted" in " ".join(shown.split())
    for inner, summary in SUBCOMMANDS[name].items():
        assert f"  {inner}" in shown
        assert summary in shown
        assert summary in " ".join(answer(name, inner, "--help").out.split())
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_every_error_that_ends_a_command_is_there() -> None:
    for module in ENDING_ERRORS:
        import_module(module)
    assert {error.__name__ for error in ending_errors()} == {name for names in ENDING_ERRORS.values() for name in names}


def test_version() -> None:
    assert answer("--version").out == f"punto {punto.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "no such command 'nothing'"),
        (("--nothing",), "no such option: --nothing"),
        (("table", "nwe"), "no such command 'nwe' (did you mean new?); see punto table --help"),
        (("account", "buyin"), "no such command 'buyin' (did you mean buy-in?)"),
        (("table", "new"), "missing argument 'ID'; see punto table new --help"),
        (("rules",), "missing argument 'BOOK'"),
        (("rules", "ez", "ez"), "unexpected extra argument"),
        (("rules", "ez", "--nothing"), "no such option: --nothing"),
        (("odds", "ez", "--sen", "2S"), "no such option: --sen (did you mean --seen?); see punto odds --help"),
        (("odds", "ez", "--round", "2S"), "no such option: --round; see punto odds --help"),
        (("rules", "ez", "--markdown", "--json"), "--markdown, --toml, --json and --digest"),
        (("settle", "ez", "--cards"), "'--cards' requires an argument"),
        (("deal", "ez", "--decks", "many"), "'many' is not a whole number"),
        (("deal", "ez", "--seed", "1.5"), "'1.5' is not a whole number"),
        (("table", "log", "t1", "--after", "x"), "'--after': 'x' is not a whole number; see"),
        (("check",), "missing argument 'FILE'"),
        (("count", "ez", "--shoes", "-1"), "'--shoes': -1 is less than 0; see punto count --help"),
        (("bets", "--decks", "101"), "'--decks': 101 is not from 1 to 100"),
        (("new", "mine.txt"), "write mine.toml"),
        (("account", "correct", "Lee", "5"), "needs a second person; name one with --with"),
        (("table", "new", "t1", "ez", "house", "minimum=x"), "minimum=x is not taken: 'x' is not an amount"),
        (("deal", "ez", "--decks", "８"), "'８' is not a whole number"),
        (("play", "ez", "--pace", "０"), "'０' is not a number"),
        (("play", "ez", "--pace", "slow"), "'slow' is not a number"),
        (("deal", "ez", "--decks", "0x8"), "'0x8' is not a whole number"),
        (("deal", "ez", "--seed", "1_000"), "'1_000' is not a whole number"),
        (("deal", "ez", "--seed", "9" * 5000), "'--seed': 5000 digits are too many; see punto deal --help"),
        ((*SETTLE, "--cards", "KS"), "--cards is given more than once"),
    ],
)
def test_a_wrong_command_line_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    sentence = refusal(*arguments)
    assert sentence.startswith("punto: ")
    assert words.lower() in sentence.lower()


@pytest.mark.parametrize("command", [("rules",), SETTLE[:1], ("deal",)])
def test_a_book_that_is_not_there(command: tuple[str, ...]) -> None:
    options = SETTLE[2:] if command == ("settle",) else ()
    sentence = refusal(*command, "Blackjack", *options)
    assert "there is no book Blackjack; built in are commission, easy-six, ez, insurance, knockout" in sentence
    assert "no book was named" in refusal(*command, "", *options)


@pytest.mark.parametrize(
    "command", ["rules", "check", "deal", "odds", "insurance", "advise", "play", "drill", "run", "settle"]
)
def test_a_name_that_is_too_long_for_any_file(command: str) -> None:
    options = SETTLE[2:] if command == "settle" else ()
    assert "aaa cannot be read: File name too long" in refusal(command, "a" * 300, *options)


def test_a_line_break_in_an_argument_stays_in_the_sentence() -> None:
    assert "two lines" in refusal("rules", "two\nlines")


def test_the_script_itself() -> None:
    done = process(*SETTLE, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["net"] == "100.00"
    refused = process(*SETTLE, "--bet", "dragon-7=1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [("--help",), SETTLE, (*SETTLE, "--json"), ("rules", "insurance"), ("rules", "ez", "--markdown"), ("books",)],
)
def test_what_must_start_fast_loads_little(arguments: tuple[str, ...]) -> None:
    heavy = (
        "numpy",
        "numba",
        "pandas",
        "starlette",
        "uvicorn",
        "pydantic",
        "rich",
        "matplotlib",
        "typst",
        "polars",
        "sqlite3",
        "asyncio",
    )
    script = "import sys; from punto.cli.main import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = process(*arguments, script=script)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert "punto" in loaded
    assert loaded.isdisjoint(heavy)
    packages = {name.split(".")[1] for name in done.stderr.split() if name.startswith("punto.")}
    allowed = {
        "inputs",
        "malformed",
        "money",
        "named_file",
        "reason",
        "refusal",
        "suggestion",
        "words",
        "cards",
        "rules",
        "books",
        "coup",
        "table",
        "documents",
        "reports",
        "cli",
    }
    assert packages <= allowed


def test_the_examples_of_the_help_work(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = answer("--help").out
    assert all(len(line) <= 80 for line in shown.splitlines())
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for example in EXAMPLES:
        assert f"\n  {example}  " in shown
        _, *arguments = shlex.split(example)
        small = ("--rounds", "1e5") if arguments[0] == "simulate" else ()
        assert call(*arguments, *small).status == 0


def test_options_are_listed_in_groups_where_there_are_many() -> None:
    shown = answer("simulate", "--help").out
    titles = [line.removesuffix(":") for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    assert titles == [
        "Arguments",
        "What is played",
        "Strategy",
        "Insurance and antes",
        "Limits and bankroll",
        "Where it runs",
        "Output",
        "Other options",
        "Examples",
    ]
    parts = re.split(r"^\S.*:$", shown, flags=re.MULTILINE)
    assert "--give-up" in parts[4]
    assert "--json" in parts[7]
    assert all(len(line) <= 80 for line in shown.splitlines())


@pytest.mark.parametrize("command", ["rules insurance", "settle commission --cards 'KS 3H 9D 2C' --bet player=1"])
def test_a_short_command_is_not_interrupted_to_look_for_rings_of_values(command: str) -> None:
    script = (
        "import atexit, gc, sys; from punto.cli.main import main\n"
        "def done(): return sum(each['collections'] for each in gc.get_stats())\n"
        "def tell(): print(done(), gc.get_freeze_count(), file=sys.stderr)\n"
        "print(done(), file=sys.stderr); atexit.register(tell); main()"
    )
    before, after, kept = map(int, process(*shlex.split(command), script=script).stderr.split())
    assert after - before <= 3  # with the habits of Python they are a hundred
    assert kept > 10_000  # and none of it is looked through once more as the command ends
