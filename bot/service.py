"""What can be done with a game: the one use case is to lock it, load it, decide, append, hand out.

No Discord and no words here. What belongs to one idea has a part of its own, under its name.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace

from bot.agreed import Agreed, agreed_text, read_agreed
from bot.beginning import beginning
from bot.book import Book
from bot.clock import Clock
from bot.drafts import Drafts
from bot.happening import GAME, Game, Happening, nothing, waits_of
from bot.past import Past
from bot.phrases import Language
from bot.rows import GameRow
from bot.sealed import sealed_dice
from bot.seating import Seating
from bot.store import ChannelTaken, Store
from bot.texts import orders_text
from bot.undoing import Undoing
from bot.waiting import Waiting
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.decide import decide
from rules_core.dice import SECRET_BYTES, Dice
from rules_core.errors import RuleViolation
from rules_core.game_file import GameFile
from rules_core.history import REFEREE
from rules_core.state import StandingOrders, State


class Service(Book):
    """The book of all games with what can be done in them: playing, and beginning and ending a game, here."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        wake: Callable[[int], None],
        dice: Callable[[GameRow], Dice] = sealed_dice,
    ) -> None:
        super().__init__(store, clock, wake, dice)
        self.past = Past(self)
        self.plans = Drafts(self)
        self.undoing = Undoing(self)
        self.seating = Seating(self)
        self.waiting = Waiting(self)

    # ---- which game

    async def game_in(self, channel: int) -> GameRow:
        """The game that is played in a channel; refused if there is none."""
        found = await self.store.game_in(channel)
        if found is None:
            raise RuleViolation("no_game_here")
        return found

    async def last_game_in(self, channel: int) -> GameRow:
        """The game that is or was played in a channel last; refused if there was none."""
        found = await self.store.last_game_in(channel)
        if found is None:
            raise RuleViolation("no_game_here")
        return found

    # ---- playing

    async def execute(
        self,
        game: int,
        actor: str,
        build: Callable[[State], cmd.Command],
        at: int | None = None,
        declares: bool = False,
    ) -> Happening:
        """Follows the command that `build` makes of the state; raises its refusal, and then nothing has changed.

        `at`: the last event of the table that the command was made for, if it is good for no other. `declares`: it is
        one of the invasion step, and goes into a plan as it would be given then.
        """
        async with self.lock(game):
            now = await self.load_running(game)
            if at not in (None, now.row.head):
                raise RuleViolation("table_changed")
            if (plan := await self.plans.of(now, actor)) is not None and plan.is_open(now.state):
                return await self.plans.add(now, actor, plan, build, declares)
            command = build(now.state)
            if actor == REFEREE and isinstance(command, cmd.PlayerCommand):
                await self.seating.check_vacant(game, command.player)
            return await self._follow(now, actor, command)

    async def act_for(
        self, game: int, player: str, build: Callable[[State], cmd.Command], reason: str = ""
    ) -> Happening:
        """Follows a command of `player` that the referee gives; the log says so."""
        async with self.lock(game):
            now = await self.load_running(game)
            command = build(now.state)
            _check_authority(player, command)
            events = decide(now.state, command, self.dice_of(now.row))
            return await self.write(now, REFEREE, command, (ev.RefereeActed(player, reason), *events))

    async def _follow(self, now: Game, actor: str, command: cmd.Command) -> Happening:
        _check_authority(actor, command)
        events = decide(now.state, command, self.dice_of(now.row))
        return await self.write(now, actor, command, events) if events else nothing(now, actor)

    async def set_standing(self, game: int, player: str, change: Callable[[State], StandingOrders]) -> StandingOrders:
        """Sets the standing orders of a seat: private, no event, never undone."""
        async with self.lock(game):
            now = await self.load(game)
            orders = change(now.state)
            await self.store.set_standing(game, player, orders_text(orders))
            self.keep(replace(now, state=replace(now.state, standing={**now.state.standing, player: orders})))
            return orders

    async def agree_on(self, game: int, change: Callable[[Agreed], Agreed]) -> Agreed:
        """Changes what the table has agreed on beside the rules."""
        async with self.lock(game):
            agreed = change(read_agreed((await self.store.game(game)).settings))
            await self.store.set_settings(game, agreed_text(agreed))
            self.forget(game)
            return agreed

    async def winners(self, game: int) -> tuple[str, ...]:
        """Who has won by what the table agreed on, as the game stands now."""
        now = await self.load(game)
        return await self.won(now.row, now.state)

    # ---- beginning and ending games

    async def create(
        self, guild: int, channel: int, language: Language, referee: int, file: GameFile, secret: bytes | None = None
    ) -> GameRow:
        """A new game in the lobby of a channel, with the log that came with it; refused if the channel has one."""
        row = GameRow(
            id=0,
            guild=guild,
            channel=channel,
            name=file.start.name,
            language=language,
            referee=referee,
            status="lobby",
            secret=secret or secrets.token_bytes(SECRET_BYTES),
            created=self.time(),
            head=0,
            rolled=0,
            chain="",
        )
        try:
            return await self.store.create_game(*beginning(row, file, {}, self.time()))
        except ChannelTaken as error:
            raise RuleViolation("channel_has_a_game") from error

    async def set_up(self, game: int, file: GameFile, holders: Mapping[str, int]) -> None:
        """Another beginning for a game in the lobby; `holders`: the users who have seats in it."""
        async with self.as_one(game):
            row = await self.store.game(game)
            if row.status != "lobby":
                raise RuleViolation("already_started")
            given, before = json.loads(row.words), await self.store.seats(game)
            own = {seat.user: given[seat.key] for seat in before if seat.user is not None and seat.key in given}
            await self.store.set_up_game(*beginning(row, file, holders, self.time()))
            self.forget(game)
            # Words go with the user, whatever his seat is called now.
            words = {key: own[user] for key, user in holders.items() if user in own}
            await self.seating.keep_words(await self.load(game), words)

    async def start(self, game: int) -> Happening:
        """Opens the game: whoever is first by political power begins."""
        async with self.as_one(game):
            now = await self.load(game)
            if now.row.status != "lobby":
                raise RuleViolation("already_started")
            await self.seating.keep_words(now, json.loads(now.row.words))
            opened = await self._follow(await self.load(game), GAME, cmd.Begin())
            await self.store.wait_for(game, waits_of(opened.after), self.time())
            await self.store.set_status(game, "running")
            if not opened.events:
                await self.tell_how_it_stands(game)
            return opened

    async def rebind(self, game: int, channel: int) -> None:
        """Moves a game to another channel; what is owed goes there, and it is told there how the game stands."""
        async with self.as_one(game):
            try:
                await self.store.set_channel(game, channel)
            except ChannelTaken as error:
                raise RuleViolation("channel_has_a_game") from error
            await self.tell_how_it_stands(game)

    async def reveal(self, game: int) -> None:
        """Makes the secret of the dice public, for good: what will be rolled can be known from then on."""
        async with self.lock(game):
            await self.store.reveal(game)
            self.forget(game)

    async def end(self, game: int) -> None:
        """Ends a game: its channel is free for another, its secret is public."""
        async with self.lock(game):
            await self.store.set_status(game, "ended")
            self.forget(game)


def _check_authority(actor: str, command: cmd.Command) -> None:
    """Nobody commands another's units, and only the referee edits."""
    if isinstance(command, cmd.Begin):
        allowed: tuple[str, ...] = (GAME,)
    else:
        allowed = (command.player, REFEREE) if isinstance(command, cmd.PlayerCommand) else (REFEREE,)
    if actor not in allowed:
        raise RuleViolation("not_yours_to_command")
