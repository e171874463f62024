"""The only place where an error becomes a reply: a refusal in the reader's words, what was not foreseen as a number."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from discord import app_commands

from bot import replies
from bot.faults import noted
from bot.phrases import Phrases, safe
from bot.replies import Interaction
from bot.report import all_races
from bot.store import HeadMoved
from rules_core.errors import FileError, Refusal

log = logging.getLogger(__name__)

# What a user may run into though nothing is wrong with the program.
FORESEEN: Final = (Refusal, FileError, HeadMoved)
_CHOICE_LIMIT: Final = 100
# Among the extras of an interaction: the seat that a referee plays with it, of maybe several.
AS_SEAT: Final = "as_seat"
# The client of the user, or Discord itself, does not know the commands as they are now.
_STALE: Final = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)


async def reply_to(interaction: Interaction, error: Exception) -> None:
    """Tells who asked, privately, what went wrong."""
    error = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if replies.is_given_up(error):
        # What was asked for is done; the posts tell of it.
        log.warning("an answer came too late: %s", error)
        return
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True)
    await replies.tell(interaction, await _sentence(interaction, error))


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncIterator[None]:
    """For what is not a command: errors inside are answered as those of commands are."""
    interaction.client.in_hand.take()
    try:
        yield
    except Exception as error:  # every one becomes a reply, and what was not foreseen is logged with it
        await reply_to(interaction, error)


async def hint(interaction: Interaction, error: Exception) -> str:
    """The same as one line for a list of suggestions."""
    return (await _sentence(interaction, error)).splitlines()[0][:_CHOICE_LIMIT]


async def _sentence(interaction: Interaction, error: Exception) -> str:
    words = await interaction.client.reader(interaction)
    match error:
        case Refusal():
            return await _refused(interaction, words, error)
        case FileError():
            return words.file_error(error)
        case HeadMoved():
            return words.say("discord.moved_on")
    if isinstance(error, _STALE):
        return words.say("discord.stale")
    return _unforeseen(words, error)


def _unforeseen(words: Phrases, error: Exception) -> str:
    return words.say("discord.unforeseen", reference=noted(error, "a command"))


async def _refused(interaction: Interaction, words: Phrases, error: Refusal) -> str:
    """The refusal, and for which table it was made."""
    bot = interaction.client
    row = await bot.store.game_in(interaction.channel_id or 0)
    if row is None or row.broken:
        return words.refusal(error)
    races = all_races((await bot.service.load(row.id)).state)
    text = words.refusal(error, races)
    seat: str | None = interaction.extras.get(AS_SEAT)
    if seat is not None and seat in races:
        text = words.say("discord.as_seat", player=races[seat], text=text)
    return f"{text}\n{words.say('post.footer', name=safe(row.name), number=row.head)}"
