"""One thin `datasets` builder a benchmark; empty, since it is imported at interpreter start."""
