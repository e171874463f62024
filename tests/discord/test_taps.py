"""A round by taps alone, in both languages: somebody who taps on whatever is offered comes to its end."""

import random
from itertools import count
from typing import Any

import pytest

from bot.cooldown import Cooldown
from bot.phrases import LANGUAGES
from rules_core.pending import decisions
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)

# What shows something or goes back leads nowhere.
_IDLE = (":undo", ":map", ":since", ":help", ":odds")
_MOST_TAPS = 800
_GIVES_UP = 0.1


class Tapper:
    """One who taps at random on what the last message to him, or to all, offers; he types nothing."""

    def __init__(self, table: Table, who: str, chance: random.Random) -> None:
        self.person = table.people[who]
        self.table = table
        self.chance = chance
        self.shown: Any = None

    async def tap(self) -> None:
        # By chance alone he would tap ships on and off for ever: now and then he begins anew.
        if self.chance.random() < _GIVES_UP:
            self.shown = None
        message = self.shown or self._asked()
        items = [item for item in buttons(message) if not (item.custom_id or "").endswith(_IDLE)]
        item = self.chance.choice(items)
        options = [option.value for option in getattr(item, "options", ())]
        if options:
            wanted = [self.chance.choice(options)]
            result = await self.person.select(message, wanted, custom_id=item.custom_id)
        else:
            result = await self.person.click(message, custom_id=item.custom_id)
        # A refusal comes below the list: then he looks at what is asked.
        answer = [result.response, *result.followups][-1].message
        self.shown = answer if buttons(answer) else None

    def _asked(self) -> Any:
        """The latest message in public that asks."""
        asking = [post for post in self.table.posts() if any("starpost:" in i.custom_id for i in buttons(post))]
        return asking[-1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_round_by_taps_alone(table: Table, language: str, seed: int) -> None:
    await table.begin(language=language)
    # Nobody taps as fast as this test: for the bot a second passes each time it looks.
    table.bot.cooldown = Cooldown(count().__next__)
    for who in ("red", "blue", "yellow"):
        await table.use(who, "language", language=language)
    chance = random.Random(seed)
    people = {who: Tapper(table, who, chance) for who in ("red", "blue", "yellow")}
    for _ in range(_MOST_TAPS):
        state = await table.state()
        if state.phase is None:
            break
        waiting = chance.choice(decisions(state)).player
        for who, tapper in people.items():
            if who != waiting:
                tapper.shown = None
        await people[waiting].tap()
    state = await table.state()
    assert all(player.acted or player.eliminated for player in state.players)
    assert state.phase is None
    assert not any("starpost:m:" in (item.custom_id or "") for post in table.posts() for item in buttons(post))
