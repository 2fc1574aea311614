"""The `punto` command: modules of commands that belong together, and modules for what they share.

A command starts in a fraction of a second only if it loads no more than it needs. So command modules name
their options at the top and import the engine, or Rich, inside the function that uses it.
"""
