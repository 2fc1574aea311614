"""A bet is compiled only when every deal that can happen has exactly one row, and every row can happen."""

from fractions import Fraction

import pytest

from punto.cards import Card
from punto.rules import Facts, Result
from punto.rules.condition import Reads
from punto.rules.outcome import PAIRS, TOTALS, pair_index, totals_index
from tests.rules.small_book import FILE, altered, complaints, line, read

ROWS = """pays = [
  { when = { winner = "player" }, odds = "1:1", clause = "3" },
  { when = { winner = "tie" }, result = "push", clause = "3" },
  { when = { winner = "banker" }, result = "lose", clause = "3" },
]"""


def pays(*rows: str) -> tuple[str, str]:
    """The rows of the first bet, replaced."""
    return ROWS, "\n".join(["pays = [", *(f'  {{ {row}, clause = "3" }},' for row in rows), "]"])


def found(*rows: str) -> list[str]:
    return [one.split(": ", 2)[2] for one in complaints(pays(*rows))]


WIN = 'when = { winner = "player" }, odds = "1:1"'
LOSE = 'when = { winner = "banker" }, result = "lose"'
TIE = 'when = { winner = "tie" }, result = "push"'


def test_a_gap() -> None:
    """Ties: 6 to 9 on two cards each, 6 and 7 where one hand stands, 0 to 9 on three each: 4 + 4 + 10."""
    assert found(WIN, LOSE) == ["bets[0].pays: no row covers Player 0 on three cards, Banker 0 on three and 17 more"]


def test_a_gap_of_one() -> None:
    rest = 'when = { winner = "tie", player_points = [0, 1, 2, 3, 4, 5, 6, 8, 9] }, result = "push"'
    one_more = 'when = { winner = "tie", player_points = 7, player_cards = 3 }, result = "push"'
    assert found(WIN, LOSE, rest, one_more) == [
        "bets[0].pays: no row covers Player 7 on two cards, Banker 7 on two and 1 more"
    ]


def test_an_overlap_is_told_at_the_second_row() -> None:
    text = (WIN, TIE, LOSE, 'when = { winner = "tie", player_points = 6 }, odds = "10:1"')
    both = "rows 2 and 4 both cover Player 6 on two cards, Banker 6 on two and 3 more"
    what = f"bets[0].pays[3]: {both}; narrow one of them, or write first_match = true"
    assert found(*text) == [what]
    number = line(altered(pays(*text)), '{ when = { winner = "tie", player_points = 6 }')
    assert complaints(pays(*text)) == [f"{FILE}: line {number}: {what}"]


def test_a_row_that_can_never_happen() -> None:
    natural = 'when = { natural = true, cards = 5 }, odds = "9:1"'
    assert found(WIN, TIE, LOSE, natural) == ["bets[0].pays[3]: no deal ever reaches this row"]
    three_card_standing = 'when = { player_cards = 2, banker_cards = 3, player_points = 5 }, odds = "9:1"'
    assert found(WIN, TIE, LOSE, three_card_standing) == ["bets[0].pays[3]: no deal ever reaches this row"]


def test_otherwise_with_nothing_left() -> None:
    assert found(WIN, TIE, LOSE, 'otherwise = true, result = "lose"') == [
        "bets[0].pays[3]: no deal ever reaches this row"
    ]


def test_otherwise_is_all_that_is_left() -> None:
    table = read(pays(WIN, 'otherwise = true, result = "lose"')).pay_tables["player"]
    assert table.outcome(Facts(totals_index(7, 2, 6, 2), 0, 0)).result is Result.WIN
    assert table.outcome(Facts(totals_index(6, 2, 6, 2), 0, 0)).result is Result.LOSE
    assert table.outcome(Facts(totals_index(6, 2, 7, 2), 0, 0)).result is Result.LOSE


def test_otherwise_alone_covers_everything() -> None:
    table = read(pays('otherwise = true, result = "push"')).pay_tables["player"]
    assert table.reads is Reads.NOTHING
    assert table.outcome(Facts(17, 3, 4)).result is Result.PUSH


def test_several_gaps_and_overlaps_come_together() -> None:
    problems = found(WIN, 'when = { winner = ["player", "banker"] }, result = "lose"')
    assert [problem.split(" cover")[0] for problem in problems] == [
        "bets[0].pays: no row",
        "bets[0].pays[1]: rows 1 and 2 both",
    ]


def test_a_table_is_as_large_as_what_it_reads() -> None:
    sizes = {
        'when = { winner = "player" }': (Reads.TOTALS, TOTALS),
        "when = { player_pair = true }": (Reads.PLAYER_PAIR, PAIRS),
        "when = { banker_pair = true }": (Reads.BANKER_PAIR, PAIRS),
        "when = { pairs = 2 }": (Reads.PLAYER_PAIR | Reads.BANKER_PAIR, PAIRS * PAIRS),
        'when = { winner = "tie", player_pair = true }': (Reads.TOTALS | Reads.PLAYER_PAIR, TOTALS * PAIRS),
    }
    for when, (reads, size) in sizes.items():
        table = read(pays(f'{when}, odds = "1:1"', 'otherwise = true, result = "lose"')).pay_tables["player"]
        assert table.reads == reads
        assert len(table.cells) == size


