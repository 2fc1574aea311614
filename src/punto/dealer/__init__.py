"""The automatic dealer: what comes next at a table, as a pure function of table and time.

It remembers nothing from one question to the next. Cards, the time and who is ready come in from outside. So
a person who plays at leisure in a terminal and a floor that runs tables by the clock have the same dealer,
and a process that was killed in mid-round goes on where its table stands.
"""
