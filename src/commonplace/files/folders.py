"""The folders of a book, by what is in them."""

DAILY = "daily"
SESSIONS = "sessions"
BACKUPS = "backups"
