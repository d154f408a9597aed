"""The page as a static site: what the server would answer is written down beforehand."""
