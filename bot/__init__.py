"""The bot: Discord, the local table, the store, and the words of both languages."""
