"""Tile sets and boards as TOML files."""
