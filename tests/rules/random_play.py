"""Random positions from a seed, and a game that is played on them with a log, under all the checks of `play`."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import history, legal
from rules_core.apply import fold
from rules_core.dice import Dice
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE, Entry
from rules_core.position import position_from_json
from rules_core.state import State
from rules_core.units import load_ruleset
from tests.rules.play import KEYS, board_json, check_events, followed, planet

OPTIONS = {
    "lone_fighters": ("battle", "ignore"),
    "pds_targets": ("present", "moved"),
    "marker_bombardment": ("none", "neutralise"),
}
STANDING: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"losses": ["fighter", "cruiser", "carrier", "dreadnought"]},
    {"losses": ["carrier"], "retreat": "never"},
    {"retreat": "below 2 ships", "pds": {"default": "hold", "red": "fire"}},
)


def random_position(seed: int) -> State:
    """Two to four players on 19 systems with fields, wormholes, planets and fleets, some together."""
    random = Random(seed)
    keys = KEYS[: random.randint(2, 4)]
    tech = {key: random.sample(sorted(load_ruleset("classic").technologies), random.randint(0, 5)) for key in keys}
    standing = {key: random.choice(STANDING) for key in keys}
    labels = [system["at"] for system in board_json(homes=False)["systems"]]
    tiles = {at: random.choice(("supernova", "asteroid_field")) for at in random.sample(labels, 3)}
    tiles |= {at: random.choice(("alpha", "beta")) for at in random.sample(labels, 5) if at not in tiles}
    open_systems = [at for at in labels if tiles.get(at) not in ("supernova", "asteroid_field")]
    # A system has at most three planets; those of the homes come first.
    places = random.sample(labels[len(keys) :] * 3, 12)
    planets = [_planet(random, f"P{n}", at, keys) for n, at in enumerate(places)]
    data = board_json(
        *planets,
        *(
            planet(f"Home{key}", at, key, gf=3, pds=1, dock=True, power=3)
            for key, at in zip(keys, labels, strict=False)
        ),
        tiles={at: tile for at, tile in tiles.items() if at not in labels[: len(keys)]},
        options={key: random.choice(values) for key, values in OPTIONS.items()},
        tech=tech,
        standing=standing,
        acting=None,
        homes=False,
        **{key: {} for key in keys},
    )
    systems = {system["at"]: system for system in data["systems"]}
    for at in random.sample(open_systems, 10):
        for key in random.sample(keys, random.choice((1, 1, 1, 2))):
            systems[at]["units"][key] = _fleet(random)
    return position_from_json(data)


def _planet(random: Random, name: str, at: str, keys: tuple[str, ...]) -> dict[str, Any]:
    owner = random.choice((*keys, None))
    numbers = {"power": random.randint(0, 3), "resources": random.randint(0, 3)}
    if owner is None or random.random() < 0.3:
        return planet(name, at, owner, **numbers)
    units = {"gf": random.randint(0, 3), "pds": random.randint(0, 1), "dock": random.random() < 0.2}
    return planet(name, at, owner, **numbers, **units)  # type: ignore[arg-type]


def _fleet(random: Random) -> dict[str, Any]:
    carriers = [
        {"ground_forces": random.randint(0, 3), "pds": random.randint(0, 1)} for _ in range(random.choice((0, 1, 1, 2)))
    ]
    dreadnoughts = random.choice((0, 0, 1, 2))
    return {
        "carriers": carriers,
        "cruisers": random.choice((0, 1, 2)),
        "dreadnoughts": dreadnoughts,
        "fighters": random.randint(0, len(carriers)),
    }


@dataclass
class Game:
    """A game with its log: every command that was followed, who gave it, and what came of it."""

    start: State
    dice: Dice
    entries: list[Entry] = field(default_factory=list)
    commands: dict[int, cmd.Command] = field(default_factory=dict)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = self.start

    @property
    def events(self) -> list[ev.Event]:
        """All events that hold."""
        return [event for entry in history.live(self.entries) for event in entry.events]

    def follow(self, command: cmd.Command, actor: str | None = None) -> None:
        """Plays a command under all the checks and writes it down."""
        events = followed(self.state, command, self.dice)
        if not events:
            return
        first = self.entries[-1].last + 1 if self.entries else 1
        self.entries.append(Entry(first, actor or str(getattr(command, "player", "game")), events))
        self.commands[first] = command
        self.state = fold(self.state, events)

    def undo(self, actor: str, whole_phase: bool = False) -> tuple[Entry, ...]:
        """Takes back, and gives the entries that no longer hold."""
        before = history.live(self.entries)
        self.entries.append(history.undo(self.start, self.entries, actor, whole_phase))
        kept = history.live(self.entries)
        self.state = replace(fold(self.start, self.events), standing=self.state.standing)
        assert before[: len(kept)] == kept
        return before[len(kept) :]

    def play(self, random: Random, rounds: int, most: int = 400) -> "Game":
        """Plays with commands that are legal, to the end of so many rounds."""
        self.follow(cmd.Begin())
        for _ in range(most):
            if self.state.phase is None:
                if self.state.round >= self.start.round + rounds - 1:
                    break
                self.follow(cmd.NextRound(), REFEREE)
                if self.state.phase is None:
                    break
                continue
            self.follow(self.choice(random))
        return self

    def choice(self, random: Random) -> cmd.Command:
        """Some legal command; the end of a step is not too rare, so that games end."""
        possible = list(legal.commands(self.state))
        ending = [each for each in possible if isinstance(each, cmd.Done | cmd.Invade)]
        return random.choice(ending if ending and random.random() < 0.2 else possible)


def replayed(game: Game, dice: Dice) -> list[ev.Event]:
    """The events when the commands that hold are given again from the start."""
    again = Game(game.start, dice)
    for entry in history.live(game.entries):
        again.follow(game.commands[entry.first], entry.actor)
    check_events(game.start, again.events)
    return again.events


def refusal_of(game: Game, actor: str, whole_phase: bool = False) -> str | None:
    """The code by which an undo is refused; None (and the undo done) if it is free."""
    try:
        game.undo(actor, whole_phase)
    except RuleViolation as refusal:
        return refusal.code
    return None
