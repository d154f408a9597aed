"""Puzzles made: from self-play, by composing, from rules, from mistakes of a game."""
