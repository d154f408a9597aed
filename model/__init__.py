"""What a position is and what may happen in it: rules, features, scoring, files."""
