"""How property tests run: a failure prints the line that repeats it, and a slow machine is no failure.

`pytest --hypothesis-profile=thorough` looks longer.
"""

from hypothesis import settings

settings.register_profile("punto", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("punto"), max_examples=5_000)
settings.load_profile("punto")
