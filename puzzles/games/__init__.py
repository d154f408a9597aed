"""Whole games: opponents, and the review of a game that was played."""
