"""The house and its people: opening, terms, the shoe, seats."""
