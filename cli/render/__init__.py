"""Values as text: findings, events, features, tiles and the castle."""
