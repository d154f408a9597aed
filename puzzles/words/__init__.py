"""Puzzles in words: titles, explanations, hints, comments on a try."""
