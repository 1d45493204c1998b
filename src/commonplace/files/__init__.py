"""TRUTH: the bytes of a book. Lock, atomic writes, the documents people read, their backups and history."""
