"""The roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""

from punto.roads.ask import Answer, Ask
from punto.roads.bead_plate import Bead
from punto.roads.big_road import BigRoad, Mark
from punto.roads.derived import BLUE, RED
from punto.roads.path import ROWS, Cell, Path, walk
from punto.roads.picture import Picture, picture
from punto.roads.roads import Roads
from punto.roads.round_result import ResultsError, RoundResult, RoundWinner, format_results, parse_results

__all__ = [
    "BLUE",
    "RED",
    "ROWS",
    "Answer",
    "Ask",
    "Bead",
    "BigRoad",
    "Cell",
    "Mark",
    "Path",
    "Picture",
    "ResultsError",
    "Roads",
    "RoundResult",
    "RoundWinner",
    "format_results",
    "parse_results",
    "picture",
    "walk",
]
