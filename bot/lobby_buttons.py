"""What Discord shows of a game before it begins and when it is decided: its map, and buttons for both."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Self

import discord

from bot import buying, desk, lobby, replies
from bot.agreed import read_agreed
from bot.files import read_game
from bot.phrases import Language, phrases, safe
from bot.presenter import private
from bot.replay import Film, frames, of_game
from bot.replies import Interaction
from bot.report import races
from bot.restored import Button, Restored
from bot.rows import GameRow
from bot.seats import check_referee
from bot.steps import ANEW, PostKind
from rules_core.commands import NextRound
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE

_WHAT: Final = ("join", "leave", "another", "show", "ledger", "next", "end", "end_now", "replay")
_OF_A_POST: Final = ("join", "leave")
_OF_A_PREVIEW: Final = ("another", "show")
_OF_A_FIXED: Final = ("show",)
_OF_A_ROUND: Final = ("ledger", "next")
_OF_A_DECISION: Final = ("end", "next")
_OF_THE_END: Final = ("replay",)


class LobbyButton(Restored[Button], template=rf"starpost:l:(?P<game>\d+):(?P<what>{'|'.join(_WHAT)})"):
    """Something to do with a game as a whole."""

    @classmethod
    def of(cls, game: int, what: str, language: Language) -> Self:
        """The button with its words."""
        label = phrases(language).say(f"lobby_button.{what}")
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:l:{game}:{what}"))

    @property
    def asks_for(self) -> str:
        return "galaxy" if self.said["what"] == "another" else ""

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        await _DOES[self.said["what"]](interaction, game)


ITEMS: Final = (LobbyButton,)


def of_post(game: int, language: Language) -> discord.ui.View:
    """The buttons of the post that shows who sits where."""
    return _view(game, _OF_A_POST, language)


def of_preview(game: int, fixed: bool, language: Language) -> discord.ui.View:
    """The buttons of a galaxy that the referee looks at: a tap does not throw away one that is `fixed`."""
    return _view(game, _OF_A_FIXED if fixed else _OF_A_PREVIEW, language)


def of_summary(game: int, won: bool, language: Language) -> discord.ui.View:
    """The buttons of a round that is over, and maybe has decided the game."""
    return _view(game, _OF_A_DECISION if won else _OF_A_ROUND, language)


def of_end(game: int, language: Language) -> discord.ui.View:
    """The button of a game that has ended."""
    return _view(game, _OF_THE_END, language)


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
    async with bot.service.as_one(game.id):
        key = await lobby.join(bot.service, game, interaction.user.id, wanted, name)
        await bot.service.tell(game.id, PostKind.LOBBY, key)
    race = (await bot.service.load(game.id)).state.player(key).race
    await replies.tell(interaction, reader.say("lobby.joined", player=safe(race)))


async def leave(interaction: Interaction, game: GameRow) -> None:
    """Makes the user's seat free."""
    bot = interaction.client
    async with bot.service.as_one(game.id):
        key = await bot.service.seating.leave(game.id, interaction.user.id)
        await bot.service.tell(game.id, PostKind.LOBBY, key)
    await replies.tell(interaction, (await bot.reader(interaction)).say("lobby.left"))


async def show_galaxy(interaction: Interaction, game: GameRow) -> None:
    """Shows the user the galaxy, its scores, and, if he is the referee, the buttons."""
    bot = interaction.client
    reader = await bot.reader(interaction)
    game = await bot.store.game(game.id)
    text = await lobby.describe_galaxy(bot.service, game, reader)
    mine = game.status == "lobby" and interaction.user.id == game.referee
    view = of_preview(game.id, read_agreed(game.settings).fixed, reader.language) if mine else None
    picture = desk.board((await bot.service.load(game.id)).state, reader.language)
    await replies.tell(interaction, text, picture=picture, view=view)


async def changed_galaxy(interaction: Interaction, game: GameRow) -> None:
    """Puts another galaxy into the lobby's post, and shows it to who changed it."""
    await interaction.client.service.tell(game.id, PostKind.LOBBY)
    await show_galaxy(interaction, game)


async def _another(interaction: Interaction, game: GameRow) -> None:
    check_referee(game, interaction.user.id)
    if read_agreed(game.settings).fixed:
        raise RuleViolation("galaxy_is_fixed")
    await lobby.set_galaxy(interaction.client.service, game, None, None)
    await changed_galaxy(interaction, game)


async def _show(interaction: Interaction, game: GameRow) -> None:
    check_referee(game, interaction.user.id)
    await interaction.client.service.tell(game.id, PostKind.LOBBY, ANEW)
    await replies.tell(interaction, (await interaction.client.reader(interaction)).say("lobby.shown"))


async def _ledger(interaction: Interaction, game: GameRow) -> None:
    words = await interaction.client.reader(interaction)
    await replies.tell(
        interaction, buying.ledger((await interaction.client.service.load(game.id)).state, words.language)
    )


async def _next_round(interaction: Interaction, game: GameRow) -> None:
    check_referee(game, interaction.user.id)
    words = await interaction.client.reader(interaction)
    done = await interaction.client.service.execute(game.id, REFEREE, lambda state: NextRound())
    await replies.tell(interaction, private(done.before, done.events, REFEREE, words.language))


async def end(interaction: Interaction, game: GameRow, won: Iterable[str]) -> None:
    """Ends a game for good; `won`: the keys of who has won it."""
    bot = interaction.client
    async with bot.service.telling(game.id, PostKind.ENDED, " ".join(won)):
        await bot.service.end(game.id)
    await replies.tell(interaction, (await bot.reader(interaction)).say("lobby.was_ended"))


async def _ask_for_end(interaction: Interaction, game: GameRow) -> None:
    """Ends nothing yet: a thumb slips, and the end cannot be taken back."""
    reader = await interaction.client.reader(interaction)
    won = await _won(interaction, game)
    named = races((await interaction.client.service.load(game.id)).state, won)
    text = reader.say("lobby.end_question", players=tuple(named.values()))
    await replies.tell(interaction, text, view=_view(game.id, ("end_now",), reader.language))


async def _end(interaction: Interaction, game: GameRow) -> None:
    await end(interaction, game, await _won(interaction, game))


async def _won(interaction: Interaction, game: GameRow) -> tuple[str, ...]:
    """Who has won a game that its referee wants to end; refused while nobody has."""
    check_referee(game, interaction.user.id)
    if game.status != "running":
        raise RuleViolation("not_running")
    won = await interaction.client.service.winners(game.id)
    if not won:
        raise RuleViolation("nobody_has_won")
    return won


async def _replay(interaction: Interaction, game: GameRow) -> None:
    """The whole game as a film, for who asked."""
    bot = interaction.client
    bot.cooldown.ask("replay", interaction.user.id, interaction.channel_id or 0)
    words, text = await bot.reader(interaction), await bot.service.past.game_file(game.id)
    # A long game is read and played through again: not in the loop.
    found = await asyncio.to_thread(lambda: of_game(frames(read_game(text))))
    if not found:
        raise RuleViolation("nothing_happened")
    title = words.say("replay.whole", name=safe(game.name))
    await replies.tell(interaction, title, film=Film(found, words.language, title))


_DOES: Final[Mapping[str, Callable[[Interaction, GameRow], Awaitable[None]]]] = {
    "join": join,
    "leave": leave,
    "another": _another,
    "show": _show,
    "ledger": _ledger,
    "next": _next_round,
    "end": _ask_for_end,
    "end_now": _end,
    "replay": _replay,
}
