"""Benchmarks: figures and ratios, never asserted times."""
