"""The five roads of a shoe, as one value that grows by a result at a time.

`Roads().extend(results)` draws a shoe from scratch and `roads.append(result)` adds a round; both are the
same code, so they cannot part. A display that follows a table appends; nothing is drawn again.
"""

from __future__ import annotations

import msgspec

from punto.roads.ask import Ask, ask
from punto.roads.bead_plate import Bead, string_beads
from punto.roads.big_road import BigRoad, Mark, extend_big_road
from punto.roads.derived import BIG_EYE, COCKROACH, SMALL, derive
from punto.roads.round_result import RoundResult, format_results, parse_results


class Roads(msgspec.Struct, frozen=True):
    """Bead plate, big road and the three derived roads of one shoe."""

    bead: tuple[Bead, ...] = ()
    big_road: BigRoad = BigRoad()
    big_eye: str = ""
    """`R` for red and `B` for blue, as are `small` and `cockroach`."""
    small: str = ""
    cockroach: str = ""

    def __str__(self) -> str:
        return format_results(self.results)

    def __repr__(self) -> str:
        return f"Roads.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Roads:
        """The roads of results such as `BbPTp`; `ResultsError` names the place of anything else."""
        return cls().extend(parse_results(text))

    @property
    def results(self) -> tuple[RoundResult, ...]:
        """Every round, as the bead plate has it."""
        return tuple(RoundResult(bead.result, bead.banker_pair, bead.player_pair) for bead in self.bead)

    @property
    def big(self) -> tuple[Mark, ...]:
        """The marks of the big road."""
        return self.big_road.marks

    @property
    def ask(self) -> Ask:
        """What each derived road would show next, for both sides."""
        return ask(self.big_road)

    def append(self, result: RoundResult) -> Roads:
        """The roads after one more round."""
        return self.extend((result,))

    def extend(self, results: tuple[RoundResult, ...]) -> Roads:
        """The roads after these further rounds."""
        bead = self.bead + string_beads(results, len(self.bead))
        big_road, places = extend_big_road(self.big_road, results)
        lengths = big_road.lengths
        return Roads(
            bead,
            big_road,
            self.big_eye + derive(BIG_EYE, lengths, places),
            self.small + derive(SMALL, lengths, places),
            self.cockroach + derive(COCKROACH, lengths, places),
        )
