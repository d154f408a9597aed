"""Puzzle files, rule cards, self-play: what is made of positions and answers."""
