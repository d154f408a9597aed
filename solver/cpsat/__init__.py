"""One turn as a CP-SAT model; only ``run`` knows the solver itself."""
