"""A turn of Carcassonne, with and without The Tower, as one CP-SAT model."""
