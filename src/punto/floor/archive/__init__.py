"""Tables as files: exported as JSON Lines, Parquet or a session, imported to be looked at, and replayed."""
