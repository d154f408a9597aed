"""Carcassonne and The Tower as an incremental state of integers."""
