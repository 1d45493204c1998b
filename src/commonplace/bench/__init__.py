"""Measuring quality on labelled data, through the product's own paths."""
