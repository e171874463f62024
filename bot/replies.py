"""Private replies: only the one who asked sees them."""

import logging
from typing import TYPE_CHECKING, Final, TypeAlias

import discord
from discord.utils import MISSING

from bot.drawing import release
from bot.presenter import pieces
from bot.replay import Film
from renderer.drawable import Drawable

if TYPE_CHECKING:
    from bot.client import StarpostBot

log = logging.getLogger(__name__)

# Unknown webhook, unknown interaction, invalid webhook token.
_DEAD_TOKEN: Final = (10015, 10062, 50027)
# What everything on Discord begins with.
Interaction: TypeAlias = "discord.Interaction[StarpostBot]"


async def took_up(interaction: Interaction, in_place: bool = False) -> bool:
    """Defers privately; False if Discord has given the interaction up: then nobody can be answered any more.

    `in_place`: the answer will stand where the button was that was pressed.
    """
    try:
        await interaction.response.defer(ephemeral=True, thinking=not in_place)
    except discord.NotFound as error:
        log.warning("an interaction came too late: %s", error)
        return False
    return True


def is_private(interaction: Interaction) -> bool:
    """Whether a press was made in a message that only its user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def is_given_up(error: Exception) -> bool:
    """Whether an answer failed because its token is worth nothing any more, a quarter of an hour after the question."""
    return isinstance(error, discord.HTTPException) and error.code in _DEAD_TOKEN


async def tell(
    interaction: Interaction,
    text: str,
    *,
    picture: Drawable | None = None,
    view: discord.ui.View | None = None,
    file: discord.File = MISSING,
    film: Film | None = None,
    before: Drawable | None = None,
) -> None:
    """Answers an interaction that was deferred, in as many messages as the text needs.

    `before`: a picture to be looked at before `picture`.
    """
    if film is not None:
        await _show_film(interaction, text, film)
        return
    shown = [await interaction.client.drawing.file(each) for each in (before, picture) if each is not None]
    files = shown if file is MISSING else [file]
    *first, last = pieces(text)
    for piece in first:
        await interaction.followup.send(piece, ephemeral=True)
    try:
        await interaction.followup.send(last, files=files, view=view or MISSING, ephemeral=True)
    finally:
        release(files)


async def _show_film(interaction: Interaction, text: str, film: Film) -> None:
    """Tells how far the film is while it is made, then shows it."""

    async def tell(done: int, of: int) -> None:
        await interaction.edit_original_response(content=f"{text} {done}/{of}")

    made = await interaction.client.drawing.film(film, tell)
    try:
        await interaction.edit_original_response(content=text, attachments=[made])
    finally:
        release([made])
