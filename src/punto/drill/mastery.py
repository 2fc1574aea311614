"""The mastery report: how each topic and each clause went, all in all and sitting by sitting.

A topic is mastered when its last answers were right twice in a row or more; what was missed and not made good
since is to come again. The page is shown as text, HTML or any other form that pages have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from punto.documents.page import Grid, Page, Section, Style
from punto.drill.question import Topic, sense_of
from punto.drill.score import RECOVERED, PastSitting, Score, TopicScore
from punto.drill.syllabus import KINDS
from punto.rules.book import Book

SHOWN_SITTINGS = 6
"""Sittings that stand side by side: the latest ones."""
LONGEST_SENSE = 90
MOST_MISSED = 30
"""Topics that are listed for a class."""

Tally = tuple[int, int]
"""Asked and right."""


def mastery_page(score: Score, books: Mapping[str, Book]) -> Page:
    """The report of a kept score."""
    topics = _about(score, books)
    asked, right = sum(one.asked for one in topics.values()), sum(one.right for one in topics.values())
    mastered = sum(state_of(one) == "mastered" for one in topics.values())
    lead = (
        (
            f"{right} of {asked} answers were right. Of {len(topics)} topics that were asked, {mastered} are "
            f"mastered and {sum(one.due is not None for one in topics.values())} are to come again."
        )
        if topics
        else "Nothing has been asked yet: punto drill begins."
    )
    sections = [Section("Sittings", (_sittings(score),))] if score.sittings else []
    for kind, spec in KINDS.items():
        names = sorted(name for name in topics if name.split("/")[1] == kind)
        if names:
            grid = _topics(names, topics, score.sittings)
            sections.append(Section(f"{spec.what[:1].upper()}{spec.what[1:]}", (grid,)))
    clauses = _clauses(score.sittings, books)
    if clauses is not None:
        sections.append(Section("By clause", (clauses,)))
    return Page("Mastery report", tuple(sections), lead=(lead,))


def class_page(scores: Mapping[str, Score], books: Mapping[str, Book]) -> Page:
    """Several scores side by side, for whoever trains these people: who stands where, and what all miss."""
    kept = {name: _about(score, books) for name, score in scores.items()}
    people = tuple(
        (
            name,
            str(len(scores[name].sittings)),
            str(sum(one.asked for one in topics.values())),
            str(sum(one.right for one in topics.values())),
            _share_of(topics.values()),
            str(sum(state_of(one) == "mastered" for one in topics.values())),
            str(sum(one.due is not None for one in topics.values())),
        )
        for name, topics in kept.items()
    )
    heads = ("score", "sittings", "asked", "right", "share", "mastered", "to come again")
    kinds = [
        kind for kind in KINDS if any(_kind(name) == kind for topics in kept.values() for name in topics)
    ]
    by_kind = tuple(
        (name, *(_share_of(one for topic, one in topics.items() if _kind(topic) == kind) for kind in kinds))
        for name, topics in kept.items()
    )
    sections = [
        Section("Scores", (Grid(heads, people, right=range(1, len(heads))),)),
        Section("Right, by kind", (Grid(("score", *kinds), by_kind, right=range(1, len(kinds) + 1)),)),
    ]
    if missed := _missed_by_several(kept):
        grid = Grid(("topic", "to come again for", "share right"), missed, right=(1, 2), grows=0)
        sections.append(Section("What comes again for most", (grid,)))
    asked = sum(one.asked for topics in kept.values() for one in topics.values())
    return Page("Mastery report", tuple(sections), lead=(f"{len(kept)} scores, {asked} answers.",))


def class_record(scores: Mapping[str, Score], books: Mapping[str, Book]) -> dict[str, object]:
    """The same for programs: the record of each score by its name."""
    return {"scores": {name: mastery_record(score, books) for name, score in scores.items()}}


def _about(score: Score, books: Mapping[str, Book]) -> dict[str, TopicScore]:
    return {name: kept for name, kept in score.topics.items() if _book(name) in books}


def _missed_by_several(kept: Mapping[str, Mapping[str, TopicScore]]) -> tuple[tuple[str, ...], ...]:
    """Topics that come again, those first that come again for most people; of these the hardest first."""
    rows = []
    for name in dict.fromkeys(topic for topics in kept.values() for topic in topics):
        asked = [topics[name] for topics in kept.values() if name in topics]
        if due := sum(one.due is not None for one in asked):
            right = sum(one.right for one in asked) / max(sum(one.asked for one in asked), 1)
            topic = Topic(*name.split("/", 2))
            rows.append(
                (-due, right, (f"{topic.kind}: {topic.words} ({topic.book})", f"{due} of {len(kept)}"))
            )
    return tuple((*cells, f"{right:.0%}") for _, right, cells in sorted(rows)[:MOST_MISSED])


def _kind(name: str) -> str:
    return name.split("/")[1]


def _share_of(topics: Iterable[TopicScore]) -> str:
    listed = list(topics)
    return _share(sum(one.asked for one in listed), sum(one.right for one in listed))


def state_of(topic: TopicScore) -> str:
    """How a topic stands: mastered, to come again, or begun."""
    if topic.due is not None:
        return "to come again"
    return "mastered" if topic.running >= RECOVERED else "begun"


def mastery_record(score: Score, books: Mapping[str, Book]) -> dict[str, object]:
    """The same for programs."""
    topics = {
        name: {
            "asked": kept.asked,
            "right": kept.right,
            "seconds": round(kept.seconds, 3),
            "state": state_of(kept),
            "sittings": [list(tally) if tally else None for tally in _over_time(name, score.sittings)],
        }
        for name, kept in score.topics.items()
        if _book(name) in books
    }
    clauses = {
        name: {"asked": asked, "right": right}
        for name, (asked, right) in _clause_tallies(score.sittings).items()
        if _book(name) in books
    }
    sittings = [
        {"day": past.day, "asked": past.asked, "right": past.right, "seconds": past.seconds}
        for past in score.sittings
    ]
    return {"sittings": sittings, "topics": topics, "clauses": clauses}


def _sittings(score: Score) -> Grid:
    rows = tuple(
        (past.day, str(past.asked), str(past.right), _share(past.asked, past.right), _each(past))
        for past in score.sittings
    )
    heads = ("day", "asked", "right", "share", "time each")
    return Grid(heads, rows, right=(1, 2, 3, 4))


def _topics(
    names: Iterable[str], topics: Mapping[str, TopicScore], sittings: tuple[PastSitting, ...]
) -> Grid:
    rows, marks = list[tuple[str, ...]](), dict[int, Style]()
    for place, name in enumerate(names):
        kept = topics[name]
        topic = Topic(*name.split("/", 2))
        tallies = _over_time(name, sittings)
        over_time = " ".join("-" if tally is None else f"{tally[1]}/{tally[0]}" for tally in tallies)
        each = f"{kept.seconds / kept.asked:.1f} s"
        rows.append(
            (
                f"{topic.words} ({topic.book})",
                str(kept.asked),
                str(kept.right),
                each,
                state_of(kept),
                over_time,
            )
        )
        if kept.due is not None:
            marks[place] = Style.BAD
    heads = ("topic", "asked", "right", "time each", "stands", "sitting by sitting")
    return Grid(heads, tuple(rows), right=(1, 2, 3), grows=0, marks=marks)


def _over_time(name: str, sittings: tuple[PastSitting, ...]) -> list[Tally | None]:
    return [past.topics.get(name) for past in sittings[-SHOWN_SITTINGS:]]


def _clauses(sittings: tuple[PastSitting, ...], books: Mapping[str, Book]) -> Grid | None:
    rows = [
        (name.split("/", 1)[1], _book(name), str(asked), str(right), _sense(books[_book(name)], name))
        for name, (asked, right) in sorted(_clause_tallies(sittings).items())
        if _book(name) in books
    ]
    heads = ("clause", "book", "asked", "right", "its sense")
    return Grid(heads, tuple(rows), right=(2, 3), grows=4) if rows else None


def _sense(book: Book, name: str) -> str:
    sense = sense_of(book, name.split("/", 1)[1])
    return sense if len(sense) <= LONGEST_SENSE else f"{sense[:LONGEST_SENSE].rsplit(' ', 1)[0]} …"


def _clause_tallies(sittings: Iterable[PastSitting]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for past in sittings:
        for name, (asked, right) in past.clauses.items():
            before = found.get(name, (0, 0))
            found[name] = (before[0] + asked, before[1] + right)
    return found


def _book(name: str) -> str:
    return name.split("/", 1)[0]


def _share(asked: int, right: int) -> str:
    return f"{right / asked:.0%}" if asked else ""


def _each(past: PastSitting) -> str:
    return f"{past.seconds / past.asked:.1f} s" if past.asked else ""
