"""The emojis of the application: icons of units and faces of dice, uploaded once, used in posts."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import discord

from bot.phrases import Signs, die_sign, unit_sign
from renderer.emoji import die_emoji, unit_emoji
from rules_core.dice import FACES
from rules_core.units import Kind

log = logging.getLogger(__name__)

PICTURES: Final[Mapping[str, Callable[[], bytes]]] = {
    **{unit_sign(kind): partial(unit_emoji, kind) for kind in Kind},
    **{die_sign(face, hit): partial(die_emoji, face, hit) for face in range(1, FACES + 1) for hit in (True, False)},
}


async def signs(client: discord.Client) -> Signs:
    """The emojis that the application has, after those that were missing are uploaded; what fails stays plain text."""
    there: dict[str, str] = {}
    try:
        there = {emoji.name: str(emoji) for emoji in await client.fetch_application_emojis()}
        for name, picture in PICTURES.items():
            if name not in there:
                there[name] = str(await client.create_application_emoji(name=name, image=picture()))
    except discord.HTTPException as error:
        log.warning("some emojis could not be uploaded, what they would show stays plain text: %s", error)
    return Signs({name: there[name] for name in PICTURES if name in there})
