"""What is wrong with a condition is said of it alone, fact by fact."""

from typing import Any

import msgspec
import pytest

from punto.rules.condition import When
from punto.rules.validation import condition_complaints

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"margin": "4-12"}, "margin", "12 is not between 0 and 9"),
    ({"player_two_points": 11}, "player_two_points", "11 is not between 0 and 9"),
    ({"player_1": {}}, "player_1", "must name at least one thing"),
    ({"player_1": {"rank": "11"}}, "player_1", "'11' is not a rank"),
    ({"player_1": {"card": ["9D", "9X"]}}, "player_1", "'9X' is not a card"),
    ({"player_1": {"rank": []}}, "player_1", "an empty list never matches"),
    ({"player_1": {"points": "even-odd"}}, "player_1", "is not a number"),
    ({"round": []}, "round", "an empty list never matches"),
    ({"round": {}}, "round", "must name at least one thing"),
    ({"round": {"number": 3}}, "round", "write number and of together"),
    ({"round": {"of": {"face": True}}}, "round", "write number and of together"),
    ({"player_two": {"number": 3, "of": {"face": True}}}, "player_two", "3 is not between 0 and 2"),
    ({"player_two": {"ranks": ["K"]}}, "player_two", "one rank for each card of the group: 2, not 1"),
    ({"player_hand": {"ranks": ["K"]}}, "player_hand", "2 to 3, not 1"),
    ({"player_two": {"ranks": ["K", "11"]}}, "player_two", "'11' is not a rank"),
    ({"round": {"poker": "flush"}}, "round", "poker can be asked of first_four only"),
    ({"round": [{"all": {"face": True}}, {"none": {"rank": "x"}}]}, "round", "'x' is not a rank"),
    ({"round": {"same": []}}, "round", "an empty list never matches"),
    (
        {"compare": {"first": "player-1", "second": "player-1", "result": "equal"}},
        "compare",
        "cannot be compared with itself",
    ),
    ({"compare": {"first": "player-1", "second": "player-2", "result": []}}, "compare", "an empty list"),
]


@pytest.mark.parametrize(("when", "fact", "sentence"), WRONG)
def test_one_thing_is_wrong(when: dict[str, Any], fact: str, sentence: str) -> None:
    ((name, told),) = condition_complaints(msgspec.convert(when, When))
    assert name == fact
    assert sentence in told
