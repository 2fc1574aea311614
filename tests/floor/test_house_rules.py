"""The rules of the house: read and changed by name, kept with who changed them; profiles; the gaming day."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.audit.verification import verify
from punto.floor.house_rules import HouseRules, WrongRule, change_rules, changed_rules, house_rules
from punto.floor.profile import BUILT_IN, WrongProfile, load_profile
from punto.refusal import Reason, Refusal
from punto.rules.authority import Role
from punto.store.store import Store
from punto.table.terms import Audience

ZONES = ("UTC", "Asia/Macau", "Europe/London", "America/New_York")


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def test_where_nothing_was_decided_the_defaults_hold(store: Store) -> None:
    with store.read() as reader:
        assert house_rules(reader) == HouseRules()


@pytest.mark.gli("2.9.5")
def test_a_change_is_kept_and_the_other_rules_stay(store: Store) -> None:
    change_rules(store, {"profile": "strict", "large_win": 500_000}, "Ada", 7)
    rules = change_rules(store, {"time_zone": "Asia/Macau", "large_win": None}, "Ben", 8, "we have moved")
    assert isinstance(rules, HouseRules)
    with store.read() as reader:
        assert house_rules(reader) == rules
        assert (rules.profile, rules.time_zone, rules.large_win) == (load_profile("strict"), "Asia/Macau", None)
        acts = [body for (body,) in reader.rows("SELECT body FROM house_events ORDER BY seq")]
        assert verify(reader).ok
    assert len(acts) == 2 and '"who":"Ben"' in acts[1] and "we have moved" in acts[1] and "large_win" in acts[1]


def test_what_stays_as_it_is_leaves_no_act(store: Store) -> None:
    for _ in range(2):
        change_rules(store, {"profile": "strict"}, "Ada", 7)
    change_rules(store, {"profile": "open"}, "Ada", 7)
    with store.read() as reader:
        assert len(reader.rows("SELECT body FROM house_events")) == 2
        assert house_rules(reader) == HouseRules() and verify(reader).ok


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"profil": "open"}, "'profil' is not a rule of the house; did you mean profile? They are"),
        ({"profile": "stict"}, "'stict' is not a profile; did you mean strict?"),
        ({"time_zone": "Mars/Base"}, "'Mars/Base' is not a time zone; name one such as Asia/Macau"),
        ({"day_begins": "25:00"}, "day_begins must be a time such as 06:00"),
        ({"large_stake": 0}, "large_stake must be at least 1"),
        ({"profile": {"name": "own", "shortest_password": 3}}, "shortest_password must be at least 8"),
    ],
)
def test_a_rule_that_cannot_be(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(WrongRule) as refused:
        changed_rules(HouseRules(), change)
    assert sentence.split("; did")[0] in str(refused.value) and "\n" not in str(refused.value)


def test_the_built_in_profiles() -> None:
    assert [load_profile(name).name for name in BUILT_IN] == [*BUILT_IN]
    assert HouseRules().profile == load_profile("open")
    strict = load_profile("strict")
    assert strict.advice is Audience.NOBODY and strict.limits_required and Role.CASHIER in strict.second_factor


def test_a_profile_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "night.toml"
    file.write_text('name = "night"\nadvice = "staff"\n', encoding="utf-8")
    document = msgspec.to_builtins(load_profile(str(file)))
    assert changed_rules(HouseRules(), {"profile": document}).profile.advice is Audience.STAFF
    with pytest.raises(WrongRule, match="is not a profile"):
        changed_rules(HouseRules(), {"profile": str(file)})  # whoever asks may be far from this machine
    file.write_text('name = "night"\nadvise = "staff"\n', encoding="utf-8")
    with pytest.raises(WrongProfile, match="advise"):
        load_profile(str(file))
    with pytest.raises(WrongProfile, match="cannot be read"):
        load_profile(str(tmp_path / "none.toml"))


@given(
    st.sampled_from(ZONES), st.times(), st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
)
def test_every_moment_lies_in_its_gaming_day(zone: str, begins: object, moment: datetime) -> None:
    rules = HouseRules(time_zone=zone, day_begins=f"{begins:%H:%M}")
    day = rules.day_of(ms(moment))
    start, end = rules.day_start(day), rules.day_start(day + timedelta(days=1))
    hour = 3_600_000  # an hour that is left out or comes twice when clocks are changed lies in one of both days
    assert start - hour <= ms(moment) < end + hour
    assert end - start in (23 * hour, 24 * hour, 25 * hour)


def test_a_night_belongs_to_the_day_on_which_it_began() -> None:
    rules = HouseRules(time_zone="Asia/Macau", day_begins="06:00")
    late = datetime(2026, 11, 17, 18, 30, tzinfo=UTC)  # half past two in the morning there
    assert rules.day_of(ms(late)) == date(2026, 11, 17)
    assert rules.day_of(ms(late + timedelta(hours=4))) == date(2026, 11, 18)


def test_a_rule_that_cannot_be_changes_nothing(store: Store) -> None:
    change_rules(store, {"operator": "The House"}, "Ada", 7)
    answer = change_rules(store, {"operator": "Another", "day_begins": "noon"}, "Ada", 8)
    assert isinstance(answer, Refusal) and answer.reason is Reason.WRONG_RULE
    with store.read() as reader:
        assert house_rules(reader).operator == "The House"
