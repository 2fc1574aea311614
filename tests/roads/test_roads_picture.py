from __future__ import annotations

import msgspec

from punto.roads.roads import Roads, picture


def test_the_picture_of_a_short_shoe_word_for_word() -> None:
    drawn = msgspec.json.decode(msgspec.json.encode(picture(Roads.parse("TBbPTpP"))))
    assert drawn == {
        "bead": [
            {"column": 0, "row": 0, "result": "tie", "banker_pair": False, "player_pair": False},
            {"column": 0, "row": 1, "result": "banker", "banker_pair": True, "player_pair": False},
            {"column": 0, "row": 2, "result": "player", "banker_pair": False, "player_pair": False},
            {"column": 0, "row": 3, "result": "tie", "banker_pair": False, "player_pair": True},
            {"column": 0, "row": 4, "result": "player", "banker_pair": False, "player_pair": False},
        ],
        "big": [
            {"column": 0, "row": 0, "winner": "banker", "ties": 1, "banker_pair": True, "player_pair": False},
            {"column": 1, "row": 0, "winner": "player", "ties": 1, "banker_pair": False, "player_pair": False},
            {"column": 1, "row": 1, "winner": "player", "ties": 0, "banker_pair": False, "player_pair": False},
        ],
        "big_eye": "B",
        "small": "",
        "cockroach": "",
        "ask": {
            "banker": {"big_eye": "B", "small": None, "cockroach": None},
            "player": {"big_eye": "R", "small": None, "cockroach": None},
        },
    }
