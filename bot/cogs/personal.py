"""What a user sets for himself."""

from typing import TYPE_CHECKING

from discord import app_commands
from discord.ext import commands

from bot import chronicle, replies
from bot.replies import Interaction
from bot.translator import choices, command

if TYPE_CHECKING:
    from bot.client import StarpostBot


async def setup(bot: "StarpostBot") -> None:
    """Adds the command."""
    await bot.add_cog(PersonalCog(bot))


class PersonalCog(commands.Cog):
    """`/language`, `/games` and `/privacy`, everywhere."""

    def __init__(self, bot: "StarpostBot") -> None:
        self.bot = bot

    @command("language")
    @app_commands.choices(language=choices("language", "language"))
    async def language(self, interaction: Interaction, language: str) -> None:
        await self.bot.store.set_language(interaction.user.id, language)
        await replies.tell(interaction, (await self.bot.reader(interaction)).say("discord.language_set"))

    @command("games")
    async def games(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        await replies.tell(interaction, await chronicle.games(self.bot.service, interaction.user.id, reader.language))

    @command("privacy")
    async def privacy(self, interaction: Interaction, forget: bool = False) -> None:
        reader = await self.bot.reader(interaction)
        if not forget:
            await replies.tell(interaction, reader.say("privacy.kept"))
            return
        games = await self.bot.store.forget(interaction.user.id)
        await replies.tell(interaction, reader.say("privacy.forgotten", games=games))
