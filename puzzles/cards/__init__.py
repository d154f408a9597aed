"""Rule cards: what is asked on one, their files, the deck of all, and verdicts."""
