"""A turn of Carcassonne, with and without The Tower: actions, scoring, the end, the books."""
