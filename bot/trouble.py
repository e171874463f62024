"""What keeps posts from a channel: the referee is told by direct message, once until posts arrive again."""

import logging
from typing import TYPE_CHECKING, Final

import discord

from bot.phrases import Phrases, language_of, phrases, safe
from bot.rows import GameRow, Post

if TYPE_CHECKING:
    from bot.client import StarpostBot

log = logging.getLogger(__name__)

# Discord's numbers: the thread is archived, or locked.
_CLOSED: Final = (50083, 160005)
_NEEDED: Final = ("view_channel", "send_messages", "send_messages_in_threads", "attach_files")


class Trouble:
    """Remembers where posts do not arrive."""

    def __init__(self, bot: "StarpostBot") -> None:
        self._bot = bot
        self._known: set[int] = set()

    def over(self, channel: int) -> None:
        """Posts arrive in a channel."""
        self._known.discard(channel)

    async def tell(self, post: Post, error: discord.HTTPException) -> None:
        """Tells the referees of a game that a post cannot be delivered, and what they can do."""
        if post.channel in self._known:
            return
        self._known.add(post.channel)
        game = await self._bot.store.game(post.game)
        for user in filter(None, (game.referee, game.second)):
            await self._write_to(user, game, post, error)

    async def _write_to(self, user: int, game: GameRow, post: Post, error: discord.HTTPException) -> None:
        own = await self._bot.store.language_of(user) or game.language
        words = phrases(language_of(own))
        text = words.say("trouble.heading", name=safe(game.name), channel=f"<#{post.channel}>", game=game.id)
        try:
            to = self._bot.get_user(user) or await self._bot.fetch_user(user)
            await to.send(f"{text}\n{self._why(words, post, error)}")
        except (discord.Forbidden, discord.NotFound) as unreachable:
            log.warning("game %s: its referee cannot be told: %s", game.id, unreachable)

    def _why(self, words: Phrases, post: Post, error: discord.HTTPException) -> str:
        if isinstance(error, discord.NotFound):
            return words.say("trouble.gone")
        if error.code in _CLOSED:
            return words.say("trouble.closed")
        missing = self._missing(post.channel) if isinstance(error, discord.Forbidden) else []
        if missing:
            return words.say("trouble.missing", permissions=tuple(words.say(f"permission.{name}") for name in missing))
        return words.say("trouble.other", reason=safe(str(error)))

    def _missing(self, channel: int) -> list[str]:
        """What the bot may not do there, of what it needs."""
        there = self._bot.get_channel(channel)
        if not isinstance(there, discord.TextChannel | discord.Thread):
            return ["view_channel"]
        unneeded = "send_messages" if isinstance(there, discord.Thread) else "send_messages_in_threads"
        allowed = there.permissions_for(there.guild.me)
        return [name for name in _NEEDED if name != unneeded and not getattr(allowed, name)]
