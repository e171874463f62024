"""From an empty server to a finished small game: a referee, three players, three rounds, in both languages.

All that anybody was told is kept beside this file and read: `python -m tests.discord.test_whole_game` writes it anew.
"""

import asyncio
import hashlib
import re
import secrets
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final
from unittest.mock import patch

import pytest
import simcord

import discord
from bot.client import create_bot
from bot.config import Settings
from bot.phrases import LANGUAGES, Language, phrases
from rules_core.history import REFEREE
from rules_core.state import Planet
from rules_core.units import Kind
from tests.discord.tools import Table, buttons, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)

FOLDER: Final = Path(__file__).parent / "transcripts"
# Chosen so that White has the battle and the landing, and must choose what he loses.
SECRET: Final = hashlib.sha256(b"whole game 6").digest()
# What a refusal ends with: for which table it was made.
FOOTER: Final = "\n-# "
_SIGN: Final = re.compile(r"<:sp_(\w+):\d+>")
# Homes, what lies between them, and the two ends of the wormhole.
RED, BLUE, WHITE, OUTPOST, BESIDE_BLUE, NEAR, FAR = "301", "307", "313", "201", "306", "212", "312"


class Story:
    """What people do, and what everybody is told."""

    def __init__(self, table: Table, language: Language) -> None:
        self.table = table
        self.words = phrases(language)
        self.told: list[str] = []
        self._seen: dict[int, str] = {}

    # ---- what people do

    async def use(self, who: str, command: str, **options: object) -> str:
        """A command that must be followed."""
        answer = await self.table.use(who, command, **options)
        typed = " ".join(f"{name.removesuffix('_')}:{value}" for name, value in options.items())
        self._tell(f"> {who}: /{command} {typed}".rstrip(), answer)
        return answer

    async def press(self, who: str, label: str) -> discord.Message:
        """The button with this label in the newest post that has one."""
        for post in reversed(self.table.posts()):
            if any(getattr(item, "label", "") == label for item in buttons(post)):
                return await self.press_in(who, post, label)
        raise LookupError(label)

    async def press_in(self, who: str, message: discord.Message, label: str) -> discord.Message:
        result = await self.table.people[who].click(message, label=label)
        self._tell(f"> {who}: [{label}]", text_of(result))
        return result.response

    def _tell(self, did: str, answer: str) -> None:
        assert FOOTER not in answer, f"{did}\n{answer}"
        self.told += [did, answer]
        for post in self.table.posts():
            if self._seen.get(post.id) != post.content:
                edited = post.id in self._seen
                self._seen[post.id] = post.content
                labels = " ".join(f"[{getattr(item, 'label', '')}]" for item in buttons(post))
                self.told += [
                    f"=== {'edited' if edited else 'post'}, {len(post.attachments)} map",
                    post.content,
                    labels,
                ]

    def units(self, kinds: Mapping[Kind, int]) -> str:
        return self.words.counts(kinds)

    def carrier(self, number: int) -> str:
        return self.words.numbered(Kind.CARRIER, number)

    async def planets(self, at: str) -> tuple[Planet, ...]:
        return tuple((await self.table.state()).planets_at(at))

    async def round(self, acts: Mapping[str, Callable[[], Awaitable[None]]]) -> str:
        """Each of the players acts when it is his turn; gives the summary."""
        while (phase := (await self.table.state()).phase) is not None:
            await acts[phase.player]()
            after = (await self.table.state()).phase
            assert after is None or after.player != phase.player, "his phase has not ended"
        summary = self.table.posts()[-1].content
        assert self.words.say("summary.round", round=(await self.table.state()).round) in summary
        return summary

    async def done(self, player: str) -> None:
        """`/done`, and yes to what it asks: the end of movement, or of the phase if that is left."""
        self._tell(f"> {player}: /done", await self.table.finish(player))

    async def pass_by(self, player: str) -> None:
        """Both steps of a phase in which nothing is wanted."""
        while (phase := (await self.table.state()).phase) is not None and phase.player == player:
            await self.done(player)

    async def load(self, player: str, at: str, number: int) -> None:
        home = next(planet for planet in await self.planets(at) if planet.space_dock)
        units = self.units({Kind.GROUND_FORCE: number})
        await self.use(player, "load", at=at, carrier=self.carrier(1), planet=home.name, units=units)

    async def land(self, player: str, at: str, *numbers: int) -> None:
        """So many ground forces on each planet of a system, by its order."""
        for planet, number in zip(await self.planets(at), numbers, strict=False):
            await self.use(player, "land", planet=planet.name, units=self.units({Kind.GROUND_FORCE: number}))
        await self.use(player, "invade")

    # ---- round 1: everybody spreads out

    async def red_settles(self) -> None:
        await self.load("red", RED, 2)
        await self.use("red", "move", units=self.carrier(1), from_=RED, to=OUTPOST)
        await self.use("red", "move", units=self.units({Kind.CRUISER: 2}), from_=RED, to=NEAR)
        await self.use("red", "undo")
        await self.use("red", "redo")
        await self.done("red")
        await self.land("red", OUTPOST, 1, 1)

    async def blue_settles(self) -> None:
        await self.load("blue", BLUE, 2)
        await self.use("blue", "move", units=self.carrier(1), from_=BLUE, to=BESIDE_BLUE)
        await self.done("blue")
        await self.land("blue", BESIDE_BLUE, 1)

    async def white_sets_out(self) -> None:
        await self.load("white", WHITE, 3)
        await self.use("white", "move", units=self.words.say("all"), from_=WHITE, to=FAR)
        await self.done("white")

    # ---- round 2: a battle

    async def red_attacks(self) -> None:
        await self.use("red", "move", units=self.carrier(1), from_=OUTPOST, to=RED)
        await self.use("red", "move", units=self.units({Kind.CRUISER: 2}), from_=NEAR, to=FAR)
        await self.done("red")
        fighter = self.units({Kind.FIGHTER: 1})
        while (phase := (await self.table.state()).phase) is not None and phase.player == "red":
            await self.press("white", self.words.say("button.losses", units=fighter))

    async def white_comes_through(self) -> None:
        await self.use("white", "move", units=self.words.say("all"), from_=FAR, to=NEAR)
        await self.done("white")

    async def blue_waits(self) -> None:
        await self.pass_by("blue")

    # ---- round 3: a bombardment and landings

    async def white_lands(self) -> None:
        await self.use("white", "move", units=self.words.say("all"), from_=NEAR, to=OUTPOST)
        await self.done("white")
        first, _ = await self.planets(OUTPOST)
        await self.use("white", "bombard", planet=first.name)
        await self.land("white", OUTPOST, 1, 2)

    async def red_waits(self) -> None:
        await self.pass_by("red")

    # ---- all of it

    async def play(self) -> None:
        """From the empty channel to the end."""
        table, words = self.table, self.words
        for who in ("red", "white", "blue", REFEREE):
            await table.use(who, "language", language=words.language)
        await self.use(REFEREE, "game create", name="Three rounds" if words.language == "en" else "세 라운드", seats=3)
        await self.press("red", words.say("lobby_button.join"))
        await self.use(
            "white",
            "game join",
            race=words.say("colour.white"),
            name="Moonfolk" if words.language == "en" else "달무리단",
        )
        await self.press("blue", words.say("lobby_button.join"))
        await self.use(REFEREE, "galaxy generate", seed="three")
        await self.use(REFEREE, "game settings", option="lone_fighters", value="ignore")
        await self.use(REFEREE, "referee settings", victory="power", goal=3)
        await self.use("red", "game words", words="1 2 3")
        await self.use(REFEREE, "game start")

        await self.round({"red": self.red_settles, "blue": self.blue_settles, "white": self.white_sets_out})
        await self.buy()
        await self.use(REFEREE, "referee next-round")

        await self.round({"red": self.red_attacks, "blue": self.blue_waits, "white": self.white_comes_through})
        home = next(planet for planet in await self.planets(RED) if planet.space_dock)
        await self.use("red", "build", units=self.units({Kind.GROUND_FORCE: 1}), planet=home.name)
        await self.use(REFEREE, "referee accept", number=1)
        await self.use(REFEREE, "referee next-round")
        await table.restart()

        await self.round({"red": self.red_waits, "blue": self.blue_waits, "white": self.white_lands})
        asked = await self.press(REFEREE, words.say("lobby_button.end"))
        await self.press_in(REFEREE, asked, words.say("lobby_button.end_now"))
        await self.use("white", "map", step=1)
        await self.use("blue", "game verify")

    async def buy(self) -> None:
        """What is proposed after round 1, what the referee says to it, what he corrects and why."""
        for player, at, kind in (
            ("red", RED, Kind.FIGHTER),
            ("blue", BLUE, Kind.GROUND_FORCE),
            ("blue", BLUE, Kind.GROUND_FORCE),
        ):
            dock = next(planet for planet in await self.planets(at) if planet.space_dock)
            await self.use(player, "build", units=self.units({kind: 1}), planet=dock.name)
        await self.use("white", "research", name=self.words.say("technology.cybernetics"), cost=3)
        await self.use("white", "ledger")
        await self.use(REFEREE, "referee refuse", number=3)
        await self.use(REFEREE, "referee accept")
        reason = "a vote of the senate" if self.words.language == "en" else "원로원의 표결"
        fighters = self.units({Kind.FIGHTER: 2})
        await self.use(REFEREE, "referee place", units=fighters, at=FAR, player="white", reason=reason)
        await self.use(REFEREE, "referee order", players="red", reason=reason)


