"""From TOML text to entries: parsing, checking, and naming the line of what is wrong."""
