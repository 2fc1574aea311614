"""Who may come in: roles, sessions and tickets, failed log-ins, and what waits for a second person.

Functions over a `Reader` or a `Transaction`; what is kept of tokens and tickets is their SHA-256.
"""
