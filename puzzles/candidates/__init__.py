"""Positions of self-play that may be puzzles, each with a guess at its solution."""
