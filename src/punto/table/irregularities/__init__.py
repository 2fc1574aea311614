"""When something goes wrong: reports, remedies, options, rulings."""
