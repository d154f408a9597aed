"""The rules of The Tower, one module a family."""
