"""The commands of `punto`: their groups and summaries, where each is found, and command lines to begin with.
The list of commands and all examples are printed without loading any command.
"""

from __future__ import annotations

from typing import Any

GROUPS: dict[str, dict[str, str]] = {
    "play and learn": {
        "play": "Play at a table in the terminal, against the house.",
        "drill": "Ask what a dealer must know, and repeat what went wrong.",
        "demo": "Deal a few rounds by every built-in book.",
    },
    "tables": {
        "run": "Play a session and tell what happens.",
        "settle": "Settle the bets of one bettor on a finished deal.",
        "deal": "Deal a shoe and print each round.",
        "roads": "Draw the five roads of a shoe, and what would come next.",
    },
    "stored tables": {
        "table": "Keep tables in a database: open, run, list, show, log, export.",
        "serve": "Open a floor on this machine: tables in a browser, and an API.",
        "people": "Say who may log in to a floor, and in which roles.",
        "account": "Keep the accounts of players: buy in, cash out, statements.",
        "audit": "Find out whether what is stored was changed.",
        "replay": "Replay an exported table and say whether it is the same.",
        "backup": "Write everything in a database to one file.",
        "restore": "Read a backup into an empty database.",
    },
    "odds and studies": {
        "odds": "Give the exact odds of every bet.",
        "advise": "Give what every bet is worth at a moment of a round.",
        "insurance": "Give insurance exactly: offers, edges and the best policy.",
        "count": "Give how far each bet can be beaten by counting cards.",
        "simulate": "Simulate whole shoes, every bet beside its exact value.",
        "report": "Write the PAR sheet of a game: HTML, PDF, CSV, Parquet, JSON.",
    },
    "books": {
        "books": "List the built-in rule books.",
        "rules": "Print a rule book with the clause of every rule.",
        "bets": "List published bets that a book can take, each with its exact edge.",
        "compare": "Show what differs between two books, and what it does to bets.",
        "new": "Write a short, commented book file that builds on another book.",
        "check": "Check a book: errors, the edge of every bet, and warnings.",
        "tune": "Find every pay table of a bet with a house edge in a range.",
        "schema": "Print a JSON Schema of book files, for editors.",
    },
}
"""The commands by the groups in which they are listed, each with the first sentence of its help."""

SUBCOMMANDS: dict[str, dict[str, str]] = {
    "table": {
        "new": "Open a new table by a rule book.",
        "run": "Give lines of notation to a table.",
        "list": "List the tables.",
        "show": "Show a table as it is, or as it was, and its results.",
        "log": "Print the stored events of a table.",
        "export": "Write a table to a file: JSON Lines, Parquet, or a session.",
        "import": "Read an exported table, to be looked at.",
    },
    "people": {
        "new": "Let somebody log in to a floor.",
        "list": "List who may log in, and in which roles.",
        "roles": "Show the roles of somebody, or set them.",
        "password": "Give somebody a new password.",
    },
    "account": {
        "new": "Open an account.",
        "list": "List the accounts.",
        "show": "Show what an account has.",
        "statement": "Print every movement of an account, with its balance.",
        "buy-in": "Take money in.",
        "cash-out": "Pay money out.",
        "correct": "Put an account right: two people, and a reason.",
        "erase": "Erase display name and contact; the account stays.",
    },
    "audit": {
        "anchor": "Write down, signed, where every table stands.",
        "verify": "Look for records that were changed, removed or added.",
        "shoe": "Check that a shoe was dealt in the order that was promised.",
        "round": "Tell everything about a round.",
        "rounds": "List rounds, and search for them.",
        "watch": "Compare results with exact odds.",
    },
}
"""The commands that have commands of their own."""

_MODULES: dict[str, tuple[str, ...]] = {
    "play_commands": ("play", "drill", "demo"),
    "deal_commands": ("run", "settle", "deal", "roads"),
    "serve_command": ("serve",),
    "backup_commands": ("replay", "backup", "restore"),
    "odds_commands": ("odds", "advise", "insurance", "count", "report"),
    "simulate_command": ("simulate",),
    "book_commands": ("books", "rules", "check", "schema"),
    "book_workshop": ("bets", "compare", "new", "tune"),
}
"""In which module of `punto.cli` commands are; those that have commands of their own have one of their name."""

LINES: tuple[str, ...] = tuple(
    f"{name} {below}".strip() for group in GROUPS.values() for name in group for below in SUBCOMMANDS.get(name, ("",))
)
"""Everything that can be called, as it is typed after `punto`."""


def place_of(line: str) -> tuple[str, str]:
    """Where a command is: its module, and its function, which is called like it."""
    first = line.partition(" ")[0]
    module = next((module for module, commands in _MODULES.items() if first in commands), f"{first}_commands")
    return f"punto.cli.{module}", line.replace(" ", "_").replace("-", "_")


