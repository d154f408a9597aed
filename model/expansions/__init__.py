"""Expansions, a folder each: their rules, and what they change in the book of their base."""
