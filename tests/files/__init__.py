"""What lies on disk: documents, logs, transcripts, backups, merging, forgetting."""
