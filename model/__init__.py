"""Positions and the rules of their games: moves, features, scoring, files, pictures."""
