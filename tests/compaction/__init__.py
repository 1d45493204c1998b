"""Answers of models to the question of compaction: good ones that must pass, and bad ones that must not."""
