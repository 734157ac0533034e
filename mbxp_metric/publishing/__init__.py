"""Results, datasets, the metric and the leaderboard on the Hub; nothing is sent unchecked."""
