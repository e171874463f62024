"""What is being done for users: a stop waits for it, and refuses what comes after."""

import asyncio
from typing import Final

from rules_core.errors import Refusal

# Whoever takes longer is left to the next start: what is committed is told then.
PATIENCE: Final = 20.0


class InHand:
    """The tasks that work for users."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()
        self.stopping = False

    def check(self) -> None:
        """Refuses what comes after the stop has begun."""
        if self.stopping:
            raise Refusal("stopping")

    def take(self) -> None:
        """Counts the current task until it has ended."""
        task = asyncio.current_task()
        if task is not None and task not in self._tasks:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Takes no more, and waits for what was taken."""
        self.stopping = True
        if waiting := self._tasks - {asyncio.current_task()}:
            await asyncio.wait(waiting, timeout=PATIENCE)
