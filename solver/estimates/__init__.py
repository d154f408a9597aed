"""Estimates: what playouts by a policy tell of a position, with their errors."""
