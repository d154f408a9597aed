"""The rules of The Falcon, one module a family."""
