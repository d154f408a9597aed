"""Estimates of a position's value by playouts of a policy, with their errors."""
