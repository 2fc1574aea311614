"""The options of `punto simulate`."""

from __future__ import annotations

from typing import Annotated

import typer

RoundsOption = Annotated[
    str, typer.Option("--rounds", metavar="N", help="Rounds to play, such as 1000000 or 1e9.")
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="A whole number that fixes every card.", show_default=False),
]
CutOption = Annotated[
    int | None,
    typer.Option("--cut", metavar="N", help="Cards behind the cut card; 14 if nothing is said."),
]
RoundsPerShoeOption = Annotated[
    int | None,
    typer.Option("--rounds-per-shoe", metavar="N", help="Deal so many from each shoe, no cut card."),
]
BurnOption = Annotated[
    str, typer.Option("--burn", metavar="HOW", help="first-card, none, or a number of cards.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", help="Cores to use; all if nothing is said."),
]
CheckpointOption = Annotated[
    str | None,
    typer.Option("--checkpoint", metavar="FILE", help="Keep the state here and go on from it."),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write .parquet, .csv, .json, .html or .svg."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster, or local."),
]
GpuOption = Annotated[bool, typer.Option("--gpu", help="Play on a GPU.")]
StrategyOption = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="flat, count, a progression such as martingale, or your own as FILE.py:FUNCTION.",
        show_default=False,
    ),
]
BetOption = Annotated[
    list[str] | None,
    typer.Option("--bet", metavar="AREA=STAKE", help="A bet of the strategy; may be given several times."),
]
TagsOption = Annotated[
    str | None, typer.Option("--tags", metavar="NUMBERS", help="What A 2 … 9 10 add to a count.")
]
TriggerOption = Annotated[
    float | None, typer.Option("--trigger", metavar="COUNT", help="The true count from which to bet.")
]
LineOption = Annotated[
    str | None, typer.Option("--line", metavar="NUMBERS", help="Where a Labouchère begins; 1,2,3,4.")
]
InsureOption = Annotated[
    str, typer.Option("--insure", metavar="POLICY", help="never, always, best, or a JSON file.")
]
GiveUpOption = Annotated[
    str, typer.Option("--give-up", metavar="POLICY", help="Antes: never, always, best, or a JSON file.")
]
MinimumOption = Annotated[str | None, typer.Option("--min", metavar="AMOUNT", help="The table's least bet.")]
MaximumOption = Annotated[
    str | None, typer.Option("--max", metavar="AMOUNT", help="The table's greatest bet.")
]
BankrollOption = Annotated[
    str | None, typer.Option("--bankroll", metavar="AMOUNT", help="What a session begins with.")
]
GoalOption = Annotated[
    str | None, typer.Option("--goal", metavar="AMOUNT", help="End a session that has won so much.")
]
StopLossOption = Annotated[
    str | None, typer.Option("--stop-loss", metavar="AMOUNT", help="End a session that has lost so much.")
]
SessionShoesOption = Annotated[
    int, typer.Option("--session-shoes", metavar="N", help="Shoes of a session, unless it ends sooner.")
]
