"""What is done with a book, one flow a module, each readable from top to bottom: `Memory` calls them."""
