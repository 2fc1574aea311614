"""What everybody owns, derived from the events of tables and from the cashier."""
