"""Tests of the agent: turns, prompts and the life of conversations."""
