"""The rules, a folder a game; a rule's id names its module (table in docs/reference/rules.md)."""
