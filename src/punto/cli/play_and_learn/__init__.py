"""Commands for people at a table: playing, training, and a first look."""
