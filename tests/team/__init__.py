"""A server of a team, asked by everybody in it."""
