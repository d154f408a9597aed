"""The Tower: towers, guards, prisoners and ransoms in Carcassonne."""
