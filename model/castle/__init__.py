"""A turn of The Castle: wall tiles, order of scoring, extra turns."""