async def transcript(table: Table, language: Language) -> str:
    """What everybody did and was told; the same each time, for nothing is left to chance. Users by name."""
    table.people = {"white" if name == "yellow" else name: person for name, person in table.people.items()}
    story = Story(table, language)
    with patch.object(secrets, "token_bytes", lambda _: SECRET), patch.object(secrets, "choice", lambda of: of[0]):
        await story.play()
    text = "\n".join(filter(None, story.told))
    for name, person in table.people.items():
        text = text.replace(person.user.mention, f"@{name}")
    return _SIGN.sub(r":\1:", text) + "\n"


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_whole_game(table: Table, language: Language) -> None:
    text = await transcript(table, language)
    # Nothing in the other language.
    said = [line for line in text.splitlines() if line[0] not in ">=" and re.search("[a-z가-힣]{3}", line)]
    for line in said:
        assert bool(re.search("[가-힣]", line)) == (language == "ko"), line
    assert text.splitlines() == (FOLDER / f"whole.{language}.txt").read_text(encoding="utf-8").splitlines()


async def _write(language: Language) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=Path(folder) / "starpost.db", shards=(0,), of=1)
        async with simcord.run(create_bot(settings), settle_timeout=60) as env:
            try:
                text = await transcript(Table(env, settings), language)
            finally:
                await env.bot.close()
    (FOLDER / f"whole.{language}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in LANGUAGES:
        asyncio.run(_write(each))
