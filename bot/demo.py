"""`starpost demo`: the real bot on a local stand-in of Discord, looked at in the browser."""

import argparse
import asyncio
import contextlib
import logging

import discord

from bot.phrases import phrases


def main(parsed: argparse.Namespace) -> int:
    """Runs the demo until it is left, or the prepared round; gives the exit code."""
    # Here, so that what is missing is told before anything begins.
    from bot import page, prepared

    discord.utils.setup_logging(level=logging.WARNING)
    task = prepared.play(parsed.language, parsed.out) if parsed.once else page.serve(parsed.language)
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(task)
    if not parsed.once:
        print(phrases(parsed.language).say("demo.bye"), flush=True)
    return 0
