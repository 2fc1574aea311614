"""A whole table session as text: one line a command or a card, readable by people, in `.punto` files.

    Pia as pit-supervisor: open commission bean-7 burn=none
    Ann as dealer: load the shoe
    Ann as dealer: place your bets
    Lee: sit 3
    Lee: bet 3 banker 100           # a comment
    Ann as dealer: no more bets
    KS 3H 9D 2C                     # dealt one by one by whoever dealt last
    > finished player 9 5 natural   # what must have come of it

Reading and writing lose nothing: what was read is written with its comments and blank lines, and what was
written is read as the same commands. docs/reference/notation.md has the grammar.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from punto.cards.card import Card, format_cards
from punto.rules.role import Role
from punto.table.command import Command
from punto.table.header import Person
from punto.table.notation.phrase import PHRASES, format_phrase, parse_phrase
from punto.table.notation.term_words import parse_role
from punto.table.notation.word import (
    format_word,
    parse_name,
    parse_number,
    parse_word,
    split_line,
    suggestion,
)
from punto.table.transcript import KINDS
from punto.table.words import FactLine


class Remark(msgspec.Struct, frozen=True):
    """A blank line, or one with nothing but a comment."""

    comment: str = ""
    """With its `#`."""


class CommandGiven(msgspec.Struct, frozen=True):
    """A command."""

    command: Command
    comment: str = ""


class CardsDealt(msgspec.Struct, frozen=True):
    """Cards dealt one by one by the dealer who was named last."""

    cards: tuple[Card, ...]
    comment: str = ""


class FactExpected(msgspec.Struct, frozen=True):
    """A fact that must have come of the line above."""

    fact: FactLine
    comment: str = ""


SessionLine = Remark | CommandGiven | CardsDealt | FactExpected
Session = tuple[SessionLine, ...]
"""The lines of a session; line 1 is the first."""


class WrongLines(ValueError):
    """Lines that cannot be read, each with its number and what is wrong."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        assert problems
        self.problems = problems
        super().__init__("\n".join(f"line {number}: {sentence}" for number, sentence in problems))


def session_of(commands: tuple[Command, ...]) -> Session:
    """A session that says these commands and nothing else."""
    return tuple(map(CommandGiven, commands))


def parse_session(text: str, *, has_dealer: bool = False) -> Session:
    """Read a session; `WrongLines` has every line that is wrong.

    `has_dealer`: a dealer is known who deals cards before any is named.
    """
    lines: list[SessionLine] = []
    problems = []
    texts = text.split("\n")
    is_dealt, is_asked = has_dealer, False
    for number, written in enumerate(texts[:-1] if texts[-1] == "" else texts, start=1):
        try:
            line = parse_line(written)
            if isinstance(line, FactExpected) and not is_asked:
                raise ValueError("nothing was asked before, so nothing can have come of it")
            if isinstance(line, CardsDealt) and not is_dealt:
                raise ValueError("cards are dealt by the dealer who was named last, and none was named yet")
        except ValueError as error:
            problems.append((number, str(error)))
            is_dealt = is_asked = True  # the lines below are judged as if this one had been right
            continue
        is_asked = is_asked or isinstance(line, CommandGiven | CardsDealt)
        is_dealt = is_dealt or (isinstance(line, CommandGiven) and line.command.role is Role.DEALER)
        lines.append(line)
    if problems:
        raise WrongLines(problems)
    return tuple(lines)


def format_session(session: Session) -> str:
    """Write a session so that `parse_session` reads the same."""
    return "".join(f"{format_line(line)}\n" for line in session)


def format_line(line: SessionLine) -> str:
    """One line of a session."""
    if isinstance(line, Remark):
        return line.comment
    if isinstance(line, CommandGiven):
        text = format_command(line.command)
    elif isinstance(line, CardsDealt):
        text = format_cards(line.cards)
    else:
        text = " ".join((">", *map(format_word, line.fact)))
    return f"{text}  {line.comment}" if line.comment else text


