"""`punto roads RESULTS`: the five roads of a row of results, and what would come next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.terminal.ink import is_coloured
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from punto.roads import Roads

ResultsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RESULTS",
        help="A shoe such as BbPTp: B, P or T for each round, then b and p for a Banker or Player pair.",
        show_default=False,
    ),
]


def roads(results: ResultsArgument, json: JsonOption = False) -> None:
    """Draw the roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""
    from punto.roads import ResultsError, Roads, picture

    try:
        shoe = Roads.parse(results)
    except ResultsError as error:
        refuse(str(error))
    if json:
        answer_json(picture(shoe))
    else:
        _draw(shoe)


def _draw(shoe: Roads) -> None:
    from rich.console import Console

    from punto.cli.terminal.road_board import draw_roads, has_shapes

    has_colour = is_coloured()
    console = Console(
        force_terminal=has_colour, color_system="standard" if has_colour else None, highlight=False
    )
    console.print(draw_roads(shoe, console.width, ascii_only=not has_shapes(console.encoding)))
