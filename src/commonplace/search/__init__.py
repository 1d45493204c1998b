"""READ: a question to the best chunks. Parsing, scoring and explaining; pure functions over arrays."""