EXAMPLES: dict[str, str] = {
    "punto play ez": "sit down at a table; ? is for help",
    "punto rules knockout": "read a rule book, clause by clause",
    "punto deal commission --seed 7": "deal a shoe, the same one every time",
    "punto roads BBPTbPpB": "draw the roads of these results",
    "punto odds insurance --decks 6": "see the exact value of every bet",
    "punto simulate ez --rounds 1e7": "play ten million rounds beside exact values",
}
"""Command lines to begin with, and what each shows."""

COMMANDS: dict[str, str] = {name: group for group, commands in GROUPS.items() for name in commands}
"""Each command with its group."""

SETTINGS: dict[str, Any] = {
    # Typer's panels and coloured help would load Rich, which takes longer than the command itself.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["--help", "-h"]},
}

TRUST = "Whoever can open the database is trusted: no password is asked."
ANY_NAME = "The option --as takes any name and role."
"""What everybody who keeps tables from the command line should know."""


# Two command lines for the help of each command, and what each does. A test runs all of them.


EXAMPLES_OF: dict[str, dict[str, str]] = {
    "play": {
        "punto play ez": "sit down at a table of EZ Baccarat",
        "punto play insurance --seed 5 --game lesson": "a game with fixed cards and a name",
    },
    "drill": {
        "punto drill commission": "20 questions for dealers of one game",
        "punto drill --only pays --questions 5": "five pay-outs, out of every game",
    },
    "demo": {"punto demo": "a few rounds of every game", "punto demo --json": "the same for programs"},
    "run": {
        "punto run docs/examples/insured-round.punto": "play a written session",
        "punto run docs/examples/insured-round.punto --json": "its events, one line of JSON each",
    },
    "settle": {
        'punto settle ez --cards "2S KH 3D 2C KD 5S" --bet banker=100': "what a bet on Banker brings",
        'punto settle commission --cards "KS 3H 6D 4C" --bet tie=10 --json': "the same for programs",
    },
    "deal": {
        "punto deal commission --seed 7": "a shoe, the same one every time",
        "punto deal ez --rounds 5 --json": "five rounds for programs",
    },
    "roads": {
        'punto roads "B B P Tb P Pp B"': "the roads of these results",
        "punto deal ez --seed 7 | punto roads -": "the roads of a dealt shoe",
    },
    "table new": {
        "punto table new main-1 ez house": "open a table of EZ Baccarat",
        "punto table new vip-2 commission bean-7 minimum=100 source=entered --json": "with terms; JSON",
    },
    "table run": {
        "punto table run main-1 docs/examples/stored/round.punto": "give a file of commands to a table",
        "punto table run main-1 docs/examples/stored/round.punto --json": "its events, one line of JSON each",
    },
    "table list": {
        "punto table list": "every table, and what it is doing",
        "punto table list --json": "the same for programs",
    },
    "table show": {
        "punto table show main-1": "a table as it is now, and its results",
        "punto table show main-1 --at 1 --json": "as it was after its first event, for programs",
    },
    "table log": {
        "punto table log main-1": "every event, one line of JSON each",
        "punto table log main-1 --after 0": "what came after an event",
    },
    "table export": {
        "punto table export main-1 -o main-1.jsonl": "everything, to be kept or imported",
        "punto table export main-1 -o main-1.punto": "a session that punto run plays again",
    },
    "table import": {
        "punto table import main-1.jsonl --as-table seen-1": "look at a table of another database",
        "punto table import main-1.jsonl --as-table seen-2 --json": "the same for programs",
    },
    "serve": {
        "punto serve": "a floor to try, on this machine only",
        "punto serve --port 0 --no-browser --json": "any free port; the first line is for programs",
    },
    "people new": {
        "punto people new Ada --role administrator": "the first administrator of a floor",
        "punto people new Dan --role dealer --json": "a dealer, for programs",
    },
    "people list": {"punto people list": "who may log in", "punto people list --json": "the same for programs"},
    "people roles": {
        "punto people roles Dan dealer pit-supervisor": "two roles",
        "punto people roles Dan dealer --json": "one role, for programs",
    },
    "people password": {
        "punto people password Dan": "a new password for Dan",
        "punto people password Dan --json": "the same for programs",
    },
    "account new": {
        "punto account new Lee": "an account in USD",
        "punto account new Kim --currency HKD --display 'Kim W.'": "another currency, and a name to show",
    },
    "account list": {
        "punto account list": "every account, and what it has",
        "punto account list --json": "the same for programs",
    },
    "account show": {
        "punto account show Lee": "what is free, and what tables hold",
        "punto account show Lee --json": "the same for programs",
    },
    "account statement": {
        "punto account statement Lee": "every movement, with the balance after it",
        "punto account statement Lee --json": "the same for programs",
    },
    "account buy-in": {
        "punto account buy-in Lee 1000": "Lee brings 1,000",
        "punto account buy-in Lee 500 --as Cas:cashier --json": "say who took it, for programs",
    },
    "account cash-out": {
        "punto account cash-out Lee 250": "Lee takes 250 away",
        "punto account cash-out Lee 12.50 --as Cas:cashier": "say who paid it",
    },
    "account correct": {
        "punto account correct Lee -50 --with Sue:pit-manager --reason 'paid twice'": "take 50 off",
        "punto account correct Lee 20 --with Sue:pit-manager --reason 'not booked' --json": "add 20",
    },
    "account erase": {
        "punto account erase Kim": "erase display name and contact",
        "punto account erase Lee --json": "the same for programs",
    },
    "audit anchor": {
        "punto audit anchor -o anchor.json": "an anchor, to be kept away from the database",
        "punto audit anchor": "the same on the screen",
    },
    "audit verify": {
        "punto audit verify --anchor anchor.json": "everything, against an anchor",
        "punto audit verify --table main-1 --json": "one table by itself, for programs",
    },
    "audit shoe": {
        "punto audit shoe docs/examples/checked-table.jsonl --shoe 1": "a shoe, from the log of its table",
        "punto audit shoe docs/examples/checked-table.jsonl --shoe 1 --order": "the same with all its cards",
    },
    "audit round": {
        "punto audit round main-1/1": "a round as a dispute needs it",
        "punto audit round main-1/1 --html round.html --json": "the same as a web page, and for programs",
    },
    "audit rounds": {
        "punto audit rounds": "the latest rounds of all tables",
        "punto audit rounds --player Lee --amount-over 50 --irregularity any": "a search",
    },
    "audit watch": {
        "punto audit watch": "results of all tables against exact odds",
        "punto audit watch --table main-1 --html watch.html --json": "one table, as a web page and as JSON",
    },
    "replay": {
        "punto replay main-1.jsonl": "does it come to what it says?",
        "punto replay main-1.punto --json": "a session, for programs",
    },
    "backup": {
        "punto backup house-backup.db": "everything in one file, while tables go on",
        "punto backup second.db --json": "the same for programs",
    },
    "restore": {
        "punto restore house-backup.db --database again.db": "read it into a new database",
        "punto restore house-backup.db --database third.db --json": "the same for programs",
    },
    "odds": {
        "punto odds ez": "every bet of a full shoe",
        'punto odds insurance --decks 6 --seen "9S 9H"': "six decks without two nines",
    },
    "advise": {
        'punto advise insurance --round "5S 6S KS KD"': "insurance after these four cards",
        "punto advise ez --json": "every bet before the deal, for programs",
    },
    "insurance": {
        "punto insurance insurance --shoes 0": "every offer, and who has the edge",
        "punto insurance insurance --shoes 50 --seed 1": "also what more knowledge is worth",
    },
    "count": {
        "punto count ez --shoes 20": "how far each bet can be beaten",
        "punto count commission --shoes 20 --json": "the same for programs",
    },
    "simulate": {
        "punto simulate ez --rounds 1e6": "a million rounds beside exact values",
        "punto simulate ez --rounds 1e6 --strategy martingale --bankroll 5000": "sessions of a progression",
    },
    "report": {
        "punto report ez -o ez.html": "the PAR sheet as a web page",
        "punto report commission -o sheet.json --shoes 0": "its figures as JSON, without countability",
    },
    "books": {"punto books": "the built-in books", "punto books --json": "the same for programs"},
    "rules": {"punto rules knockout": "a book, clause by clause", "punto rules ez --json": "the same for programs"},
    "new": {
        "punto new mine.toml": "a book of your own that builds on Commission Baccarat",
        "punto new lucky.toml --from ez": "one that builds on EZ Baccarat",
    },
    "check": {
        "punto check docs/examples/side-bets.toml": "say whether a book is right",
        "punto check docs/examples/side-bets.toml --json": "the same for programs",
    },
    "bets": {
        "punto bets dragon-bonus-player": "a published bet in full",
        "punto bets egalite --decks 6 --json": "bets by a part of their names, for programs",
    },
    "compare": {
        "punto compare commission easy-six": "what differs, and what that does to every bet",
        "punto compare commission easy-six --json": "the same for programs",
    },
    "tune": {
        "punto tune ez panda-8 --edge 4%..8%": "pay tables with an edge in a range",
        "punto tune ez dragon-7 --edge 5%..8% --json": "the same for programs",
    },
    "schema": {"punto schema": "the JSON Schema of book files", "punto schema --help": "how editors use it"},
}
"""By command: what is typed, and what comes."""
