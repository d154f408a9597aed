"""Games that players of the program play against each other, and what they see at a glance."""
