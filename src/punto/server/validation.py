"""What the server refuses by itself, and strict reading: unknown fields, wrong types and odd characters in
bodies, queries and frames.

`Rejected` ends a request with a status, a reason and a sentence. What is wrong with something that a
client sent is said in words for people.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from punto.refusal import Reason, Refusal
from punto.words import ENGLISH, phrases


class ServerReason(Enum):
    """Why the server refuses something; the value is the code that programs see."""

    MALFORMED = "malformed"
    WRONG_HOST = "wrong-host"
    WRONG_ORIGIN = "wrong-origin"
    NO_SESSION = "no-session"
    WRONG_PASSWORD = "wrong-password"
    PASSWORD_AGAIN = "password-again"
    CSRF = "csrf"
    NOT_YOUR_ROLE = "not-your-role"
    ROLE_NEEDED = "role-needed"
    NO_ROLE = "no-role"
    OWN_ROLES = "own-roles"
    HOUSE_NAME = "house-name"
    UNSEEN_NAME = "unseen-name"
    LAST_ADMINISTRATOR = "last-administrator"
    NOT_THERE = "not-there"
    NO_METHOD = "no-method"
    TOO_LARGE = "too-large"
    TOO_OFTEN = "too-often"
    TOO_MANY_WAIT = "too-many-wait"
    LOCKED_OUT = "locked-out"
    OWN_APPROVAL = "own-approval"
    RANK_NEEDED = "rank-needed"
    APPROVAL_OVER = "approval-over"
    CALL_OVER = "call-over"
    UNKNOWN_BOOK = "unknown-book"
    NO_ADVICE = "no-advice"
    STILL_OPEN = "still-open"
    NO_MOMENT = "no-moment"
    STORE_FAILED = "store-failed"
    FAILED = "failed"


class RefusalText(msgspec.Struct, frozen=True):
    """A refusal as it is sent."""

    reason: str
    params: dict[str, str | int]
    sentence: str
    clause: str | None = None


class RefusalAnswer(msgspec.Struct, frozen=True):
    """The body of every answer that is a refusal."""

    refusal: RefusalText


class Rejected(Exception):
    """Ends a request with a refusal."""

    def __init__(
        self, status: int, reason: ServerReason, *, retry_after: int | None = None, **params: str | int
    ) -> None:
        super().__init__(reason.value)
        self.status, self.retry_after = status, retry_after
        sentence = phrases(ENGLISH, "refusals.json")[reason.value].format(**params)
        self.text = RefusalText(reason.value, dict(params), sentence)


OF_ROLE = frozenset((Reason.NOT_ALLOWED, Reason.NOT_RANKED, Reason.CHANGES_EVIDENCE, Reason.NOT_THE_DRAWER))
"""Refusals of a table that are about the role of the one who asks."""


def status_of(refusal: Refusal) -> int:
    """The status of an answer that is a refusal of table, floor or ledger."""
    if refusal.reason is Reason.NO_TABLE:
        return 404
    if refusal.reason is Reason.TOO_MANY_REFUSED:
        return 429
    return 403 if refusal.reason in OF_ROLE else 409


def text_of(refusal: Refusal) -> RefusalText:
    """A refusal of table, floor or ledger as it is sent."""
    return RefusalText(refusal.reason.value, refusal.params, refusal.sentence, refusal.clause)


# The forms of texts that clients send, as JSON Schema has them and in words.
#
# No control characters, none that turn the direction of what is written, and none that cannot be seen: they
# are used to make one name look like another.


ODD = "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\uffff"
"""Characters that nobody can see, or that change how others are seen."""
PLAIN_TEXT = f"^[^{ODD}]*$"
"""A text that people can read as it is."""
TABLE_ID = "^[a-z0-9-]{1,40}$"
CURRENCY = "^[A-Z]{3,8}$"
HANDLE = f"^[^/ {ODD}]([^/{ODD}]*[^/ {ODD}])?$"
"""The name of an account."""

IN_WORDS = {
    PLAIN_TEXT: "a text without control or invisible characters",
    TABLE_ID: "1 to 40 small letters, digits and hyphens",
    CURRENCY: "3 to 8 capital letters, such as USD",
    HANDLE: "a name without slashes, control or invisible characters, and without blanks at its ends",
}
"""What each of them asks for."""


# What is wrong with something that a client sent, in a sentence for people.
#
# The reader of JSON has words of its own, made for programmers. Here each of its complaints becomes a
# sentence that names the field, says what must stand there, and lists what could, where that is a short
# list.


MOST_LISTED = 12
"""Choices that are listed; of more, only the kind is named."""
LONGEST_SHOWN = 40
"""Characters that are shown of what was sent."""

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_UNREADABLE = {
    "invalid character": "a character that JSON does not have there",
    "trailing characters": "something after its end",
    "trailing comma in object": "a comma after the last value of an object",
    "trailing comma in array": "a comma after the last value of a list",
    "object keys must be strings": "a name without quotation marks",
    "expected ':'": "a name without a colon after it",
    "expected ',' or '}'": "an object without a comma or its end",
    "expected ',' or ']'": "a list without a comma or its end",
    "invalid escape character in string": "a backslash that stands for nothing",
    "unexpected end of hex escape": "half of an escaped character",
    "invalid number": "a number that is not written as JSON has it",
}
"""What the reader finds where something is not JSON."""


def complaint_of(error: msgspec.MsgspecError, kind: Any = None) -> str:
    """The sentence for what msgspec says; `kind` is the type that was asked for."""
    told, _, place = str(error).partition(" - at ")
    path = _path(place)
    for pattern, say in _SAYINGS:
        found = pattern.fullmatch(told)
        if found is not None:
            return say(_Complaint(found, path, kind))
    if isinstance(error.__cause__, ValueError):  # a sentence of our own, from the type itself
        return f"{_inside(path)}{told}"
    return f"{_subject(path)} cannot be read"


class _Complaint:
    """One complaint: what msgspec said, where, and of which type."""

    def __init__(self, found: re.Match[str], path: tuple[str, ...], kind: Any) -> None:
        self.found, self.path, self.kind = found, path, kind

    def __getitem__(self, number: int) -> str:
        return self.found[number] or ""

    @property
    def who(self) -> str:
        return _subject(self.path)


def _wrong_type(of: _Complaint) -> str:
    wanted = [_KINDS.get(name, name) for name in of[1].split(" | ")]
    got = _KINDS.get(of[2], of[2])
    if of[2] == "float" and "int" in of[1].split(" | "):
        got = "one with decimals"
    return f"{of.who} must be {' or '.join(wanted)}, not {got}"


def _bounded(of: _Complaint) -> str:
    limit = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}[of[2]]
    number = f"{int(of[3]):,}" if of[3].lstrip("-").isdecimal() else of[3]
    return f"{of.who} must be {limit} {number}"


def _sized(of: _Complaint) -> str:
    unit = {"str": "character", "array": "entry", "object": "entry", "bytes": "byte"}[of[1]]
    limit, number = {">=": "at least", "<=": "at most"}[of[2]], int(of[3])
    units = unit if number == 1 else {"entry": "entries"}.get(unit, f"{unit}s")
    return f"{of.who} must have {limit} {number:,} {units}"


def _numbered(of: _Complaint) -> str:
    return f"{of.who} has the wrong number of entries"


def _shaped(of: _Complaint) -> str:
    pattern = of[1][1:-1].replace("\\\\", "\\")
    return f"{of.who} must be {IN_WORDS.get(pattern, f'of the form {pattern}')}"


def _unknown_value(of: _Complaint) -> str:
    shown = of[1].strip("'\"")
    shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
    choices = list(dict.fromkeys(_choices(of.kind, of.path)))
    if 0 < len(choices) <= MOST_LISTED:
        return f"{of.who} must be {listed(choices)}, not {shown}"
    return f"{of.who} is not known: {shown}"


def _too_large(of: _Complaint) -> str:
    return f"{of.who} is too large" if any(of.path) else "a number in it is too large"


def _missing(of: _Complaint) -> str:
    return f"{_inside(of.path)}{of[1]} is missing"


def _unknown_field(of: _Complaint) -> str:
    shown = of[1] if len(of[1]) <= LONGEST_SHOWN else f"{of[1][:LONGEST_SHOWN]}…"
    return f"{_inside(of.path)}{shown} is not asked for"


def _unreadable(of: _Complaint) -> str:
    found = _UNREADABLE.get(of[1], of[1])
    return f"it is not JSON: {found}, near byte {int(of[2]):,}"


_SAYINGS: tuple[tuple[re.Pattern[str], Callable[[_Complaint], str]], ...] = tuple(
    (re.compile(pattern, re.DOTALL), say)
    for pattern, say in (
        (r"Expected `([^`]*)`, got `([^`]*)`", _wrong_type),
        (r"Expected `(int|float)` (>=|<=|>|<) (\S+)", _bounded),
        (r"Expected `int` that's a multiple of (\d+)", lambda of: f"{of.who} must be a multiple of {of[1]}"),
        (r"Expected `(str|array|object|bytes)` of length (>=|<=) (\d+)", _sized),
        (r"Expected `array` of .*length.*", _numbered),
        (r"Expected `str` matching regex (.*)", _shaped),
        (r"Expected `(\w+)`", lambda of: f"{of.who} must be {_KINDS.get(of[1], of[1])}"),
        (r"Invalid enum value (.*)", _unknown_value),
        (r"Invalid value (.*)", _unknown_value),
        (r"Object missing required field `(.*)`", _missing),
        (r"Object contains unknown field `(.*)`", _unknown_field),
        (r"(Integer value|Number) out of range", _too_large),
        (r"Input data was truncated", lambda _: "it is not JSON: it ends too early"),
        (r"JSON is malformed: (.*) \(byte (\d+)\)", _unreadable),
    )
)
"""Every complaint of msgspec that JSON and our types can cause."""


# ── Where it is ──────────────────────────────────────────────────────────────────────────────────


def _path(place: str) -> tuple[str, ...]:
    """`$.command.cards[...]` as its names; an entry of a list, or under a free name, has none."""
    inner = place.strip("`").removeprefix("key in ").removeprefix("$")
    return tuple("" if part.startswith("[") else part for part in re.findall(r"\[[^\]]*\]|[^.\[\]]+", inner))


def _subject(path: tuple[str, ...]) -> str:
    """The field in words: `amount in command`, `an entry of cards`."""
    if not path:
        return "it"
    *outer, last = path
    if not last:
        return f"an entry of {_subject(tuple(outer))}" if outer else "an entry of it"
    named = [name for name in outer if name]
    return " in ".join((last, *reversed(named)))


def _inside(path: tuple[str, ...]) -> str:
    return f"in {_subject(path)}, " if path else ""


# ── What could stand there ───────────────────────────────────────────────────────────────────────


def _choices(kind: Any, path: tuple[str, ...]) -> Iterator[str]:
    """What a field of this type may be, if it is one of a list."""
    if kind is not None:
        for found in _types_at(inspect.type_info(kind), path):
            if isinstance(found, inspect.EnumType):
                yield from (str(one.value) for one in found.cls)
            elif isinstance(found, inspect.LiteralType):
                yield from map(str, found.values)


def _types_at(found: inspect.Type, path: tuple[str, ...]) -> Iterator[inspect.Type]:
    """The types that may stand at a place."""
    match found:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _types_at(each, path)
        case inspect.Metadata(type=inner):
            yield from _types_at(inner, path)
        case _ if not path:
            yield found
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            name, *rest = path
            if name == tag_field and tag is not None and not rest:
                yield inspect.LiteralType((tag,))
            for field in fields:
                if field.encode_name == name:
                    yield from _types_at(field.type, tuple(rest))
        case inspect.DictType(value_type=inner) | inspect.VarTupleType(item_type=inner):
            yield from _types_at(inner, path[1:])


def listed(choices: list[str]) -> str:
    """`a, b or c`."""
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last


# Bodies, queries and frames are read strictly: unknown fields, wrong types and odd characters are refused.
#
# What a schema cannot say by itself is said here once, for the reader and for the OpenAPI document: how
# large a number may be, how long a text, and how deep a body. `pattern` says which characters a text may
# have; no halves of characters are among them. A name that stands twice in an object is refused: two readers
# could take another one of its values.


LARGEST_BODY = 64 * 1024
"""Bytes of a body, and of a frame."""
LARGEST_NUMBER = 2**53 - 1
"""What every reader of JSON can hold exactly."""
LONGEST_TEXT = 500
DEEPEST = 12
"""Levels of a body; what anybody can mean has six."""

_ODD = re.compile(f"[{ODD}\\ud800-\\udfff]")

_PLAIN = re.compile(rb"[\t\n\r\x20-\x2d\x2f-\x5b\x5d-\x7e]*")
"""Printed ASCII without points and escapes."""
_LONG_NUMBER = re.compile(rb"[0-9]{15}")
_T = TypeVar("_T")


def malformed(problem: str) -> Rejected:
    """The refusal of what cannot be read."""
    return Rejected(400, ServerReason.MALFORMED, problem=problem)


def read_json(content: bytes | str, decoder: msgspec.json.Decoder[_T]) -> _T:
    """A body from its JSON; `Rejected` where it is not exactly what is asked for."""
    try:
        written = content.encode() if isinstance(content, str) else content
        if _is_plain(written):
            with suppress(msgspec.MsgspecError):  # what is wrong with it is said below
                return decoder.decode(written)
        document = msgspec.json.decode(written)
        has_point = check_bounds(document)
        _check_names(written)
        if has_point:
            # To JSON Schema 10.0 is a whole number like 10.
            found: _T = msgspec.convert(_with_whole(document), decoder.type)
            return found
        return decoder.decode(written)
    except msgspec.MsgspecError as error:
        raise malformed(complaint_of(error, decoder.type)) from None
    except (UnicodeError, RecursionError):
        raise malformed("it is not JSON in UTF-8, or it is nested too deeply") from None


def _is_plain(content: bytes) -> bool:
    """Whether a body is so short and plain that nothing in it can be odd; almost all are."""
    return (
        len(content) <= LONGEST_TEXT
        and _PLAIN.fullmatch(content) is not None
        and _LONG_NUMBER.search(content) is None
        and content.count(b"{") + content.count(b"[") <= DEEPEST
        and _are_names_apart(content)
    )


def _are_names_apart(content: bytes) -> bool:
    """Whether every name in a plain body is another one, so that none can stand twice in an object.

    Without escapes every second quotation mark ends a text; a text before a colon is a name.
    """
    parts = content.split(b'"')
    texts = parts[1::2]
    if len(set(texts)) == len(texts):
        return True
    names = [text for text, after in zip(texts, parts[2::2], strict=False) if after.lstrip()[:1] == b":"]
    return len(set(names)) == len(names)


def _check_names(content: bytes) -> None:
    """Refuse a name that stands twice in an object; the content is known to be JSON."""
    json.loads(content.decode(), object_pairs_hook=_once, parse_int=len, parse_float=len)


def _once(pairs: list[tuple[str, Any]]) -> None:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise malformed(f"{twice[:40]} stands twice in an object")


def read_query(values: dict[str, list[str]], kind: type[_T]) -> _T:
    """The query of an address as a struct, each name once."""
    for name, several in values.items():
        if len(several) > 1:
            raise malformed(f"{name} stands in the address more than once")
        check_bounds(several[0], name)
        if name in _whole(kind) and not _DIGITS.fullmatch(several[0]):
            raise malformed(f"{name} must be a whole number of at most 16 digits, without a sign")
    try:
        single = {name: several[0] for name, several in values.items()}
        found: _T = msgspec.convert(single, kind, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(complaint_of(error, kind)) from None
    check_bounds(msgspec.to_builtins(found))
    return found


def is_odd(text: str) -> bool:
    """Whether a text is so long, or has such characters, that nobody can mean it."""
    return len(text) > LONGEST_TEXT or _ODD.search(text) is not None


def check_bounds(value: Any, where: str = "", depth: int = 0) -> bool:
    """Refuse numbers, texts and depths that nobody can mean; whether there are numbers with a point."""
    has_point = False
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise malformed(f"the text{_of_place(where)} is longer than {LONGEST_TEXT} characters")
        if _ODD.search(value):
            raise malformed(f"the text{_of_place(where)} has control or invisible characters")
    elif isinstance(value, dict):
        if depth >= DEEPEST:
            raise malformed("it is nested too deeply")
        for name, inner in value.items():
            check_bounds(name, where, depth + 1)
            has_point |= check_bounds(inner, name, depth + 1)
    elif isinstance(value, list):
        if depth >= DEEPEST:
            raise malformed("it is nested too deeply")
        for inner in value:
            has_point |= check_bounds(inner, where, depth + 1)
    elif isinstance(value, float):
        has_point = True
    elif isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise malformed(f"the number{_of_place(where)} is too large")
    return has_point


def _with_whole(value: Any) -> Any:
    """The same with whole numbers that were written with a point."""
    if isinstance(value, dict):
        return {name: _with_whole(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_whole(inner) for inner in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_NUMBER
    return int(value) if is_whole else value


_DIGITS = re.compile(r"[0-9]{1,16}")
_wholes: dict[type[Any], frozenset[str]] = {}


def _whole(kind: type[Any]) -> frozenset[str]:
    """The fields of a query that are whole numbers: written in plain digits, not as `1e3` or `+1`."""
    if kind not in _wholes:
        kinds = {f.encode_name: repr(msgspec.inspect.type_info(f.type)) for f in msgspec.structs.fields(kind)}
        _wholes[kind] = frozenset(name for name, told in kinds.items() if "Int" in told)
    return _wholes[kind]


def _of_place(where: str) -> str:
    return f" of {where}" if where else ""
