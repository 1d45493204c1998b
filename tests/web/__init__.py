"""The API and the page, over HTTP."""
