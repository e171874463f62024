"""Buttons and selects that outlive a restart: nothing is held in memory, all they need to know is in their ids."""

import re
from typing import Any, ClassVar, Self, TypeVar

import discord

from bot import error_replies, replies
from bot.replies import Interaction
from bot.rows import GameRow

Button = discord.ui.Button[discord.ui.View]
Select = discord.ui.Select[discord.ui.View]
Kind = TypeVar("Kind", Button, Select)


class Restored(discord.ui.DynamicItem[Kind], template="(?!)"):
    """A button or a select that is made anew of its id when it is pressed; which ids those are says its `template`.

    What goes for every press stands here: it is taken up, counted, and good only where its game is played.
    """

    # What was pressed in public is answered privately beside it; a private menu goes on in its own place.
    goes_on: ClassVar[bool] = False

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: re.Match[str], /) -> Self:
        return cls(item)

    @property
    def said(self) -> re.Match[str]:
        """What its id says, under the names in the template."""
        found = self.template.fullmatch(self.custom_id)
        assert found is not None, "checked when it was made"
        return found

    @property
    def asks_for(self) -> str:
        """The command to which a press amounts, if there is one."""
        return ""

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        if not await replies.took_up(interaction, in_place=self.goes_on and replies.is_private(interaction)):
            return
        async with error_replies.answering(interaction):
            interaction.client.admit(interaction, self.asks_for)
            await self.pressed(interaction, await interaction.client.game_pressed(interaction, self.said["game"]))

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        """What the press does in its game."""
        raise NotImplementedError
