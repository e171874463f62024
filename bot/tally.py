"""What a space battle has come to, in a line for who need not read its posts: hits and losses of each side. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.phrases import Phrases
from bot.report import Lines, Scene, all_races, fleet, place
from bot.steps import waits_for_losses
from rules_core import events as ev
from rules_core.state import Ship

_OVER = (ev.FleetRetreated, ev.BattleEnded)


@dataclass(slots=True)
class _Tally:
    """One battle, as far as it is told; by player."""

    at: str
    hits: dict[str, int] = field(default_factory=dict)
    ships: dict[str, tuple[Ship, ...]] = field(default_factory=dict)
    fighters: dict[str, int] = field(default_factory=dict)

    def count(self, event: ev.VolleyFired | ev.UnitsDestroyed) -> None:
        """Adds a volley or what it destroyed."""
        if isinstance(event, ev.VolleyFired):
            for player in (event.shooter, event.target):
                self.ships.setdefault(player, ())
            self.hits[event.shooter] = self.hits.get(event.shooter, 0) + event.volley.hits
            return
        self.ships[event.player] = (*self.ships.get(event.player, ()), *event.ships)
        self.fighters[event.player] = self.fighters.get(event.player, 0) + event.fighters

    def line(self, words: Phrases, told: Scene) -> str:
        """The battle in one line; while losses are still chosen, nobody is said to have lost nothing."""
        open_ = waits_for_losses(told.after) is not None
        sides = [self._side(words, key, name, open_) for key, name in all_races(told.before).items()]
        battle = None if told.before.phase is None else told.before.phase.battle
        # 3.53-c: PDS fire where there is nobody to fight, too.
        key = "private.fired_at" if battle is not None and battle.defender is None else "private.fought"
        return words.say(key, at=place(told.before, self.at), sides="; ".join(filter(None, sides)))

    def _side(self, words: Phrases, key: str, name: str, open_: bool) -> str:
        ships, fighters = self.ships.get(key), self.fighters.get(key, 0)
        if ships is None:
            return ""
        lost = "" if open_ and not ships and not fighters else fleet(words, ships, fighters)
        said = [words.say("private.fought_hits", hits=self.hits[key])] if key in self.hits else []
        said += [words.say("private.fought_lost", units=lost)] if lost else []
        return words.say("private.fought_side", player=name, what=words.list(said)) if said else ""


def tallies(words: Phrases, told: Sequence[Scene]) -> Mapping[int, Lines]:
    """The line of each battle in these scenes, by the number of the scene before which it belongs."""
    found: dict[int, Lines] = {}
    now: _Tally | None = None
    for number, scene in enumerate(told):
        if isinstance(scene.event, ev.VolleyFired | ev.UnitsDestroyed):
            now = now or _Tally(scene.event.at)
            now.count(scene.event)
        elif now is not None and isinstance(scene.event, _OVER):
            found[number], now = (now.line(words, scene),), None
    if now is not None:
        found[len(told)] = (now.line(words, told[-1]),)
    return found
