"""The slash commands on Discord: thin, they read options, ask the service, and answer."""
