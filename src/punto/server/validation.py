"""What the server refuses by itself, and strict reading: unknown fields, wrong types and odd characters in
bodies, queries and frames.

`Rejected` ends a request with a status, a reason and a sentence. What is wrong with something that a
client sent is said in words for people.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

import msgspec

from punto.malformed import complaint_of
from punto.refusal import Reason, Refusal, RefusalText
from punto.store import TABLE_ID
from punto.words import ENGLISH, phrases


class ServerReason(Enum):
    """Why the server refuses something; the value is the code that programs see."""

    MALFORMED = "malformed"
    WRONG_HOST = "wrong-host"
    WRONG_ORIGIN = "wrong-origin"
    PASSWORD_AGAIN = "password-again"
    CSRF = "csrf"
    NOT_YOUR_ROLE = "not-your-role"
    NO_ROLE = "no-role"
    NOT_THERE = "not-there"
    NO_METHOD = "no-method"
    TOO_LARGE = "too-large"
    UNKNOWN_BOOK = "unknown-book"
    WRONG_BOOK = "wrong-book"
    NO_SHARED_DECKS = "no-shared-decks"
    NO_ADVICE = "no-advice"
    STILL_OPEN = "still-open"
    NO_MOMENT = "no-moment"
    RECORD_BROKEN = "record-broken"
    WRONG_ANCHOR = "wrong-anchor"
    STORE_FAILED = "store-failed"
    FAILED = "failed"


class RefusalAnswer(msgspec.Struct, frozen=True):
    """The body of every answer that is a refusal."""

    refusal: RefusalText


class Rejected(Exception):
    """Ends a request with a refusal, of the server itself or of the floor."""

    def __init__(
        self,
        status: int,
        reason: ServerReason | Refusal | RefusalText,
        *,
        retry_after: int | None = None,
        **params: str | int,
    ) -> None:
        if isinstance(reason, RefusalText):
            self.text = reason
        elif isinstance(reason, Refusal):
            self.text = reason.text
        else:
            sentence = phrases(ENGLISH, "refusals.json")[reason.value].format(**params)
            self.text = RefusalText(reason.value, params, sentence)
        super().__init__(self.text.reason)
        self.status, self.retry_after = status, retry_after


_CODES = (Reason.SECOND_FACTOR_NEEDED, Reason.WRONG_CODE)
_STATUSES: dict[int, frozenset[Reason]] = {
    401: frozenset((Reason.NO_SESSION, Reason.WRONG_PASSWORD, Reason.SESSION_IDLE, Reason.LINK_OVER, *_CODES)),
    403: frozenset(
        (
            *(Reason.NOT_ALLOWED, Reason.NOT_RANKED, Reason.CHANGES_EVIDENCE, Reason.NOT_THE_DRAWER),
            *(Reason.OWN_ROLES, Reason.ROLE_NEEDED, Reason.OWN_APPROVAL, Reason.RANK_NEEDED),
            *(Reason.NOT_ALLOWED_HERE, Reason.LOG_IN_SHUT, Reason.SECOND_FACTOR_MISSING, Reason.OWN_SECOND_FACTOR),
        )
    ),
    404: frozenset(
        (Reason.NO_TABLE, Reason.NO_OPEN_SESSION, Reason.NO_INVITATION, Reason.INVITATION_OVER, Reason.NO_DEVICE)
    ),
    429: frozenset((Reason.TOO_MANY_REFUSED, Reason.TOO_MANY_WAIT, Reason.TOO_OFTEN, Reason.LOCKED_OUT)),
}
"""The statuses of refusals of table, floor and ledger, if not 409; each 429 has `seconds` among its parameters."""


def rejected(refusal: Refusal, status: int | None = None) -> Rejected:
    """A refusal of table, floor or ledger as the end of a request."""
    status = status or next((status for status, reasons in _STATUSES.items() if refusal.reason in reasons), 409)
    return Rejected(status, refusal, retry_after=int(refusal.params["seconds"]) if status == 429 else None)


def too_often(seconds: int = 1) -> Rejected:
    return rejected(Refusal(Reason.TOO_OFTEN, None, {"seconds": seconds}))


def not_there(what: str = "such address") -> Rejected:
    return Rejected(404, ServerReason.NOT_THERE, what=what)


def malformed(problem: str) -> Rejected:
    return Rejected(400, ServerReason.MALFORMED, problem=problem)


ODD = "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\uffff"
"""Characters that nobody can see, or that change how others are seen: they make one name look like another."""
PLAIN_TEXT = f"^[^{ODD}]*$"  # A text that people can read as it is.
SOME_TEXT = f"^[^{ODD}]*[^\\s{ODD}][^{ODD}]*$"  # The same, and not blank.
WHOLE_TABLE_ID = f"^{TABLE_ID.pattern}$"

IN_WORDS = {
    PLAIN_TEXT: "a text without control or invisible characters",
    SOME_TEXT: "a text that is not blank, without control or invisible characters",
    WHOLE_TABLE_ID: "1 to 40 small letters, digits and hyphens",
}
"""What each of them asks for."""

# What a schema cannot say by itself is said here once, for the reader and for the OpenAPI document: how
# large a number may be, how long a text, and how deep a body. `pattern` says which characters a text may
# have; no halves of characters are among them.
LARGEST_BODY = 64 * 1024  # Bytes of a body, and of a frame.
LARGEST_NUMBER = 2**53 - 1  # What every reader of JSON can hold exactly.
LONGEST_TEXT = 500
DEEPEST = 12  # Levels of a body; what anybody can mean has six.

_ODD = re.compile(f"[{ODD}\\ud800-\\udfff]")
_PLAIN = re.compile(rb"[\t\n\r\x20-\x2d\x2f-\x5b\x5d-\x7e]*")  # Printed ASCII without points and escapes.
_LONG_NUMBER = re.compile(rb"[0-9]{15}")
_DIGITS = re.compile(r"[0-9]{1,16}")
_T = TypeVar("_T")


def read_json(content: bytes | str, decoder: msgspec.json.Decoder[_T], long_text: str | None = None) -> _T:
    """A body from its JSON; `Rejected` where it is not exactly what is asked for.

    The field `long_text` may hold a whole file: how long it may be is for the struct to say.
    """
    try:
        written = content.encode() if isinstance(content, str) else content
        if _is_plain(written):
            with suppress(msgspec.MsgspecError):  # what is wrong with it is said below
                return decoder.decode(written)
        document = msgspec.json.decode(written)
        bounded = document
        if long_text is not None and isinstance(document, dict) and isinstance(document.get(long_text), str):
            check_file(document[long_text], long_text)
            bounded = {name: value for name, value in document.items() if name != long_text}
        has_point = check_bounds(bounded)
        json.loads(written.decode(), object_pairs_hook=_check_names, parse_int=len, parse_float=len)
        if has_point:
            # To JSON Schema 10.0 is a whole number like 10.
            return msgspec.convert(_with_whole(document), decoder.type)
        return decoder.decode(written)
    except msgspec.MsgspecError as error:
        raise malformed(complaint_of(error, decoder.type, IN_WORDS)) from None
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


def _check_names(pairs: list[tuple[str, Any]]) -> None:
    """Refuse a name that stands twice in an object: two readers could take another one of its values."""
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
        query = msgspec.convert({name: several[0] for name, several in values.items()}, kind, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(complaint_of(error, kind, IN_WORDS)) from None
    check_bounds(msgspec.to_builtins(query))
    return query


_wholes: dict[type[Any], frozenset[str]] = {}


def _whole(kind: type[Any]) -> frozenset[str]:
    """The fields of a query that are whole numbers: written in plain digits, not as `1e3` or `+1`."""
    if kind not in _wholes:
        kinds = {f.encode_name: repr(msgspec.inspect.type_info(f.type)) for f in msgspec.structs.fields(kind)}
        _wholes[kind] = frozenset(name for name, described in kinds.items() if "Int" in described)
    return _wholes[kind]


def is_odd(text: str) -> bool:
    """Whether a text is so long, or has such characters, that nobody can mean it."""
    return len(text) > LONGEST_TEXT or _ODD.search(text) is not None


_BREAKS = str.maketrans("", "", "\t\n\r")


def check_file(text: str, name: str) -> None:
    """Refuse a file that has characters which nobody can see, other than tabs and the ends of lines."""
    if _ODD.search(text.translate(_BREAKS).removeprefix("\ufeff")):
        raise malformed(f"the text of {name} has control or invisible characters")


def check_bounds(value: Any, name: str = "", depth: int = 0) -> bool:
    """Refuse numbers, texts and depths that nobody can mean; whether there are numbers with a point."""
    where = f" of {name}" if name else ""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise malformed(f"the text{where} is longer than {LONGEST_TEXT} characters")
        if _ODD.search(value):
            raise malformed(f"the text{where} has control or invisible characters")
    elif isinstance(value, dict | list):
        if depth >= DEEPEST:
            raise malformed("it is nested too deeply")
        named = value.items() if isinstance(value, dict) else ((name, inner) for inner in value)
        has_point = False
        for field, inner in named:
            check_bounds(field, name, depth + 1)
            has_point |= check_bounds(inner, field, depth + 1)
        return has_point
    elif isinstance(value, int) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise malformed(f"the number{where} is too large")
    return isinstance(value, float)


def _with_whole(value: Any) -> Any:
    """The value with whole numbers that were written with a point, as 5.0, made whole."""
    if isinstance(value, dict):
        return {name: _with_whole(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_whole(inner) for inner in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_NUMBER
    return int(value) if is_whole else value
