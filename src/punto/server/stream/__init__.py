"""The stream of a table: who watches it, what each may see, and where they were when the line broke."""
