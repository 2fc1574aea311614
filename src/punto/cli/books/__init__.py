"""Commands about rule books: which there are, what they say, and whether a file is one."""
