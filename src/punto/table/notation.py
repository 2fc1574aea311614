"""A whole session as text: words, phrases, lines, and playing it.

docs/reference/notation.md has the grammar. A phrase is the words of a command with its fields; a line adds who gives
it, or is a remark, cards or a fact that is expected. Reading and writing lose nothing: what was read is written with
its comments and blank lines, and what was written is read as the same commands.

A word is bare (`Lee`, `100.00`, `banker-pair`, `../mine.toml`) or quoted as a JSON string (`"Lee Wong"`). A quoted
piece may also stand inside a word, after an equals sign or a comma. `#` begins a comment wherever a word could begin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields, replace

from punto.cards.card import Card, format_cards
from punto.money import format_amount, parse_amount
from punto.refusal import Refusal, RefusalText
from punto.rules.authority import Authority, Role
from punto.rules.book import Book
from punto.suggestion import did_you_mean
from punto.table.acting import VERBS, act
from punto.table.command import Command
from punto.table.dealing import DealCard
from punto.table.event import FACT_KINDS, Event, facts_of
from punto.table.header import CommandHeader, Person
from punto.table.house import ChangeTerms, OpenTable
from punto.table.irregularity_case import Sighting, format_sighting, parse_sighting
from punto.table.state import Phase, Table
from punto.table.terms import BetLimits, Terms
from punto.table.words import FactLine

_BARE = re.compile(r"[\w.\-'/+:]*[\w.\-'/+]")
_KEPT = frozenset(("as", "at", "key", "with", "for"))  # Words with a meaning; a person of that name is quoted.

LONGEST_LINE = 10_000  # Characters: the terms of a table with limits for every betting area fit several times.
NEAR = 0.8  # How alike two words are, of 1, before one is taken for the other: `bett` for `bet`, not `hit` for `sit`.

_CHUNK = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]')


def split_line(line: str) -> tuple[list[str], str]:
    """The words of a line as they are written, and its comment with the `#`."""
    if len(line) > LONGEST_LINE:
        raise ValueError(f"a line has at most {LONGEST_LINE:,} characters, and not {len(line):,}")
    words: list[str] = []
    place = 0
    while place < len(line):
        if line[place].isspace():
            place += 1
        elif line[place] == "#":
            return words, line[place:].rstrip()
        else:
            chunk = _CHUNK.match(line, place)
            if chunk is None or line[chunk.end() : chunk.end() + 1] == '"':
                raise ValueError("a quote is opened and not closed")
            words.append(chunk[0])
            place = chunk.end()
    return words, ""


def split_at(word: str, separator: str) -> list[str]:
    """The parts of a word between separators that stand outside quotes."""
    parts = [""]
    for piece in _PIECE.findall(word):
        if piece == separator:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def format_word(text: str) -> str:
    """Some text as one word, quoted where it has to be."""
    if _BARE.fullmatch(text) and text.isprintable() and text not in _KEPT:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def parse_word(word: str) -> str:
    """The text that a word stands for; `ValueError` says what is wrong with it."""
    if word.startswith('"'):
        try:
            text = json.loads(word)
        except json.JSONDecodeError:
            raise ValueError(f"{word} is not text in quotes") from None
        assert isinstance(text, str), "a JSON document that opens with a quote is a string"
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            raise ValueError(f"{word} is not text: it holds half of a character")
        return text
    if word in _KEPT:
        raise ValueError(f"{word!r} has a meaning of its own: quote it where it is a name")
    if not _BARE.fullmatch(word):
        raise ValueError(f"{word!r} has to be quoted")
    return word


def parse_name(word: str) -> str:
    """The name of a person, which has to be one."""
    name = parse_word(word)
    if not name.strip():
        raise ValueError("a name must not be empty")
    return name


def near_miss(text: str, known: Iterable[str]) -> str:
    """`; did you mean …?` where one of these is so near that a slip of the fingers explains it."""
    near = get_close_matches(text, list(known), 1, NEAR)
    return f"; did you mean {near[0]!r}?" if near else ""


def parse_any_amount(text: str) -> int:
    """An amount that may be nothing or less: the table refuses it, with its reason."""
    return parse_amount(text, allow_zero=True, allow_negative=True)


def parse_number(name: str, text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number for {name}")
    return int(text)


def format_limits(item: tuple[str, BetLimits]) -> str:
    """The limits of one betting area: `limit.tie=5.00..500.00`, or `limit.tie=5.00` without a greatest stake."""
    area, limits = item
    most = "" if limits.maximum is None else f"..{format_amount(limits.maximum)}"
    return f"limit.{format_word(area)}={format_amount(limits.minimum)}{most}"


def parse_limits(text: str) -> BetLimits:
    least, dots, most = text.partition("..")
    return BetLimits(parse_any_amount(least), parse_any_amount(most) if dots else None)


def format_authority(authority: Authority) -> str:
    """Who may give a command, with which second person, by which clause: `may.rule=pit-manager+dealer@5.5`."""
    roles = ",".join(role.value for role in authority.roles) or "none"
    second = f"+{authority.second.value}" if authority.second else ""
    clause = f"@{format_word(authority.clause)}" if authority.clause is not None else ""
    return f"may.{format_word(authority.command)}={roles}{second}{clause}"


def parse_authority(command: str, text: str) -> Authority:
    people, *clause = split_at(text, "@")
    roles, *second = split_at(people, "+")
    if len(clause) > 1 or len(second) > 1:
        raise ValueError(f"{text!r} has to be roles, one +second person and one @clause")
    return Authority(
        command,
        () if roles == "none" else tuple(map(parse_role, roles.split(","))),
        parse_role(second[0]) if second else None,
        parse_word(clause[0]) if clause else None,
    )


def parse_role(text: str) -> Role:
    try:
        return Role(text)
    except ValueError:
        roles = [role.value for role in Role]
        raise ValueError(f"{text!r} is not a role{did_you_mean(text, roles)}; roles are {', '.join(roles)}") from None


# The fields say themselves how they are written: what a command must have stands in its order, what it may have
# follows as `field=value`, a card just as a card, and the player it is given for after `for`.
PHRASES: dict[type[CommandHeader], str] = {kind: verb.phrase for kind, verb in VERBS.items()}

AMOUNTS = frozenset(("amount", "chip", "minimum", "maximum", "differential"))
"""Fields that are money: written with decimals, held in minor units."""

_PEOPLE = frozenset(("player", "players"))
_TRUTH = {"yes": True, "no": False}


def format_phrase(command: CommandHeader) -> str:
    """What a command asks, without who asks it."""
    return " ".join((PHRASES[type(command)], *_format_fields(command)))


def parse_phrase(words: list[str], header: dict[str, Any]) -> Command:
    """The command that these words say, given by the people of `header`; `ValueError` says what is wrong."""
    if not words:
        raise ValueError("nothing is said after the colon")
    kinds = [kind for kind, phrase in PHRASES.items() if words[: len(phrase.split())] == phrase.split()]
    if not kinds:
        near = near_miss(" ".join(words[:3]), PHRASES.values()) or near_miss(words[0], PHRASES.values())
        raise ValueError(f"{' '.join(words)!r} is not a command{near}")
    kind = max(kinds, key=lambda kind: len(PHRASES[kind].split()))
    values = _parse_fields(kind, words[len(PHRASES[kind].split()) :], PHRASES[kind])
    return cast("Command", kind(**header, **values))


@cache
def _own_fields(kind: type[msgspec.Struct]) -> tuple[FieldInfo, ...]:
    header = {field.name for field in fields(CommandHeader)} if issubclass(kind, CommandHeader) else set()
    return tuple(field for field in fields(kind) if field.name not in header)


def _format_fields(struct: msgspec.Struct) -> Iterator[str]:
    for field in _own_fields(type(struct)):
        value = getattr(struct, field.name)
        if isinstance(value, Terms):
            yield from _format_fields(value)
        elif field.required:
            yield _format_value(field.name, value)
        elif value == (field.default_factory() if field.default is msgspec.NODEFAULT else field.default):
            continue
        elif field.name == "player":
            yield f"for {format_word(value)}"
        elif field.name == "card":
            yield str(value)
        elif field.name == "bet_limits":
            yield from map(format_limits, value.items())
        elif field.name == "authority":
            yield from map(format_authority, value)
        else:
            yield f"{field.name}={_format_value(field.name, value)}"


def _format_value(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return format_amount(value) if name in AMOUNTS else str(value)
    if isinstance(value, tuple):
        text = ",".join(_format_value(name, item) for item in value)
        return '"none"' if text == "none" else text or "none"  # somebody may be called so
    if isinstance(value, Sighting):
        return format_sighting(value)
    if name == "area" and value != value.lower():
        return json.dumps(value, ensure_ascii=not value.isprintable())  # bare, it would be read as lower case
    return format_word(str(value.value if isinstance(value, Enum) else value))


def _parse_fields(kind: type[msgspec.Struct], words: list[str], phrase: str) -> dict[str, Any]:
    if any(field.type is Terms for field in _own_fields(kind)):
        return {"terms": Terms(**_parse_fields(Terms, words, phrase))}
    known = {field.name: field for field in _own_fields(kind)}
    values: dict[str, Any] = {}
    for field in known.values():
        if field.required:
            if not words or words[0] == "for" or len(split_at(words[0], "=")) > 1:
                required = ", ".join(field.name for field in known.values() if field.required)
                raise ValueError(f"{phrase!r} has to be followed by {required}")
            values[field.name] = _parse_value(field.name, field.type, words[0])
            words = words[1:]
    while words:
        words = _parse_optional(known, values, words, phrase)
    return values


def _parse_optional(known: dict[str, FieldInfo], values: dict[str, Any], words: list[str], phrase: str) -> list[str]:
    """Read one field that may be left out; the words after it."""
    word, *rest = words
    name, *value = split_at(word, "=")
    if word == "for" and "player" in known and rest:
        word, *rest = rest
        name, text = "player", word
    elif len(value) == 1 and name in known and not known[name].required and name not in _SPECIAL:
        text = value[0]
    elif len(value) == 1 and "bet_limits" in known and name.startswith(("limit.", "may.")):
        _parse_term(values, name, value[0])
        return rest
    elif not value and "card" in known and not known["card"].required:
        name, text = "card", word
    else:
        raise ValueError(f"{word!r} does not belong after {phrase!r}")
    if name in values:
        raise ValueError(f"{name} is said twice")
    values[name] = _parse_value(name, known[name].type, text)
    return rest


_SPECIAL = frozenset(("player", "card", "bet_limits", "authority"))  # Fields that are not written as `field=value`.


def _parse_term(values: dict[str, Any], name: str, text: str) -> None:
    what, _, of = name.partition(".")
    if what == "may":
        values["authority"] = (*values.get("authority", ()), parse_authority(parse_word(of), text))
        return
    area, limits = parse_word(of), values.setdefault("bet_limits", {})
    if area in limits:
        raise ValueError(f"the limits of {area} are said twice")
    limits[area] = parse_limits(text)


def _plain(annotation: Any) -> Any:
    """A type without what was annotated to it, and without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        return _plain(kinds[0]) if len(kinds) == 1 else annotation
    return annotation


