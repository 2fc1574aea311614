"""What a terminal shows: cards, roads, tables, pages, and what is said beside an answer."""
