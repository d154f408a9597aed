"""A turn of Carcassonne after the tile: the follower, scoring, the end, the book."""
