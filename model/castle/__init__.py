"""A turn of The Castle, with and without The Falcon: wall tiles, scoring, the end, the books."""
