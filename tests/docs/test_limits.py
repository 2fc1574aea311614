"""The page of limits says what the code refuses beyond."""

from pathlib import Path

from punto import books
from punto.cli import command_group
from punto.cli.files import kept_file
from punto.cli.files.reader import size_words
from punto.cli.odds_and_studies import simulate
from punto.cli.options import strategy, unseen
from punto.cli.tables import deal, run
from punto.cli.terminal import dialogue
from punto.ledger import cashier
from punto.money import LONGEST_AMOUNT, MINOR
from punto.odds import undealt
from punto.rules import outcome
from punto.rules.hands import card_table, questions
from punto.rules.reading import resolve, sense, size, template
from punto.rules.text import entry
from punto.simulation import cluster
from punto.table.betting import limits as betting
from punto.table.dealing import squeezes
from punto.table.insurance import decisions as insurance
from punto.table.irregularities import cases
from punto.table.notation import word

PAGE = Path(__file__).parents[2] / "docs/reference/limits.md"

LIMITS = {
    "a book file": size_words(books.LARGEST),
    "a line of it": f"{size.LONGEST_LINE:,} characters",
    "steps of a key, as in `a.b.c`": str(size.MOST_STEPS - 1),
    "entries of any one list or table": f"{size.MOST_ENTRIES:,}",
    "books that extend one another": str(resolve.MOST_BASES),
    "bets": str(sense.MOST_BETS),
    "conditions in all pay tables and declarations together": f"{sense.MOST_CONDITIONS:,}",
    "questions about cards of one bet": str(questions.MOST_QUESTIONS),
    "pairs of hands that a bet on single cards tells apart": f"{card_table.MOST_CELLS:,}",
    "the same of all bets together": f"{card_table.MOST_CELLS_OF_BOOK:,}",
    "bets of one template": str(template.MOST_COPIES),
    "decks": str(entry.MOST_DECKS),
    "odds as written": f"{outcome.LONGEST_ODDS} characters",
    "either number of odds, in lowest terms": f"{outcome.MOST_ODDS:,}",
    "a session file, or a session on stdin": size_words(run.LARGEST),
    "an amount": f"{LONGEST_AMOUNT} digits before the decimal point",
    "bets in a round, wagers not counted": f"{betting.MOST_BETS:,}",
    "insurances taken in a round": f"{insurance.MOST_INSURANCES:,}",
    "cards of which reports in a round speak": f"{cases.MOST_CARDS:,}",
    "times that a squeeze is asked for in a round": f"{squeezes.MOST_ASKED:,}",
    "a game saved as JSON, a score or a checkpoint": size_words(kept_file.LARGEST),
    "money that is brought to a game, or to an account": f"{cashier.MOST // MINOR:,}",
    "a composition of a shoe": size_words(unseen.LARGEST),
    "cards of a shoe for exact odds": f"{undealt.MOST:,}",
    "a policy for insurance or antes": size_words(strategy.LARGEST_POLICY),
    "a line from a pipe in `play` and `drill`": f"{dialogue.LONGEST_PIPED:,} characters",
    "a number on the command line": f"{command_group.LONGEST_NUMBER} digits",
    "numbers in a list such as `--line` or `--tags`": f"{strategy.MOST_NUMBERS:,}",
    "`--rounds` of `deal`": f"{deal.MOST_ROUNDS:,}",
    "`--rounds` of `simulate`": f"{simulate.MOST_ROUNDS:,}",
    "`--workers`": f"{simulate.MOST_WORKERS:,}",
    "seconds that a cluster may take to answer, or to have a worker": str(cluster.CONNECT_SECONDS),
    "seconds that a run waits for a cluster that has lost all its workers": str(cluster.WORKER_SECONDS),
}


def test_the_page_says_what_the_code_does() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line.startswith("| ")
    ]
    for what, most in LIMITS.items():
        assert (what, most) in rows, what
    assert ("a line of it", f"{word.LONGEST_LINE:,} characters") in rows
