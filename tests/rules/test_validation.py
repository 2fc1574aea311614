"""A book that has the right shape and makes no sense."""

import pytest

from punto.rules.validation import book_entries, validate_book
from tests.rules.small_book import FILE, complaints, read

SECOND_OTHER = """[[irregularities]]
kind = "uncovered"
label = "x"
remedy = "void"
orders = "dealer"

[[clauses]]"""

BANKER = """[[bets]]
area = "banker"
kind = "main"
hand = "player"
labels = { en = "Banker", zh_hans = "庄", zh_hant = "莊" }
clause = "3"
pays = [
  { when = { winner = "banker" }, odds = "1:1", clause = "3" },
  { otherwise = true, result = "lose", clause = "3" },
]

[ante]"""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        # references to clauses
        ('clause = "1"', 'clause = "9.9"', "decks.clause: the book has no clause 9.9"),
        ('areas_clause = "1"', 'areas_clause = "0"', "betting.areas_clause: the book has no clause 0"),
        ('odds = "11:1", clause = "3"', 'odds = "11:1", clause = "7"', "bets[1].pays[0].clause: the book has no"),
        ('cap_clause = "4"', 'cap_clause = "5"', "insurance.cap_clause: the book has no clause 5"),
        ('give_up_clause = "3"', 'give_up_clause = "5"', "ante.give_up_clause: the book has no clause 5"),
        # names that stand twice
        ('area = "pair"', 'area = "player"', "bets[1]: player is listed twice"),
        ('number = "4"', 'number = "3"', "clauses[3]: 3 is listed twice"),
        (
            "[betting]",
            '[[layouts]]\nname = "mini-7"\nlabel = "M"\nboxes = 7\n\n[betting]',
            "layouts[1]: mini-7 is listed",
        ),
        ("[[clauses]]", SECOND_OTHER, "irregularities[1]: uncovered is listed twice"),
        ('name = "five"', 'name = "four"', "insurance.windows[1]: four is listed twice"),
        # what a book has at least
        ("allowed = [6, 8]", "allowed = []", "decks.allowed: allow at least one number of decks"),
        ('effective = "2020-02-29"', 'effective = "29 Feb"', "effective: '29 Feb' is not a date; write year-month-day"),
        ('effective = "2020-02-29"', 'effective = "2020-13-01"', "effective: '2020-13-01' is not a date"),
        ('effective = "2020-02-29"', 'effective = "2020-02-29\\n"', "is not a date"),
        ('effective = "2020-02-29"', 'effective = "2026-02-31"', "effective: '2026-02-31' is not a date"),
        ('effective = "2020-02-29"', 'effective = "2100-02-29"', "effective: '2100-02-29' is not a date"),
        ('effective = "2020-02-29"', 'effective = "2026-04-31"', "effective: '2026-04-31' is not a date"),
        ('effective = "2020-02-29"', 'effective = "2026-00-10"', "effective: '2026-00-10' is not a date"),
        ('effective = "2020-02-29"', 'effective = "2026-01-00"', "effective: '2026-01-00' is not a date"),
        ("allowed = [6, 8]", "allowed = [8, 6, 8]", "decks.allowed[2]: 8 is listed twice"),
        # characters that a terminal obeys
        (
            'title = "Small Baccarat"',
            'title = "Small \\u001b[31mBaccarat"',
            "line 2: title: a text contains a line break or another control character",
        ),
        ('label = "Mini, 7 boxes"', 'label = "Mini\\u009b7"', "layouts[0].label: a text contains a line break"),
        ('sense = "Dealing."', 'sense = """a\nb"""', "clauses[1].sense: a text contains a line break"),
        ('needs = ["player"]', 'needs = ["player\\n"]', "bets[1].needs: a text contains a line break"),
        ('en = "Player"', 'en = "Play\\u2028er"', "bets[0].labels.en: a text contains a line break"),
        ('en = "Player"', 'en = "Pays \\u202e1:8"', "labels.en: a text contains a line break or another control"),
        ('en = "Player"', 'en = "Pl\\ta"', "bets[0].labels.en: a text contains a line break"),
        ("boxes = 7", "boxes = 7\nboxes_least = 8", "line 14: layouts[0].boxes_least: 7 boxes are not between 8 and 7"),
        # hands
        ('hand = "player"\nlabels', "labels", "bets[0]: a main bet, an ante or a wager must name its hand; a"),
        ('kind = "side"', 'kind = "side"\nhand = "player"', "bets[1]: a main bet, an ante or a wager must"),
        ("[ante]", BANKER, "bets[4]: there is already a main bet on the player hand: player"),
        # needs
        ('needs = ["player"]', 'needs = ["banker"]', "bets[1].needs[0]: the book has no betting area banker"),
        ('needs = ["player"]', 'needs = ["pair"]', "bets[1].needs[0]: a bet cannot need itself"),
        ('needs_clause = "3"\n', "", "bets[1]: write needs and needs_clause together"),
        ('needs = ["player"]\n', "", "bets[1]: write needs and needs_clause together"),
        ('area = "pair"', 'area = "insurance-pair"', "bets[1].area: names that begin with insurance- belong to"),
        # pay rows
        ('result = "push"', 'result = "win"', "bets[0].pays[1].result: for a win, write its odds"),
        ('odds = "1:1"', 'odds = "1:1", result = "push"', "bets[0].pays[0]: a row must have either odds (a win)"),
        ('odds = "1:1", ', "", "bets[0].pays[0]: a row must have either odds (a win) or a result (push or lose)"),
        ('odds = "1:1"', 'odds = "1-1"', "bets[0].pays[0].odds: '1-1' is not valid odds"),
        (
            'odds = "1:1"',
            'odds = "1:1", commission = { rate = "5" }',
            "bets[0].pays[0].commission.rate: '5' is not a rate of commission; write",
        ),
        (
            'odds = "1:1"',
            'odds = "1:1", commission = { rate = "0%" }',
            "bets[0].pays[0].commission.rate: '0%' is not a rate of commission; write",
        ),
        (
            'odds = "1:1"',
            'odds = "1:1", commission = { rate = "5%", clause = "9" }',
            "bets[0].pays[0].commission.clause: the book has no clause 9",
        ),
        (
            'result = "push"',
            'result = "push", commission = { rate = "5%" }',
            "bets[0].pays[1].commission: only a row that wins can have a commission",
        ),
        ('when = { winner = "player" }, ', "", "bets[0].pays[0]: a row must have either a condition (when)"),
        (
            'when = { winner = "player" }, ',
            'when = { winner = "player" }, otherwise = true, ',
            "bets[0].pays[0]: a row must have either a condition (when) or otherwise = true",
        ),
        ('when = { winner = "player" }, ', "otherwise = true, ", "bets[0].pays[0]: otherwise must be the last row"),
        ('when = { winner = "player" }, ', "when = [], ", "bets[0].pays[0].when: an empty list of conditions"),
        # conditions
        ('when = { winner = "player" }', "when = {}", "bets[0].pays[0].when: a condition must name at least one fact"),
        ('{ winner = "player" }', "{ margin = 10 }", "bets[0].pays[0].when.margin: 10 is not between 0 and 9"),
        ('{ winner = "player" }', "{ cards = [4, 7] }", "bets[0].pays[0].when.cards: 7 is not between 4 and 6"),
        ('{ winner = "player" }', "{ player_cards = 1 }", "when.player_cards: 1 is not between 2 and 3"),
        ('{ winner = "player" }', "{ points_sum = 19 }", "when.points_sum: 19 is not between 0 and 18"),
        ('{ winner = "player" }', "{ pairs = 3 }", "when.pairs: 3 is not between 0 and 2"),
        ('{ winner = "player" }', "{ banker_points = [] }", "when.banker_points: an empty list never matches"),
        ('{ winner = "player" }', "{ winner = [] }", "when.winner: an empty list never matches"),
        ("{ player_pair = true }", '{ player_pair_of = "1" }', "when.player_pair_of: '1' is not a rank"),
        ("{ natural = true }", "{ margin = -1 }", "declarations[0].when.margin: -1 is not between 0 and 9"),
        (
            'when = { winner = "player" }',
            'when = [{ winner = "player" }, { margin = 11 }]',
            "bets[0].pays[0].when[1].margin: 11 is not between 0 and 9",
        ),
        # insurance
        ('window = "five"', 'window = "six"', "insurance.offers[1].window: there is no window six"),
        (
            'hand = "player"\nplayer_points = [6]',
            'hand = "banker"\nplayer_points = [6]',
            "there is no main bet on the banker",
        ),
        ('odds = "4:1"', 'odds = "4"', "insurance.offers[1].odds: '4' is not valid odds"),
        ("cards = 5 }", "cards = 4 }", "insurance.windows: two windows open at the same number of cards"),
        # antes
        ('ante = "ante",', 'ante = "player",', "ante.pairs[0].ante: player is not a bet of kind ante"),
        ('wager = "wager"', 'wager = "no-such"', "ante.pairs[0].wager: no-such is not a bet of kind wager"),
        ('  { ante = "ante", wager = "wager" },\n', "", "bets[2]: ante has no partner among the pairs of [ante]"),
        (
            'kind = "wager"\nhand = "player"',
            'kind = "wager"\nhand = "banker"',
            "ante.pairs[0]: ante and wager are on diff",
        ),
    ],
)
def test_nonsense_is_told_with_its_place(old: str, new: str, what: str) -> None:
    found = complaints((old, new))
    assert any(what in one for one in found), found
    assert all(one.startswith(f"{FILE}: line ") for one in found), found


@pytest.mark.parametrize("section", ["layouts", "bets", "clauses"])
def test_a_section_that_must_have_entries_and_has_none(section: str) -> None:
    book = read().text
    emptied = {name: getattr(book, name) for name in book.__struct_fields__} | {section: ()}
    sentences = {(problem.place, problem.sentence) for problem in validate_book(type(book)(**emptied))}
    assert ((section,), "a book must have at least one") in sentences


def test_a_bet_without_pay_rows() -> None:
    rows = """
  { when = { player_pair = true }, odds = "11:1", clause = "3" },
  { otherwise = true, result = "lose", clause = "3" },
]"""
    assert any("bets[1].pays: a bet must have at least one pay row" in one for one in complaints((rows, "]")))


def test_entries_are_found_with_their_places() -> None:
    found = dict(book_entries(read().text))
    assert {(), ("decks",), ("layouts", 0), ("bets", 1, "pays", 0, "when"), ("insurance", "offers", 1)} <= set(found)


@pytest.mark.parametrize("date", ["2000-02-29", "2024-02-29", "2026-02-28", "2026-12-31", "2026-06-30"])
def test_the_last_day_of_a_month_is_a_date(date: str) -> None:
    assert complaints(('"2020-02-29"', f'"{date}"')) == []
