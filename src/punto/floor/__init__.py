"""Running stored tables: load, act, append. Cards, keys, funds and versions are seen to here.

Command line, server and tests give their commands to a `Floor`, so that all of them have the same answers.
"""
