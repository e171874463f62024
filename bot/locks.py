"""A lock for what is done in steps that are also done alone."""

import asyncio
from types import TracebackType


class TaskLock:
    """A lock that the task that holds it can take again. Use it as `async with lock`."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None
        self._taken = 0

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        if self._holder is not task:
            await self._lock.acquire()
            self._holder = task
        self._taken += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._taken -= 1
        if not self._taken:
            self._holder = None
            self._lock.release()
