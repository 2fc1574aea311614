"""The options of `punto simulate`, in the groups in which its help lists them."""

from __future__ import annotations

from typing import Annotated

import typer

from punto.cli.options.book import JSON_HELP
from punto.cli.options.completion import complete_policy, complete_strategy
from punto.cli.options.unseen import DECKS_HELP

PLAYED = "What is played"
STRATEGY = "Strategy"
DECISIONS = "Insurance and antes"
MONEY = "Limits and bankroll"
PLACE = "Where it runs"
OUTPUT = "Output"

RoundsOption = Annotated[
    str,
    typer.Option(
        "--rounds", metavar="N", help="Rounds to play, such as 1000000 or 1e9.", rich_help_panel=PLAYED
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="S",
        help="A whole number that fixes every card; default: a fresh one.",
        show_default=False,
        rich_help_panel=PLAYED,
    ),
]
CutOption = Annotated[
    int | None,
    typer.Option(
        "--cut", metavar="N", help="Cards behind the cut card; default: 14.", rich_help_panel=PLAYED
    ),
]
RoundsPerShoeOption = Annotated[
    int | None,
    typer.Option(
        "--rounds-per-shoe", metavar="N", help="Rounds from each shoe; no cut card.", rich_help_panel=PLAYED
    ),
]
BurnOption = Annotated[
    str,
    typer.Option(
        "--burn", metavar="HOW", help="first-card, none, or a number of cards.", rich_help_panel=PLAYED
    ),
]
DecksOption = Annotated[
    int | None,
    typer.Option("--decks", metavar="N", help=DECKS_HELP, show_default=False, rich_help_panel=PLAYED),
]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="flat, count, a progression such as martingale, or your own as FILE.py:FUNCTION.",
        autocompletion=complete_strategy,
        show_default=False,
        rich_help_panel=STRATEGY,
    ),
]
BetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--bet",
        metavar="AREA=STAKE",
        help="A bet of the strategy; may be given several times.",
        rich_help_panel=STRATEGY,
    ),
]
TagsOption = Annotated[
    str | None,
    typer.Option(
        "--tags", metavar="NUMBERS", help="What A 2 … 9 10 add to the count.", rich_help_panel=STRATEGY
    ),
]
TriggerOption = Annotated[
    float | None,
    typer.Option(
        "--trigger", metavar="COUNT", help="The true count from which to bet.", rich_help_panel=STRATEGY
    ),
]
LineOption = Annotated[
    str | None,
    typer.Option(
        "--line",
        metavar="NUMBERS",
        help="The line a Labouchère starts with; default: 1,2,3,4.",
        rich_help_panel=STRATEGY,
    ),
]
InsureOption = Annotated[
    str,
    typer.Option(
        "--insure",
        metavar="POLICY",
        help="never, always, best, or a JSON file.",
        rich_help_panel=DECISIONS,
        autocompletion=complete_policy,
    ),
]
GiveUpOption = Annotated[
    str,
    typer.Option(
        "--give-up",
        metavar="POLICY",
        help="Antes: never, always, best, or a JSON file.",
        autocompletion=complete_policy,
        rich_help_panel=DECISIONS,
    ),
]
MinimumOption = Annotated[
    str | None,
    typer.Option("--min", metavar="AMOUNT", help="The table's minimum bet.", rich_help_panel=MONEY),
]
MaximumOption = Annotated[
    str | None,
    typer.Option("--max", metavar="AMOUNT", help="The table's maximum bet.", rich_help_panel=MONEY),
]
BankrollOption = Annotated[
    str | None,
    typer.Option(
        "--bankroll", metavar="AMOUNT", help="Money that a session starts with.", rich_help_panel=MONEY
    ),
]
GoalOption = Annotated[
    str | None,
    typer.Option(
        "--goal", metavar="AMOUNT", help="End a session once it has won this much.", rich_help_panel=MONEY
    ),
]
StopLossOption = Annotated[
    str | None,
    typer.Option(
        "--stop-loss",
        metavar="AMOUNT",
        help="End a session once it has lost this much.",
        rich_help_panel=MONEY,
    ),
]
SessionShoesOption = Annotated[
    int,
    typer.Option(
        "--session-shoes",
        metavar="N",
        help="Shoes in a session, unless it ends sooner.",
        rich_help_panel=MONEY,
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="CPU cores to use; default: all.", rich_help_panel=PLACE),
]
CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint", metavar="FILE", help="Save progress here, and go on from it.", rich_help_panel=PLACE
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on a Dask cluster; local starts one here.",
        rich_help_panel=PLACE,
    ),
]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Play on a GPU.", rich_help_panel=PLACE)]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write .parquet, .csv, .json, .html or .svg.",
        rich_help_panel=OUTPUT,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help=JSON_HELP, rich_help_panel=OUTPUT)]
