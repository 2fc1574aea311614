from fractions import Fraction

from punto import books
from punto.rules import Hand, Outcome, Result, Winner
from tests.rules.small_book import complaints, read


def test_an_offer_is_open_at_its_points_while_a_card_is_to_come() -> None:
    book = read()
    (offer,) = book.open_offers(4, 6, 5)
    assert (offer.area, offer.hand, offer.odds) == ("insurance-player-4", Hand.PLAYER, Fraction(3))
    assert book.open_offers(4, 6, 6) == ()
    assert book.open_offers(4, 5, 5) == ()
    assert book.open_offers(5, 6, 5, third=1) == ()
    (later,) = book.open_offers(5, 7, 5, third=2)
    assert (later.area, later.odds) == ("insurance-player-5", Fraction(4))


def test_a_row_may_name_points_on_which_no_card_comes() -> None:
    """Banker six stands in this book: the row is there, the offer is not."""
    book = read(("player_points = [6]\nbanker_points = [0, 1", "player_points = [6]\nbanker_points = [6, 0, 1"))
    assert (4, 6, 6) in book.offers.cells
    assert book.open_offers(4, 6, 6) == ()


def test_what_becomes_of_insurance() -> None:
    book = read()
    (first,), (second,) = book.open_offers(4, 6, 0), book.open_offers(5, 7, 0, third=7)
    assert first.outcome(Winner.BANKER) == Outcome(Result.WIN, Fraction(3), "4")
    assert first.outcome(Winner.PLAYER) == Outcome(Result.LOSE, None, "4")
    assert first.outcome(Winner.TIE) == Outcome(Result.PUSH, None, "4")
    assert second.outcome(Winner.TIE) == Outcome(Result.WIN, Fraction(4), "4")


def test_two_offers_at_one_place() -> None:
    found = complaints(("player_points = [7]", "player_points = [7]"), ('window = "five"', 'window = "four"'))
    assert found == []
    found = complaints(("player_points = [7]", "player_points = [6]"), ('window = "five"', 'window = "four"'))
    assert [one.split(": ", 2)[2] for one in found] == [
        f"insurance.offers[1]: a second offer on the player hand at Player 6, Banker {banker}" for banker in range(6)
    ]


def test_a_row_that_can_never_be_offered() -> None:
    (found,) = complaints(
        ("player_points = [6]\nbanker_points = [0, 1, 2, 3, 4, 5]", "player_points = [6]\nbanker_points = [6, 7]")
    )
    assert found.endswith("insurance.offers[0]: this row can never be offered")
    (found,) = complaints(("player_points = [6]", "player_points = [8]"))
    assert found.endswith("insurance.offers[0]: this row can never be offered")


def test_a_book_without_insurance_offers_nothing() -> None:
    book = books.load("commission")
    assert book.insurance_areas == {}
    assert all(book.open_offers(4, p, b) == () for p in range(10) for b in range(10))
