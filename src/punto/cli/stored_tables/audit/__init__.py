"""The commands of `punto audit`."""
