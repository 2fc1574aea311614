"""Problems summed up: none is lost, the first stands first, and every place can be found again."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from punto.audit.table_check import AuditProblem
from punto.audit.verification import event_ranges, problem_groups

SENTENCES = (
    "record {n} before it is missing",
    "a command brought the events from {n} to this one, which are not there",
    "the balance of player/Lee-{n} is -{n}, and its postings sum to {n}.05",
    "there are postings that belong to no movement",
)
problems = st.builds(
    lambda table, seq, sentence, n: AuditProblem(table, seq, sentence.format(n=n)),
    st.sampled_from(["t1", "t2", None]),
    st.none() | st.integers(1, 60),
    st.sampled_from(SENTENCES),
    st.integers(1, 10**7),
)


@given(st.lists(problems, max_size=60))
def test_no_problem_is_lost_and_the_first_stands_first(listed: list[AuditProblem]) -> None:
    groups = problem_groups(listed)
    told = [each for table in groups.values() for group in table for each in (group.first, *group.others)]
    assert Counter(told) == Counter(listed)
    assert {each.table for each in listed} == groups.keys()
    assert None not in groups or list(groups)[-1] is None
    for table, (first, *others) in groups.items():
        seqs = [each.seq for each in listed if each.table == table and each.seq is not None]
        assert first.first.seq == min(seqs, default=None)
        assert len(others) < len(SENTENCES), "one group for each kind"


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
