"""The command line: parses, asks one question, prints one answer."""
