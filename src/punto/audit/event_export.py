"""Significant events as files: as lines of JSON exactly as they are stored, from which anybody can compute the chain
again, and as a table that a spreadsheet opens.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from punto.audit.history_page import moment_text
from punto.money import format_amount
from punto.store.chain import HouseAct
from punto.words import ENGLISH, Language, phrases

COLUMNS = (
    *("seq", "time", "utc", "code", "subject", "table", "round", "event", "who", "second"),
    *("before", "after", "reason"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # What a spreadsheet would work out, at the beginning of a text.
_AMOUNTS = frozenset(("amount", "free", "stake", "staked", "threshold", "total", "won"))
"""What is money in an event, in minor units."""
_TIME = "_ms"
"""How the names of times end that an event has besides its own."""
_MILLISECONDS = re.compile(r"\.\d+(?= UTC$)")
_DIGEST = re.compile(r"[0-9a-f]{64}")  # Whole in files and in JSON; in a list its beginning tells it from others.


def csv_lines(acts: Iterable[HouseAct]) -> Iterator[str]:
    """The events as comma-separated values, with a line of names first; UTF-8, as RFC 4180 has it."""
    yield _csv_line(COLUMNS)
    for act in acts:
        yield _csv_line(
            (
                *(act.seq, act.time, moment_text(act.time), act.code, act.subject, act.table, act.round, act.event),
                *(act.who, act.second, _json(act.before), _json(act.after), act.reason),
            )
        )


def _csv_line(values: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(["" if value is None else _harmless(value) for value in values])
    return line.getvalue()


def _harmless(value: object) -> object:
    """Names and reasons are typed by people: none is a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)


def code_words(code: str, language: Language = ENGLISH) -> str:
    """What an event is called; a code of a later version stands for itself."""
    return phrases(language, "significant.json").get(f"codes.{code}", code)


def head_words(language: Language = ENGLISH) -> dict[str, str]:
    """What the columns of a list of events are called."""
    words = phrases(language, "significant.json")
    return {name: words[f"heads.{name}"] for name in ("event", "time", "place", "who", "second", "what", "reason")}


def place_of_act(act: HouseAct) -> str:
    """Where it happened: a round, an event of a table, or what it is about."""
    if act.table is None:
        return act.subject
    return f"{act.table}/{act.round}" if act.round is not None else act.table


def what_changed(act: HouseAct) -> str:
    """What was there before and after an event, in one line."""
    before, after = act.before or {}, act.after or {}
    names = [*before, *(name for name in after if name not in before)]
    parts = []
    for name in names:
        was, now = _plain(name, before.get(name)), _plain(name, after.get(name))
        called = name.removesuffix(_TIME).replace("_", " ")
        parts.append(
            f"{called} {was or 'none'} → {now or 'none'}"
            if name in before and name in after
            else f"{called} {was or now}"
        )
    return ", ".join(parts)


def _plain(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and name.endswith(_TIME):
        return _MILLISECONDS.sub("", moment_text(value))
    if isinstance(value, str) and _DIGEST.fullmatch(value):
        return f"{value[:12]}…"
    if isinstance(value, int) and name in _AMOUNTS:
        return format_amount(value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)
