"""The forms of texts that clients send, as JSON Schema has them and in words.

No control characters, none that turn the direction of what is written, and none that cannot be seen: they are
used to make one name look like another.
"""

from __future__ import annotations

ODD = (
    "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\uffff"
)
"""Characters that nobody can see, or that change how others are seen."""
PLAIN_TEXT = f"^[^{ODD}]*$"
"""A text that people can read as it is."""
TABLE_ID = "^[a-z0-9-]{1,40}$"
CURRENCY = "^[A-Z]{3,8}$"
HANDLE = f"^[^/ {ODD}]([^/{ODD}]*[^/ {ODD}])?$"
"""The name of an account."""

IN_WORDS = {
    PLAIN_TEXT: "a text without control or invisible characters",
    TABLE_ID: "1 to 40 small letters, digits and hyphens",
    CURRENCY: "3 to 8 capital letters, such as USD",
    HANDLE: "a name without slashes, control or invisible characters, and without blanks at its ends",
}
"""What each of them asks for."""
