"""A rule book as it is written: one struct for each kind of entry of the TOML file."""
