"""Every rule of the house is typed somewhere in the office, as what its type says, and has words there."""

from __future__ import annotations

import json
from itertools import groupby

import pytest

from punto.floor.house_rules import AMOUNTS, NAMES, HouseRules, changed_rules
from punto.floor.profile import Profile, load_profile
from punto.floor.rule_form import PROFILE, RuleForm, RuleKind, rule_forms
from punto.floor.rules_effect import told_rules
from punto.rules.authority import ROLES_OF_PEOPLE
from punto.words import FOLDER

GROUPS = ["house", "play", "cage", "record", PROFILE]
FORMS = {form.rule: form for form in rule_forms().rules}
TYPED: dict[RuleKind, object] = {
    RuleKind.TEXT: "Asia/Macau",
    RuleKind.TIME: "05:30",
    RuleKind.MONEY: 12_345,
    RuleKind.NUMBER: 11,
    RuleKind.FLAG: True,
}


def test_every_rule_and_every_part_of_a_profile_has_a_form() -> None:
    assert set(FORMS) | {PROFILE} == set(told_rules(HouseRules()))
    of_house = [one.rule for one in rule_forms().rules if one.group != PROFILE]
    assert of_house == [name for name in NAMES if name != PROFILE]
    assert [group for group, _ in groupby(one.group for one in rule_forms().rules)] == GROUPS, "each stands together"
    assert {one.rule for one in FORMS.values() if one.kind is RuleKind.MONEY} == set(AMOUNTS)
    for name in rule_forms().profiles:
        assert load_profile(name).name == name


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_what_its_form_says_is_taken(form: RuleForm) -> None:
    for value in form.values or (TYPED[form.kind],):
        given = [value] if form.kind is RuleKind.ROLES else value
        assert told_rules(_with(form, given))[form.rule] in (given, (value,))
    if form.kind is RuleKind.ROLES:
        assert form.values == tuple(role.value for role in ROLES_OF_PEOPLE)
    assert form.optional == (told_rules(_with(form, None))[form.rule] in (None, "")) or form.rule == "rack_difference"


def _with(form: RuleForm, value: object) -> HouseRules:
    if form.group != PROFILE:
        return changed_rules(HouseRules(), {form.rule: value})
    part = {} if value is None else {form.rule.removeprefix(f"{PROFILE}."): value}
    return changed_rules(HouseRules(profile=Profile("open")), {PROFILE: {"name": "ours", **part}})


def test_each_has_words() -> None:
    words = json.loads((FOLDER / "en/office.json").read_text(encoding="utf-8"))
    assert set(words["ruleNames"]) == {PROFILE, *FORMS}
    assert set(words["ruleTexts"]) == {one.rule for one in FORMS.values() if one.group != PROFILE} - {PROFILE}
    assert set(words["ruleGroups"]) == {one.group for one in FORMS.values()} - {PROFILE}
    assert set(words["profileTexts"]) == set(rule_forms().profiles)
    values = {value for one in FORMS.values() if one.kind is RuleKind.CHOICE for value in one.values}
    assert set(words["ruleValues"]) == values
