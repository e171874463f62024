"""The Discord client: opens the database, puts the parts together, registers the commands."""

import asyncio
import hashlib
import json
import logging
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot import backup, error_replies, health, lobby_buttons, logs, prompts, purchase_buttons, replies
from bot.config import Settings
from bot.cooldown import Cooldown
from bot.drawing import Drawing
from bot.emojis import signs
from bot.errors import Unusable
from bot.in_hand import InHand
from bot.keeper import Keeper
from bot.lease import Lease
from bot.outbox import Outbox
from bot.phrases import PLAIN, Language, Phrases, language_of, phrases
from bot.reminders import Reminders
from bot.rows import GameRow
from bot.sender import DiscordSender
from bot.service import Service
from bot.store import Store
from bot.threads import BattleThreads
from bot.translator import CatalogueTranslator
from bot.trouble import Trouble
from rules_core.errors import Refusal, RuleViolation

log = logging.getLogger(__name__)

EXTENSIONS: Final = ("bot.cogs.game", "bot.cogs.galaxy", "bot.cogs.play", "bot.cogs.personal", "bot.cogs.seat")
# The bot never speaks, so nobody need be told what speaking would take.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
# The fact in the database that tells which commands Discord knows.
_SYNCED: Final = "synced_commands"


class DiscordClock:
    """The clock of the Discord library: the machine's, and the stand-in's where there is one."""

    def now(self) -> datetime:
        return discord.utils.utcnow()


class Tree(app_commands.CommandTree["StarpostBot"]):
    """All slash commands: answered privately at once, errors in one place."""

    async def interaction_check(self, interaction: "discord.Interaction[StarpostBot]", /) -> bool:
        # Discord waits three seconds for a first answer, and the first answer decides who sees the reply.
        bot = interaction.client
        if interaction.type is not discord.InteractionType.application_command:
            return True
        if not await replies.took_up(interaction):
            return False
        try:
            bot.admit(interaction, _first_name(interaction))
        except Refusal as refusal:
            await error_replies.reply_to(interaction, refusal)
            return False
        bot.in_hand.take()
        bot.something_happened = True
        return True

    async def on_error(
        self, interaction: "discord.Interaction[StarpostBot]", error: app_commands.AppCommandError, /
    ) -> None:
        await error_replies.reply_to(interaction, error)


# After how many seconds one thread lets another in.
SWITCH_EVERY: Final = 0.001


