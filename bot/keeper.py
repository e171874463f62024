"""Keeps the messages that ask true: when what they ask is answered, taken back or passed, they say so.

They are edited with the bot's own right, for the token of a press lasts fifteen minutes and games last months.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord.utils import MISSING

from bot import desk, lobby, presenter
from bot.happening import Happening, waits_of
from bot.phrases import Language, phrases
from bot.rows import Post, Prompt
from bot.steps import PostKind
from rules_core.history import REFEREE
from rules_core.pending import InvasionChoice, MovementChoice, decisions
from rules_core.state import Purchase, State

if TYPE_CHECKING:
    from bot.client import StarpostBot

log = logging.getLogger(__name__)


class Keeper:
    """Notes which messages ask, and edits them when they are over."""

    def __init__(self, bot: "StarpostBot") -> None:
        self._bot = bot

    async def asks(self, post: Post, told: Happening, message: int) -> None:
        """Notes that a message now asks."""
        # Two messages can ask the same: a question and what reminds of it.
        asked = f"{_asked(post, told)} post-{post.id}"
        prompt = Prompt(post.game, asked, told.last, post.channel, message, "open")
        await self._bot.store.posts.open_prompt(prompt)

    async def shows_interval(self, post: Post, state: State, message: int) -> None:
        """Notes that a message now says that a round is over, until the next one begins."""
        asked = f"{_summary_of(state)} post-{post.id}"
        await self._bot.store.posts.open_prompt(Prompt(post.game, asked, post.last, post.channel, message, "open"))

    async def shows_lobby(self, post: Post, message: int) -> None:
        """Notes that a message now shows who sits where; those that did before show nothing more."""
        for older in await self._lobbies(post.game):
            await self._close(older)
        asked = f"{PostKind.LOBBY} post-{post.id}"
        await self._bot.store.posts.open_prompt(Prompt(post.game, asked, post.last, post.channel, message, "open"))

    async def edit_lobby(self, post: Post, text: str, files: Sequence[discord.File]) -> int | None:
        """Puts text and map into the message that shows who sits where; None if there is none that can be edited."""
        for standing in await self._lobbies(post.game):
            if standing.channel == post.channel and len(text) <= presenter.MESSAGE_LIMIT:
                try:
                    await self._message(standing).edit(content=text, attachments=files)
                except (discord.NotFound, discord.Forbidden) as gone:
                    log.info("message %s cannot be edited: %s", standing.message, gone)
                else:
                    return standing.message
        return None

    async def _lobbies(self, game: int) -> list[Prompt]:
        found = await self._bot.store.posts.open_prompts_in((await self._bot.store.game(game)).channel)
        return [each for each in found if each.game == game and each.decision.startswith(PostKind.LOBBY)]

    def _message(self, prompt: Prompt) -> discord.PartialMessage:
        return self._bot.get_partial_messageable(prompt.channel).get_partial_message(prompt.message)

    async def tidy(self, channel: int) -> None:
        """Edits the messages of a channel whose question is over."""
        for prompt in await self._bot.store.posts.open_prompts_in(channel):
            if not await self._still_asks(prompt):
                await self._close(prompt)

    async def _still_asks(self, prompt: Prompt) -> bool:
        service = self._bot.service
        if not await service.past.holds(prompt.game, prompt.opened):
            return False
        now = await service.load(prompt.game)
        if prompt.decision.startswith(PostKind.LOBBY):
            return now.row.status == "lobby"
        if prompt.decision.startswith(PostKind.PROPOSAL):
            return await service.store.proposal(prompt.game, prompt.opened) is not None and (
                now.row.head == prompt.opened
            )
        if now.row.status != "running":
            return False
        if prompt.decision.startswith(PostKind.PURCHASE):
            return any(prompt.decision.startswith(f"{_of_purchase(now.state, each)} ") for each in now.state.purchases)
        if prompt.decision.startswith(PostKind.SUMMARY):
            return now.state.phase is None and prompt.decision.startswith(f"{_summary_of(now.state)} ")
        if prompt.decision.startswith(PostKind.TURN):
            return prompt.decision.startswith(f"{phase_of(now.state)} ")
        waiting = " ".join(waits_of(now.state).values()).split()
        return any(decision in waiting for decision in prompt.decision.split())

    async def _close(self, prompt: Prompt) -> None:
        # The map of a lobby shows a galaxy that may be another since.
        files = [] if prompt.decision.startswith(PostKind.LOBBY) else MISSING
        try:
            await self._message(prompt).edit(content=await self._words(prompt), view=None, attachments=files)
        except (discord.NotFound, discord.Forbidden) as gone:
            log.info("message %s asks no more and cannot be edited: %s", prompt.message, gone)
        await self._bot.store.posts.close_prompt(prompt)

    async def _words(self, prompt: Prompt) -> str:
        """What the message says from now on: as before, with what became of it."""
        service = self._bot.service
        post = await service.store.posts.post_of(prompt.game, prompt.message)
        language: Language = "ko" if post.language == "ko" else "en"
        if post.kind == PostKind.LOBBY:
            game, words = await service.store.game(post.game), phrases(language)
            if game.status == "lobby":  # a newer message shows it
                return words.say("lobby.over")
            return presenter.pieces(await lobby.describe(service, game, words))[-1]
        told = await service.past.happening(post)
        seats = await service.store.seats(prompt.game)
        names = {seat.key: f"<@{seat.user or told.game.referee}>" for seat in seats}
        names[REFEREE] = f"<@{told.game.referee}>"
        text = desk.post(post.kind, told, language, names, self._bot.signs).pieces[-1]
        if not await service.past.holds(prompt.game, prompt.opened):
            ends = [presenter.taken_back(language)]
        elif post.kind == PostKind.WAITING:
            given = [await service.past.answer_to(prompt.game, prompt.opened, key) for key in waits_of(told.after)]
            ends = [presenter.decided(told.after, command, language) for command in given if command is not None]
        else:
            ends = []
        # The end must not be lost where the message was full already.
        end = "\n".join(ends)
        return f"{text[: presenter.MESSAGE_LIMIT - len(end) - 1]}\n{end}".strip()


def phase_of(state: State) -> str:
    """What tells a phase from every other of a game."""
    phase = state.phase
    if phase is None:
        return ""
    return f"{PostKind.TURN} {state.round}/{phase.player}/{state.player(phase.player).openings}"


def _summary_of(state: State) -> str:
    return f"{PostKind.SUMMARY} {state.round}"


def _of_purchase(state: State, purchase: Purchase) -> str:
    return f"{PostKind.PURCHASE} {state.round}/{purchase.number}"


def _asked(post: Post, told: Happening) -> str:
    """What must be true for a message to go on asking: proposals, a round that is over, a phase, or decisions."""
    if post.kind == PostKind.PROPOSAL:
        return str(PostKind.PROPOSAL)
    if post.kind == PostKind.SUMMARY:
        return _summary_of(told.after)
    if post.kind == PostKind.PURCHASE:
        return _of_purchase(told.after, told.after.purchases[-1])
    of_phase = any(isinstance(each, MovementChoice | InvasionChoice) for each in decisions(told.after))
    if of_phase and post.kind not in (PostKind.WAITING, PostKind.REMINDER):
        return phase_of(told.after)
    return " ".join(waits_of(told.after).values())
