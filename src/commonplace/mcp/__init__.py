"""The book over the Model Context Protocol: tools, resources and prompts for whichever agent connects."""
