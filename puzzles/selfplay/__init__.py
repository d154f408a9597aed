"""Games that players of the program play against each other, and their quick judgement."""
