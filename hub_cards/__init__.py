"""Templates of what goes to the Hub: cards, and the files of the two Spaces."""
