"""Battles in a thread of their own, where a table wants that; the channel takes them where there can be none."""

import logging
from typing import TYPE_CHECKING, Final

import discord

from bot.agreed import read_agreed
from bot.keeper import phase_of
from bot.phrases import language_of, phrases
from bot.rows import Post
from bot.steps import PostKind

if TYPE_CHECKING:
    from bot.client import StarpostBot

log = logging.getLogger(__name__)

_IN_THREADS: Final = (PostKind.PDS, PostKind.CANNON, PostKind.ROUND, PostKind.RETREAT)
_NAME_LIMIT: Final = 100


class BattleThreads:
    """One thread for the battles of each phase; its id is a fact in the database."""

    def __init__(self, bot: "StarpostBot") -> None:
        self._bot = bot

    async def of(self, post: Post) -> int | None:
        """The thread into which a post belongs, made if there is none yet; None: it belongs into the channel."""
        row = await self._bot.store.game(post.game)
        if not read_agreed(row.settings).threads:
            return None
        told = await self._bot.service.past.happening(post)
        battle = None if told.after.phase is None else told.after.phase.battle
        if post.kind not in _IN_THREADS and not (post.kind == PostKind.WAITING and battle is not None):
            return None
        state = told.before if told.after.phase is None else told.after
        fact = f"thread {post.game} {phase_of(state)}"
        known = await self._bot.store.fact(fact)
        if known is not None:
            return int(known) or None
        player = "" if state.phase is None else state.player(state.phase.player).race
        name = phrases(language_of(post.language)).say("thread.name", player=player, round=state.round)
        thread = await self._make(post.channel, name[:_NAME_LIMIT])
        # Nought: there can be none, and that is not tried again for each post.
        await self._bot.store.set_fact(fact, str(thread or 0))
        return thread

    async def _make(self, channel: int, name: str) -> int | None:
        place = self._bot.get_channel(channel)
        if not isinstance(place, discord.TextChannel):
            return None
        try:
            return (await place.create_thread(name=name, type=discord.ChannelType.public_thread)).id
        except discord.HTTPException as refused:
            log.info("channel %s: no thread for battles: %s", channel, refused)
            return None
