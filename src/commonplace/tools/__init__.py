"""The model's tools: one table serves every surface on which a model can call them."""
