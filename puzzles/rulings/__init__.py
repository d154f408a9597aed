"""What a rule and each value of a switch decide, by the game without it."""
