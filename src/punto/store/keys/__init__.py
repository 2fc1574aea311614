"""Keys that are never in the database."""
