"""What is wrong with a book, and where: one problem, and the error that carries all of them."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[str | int, ...]
"""The way to an entry: `("bets", 3, "pays", 0)` is the first pay row of the fourth bet."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and its place in the book."""

    place: Place
    sentence: str
    line: int | None = None
    """Line of the file, where it is known."""
    file: str | None = None
    """The file it stands in, where that is not the one that was asked for but one that this one extends."""

    def __str__(self) -> str:
        line = f"line {self.line}: " if self.line else ""
        return f"{line}{format_place(self.place)}{self.sentence}"


class BookError(Exception):
    """A book that cannot be used, with every problem found in it."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        assert problems
        self.file = file
        self.problems = problems
        super().__init__("\n".join(self.lines))

    @property
    def lines(self) -> list[str]:
        """One line for each problem: file, place, what is wrong."""
        return [f"{problem.file or self.file}: {problem}" for problem in self.problems]


def format_place(place: Place) -> str:
    """A place as people read it, `bets[3].pays[0]: `; empty for the book as a whole."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return f"{text.removeprefix('.')}: " if text else ""
