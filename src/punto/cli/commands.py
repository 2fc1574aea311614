"""The subcommands of `punto`: their groups, their summaries, and command lines to begin with.

Each is the function of the same name in the module of the same name. Some load much, and whoever
settles one bet should not wait for them. The summaries are here for the same reason: the list of commands is
printed without loading any.
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
"""The commands by the groups in which they are listed, each with the first sentence of its help.

A group is a folder of command modules.
"""

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
"""The commands that have commands of their own. Such a command is a folder of modules.

The module and its function are called like the command, with `_` for hyphens; `list` and `import`, which
Python keeps for itself, have one at the end.
"""

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

LINES: tuple[str, ...] = tuple(
    line
    for name in COMMANDS
    for line in ([f"{name} {inner}" for inner in SUBCOMMANDS[name]] if name in SUBCOMMANDS else [name])
)
"""Everything that can be called, as it is typed after `punto`."""

SETTINGS: dict[str, Any] = {
    # Typer's panels and coloured help would load Rich, which takes longer than the command itself.
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["--help", "-h"]},
}

TRUST = "Whoever can open the database is trusted: no password is asked."
ANY_NAME = "The option --as takes any name and role."
"""What everybody who keeps tables from the command line should know."""
