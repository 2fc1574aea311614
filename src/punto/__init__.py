"""Punto runs, proves and studies baccarat tables by the book."""

__version__ = "0.1.0"
