"""The page of limits says what the code refuses beyond."""

from pathlib import Path

from punto import books, inputs
from punto.cli import deal_commands
from punto.cli.app import LONGEST_NUMBER
from punto.cli.files import LARGEST_KEPT, size_words
from punto.cli.game_terminal import LONGEST_PIPED
from punto.cli.shoe_options import LARGEST_COMPOSITION
from punto.cli.simulation_options import LARGEST_POLICY, MOST_NUMBERS
from punto.ledger.movement import MOST_AT_CASHIER
from punto.money import LONGEST_AMOUNT, MINOR
from punto.odds.known_cards import MOST_CARDS
from punto.rules import book_file, outcome, validation
from punto.rules.book import MOST_CELLS_OF_BOOK
from punto.rules.book_file import MOST_BASES, MOST_COPIES, MOST_ENTRIES, MOST_STEPS
from punto.rules.card_table import MOST_CELLS, MOST_QUESTIONS
from punto.rules.entry import MOST_DECKS
from punto.simulation import cluster
from punto.simulation.dealt_rounds import MOST_DEALT
from punto.table import betting, notation
from punto.table.dealing import MOST_SQUEEZES_ASKED
from punto.table.insurance import MOST_INSURANCES
from punto.table.irregularity_rulings import MOST_CARDS_REPORTED

PAGE = Path(__file__).parents[2] / "docs/reference/limits.md"

LIMITS = {
    "a book file": size_words(books.LARGEST_BOOK),
    "a line of it": f"{book_file.LONGEST_LINE:,} characters",
    "steps of a key, as in `a.b.c`": str(MOST_STEPS - 1),
    "entries of any one list or table": f"{MOST_ENTRIES:,}",
    "books that extend one another": str(MOST_BASES),
    "bets": str(validation.MOST_BETS),
    "conditions in all pay tables and declarations together": f"{validation.MOST_CONDITIONS:,}",
    "questions about cards of one bet": str(MOST_QUESTIONS),
    "pairs of hands that a bet on single cards tells apart": f"{MOST_CELLS:,}",
    "the same of all bets together": f"{MOST_CELLS_OF_BOOK:,}",
    "bets of one template": str(MOST_COPIES),
    "a text of a template with its values in it": f"{book_file.LONGEST_WRITTEN_OUT:,} characters",
    "decks": str(MOST_DECKS),
    "odds as written": f"{outcome.LONGEST_ODDS} characters",
    "either number of odds, in lowest terms": f"{outcome.MOST_ODDS:,}",
    "a session file, or a session on stdin": size_words(deal_commands.LARGEST_SESSION),
    "an amount": f"{LONGEST_AMOUNT} digits before the decimal point",
    "bets in a round, wagers not counted": f"{betting.MOST_BETS:,}",
    "insurances taken in a round": f"{MOST_INSURANCES:,}",
    "cards of which reports in a round speak": f"{MOST_CARDS_REPORTED:,}",
    "times that a squeeze is asked for in a round": f"{MOST_SQUEEZES_ASKED:,}",
    "a game saved as JSON, a score or a checkpoint": size_words(LARGEST_KEPT),
    "money that is brought to a game, or to an account": f"{MOST_AT_CASHIER // MINOR:,}",
    "a composition of a shoe": size_words(LARGEST_COMPOSITION),
    "cards of a shoe for exact odds": f"{MOST_CARDS:,}",
    "a policy for insurance or antes": size_words(LARGEST_POLICY),
    "a line from a pipe in `play` and `drill`": f"{LONGEST_PIPED:,} characters",
    "a number on the command line": f"{LONGEST_NUMBER} digits",
    "numbers in a list such as `--line` or `--tags`": f"{MOST_NUMBERS:,}",
    "`--rounds` of `deal`": f"{deal_commands.MOST_ROUNDS:,}",
    "`--rounds` of `simulate`": f"{inputs.MOST_ROUNDS:,}",
    "`--workers`": f"{inputs.MOST_WORKERS:,}",
    "rounds of `punto.rounds`": f"{MOST_DEALT:,}",
    "seconds that a cluster may take to answer, or to have a worker": str(cluster.CONNECT_SECONDS),
    "seconds that a run waits for a cluster that has lost all its workers": str(cluster.WORKER_SECONDS),
}


def test_the_page_says_what_the_code_does() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines if line.startswith("| ")]
    for what, most in LIMITS.items():
        assert (what, most) in rows, what
    assert ("a line of it", f"{notation.LONGEST_LINE:,} characters") in rows
