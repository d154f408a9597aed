"""The page: a server on this machine alone, its API, and the browser's client."""