def _parse_value(name: str, annotation: Any, text: str) -> Any:
    kind = _plain(annotation)
    if get_origin(kind) is tuple:
        parts = [] if text == "none" else split_at(text, ",")
        return tuple(_parse_value(name, get_args(kind)[0], part) for part in parts)
    if kind is str:
        if name == "area":  # areas are named in lower case: Banker is read as banker
            return parse_word(text if text.startswith('"') else text.lower())
        return parse_name(text) if name in _PEOPLE else parse_word(text)
    if kind is bool:
        return _choice(name, _TRUTH, text)
    if kind is int:
        return parse_any_amount(text) if name in AMOUNTS else parse_number(name, text)
    if kind == Card | int:
        return parse_number(name, text) if text.lstrip("-").isdecimal() else Card.parse(text)
    if kind is Card:
        return Card.parse(text)
    if kind is Sighting:
        return parse_sighting(text)
    assert issubclass(kind, Enum), f"{name} can be written"
    return _choice(name, {str(member.value): member for member in kind}, text)


def _choice(name: str, choices: dict[str, Any], text: str) -> Any:
    if text not in choices:
        near = near_miss(text.lower(), choices)
        raise ValueError(f"{text!r} is not a valid {name}; write {', '.join(choices)}{near}")
    return choices[text]


