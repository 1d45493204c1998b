"""An agent that remembers: a turn, its prompt, and the life of a conversation."""
