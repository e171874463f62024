"""Sends the posts that are owed to their channels on Discord."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
from discord.utils import MISSING

from bot import desk, lobby, lobby_buttons, looks, prompts, purchase_buttons, summary
from bot.drawing import release
from bot.faults import noted
from bot.happening import Happening
from bot.members import is_member
from bot.outbox import UNCONFIRMED, Later, Undeliverable, nonce
from bot.phrases import Language, phrases, safe
from bot.presenter import MESSAGE_LIMIT, pieces
from bot.rows import GameRow, Post
from bot.steps import ANEW, PostKind
from renderer.drawable import Drawable, Picture
from rules_core.events import PhaseBegan, PurchaseProposed
from rules_core.history import REFEREE

if TYPE_CHECKING:
    from bot.client import StarpostBot

_ABOUT_A_GAME: Final = (PostKind.LOBBY, PostKind.ENDED)
_NOTICES: Final = (PostKind.BROKEN, PostKind.UNDELIVERED)
# Too many requests, and a service that is not there: what Discord answers so, it has not done.
_NOT_DONE: Final = (429, 503)
# How Discord says that a file is too large: the status of the answer, or the code in it.
_TOO_LARGE: Final = 413
_FILE_TOO_LARGE: Final = 40005

log = logging.getLogger(__name__)


class DiscordSender:
    """Makes words, picture and buttons of a post and sends it; pings only the players it is for."""

    def __init__(self, bot: "StarpostBot") -> None:
        self._bot = bot

    async def send(self, post: Post, again: bool) -> int | None:
        if not await self._bot.service.waiting.is_true(post):
            return None
        try:
            message = await self._send(post, again)
            self._bot.trouble.over(post.channel)
            return message
        except discord.HTTPException as error:
            # A channel gone, a permission missing: trying again would not help. Too many requests (429) pass.
            if 400 <= error.status < 500 and error.status != 429:
                await self._bot.trouble.tell(post, error)
                raise Undeliverable(str(error)) from error
            raise Later(error, certain=error.status in _NOT_DONE, answered=True) from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise Later(error, certain=isinstance(error, aiohttp.ClientConnectorError)) from error

    async def _send(self, post: Post, again: bool) -> int:
        if post.kind in _NOTICES:
            return await self._send_notice(post, again)
        if post.kind in _ABOUT_A_GAME:
            return await self._send_about_game(post, again)
        thread = await self._bot.threads.of(post)
        if thread is None:
            return await self._send_step(post, again)
        try:
            return await self._send_step(replace(post, channel=thread), again)
        except (discord.NotFound, discord.Forbidden) as error:
            log.info("thread %s takes no posts, the channel does: %s", thread, error)
            return await self._send_step(post, again)

    async def _send_notice(self, post: Post, again: bool) -> int:
        """What can be said without looking at the table."""
        game, words = await self._bot.store.game(post.game), phrases(_language(post))
        name, referee = safe(game.name), f"<@{game.referee}>"
        if post.kind == PostKind.BROKEN:
            text = words.say("notice.broken", game=game.id, name=name, reference=post.about, referee=referee)
            return await self._send_pieces(post, again, pieces(text), [game.referee])
        lost = await self._bot.store.posts.post(int(post.about))
        channel = f"<#{lost.channel}>"
        unheard_of = lost.reason == UNCONFIRMED
        text = words.say(
            "notice.unconfirmed" if unheard_of else "notice.undelivered",
            name=name,
            channel=channel,
            event=lost.last,
            **({} if unheard_of else {"reference": lost.reason}),
        )
        return await self._send_pieces(post, again, pieces(text))

    async def _send_about_game(self, post: Post, again: bool) -> int:
        game = await self._bot.store.game(post.game)
        if post.kind == PostKind.ENDED:
            return await self._send_end(post, again, game)
        language = _language(post)
        text, files = await self._of_game(game, language)
        if game.status != "lobby":
            return await self._send_running(post, again, game, text, files)
        if post.about != ANEW and (shown := await self._bot.keeper.edit_lobby(post, text, files)):
            return shown
        # A file can be sent only once.
        text, files = await self._of_game(game, language)
        view = lobby_buttons.of_post(game.id, language)
        message = await self._send_pieces(post, again, pieces(text), files=files, view=view)
        await self._bot.keeper.shows_lobby(post, message)
        return message

    async def _send_end(self, post: Post, again: bool, game: GameRow) -> int:
        language = _language(post)
        words, view = phrases(language), lobby_buttons.of_end(game.id, language)
        if all(seat.user is None for seat in await self._bot.store.seats(game.id)):
            # Somebody tried things out by himself: there is nobody to tell how it stands.
            text = "\n".join((words.say("lobby.ended", name=safe(game.name)), words.say("summary.look")))
            return await self._send_pieces(post, again, pieces(text), view=view)
        told = await self._bot.service.past.whole(game.id)
        closed = summary.of_game(told.before, told.events, told.after, post.about.split(), language)
        text, files = await self._of_game(game, language)
        text = text.partition("\n")[2]  # that it has ended is said
        return await self._send_pieces(post, again, pieces(f"{closed}\n{text}"), files=files, view=view)

    async def _send_running(self, post: Post, again: bool, game: GameRow, text: str, files: list[discord.File]) -> int:
        """With who plays what since just now; between rounds with what comes next: a game may begin there."""
        state, language = (await self._bot.service.load(game.id)).state, _language(post)
        seats = await self._bot.store.seats(game.id)
        text = "\n".join((*lobby.changed(game, seats, post.about.split(), phrases(language)), text))
        if state.phase is not None:
            return await self._send_pieces(post, again, pieces(text), files=files)
        text = f"{text}\n{looks.waiting_line(state, REFEREE, language)}"
        view = lobby_buttons.of_summary(game.id, False, language)
        message = await self._send_pieces(post, again, pieces(text), files=files, view=view)
        await self._bot.keeper.shows_interval(post, state, message)
        return message

    async def _of_game(self, game: GameRow, language: Language) -> tuple[str, list[discord.File]]:
        """The game and who sits where, in words and as a map."""
        text = await lobby.describe(self._bot.service, game, phrases(language))
        files, note = await self._drawn([desk.board((await self._bot.service.load(game.id)).state, language)], language)
        return f"{text}{note}", files

    async def _send_step(self, post: Post, again: bool) -> int:
        told, language = await self._bot.service.past.happening(post), _language(post)
        users = {seat.key: seat.user or told.game.referee for seat in await self._bot.store.seats(post.game)}
        users[REFEREE] = told.game.referee
        words = desk.post(
            post.kind, told, language, {key: f"<@{user}>" for key, user in users.items()}, self._bot.signs
        )
        pinged, gone = await self._here(
            told.game, [users[k] for k in await self._bot.service.waiting.to_ping(post, words.mentions)]
        )
        pictures = desk.post_pictures(post.kind, told, language)
        files, note = await self._drawn(pictures, language)
        left = (phrases(language).say("post.gone", user=f"<@{user}>") for user in gone)
        more = await self._elsewhere(post, told.game, pinged)
        parts = pieces("\n".join((words.text, *left, *more)) + note)
        view = _view(post, told, language)
        message = await self._send_pieces(post, again, parts, pinged, files, view, pictures)
        if view is not None:
            await self._bot.keeper.asks(post, told, message)
        return message

    async def _elsewhere(self, post: Post, game: GameRow, users: Iterable[int]) -> list[str]:
        """For whom other games of the server wait too: a reminder stands for them all."""
        if post.kind != PostKind.REMINDER:
            return []
        words = phrases(_language(post))
        waiting = {user: await self._bot.service.waiting.elsewhere(game, user) for user in users}
        return [words.say("post.elsewhere", user=f"<@{user}>", n=n) for user, n in waiting.items() if n]

    async def _drawn(self, pictures: Iterable[Drawable], language: Language) -> tuple[list[discord.File], str]:
        """The pictures as files; if one cannot be drawn there are none, and what to say of it: the text goes out."""
        try:
            return [await self._bot.drawing.file(picture) for picture in pictures], ""
        except Exception as error:
            reference = noted(error, "a picture could not be drawn")
            return [], "\n" + phrases(language).say("notice.undrawn", reference=reference)

    async def _here(self, game: GameRow, users: Iterable[int]) -> tuple[list[int], list[int]]:
        """Who of these users is still on the server, and who is not and must not be pinged."""
        here = {user: await is_member(self._bot, game.guild, user) for user in users}
        return [user for user, there in here.items() if there], [user for user, there in here.items() if not there]

    async def _send_pieces(
        self,
        post: Post,
        again: bool,
        parts: Sequence[str],
        pinged: Iterable[int] = (),
        files: Sequence[discord.File] = (),
        view: discord.ui.View | None = None,
        pictures: Sequence[Picture] = (),
    ) -> int:
        """Sends a text in its parts, the maps and the buttons with the last; gives the id of that message.

        `pictures`: what the files show, to be drawn smaller if they are too large.
        """
        channel = await self._where(post)
        if again:
            parts = pieces("\n".join((phrases(_language(post)).say("notice.again"), "".join(parts))))
        users = [discord.Object(user) for user in pinged]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=users)
        *before, last = parts
        for number, part in enumerate(before, 1):
            await channel.send(part, allowed_mentions=allowed, nonce=nonce(post, number))

        async def send(text: str, files: Sequence[discord.File]) -> int | None:
            """None if the files are too large."""
            try:
                sent = await channel.send(
                    text, files=files, view=view or MISSING, allowed_mentions=allowed, nonce=nonce(post)
                )
            except discord.HTTPException as error:
                if not files or (error.status != _TOO_LARGE and error.code != _FILE_TOO_LARGE):
                    raise
                log.warning("a picture of post %s is too large for its channel", post.id)
                return None
            finally:
                release(files)
            return sent.id

        message = await send(last, files)
        if message is None and pictures:
            smaller, _ = await self._drawn([picture.smaller() for picture in pictures], _language(post))
            message = await send(last, smaller)
        if message is None:
            note = phrases(_language(post)).say("notice.too_large")
            message = await send(f"{last[: MESSAGE_LIMIT - len(note) - 1]}\n{note}", [])
        assert message is not None, "what has no files is never too large"
        return message

    async def _where(self, post: Post) -> discord.abc.Messageable:
        """The channel of a post; of what only the referee is told, his."""
        if post.kind == PostKind.UNDELIVERED:
            return await self._bot.create_dm(discord.Object(post.channel))
        return self._bot.get_partial_messageable(post.channel)


def _view(post: Post, told: Happening, language: Language) -> discord.ui.View | None:
    """The buttons of a post: those of a phase that begins, or the answers to what it asks."""
    if post.kind == PostKind.REMINDER:
        return prompts.reminder(post.game, told.last, language)
    if post.kind in (PostKind.UNDO, PostKind.AGREED):
        return prompts.after_undo(post.game, told.last, told.after, language)
    if post.kind in (PostKind.WAITING, PostKind.OPENED, PostKind.REDO):
        return prompts.view_of(post.game, told.last, told.after, language)
    if post.kind == PostKind.SUMMARY:
        return lobby_buttons.of_summary(post.game, bool(told.about), language)
    if post.kind == PostKind.PURCHASE:
        proposed = [event.purchase for event in told.events if isinstance(event, PurchaseProposed)]
        return purchase_buttons.of_post(post.game, told.after, proposed[-1], language) if proposed else None
    if post.kind == PostKind.PROPOSAL:
        return prompts.proposal(post.game, told.last, language)
    if told.after.phase is not None and any(isinstance(event, PhaseBegan) for event in told.events):
        return prompts.announcement(post.game, told.last, language)
    return None


def _language(post: Post) -> Language:
    return "ko" if post.language == "ko" else "en"
