"""A server for many people: who they are, which books they may use, and what is known of what they did."""
