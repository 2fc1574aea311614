"""What runs: which tables deal by themselves, and which process has a database file in use."""
