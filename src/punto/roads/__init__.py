"""The roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""

from punto.roads.ask import Answer, Ask
from punto.roads.bead_plate import Bead
from punto.roads.big_road import BigRoad, Mark
from punto.roads.derived import BLUE, RED
from punto.roads.path import ROWS, Cell, Path, walk
from punto.roads.picture import Picture, picture
from punto.roads.result import Result, ResultsError, Winner, format_results, parse_results
from punto.roads.roads import Roads

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
    "Result",
    "ResultsError",
    "Roads",
    "Winner",
    "format_results",
    "parse_results",
    "picture",
    "walk",
]
