"""Running stored tables (load, act, append), and the house around them: people, log-ins, approvals, the cashier.

Command line, server and tests come through here, so that all of them have the same answers and the same refusals.
"""
