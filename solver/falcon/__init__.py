"""The Falcon on the incremental state."""