class Remark(msgspec.Struct, frozen=True):
    """A blank line, or one with nothing but a comment."""

    comment: str = ""  # With its `#`.


class CommandGiven(msgspec.Struct, frozen=True):
    """A line that gives a command, such as `Lee: bet 3 banker 100`."""

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
Session = tuple[SessionLine, ...]  # The lines of a session; line 1 is the first.


class WrongLines(ValueError):
    """Lines that cannot be read, each with its number and what is wrong."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        assert problems
        self.problems = problems
        super().__init__("\n".join(f"line {number}: {sentence}" for number, sentence in problems))


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
    if isinstance(line, Remark):
        return line.comment
    if isinstance(line, CommandGiven):
        text = format_command(line.command)
    elif isinstance(line, CardsDealt):
        text = format_cards(line.cards)
    else:
        text = f"> {format_fact(line.fact)}"
    return f"{text}  {line.comment}" if line.comment else text


def parse_line(line: str) -> SessionLine:
    words, comment = split_line(line)
    if not words:
        return Remark(comment)
    if words[0] == ">":
        if len(words) == 1:
            raise ValueError("the fact that is expected is missing")
        return FactExpected(_parse_fact(words[1:]), comment)
    end = next((place for place, word in enumerate(words) if word.endswith(":")), None)
    if end is not None:
        header = _parse_header([*words[:end], *filter(None, [words[end][:-1]])])
        return CommandGiven(parse_phrase(words[end + 1 :], header), comment)
    try:
        cards = tuple(map(Card.parse, words))
    except ValueError as error:
        if _CARD_LIKE.fullmatch(words[0]) and words[0] not in PHRASES.values():
            raise
        raise ValueError(_neither(words)) from error
    return CardsDealt(cards, comment)


_CARD_LIKE = re.compile(r"[A0-9TJQKSHDC♠♤♥♡♦♢♣♧].{1,2},?", re.IGNORECASE)


def _neither(words: list[str]) -> str:
    """What is wrong with a line that is not a command, not cards and not a fact."""
    text = " ".join(words)
    phrase = next((one for one in PHRASES.values() if f"{text} ".startswith(f"{one} ")), None)
    if phrase is not None:
        return f"nobody gives this command: write who does, as in Ann as dealer: {phrase}"
    if len(words) == 1:
        return (
            f"{text!r} is neither a command nor a card: a command has a person and a colon before it, as in "
            "Lee: sit 3, and cards are written such as KS or 10H"
        )
    return "a colon is missing after the person, as in Lee: sit 3"


def _parse_fact(words: list[str]) -> FactLine:
    fact = tuple(map(parse_word, words))
    kind = fact[-1] if fact[0] == "no" else fact[0]
    if kind not in FACT_KINDS or (fact[0] == "no" and len(fact) != 2):
        raise ValueError(f"{kind!r} is not a kind of fact{near_miss(kind, sorted(FACT_KINDS))}")
    return fact


def format_command(command: Command) -> str:
    """A command with who gives it, in which role, when, under which key and together with whom."""
    second = command.second
    words = [
        format_word(command.actor),
        f"as {command.role.value}" if command.role is not Role.PLAYER else "",
        f"at {command.time}" if command.time else "",
        f"key {format_word(command.key)}" if command.key else "",
        f"with {format_word(second.name)} as {second.role.value}" if second else "",
    ]
    return f"{' '.join(filter(None, words))}: {format_phrase(command)}"


def _parse_header(words: list[str]) -> dict[str, Any]:
    if not words:
        raise ValueError("nobody is named before the colon")
    header: dict[str, Any] = {"actor": parse_name(words[0]), "role": Role.PLAYER}
    before, rest = set(), words[1:]
    while rest:
        word, *rest = rest
        if word not in ("as", "at", "key", "with"):
            raise ValueError(f"{word!r} does not belong before the colon; a name of several words is quoted")
        if word in before:
            raise ValueError(f"{word!r} is said twice before the colon")
        if not rest:
            raise ValueError(f"something has to follow {word!r}")
        before.add(word)
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


@dataclass(frozen=True, slots=True)
class Played:
    """One command of a session, and what came of it."""

    number: int  # The line it stands in.
    command: Command
    before: Table
    outcome: tuple[Event, ...] | Refusal


class PlayedLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that came of a line of a session, as programs are told it: an event or a refusal."""

    line: int
    seq: int | None = None  # Under which number the event is stored, where it is.
    event: Event | None = None
    refusal: RefusalText | None = None


