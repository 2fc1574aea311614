"""Questions for dealers in training, how they are marked, and which come back. There is no terminal in it."""
