"""The page: a server on this machine alone, its API, and what the browser shows."""
