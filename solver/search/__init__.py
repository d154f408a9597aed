"""Searches over several turns, on the incremental state."""
