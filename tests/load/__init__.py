"""How much one machine holds: many games, many commands at once, with the real bot on the loopback server."""
