"""Up the Ante: antes and their wagers."""
