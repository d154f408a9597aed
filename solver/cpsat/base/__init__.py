"""What every CP-SAT model is built from."""
