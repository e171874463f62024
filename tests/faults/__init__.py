"""The real process is killed (SIGKILL) in the middle of a game, again and again; nothing may be lost or done twice."""
