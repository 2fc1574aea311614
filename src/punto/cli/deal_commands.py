"""`punto deal`, `settle`, `roads` and `run`: a shoe dealt by a book, one bettor's bets on a finished deal,
the five roads of a row of results, and a session played from a file. They start fast, so the engine is
loaded inside the functions that use it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.ink import is_coloured, note
from punto.cli.options import BookArgument, JsonOption, argument, open_book, option, read_as
from punto.cli.output import answer_json, answer_lines, complain, refuse, refuse_lines
from punto.cli.shoe_options import DecksOption, allowed_decks, read_cards

if TYPE_CHECKING:
    from punto.cards.card import Card
    from punto.coup.coup import Coup
    from punto.refusal import Refusal
    from punto.roads.roads import Roads, RoundResult
    from punto.rules.book import Book
    from punto.table.notation import Played, Session
    from punto.table.slip import SettlementLine


FRESH_BITS = 256  # Of a seed that nobody chose.
MOST_ROUNDS = 1_000_000  # Far more rounds than any shoe has.


def deal(
    book: BookArgument,
    decks: DecksOption = None,
    seed: Annotated[
        int | None, option("--seed", "SEED", "A whole number that fixes the shuffle; default: a fresh one.")
    ] = None,
    rounds: Annotated[int | None, option("--rounds", "N", "Rounds to deal; default: the whole shoe.")] = None,
    json: JsonOption = False,
) -> None:
    """Deal a shoe and print each round."""
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        refuse(f"--rounds must be from 1 to {MOST_ROUNDS:,}, not {rounds}")
    rule_book = open_book(book)
    import secrets

    from punto.cards.source import seeded_bytes
    from punto.dealer.dealer import SeededRounds, deal_shoe

    number = allowed_decks(rule_book, decks)
    chosen = secrets.randbits(FRESH_BITS) if seed is None else seed  # printed, so the shoe can be dealt again
    shoe = deal_shoe(number, seeded_bytes(chosen))
    coups = list(islice(shoe.rounds(rule_book.play), rounds))
    if json:
        answer_json(SeededRounds.of(rule_book, number, chosen, coups))
        return
    from punto.cli.ink import tell
    from punto.rules.wording import counted

    burned = f"{shoe.order[0].symbol} shown and {shoe.burned - 1} more burned"
    tell(f"{rule_book.title}, {counted(number, 'deck')}, seed {chosen}, {burned}")
    draw_rounds(rule_book, coups)
    print()
    tell(shoe_tally(coups))
    if rounds is not None and len(coups) < rounds:
        tell(f"The shoe ended after {len(coups)} of the {rounds} rounds asked for.")


def draw_rounds(book: Book, coups: list[Coup]) -> None:
    from punto.cli.ink import lines_of, red_suits
    from punto.dealer.dealer import rounds_grid

    for line in lines_of(rounds_grid(book, coups)):
        print(red_suits(line))


def shoe_tally(coups: list[Coup]) -> str:
    from punto.rules.outcome import Winner
    from punto.rules.wording import counted

    won = Counter(coup.winner for coup in coups)
    counts = ", ".join(f"{winner.label} {won[winner]}" for winner in Winner)
    return f"{counted(len(coups), 'round')}: {counts}"


def settle(
    book: BookArgument,
    cards: Annotated[
        list[str],
        option("--cards", "CARDS", "The cards in dealing order: Player, Banker, Player, Banker, then third cards."),
    ],
    bet: Annotated[list[str], option("--bet", "AREA=AMOUNT", "A bet; can be repeated.")],
    json: JsonOption = False,
) -> None:
    """Settle the bets of one bettor on a finished deal."""
    from punto.refusal import Refusal
    from punto.table.slip import SettledSlip, finished_coup, settle_slip

    if len(cards) > 1:
        refuse("--cards is given more than once, and a slip is settled on one deal")
    rule_book = open_book(book)
    # A deal that is given by its cards names no shoe, so it may be the largest.
    coup = finished_coup(rule_book, read_cards(cards[0]), max(rule_book.decks.allowed))
    if isinstance(coup, Refusal):
        refuse(coup.sentence)
    lines = settle_slip(rule_book, coup, read_slip(rule_book, bet))
    if isinstance(lines, Refusal):
        refuse(_with_meant(rule_book, lines))
    if json:
        answer_json(SettledSlip.of(rule_book, coup, lines))
    else:
        _draw_slip(rule_book, coup, lines)


def read_slip(book: Book, bets: list[str]) -> dict[str, int]:
    """Stakes in minor units by betting area, in the order given."""
    from punto.inputs import slip_of
    from punto.money import parse_amount
    from punto.refusal import Refusal

    pairs = []
    for text in bets:
        area, equals, amount = text.partition("=")
        if not (area and equals):
            refuse(f"{text!r} is not a bet; write a betting area, an equals sign and an amount: player=100")
        area = book.area_named(area)
        pairs.append((area, read_as(parse_amount, amount.strip(), f"the bet on {area} is not taken: ")))
    slip = read_as(partial(slip_of, book), pairs)
    if isinstance(slip, Refusal):
        refuse(slip.sentence)
    return slip


def _with_meant(book: Book, refusal: Refusal) -> str:
    """The sentence of a refusal, with the betting area that was most likely meant by an unknown one."""
    from punto.refusal import Reason, Refusal
    from punto.suggestion import did_you_mean

    if refusal.reason is not Reason.UNKNOWN_AREA:
        return refusal.sentence
    area = str(refusal.params["area"])
    meant = {**refusal.params, "area": f"{area}{did_you_mean(area, book.areas)}"}
    return Refusal(refusal.reason, refusal.clause, meant).sentence


def _draw_slip(book: Book, coup: Coup, lines: list[SettlementLine]) -> None:
    from punto.cards.card import format_symbols
    from punto.cli.ink import ink, show, tell
    from punto.documents.page import Style
    from punto.documents.text import pad
    from punto.rules.outcome import Winner
    from punto.table.slip import SettledBets

    tell(book.title, Style.TITLE)
    hands = (("Player", coup.player, coup.player_points), ("Banker", coup.banker, coup.banker_points))
    for name, cards, points in hands:
        wins = "wins" if name == coup.winner.label else ""
        print(f"  {name}  {pad(format_symbols(cards), 11)}  {points}  {ink(wins, Style.GOOD)}".rstrip())
    calls = (("Tie",) if coup.winner is Winner.TIE else ()) + coup.called_out(book)
    if calls:
        print(f"  {', '.join(calls)}")
    print()
    show(SettledBets(lines).table)


_COLOUR = "\x1b\\[[0-9;]*m"
LARGEST_RESULTS = 4 * 1024 * 1024  # Characters of what is read from a pipe.


def roads(
    results: Annotated[
        str,
        argument(
            "RESULTS",
            "A shoe such as BbPTp: B, P or T for each round, then b and p for a Banker or Player pair. "
            "Blanks do not matter; - reads stdin, also what punto deal prints.",
        ),
    ],
    output: Annotated[str | None, option("--output -o", "FILE", "Write the picture to an .svg file.")] = None,
    json: JsonOption = False,
) -> None:
    """Draw the roads of a shoe: bead plate, big road, big eye boy, small road, cockroach, and ask."""
    from punto.cli.files import check_result_format, write_whole
    from punto.roads.roads import Roads, picture

    path = check_result_format(output, (".svg",)) if output is not None else None
    shoe = _piped_roads() if results == "-" else Roads.parse("".join(results.split()))
    if path is not None:
        from punto.roads.roads import draw_svg

        write_whole(path, draw_svg(shoe).encode())
    if json:
        answer_json(picture(shoe))
    elif path is not None:
        note(f"{path}: the roads of {len(shoe.bead)} rounds")
    else:
        from rich.console import Console

        from punto.cli.road_board import draw_roads, has_shapes

        has_colour = is_coloured()
        console = Console(force_terminal=has_colour, color_system="standard" if has_colour else None, highlight=False)
        console.print(draw_roads(shoe, console.width, ascii_only=not has_shapes(console.encoding)))


def _piped_roads() -> Roads:
    """The roads of stdin: of results as they are written, or of what `punto deal` prints, as text or as JSON."""
    import msgspec

    from punto.dealer.dealer import SeededRounds
    from punto.roads.roads import Roads

    text = sys.stdin.read(LARGEST_RESULTS + 1)
    if len(text) > LARGEST_RESULTS:
        refuse("stdin holds more than the results of a shoe")
    if text.lstrip().startswith(("{", "[")):
        try:
            dealt = msgspec.json.decode(text, type=SeededRounds).rounds
            return Roads().extend(tuple(_result_of(each.player.cards, each.banker.cards) for each in dealt))
        except (ValueError, TypeError, RecursionError, msgspec.MsgspecError):
            refuse('stdin holds JSON, but not the document of punto deal --json with its "rounds"')
    hands = [both for line in text.splitlines() if (both := _hands_on(line)) is not None]
    if not hands:  # whoever pipes a row of letters has no line of a deal in it
        return Roads.parse("".join(text.split()))
    return Roads().extend(tuple(_result_of(player, banker) for player, banker in hands))


def _hands_on(line: str) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
    """Both hands on a line of `punto deal`: a number, then the cards of each hand and its points."""
    from punto.cards.card import parse_cards

    words = re.sub(_COLOUR, "", line).split()
    ends = [place for place, word in enumerate(words) if word.isdecimal()]
    if len(ends) < 3 or ends[0] != 0:
        return None
    try:
        player, banker = (parse_cards(" ".join(words[a + 1 : b])) for a, b in pairwise(ends[:3]))
    except ValueError:
        return None
    return (player, banker) if min(len(player), len(banker)) > 1 else None


def _result_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> RoundResult:
    """A round as the roads see it; `TypeError` for hands that are not finished."""
    from punto.coup.coup import points
    from punto.roads.roads import RoundResult, RoundWinner
    from punto.rules.outcome import pair_index

    lead = points(player) - points(banker)
    winner = RoundWinner.TIE if not lead else RoundWinner.PLAYER if lead > 0 else RoundWinner.BANKER
    return RoundResult(winner, bool(pair_index(*banker[:2])), bool(pair_index(*player[:2])))


UNMET = 1  # Exit status of a session that did not go as it expected to.
LARGEST_SESSION = 16 * 1024 * 1024  # Bytes: far more than a year of one table.


def run(
    file: Annotated[str, argument("FILE", "A session in round notation; - for stdin.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON Lines of events and refusals.")] = False,
) -> None:
    """Play a session and tell what happens."""
    from punto.table.notation import NoTable, WrongLines, parse_session, play_session, unmet

    try:
        session = parse_session(read_session_text(file))
    except WrongLines as error:
        refuse_lines([f"{file}: line {number}: {sentence}" for number, sentence in error.problems])
    folder = Path() if file == "-" else Path(file).parent
    steps: list[Played] = []
    print_step = _print_json if json else session_printer()
    try:
        for step in play_session(
            session, lambda book: open_book(book, folder, f"{file}: line {_line_that_opens(session, book)}: ")
        ):
            print_step(step)
            steps.append(step)
    except NoTable as error:
        refuse(f"{file}: {error}")
    sys.stdout.flush()
    wrong = unmet(session, steps)
    for missed in wrong:
        complain(f"{file}: line {missed.number}: {missed.sentence}")
    if wrong:
        raise typer.Exit(UNMET)


def read_session_text(file: str) -> str:
    """The text of a session from a file or stdin; the command ends if there is none."""
    from punto.cli.files import opened_file

    if not file.strip():
        refuse("no session was named; give the path of a file, or - for stdin")
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else opened_file(Path(file)) as stream:
            raw = stream.read(LARGEST_SESSION + 1)
        text = raw.decode("utf-8-sig")
    except FileNotFoundError:
        refuse(f"there is no file {file}")
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")
    except ValueError:
        refuse(f"{file} cannot be read: it is not UTF-8 text")
    if len(raw) > LARGEST_SESSION:
        refuse(f"{file} cannot be read: it is larger than {LARGEST_SESSION // 1024 // 1024} MiB")
    if not text.strip():
        refuse(f"{file} is empty: there is no session in it")
    return text


def _line_that_opens(session: Session, book: str) -> int:
    """The first line that opens a table by this book: a session ends where a book cannot be loaded."""
    from punto.table.house import OpenTable
    from punto.table.notation import CommandGiven

    return next(
        number
        for number, line in enumerate(session, start=1)
        if isinstance(line, CommandGiven) and isinstance(line.command, OpenTable) and line.command.terms.book == book
    )


def _print_json(step: Played) -> None:
    """One line of JSON for each event, or for the refusal; docs/reference/table.md describes them."""
    from punto.refusal import Refusal
    from punto.table.notation import PlayedLine

    if isinstance(step.outcome, Refusal):
        answer_lines([PlayedLine(step.number, refusal=step.outcome.text)])
    else:
        answer_lines([PlayedLine(step.number, event=event) for event in step.outcome])


def session_printer() -> Callable[[Played], None]:
    from punto.cli.session_page import SessionPage

    page = SessionPage()

    def print_step(step: Played) -> None:
        for line in page.lines(step):
            print(line)

    return print_step
