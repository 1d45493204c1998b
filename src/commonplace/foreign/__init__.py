"""Other programs' conversations and memories: how each is recognised, read without harm, and written for it again.

One module a kind, one table of them (`kinds`). Readers are given an opened source and yield what it holds; they never
see the book, and nothing is taken in here.
"""
