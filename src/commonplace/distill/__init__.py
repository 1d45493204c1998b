"""Text in, proposal out: what is asked of a model and what its answer means, and what can be said without one. Pure."""
