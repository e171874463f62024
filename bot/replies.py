"""Private replies: only the one who asked sees them."""

from typing import TYPE_CHECKING, TypeAlias

import discord
from discord.utils import MISSING

from bot.desk import Drawable
from bot.presenter import pieces

if TYPE_CHECKING:
    from bot.client import StarpostBot

# What everything on Discord begins with.
Interaction: TypeAlias = "discord.Interaction[StarpostBot]"


async def tell(
    interaction: Interaction,
    text: str,
    *,
    picture: Drawable | None = None,
    view: discord.ui.View | None = None,
    file: discord.File = MISSING,
) -> None:
    """Answers an interaction that was deferred, in as many messages as the text needs."""
    if picture is not None:
        file = await interaction.client.drawing.file(picture)
    *before, last = pieces(text)
    for piece in before:
        await interaction.followup.send(piece, ephemeral=True)
    await interaction.followup.send(last, file=file, view=view or MISSING, ephemeral=True)
