"""`/galaxy`: where a game that is being set up is going to be played."""

from typing import TYPE_CHECKING, Final

from discord import app_commands
from discord.ext import commands

from bot import lobby, lobby_buttons, parse
from bot.galaxies.edits import change_planet, swap_systems
from bot.replies import Interaction
from bot.rows import GameRow
from bot.seats import check_referee
from bot.translator import command, words

if TYPE_CHECKING:
    from bot.client import StarpostBot

_PATH: Final = "galaxy.commands"
_Seed = app_commands.Range[str, 1, lobby.MAX_SEED]
_Rings = app_commands.Range[int, 2, 5]
_Value = app_commands.Range[int, 0, 6]


async def setup(bot: "StarpostBot") -> None:
    """Adds the group."""
    await bot.add_cog(GalaxyCog(bot))


@app_commands.guild_only()
class GalaxyCog(commands.GroupCog, group_name=words("galaxy.name"), group_description=words("galaxy.text")):
    """Galaxies: made, changed, shown."""

    def __init__(self, bot: "StarpostBot") -> None:
        self.bot = bot

    @command(f"{_PATH}.generate")
    async def generate(self, interaction: Interaction, seed: _Seed | None = None, rings: _Rings | None = None) -> None:
        game = await self._mine(interaction)
        await lobby.set_galaxy(self.bot.service, game, seed, rings)
        await lobby_buttons.changed_galaxy(interaction, game)

    @command(f"{_PATH}.ready")
    async def ready(self, interaction: Interaction) -> None:
        game = await self._mine(interaction)
        await lobby.set_ready_made(self.bot.service, game)
        await lobby_buttons.changed_galaxy(interaction, game)

    @command(f"{_PATH}.swap")
    async def swap(self, interaction: Interaction, one: str, other: str) -> None:
        game = await self._mine(interaction)
        state = (await self.bot.service.load(game.id)).state
        first, second = parse.parse_system(state, one), parse.parse_system(state, other)
        await lobby.edit(self.bot.service, game, lambda now: swap_systems(now, first, second))
        await lobby_buttons.changed_galaxy(interaction, game)

    @command(f"{_PATH}.planet")
    async def planet(
        self,
        interaction: Interaction,
        name: str,
        rename: str | None = None,
        resources: _Value | None = None,
        power: _Value | None = None,
    ) -> None:
        game = await self._mine(interaction)
        planet = parse.parse_planet((await self.bot.service.load(game.id)).state, name)
        await lobby.edit(self.bot.service, game, lambda now: change_planet(now, planet, rename, resources, power))
        await lobby_buttons.changed_galaxy(interaction, game)

    @command(f"{_PATH}.show")
    async def show(self, interaction: Interaction) -> None:
        await lobby_buttons.show_galaxy(interaction, await self.bot.game_here(interaction))

    async def _mine(self, interaction: Interaction) -> GameRow:
        """The game of the channel, if the user is its referee."""
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        return game
