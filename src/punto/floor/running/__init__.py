"""Tables that deal by themselves: how each is run, what is due and when, and the house that sees to it."""
