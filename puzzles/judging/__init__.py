"""Puzzles judged: answered anew, measured, compared with others."""
