"""What may be written: small pure rules that each look at one thing, and the table that asks them in order."""
