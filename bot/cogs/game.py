"""`/game`: a game from its creation to its end."""

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot import autocomplete, lobby, lobby_buttons, looks, parse, prompts, replies, verify
from bot.agreed import read_agreed
from bot.phrases import Phrases, phrases, safe
from bot.replies import Interaction
from bot.rows import GameRow
from bot.seats import check_referee, is_referee, reader_of
from bot.slash import find
from bot.steps import ANEW, PostKind
from bot.translator import choices, command, option_values, words
from rules_core.errors import FileError, RuleViolation
from rules_core.history import REFEREE
from rules_core.position import MAX_CHARACTERS
from rules_core.state import Options, State

if TYPE_CHECKING:
    from bot.client import StarpostBot

# What a game needs in its channel.
NEEDED: Final = ("view_channel", "send_messages", "attach_files")
NEEDED_IN_THREADS: Final = ("view_channel", "send_messages_in_threads", "attach_files")
_PATH: Final = "game.commands"
# The options of the rules page that can be named at once; /game settings has all.
OPTIONS: Final = ("lone_fighters", "pds_targets", "marker_bombardment")


async def setup(bot: "StarpostBot") -> None:
    """Adds the group."""
    await bot.add_cog(GameCog(bot))


def check_permissions(interaction: Interaction, reader: Phrases) -> None:
    """Refuses a channel in which the bot lacks something, and names what."""
    check_needed(isinstance(interaction.channel, discord.Thread), interaction.app_permissions, reader)


def check_needed(thread: bool, granted: discord.Permissions, reader: Phrases) -> None:
    """The same for any channel, by what the bot may do there."""
    missing = [name for name in (NEEDED_IN_THREADS if thread else NEEDED) if not getattr(granted, name)]
    if missing:
        named = tuple(reader.say(f"permission.{name}") for name in missing)
        raise RuleViolation("permissions_missing", permissions=named)


async def _private_place(interaction: Interaction, name: str, reader: Phrases) -> discord.Thread:
    """A private thread of this channel, for the user alone."""
    if not interaction.app_permissions.create_private_threads:
        raise RuleViolation("permissions_missing", permissions=(reader.say("permission.create_private_threads"),))
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise RuleViolation("no_private_place_here")
    thread = await channel.create_thread(name=name[:100], type=discord.ChannelType.private_thread, invitable=False)
    await thread.add_user(interaction.user)
    return thread


