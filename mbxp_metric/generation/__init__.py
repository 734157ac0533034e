"""From a model to completions."""
