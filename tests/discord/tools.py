"""A server with people on simcord, and what can be read of it. The bot is the real one."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

import discord
from bot.client import StarpostBot, create_bot
from bot.config import Settings
from bot.files import read_game
from bot.prepared import SECRET
from rules_core.game_file import GameFile
from rules_core.history import REFEREE
from rules_core.state import State

__all__ = ["SECRET", "Table", "buttons", "options", "prepared", "text_of"]


def prepared() -> GameFile:
    """The position of the prepared round: red acts first, blue and yellow follow."""
    return read_game(files("bot").joinpath("positions", "prepared.json").read_text(encoding="utf-8"))


class Table:
    """A channel with four members, whose names are the keys of the seats they take, and the referee."""

    def __init__(self, env: Any, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        # Errors that a test brings about, beside refusals.
        self.expected: tuple[type[Exception], ...] = ()
        self.guild = env.create_guild("Starpost")
        self.channel = self.guild.create_text_channel("front")
        self.people = {name: self.join_server(name) for name in ("red", "blue", "yellow", REFEREE)}

    def join_server(self, name: str) -> Any:
        return self.guild.add_member(self.env.create_user(name, global_name=name.title()))

    @property
    def bot(self) -> StarpostBot:
        assert isinstance(self.env.bot, StarpostBot)
        return self.env.bot

    # ---- what people do

    async def use(self, who: str, command: str, channel: Any = None, **options: Any) -> str:
        """A slash command; gives the private reply, which must be private."""
        named = {name.removesuffix("_"): value for name, value in options.items()}
        result = await self.people[who].slash(channel or self.channel, command, **named)
        return text_of(result)

    async def finish(self, who: str) -> str:
        """`/done`, and yes to what it asks before it ends a phase."""
        result = await self.people[who].slash(self.channel, "done")
        asked = [item for item in buttons(result.response.message) if item.custom_id.startswith("starpost:m:")]
        sure = [item for item in asked if item.custom_id.endswith(":done....0.!")]
        return text_of(await self.people[who].click(result.response, custom_id=sure[0].custom_id) if sure else result)

    def keep_old_buttons(self) -> None:
        """From now on the bot cannot edit its messages, as if presses were quicker."""
        self.env.inject_error("PATCH", "/channels/*/messages/*", status=403, times=None)

    async def press(self, who: str, message: Any, choice: str) -> str:
        """The button of a choice, or the entry of a select; gives the private reply."""
        person = self.people[who]
        for item in buttons(message):
            if item.custom_id.endswith(f":{choice}"):
                return text_of(await person.click(message, custom_id=item.custom_id))
            if any(option.value == choice for option in getattr(item, "options", ())):
                return text_of(await person.select(message, [choice], custom_id=item.custom_id))
        raise LookupError(f"{choice} is not offered")

    async def suggested(self, who: str, command: str, option: str, typed: str = "", **filled: Any) -> list[str]:
        """The names that completion offers."""
        named = {name.removesuffix("_"): value for name, value in filled.items()}
        found = await self.people[who].autocomplete(self.channel, command, option, typed, **named)
        assert 1 <= len(found) <= 25
        return [each["name"] for each in found]

    # ---- games

    async def begin(self, file: GameFile | None = None, language: str = "en") -> None:
        """A game with a fixed secret, its seats taken by those who bear their names, started."""
        file = file or prepared()
        tongue = "ko" if language == "ko" else "en"
        referee = self.people[REFEREE].user.id
        await self.bot.service.create(self.guild.id, self.channel.id, tongue, referee, file, SECRET)
        for player in file.start.players:
            await self.use(player.key, "game join", race=player.key)
        await self.use(REFEREE, "game start")

    async def to_losses(self) -> None:
        """Plays the prepared round until both sides of the battle in 101 owe losses."""
        await self.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
        await self.use("red", "move", from_="201", to="101", units="all")
        await self.use("red", "move", from_="202", to="105", units="2 cruisers")
        await self.use("red", "done")
        await self.use("red", "battle", system="105")
        await self.use("red", "retreat", to="104")
        await self.use("red", "losses", units="1 fighter")
        await self.use("blue", "losses", units="2 fighters")

    async def state(self) -> State:
        """The table as it stands."""
        game = await self.bot.service.game_in(self.channel.id)
        return (await self.bot.service.load(game.id)).state

    async def restart(self, killed: bool = True) -> None:
        """Another bot on the same database, after the old one was killed or had stopped in order."""
        old = self.bot
        if not killed:
            await old.close()
        # The system does that for a process that is gone.
        old.lease.release()
        await self.env.restart_bot(create_bot(self.settings))
        if killed:
            await old.close()

    # ---- what is to be seen

    def posts(self, channel: Any = None) -> list[discord.Message]:
        """What everybody sees."""
        return [message for message in (channel or self.channel).history() if not message.flags.ephemeral]

    def pinged(self, message: discord.Message) -> list[str]:
        """Whom Discord would ping: who is mentioned and allowed to be."""
        policy = self.env.backend.get_message(message.channel.id, message.id).allowed_mentions
        assert not policy.everyone
        return list(dict.fromkeys(user.name for user in message.mentions if policy.allows_user(user.id)))

    def all_pings(self) -> list[list[str]]:
        """The pings of all posts as they were sent, in order; an edit pings nobody."""
        names = {str(person.user.id): name for name, person in self.people.items()}
        path = f"/channels/{self.channel.id}/messages"
        sent = [each.json for each in self.env.http_requests if each.method == "POST" and each.path == path]
        users = [each["allowed_mentions"].get("users", ()) for each in sent]
        return [[names[str(user)] for user in each] for each in users if each]

    def pictures(self) -> list[bytes]:
        """The posted maps."""
        return [self.env.backend.cdn.get(each.url) for message in self.posts() for each in message.attachments]

    def synced(self) -> list[Mapping[str, Any]]:
        """Each list of commands that Discord was told."""
        requests = self.env.http_requests
        return [each.json for each in requests if each.method == "PUT" and each.path.endswith("/commands")]


def text_of(result: Any) -> str:
    """The private reply to an interaction, in one piece."""
    answers = [result.response, *result.followups]
    assert all(answer.ephemeral for answer in answers)
    return "".join(answer.content for answer in answers)


def buttons(message: Any) -> Iterable[Any]:
    """The buttons and selects of a message."""
    return [item for row in message.components for item in row.children]


def options(command: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """The subcommands, or the options of a command, as Discord is told."""
    return command.get("options", ())
