"""A puzzle as a value, and its stored answer played out."""
