"""Taking back what was done, and bringing it back: what is free at once, all else when those affected agree."""

from dataclasses import replace

from bot.book import Book
from bot.happening import Game, Happening
from bot.plans import committed_again, committed_back, read_plan
from bot.rows import Entry, GameRow, Owed, Proposal
from bot.steps import STEPS, PostKind
from bot.texts import all_events, committed, events_of, packed_events
from rules_core import history
from rules_core.errors import RuleViolation
from rules_core.game_file import chained
from rules_core.history import REFEREE
from rules_core.state import State


class Undoing:
    """Undo, redo and proposals in all games."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._store = book.store
        self._record = book.record

    # ---- what is free

    async def undo(self, game: int, actor: str, whole_phase: bool = False) -> Happening:
        """Takes back the actor's last command, or all of his phase, as far as that is free."""
        async with self._book.lock(game):
            now = await self._book.load(game)
            return await self._go(now, actor, await self._free_target(now, actor, whole_phase))

    async def to_undo(self, game: int, actor: str, whole_phase: bool = False) -> Happening:
        """What an undo would take back now, changing nothing; refused as the undo would be."""
        async with self._book.lock(game):
            now = await self._book.load(game)
            target = await self._free_target(now, actor, whole_phase)
            going = await self._taken_back(now, target)
            events = all_events(reversed(going))
            before = await self._book.table_after(game, target)
            return Happening(now.row, actor, target + 1, before, events, now.state)

    async def redo(self, game: int, actor: str, at: int | None = None) -> Happening:
        """Brings back what the actor's last undo took back, as long as nothing else has happened since.

        `at`: the last event when that was offered, if it is to be no other.
        """
        async with self._book.lock(game):
            now = await self._book.load(game)
            if at not in (None, now.row.head):
                raise RuleViolation("table_changed")
            again = history.redo(await self._undos_at_the_end(game, now.row.head), actor)
            assert again.undone_to is not None, "a redo that returns to nothing"
            return await self._go(now, actor, again.undone_to, PostKind.REDO)

    # ---- what others must agree to

    async def propose(self, game: int, actor: str, to: int | None = None) -> Proposal | Happening:
        """Asks those affected to agree to an undo to event `to` (else of the actor's last command).

        What is free anyway is taken back at once.
        """
        async with self._book.as_one(game):
            now = await self._book.load(game)
            target = await self._start_of_last(game, now.row.head, actor) if to is None else to
            going = await self._taken_back(now, target)
            if all(each.actor == actor and not history.rolled(events_of(each)) for each in going):
                return await self._go(now, actor, target)
            events = all_events(going)
            holders = {seat.key for seat in await self._store.seats(game) if seat.user is not None}
            playing = [player.key for player in now.state.players if not player.eliminated and player.key in holders]
            asked = history.affected(events, playing, actor) or tuple(key for key in playing if key != actor)
            proposal = Proposal(game, now.row.head, actor, target, " ".join(asked), "")
            await self._store.propose(proposal)
            await self._book.owe(now.row, PostKind.PROPOSAL, target + 1, actor)
            return proposal

    async def answer(self, game: int, player: str, agrees: bool, number: int | None = None) -> Proposal | Happening:
        """What a player, or the referee, says to the undo that is proposed; the last to agree carries it out.

        `number`: the last event when it was proposed, where that is known.
        """
        async with self._book.as_one(game):
            now = await self._book.load(game)
            proposal = await self._store.proposal(game, now.row.head)
            if proposal is None or number not in (None, now.row.head):
                raise RuleViolation("no_proposal")
            if player not in (REFEREE, *proposal.asked.split()):
                raise RuleViolation("not_asked", player=proposal.actor)
            if not agrees:
                await self._store.drop_proposal(game, proposal.number)
                await self._book.owe(now.row, PostKind.REFUSED, now.row.head, f"{player} {proposal.actor}")
                return proposal
            agreed = {*proposal.agreed.split(), player}
            if player == REFEREE or agreed >= set(proposal.asked.split()):
                return await self._go(now, proposal.actor, proposal.returns_to, PostKind.AGREED)
            proposal = replace(proposal, agreed=" ".join(sorted(agreed)))
            await self._store.propose(proposal)
            return proposal

    # ---- how far, and there

    async def _free_target(self, now: Game, actor: str, whole_phase: bool) -> int:
        """To which event an undo without asking anybody returns."""
        line = await self._record.line_of(now.row.id, now.row.head, actor)
        start = await self._book.table_after(now.row.id, line[0].first - 1 if line else 0)
        taken = history.undo(start, line, actor, whole_phase)
        assert taken.undone_to is not None, "an undo that returns to nothing"
        return taken.undone_to

    async def _undos_at_the_end(self, game: int, number: int) -> list[history.Entry]:
        """The undos and redos that followed the last command."""
        found: list[history.Entry] = []
        while number > 0:
            entry = await self._store.log.entry_with(game, number)
            if entry.returns_to is None:
                break
            found.insert(0, history.Entry(entry.first, entry.actor, (), entry.returns_to))
            number = entry.first - 1
        return found

    async def _start_of_last(self, game: int, head: int, actor: str) -> int:
        """The event before the last command of `actor` that holds."""
        async for entry in self._record.back_from(game, head):
            if entry.actor == actor:
                return entry.first - 1
        raise RuleViolation("nothing_to_undo", None, actor=actor)

    async def _taken_back(self, now: Game, target: int) -> list[Entry]:
        """The entries that an undo to event `target` takes back; refused if no table that holds ended there."""
        going: list[Entry] = []
        async for entry in self._record.back_from(now.row.id, now.row.head):
            if going and entry.last == target:
                return going
            going.append(entry)
            if entry.first - 1 == target:
                return going
        raise RuleViolation("no_such_step_to_undo", step=target)

    async def _go(self, now: Game, actor: str, to: int, kind: PostKind = PostKind.UNDO) -> Happening:
        """Goes to the table after event `to`: back, or for a redo to where an undo was made."""
        since, going = await self._record.going(now.row.id, now.row.head, to, kind is PostKind.REDO)
        number = now.row.head + 1
        after = replace(await self._book.table_after(now.row.id, to), standing=now.state.standing)
        rolled = (await self._store.log.entry_with(now.row.id, to)).rolled if to else 0
        chain = chained(now.row.chain, history.Entry(number, actor, undone_to=to))
        entry = Entry(number, number, actor, self._book.time(), None, packed_events(()), to, rolled, chain)
        owed = [Owed(kind, number, number)] if await self._is_public(now.row, since) else []
        plan = await self._plan_with(now.row.id, going[0], kind, after) if going else None
        row = await self._book.append(now.row, entry, owed, after, with_snapshot=True, plan=plan)
        self._book.keep(Game(row, after))
        return Happening(row, actor, number, now.state, (), after, back=all_events(going))

    async def _plan_with(self, game: int, first: Entry, kind: PostKind, after: State) -> tuple[str, str | None] | None:
        """Whose plan the first of the entries that go carried out, and what it is then; None if it was no plan.

        It is not public, so no event tells of it; what was done by it is in the log anyway.
        """
        if not (commands := committed(first)):
            return None
        text = await self._store.plan(game, first.actor)
        plan = None if text is None else read_plan(text)
        if kind is not PostKind.REDO:
            return first.actor, committed_back(after, first.actor, plan, commands).text
        left = None if plan is None else committed_again(plan, commands)
        return first.actor, None if left is None else left.text

    async def _is_public(self, game: GameRow, after: int) -> bool:
        """Whether anything since event `after` was posted, or came with a file that everybody can read."""
        return after < game.imported or await self._store.posts.was_posted(game.id, after, (*STEPS, PostKind.WAITING))