def parse_line(line: str) -> SessionLine:
    """Read one line by itself."""
    words, comment = split_line(line)
    if not words:
        return Remark(comment)
    if words[0] == ">":
        if len(words) == 1:
            raise ValueError("the fact that is expected is missing")
        return FactExpected(_parse_fact(words[1:]), comment)
    if any(word.endswith(":") for word in words):
        return CommandGiven(_parse_command(words), comment)
    try:
        cards = tuple(map(Card.parse, words))
    except ValueError as error:
        if _is_like_a_card(words[0]) and words[0] not in PHRASES.values():
            raise
        raise ValueError(_neither(words)) from error
    return CardsDealt(cards, comment)


_CARD_LIKE = re.compile(r"[A0-9TJQKSHDC♠♤♥♡♦♢♣♧].{1,2},?", re.IGNORECASE)


def _is_like_a_card(word: str) -> bool:
    return _CARD_LIKE.fullmatch(word) is not None


def _neither(words: list[str]) -> str:
    """What is wrong with a line that is not a command, not cards and not a fact."""
    said = " ".join(words)
    phrase = next((one for one in PHRASES.values() if said == one or said.startswith(f"{one} ")), None)
    if phrase is not None:
        return f"nobody gives this command: write who does, as in Ann as dealer: {phrase}"
    if len(words) == 1:
        return (
            f"{said!r} is neither a command nor a card: a command has a person and a colon before it, as in "
            "Lee: sit 3, and cards are written such as KS or 10H"
        )
    return "a colon is missing after the person, as in Lee: sit 3"


def _parse_fact(words: list[str]) -> FactLine:
    fact = tuple(map(parse_word, words))
    kind = fact[-1] if fact[0] == "no" else fact[0]
    if kind not in KINDS or (fact[0] == "no" and len(fact) != 2):
        raise ValueError(f"{kind!r} is not a kind of fact{suggestion(kind, sorted(KINDS))}")
    return fact


# ── Who gives a command ──────────────────────────────────────────────────────────────────────────


def format_command(command: Command) -> str:
    """A command with who gives it, in which role, when, under which key and together with whom."""
    said = [format_word(command.actor)]
    if command.role is not Role.PLAYER:
        said.append(f"as {command.role.value}")
    if command.time:
        said.append(f"at {command.time}")
    if command.key:
        said.append(f"key {format_word(command.key)}")
    if command.second is not None:
        said.append(f"with {format_word(command.second.name)} as {command.second.role.value}")
    return f"{' '.join(said)}: {format_phrase(command)}"


def _parse_command(words: list[str]) -> Command:
    end = next(place for place, word in enumerate(words) if word.endswith(":"))
    header = [*words[:end], *filter(None, [words[end][:-1]])]
    return parse_phrase(words[end + 1 :], _parse_header(header))


def _parse_header(words: list[str]) -> dict[str, Any]:
    """The fields that every command has."""
    if not words:
        raise ValueError("nobody is named before the colon")
    header: dict[str, Any] = {"actor": parse_name(words[0]), "role": Role.PLAYER}
    said, rest = set(), words[1:]
    while rest:
        word, *rest = rest
        if word not in ("as", "at", "key", "with"):
            raise ValueError(f"{word!r} does not belong before the colon; a name of several words is quoted")
        if word in said:
            raise ValueError(f"{word!r} is said twice before the colon")
        if not rest:
            raise ValueError(f"something has to follow {word!r}")
        said.add(word)
        value, *rest = rest
        if word == "as":
            header["role"] = parse_role(value)
        elif word == "at":
            header["time"] = parse_number("the time", value)
        elif word == "key":
            header["key"] = parse_word(value)
        else:
            if len(rest) < 2 or rest[0] != "as":
                raise ValueError("the second person needs a role: with NAME as ROLE")
            header["second"] = Person(parse_name(value), parse_role(rest[1]))
            rest = rest[2:]
    return header
