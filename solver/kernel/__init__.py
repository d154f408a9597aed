"""The compiled kernel: integers in, integers out. It knows no position, rule text or clock."""
