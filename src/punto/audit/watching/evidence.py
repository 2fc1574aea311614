"""Evidence against an honest table, as e-values that hold under continuous looking.

An alternative says how a fault would change the chances of what comes next; the product of its likelihood
ratios is a bettor's capital at fair odds, so on an honest table its expectation stays 1 whenever one stops.
We spread the capital evenly over many alternatives. And a fault may begin at any time: of the capital, the
share 1 / (s·(s+1)) waits until shoe s and is bet from there on, so honest shoes of years do not hide a bad
one of today.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

TILTS = np.array((-0.5, -0.2, -0.1, -0.05, -0.02, -0.01, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0))
"""By how much an alternative makes something likelier: 0.1 for a tenth more often."""


@dataclass(frozen=True, slots=True)
class Course:
    """How the evidence went, shoe by shoe: natural logarithms of the e-value."""

    logs: tuple[float, ...]

    @property
    def now(self) -> float:
        return self.logs[-1] if self.logs else 0.0

    @property
    def greatest(self) -> float:
        return max(self.logs, default=0.0)

    def first_over(self, limit: float) -> int | None:
        """The first shoe, counted from 0, at whose end the evidence exceeds a limit."""
        return next((place for place, log in enumerate(self.logs) if log >= limit), None)


def tilted(happened: Floats, chances: Floats, shoes: NDArray[np.int64], tilts: Floats = TILTS) -> Floats:
    """Logarithms of likelihood ratios, summed by shoe: a row for each shoe, a column for each alternative.

    `happened` and `chances` have a row for each trial and a column for each thing that may come; `shoes` are
    the rows at which a new shoe begins. An alternative makes one of the things likelier by one tilt.
    """
    columns = []
    for tilt in tilts:
        gains = happened * np.log1p(tilt) - np.log1p(tilt * chances)
        columns.append(np.add.reduceat(gains, shoes, axis=0) if len(gains) else gains)
    return np.concatenate(columns, axis=1)


def courses(log_ratios: Floats, parts: Sequence[int]) -> list[Course]:
    """The course of the evidence for each question, from likelihood ratios by shoe and alternative.

    `parts` are the numbers of alternatives of the questions, in the order of the columns.
    """
    starts = np.concatenate(([0], np.cumsum(parts)[:-1])).astype(np.int64)
    sizes = np.log(np.asarray(parts, np.float64))
    capital = np.full(log_ratios.shape[1], -np.inf)
    rows = []
    for shoe, ratios in enumerate(log_ratios, start=1):
        capital = np.logaddexp(capital, -np.log(shoe * (shoe + 1.0))) + ratios
        waiting = -np.log(shoe + 1.0)
        rows.append(np.logaddexp.reduceat(np.logaddexp(capital, waiting), starts) - sizes)
    return [Course(tuple(float(row[place]) for row in rows)) for place in range(len(parts))]
