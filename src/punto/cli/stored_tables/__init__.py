"""Commands that keep tables and accounts in a database."""