class NoTable(ValueError):
    """A session in which nobody opens a table."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """An expectation that was not met, or a fact that was not expected."""

    number: int
    sentence: str


def play_session(session: Session, load: Callable[[str], Book]) -> Iterator[Played]:
    """Play a session; `load` brings the book that an opening names."""
    openings = [line.command for line in session if isinstance(line, CommandGiven)]
    named = next((command.terms.book for command in openings if isinstance(command, OpenTable)), None)
    if named is None:
        raise NoTable("no line opens a table")
    table = Table(load(named))
    for number, command in session_commands(session):
        if isinstance(command, OpenTable) and table.state.phase is Phase.NEW and command.terms.book != named:
            named = command.terms.book
            table = Table(load(named))
        if isinstance(command, (OpenTable, ChangeTerms)) and command.terms.book == named:
            # A book given by its file is known at the table by its own name.
            command = replace(command, terms=replace(command.terms, book=table.book.name))
        step = act(table, command)
        yield Played(number, command, table, step if isinstance(step, Refusal) else step.events)
        if not isinstance(step, Refusal):
            table = step.table


def session_commands(session: Session, dealer: str = "") -> Iterator[tuple[int, Command]]:
    """The commands of a session with their lines; `dealer` deals the cards before any dealer is named."""
    for number, line in enumerate(session, start=1):
        if isinstance(line, CommandGiven):
            if line.command.role is Role.DEALER:
                dealer = line.command.actor
            yield number, line.command
        elif isinstance(line, CardsDealt):
            for card in line.cards:
                yield number, DealCard(actor=dealer, role=Role.DEALER, card=card)


def unmet(session: Session, steps: Iterable[Played]) -> list[Unmet]:
    """Every expectation that was not met, in the order of the lines.

    They are judged kind by kind: whoever names one fact of a kind names them all, in their order, and `no` before a
    kind says there is none.
    """
    came: dict[int, list[FactLine]] = {}
    for step in steps:
        came.setdefault(step.number, []).extend(facts_of(step.outcome))
    return [
        wrong
        for number, expected in expectations(session).items()
        for wrong in _compared(expected, came.get(number, []))
    ]


def expectations(session: Session) -> dict[int, list[tuple[int, FactLine]]]:
    """By the line of each command: the facts expected of it, with the lines they stand in."""
    expected: dict[int, list[tuple[int, FactLine]]] = {}
    command_line = 0
    for number, line in enumerate(session, start=1):
        if isinstance(line, (CommandGiven, CardsDealt)):
            command_line = number
        elif isinstance(line, FactExpected):
            expected.setdefault(command_line, []).append((number, line.fact))
    return expected


def _compared(expected: list[tuple[int, FactLine]], came: list[FactLine]) -> Iterator[Unmet]:
    kinds = dict.fromkeys(_kind(fact) for _, fact in expected)
    for kind in kinds:
        wanted = [(number, fact) for number, fact in expected if _kind(fact) == kind]
        facts = [fact for fact in came if fact[0] == kind]
        named = [(number, fact) for number, fact in wanted if fact[0] != "no"]
        for place, (number, fact) in enumerate(named):
            if place >= len(facts):
                yield Unmet(number, f"expected {format_fact(fact)}, and it did not come")
            elif facts[place] != fact:
                yield Unmet(number, f"expected {format_fact(fact)}, and {format_fact(facts[place])} came")
        for fact in facts[len(named) :]:
            yield Unmet(wanted[-1][0], f"{format_fact(fact)} came too, and was not expected")


def _kind(fact: FactLine) -> str:
    return fact[1] if fact[0] == "no" and len(fact) == 2 else fact[0]


def format_fact(fact: FactLine) -> str:
    return " ".join(map(format_word, fact))


def unexpected_refusals(session: Session, steps: Iterable[Played]) -> list[Unmet]:
    """Refusals that the session does not name; a playthrough has none."""
    expected = expectations(session)
    return [
        Unmet(step.number, f"refused, and not expected: {step.outcome.reason.value}: {step.outcome.sentence}")
        for step in steps
        if isinstance(step.outcome, Refusal)
        and not any(fact[0] == "refused" for _, fact in expected.get(step.number, ()))
    ]
