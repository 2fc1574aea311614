"""A book whose entries are each in order, and which could not be played."""

import pytest

from punto import books
from punto.rules.authority import authority_over
from punto.rules.book_text import Remedy
from punto.rules.validation import MOST_BETS, REMEDY_COMMANDS
from tests.rules.small_book import TEXT, complaints

SIDE = """[[bets]]
area = "{area}"
kind = "side"
labels = {{ en = "Side", zh_hans = "边", zh_hant = "邊" }}
clause = "3"
{needs}
pays = [
  {{ when = {{ banker_pair = true }}, odds = "11:1", clause = "3" }},
  {{ otherwise = true, result = "lose", clause = "3" }},
]

"""


def side(area: str, *needs: str) -> str:
    """A side bet that needs one of some others."""
    listed = ", ".join(f'"{need}"' for need in needs)
    return SIDE.format(area=area, needs=f'needs = [{listed}]\nneeds_clause = "3"' if needs else "")


def authority(*entries: str) -> str:
    return "".join(f"[[authority]]\n{entry}\n\n" for entry in entries)


@pytest.mark.parametrize(
    ("sides", "stuck"),
    [
        ((("a", "b"), ("b", "a")), "ab"),
        ((("a", "b"), ("b", "c"), ("c", "a")), "abc"),
        ((("a", "b"), ("b", "a"), ("c", "a")), "abc"),
        ((("a", "wager"),), "a"),  # a wager comes when bets are closed
        ((("a", "b"), ("b", "a", "player")), ""),
        ((("a", "b"), ("b", "c"), ("c", "ante")), ""),
    ],
)
def test_bets_that_need_one_another_in_a_circle(sides: tuple[tuple[str, ...], ...], stuck: str) -> None:
    text = "".join(side(area, *needs) for area, *needs in sides)
    found = complaints(("[ante]", f"{text}[ante]"))
    places = [4 + "abc".index(letter) for letter in stuck]
    assert len(found) == len(places)
    for place, line in zip(places, found, strict=True):
        assert f"bets[{place}].needs: this bet can never be placed" in line


def test_an_area_stands_in_one_pair() -> None:
    pair = '{ ante = "ante", wager = "wager" },'
    found = complaints((pair, f"{pair}\n  {pair}"))
    assert [line.partition("ante.pairs")[2] for line in found] == [
        "[1].ante: ante is already in a pair",
        "[1].wager: wager is already in a pair",
    ]


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        (('command = "dance"\nroles = ["dealer"]',), "authority[0]: there is no command dance"),
        (('command = "report"\nroles = []',), "authority[0]: nobody could give report: name at least one"),
        (('command = "report"\nroles = ["dealer"]',) * 2, "authority[1]: report is listed twice"),
        (
            ('command = "report"\nroles = ["dealer"]\nsecond = "player"',),
            "authority[0]: a second person of rank player cannot agree; the ranks are dealer, pit-supervisor",
        ),
        (
            ('command = "rule"\nroles = ["pit-manager", "player"]',),
            "irregularities[0].orders: nobody of rank shift-manager or above may give rule; only pit",
        ),
    ],
)
def test_who_may_give_a_command(entries: tuple[str, ...], what: str) -> None:
    (line,) = complaints(("[[clauses]]", f"{authority(*entries)}[[clauses]]"))
    assert what in line


@pytest.mark.parametrize("role", ["player", "cashier", "auditor", "administrator"])
def test_a_remedy_is_ordered_by_somebody_with_a_rank(role: str) -> None:
    (line,) = complaints(('orders = "shift-manager"', f'orders = "{role}"'))
    assert f"irregularities[0].orders: a {role} gives no orders at a table" in line


def test_every_remedy_has_its_commands_and_they_are_commands() -> None:
    assert set(REMEDY_COMMANDS) == set(Remedy)
    for commands in REMEDY_COMMANDS.values():
        assert all(authority_over(command, (), ()).roles for command in commands)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("boxes = 7", "boxes = 1000000000", "layouts[0].boxes: a whole number of at most 100 is expected"),
        ("boxes = 7", f"boxes = {'9' * 3900}", "layouts[0].boxes: a whole number of at most 100 is expected"),
        ("multiple = 2", "multiple = 101", "ante.multiple: a whole number of at most 100 is expected"),
        ('en = "Player"', f'en = "{"閒" * 201}"', "bets[0].labels.en: it has more than 200 characters"),
        ('title = "Small', f'title = "{"S" * 192}', "title: it has more than 200 characters"),
        ('sense = "Dealing."', f'sense = "{"D" * 2001}"', "sense: it has more than 2,000 characters"),
        ('area = "pair"', f'area = "{"p" * 41}"', "bets[1].area: it has more than 40 characters"),
        ('"11:1"', f'"{"9" * 400}:1"', "odds: odds may have at most 40 characters, not 402"),
        ('"11:1"', '"1000001:1"', "odds: in lowest terms, 1000001:1 is over 1,000,000 on one side of the colon"),
        ('"11:1"', '"1:1.0000001"', "odds: in lowest terms, 1:1.0000001 is over 1,000,000 on one side of the colon"),
    ],
)
def test_what_is_beyond_a_bound(old: str, new: str, what: str) -> None:
    (line,) = complaints((old, new))
    assert what in line


def test_a_layout_has_room_for_so_many_bets() -> None:
    bets = TEXT.count("[[bets]]")
    for count, is_fine in ((MOST_BETS, True), (MOST_BETS + 1, False)):
        sides = "".join(side(f"side-{i}") for i in range(count - bets))
        found = complaints(("[ante]", f"{sides}[ante]"))
        assert bool(found) != is_fine
        assert is_fine or f"bets: a book may have at most {MOST_BETS} bets; this one has {count}" in found[0]


def test_conditions_are_counted_over_the_whole_book() -> None:
    row = "  { when = [" + ", ".join(["{ player_pair = true }"] * 999) + '], odds = "11:1", clause = "3" },\n'
    rows = row.replace("}, {", "},\n{")
    found = complaints(('  { when = { player_pair = true }, odds = "11:1", clause = "3" },\n', rows))
    assert any("a book may have at most 1,000 conditions; this one has 1,008" in line for line in found), found


@pytest.mark.parametrize("name", books.NAMES)
def test_the_built_in_books_can_be_played(name: str) -> None:
    assert books.load(name).name == name
