"""The five books in Chinese: both scripts say the same, and no script is in the other.

That nothing is missing is asked for every language, in tests/words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from punto.books import NAMES, load
from punto.books.catalogue import catalogue
from punto.books.translation import name_in, read_catalogue_words, read_translation, translated
from punto.rules.book import label_of
from punto.rules.wording import condition_words, row_words
from punto.words import languages
from tests.rules.test_wording import CONDITIONS, HANS, HANT

HONG_KONG = set("枱裏説着兑")
"""Traditional characters that Hong Kong and Macau write, and Big5 has not or has in another form."""
ONE_FORM = "后里余于发干复制台范谷丑征几万与个准尽历当松升冲云胡划坛团折咸姜欲迹郁钟签须"
"""Simplified forms that Big5 has as other characters: traditional text has another one in their place."""
ALLOWED = re.compile(r"EZ|Knockout|Bean|Mini|Big|requested_by|[AJQK](?![a-zA-Z])")
"""Names, which are not translated, and ranks."""
CASINO_WORDS = {
    r"\bBanker Pair\b": ("庄对", "莊對"),
    r"\bPlayer Pair\b": ("闲对", "閒對"),
    r"\bcommission\b": ("佣", "佣"),
    r"\b[Ii]nsurance\b": ("保险", "保險"),
    r"\bnatural\b": ("例牌", "例牌"),
    r"\bEasy Six\b": ("易六", "易六"),
    r"\bDragon 7\b": ("龙七", "龍七"),
    r"\bPanda 8\b": ("熊猫八", "熊貓八"),
    r"\bWinning Total": ("胜出点数", "勝出點數"),
    r"\bSuper Six Plus\b": ("超级六+", "超級六+"),
    r"\bdifferential\b": ("庄闲差额", "莊閒差額"),
    r"\bsqueeze\b": ("咪", "咪"),
    r"\bvoid\b": ("作废", "作廢"),
    r"\bante\b": ("底注", "底注"),
    r"\bshoe\b": ("牌靴", "牌靴"),
    r"[Nn]o more bets": ("停止下注", "停止下注"),
}
"""The words of the trade: whoever uses the English one uses these in Chinese."""


@cache
def texts() -> dict[str, tuple[str, str]]:
    """Every text of the five books that a page shows, by its English."""
    found: dict[str, tuple[str, str]] = {}
    for name in NAMES:
        book = load(name)
        senses = ((clause.sense, clause.reading) for clause in book.clauses)
        described = (entry.label for entry in book.irregularities)
        for english in filter(None, (book.title, *described, *chain.from_iterable(senses))):
            hans, hant = translated(english, HANS), translated(english, HANT)
            assert hans and hant, english
            found[english] = (hans, hant)
        for row in chain.from_iterable(table.rows for table in book.pay_tables.values()):
            found[row_words(row)] = (row_words(row, HANS), row_words(row, HANT))
    for bet in catalogue().values():
        for text in filter(None, (bet.labels.en, bet.note)):
            found[text] = (translated(text, HANS) or text, translated(text, HANT) or text)
    ez = load("ez")
    for when in CONDITIONS:
        english, hans, hant = (
            condition_words(when, language, lambda area, to=language: label_of(ez, area, to))  # type: ignore[misc]
            for language in languages()
        )
        found[english] = (hans, hant)
    return found


def test_the_same_english_is_the_same_chinese_in_every_book() -> None:
    seen: dict[str, set[tuple[str | None, ...]]] = {}
    for name in NAMES:
        clauses = {clause.number: clause for clause in load(name).clauses}
        hans, hant = (read_translation(name, language).clauses for language in (HANS, HANT))
        for one, other in zip(hans, hant, strict=True):
            english = clauses[one.number]
            seen.setdefault(english.sense, set()).add((one.sense, other.sense))
            seen.setdefault(english.reading or "", set()).add((one.reading, other.reading))
    assert [english for english, chinese in seen.items() if len(chinese) > 1] == []


def test_a_bet_that_a_book_takes_is_in_chinese_with_its_clause(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('extends = "ez"\nname = "own"\ntake = ["quik"]\n', encoding="utf-8")
    book = load(str(file))
    bet = book.bet("quik")
    assert bet is not None and (name_in(bet.labels, HANS), label_of(book, "quik", HANT, name_in)) == ("快客", "快客")
    clause = book.clause(bet.clause)
    assert clause is not None
    assert (translated(clause.sense, HANS) or "").startswith("快客：双方点数合计0点，1 赔 50；")
    assert (translated(clause.sense, HANT) or "").startswith("快客：雙方點數合計0點，1 賠 50；")


def test_no_two_bets_of_the_catalogue_have_one_name() -> None:
    for language in (HANS, HANT):
        names = read_catalogue_words(language).names
        assert len(set(names.values())) == len(names) == len(catalogue())


def test_nothing_is_left_in_english() -> None:
    assert len(texts()) > 250
    left = {
        text: english
        for english, both in texts().items()
        for text in both
        if re.search("[a-zA-Z]", ALLOWED.sub("", text))
    }
    assert left == {}


def test_numbers_are_those_of_the_english() -> None:
    """Clause numbers and odds stand in the Chinese too; other figures may be written as words."""
    clause = re.compile(r"\d+(?:\.\d+)+")
    odds = re.compile(r"\d+(?:\.\d+)?(?= to \d)")
    for english, both in texts().items():
        for text in both:
            assert set(clause.findall(text)) - {"0.5"} == set(clause.findall(english)) - {"0.5"}, text
            numbers = set(re.findall(r"\d+(?:\.\d+)?", text))
            assert set(odds.findall(english)) <= numbers, text


def test_simplified_is_simplified_and_traditional_traditional() -> None:
    """By the character sets of the two scripts: GB 2312 has no traditional form, Big5 no simplified one."""
    wrong = [
        (character, text)
        for hans, hant in texts().values()
        for text, codec in ((hans, "gb2312"), (hant, "big5"))
        for character in _chinese(text)
        if character not in HONG_KONG and not _has(codec, character)
    ]
    assert wrong == []


def test_both_scripts_say_the_same_character_by_character() -> None:
    """A traditional character has one simplified form and the other way round, but for what is listed."""
    forms: dict[str, set[str]] = {}
    for hans, hant in texts().values():
        assert len(hans) == len(hant), hans
        for simple, full in zip(hans, hant, strict=True):
            forms.setdefault(full, set()).add(simple)
            assert not (simple == full and simple in ONE_FORM), hant
    assert {full: shorts for full, shorts in forms.items() if len(shorts) > 1} == {
        "枱": {"台", "桌"},
        "賭": {"赌", "牌"},  # a table is 牌桌 in simplified characters
    }
    others: dict[str, set[str]] = {}
    for full, shorts in forms.items():
        for one in shorts:
            others.setdefault(one, set()).add(full)
    assert {one: longs for one, longs in others.items() if len(longs) > 1} == {"并": {"並", "併"}, "牌": {"牌", "賭"}}


def test_the_words_of_the_trade() -> None:
    missing = [
        (pattern, text)
        for english, both in texts().items()
        for pattern, words in CASINO_WORDS.items()
        for text, word in zip(both, words, strict=True)
        if re.search(pattern, english) and word not in text
    ]
    assert missing == []


def _chinese(text: str) -> Iterator[str]:
    return (character for character in text if "\u3400" <= character <= "\u9fff")


def _has(codec: str, character: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True
