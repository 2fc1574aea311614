"""Files that commands keep or write for their user."""
