"""One module per step from a schema to the next."""
