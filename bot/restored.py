"""Buttons and selects that outlive a restart: nothing is held in memory, all they need to know is in their ids."""

import re
from typing import Any, Self, TypeVar

import discord

Button = discord.ui.Button[discord.ui.View]
Select = discord.ui.Select[discord.ui.View]
Kind = TypeVar("Kind", Button, Select)


class Restored(discord.ui.DynamicItem[Kind], template="(?!)"):
    """A button or a select that is made anew of its id when it is pressed; which ids those are says its `template`."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: Any, match: re.Match[str], /) -> Self:
        return cls(item)

    @property
    def said(self) -> re.Match[str]:
        """What its id says, under the names in the template."""
        found = self.template.fullmatch(self.custom_id)
        assert found is not None, "checked when it was made"
        return found
