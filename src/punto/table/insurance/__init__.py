"""Insurance: windows, offers, what is taken, forgone and neglected."""
