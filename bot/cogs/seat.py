"""`/seat`: who plays and who is referee, at any moment of a game."""

from typing import TYPE_CHECKING

import discord
from discord import app_commands
from discord.ext import commands

from bot import parse, replies
from bot.members import is_member
from bot.replies import Interaction
from bot.rows import GameRow
from bot.seats import check_referee
from bot.steps import PostKind
from bot.translator import command, words
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE

if TYPE_CHECKING:
    from bot.client import StarpostBot

_PATH = "seat.commands"


async def setup(bot: "StarpostBot") -> None:
    """Adds the group."""
    await bot.add_cog(SeatCog(bot))


@app_commands.guild_only()
class SeatCog(commands.GroupCog, group_name=words("seat.name"), group_description=words("seat.text")):
    """Seats change hands; the game goes on where it is."""

    def __init__(self, bot: "StarpostBot") -> None:
        self.bot = bot

    @command(f"{_PATH}.give")
    async def give(self, interaction: Interaction, race: str, user: discord.Member) -> None:
        game, key = await self._seat(interaction, race)
        _check_person(user)
        async with self.bot.service.telling(game.id, PostKind.LOBBY, key):
            await self.bot.service.seating.give(game.id, key, user.id)
        await self._noted(interaction)

    @command(f"{_PATH}.free")
    async def free(self, interaction: Interaction, race: str) -> None:
        game, key = await self._seat(interaction, race)
        async with self.bot.service.telling(game.id, PostKind.LOBBY, key):
            await self.bot.service.seating.give(game.id, key, None)
        await self._noted(interaction)

    @command(f"{_PATH}.swap")
    async def swap(self, interaction: Interaction, race: str, other: str) -> None:
        game, key = await self._seat(interaction, race)
        _, second = await self._seat(interaction, other)
        async with self.bot.service.telling(game.id, PostKind.LOBBY, f"{key} {second}"):
            await self.bot.service.seating.swap(game.id, key, second)
        await self._noted(interaction)

    @command(f"{_PATH}.second")
    async def second(self, interaction: Interaction, user: discord.Member) -> None:
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        _check_person(user)
        async with self.bot.service.telling(game.id, PostKind.LOBBY, REFEREE):
            await self.bot.store.set_second(game.id, user.id)
        await self._noted(interaction, "referees_changed")

    @command(f"{_PATH}.takeover")
    async def takeover(self, interaction: Interaction) -> None:
        """The second referee at any time; a player when both referees are gone from the server."""
        game = await self.bot.game_here(interaction)
        if interaction.user.id != game.second:
            await self.bot.service.seating.seat_of(game.id, interaction.user.id)
            for referee in filter(None, (game.referee, game.second)):
                if await is_member(self.bot, game.guild, referee):
                    raise RuleViolation("referee_is_here")
        async with self.bot.service.telling(game.id, PostKind.LOBBY, REFEREE):
            await self.bot.store.set_referee(game.id, interaction.user.id)
        await self._noted(interaction, "referees_changed")

    @give.autocomplete("race")
    @free.autocomplete("race")
    @swap.autocomplete("race")
    @swap.autocomplete("other")
    async def _races(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        game = await self.bot.game_here(interaction)
        seats = await self.bot.store.seats(game.id)
        wanted = typed.casefold()
        return [app_commands.Choice(name=s.race, value=s.key) for s in seats if wanted in s.race.casefold()][:25]

    async def _seat(self, interaction: Interaction, race: str) -> tuple[GameRow, str]:
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        return game, parse.parse_player((await self.bot.service.load(game.id)).state, race)

    async def _noted(self, interaction: Interaction, what: str = "seats_changed") -> None:
        await replies.tell(interaction, (await self.bot.reader(interaction)).say(f"lobby.{what}"))


def _check_person(user: discord.Member) -> None:
    if user.bot:
        raise RuleViolation("a_bot_plays_not")
