"""How property tests run: a failure prints the line that repeats it, and a slow machine is no failure.

`pytest --hypothesis-profile=thorough` looks longer.
"""

import os

from hypothesis import settings

settings.register_profile("punto", deadline=None, print_blob=True)
settings.register_profile("thorough", settings.get_profile("punto"), max_examples=5_000)
# Where nobody watches, the same examples every time; elsewhere new ones, and a failure prints its seed.
settings.register_profile("steady", settings.get_profile("punto"), derandomize=True, database=None)
settings.load_profile("steady" if os.environ.get("CI") else "punto")
