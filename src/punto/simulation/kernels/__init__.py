"""Compiled kernels: random numbers, vectors, and whole shoes dealt side by side."""
