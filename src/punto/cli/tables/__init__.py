"""Commands about tables: deals, settlements, whole sessions from a file, and the roads."""