def test_a_table_knows_its_rows() -> None:
    """Each with its condition and its odds as a fraction; two rows may come to the same."""
    table = read(
        pays(
            'when = { winner = "player", player_points = 9 }, odds = "3:2"',
            'when = { winner = "player", player_points = [1, 2, 3, 4, 5, 6, 7, 8] }, odds = "1.5:1"',
            'otherwise = true, result = "lose"',
        )
    ).pay_tables["player"]
    nine, eight, none = (Facts(totals_index(points, 2, 7, 2), 0, 0) for points in (9, 8, 6))  # against Banker's 7
    assert [table.row(facts) for facts in (nine, eight, none)] == [0, 1, 2]
    assert [row.outcome.odds for row in table.rows] == [Fraction(3, 2), Fraction(3, 2), None]
    assert table.rows[0].outcome == table.rows[1].outcome
    assert [row.when is None for row in table.rows] == [False, False, True]
    assert table.nets[nine.totals] == Fraction(3, 2)
    assert table.nets[totals_index(0, 2, 8, 3)] == 0  # a natural ends the deal at two cards
    assert repr(table) == "<PayTable: 3 rows, reads TOTALS>"


def test_only_what_pays_suited_pairs_otherwise_reads_suits() -> None:
    rows = {
        "when = { player_pair_suited = true }": True,
        "when = { suited_pairs = [1, 2] }": True,
        "when = { player_pair = true }": False,
        'when = { winner = "player" }': False,
    }
    for when, reads_suits in rows.items():
        table = read(pays(f'{when}, odds = "1:1"', 'otherwise = true, result = "lose"')).pay_tables["player"]
        assert table.reads_suits is reads_suits
    same = pays(
        'when = { player_pair_suited = true }, odds = "5:1"',
        'when = { player_pair = true, player_pair_suited = false }, odds = "5:1"',
        'otherwise = true, result = "lose"',
    )
    assert not read(same).pay_tables["player"].reads_suits  # they ask, and pay it alike


def test_each_cell_is_asked_at_its_own_facts() -> None:
    """A bet over points and both pairs: every fact counts, and none is taken for another."""
    when = 'when = { winner = "player", player_pair_of = "4", banker_pair = true }, odds = "50:1"'
    table = read(pays(when, 'otherwise = true, result = "lose"')).pay_tables["player"]
    fours, kings = pair_index(Card.S4, Card.H4), pair_index(Card.SK, Card.SK)
    eight_nothing, nothing_eight = totals_index(8, 2, 0, 2), totals_index(0, 2, 8, 2)
    assert table.outcome(Facts(eight_nothing, fours, kings)).result is Result.WIN
    assert table.outcome(Facts(eight_nothing, fours, 0)).result is Result.LOSE
    assert table.outcome(Facts(eight_nothing, 0, kings)).result is Result.LOSE
    assert table.outcome(Facts(nothing_eight, kings, fours)).result is Result.LOSE


def test_points_and_pairs_together_must_be_possible() -> None:
    """A pair of fours in two cards is eight: with a third card there is no such hand."""
    dead = 'when = { player_pair_of = "4", player_cards = 3 }, odds = "50:1"'
    assert found(dead, 'otherwise = true, result = "lose"') == ["bets[0].pays[0]: no deal ever reaches this row"]
    # A pair of nines is eight as well; a pair of kings is nothing, and Player draws on it.
    alive = 'when = { player_pair_of = "K", player_cards = 3, player_points = 7 }, odds = "50:1"'
    assert found(alive, 'otherwise = true, result = "lose"') == []


def test_facts_that_no_deal_has_are_a_broken_promise() -> None:
    table = read().pay_tables["player"]
    with pytest.raises(AssertionError, match="no finished deal has these facts"):
        table.outcome(Facts(totals_index(8, 2, 0, 3), 0, 0))


def test_gaps_name_the_pairs_they_are_about() -> None:
    rows = ('when = { player_pair_of = ["A", "2"] }, odds = "1:1"', 'when = { player_pair = false }, result = "lose"')
    assert found(*rows) == ["bets[0].pays: no row covers Player with a pair of 3 and 21 more"]
    both = ('when = { pairs = [0, 1] }, odds = "1:1"',)
    assert found(*both) == ["bets[0].pays: no row covers Player with a pair of A, Banker with a pair of A and 675 more"]


ONE_DECK = ("allowed = [6, 8]", "allowed = [1]")


def test_with_one_deck_no_pair_is_suited() -> None:
    suited = ('when = { suited_pairs = [1, 2] }, odds = "25:1"', 'otherwise = true, result = "lose"')
    assert complaints(pays(*suited)) == []
    told = [one.split(": ", 2)[2] for one in complaints(ONE_DECK, pays(*suited))]
    assert told == ["bets[0].pays[0]: no deal ever reaches this row"]
    assert complaints(("allowed = [6, 8]", "allowed = [1, 2]"), pays(*suited)) == []


@pytest.mark.parametrize(
    "rows",
    [
        (
            'when = { suited_pairs = 0, pairs = 0 }, result = "lose"',
            'when = { suited_pairs = 0, pairs = [1, 2] }, odds = "5:1"',
        ),
        ('when = { pairs = [1, 2] }, odds = "5:1"', 'otherwise = true, result = "lose"'),
        ('when = { winner = "tie", pairs = [1, 2] }, odds = "5:1"', 'otherwise = true, result = "lose"'),
    ],
)
def test_with_one_deck_rows_need_not_speak_of_suited_pairs(rows: tuple[str, ...]) -> None:
    table = read(ONE_DECK, pays(*rows)).pay_tables["player"]
    tie = totals_index(6, 2, 6, 2)
    for player, banker in ((Card.S3, Card.H3), (Card.S3, Card.S3)):
        for other in (Card.D3, Card.H8):
            facts = Facts(tie, pair_index(player, banker), pair_index(Card.H3, other))
            assert table.outcome(facts).result is Result.WIN  # a suited pair is paid like any other
