"""The book over HTTP: an API for programs, and the page in the browser that uses it."""
