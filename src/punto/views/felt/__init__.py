"""The parts of a table as somebody sees it: hands, areas, seats, windows, result, case, next act."""
