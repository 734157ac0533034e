"""Python originals of the benchmarks."""
