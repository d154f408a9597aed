"""Searches over several turns, on the kernel and through the rules engine."""
