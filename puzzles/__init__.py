"""Puzzles, rule cards and self-play, made from positions and answers."""
