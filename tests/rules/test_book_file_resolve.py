"""A book that extends another is one book afterwards, and its problems stand where they were written."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.books import NAMES, built_in_source, load
from punto.rules.book import digest_of, read_book
from punto.rules.book_file import entry_toml, parse_book, resolve_source
from punto.rules.validation import BookError
from tests.rules.layered import AREAS, Files, Layer, layers, toml

HEAD = 'extends = "{base}"\nname = "mine"\n'


def problems(top: str, **others: str) -> list[str]:
    files = Files(top=top, **others)
    with pytest.raises(BookError) as caught:
        read_book(top, "top", files)
    return caught.value.lines


@pytest.mark.parametrize("base", NAMES)
def test_a_book_that_only_extends_differs_in_name_version_and_date_alone(base: str) -> None:
    """What was printed with another version and date is not this book."""
    text, old = parse_book(HEAD.format(base=base), "top", Files()), load(base).text
    assert (text.name, text.version, text.effective) == ("mine", None, None)
    same = msgspec.structs.replace(text, name=base, version=old.version, effective=old.effective)
    assert digest_of(same) == digest_of(old)


def test_a_book_may_have_version_and_date_of_its_own() -> None:
    own = HEAD.format(base="insurance") + '\nversion = "1"\neffective = "2026-02-01"\n'
    text = parse_book(own, "top", Files())
    assert (text.version, text.effective) == ("1", "2026-02-01")


def test_a_title_of_its_own_has_no_chinese_of_another_title() -> None:
    files = Files(lower='extends = "ez"\nname = "lower"\ntitle = "Lower"\nzh_hans = { title = "下" }\nversion = "7"\n')
    named = parse_book('extends = "lower"\nname = "upper"\ntitle = "Upper"\n', "top", files)
    assert (named.zh_hans, named.version) == (None, None)
    unnamed = parse_book('extends = "lower"\nname = "upper"\n', "top", files)
    assert unnamed.title == "Lower"
    assert unnamed.zh_hans is not None


def by_hand(base: Layer, own: Layer, remove: list[str]) -> Layer:
    """A second merge, over plain values and for the parts that the layers below have."""
    merged: dict[str, Any] = {**base, **{key: own[key] for key in ("name", "title") if key in own}}
    for key in ("version", "effective"):  # no layer here has its own
        merged.pop(key, None)
    for section, key in (("bets", "area"), ("clauses", "number")):
        gone = {path.removeprefix(f"{section}.") for path in remove if path.startswith(f"{section}.")}
        entries = {entry[key]: entry for entry in base.get(section, []) if entry[key] not in gone}
        merged[section] = list({**entries, **{entry[key]: entry for entry in own.get(section, [])}}.values())
    if "decks" in own:
        merged["decks"] = {**base.get("decks", {}), **own["decks"]}
    return merged


@pytest.mark.slow
@given(st.data())
def test_layers_are_laid_over_each_other_as_by_hand(data: st.DataObject) -> None:
    base = data.draw(st.sampled_from(("commission", "ez", "easy-six")))
    values = resolve_source(built_in_source(base), Files()).values
    lower, upper = data.draw(layers("lower")), data.draw(layers("upper"))
    there = {bet["area"] for bet in values["bets"]}
    cut = [f"bets.{area}" for area in data.draw(st.sets(st.sampled_from(AREAS))) if area in there]
    after = by_hand(values, lower, cut)
    there = {bet["area"] for bet in after["bets"]}
    cut_more = [f"bets.{area}" for area in data.draw(st.sets(st.sampled_from(AREAS))) if area in there]
    files = Files(
        lower=toml({"extends": base, "remove": cut, **lower}),
        upper=toml({"extends": "lower", "remove": cut_more, **upper}),
    )
    came = resolve_source(files.source("upper"), files)
    assert came.values == by_hand(after, upper, cut_more)
    text = parse_book(files.texts["upper"], "upper", files)
    assert digest_of(parse_book(toml(came.values), "whole")) == digest_of(text)


@pytest.mark.slow
@given(st.data())
def test_two_layers_are_the_same_as_both_in_one(data: st.DataObject) -> None:
    """Laying over is associative: (base + lower) + upper = base + (lower + upper)."""
    lower, upper = data.draw(layers("lower")), data.draw(layers("upper"))
    files = Files(
        lower=toml({"extends": "commission", **lower}),
        upper=toml({"extends": "lower", **upper}),
        one=toml({"extends": "commission", **by_hand(lower, upper, [])}),
    )
    assert resolve_source(files.source("one"), files).values == resolve_source(files.source("upper"), files).values


def test_sections_go_by_key_and_entries_by_name() -> None:
    text = parse_book(
        HEAD.format(base="insurance")
        + 'remove = ["version", "betting.boxes_clause", "insurance.offers.after-four-cards/banker/01234/5"]\n'
        + "[decks]\nallowed = [8]\n"
        + '[[layouts]]\nname = "own"\nlabel = "Own"\nboxes = 3\n',
        "top",
        Files(),
    )
    base = load("insurance").text
    assert (text.version, text.betting.boxes_clause, text.decks.clause) == (None, None, base.decks.clause)
    assert text.decks.allowed == (8,)
    assert text.layouts[:-1] == base.layouts and text.layouts[-1].name == "own"
    assert text.insurance is not None and base.insurance is not None
    assert text.insurance.offers == base.insurance.offers[1:]
    assert text.insurance.windows == base.insurance.windows


def test_what_is_removed_and_written_again_comes_last() -> None:
    tie = '[[bets]]\narea = "player-pair"\nkind = "side"\nlabels = { en = "Pair" }\nclause = "1"\n'
    tie += 'pays = [{ when = { player_pair = true }, odds = "11:1", clause = "1" },\n'
    tie += '  { otherwise = true, result = "lose", clause = "1" }]\n'
    areas = [bet.area for bet in load("commission").bets]
    kept = parse_book(HEAD.format(base="commission") + tie, "top", Files())
    assert [bet.area for bet in kept.bets] == areas
    moved = parse_book(HEAD.format(base="commission") + 'remove = ["bets.player-pair"]\n' + tie, "top", Files())
    assert [bet.area for bet in moved.bets] == [*(a for a in areas if a != "player-pair"), "player-pair"]


def test_an_entry_twice_in_one_file_is_found() -> None:
    entry = '[[clauses]]\nnumber = "1"\nkind = "behaviour"\nsense = "Again."\n'
    assert problems(HEAD.format(base="commission") + entry + entry) == ["top: line 7: clauses[1]: 1 is listed twice"]


def test_a_problem_stands_in_the_file_where_it_was_written() -> None:
    lower = HEAD.format(base="ez") + '\n[[clauses]]\nnumber = "h-1"\nkind = "song"\nsense = "A song."\n'
    top = 'extends = "lower"\nname = "top"\n\n[decks]\nallowed = [0]\n'
    assert problems(top, lower=lower) == [
        "top: line 5: decks.allowed[0]: a whole number of at least 1 is expected",
        "lower: line 6: clauses[0].kind: 'song' is not known here; write behaviour, display, layout or definition",
    ]


def test_a_gap_is_told_at_the_bet_of_the_file_that_has_it() -> None:
    gap = '[[bets]]\narea = "gap"\nkind = "side"\nlabels = { en = "Gap" }\nclause = "1"\n'
    gap += 'pays = [{ when = { winner = "tie" }, odds = "8:1", clause = "1" }]\n'
    (line,) = problems(HEAD.format(base="lower"), lower='extends = "ez"\nname = "lower"\n' + gap)
    assert line.startswith("lower: line 8: bets[0].pays: no row covers")


def test_what_another_book_left_wrong_by_a_removal_is_told_in_its_own_file() -> None:
    (line, *_) = problems(HEAD.format(base="commission") + 'remove = ["clauses.2.2.1"]\n')
    assert line.startswith("commission.toml: line 13: decks.clause: the book has no clause 2.2.1")


@pytest.mark.parametrize(
    ("top", "others", "said"),
    [
        ('extends = "nowhere"\nname = "x"', {}, "top: line 1: extends: there is no file nowhere"),
        (
            'extends = "top"\nname = "x"',
            {},
            "top: line 1: extends: these books extend each other in a circle: top extends",
        ),
        (
            'extends = "b"\nname = "x"',
            {"b": '\nextends = "top"\nname = "b"'},
            "b: line 2: extends: these books extend each other in a circle: top extends b extends top",
        ),
        ('extends = "b"\nname = "x"', {"b": "= 1"}, "b: this is not TOML"),
        ('extends = "ez"', {}, "top: the key name is missing: a book that extends another needs its own name"),
        ('name = "x"\nremove = ["bets.tie"]', {}, "top: line 2: remove: there is nothing to remove: the book"),
        (
            HEAD.format(base="ez") + 'remove = ["bets.tie",\n "bets.nothing"]',
            {},
            "top: line 4: remove[1]: ez has no bets.nothing to remove",
        ),
        (HEAD.format(base="ez") + 'remove = "bets.tie"', {}, "top: line 3: remove: a list is expected, not a text"),
        ("extends = 5", {}, "top: line 1: extends: a text is expected, not a whole number"),
        ("format = 2", {}, "top: line 1: format: the file has format 2; this Punto reads formats up to 1"),
        ('format = "1"', {}, "top: line 1: format: a whole number is expected, not a text"),
        (HEAD.format(base="b"), {"b": "format = 9"}, "b: line 1: format: the file has format 9"),
        (HEAD.format(base="ez") + "bets = 5", {}, "top: line 3: bets: a list is expected, not a whole number"),
        (HEAD.format(base="ez") + "bets = [5]", {}, "top: line 3: bets[0]: a table of keys is expected"),
        (HEAD.format(base="ez") + "decks = 5", {}, "top: line 3: decks: a table of keys is expected"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(top: str, others: dict[str, str], said: str) -> None:
    assert problems(top, **others)[0].startswith(said)


def test_a_text_alone_extends_nothing() -> None:
    with pytest.raises(BookError, match="cannot be read from here: alone stands alone"):
        parse_book(HEAD.format(base="ez"), "alone")


BANKER = """
[[bets]]
area = "banker"
kind = "main"
hand = "banker"
labels = { en = "Banker" }
clause = "2.1.3"
pays = [
  { when = { winner = "banker" }, odds = "0.9:1", clause = "4.1.2" },
  { when = { winner = "tie" }, result = "push", clause = "3.8" },
  { when = { winner = "player" }, result = "lose", clause = "4.1.2" },
]
"""


def accepted(top: str, **others: str) -> set[str]:
    return {entry.warning for entry in parse_book(top, "top", Files(top=top, **others)).acknowledged}


def test_what_was_accepted_of_a_bet_is_not_accepted_of_another_in_its_place() -> None:
    base = {entry.warning for entry in load("commission").text.acknowledged}
    assert accepted(HEAD.format(base="commission")) == base == {"small-coins/banker", UNCOVERED}
    assert accepted(HEAD.format(base="commission") + BANKER) == {UNCOVERED}
    own = '[[acknowledged]]\nwarning = "small-coins/banker"\nreason = "Chips of 0.1."\n'
    assert accepted(HEAD.format(base="commission") + BANKER + own) == base
    # What the book in the middle said of its own bet goes on being said.
    middle = HEAD.format(base="commission") + BANKER + own
    assert accepted('extends = "middle"\nname = "top"\n', middle=middle) == base


UNCOVERED = "no-clause/irregularities.uncovered"


def test_nor_of_an_entry_an_offer_or_the_wager_of_an_ante() -> None:
    entry = """
        [[irregularities]]
        kind = "uncovered"
        label = "Anything else"
        remedy = "ruling"
        orders = "pit-manager"
        """
    assert accepted(HEAD.format(base="commission") + entry) == {"small-coins/banker"}
    insured = {entry.warning for entry in load("insurance").text.acknowledged if "/insurance-" in entry.warning}
    assert insured, "the book accepts that some offers favour the player"
    offer = load("insurance").text.insurance
    assert offer is not None
    row = next(row for row in offer.offers if row.hand.value == "banker")
    window = next(window for window in offer.windows if window.name == row.window)
    text = HEAD.format(base="insurance") + toml(
        {"insurance": {"offers": [{**msgspec.to_builtins(row), "odds": "1:3"}]}}
    )
    left = accepted(text)
    assert not any(one.endswith(f"/insurance-banker-{window.cards}") for one in left)
    assert insured - left == {one for one in insured if one.endswith(f"/insurance-banker-{window.cards}")}
    wager = next(bet for bet in load("knockout").bets if bet.area == load("knockout").ante.pairs[0].wager)  # type: ignore[union-attr]
    ante = load("knockout").ante.pairs[0].ante  # type: ignore[union-attr]
    before = {entry.warning for entry in load("knockout").text.acknowledged}
    after = accepted(HEAD.format(base="knockout") + entry_toml("bets", wager))
    assert before - after == {one for one in before if one.partition("/")[2] in (ante, wager.area)}
