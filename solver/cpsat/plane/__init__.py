"""Carcassonne and The Tower as CP-SAT models."""
