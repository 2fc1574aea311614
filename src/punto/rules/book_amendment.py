"""Odds of a bet changed in the text of its book file, where they stand. Everything else stays as its writer left it:
comments, words in other languages, the order of keys. What was changed is told line by line; what the clauses of the
bet still say of the old odds is for the writer to change, and is found here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from punto.rules.book_text import Bet, BookText
from punto.rules.outcome import parse_odds


class ChangedLine(msgspec.Struct, frozen=True):
    """One thing that was changed in a file, and how the line read before and reads now."""

    line: int  # The number of the line, counted from 1.
    before: str
    after: str


class StaleText(msgspec.Struct, frozen=True):
    """Words of a clause that still speak of odds or of a commission that the bet has no more."""

    clause: str
    key: str  # Where they stand: `sense`, `reading`, `zh_hans.sense`.
    quoted: str


_TEXT = r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'"
_TOKEN = re.compile(
    r"(?P<comment>#[^\n]*)"
    rf"|(?P<odds>(?<![\w-])odds[ \t]*=[ \t]*(?P<value>{_TEXT}))"
    r"|(?P<commission>(?<![\w-])commission[ \t]*=[ \t]*\{[^{}\n]*\})"
    rf"|(?P<text>{_TEXT})"
)
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*([\w.-]+)[ \t]*\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)


def with_odds(text: str, entry: int, bet: Bet, odds: Mapping[int, str]) -> tuple[str, tuple[ChangedLine, ...]] | None:
    """The text with new odds in rows of its bet of that number, and what was changed; `odds` are by row, from 0.

    A commission goes with the odds that it was written for, so it is taken out of a changed row. None where the rows
    cannot be told from the text, as in a template: the bet is not written row by row.
    """
    span = _bet_span(text, entry)
    if span is None:
        return None
    tokens = [match for match in _TOKEN.finditer(text, *span) if match["odds"] or match["commission"]]
    written = [match for match in tokens if match["odds"]]
    kept = [match for match in tokens if match["commission"]]
    rows = [i for i, row in enumerate(bet.pays) if row.odds is not None]
    with_commission = [i for i, row in enumerate(bet.pays) if row.commission is not None]
    if [match["value"][1:-1] for match in written] != [bet.pays[i].odds for i in rows]:
        return None
    if len(kept) != len(with_commission):
        return None
    edits = [(match.span("value"), f'"{odds[i]}"') for i, match in zip(rows, written, strict=True) if i in odds]
    edits += [(_with_comma(text, match), "") for i, match in zip(with_commission, kept, strict=True) if i in odds]
    changed = text
    for (start, end), new in sorted(edits, reverse=True):
        changed = changed[:start] + new + changed[end:]
    return changed, tuple(_changes(text, changed))


def with_base(text: str, extends: str) -> tuple[str, tuple[ChangedLine, ...]]:
    """The text of a book that extends another, which it calls otherwise: it is to stand in another folder."""
    changed = re.sub(
        rf"^([ \t]*extends[ \t]*=[ \t]*)(?:{_TEXT})", rf'\g<1>"{extends}"', text, count=1, flags=re.MULTILINE
    )
    return changed, tuple(_changes(text, changed))


def _changes(before: str, after: str) -> Iterator[ChangedLine]:
    lines = zip(before.split("\n"), after.split("\n"), strict=True)
    return (ChangedLine(n, was.strip(), now.strip()) for n, (was, now) in enumerate(lines, start=1) if was != now)


def _bet_span(text: str, entry: int) -> tuple[int, int] | None:
    """Where the bet of that number stands, from its header to the next one that is not of its own rows."""
    headers = list(_HEADER.finditer(text))
    starts = [i for i, match in enumerate(headers) if match[1] == "bets"]
    if entry >= len(starts):
        return None
    first = starts[entry]
    after = (match.start() for match in headers[first + 1 :] if not match[1].startswith("bets."))
    return headers[first].end(), next(after, len(text))


def _with_comma(text: str, match: re.Match[str]) -> tuple[int, int]:
    """A key of a row with the comma that goes with it."""
    start, end = match.span()
    if following := re.compile(r"[ \t]*,[ \t]*").match(text, end):
        return start, following.end()
    before = re.compile(r"[ \t]*,?[ \t]*$").search(text[:start])
    return (before.start() if before else start), end


def stale_texts(book: BookText, bet: Bet, rows: Mapping[int, str]) -> Iterator[StaleText]:
    """What the clauses that the changed rows rest on still say of their old odds and commissions."""
    for number in dict.fromkeys(clause for i in rows for clause in _cited(bet, i)):
        clause = book.clause(number)
        assert clause is not None, "every clause that is cited is listed"
        texts = {"sense": clause.sense, "reading": clause.reading}
        for language in ("zh_hans", "zh_hant"):
            words = getattr(clause, language)
            if words is not None:
                texts |= {f"{language}.sense": words.sense, f"{language}.reading": words.reading}
        patterns = [pattern for i in rows if number in _cited(bet, i) for pattern in _old_numbers(bet, i)]
        for key, text in texts.items():
            found = (re.search(pattern, text) for pattern in patterns) if text else ()
            for quoted in dict.fromkeys(match[0] for match in found if match):
                yield StaleText(number, key, quoted)


def _cited(bet: Bet, row: int) -> tuple[str, ...]:
    commission = bet.pays[row].commission
    kept = (commission.clause,) if commission is not None and commission.clause is not None else ()
    return (bet.pays[row].clause, bet.clause, *kept)


def _old_numbers(bet: Bet, row: int) -> Iterator[str]:
    """How people write the odds of a row, and its commission, in the languages of the pages."""
    old = bet.pays[row]
    assert old.odds is not None, "only odds are changed"
    won = parse_odds(old.odds)
    ways = {tuple(re.split(r":| to | for ", old.odds)[:2]), (str(won.numerator), str(won.denominator))}
    for gain, stake in ways:
        one, other = rf"(?<![\d.]){re.escape(gain)}", rf"{re.escape(stake)}(?![\d.]*\d)"
        yield rf"{one}(?: ?: ?| to | for | ?比 ?){other}"
        yield rf"(?<![\d.]){re.escape(stake)} ?[赔賠] ?{re.escape(gain)}(?![\d.]*\d)"
    if old.commission is not None:
        number = re.escape(old.commission.rate.removesuffix("%").strip())
        yield rf"(?<![\d.]){number} ?(?:%|per cent)"
