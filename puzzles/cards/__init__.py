"""Rule cards: their questions, files, deck and verdicts."""
