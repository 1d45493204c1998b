"""The book behind the memory interfaces of agent frameworks: one module and one extra each, no logic of their own."""
