"""Which posts a command owes its channel: every step that is complete, what is newly waited for, the end of a round."""

from dataclasses import replace

from bot.agreed import read_agreed
from bot.happening import Events, Game
from bot.record import Record
from bot.rows import GameRow, Owed
from bot.steps import PostKind, asks, folded, is_beside, last_opened, steps, waits_for_losses
from bot.texts import events_of, mentions
from rules_core.events import RoundBegan
from rules_core.pending import decisions
from rules_core.state import State


async def owed_for(record: Record, now: Game, actor: str, events: Events, after: State) -> list[Owed]:
    """The posts of these events, of steps and of what is newly waited for."""
    last, open_step = now.row.head + len(events), waits_for_losses(now.state)
    if open_step and is_beside(events):
        return [Owed(step.kind, step.first, step.last) for step in steps(events, now.row.head + 1)]
    first, earlier = await _open_step(record, now.row) if open_step else (last, ())
    found = list(steps((*earlier, *events), now.row.head + 1 - len(earlier), open_step))
    if earlier:
        # What was done beside it or taken back since has numbers in between.
        found[0] = replace(found[0], first=first)
    complete = found[:-1] if waits_for_losses(after) else found
    posted = folded(complete) if read_agreed(now.row.settings).fold else complete
    owed = [Owed(step.kind, step.first, step.last) for step in posted]
    known = {decision.id for decision in decisions(now.state)}
    if any(asks(decision, actor) for decision in decisions(after) if decision.id not in known):
        owed.append(Owed(PostKind.WAITING, found[-1].first if len(complete) < len(found) else last, last))
    return owed


async def summary(record: Record, row: GameRow, last: int, won: tuple[str, ...]) -> Owed:
    """The post that closes a round with event `last`: from where the round began, with who has won."""
    first = 1
    async for entry in record.back_from(row.id, row.head):
        numbered = enumerate(events_of(entry), entry.first) if mentions(entry, RoundBegan) else ()
        if begun := [number for number, event in numbered if isinstance(event, RoundBegan)]:
            first = begun[-1]
            break
    return Owed(PostKind.SUMMARY, first, last, " ".join(won))


async def _open_step(record: Record, row: GameRow) -> tuple[int, Events]:
    """The events of the step that waits for losses, and the number of the first: its post is still to come.

    A game may begin in the middle of it; then all that was done since.
    """
    events: Events = ()
    first = 1
    async for entry in record.back_from(row.id, row.head):
        done = events_of(entry)
        if is_beside(done):
            continue
        events, first = (*done, *events), entry.first
        if (begun := last_opened(events)) is not None:
            return first + begun, events[begun:]
    return first, events
