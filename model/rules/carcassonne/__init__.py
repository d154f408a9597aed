"""The rules of Carcassonne, one module a family."""
