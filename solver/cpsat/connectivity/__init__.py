"""Which parts of the board are one feature: two encodings behind one protocol."""
