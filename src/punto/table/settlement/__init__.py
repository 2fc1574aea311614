"""Settlement: what each bet wins, returns or loses."""
