"""The rules, one module a family; a rule's id names its module (table in ARCHITECTURE.md)."""
