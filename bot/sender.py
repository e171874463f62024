"""Sends the posts that are owed to their channels on Discord."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import discord
from discord.utils import MISSING

from bot import desk, lobby, lobby_buttons, prompts, summary
from bot.members import is_member
from bot.outbox import Undeliverable, nonce
from bot.phrases import Language, phrases
from bot.presenter import pieces
from bot.service import Happening
from bot.steps import PostKind
from bot.store import GameRow, Post
from rules_core.events import PhaseBegan
from rules_core.history import REFEREE

if TYPE_CHECKING:
    from bot.client import StarpostBot

_ABOUT_A_GAME: Final = (PostKind.LOBBY, PostKind.ENDED)


class DiscordSender:
    """Makes words, picture and buttons of a post and sends it; pings only the players it is for."""

    def __init__(self, bot: "StarpostBot") -> None:
        self._bot = bot

    async def send(self, post: Post) -> int | None:
        if not await self._bot.service.is_true(post):
            return None
        try:
            about_game = post.kind in _ABOUT_A_GAME
            message = await (self._send_about_game(post) if about_game else self._send_step(post))
            self._bot.trouble.over(post.channel)
            return message
        except discord.HTTPException as error:
            # A channel gone, a permission missing: trying again would not help. Too many requests (429) pass.
            if 400 <= error.status < 500 and error.status != 429:
                await self._bot.trouble.tell(post, error)
                raise Undeliverable(str(error)) from error
            raise

    async def _send_about_game(self, post: Post) -> int:
        game = await self._bot.store.game(post.game)
        language = _language(post)
        text = await lobby.describe(self._bot.service, game, phrases(language))
        picture = await self._bot.drawing.file(await lobby_buttons.picture(self._bot.service, game, language))
        if post.kind == PostKind.ENDED:
            told = await self._bot.service.whole(game.id)
            closed = summary.of_game(told.before, told.events, told.after, post.about.split(), language)
            return await self._send_pieces(post, pieces(f"{closed}\n{text}"), files=[picture])
        view = lobby_buttons.of_post(game.id, language) if game.status == "lobby" else None
        return await self._send_pieces(post, pieces(text), files=[picture], view=view)

    async def _send_step(self, post: Post) -> int:
        told, language = await self._bot.service.happening(post), _language(post)
        users = {seat.key: seat.user or told.game.referee for seat in await self._bot.store.seats(post.game)}
        users[REFEREE] = told.game.referee
        words = desk.post(
            post.kind, told, language, {key: f"<@{user}>" for key, user in users.items()}, self._bot.signs
        )
        pinged, gone = await self._here(
            told.game, [users[k] for k in await self._bot.service.to_ping(post, words.mentions)]
        )
        parts = pieces(
            "\n".join((words.text, *(phrases(language).say("post.gone", user=f"<@{user}>") for user in gone)))
        )
        pictures = desk.post_pictures(post.kind, told, language)
        view = _view(post, told, language)
        message = await self._send_pieces(
            post,
            parts,
            pinged,
            [await self._bot.drawing.file(picture) for picture in pictures],
            view,
        )
        if view is not None:
            await self._bot.keeper.asks(post, told, message)
        return message

    async def _here(self, game: GameRow, users: Iterable[int]) -> tuple[list[int], list[int]]:
        """Who of these users is still on the server, and who is not and must not be pinged."""
        here = {user: await is_member(self._bot, game.guild, user) for user in users}
        return [user for user, there in here.items() if there], [user for user, there in here.items() if not there]

    async def _send_pieces(
        self,
        post: Post,
        parts: Iterable[str],
        pinged: Iterable[int] = (),
        files: Sequence[discord.File] = (),
        view: discord.ui.View | None = None,
    ) -> int:
        """Sends a text in its parts, the maps and the buttons with the last; gives the id of that message."""
        channel = self._bot.get_partial_messageable(post.channel)
        users = [discord.Object(user) for user in pinged]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=users)
        *before, last = parts
        for part in before:
            await channel.send(part, allowed_mentions=allowed)
        message = await channel.send(
            last, files=files, view=view or MISSING, allowed_mentions=allowed, nonce=nonce(post)
        )
        return message.id


def _view(post: Post, told: Happening, language: Language) -> discord.ui.View | None:
    """The buttons of a post: those of a phase that begins, or the answers to what it asks."""
    if post.kind in (PostKind.WAITING, PostKind.OPENED):
        return prompts.view_of(post.game, told.last, told.after, language)
    if post.kind == PostKind.PROPOSAL:
        return prompts.proposal(post.game, told.last, language)
    if told.after.phase is not None and any(isinstance(event, PhaseBegan) for event in told.events):
        return prompts.announcement(post.game, told.last, language)
    return None


def _language(post: Post) -> Language:
    return "ko" if post.language == "ko" else "en"
