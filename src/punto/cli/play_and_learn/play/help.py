"""What a player can type, by where the game stands: bets, insurance, an ante, a card to squeeze."""

from __future__ import annotations

from enum import Enum

HelpRow = tuple[str, str]
"""What is typed, and what it does."""


class Moment(Enum):
    """Where a game stands when it asks for a line; the value heads the help."""

    BETS = "Bets are open. You can type:"
    INSURANCE = "Insurance is offered. You can type:"
    ANTE = "An ante is to be decided. You can type:"
    SQUEEZE = "A card of yours lies face down. You can type:"


HELP: dict[Moment, tuple[HelpRow, ...]] = {
    Moment.BETS: (
        (
            "banker 100 tie 10",
            "put 100 on Banker and 10 on Tie, or raise the bets there; p100 and 100 banker do too",
        ),
        ("banker max", "as much as the table and your chips allow"),
        ("off tie, off b 50", "take a bet off, or 50 of it; clear takes all of them off"),
        ("same, double", "the bets of the last round again; twice what is on the layout"),
        ("undo", "take back the last line"),
        (
            "box 2 banker 50",
            "bet in another box: a free one becomes yours too; where somebody sits you bet behind",
        ),
        ("both banker 50", "bet in every box of yours"),
        ("deal", "no more bets, and the cards come; so does Enter after bets"),
    ),
    Moment.INSURANCE: (
        ("50", "insure with this amount"),
        ("max", "insure with as much as is allowed"),
        ("no", "no insurance; so does Enter"),
    ),
    Moment.ANTE: (
        ("wager", "place the wager, and play on"),
        ("give up", "lose the ante, and nothing more"),
    ),
    Moment.SQUEEZE: (
        ("Enter", "peel the card a little further"),
        ("open", "turn it over at once; open all does so with every card of this round"),
    ),
}

ALWAYS: tuple[HelpRow, ...] = (
    ("bets", "every bet: its short name, what it pays, what it takes"),
    ("odds", "what each bet is worth now, exactly, by the cards not seen"),
    ("coach", "after each round, what each bet cost on average; coach off ends it"),
    ("roads", "the roads of this shoe"),
    ("history", "the last rounds and what they brought; history all shows every one"),
    ("why", "the last round again, each bet with its clause"),
    ("rules", "the rule book: rules pay, rules 3.12, rules all"),
    ("shuffle", "where the order of the cards comes from"),
    ("statement", "the account so far"),
    ("buy 1000", "more chips"),
    ("save", "keep the game now; it is kept after every line anyway"),
    ("quit", "leave; the game is kept, and you can go on with it the next time"),
    ("leave", "leave for good: the game ends here"),
)
"""What can be typed anywhere."""

WORDS: tuple[str, ...] = (
    *("bets", "odds", "coach", "roads", "history", "why", "rules", "shuffle", "statement"),
    *("buy", "save", "quit", "leave", "help"),
)
"""The first words of what can be typed anywhere."""

PLACE_WORDS: dict[Moment, tuple[str, ...]] = {
    Moment.BETS: ("same", "clear", "off", "deal", "double", "undo", "max", "box", "both"),
    Moment.INSURANCE: ("max", "no"),
    Moment.ANTE: ("wager", "give up"),
    Moment.SQUEEZE: ("open",),
}
