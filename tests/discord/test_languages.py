"""Both languages: what is public in the game's, what is private in the reader's."""

from typing import Any

import pytest

from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


def is_korean(text: str) -> bool:
    return any("가" <= char <= "힣" for char in text)


def speak_korean(table: Table, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """These people have set their Discord to Korean; the stand-in itself says English of everybody."""
    users = {str(table.people[name].user.id) for name in names}
    emit = table.env.backend.emit

    def spoken(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE" and payload["member"]["user"]["id"] in users:
            payload = {**payload, "locale": "ko"}
        emit(event, payload)

    monkeypatch.setattr(table.env.backend, "emit", spoken)


async def test_private_replies_follow_the_reader(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_korean(game, monkeypatch, "blue", "yellow")
    assert is_korean(await game.use("blue", "order"))
    assert not is_korean(await game.use("red", "order"))
    # What he set goes before what Discord says, for all his games, and after a restart too.
    await game.use("yellow", "language", language="en")
    assert is_korean(await game.use("red", "language", language="ko"))
    await game.restart()
    assert not is_korean(await game.use("yellow", "order"))
    assert is_korean(await game.use("red", "order"))
    assert is_korean(await game.use("red", "done"))
    assert not any(is_korean(post.content) for post in game.posts())


async def test_a_korean_game_is_korean_for_everybody(table: Table) -> None:
    await table.begin(language="ko")
    await table.to_losses()
    assert all(is_korean(post.content) for post in table.posts())
    labels = [getattr(item, "label", None) or item.placeholder for item in buttons(table.posts()[-1])]
    assert all(map(is_korean, labels))
    # The reader is English; the buttons in his own reply are too.
    answer = await table.use("red", "losses", units="2 fighters")
    assert not is_korean(answer)
    assert table.posts()[-1].attachments == []


async def test_the_language_of_a_new_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.use(REFEREE, "game create", language="ko")
    assert is_korean(table.posts()[-1].content)
    await table.use(REFEREE, "game end")
    await table.use(REFEREE, "language", language="ko")
    await table.use(REFEREE, "game create")
    assert is_korean(table.posts()[-1].content)


async def test_units_and_refusals_in_korean(game: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_korean(game, monkeypatch, "red", "blue")
    assert "순양함 2척" in await game.suggested("red", "move", "units", from_="202")
    assert "웜홀" in await game.use("red", "move", units="순양함 2척", from_="202", to="105")
    assert "개인 상황이 아닙니다" in await game.use("blue", "done")
    assert is_korean(await game.use("red", "move", units="순양함 두 대", from_="없는 곳", to="105"))
    assert is_korean("".join(await game.suggested("blue", "land", "planet")))
    assert is_korean(await game.use("red", "rules", clause="3.52.3-a"))
