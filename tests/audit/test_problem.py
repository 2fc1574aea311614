"""Problems summed up: none is lost, the first stands first, and every place can be found again."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from punto.audit.problem import AuditProblem, ProblemKind, event_ranges, problem_groups
from punto.store.chain import WITHOUT_ROWS, Subject
from punto.words import ENGLISH, phrases

KINDS = (ProblemKind.RECORD_MISSING, ProblemKind.EVENTS_MISSING, ProblemKind.BALANCE_WRONG, ProblemKind.POSTINGS_ALONE)


def problem_of(table: str | None, seq: int | None, kind: ProblemKind, n: int) -> AuditProblem:
    if kind is ProblemKind.BALANCE_WRONG:
        amounts: dict[str, object] = {"stored": f"-{n}", "summed": f"{n}.05"}
        return AuditProblem.of(table, None, kind, {"account": f"player/Lee-{n}", **amounts})
    return AuditProblem.of(table, seq, kind, {"first": n})


problems = st.builds(
    problem_of,
    st.sampled_from(["t1", "t2", None]),
    st.none() | st.integers(1, 60),
    st.sampled_from(KINDS),
    st.integers(1, 10**7),
)


@given(st.lists(problems, max_size=60))
def test_no_problem_is_lost_and_the_first_stands_first(listed: list[AuditProblem]) -> None:
    groups = problem_groups(listed)
    told = [each for table in groups.values() for group in table for each in (group.first, *group.others)]
    assert Counter(map(repr, told)) == Counter(map(repr, listed))
    assert {each.table for each in listed} == groups.keys()
    assert None not in groups or list(groups)[-1] is None
    for table, (first, *others) in groups.items():
        seqs = [each.seq for each in listed if each.table == table and each.seq is not None]
        assert first.first.seq == min(seqs, default=None)
        assert len(others) < len(KINDS), "one group for each kind"


@given(st.sets(st.integers(1, 3_000)))
def test_ranges_name_every_event_and_no_other(events: set[int]) -> None:
    found: set[int] = set()
    for told in event_ranges(events):
        first, _, last = told.replace(",", "").partition(" to ")
        assert not last or int(last) > int(first)
        run = set(range(int(first), int(last or first) + 1))
        assert not {int(first) - 1, int(last or first) + 1} & found
        found |= run
    assert found == events


def test_of_events_only_those_that_name_the_same_people_are_told_together() -> None:
    kind, names = ProblemKind.OTHER_ACTOR, ("Lee", "Kim", "Lee")
    listed = [AuditProblem.of("t1", seq, kind, {"by": by, "actor": "Pia"}) for seq, by in enumerate(names, start=5)]
    first, second = problem_groups(listed)["t1"]
    assert (first.first.seq, [each.seq for each in first.others], second.first.seq) == (5, [7], 6)
    assert second.first.problem == "the event is by Kim, and its command is by Pia"


def test_every_kind_is_told_in_every_language() -> None:
    """Each has a sentence, and no sentence is without its kind; the fields that it names are said in words."""
    said = {key for key in phrases(ENGLISH, "problems.toml") if not key.startswith("named.")}
    assert said == {kind.value for kind in ProblemKind}
    subjects = {key.rpartition(".")[2] for key in phrases(ENGLISH, "problems.toml") if key.startswith("named.subject.")}
    assert subjects == {subject.value for subject in Subject} - WITHOUT_ROWS
    fields: dict[str, object] = {"subject": "roles", "name": "Lee", "act": 1_234, "fields": "roles"}
    changed = AuditProblem.of(None, None, ProblemKind.ROW_CHANGED, fields)
    assert changed.problem == "what roles Lee has is not as act 1,234 of the house left it; changed: roles"
    assert changed.words.en == changed.problem
    assert changed.words.zh_hant == "Lee 的角色：與本場第 1,234 項記錄不同；已改動：roles"
    untold = AuditProblem.of("t1", 5, ProblemKind.EVENT_UNTOLD, {"code": "large-stake"})
    assert untold.words.zh_hans.endswith("大额投注") and untold.params == {"code": "large-stake"}