class StarpostBot(commands.AutoShardedBot):
    """The bot. What it keeps is in `store`; what it does is in `service`; what it says in public goes to `outbox`."""

    lease: Lease
    store: Store
    service: Service
    outbox: Outbox

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=Tree,
            **_shards(settings),
        )
        # Whoever computes in a thread (odds above all) is to let the bot in between much sooner than is usual.
        sys.setswitchinterval(SWITCH_EVERY)
        self.drawing = Drawing()
        self.in_hand = InHand()
        self.cooldown = Cooldown()
        self.signs = PLAIN
        self.clock = DiscordClock()
        # Whom Discord said to be on a server, and when.
        self.members: dict[tuple[int, int], tuple[bool, datetime]] = {}
        self._settings = settings
        # Each minute the database is looked into only if there can be something to do; after a restart there can.
        self._left_over = True
        self.something_happened = True
        self._due: datetime | None = None

    async def login(self, token: str) -> None:
        # A database that cannot be used is told before Discord is asked anything; two bots would answer everything
        # twice, so one that has not the lease neither looks into the database nor logs in.
        database = self._settings.database
        self.lease = await Lease.wait(database) if self._settings.standby else Lease.take(database)
        self.store = await Store.open(self._settings.database)
        await super().login(token)

    async def setup_hook(self) -> None:
        await self.store.try_again()
        self.service = Service(self.store, self.clock, self._wake)
        self.keeper = Keeper(self)
        self.trouble = Trouble(self)
        self.threads = BattleThreads(self)
        self.outbox = Outbox(self.store, DiscordSender(self), self.clock, self.keeper.tidy)
        self._reminders = Reminders(self.service, self.clock)
        self.add_dynamic_items(*prompts.ITEMS, *lobby_buttons.ITEMS, *purchase_buttons.ITEMS)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        await self.tree.set_translator(CatalogueTranslator())
        await self._sync()
        self._each_minute.start()
        if self._settings.emojis:
            self._learn_signs.start()

    async def close(self) -> None:
        await self.in_hand.finish()
        self._each_minute.cancel()
        self._learn_signs.cancel()
        if hasattr(self, "outbox"):
            await self.outbox.close()
        await super().close()
        if hasattr(self, "store"):
            await self.store.close()
        if hasattr(self, "lease"):
            self.lease.release()

    def admit(self, interaction: discord.Interaction, command: str = "") -> None:
        """Refuses what comes after a stop has begun, and what comes too often; `command`: what a press amounts to."""
        self.in_hand.check()
        self.cooldown.ask(command, interaction.user.id, interaction.channel_id or 0)

    async def reader(self, interaction: discord.Interaction) -> Phrases:
        """The words for who reads the private answer: his own setting, else what Discord says."""
        own = await self.store.language_of(interaction.user.id)
        language: Language = "ko" if own == "ko" else "en" if own else language_of(str(interaction.locale))
        return phrases(language)

    async def game_shown(self, interaction: discord.Interaction) -> GameRow:
        """The game of the channel to look at, also one that has ended; refused if there is none."""
        return await self.service.last_game_in(interaction.channel_id or 0)

    async def game_here(self, interaction: discord.Interaction) -> GameRow:
        """The game of the channel, in a thread without one that of its channel; refused if there is none."""
        here = interaction.channel
        if isinstance(here, discord.Thread) and await self.store.game_in(here.id) is None:
            return await self.service.game_in(here.parent_id)
        return await self.service.game_in(interaction.channel_id or 0)

    async def game_pressed(self, interaction: discord.Interaction, number: str) -> GameRow:
        """The game that a button names; refused where it is not played, for its number there can be another game's."""
        channel = interaction.channel
        here = (interaction.channel_id, channel.parent_id if isinstance(channel, discord.Thread) else None)
        found = [row for row in await self.store.games_in(here) if str(row.id) == number]
        if not found:
            raise RuleViolation("decision_is_over")
        return found[0]

    # ---- posts

    def _wake(self, channel: int) -> None:
        self._left_over = self.something_happened = True
        self.outbox.wake(channel)

    @tasks.loop(count=1)
    async def _learn_signs(self) -> None:
        """Until the emojis are there, and where there are none, texts are plain."""
        self.signs = await signs(self)

    @tasks.loop(minutes=1)
    async def _each_minute(self) -> None:
        """Sends what is left over, after a restart or a failure of Discord, and reminds where it is time to."""
        if self._left_over:
            await self.outbox.drain()
            self._left_over = bool(await self.store.posts.owed_channels())
        now = self.clock.now()
        if self.something_happened or (self._due is not None and self._due <= now):
            self.something_happened = False
            await self._reminders.tick()
            self._due = await self._reminders.next_moment()
        await self._back_up()
        if self._settings.health is not None and not any(shard.is_closed() for shard in self.shards.values()):
            health.write(self._settings.health, now, self.latency, len(await self.store.posts.owed_channels()))

    async def _back_up(self) -> None:
        settings, now = self._settings, self.clock.now()
        if settings.backups is None or not backup.is_due(settings, now):
            return
        try:
            made = await asyncio.to_thread(backup.into, settings.backups, settings.database, now, settings.backups_kept)
        except Unusable as error:  # the bot goes on without; it is tried again next minute
            log.error("no backup: %s", error)
        else:
            log.info("backup: %s", made)

    @_each_minute.error
    async def _go_on(self, error: BaseException) -> None:
        log.error("what is due each minute failed", exc_info=error)
        self._each_minute.restart()

    @_each_minute.before_loop
    async def _until_ready(self) -> None:
        await self.wait_until_ready()

    # ---- commands

    async def _sync(self) -> None:
        """Tells Discord the commands, if they are not what it was told last."""
        translator = self.tree.translator
        assert translator is not None, "set before"
        payload = [await each.get_translated_payload(self.tree, translator) for each in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        if digest == await self.store.fact(_SYNCED):
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            # Games go on with the commands that Discord knows; the next start tells it again.
            log.error("the commands could not be registered: %s", error)
            return
        await self.store.set_fact(_SYNCED, digest)
        log.info("%s commands were registered", len(payload))


def _shards(settings: Settings) -> dict[str, Any]:
    """Which shards the client serves; without any it asks Discord how many there should be."""
    return {} if settings.shards is None else {"shard_ids": [*settings.shards], "shard_count": settings.of}


def _first_name(interaction: discord.Interaction) -> str:
    """The name of a command, or of the group that it is in."""
    return "" if interaction.command is None else interaction.command.qualified_name.split()[0]


def create_bot(settings: Settings) -> StarpostBot:
    """The bot with these settings, not yet connected."""
    return StarpostBot(settings)


def run(settings: Settings) -> int:
    """`starpost run`: the bot on Discord until it is interrupted; raises Unusable for what it cannot start with."""
    if not settings.token:
        raise Unusable("DISCORD_TOKEN: no token is set, in the environment or in the file .env (see .env.example)")
    try:
        asyncio.run(_serve(settings))
    except KeyboardInterrupt:
        log.info("interrupted")
    return 0


async def _serve(settings: Settings) -> None:
    async with create_bot(settings) as bot:
        try:
            await bot.login(settings.token)
        except discord.LoginFailure as error:
            raise Unusable("DISCORD_TOKEN: Discord refuses this token; make a new one on the page Bot") from error
        except aiohttp.ClientConnectionError as error:
            raise Unusable(f"Discord cannot be reached: {error}") from error
        # Not before: what the bot cannot start with is one line and nothing else.
        logs.set_up(settings)
        async with _stopped_in_order(bot):
            await bot.connect()


@asynccontextmanager
async def _stopped_in_order(bot: StarpostBot) -> AsyncIterator[None]:
    """SIGTERM lets the bot finish what is in hand and close; what is inside then ends."""
    loop, stops = asyncio.get_running_loop(), list[asyncio.Task[None]]()
    if sys.platform != "win32":
        loop.add_signal_handler(signal.SIGTERM, lambda: stops.append(loop.create_task(bot.close())))
    yield
    await asyncio.gather(*stops)
