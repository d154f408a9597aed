"""Puzzles as files, and those that come with the program."""
