"""The leaderboard: results that keep the rules of a push, in a table that sorts and filters."""
