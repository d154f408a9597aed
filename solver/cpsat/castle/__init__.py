"""The Castle and The Falcon as CP-SAT models."""
