"""What a space battle has come to, in a line for who need not read its posts: hits and losses of each side. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.phrases import Phrases
from bot.report import Lines, Scene, all_races, fleet, place
from bot.steps import waits_for_losses
from rules_core import events as ev
from rules_core.state import BattleStep, Ship

_OVER = (ev.FleetRetreated, ev.BattleEnded)
_PDS = (BattleStep.PDS_FIRE, BattleStep.PDS_LOSSES)


@dataclass(slots=True)
class _Tally:
    """PDS fire or the battle that follows it, as far as it is told; by player."""

    at: str
    by_pds: bool
    hits: dict[str, int] = field(default_factory=dict)
    ships: dict[str, tuple[Ship, ...]] = field(default_factory=dict)
    fighters: dict[str, int] = field(default_factory=dict)

    def count(self, event: ev.VolleyFired | ev.UnitsDestroyed) -> None:
        """Adds a volley or what it destroyed."""
        if isinstance(event, ev.VolleyFired):
            # PDS lose nothing where they fire.
            for player in (event.target,) if self.by_pds else (event.shooter, event.target):
                self.ships.setdefault(player, ())
            self.hits[event.shooter] = self.hits.get(event.shooter, 0) + event.volley.hits
            return
        self.ships[event.player] = (*self.ships.get(event.player, ()), *event.ships)
        self.fighters[event.player] = self.fighters.get(event.player, 0) + event.fighters

    def line(self, words: Phrases, told: Scene) -> str:
        """The battle in one line; while losses are still chosen, nobody is said to have lost nothing."""
        open_ = waits_for_losses(told.after) is not None
        sides = [self._side(words, key, name, open_) for key, name in all_races(told.before).items()]
        key = "private.fired_at" if self.by_pds else "private.fought"
        return words.say(key, at=place(told.before, self.at), sides="; ".join(filter(None, sides)))

    def _side(self, words: Phrases, key: str, name: str, open_: bool) -> str:
        ships, fighters = self.ships.get(key), self.fighters.get(key, 0)
        untold = ships is None or (open_ and not ships and not fighters)
        lost = "" if untold else fleet(words, ships or (), fighters)
        said = [words.say("private.fought_hits", hits=self.hits[key])] if key in self.hits else []
        said += [words.say("private.fought_lost", units=lost)] if lost else []
        return words.say("private.fought_side", player=name, what=words.list(said)) if said else ""


def _by_pds(scene: Scene) -> bool:
    """Whether PDS fire, or it is what they hit that is removed."""
    battle = None if scene.before.phase is None else scene.before.phase.battle
    return battle is not None and battle.step in _PDS


def tallies(words: Phrases, told: Sequence[Scene]) -> Mapping[int, Lines]:
    """The lines of each battle in these scenes, by the number of the scene before which they belong."""
    found: dict[int, Lines] = {}
    now: _Tally | None = None
    for number, scene in enumerate(told):
        if isinstance(scene.event, ev.VolleyFired | ev.UnitsDestroyed):
            by_pds = _by_pds(scene)
            if now is not None and now.by_pds and not by_pds:
                found[number], now = (now.line(words, scene),), None
            now = now or _Tally(scene.event.at, by_pds)
            now.count(scene.event)
        elif now is not None and isinstance(scene.event, _OVER):
            found[number], now = (now.line(words, scene),), None
    if now is not None:
        found[len(told)] = (now.line(words, told[-1]),)
    return found
