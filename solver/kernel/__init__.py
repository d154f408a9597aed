"""The compiled kernel: integers in, integers out. It imports no position, rule text or clock."""
