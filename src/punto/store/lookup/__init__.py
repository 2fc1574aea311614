"""Look-ups in a database that is only looked back at: quick in a log of millions of events."""
