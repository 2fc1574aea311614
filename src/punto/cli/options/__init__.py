"""Options that several commands share, and how each is read."""
