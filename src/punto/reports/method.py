"""How the figures of a PAR sheet are computed, and how to reproduce each of them."""

from __future__ import annotations

from punto.documents.page import CommandLine, Section
from punto.reports.par_sheet import ParSheet
from punto.rules.words import counted

_COUNTING = (
    "Every probability is a count of ordered draws of six cards from the shoe, in whole numbers of any size; "
    "expectations and variances are exact fractions, rounded only to be printed. Third cards are drawn "
    "first, which is allowed because cards are exchangeable; the first four then have a closed form. Pairs "
    "are counted by rank and suit. Nothing is simulated except the shoes of the sections on countability, "
    "on whole shoes with a cut card and on insurance with a perfect count."
)
_CHECKING = (
    "The rules come from one rule book, named by its digest above. In the tests of Punto, small shoes are "
    "dealt in every order through the table's own deal and settlement, and give the same counts."
)


def method_section(sheet: ParSheet) -> Section:
    """The method in a few sentences, and the commands."""
    name, decks, study = sheet.argument, sheet.decks, sheet.countability
    played = f"--decks {decks} --shoes {study.number} --seed {study.seed}"
    commands = [
        CommandLine(f"punto rules {name} --digest", "the digest of the rule book"),
        CommandLine(
            f"punto odds {name} --decks {decks} --json", "probabilities, edges, deviations, exact fractions"
        ),
        *(
            CommandLine(
                f"punto odds {name} --decks {other} --json", f"the same with {counted(other, 'deck')}"
            )
            for other in sheet.by_decks
            if other != decks
        ),
    ]
    if sheet.insurance is not None and sheet.levels is not None:
        shoes = f"--decks {decks} --shoes {sheet.levels.number} --seed {sheet.levels.seed}"
        commands.append(CommandLine(f"punto insurance {name} {shoes} --json", "insurance and its policy"))
    commands.append(
        CommandLine(
            f"punto count {name} {played} --cut {study.shoes.behind_cut} --json",
            "effects of removal, tags, earnings",
        )
    )
    options = f" {sheet.options}" if sheet.options else ""
    commands.append(CommandLine(f"punto report {name} {played}{options} -o sheet.pdf", "this sheet"))
    return Section(
        "Method, and how to reproduce each figure",
        (
            _COUNTING,
            _CHECKING,
            *commands,
        ),
    )
