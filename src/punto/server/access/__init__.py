"""Who comes in: passwords, sessions, tickets, limits on how often, and which hosts and origins are ours."""
