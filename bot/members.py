"""Who is on a server: asked of Discord when it matters, for the bot is told of nobody's coming and going."""

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import discord

if TYPE_CHECKING:
    from bot.client import StarpostBot

# So long an answer is good: a ping costs no request each time.
GOOD_FOR: Final = timedelta(minutes=10)


async def is_member(bot: "StarpostBot", guild: int, user: int) -> bool:
    """Whether a user is on a server now."""
    known = bot.members.get((guild, user))
    if known is not None and bot.clock.now() - known[1] < GOOD_FOR:
        return known[0]
    server = bot.get_guild(guild)
    if server is None:
        return True  # not to be asked just now; whoever it is may be there
    try:
        await server.fetch_member(user)
        here = True
    except discord.NotFound:
        here = False
    except discord.Forbidden:
        return True  # who may not be asked about may be there
    bot.members[guild, user] = here, bot.clock.now()
    return here