@app_commands.guild_only()
class GameCog(commands.GroupCog, group_name=words("game.name"), group_description=words("game.text")):
    """Seats, beginning and end of the game in a channel."""

    def __init__(self, bot: "StarpostBot") -> None:
        self.bot = bot

    @command(f"{_PATH}.create")
    @app_commands.choices(
        language=choices(f"{_PATH}.create", "language"), **{name: option_values(name) for name in OPTIONS}
    )
    async def create(
        self,
        interaction: Interaction,
        name: str | None = None,
        seats: app_commands.Range[int, 2, 8] = 8,
        language: str | None = None,
        referee: discord.Member | None = None,
        lone_fighters: str | None = None,
        pds_targets: str | None = None,
        marker_bombardment: str | None = None,
    ) -> None:
        reader = await self.bot.reader(interaction)
        check_permissions(interaction, reader)
        tongue = "ko" if language == "ko" else "en" if language else reader.language
        title, judge = name or reader.say("lobby.default_name"), referee or interaction.user
        if judge.bot:
            raise RuleViolation("referee_is_a_bot")
        place = (interaction.guild_id or 0, interaction.channel_id or 0)
        given = zip(OPTIONS, (lone_fighters, pds_targets, marker_bombardment), strict=True)
        async with self.bot.store.together():
            game = await lobby.open_game(self.bot.service, *place, judge.id, title, tongue, seats)
            async with self.bot.service.telling(game.id, PostKind.LOBBY):
                for option, value in given:
                    if value is not None and value != getattr(Options(), option):
                        await lobby.change_setting(self.bot.service, game, {"name": option, "value": value})
        await replies.tell(interaction, reader.say("lobby.created", referee=judge.mention))

    @command(f"{_PATH}.join")
    async def join(self, interaction: Interaction, race: str | None = None, name: str | None = None) -> None:
        game = await self.bot.game_here(interaction)
        reader = await self.bot.reader(interaction)
        wanted = None if race is None else await lobby.choose(self.bot.service, game, race, reader)
        await lobby_buttons.join(interaction, game, wanted, name)

    @join.autocomplete("race")
    async def _free_seats(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        game = await self.bot.store.game_in(interaction.channel_id or 0)
        free, reader = (
            {} if game is None else await lobby.choices(self.bot.service, game),
            await self.bot.reader(interaction),
        )
        named = {key: lobby.in_colour(key, race, reader) for key, race in free.items()}
        found = [
            app_commands.Choice(name=name, value=key)
            for key, name in named.items()
            if typed.casefold() in name.casefold()
        ]
        nothing = reader.say("discord.no_free_seat")
        return found or [app_commands.Choice(name=nothing, value=nothing)]

    @command(f"{_PATH}.leave")
    async def leave(self, interaction: Interaction) -> None:
        await lobby_buttons.leave(interaction, await self.bot.game_here(interaction))

    @command(f"{_PATH}.settings")
    async def settings(self, interaction: Interaction, option: str | None = None, value: str | None = None) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_shown(interaction)
        if option is not None:
            check_referee(game, interaction.user.id)
            await lobby.change_setting(self.bot.service, game, {"name": option, "value": value or ""})
        now = await self.bot.service.load(game.id)
        agreed = looks.settings(read_agreed(now.row.settings), reader.language)
        await replies.tell(interaction, f"{looks.options(now.state.options, reader.language)}\n{agreed}")

    @settings.autocomplete("option")
    async def _options(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._setting_values(interaction, "name", typed, {})

    @settings.autocomplete("value")
    async def _values(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await self._setting_values(interaction, "value", typed, {"name": interaction.namespace.option or ""})

    async def _setting_values(
        self, interaction: Interaction, option: str, typed: str, texts: Mapping[str, str]
    ) -> list[app_commands.Choice[str]]:
        slash, state = find("referee option"), await self._state_here(interaction)
        if state is None:
            return []
        wanted, language = slash.option(option), (await self.bot.reader(interaction)).language
        assert wanted is not None, "an option of that command"
        found = autocomplete.suggest(state, REFEREE, slash, wanted, typed, texts, language)
        return [app_commands.Choice(name=each, value=each) for each in found]

    @command(f"{_PATH}.start")
    async def start(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        async with self.bot.service.as_one(game.id):
            await lobby.begin(self.bot.service, game)
        await replies.tell(interaction, reader.say("lobby.started"))

    @command(f"{_PATH}.status")
    async def status(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_shown(interaction)
        now = await self.bot.service.load(game.id)
        who = await reader_of(self.bot.service, game, interaction.user.id)
        seats = await lobby.describe(self.bot.service, game, reader)
        text = seats if game.status == "lobby" else f"{looks.status(now.state, who, reader.language)}\n{seats}"
        view = prompts.view_of(game.id, now.row.head, now.state, reader.language, who)
        await replies.tell(interaction, text, view=view)

    @command(f"{_PATH}.words")
    async def words(self, interaction: Interaction, words: str) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_here(interaction)
        seat = await self.bot.service.seating.seat_of(game.id, interaction.user.id)
        async with self.bot.service.telling(game.id, PostKind.LOBBY):
            await self.bot.service.seating.add_words(game.id, seat, words)
        await replies.tell(interaction, reader.say("lobby.words_added"))

    @command(f"{_PATH}.reveal")
    async def reveal(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        async with self.bot.service.telling(game.id, PostKind.LOBBY):
            await self.bot.service.reveal(game.id)
        await replies.tell(interaction, reader.say("lobby.revealed"))

    @command(f"{_PATH}.verify")
    async def verify(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_shown(interaction)
        await replies.tell(interaction, verify.told(await self.bot.service.past.verified(game.id), reader))

    @command(f"{_PATH}.export")
    async def export(self, interaction: Interaction) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_shown(interaction)
        content = (await self.bot.service.past.game_file(game.id)).encode()
        file = discord.File(io.BytesIO(content), f"starpost-game-{game.id}.json")
        await replies.tell(interaction, reader.say("lobby.exported"), file=file)

    @command(f"{_PATH}.import")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.store.game_in(interaction.channel_id or 0)
        if file.size > lobby.MAX_BYTES:
            raise FileError("", "too_large", most=MAX_CHARACTERS)
        if game is None:
            check_permissions(interaction, reader)
        else:
            check_referee(game, interaction.user.id)
        read = lobby.read_upload(await file.read())
        if game is None:
            place = (interaction.guild_id or 0, interaction.channel_id or 0)
            async with self.bot.store.together():
                game = await lobby.open_file(self.bot.service, *place, interaction.user.id, read, reader.language)
                await self.bot.service.tell(game.id, PostKind.LOBBY, ANEW)
        else:
            async with self.bot.service.telling(game.id, PostKind.LOBBY, ANEW):
                await lobby.replace_beginning(self.bot.service, game, read)
        await replies.tell(interaction, reader.say("lobby.imported"))

    @command(f"{_PATH}.referee")
    async def referee(self, interaction: Interaction, user: discord.Member) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        if user.bot:
            raise RuleViolation("referee_is_a_bot")
        async with self.bot.service.telling(game.id, PostKind.LOBBY, REFEREE):
            await self.bot.store.set_referee(game.id, user.id)
        await replies.tell(interaction, reader.say("lobby.new_referee", user=user.mention))

    @command(f"{_PATH}.rebind")
    async def rebind(self, interaction: Interaction, game: str) -> None:
        """Used where the game is to go on, for where it was may be gone."""
        reader = await self.bot.reader(interaction)
        check_permissions(interaction, reader)
        wanted = next((row for row in await self._games_of(interaction) if str(row.id) == game), None)
        if wanted is None:
            raise RuleViolation("no_such_game")
        await self.bot.service.rebind(wanted.id, interaction.channel_id or 0)
        await replies.tell(interaction, reader.say("lobby.rebound", name=safe(wanted.name)))

    @rebind.autocomplete("game")
    async def _own_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        games = [row for row in await self._games_of(interaction) if typed.casefold() in row.name.casefold()]
        found = [app_commands.Choice(name=f"{row.id} {row.name}"[:100], value=str(row.id)) for row in games][:25]
        nothing = (await self.bot.reader(interaction)).say("discord.nothing_to_suggest")
        return found or [app_commands.Choice(name=nothing, value=nothing)]

    async def _games_of(self, interaction: Interaction) -> list[GameRow]:
        """The games on this server whose referee asks."""
        games = await self.bot.store.live_games()
        return [row for row in games if row.guild == interaction.guild_id and is_referee(row, interaction.user.id)]

    @command(f"{_PATH}.copy")
    async def copy(self, interaction: Interaction, to: discord.TextChannel | discord.Thread | None = None) -> None:
        reader = await self.bot.reader(interaction)
        game = await self.bot.game_shown(interaction)
        words = phrases("ko" if game.language == "ko" else "en")
        place = (
            await _private_place(interaction, words.say("lobby.what_if", name=game.name), reader) if to is None else to
        )
        check_needed(isinstance(place, discord.Thread), place.permissions_for(place.guild.me), reader)
        copied = await lobby.copy(self.bot.service, game, place.id, interaction.user.id, words)
        await replies.tell(interaction, reader.say("lobby.copied", name=safe(copied.name), channel=place.mention))

    @command(f"{_PATH}.end")
    async def end(self, interaction: Interaction, winner: str | None = None) -> None:
        game = await self.bot.game_here(interaction)
        check_referee(game, interaction.user.id)
        state = (await self.bot.service.load(game.id)).state
        won = await self.bot.service.winners(game.id) if winner is None else (parse.parse_player(state, winner),)
        await lobby_buttons.end(interaction, game, won)

    @end.autocomplete("winner")
    async def _winners(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        state = await self._state_here(interaction)
        players = () if state is None else state.players
        named = [player for player in players if typed.casefold() in player.race.casefold()]
        return [app_commands.Choice(name=player.race, value=player.key) for player in named]

    async def _state_here(self, interaction: Interaction) -> State | None:
        """The table of the game in this channel, for a list: where there is no game there is nothing to list."""
        game = await self.bot.store.game_in(interaction.channel_id or 0)
        return None if game is None else (await self.bot.service.load(game.id)).state
