"""What Commonplace gets from elsewhere: embedding models (and chat models), one file each, found by name."""
