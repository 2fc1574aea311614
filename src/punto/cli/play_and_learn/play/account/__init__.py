"""What a game came to: its rounds, the statement, the summary at its end, and a coach who looks back."""
