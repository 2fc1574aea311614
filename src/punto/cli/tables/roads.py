"""`punto roads RESULTS`: the five roads of a row of results, and what would come next."""

from __future__ import annotations

import json as json_text
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.options.book import JsonOption
from punto.cli.terminal.ink import is_coloured, note
from punto.cli.terminal.say import answer_json, refuse

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from punto.roads import Roads

_CARDS = r"(?:(?:10|[2-9AJQK])[♠♥♦♣SHDC] ?)+"
_ROUND = re.compile(rf"\s*\d+\s+(?P<player>{_CARDS})\s*(?P<p>\d)\s+(?P<banker>{_CARDS})\s*(?P<b>\d)\b")
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_LETTERS = {"player": "P", "banker": "B", "tie": "T"}

LARGEST = 4 * 1024 * 1024
"""Characters of what is read from a pipe."""

ResultsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RESULTS",
        help="A shoe such as BbPTp: B, P or T for each round, then b and p for a Banker or Player pair. "
        "Blanks do not matter; - reads stdin, also what punto deal prints.",
        show_default=False,
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the picture to an .svg file.", show_default=False
    ),
]


def roads(results: ResultsArgument, output: OutputOption = None, json: JsonOption = False) -> None:
    """Draw the roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""
    from punto.roads import ResultsError, Roads, picture

    path = _path(output)
    text = _read() if results == "-" else results
    try:
        shoe = Roads.parse("".join(text.split()))
    except ResultsError as error:
        refuse(str(error))
    if path is not None:
        from punto.cli.files.result_file import put
        from punto.roads.drawing import draw_svg

        put(path, draw_svg(shoe).encode())
    if json:
        answer_json(picture(shoe))
    elif path is not None:
        note(f"{path}: the roads of {len(shoe.bead)} rounds")
    else:
        _draw(shoe)


def _path(output: str | None) -> Path | None:
    from punto.cli.files.result_file import check_format

    return check_format(output, (".svg",)) if output is not None else None


def _read() -> str:
    """Results from stdin: as they are written, or out of what `punto deal` prints, as text or as JSON."""
    text = sys.stdin.read(LARGEST + 1)
    if len(text) > LARGEST:
        refuse("stdin holds more than the results of a shoe")
    if text.lstrip().startswith(("{", "[")):
        return _of_json(text)
    rounds = [_of_line(line) for line in text.splitlines()]
    found = [result for result in rounds if result]
    # Whoever pipes a row of letters has no line of a deal in it.
    return "".join(found) if found else text


def _of_json(text: str) -> str:
    try:
        return "".join(
            _result(each["winner"], each["player"]["cards"], each["banker"]["cards"])
            for each in json_text.loads(text)["rounds"]
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        refuse('stdin holds JSON, but not the document of punto deal --json with its "rounds"')


def _of_line(line: str) -> str:
    """The result on a line of `punto deal`: a number, then each hand's cards and points."""
    match = _ROUND.match(_COLOUR.sub("", line))
    if match is None:
        return ""
    player, banker = int(match["p"]), int(match["b"])
    winner = "tie" if player == banker else "player" if player > banker else "banker"
    return _result(winner, match["player"].split(), match["banker"].split())


def _result(winner: str, player: Sequence[str], banker: Sequence[str]) -> str:
    """A round as the roads write it; a pair is two first cards of one rank."""
    pairs = {side: cards[0][:-1] == cards[1][:-1] for side, cards in (("b", banker), ("p", player))}
    return _LETTERS[winner] + "".join(side for side, is_pair in pairs.items() if is_pair)


def _draw(shoe: Roads) -> None:
    from rich.console import Console

    from punto.cli.terminal.road_board import draw_roads, has_shapes

    has_colour = is_coloured()
    console = Console(
        force_terminal=has_colour, color_system="standard" if has_colour else None, highlight=False
    )
    console.print(draw_roads(shoe, console.width, ascii_only=not has_shapes(console.encoding)))
