"""DERIVED: what search needs, computed from the book's files. It can be deleted at any time."""
