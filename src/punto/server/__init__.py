"""The floor over HTTP and WebSocket: translation only.

Who asks is looked up, what is asked is read strictly, and the answer of floor, table, ledger or views is
written as JSON. No rule is decided here.
"""
