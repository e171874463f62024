"""What Discord shows of a game that is being set up: its map, and buttons to join, to leave, for another galaxy."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Self

import discord

from bot import error_replies, lobby, looks, replies
from bot.desk import Picture
from bot.marks import map_labels, map_title
from bot.phrases import Language, phrases
from bot.pictures import alt_text
from bot.replies import Interaction
from bot.seats import check_referee
from bot.service import Service
from bot.steps import PostKind
from bot.store import GameRow
from renderer import View

# What a post about the lobby says that is not to be an edit of the one that stands: it is to be seen below all others.
ANEW: Final = "anew"
_WHAT: Final = ("join", "leave", "another", "show")
_OF_A_POST: Final = ("join", "leave")
_OF_A_PREVIEW: Final = ("another", "show")


class LobbyButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"starpost:l:(?P<game>\d+):(?P<what>{'|'.join(_WHAT)})",
):
    """Something to do in the lobby of a game."""

    @classmethod
    def of(cls, game: int, what: str, language: Language) -> Self:
        """The button with its words."""
        label = phrases(language).say(f"lobby_button.{what}")
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:l:{game}:{what}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button), "an id of a button on something else"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match = self.template.fullmatch(self.custom_id)
        assert match is not None, "checked when it was made"
        await interaction.response.defer(ephemeral=True, thinking=True)
        async with error_replies.answering(interaction):
            interaction.client.in_hand.check()
            game = await interaction.client.store.game(int(match["game"]))
            await _DOES[match["what"]](interaction, game)


ITEMS: Final = (LobbyButton,)


def of_post(game: int, language: Language) -> discord.ui.View:
    """The buttons of the post that shows who sits where."""
    return _view(game, _OF_A_POST, language)


def of_preview(game: int, language: Language) -> discord.ui.View:
    """The buttons of a galaxy that the referee looks at."""
    return _view(game, _OF_A_PREVIEW, language)


async def picture(service: Service, game: GameRow, language: Language) -> Picture:
    """Who sits where, as a map."""
    state = (await service.load(game.id)).state
    title = map_title(state, language)
    view = View(title, map_labels(language, state.ruleset.technologies))
    return Picture(state, view, alt_text(title, looks.order(state, language)))


def _view(game: int, buttons: tuple[str, ...], language: Language) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for what in buttons:
        view.add_item(LobbyButton.of(game, what, language))
    return view


# ---- what they do; the slash commands do the same


async def join(interaction: Interaction, game: GameRow, wanted: str | None = None, name: str | None = None) -> None:
    """Gives the user a seat."""
    bot = interaction.client
    reader = await bot.reader(interaction)
    key = await lobby.join(bot.service, game, interaction.user.id, wanted, name)
    await bot.service.tell(game.id, PostKind.LOBBY)
    race = (await bot.service.load(game.id)).state.player(key).race
    await replies.tell(interaction, reader.say("lobby.joined", player=race))


async def leave(interaction: Interaction, game: GameRow) -> None:
    """Makes the user's seat free."""
    bot = interaction.client
    await bot.service.leave(game.id, interaction.user.id)
    await bot.service.tell(game.id, PostKind.LOBBY)
    await replies.tell(interaction, (await bot.reader(interaction)).say("lobby.left"))


async def show_galaxy(interaction: Interaction, game: GameRow) -> None:
    """Shows the user the galaxy, its scores, and, if he is the referee, the buttons."""
    bot = interaction.client
    reader = await bot.reader(interaction)
    game = await bot.store.game(game.id)
    text = await lobby.describe_galaxy(bot.service, game, reader)
    mine = game.status == "lobby" and interaction.user.id == game.referee
    view = of_preview(game.id, reader.language) if mine else None
    await replies.tell(interaction, text, picture=await picture(bot.service, game, reader.language), view=view)


async def _another(interaction: Interaction, game: GameRow) -> None:
    check_referee(game, interaction.user.id)
    await lobby.set_galaxy(interaction.client.service, game, None, None)
    await show_galaxy(interaction, game)


async def _show(interaction: Interaction, game: GameRow) -> None:
    check_referee(game, interaction.user.id)
    await interaction.client.service.tell(game.id, PostKind.LOBBY, ANEW)
    await replies.tell(interaction, (await interaction.client.reader(interaction)).say("lobby.shown"))


_DOES: Final[Mapping[str, Callable[[Interaction, GameRow], Awaitable[None]]]] = {
    "join": join,
    "leave": leave,
    "another": _another,
    "show": _show,
}
