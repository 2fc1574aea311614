"""`punto house rack` and `shift`, and receipts: two people are named, and money is in major units."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from tests.cli.called import answer, call
from tests.documents.qr_reader import modules_of_svg, text_in


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = str(tmp_path / "house.db")
    answer("table", "new", "t1", "commission", "bean-7", "--database", url)
    answer("account", "new", "Lee", "--database", url)
    return url


@pytest.mark.gli("NJ 13:69D-1.21")
def test_a_rack_from_opener_to_closer(database: str) -> None:
    def rack(*words: str) -> dict[str, object]:
        found: dict[str, object] = answer("house", "rack", *words, "--database", database, "--json").json
        return found

    alone = call("house", "rack", "open", "t1", "100x20", "--database", database)
    assert alone.status == 2 and "second person" in alone.err
    same = call(
        "house", "rack", "open", "t1", "100x20", "--as", "Dan:dealer", "--with", "Dan:cashier", "--database", database
    )
    assert same.status == 2 and "takes two people" in same.err
    opened = rack("open", "t1", "100x20", "2.50x4", "--as", "Dan:dealer", "--with", "Cas:cashier")
    assert (opened["number"], opened["amount"], opened["expected"]) == (1, "2010.00", None)
    assert opened["chips"] == [{"value": "100.00", "count": 20}, {"value": "2.50", "count": 4}]
    assert opened["second"] == {"name": "Cas", "role": "cashier"}
    rack("fill", "t1", "25x4", "--with", "Cas:cashier")
    shown = rack("show", "t1")
    assert (shown["fills"], shown["expected"], shown["is_open"]) == ("100.00", "2110.00", True)
    told = answer("house", "rack", "close", "t1", "100x21", "--with", "Pia:pit-supervisor", "--database", database).out
    assert told == "slip 3: closer of t1, 2,100, by house and Pia; expected 2,110, difference -10\n"
    assert "2,110" in answer("house", "rack", "show", "t1", "--database", database).out
    for words, wrong in (
        (("open", "t1", "100"), "such as 100x20"),
        (("lose", "t1"), "lose"),
        (("show", "t9"), "no table t9"),
    ):
        refused = call("house", "rack", *words, "--with", "Cas:cashier", "--database", database)
        assert refused.status == 2 and wrong in refused.err


@pytest.mark.gli("MICS")
def test_a_shift_and_a_receipt(database: str) -> None:
    answer("house", "rules", "shifts_required=true", "dispute_days=3", "--database", database)
    rules = answer("house", "rules", "--database", database, "--json").json
    assert (rules["shifts_required"], rules["dispute_days"], rules["rack_difference"]) == (True, 3, 2500)
    watched = ("house", "rules", "--database", database)
    for given, delay in (("30", 30), ("", None)):  # a number that may be left out is typed like any other
        assert answer(*watched, f"watch_delay_seconds={given}", "--json").json["watch_delay_seconds"] == delay
    assert "a whole number or null" in call(*watched, "watch_delay_seconds=soon").err
    early = call("account", "buy-in", "Lee", "100", "--as", "Cas:cashier", "--database", database)
    assert early.status == 2 and "no open shift" in early.err
    answer("house", "shift", "open", "Cas", "100x10", "--database", database)
    moved = answer("account", "buy-in", "Lee", "100", "--as", "Cas:cashier", "--database", database, "--json").json
    number = str(moved["receipt"])
    receipt = answer("account", "receipt", number, "--database", database, "--json").json
    assert (receipt["amount"], receipt["balance"], receipt["shift"]) == ("100.00", "100.00", 1)
    assert "USD +100" in answer("account", "receipt", number, "--database", database).out
    assert call("account", "receipt", "99", "--database", database).status == 2
    closed = answer("house", "shift", "close", "Cas", "100x11", "--database", database, "--json").json
    assert (closed["expected"], closed["closed"], closed["difference"]) == ("1100.00", "1100.00", "0.00")
    assert "closed" in answer("house", "shift", "show", "Cas", "--database", database).out
    assert call("house", "shift", "close", "Cas", "--database", database).status == 2


def test_a_sheet_says_for_which_evening_it_is_and_which_invitations_are_on_it(database: str, tmp_path: Path) -> None:
    answer("house", "rules", "operator=Harbour Club", "--database", database)
    for evening, name in ((("--evening", "Winter <Night>"), "Winter &lt;Night&gt;"), ((), "Harbour Club")):
        sheet = tmp_path / f"{len(evening)}.html"
        words = ("house", "invite", "2", *evening, "-o", str(sheet), "--database", database, "--json")
        made = answer(*words).json["invitations"]
        text = sheet.read_text(encoding="utf-8")
        assert f"{name}: invitations" in text and f"{name} 2" in text
        for each in made:
            assert f"Invitation {each['invitation']}." in text and each["code"] in text
        pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        assert [text_in(modules_of_svg(one)) for one in pictures] == [each["link"] for each in made]


def test_play_that_is_started_again_is_told_as_what_it_is(database: str) -> None:
    at = ("--database", database)
    assert call("table", "new", "t9", "ez", "house", *at).status == 0
    assert "stopped: the whole floor" in answer("house", "stop", *at).out
    assert "play is stopped already" in call("house", "stop", *at).err
    assert "stopped: tables of ez, the whole floor" in answer("house", "stop", "ez", *at).out
    assert (
        answer("house", "start", "ez", *at).out.strip()
        == "play has started again at tables of ez; still stopped: the whole floor"
    )
    started = answer("house", "start", *at).out.strip()
    assert started == "play has started again on the floor; nothing is stopped any more"
    assert "play is not stopped, so there is nothing to start" in call("house", "start", *at).err


def test_a_sheet_of_invitations_is_never_written_over(database: str, tmp_path: Path) -> None:
    sheet = tmp_path / "guests.html"
    answer("house", "invite", "2", "-o", str(sheet), "--database", database)
    assert stat.S_IMODE(sheet.stat().st_mode) == 0o600, "whoever reads a code can use it"
    before = sheet.read_bytes()
    colours = re.findall(rb'(?:stroke|fill)="([^"]*)"', before)
    assert colours == [b"#000"] * 2, "codes are drawn in a colour that there is"
    again = call("house", "invite", "3", "-o", str(sheet), "--database", database)
    assert again.status == 2 and "is already there" in again.err
    assert sheet.read_bytes() == before
    made = answer("house", "invitations", "--database", database, "--json").json["invitations"]
    assert len(made) == 2, "and none is made whose code nobody has"


@pytest.mark.parametrize(
    ("address", "is_told"),
    [
        ((), True),
        (("--address", "http://localhost:8317"), True),
        (("--address", "http://[::1]:8317"), True),
        (("--address", "http://192.168.1.20:8317"), False),
        (("--address", "https://floor.example"), False),
    ],
)
def test_a_sheet_that_no_phone_can_open_is_told(
    database: str, tmp_path: Path, address: tuple[str, ...], is_told: bool
) -> None:
    """Forty codes that lead nowhere are noticed at the door, when it is too late."""
    made = answer("house", "invite", "2", *address, "-o", str(tmp_path / "guests.html"), "--database", database)
    assert ("which phones cannot open" in made.out) == is_told


def test_rules_are_shown_as_they_are_typed(database: str) -> None:
    shown = answer("house", "rules", "money=play", "--database", database).out
    rules = dict(line.split(maxsplit=1) for line in shown.splitlines() if len(line.split()) == 2)
    assert (rules["money"], rules["shifts_required"], rules["large_cash_period"]) == ("play", "false", "day")
    kept = [f"{name}={rules[name]}" for name in ("money", "shifts_required", "large_cash_period")]
    assert answer("house", "rules", *kept, "--database", database).out == shown
