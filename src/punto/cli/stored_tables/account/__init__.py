"""`punto account`: what players have, in the same database as the tables."""
