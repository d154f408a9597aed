"""Questions about a position, with proved answers."""
