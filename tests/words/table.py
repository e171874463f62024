"""A table for tests: typed commands or legal ones are followed, and every post and private line is kept."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot import slash
from bot.presenter import Post, post, private
from bot.steps import PostKind, asks, steps, waits_for_losses
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import legal
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import SECRET_BYTES, ScriptedDice, SealedDice
from rules_core.pending import decisions
from rules_core.position import read_position
from rules_core.state import State

NAMES = {"red": "<@1>", "blue": "<@2>", "green": "<@3>"}
RACES = {"red": "Emberfolk", "blue": "조수단", "green": "Mossborn"}
POSITION: dict[str, Any] = {
    "format": "starpost-position/1",
    "name": "Two fronts",
    "players": [
        {"key": "red", "race": RACES["red"], "technologies": ["assault_cannon", "graviton_negator"]},
        {"key": "blue", "race": RACES["blue"]},
        {"key": "green", "race": RACES["green"]},
    ],
    "systems": [
        {
            "at": "000",
            "planets": [
                {"name": "Hearth", "resources": 1, "political_power": 6, "owner": "red", "ground_forces": 4, "pds": 1}
            ],
            "units": {"red": {"carriers": [{"ground_forces": 2}, {}], "cruisers": 2, "dreadnoughts": 2, "fighters": 3}},
        },
        {
            "at": "101",
            "planets": [
                {"name": "Tide", "resources": 2, "political_power": 4, "owner": "blue", "ground_forces": 2, "pds": 1},
                {"name": "Bare"},
            ],
            "units": {"blue": {"carriers": [{"ground_forces": 1}, {}], "cruisers": 1, "fighters": 2}},
        },
        {"at": "102", "wormhole": "alpha"},
        {"at": "103", "planets": [{"name": "Moss", "political_power": 3, "owner": "green", "ground_forces": 1}]},
        {"at": "104", "units": {"green": {"cruisers": 2}}},
        {"at": "105", "kind": "supernova"},
        {"at": "106", "wormhole": "alpha"},
    ],
}


@dataclass(frozen=True)
class Told:
    """A post with what it tells of."""

    kind: PostKind
    before: State
    events: tuple[ev.Event, ...]
    post: Post


@dataclass
class Table:
    """A game in memory, told in one language."""

    language: str
    faces: Sequence[int] = ()
    position: Mapping[str, Any] = field(default_factory=lambda: POSITION)
    posts: list[Told] = field(default_factory=list)
    privately: list[str] = field(default_factory=list)
    followed: list[tuple[str, State, tuple[ev.Event, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = read_position(json.dumps(self.position))
        self.dice = ScriptedDice(self.faces, SealedDice(b"x" * SECRET_BYTES))
        self._open: tuple[State, tuple[ev.Event, ...]] | None = None
        self.follow("game", cmd.Begin())

    def type(self, actor: str, name: str, /, **texts: str) -> None:
        """Follows one typed command."""
        given = {key.removesuffix("_"): text for key, text in texts.items()}
        self.follow(actor, slash.build(self.state, actor, name, given))

    def follow(self, actor: str, command: cmd.Command) -> None:
        """Follows a command; its posts are cut as the service cuts them."""
        before, events = self.state, decide(self.state, command, self.dice)
        self.state = fold(before, events)
        self.followed.append((actor, before, events))
        self.privately.append(private(before, events, actor, self.language))
        start, whole = self._open or (before, ())
        whole = (*whole, *events)
        found = steps(whole, 0)
        complete = found[:-1] if waits_for_losses(self.state) else found
        for step in complete:
            self._tell(step.kind, start, whole, step.first, step.last)
        self._open = None
        if waits_for_losses(self.state):
            first = found[-1].first
            self._open = fold(start, whole[:first]), whole[first:]
        known = {decision.id for decision in decisions(before)}
        if any(asks(decision, actor) and decision.id not in known for decision in decisions(self.state)):
            first = found[-1].first if self._open else len(whole) - 1
            self._tell(PostKind.WAITING, start, whole, first, len(whole) - 1)

    def _tell(self, kind: PostKind, start: State, events: tuple[ev.Event, ...], first: int, last: int) -> None:
        before, mine = fold(start, events[:first]), events[first : last + 1]
        self.posts.append(Told(kind, before, mine, post(kind, before, mine, self.language, NAMES)))

    def of_kind(self, kind: PostKind) -> list[str]:
        """The texts of all posts of that kind."""
        return [told.post.text for told in self.posts if told.kind is kind]


def random_game(language: str, seed: int, commands: int = 80) -> Table:
    """A game of legal commands, chosen at random; rounds follow each other."""
    table, chance = Table(language), random.Random(seed)
    for _ in range(commands):
        possible = list(legal.commands(table.state))
        if possible:
            command = chance.choice(possible)
            table.follow(command.player, command)
        else:
            table.follow("referee", cmd.NextRound())
    return table


def volleys(events: Sequence[ev.Event]) -> Iterator[ev.Volley]:
    """Every volley in these events."""
    for event in events:
        match event:
            case ev.VolleyFired() | ev.PlanetBombarded() | ev.LandingFiredAt():
                yield event.volley
            case ev.GroundRoundFought():
                yield event.attack
                yield event.defence
