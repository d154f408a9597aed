"""Several turns of Carcassonne with a known order of tiles as one CP-SAT model."""
