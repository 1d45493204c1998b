"""Tests of the model's tools."""
