"""The workshop: what a book is worth before anybody plays it, and pay tables to choose from."""
