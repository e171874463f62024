"""From an empty server to a finished small game: a referee, three players, three rounds, in both languages.

What is said is not compared word by word here (the catalogues are tested elsewhere), but every answer and every post is
read: none is a refusal that was not meant, none is in the other language.
"""

import re

import pytest

from bot.phrases import phrases
from rules_core.history import REFEREE
from tests.discord.tools import Table, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)
PLAYERS = ("red", "blue", "yellow")


class Story:
    """What people do, and what they are told."""

    def __init__(self, table: Table, language: str) -> None:
        self.table = table
        self.words = phrases("ko" if language == "ko" else "en")
        self.told: list[str] = []

    async def use(self, who: str, command: str, **options: object) -> str:
        """A command that must be followed."""
        answer = await self.table.use(who, command, **options)
        self.told.append(answer)
        return answer

    async def press(self, who: str, label: str) -> str:
        """The button of the newest post that has one with this label."""
        for post in reversed(self.table.posts()):
            if any(item.label == label for row in post.components for item in row.children if hasattr(item, "label")):
                answer = text_of(await self.table.people[who].click(post, label=label))
                self.told.append(answer)
                return answer
        raise LookupError(label)

    async def round(self, first: str = "") -> None:
        """A round in which `first` sends what he can to a neighbour and everybody else passes."""
        while (phase := (await self.table.state()).phase) is not None:
            if phase.player == first:
                await self._sally(first)
            await self.use(REFEREE, "referee skip", reason="passes by telephone")
        assert self.words.say("summary.round", round=(await self.table.state()).round) in self.table.posts()[-1].content

    async def _sally(self, player: str) -> None:
        state = await self.table.state()
        ship = next(ship for ship in state.ships.values() if ship.owner == player and ship.kind == "cruiser")
        to = next(at for at in await self.table.suggested(player, "move", "to", from_=ship.at, units="cruiser"))
        await self.use(player, "move", units="cruiser", from_=ship.at, to=to.split()[0])
        await self.use(player, "undo")
        await self.use(player, "redo")


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_a_whole_game(table: Table, language: str) -> None:
    for who in (*PLAYERS, REFEREE):
        await table.use(who, "language", language=language)
    story = Story(table, language)
    words = story.words

    # The lobby.
    await story.use(REFEREE, "game create", name="Three rounds", seats=3)
    await story.press("red", words.say("lobby_button.join"))
    await story.use("blue", "game join", race="white", name="Moonfolk" if language == "en" else "달무리단")
    await story.press("yellow", words.say("lobby_button.join"))
    await story.use(REFEREE, "galaxy generate", seed="three")
    await story.use(REFEREE, "game settings", option="lone_fighters", value="ignore")
    await story.use(REFEREE, "referee settings", victory="power", goal=3)
    await story.use("red", "game words", words="하나 둘 셋")
    await story.use(REFEREE, "game start")
    state = await table.state()
    seats = {
        seat.user: seat.key
        for seat in await table.bot.store.seats((await table.bot.service.game_in(table.channel.id)).id)
    }
    keys = {who: seats[table.people[who].user.id] for who in PLAYERS}
    # From now on everybody is called as the seat that he was dealt.
    table.people |= {keys[who]: person for who, person in table.people.copy().items() if who in keys}
    assert keys["blue"] == "white"
    assert not re.search("[가-힣]", "".join(state.planets)) or language == "ko"

    # Round 1, and what is settled after it.
    await story.round(first=keys["red"])
    for key in keys.values():
        home = next(p for p in (await table.state()).planets.values() if p.owner == key and p.space_dock)
        await story.use(key, "build", units="1 ground force", planet=home.name)
    assert len((await table.state()).purchases) == 3
    await story.use("white", "ledger")
    await story.use(REFEREE, "referee accept")
    assert not (await table.state()).purchases
    await story.use(REFEREE, "referee technology", player="white", name="cybernetics", reason="a vote")
    await story.use(REFEREE, "referee order", players="white", reason="a vote")
    await story.use(REFEREE, "referee next-round")
    assert (await table.state()).phase.player == "white"

    # Round 2: a pause, a copy to try things, somebody's mistake.
    await story.use(REFEREE, "referee pause")
    await table.restart()
    await story.use(REFEREE, "referee resume")
    await story.use("white", "game copy", to=table.guild.create_text_channel("try"))
    await story.use(REFEREE, "referee act", player="white", command_="/done", reason="on the way")
    await story.use(REFEREE, "referee return", player="white", reason="too early")
    await story.round()
    await story.use(REFEREE, "referee next-round")

    # Round 3 and the end.
    await story.use(REFEREE, "referee power", player="white", amount=40)
    await story.round()
    name = (await table.state()).player("white").race
    referee = table.people[REFEREE].user.mention
    assert words.say("summary.won", players=(name,), referee=referee) in table.posts()[-1].content
    await story.use(REFEREE, "game end")
    last = table.posts()[-1].content
    assert words.say("summary.winner", players=(name,)) in last
    assert words.say("summary.look") in last
    await story.use("white", "map", step=1)
    await story.use("white", "game verify")

    # Nothing in the other language, and nothing that went wrong.
    told = [*story.told, *(post.content for post in table.posts())]
    assert not [text for text in told if "error" in text.casefold()]
    for text in told:
        assert bool(re.search("[가-힣]", text)) == (language == "ko") or "하나 둘 셋" in text, text
