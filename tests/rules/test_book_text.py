from tests.rules.small_book import read


def test_bets_and_clauses_are_found_by_name() -> None:
    book = read().text
    bet, clause = book.bet("pair"), book.clause("4")
    assert bet is not None
    assert bet.needs == ("player",)
    assert clause is not None
    assert clause.sense == "Insuring."
    assert book.bet("banker") is None
    assert book.clause("9") is None
