"""Looking back at rounds of stored tables as a dispute needs it, and finding the round that is meant."""
