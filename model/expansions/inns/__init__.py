"""Inns & Cathedrals: roads and cities that are worth more or nothing, and the big follower."""
