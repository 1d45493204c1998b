"""Between a program that cannot be changed and its model: recall and tools on the way there, the conversation kept."""
