"""The engines on CP-SAT."""
