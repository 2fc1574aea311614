"""Questions on what goes wrong: the cards as a report would describe them, and what follows by the book."""
