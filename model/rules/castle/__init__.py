"""The rules of The Castle, one module a family."""
