"""Results, datasets, the metric and the leaderboard on the Hub; nothing is sent unchecked."""


class PublishError(ValueError):
    """Something cannot be read from the Hub or sent to it; one line with the remedy."""
