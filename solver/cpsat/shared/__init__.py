"""What the models of both families of games share."""
