"""What is said of a book is said in every language: sentences by their keys, and what is inside them too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import punto
from punto.rules.condition import When
from punto.rules.outcome import Winner
from punto.rules.told import meant, told, words_in
from punto.rules.wording import condition_words
from punto.words import ENGLISH, languages, phrases
from tests.rules.test_wording import HANS, HANT

SOURCE = Path(punto.__file__).parent
BY_VALUE = ("hand", "kind", "cards")
"""Tables of which a sentence is chosen by a value."""


def keys_of(asked: ast.expr) -> Iterator[str]:
    if isinstance(asked, ast.IfExp):
        yield from (*keys_of(asked.body), *keys_of(asked.orelse))
    elif isinstance(asked, ast.Constant):
        yield str(asked.value)


def test_every_sentence_is_told_somewhere_and_what_is_told_has_its_sentence() -> None:
    trees = [ast.parse(path.read_bytes()) for path in SOURCE.rglob("*.py") if b"told(" in path.read_bytes()]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "told"]
    fixed = {key for key in phrases(ENGLISH, "book.toml") if key.partition(".")[0] not in BY_VALUE}
    assert {key for each in asked for key in keys_of(each)} == fixed


def test_a_sentence_is_its_english_and_has_what_is_in_it_in_every_language() -> None:
    sentence = told("gap", deal=told("and-more", deal=told("player-with", pair=told("pair.none")), more="7"))
    assert sentence == "no row covers Player with no pair and 7 more"
    assert words_in(sentence, HANS) == "没有一行涵盖：闲没有对子，另有 7 种"
    assert words_in(sentence, HANT) == "沒有一行涵蓋：閒沒有對子，另有 7 種"
    assert [words_in("as it is", language) for language in languages()] == ["as it is"] * len(languages())


def test_any_of_several_and_what_says_itself_are_in_the_language() -> None:
    expected = told("other-type", expected=(told("kind.str"), told("kind.int"), told("kind.array")), sent="null")
    assert expected == "a text, a whole number or a list is expected, not null"
    assert words_in(expected, HANS) == "应为文字、整数或列表，而不是null"
    never = told("warning.never", when=partial(condition_words, When(winner=Winner.TIE)))
    assert never == "this row never happens: tie"
    assert words_in(never, HANT) == "這一行永遠不會出現：和局"


def test_a_name_that_is_meant_is_asked_after() -> None:
    assert (meant("ezz", ("ez",)), meant("xyz", ("ez",))) == (" (did you mean ez?)", "")
    assert words_in(meant("ezz", ("ez",)), HANS) == "（是否指 ez？）"
