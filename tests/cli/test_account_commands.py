"""`punto account limits`, `exclude` and `readmit`, and accounts that are marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.called import Answer, answer, call

STAKED = """\
Ann as dealer: load the shoe
Lee: sit 3
Ann as dealer: place your bets
Lee: bet 3 banker 300
"""


class Desk:
    """Calls `punto account` on a database with an account of Lee."""

    def __init__(self, database: str) -> None:
        self._database = ("--database", database)
        self("new", "Lee")

    def __call__(self, *words: str) -> Answer:
        return answer("account", *words, *self._database)

    def refused(self, *words: str) -> str:
        refused = call("account", *words, *self._database)
        assert refused.status == 2
        return refused.err


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(str(tmp_path / "house.db"))


@pytest.mark.gli("2.5.5")
def test_limits_of_the_house_are_set_in_major_units(desk: Desk) -> None:
    assert desk("limits", "Lee").out.startswith("Lee has no limits;")
    desk("limits", "Lee", "stake/day=250.50", "time/session=90", "--reason", "agreed")
    told = desk("limits", "Lee", "--json").json
    stake = {"what": "stake", "period": "day", "amount": "250.50"}
    assert told == {"account": "Lee", "limits": [], "house": [stake, {**stake, **TIME}]}
    shown = desk("limits", "Lee").out
    assert "250.50" in shown and "90 minutes" in shown and "house" in shown


TIME = {"what": "time", "period": "session", "amount": 90}


@pytest.mark.gli("2.5.5")
def test_a_limit_that_ends_or_becomes_looser_waits_and_the_others_stay(desk: Desk) -> None:
    desk("limits", "Lee", "stake/day=100", "loss/week=50", "time/session=90")
    told = desk("limits", "Lee", "stake/day=", "loss/week=80", "--json").json["house"]
    assert [(each["amount"], each.get("next", "stays")) for each in told] == [
        ("100.00", None),
        ("50.00", "80.00"),
        (90, "stays"),
    ]
    again = desk("limits", "Lee", "time/session=60", "--json").json["house"]
    assert again[:2] == told[:2], "what waits goes on waiting"
    shown = desk("limits", "Lee").out
    assert "ends on 20" in shown and "becomes 80 on 20" in shown


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("stake=100", "a limit is WHAT/PERIOD=AMOUNT, such as loss/day=100, not 'stake=100'"),
        ("stakes/day=100", "WHAT is stake, loss, buy-in, time"),
        ("stake/year=100", "PERIOD is session, day, week, month"),
        ("time/day=1h", "a limit on time is a number of minutes, not '1h'"),
        ("stake/day=much", "much"),
    ],
)
def test_a_limit_that_is_none_is_refused_in_a_sentence(desk: Desk, limit: str, sentence: str) -> None:
    assert sentence in desk.refused("limits", "Lee", limit)


@pytest.mark.gli("A.3.8")
def test_a_player_is_excluded_and_readmitted_with_a_reason(desk: Desk) -> None:
    assert "reason" in desk.refused("exclude", "Lee")
    excluded = desk("exclude", "Lee", "--days", "30", "--reason", "agreed with Lee", "--json").json
    assert excluded["until_ms"] - excluded["since_ms"] == 30 * 86_400_000
    assert "Lee is excluded from play until 20" in desk.refused("buy-in", "Lee", "100")
    assert desk("exclude", "Lee", "--reason", "court order").out == "Lee is excluded from play for ever\n"
    assert "9999-12-31" in desk.refused("buy-in", "Lee", "100")
    assert desk("readmit", "Lee", "--reason", "it was lifted").out == "Lee is readmitted\n"
    desk("buy-in", "Lee", "100")
    assert desk.refused("readmit", "Lee", "--reason", "again") == "punto: the house has not excluded Lee\n"
    assert "did you mean Lee?" in desk.refused("exclude", "Le", "--reason", "x")


@pytest.mark.gli("A.2.5")
def test_a_test_account_is_marked(desk: Desk) -> None:
    assert desk("new", "Tess", "--test", "--json").json == {"account": "Tess", "currency": "USD", "kind": "test"}
    assert desk("show", "Tess", "--json").json["kind"] == "test"
    assert desk("show", "Lee", "--json").json["kind"] == "player"
    assert "test" in desk("show", "Tess").out


def test_what_lies_on_a_layout_is_shown_beside_what_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PUNTO_DATABASE", str(tmp_path / "house.db"))
    answer("account", "new", "Lee")
    answer("account", "buy-in", "Lee", "495")
    assert "staked" not in answer("account", "show", "Lee").out
    answer("table", "new", "t1", "commission", "bean-9", "source=entered", "burn=none")
    (tmp_path / "bets.punto").write_text(STAKED)
    answer("table", "run", "t1", str(tmp_path / "bets.punto"))
    shown = [line.split() for line in answer("account", "show", "Lee").out.splitlines()]
    assert ["free", "USD", "195"] in shown and ["staked", "USD", "300"] in shown
