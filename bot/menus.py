"""What a player can do now, as lists and buttons that lead step by step to a command of the rules. Pure.

Whatever is chosen so far is a `Draft`; it fits into the id of a button, so that nothing need be remembered.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.looks import carry_out, prompt
from bot.phrases import Language, Phrases, phrases, safe
from bot.report import all_races, fleet, ground, way
from rules_core import commands as cmd
from rules_core import invasion, legal, movement, selection
from rules_core.errors import RuleViolation, Unreadable
from rules_core.pending import BattleChoice, Decision, InvasionChoice, LossesChoice, MovementChoice, decisions
from rules_core.selection import Counted, Group, Numbered, Request, number_of
from rules_core.state import Hop, Losses, Planet, Ship, State
from rules_core.units import GROUND_KINDS, Kind

OPTIONS: Final = 25
LISTS: Final = 4
LONGEST: Final = 100
# A heap has a list of its own: its numbers, nought included.
HEAP: Final = OPTIONS - 1
# What a phase announcement offers, in this order.
ACTIONS: Final = ("move", "load", "land", "bombard", "done", "undo", "plan", "map", "since", "help")
SURE: Final = "!"
_DIGITS: Final = "0123456789abcdefghijklmno"
_CODE: Final = re.compile(r"([a-z]+)(?:\.(\w*)\.([0-9a-o]*)\.(\d*)\.(\d+)\.([!\w]*))?")
_LABEL: Final = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """What was chosen so far.

    `place`: a system, or a planet by its place in the list of planets. `numbers`: how many of each heap.
    `goal`: where a move goes, or SURE: it is to be carried out.
    """

    action: str
    place: str = ""
    numbers: tuple[int, ...] = ()
    via: tuple[str, ...] = ()
    page: int = 0
    goal: str = ""

    @property
    def begun(self) -> bool:
        """Whether anything was chosen yet."""
        return self != Draft(self.action)

    @property
    def bound(self) -> bool:
        """Whether another table than the one it was made for could have made it wrong."""
        return self.begun or self.action in ("done", "invade", "redo")

    @property
    def code(self) -> str:
        """The draft in a few letters."""
        if not self.begun:
            return self.action
        numbers = "".join(_DIGITS[number] for number in self.numbers)
        return ".".join((self.action, self.place, numbers, "".join(self.via), str(self.page), self.goal))


def read_draft(code: str) -> Draft:
    """The draft of a code; refused if it is none."""
    found = _CODE.fullmatch(code)
    if found is None:
        raise Unreadable("unknown_menu", text=code)
    action, place, numbers, via, page, goal = found.groups()
    if page is None:
        return Draft(action)
    systems = tuple(via[n : n + _LABEL] for n in range(0, len(via), _LABEL))
    return Draft(action, place, tuple(_DIGITS.index(n) for n in numbers), systems, int(page), goal)


@dataclass(frozen=True, slots=True)
class Pick:
    """A button, or a line of a list, and the draft it leads to. `weighty`: it does something that stays.

    `note`: what stands in small letters below a line of a list.
    """

    label: str
    draft: Draft
    weighty: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A list to pick one line from; `title` says of what, and what is picked now."""

    title: str
    picks: tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """What is asked, with at most four lists and a row of buttons."""

    text: str
    lists: tuple[Listed, ...] = ()
    buttons: tuple[Pick, ...] = ()


Next = Menu | cmd.PlayerCommand


def follow(state: State, player: str, draft: Draft, language: Language) -> Next:
    """The menu that comes after a draft, or the command that it has become; refused where neither is possible."""
    step = _STEPS.get(draft.action)
    if step is None:
        raise Unreadable("unknown_menu", text=draft.action)
    _check_places(state, draft)
    return step(_At(state, player, draft, phrases(language)))


def _check_places(state: State, draft: Draft) -> None:
    """Anybody can send anything as the id of a button; what is not on this board is refused."""
    systems = state.galaxy.systems
    if draft.action in ("load", "land", "bombard"):
        there = draft.place.isdecimal() and int(draft.place) < len(state.planets)
    else:
        there = draft.place in systems
    if (draft.place and not there) or any(at not in systems for at in (*draft.via, draft.goal) if at not in ("", SURE)):
        raise Unreadable("unknown_menu", text=draft.code)


def possible(state: State, player: str, language: Language) -> tuple[Pick, ...]:
    """The buttons of all that `player` can begin now, under what he is told."""
    words = phrases(language)
    for decision in decisions(state):
        if decision.player == player:
            if isinstance(decision, MovementChoice):
                return buttons_of(words, "move", "load", "scrap", "done", "undo", "plan", "map")
            if isinstance(decision, InvasionChoice):
                more = declaring(words, state)
                return (*_carry_out(words, state, decision), *more, *buttons_of(words, "undo", "plan", "map"))
    return ()


def declaring(words: Phrases, state: State) -> tuple[Pick, ...]:
    """What can still be declared: landings, bombardments."""
    possible = {"land": legal.landing_planets(state), "bombard": legal.bombardable(state)}
    return buttons_of(words, *(action for action, planets in possible.items() if planets))


def _carry_out(words: Phrases, state: State, decision: InvasionChoice) -> tuple[Pick, ...]:
    """What ends the declaring: carrying it out, or the phase with it."""
    if not decision.declared:
        return buttons_of(words, "done")
    return (Pick(carry_out(words, state, decision), Draft("invade"), weighty=True),)


def announced(language: Language) -> tuple[Pick, ...]:
    """The buttons of a phase announcement."""
    return buttons_of(phrases(language), *ACTIONS)


def needs_menu(state: State, decision: Decision) -> bool:
    """Whether a decision has more answers than a list can hold, or longer ones."""
    if isinstance(decision, BattleChoice):
        return len(decision.systems) > OPTIONS
    if not isinstance(decision, LossesChoice):
        return False
    answers = prompt(state, decision, "en", named=False).choices
    return not answers or any(len(answer.label) > LONGEST for answer in answers)


def chooser(decision: Decision, player: str, language: Language) -> Pick:
    """The button that leads to the menu of a decision; it says whose it is."""
    words = phrases(language)
    action, label = ("battle", "menu.battle") if isinstance(decision, BattleChoice) else ("losses", "menu.choose")
    return Pick(words.say("button.of", player=safe(player), label=words.say(label)), Draft(action))


def question_before(state: State, player: str, language: Language) -> Menu | None:
    """What `/done` asks once: whether to move nothing at all, or to leave out landings and bombardments (3.54-b)."""
    words = phrases(language)
    mine = next((each for each in decisions(state) if each.player == player), None)
    if isinstance(mine, MovementChoice) and legal.would_pass(state, player):
        text, label = words.say("menu.pass_question"), "menu.pass"
        others = buttons_of(words, "move", "load")
    elif isinstance(mine, InvasionChoice) and mine.declarable and not mine.declared:
        text = words.say("menu.done_question", systems=mine.declarable)
        label, others = "menu.end_anyway", declaring(words, state)
    else:
        return None
    end = Pick(words.say(label), Draft("done", goal=SURE), weighty=True)
    return Menu(text, buttons=(end, *others))


def buttons_of(words: Phrases, *actions: str) -> tuple[Pick, ...]:
    """The buttons that begin these actions."""
    return tuple(Pick(words.say(f"menu.{action}"), Draft(action)) for action in actions)


# ---- one step


@dataclass(frozen=True, slots=True)
class _At:
    """Where a player is in his menus."""

    state: State
    player: str
    draft: Draft
    words: Phrases

    def check(self, kind: type[MovementChoice] | type[InvasionChoice]) -> None:
        """Refuses, in the words of the rules, what is not his to begin now."""
        waiting = decisions(self.state)
        if not any(isinstance(each, kind) and each.player == self.player for each in waiting):
            raise RuleViolation("no_such_choice_now", kind.clause, waits_for=waiting)

    def planet(self) -> str:
        """The planet of the draft."""
        return tuple(self.state.planets)[int(self.draft.place)]

    def places(self, text: str, systems: Iterable[str]) -> Menu:
        """A menu of systems."""
        picks = [Pick(self.system(at), replace(self.draft, place=at), note=self.own_there(at)) for at in systems]
        return self.menu(text, "menu.where", picks)

    def planets(self, text: str, planets: Iterable[str]) -> Menu:
        """A menu of planets."""
        order = tuple(self.state.planets)
        picks = [
            Pick(
                f"{self.state.planets[name].at} {safe(name)}",
                replace(self.draft, place=str(order.index(name))),
                note=self.held(self.state.planets[name]),
            )
            for name in planets
        ]
        return self.menu(text, "menu.where", picks)

    def own_there(self, at: str) -> str:
        """The player's own fleet in a system."""
        return fleet(self.words, self.state.ships_at(at, self.player), self.state.fighters_at(at, self.player))

    def held(self, planet: Planet) -> str:
        """Whose a planet is, and what stands on it."""
        if planet.owner is None:
            return self.words.say("menu.neutral")
        units = ground(self.words, planet.ground_forces, planet.pds, planet.space_dock) or self.words.say("none")
        return self.words.say("menu.held", owner=all_races(self.state)[planet.owner], units=units)

    def menu(self, text: str, title: str, picks: Sequence[Pick]) -> Menu:
        """A menu of one question, in as many lists as its answers need."""
        return Menu(self.words.say(text), _lists(self.words.say(title), picks)[:LISTS])

    def system(self, at: str) -> str:
        """A system with its planets, as a list has it."""
        planets = ", ".join(safe(planet.name) for planet in self.state.planets_at(at))
        return f"{at} {planets}".strip()


# ---- how many of what


@dataclass(frozen=True, slots=True)
class Heap:
    """Units that are alike: any of them is as good as another. At most as many as a list can count.

    `unlike`: what tells them from others of their kind, in words.
    """

    kind: Kind
    size: int
    ships: tuple[Ship, ...] = ()
    unlike: str = ""

    def named(self, words: Phrases, units: str) -> str:
        """`units` with what tells them from others of their kind."""
        return words.say("laden", unit=units, cargo=self.unlike) if self.unlike else units


def _ship_heaps(
    ships: Iterable[Ship], look: Callable[[Ship], tuple[object, ...]], unlike: Callable[[Ship], str]
) -> Iterator[Heap]:
    for _, alike in groupby(sorted(ships, key=lambda ship: (look(ship), ship.id)), key=look):
        heap = tuple(alike)
        for n in range(0, len(heap), HEAP):
            some = heap[n : n + HEAP]
            yield Heap(heap[0].kind, len(some), some, unlike(heap[0]))


def _other_heaps(kind: Kind, number: int) -> Iterator[Heap]:
    for n in range(0, number, HEAP):
        yield Heap(kind, min(HEAP, number - n))


def _laden_heaps(at: _At, ships: Iterable[Ship]) -> Iterator[Heap]:
    """Ships of one kind with one load are alike."""
    yield from _ship_heaps(ships, _alike, lambda ship: ground(at.words, ship.ground_forces, ship.pds))


def _alike(ship: Ship) -> tuple[object, ...]:
    return ship.kind, ship.load, ship.ground_forces


def _numbers(
    at: _At,
    text: str,
    where: str,
    heaps: Sequence[Heap],
    go: str,
    everything: Sequence[int] = (),
    exactly: int | None = None,
) -> Menu:
    """A menu that counts: a list for each heap, and buttons to take `everything` and to go on."""
    chosen = _chosen(at, heaps)
    draft = replace(at.draft, numbers=chosen)
    first = draft.page * LISTS
    lists = tuple(_heap_list(at, heaps, draft, n) for n in range(first, min(first + LISTS, len(heaps))))
    buttons = []
    if sum(everything) and chosen != tuple(everything):
        buttons.append(Pick(at.words.say("menu.all"), replace(draft, numbers=tuple(everything))))
    if len(heaps) > LISTS:
        pages = -(-len(heaps) // LISTS)
        buttons.append(Pick(at.words.say("menu.more"), replace(draft, page=(draft.page + 1) % pages)))
    if sum(chosen) if exactly is None else sum(chosen) == exactly:
        label = at.words.say(go, units=_named(at, heaps, chosen))
        buttons.append(Pick(label, replace(draft, page=0, goal=SURE), weighty=exactly is not None))
    buttons.append(Pick(at.words.say("menu.back"), Draft(at.draft.action)))
    units = _named(at, heaps, chosen) or at.words.say("none")
    asked = at.words.say(text, where=where, units=units, n=sum(chosen), hits=exactly or 0)
    return Menu(asked, lists, tuple(buttons))


def _chosen(at: _At, heaps: Sequence[Heap]) -> tuple[int, ...]:
    """The numbers of the draft; nothing is chosen at first."""
    numbers = at.draft.numbers or (0,) * len(heaps)
    if len(numbers) != len(heaps) or any(n > heap.size for n, heap in zip(numbers, heaps, strict=True)):
        raise RuleViolation("decision_is_over")
    return numbers


def _heap_list(at: _At, heaps: Sequence[Heap], draft: Draft, place: int) -> Listed:
    heap, now = heaps[place], draft.numbers[place]

    def with_number(number: int) -> Draft:
        return replace(draft, numbers=(*draft.numbers[:place], number, *draft.numbers[place + 1 :]))

    counts = ((n, at.words.count(heap.kind, n)) for n in range(heap.size, -1, -1))
    picks = tuple(Pick(heap.named(at.words, count), with_number(n)) for n, count in counts)
    units = heap.named(at.words, at.words.units(heap.kind))
    return Listed(at.words.say("menu.of", units=units, n=now, there=heap.size), picks)


def _lists(title: str, picks: Sequence[Pick]) -> tuple[Listed, ...]:
    """All these lines, in as many lists as they need."""
    return tuple(Listed(title, tuple(picks[n : n + OPTIONS])) for n in range(0, len(picks), OPTIONS))


def _named(at: _At, heaps: Sequence[Heap], numbers: Sequence[int]) -> str:
    """`2 cruisers, 3 ground forces`: what is chosen."""
    ships, fighters = _ships(heaps, numbers), _count(heaps, numbers, Kind.FIGHTER)
    in_space = fleet(at.words, ships, fighters) if ships or fighters else ""
    on_land = ground(at.words, _count(heaps, numbers, Kind.GROUND_FORCE), _count(heaps, numbers, Kind.PDS))
    return at.words.list(filter(None, (in_space, on_land)))


def _ships(heaps: Sequence[Heap], numbers: Sequence[int]) -> tuple[Ship, ...]:
    return tuple(ship for heap, n in zip(heaps, numbers, strict=True) for ship in heap.ships[:n])


def _count(heaps: Sequence[Heap], numbers: Sequence[int], kind: Kind) -> int:
    return sum(n for heap, n in zip(heaps, numbers, strict=True) if heap.kind is kind)


def _others(heaps: Sequence[Heap], numbers: Sequence[int]) -> tuple[Counted, ...]:
    kinds = (Kind.FIGHTER, *GROUND_KINDS)
    return tuple(Counted(kind, n) for kind in kinds if (n := _count(heaps, numbers, kind)))


def _fitting(heaps: Iterable[Heap], room: int) -> tuple[int, ...]:
    """As much of these heaps, in order, as there is room for."""
    taken: list[int] = []
    for heap in heaps:
        taken.append(max(0, min(heap.size, room - sum(taken))))
    return tuple(taken)


# ---- movement


def _move(at: _At) -> Next:
    at.check(MovementChoice)
    starts = sorted({ship.at for ship in legal.movable(at.state, at.player)})
    if not starts:
        raise RuleViolation("nothing_to_move")
    if not at.draft.place and len(starts) > 1:
        return at.places("menu.move_from", starts)
    at = replace(at, draft=replace(at.draft, place=at.draft.place or starts[0]))
    heaps = tuple(_movable_heaps(at))
    if not at.draft.goal:
        return _numbers(at, "menu.move_units", at.draft.place, heaps, "menu.go_on", _all_ships(at, heaps))
    chosen = selection.choose_move(at.state, at.player, at.draft.place, _move_request(at, heaps))
    if at.draft.goal == SURE:
        return _goals(at, _named(at, heaps, at.draft.numbers), [at.state.ships[id] for id in chosen.ships])
    goal = (*at.draft.via, at.draft.goal)
    return cmd.MoveShips(at.player, at.draft.place, goal, chosen.ships, chosen.fighters, chosen.load)


def _movable_heaps(at: _At) -> Iterator[Heap]:
    place, state = at.draft.place, at.state
    ships = [ship for ship in legal.movable(state, at.player) if ship.at == place]
    left = {ship.id: movement.movement_left(state, ship) for ship in ships}
    yield from _ship_heaps(ships, lambda ship: (*_alike(ship), left[ship.id]), lambda ship: _unlike(at, ship, left))
    yield from _other_heaps(Kind.FIGHTER, state.fighters_at(place, at.player))
    own = [planet for planet in state.planets_at(place) if planet.owner == at.player]
    if len(own) == 1:  # which of several planets is asked by the menu of loading
        yield from _other_heaps(Kind.GROUND_FORCE, own[0].ground_forces)
        yield from _other_heaps(Kind.PDS, own[0].pds)


def _unlike(at: _At, ship: Ship, left: Mapping[int, int]) -> str:
    """What is aboard, and the movement left where others of the kind have more or less."""
    cargo = ground(at.words, ship.ground_forces, ship.pds)
    differs = any(at.state.ships[id].kind is ship.kind and left[id] != left[ship.id] for id in left)
    return at.words.list(filter(None, (cargo, at.words.say("menu.left", left=left[ship.id]) if differs else "")))


def _all_ships(at: _At, heaps: Sequence[Heap]) -> tuple[int, ...]:
    """Every ship, and the fighters that have room: what `all` means for a move."""
    moving = [ship for heap in heaps for ship in heap.ships]
    fighters = [heap for heap in heaps if heap.kind is Kind.FIGHTER]
    counts = iter(_fitting(fighters, at.state.free_places(moving)))
    return tuple(heap.size if heap.ships else next(counts) if heap in fighters else 0 for heap in heaps)


def _move_request(at: _At, heaps: Sequence[Heap]) -> Request:
    ships = _ships(heaps, _chosen(at, heaps))
    if not ships:
        raise RuleViolation("no_ship_chosen")
    named = tuple(Numbered(ship.kind, number_of(at.state, ship)) for ship in ships)
    return Request((Group((*named, *_others(heaps, at.draft.numbers))),))


def _goals(at: _At, units: str, ships: Sequence[Ship]) -> Menu:
    """Where the chosen ships go, and through what."""
    steps = min((movement.movement_left(at.state, ship) for ship in ships), default=0)
    place, via, say = at.draft.place, at.draft.via, at.words.say
    ways = legal.ways(at.state, at.player, place, steps, via)
    if not ways:
        raise RuleViolation("nowhere_to_go")
    goals = [
        Pick(at.system(to), replace(at.draft, goal=to), note=_way_there(at, hops)) for to, hops in sorted(ways.items())
    ]
    further = legal.waypoints(at.state, at.player, place, steps, via)
    through = [Pick(at.system(to), replace(at.draft, via=(*via, to))) for to in further]
    lists = (*_lists(say("menu.where"), goals), *_lists(say("menu.via", via=via), through))
    text = [say("menu.move_to_via" if via else "menu.move_to", units=units, at=place, via=via)]
    buttons = [Pick(say("menu.back"), Draft("move"))]
    if through:
        text.append(say("menu.or_through"))
    if via:
        buttons.insert(0, Pick(say("menu.no_via"), replace(at.draft, via=())))
    return Menu(" ".join(text), lists[:LISTS], tuple(buttons))


def _way_there(at: _At, hops: Sequence[Hop]) -> str:
    """The way that is taken, what it costs, and whose fleet is met at its end (3.52.3-a)."""
    told = at.words.say("menu.way", steps=len(hops), way=way(at.words, at.draft.place, hops))
    owner = movement.intercepted_by(at.state, at.player, hops[-1].to)
    if owner is None:
        return told
    return at.words.say("menu.way_to_fleet", way=told, player=all_races(at.state)[owner])


def _load(at: _At) -> Next:
    at.check(MovementChoice)
    places = at.state.places_of(at.player)
    planets = sorted({order.planet for place in places for order in legal.loadable(at.state, at.player, place)})
    if not planets:
        raise RuleViolation("nothing_to_load")
    if not at.draft.place:
        return at.planets("menu.load_from", planets)
    planet = at.state.planets[at.planet()]
    heaps = (*_other_heaps(Kind.GROUND_FORCE, planet.ground_forces), *_other_heaps(Kind.PDS, planet.pds))
    if not at.draft.goal:
        ships = at.state.ships_at(planet.at, at.player)
        room = sum(movement.room_aboard(at.state, ship, Kind.GROUND_FORCE) for ship in ships)
        return _numbers(at, "menu.load_units", safe(planet.name), heaps, "menu.load_now", _fitting(heaps, room))
    request = Request((Group(_others(heaps, _chosen(at, heaps))),))
    orders = selection.choose_load(at.state, at.player, planet.at, request, None, planet.name)
    return cmd.LoadUnits(at.player, planet.at, orders)


def _scrap(at: _At) -> Next:
    at.check(MovementChoice)
    places = at.state.places_of(at.player)
    if not places:
        raise RuleViolation("nothing_to_scrap")
    if not at.draft.place:
        return at.places("menu.scrap_where", places)
    place = at.draft.place
    heaps = (
        *_laden_heaps(at, at.state.ships_at(place, at.player)),
        *_other_heaps(Kind.FIGHTER, at.state.fighters_at(place, at.player)),
    )
    if not at.draft.goal:
        return _numbers(at, "menu.scrap_units", place, heaps, "menu.scrap_now")
    numbers = _chosen(at, heaps)
    ids = tuple(ship.id for ship in _ships(heaps, numbers))
    return cmd.ScrapUnits(at.player, place, ids, _count(heaps, numbers, Kind.FIGHTER))


# ---- battles


def _losses(at: _At) -> Next:
    owed = (each for each in decisions(at.state) if isinstance(each, LossesChoice))
    choice = next((each for each in owed if each.player == at.player), None)
    if choice is None:
        raise RuleViolation("decision_is_over")
    at = replace(at, draft=replace(at.draft, place=choice.at))
    heaps = (
        *_laden_heaps(at, [at.state.ships[id] for id in choice.ships]),
        *_other_heaps(Kind.FIGHTER, choice.fighters),
    )
    numbers = _chosen(at, heaps)
    chosen = Losses(tuple(ship.id for ship in _ships(heaps, numbers)), _count(heaps, numbers, Kind.FIGHTER))
    if at.draft.goal:
        return cmd.ChooseLosses(at.player, chosen.ships, chosen.fighters)
    menu = _numbers(at, "menu.losses", choice.at, heaps, "button.losses", exactly=choice.hits)
    if not (roomless := legal.left_without_room(at.state, choice, chosen)):
        return menu
    return replace(menu, text=f"{menu.text}\n{at.words.say('menu.losses_roomless', n=roomless)}")


def _battle(at: _At) -> Next:
    owed = (each for each in decisions(at.state) if isinstance(each, BattleChoice))
    choice = next((each for each in owed if each.player == at.player), None)
    if choice is None:
        raise RuleViolation("decision_is_over")
    if not at.draft.place:
        return at.places("menu.battle", choice.systems)
    return cmd.ChooseBattle(at.player, at.draft.place)


# ---- invasion


def _land(at: _At) -> Next:
    at.check(InvasionChoice)
    planets = legal.landing_planets(at.state)
    if not planets:
        raise RuleViolation("nothing_to_land")
    if not at.draft.place:
        return at.planets("menu.land_on", planets)
    planet = at.state.planets[at.planet()]
    aboard = legal.ground_units_aboard(at.state, at.player, planet.at)
    heaps = tuple(heap for kind, number in aboard.items() for heap in _other_heaps(kind, number))
    if not at.draft.goal:
        everything = [heap.size for heap in heaps]
        return _numbers(at, "menu.land_units", safe(planet.name), heaps, "menu.land_now", everything)
    request = Request((Group(_others(heaps, _chosen(at, heaps))),))
    parties = selection.choose_landing(at.state, at.player, planet.name, request, None)
    return cmd.DeclareLanding(at.player, planet.name, parties)


def _bombard(at: _At) -> Next:
    at.check(InvasionChoice)
    planets = legal.bombardable(at.state)
    if not planets:
        raise RuleViolation("nothing_to_bombard")
    if not at.draft.place:
        return at.planets("menu.bombard_which", planets)
    planet = at.state.planets[at.planet()]
    ships = [at.state.ships[id] for id in invasion.bombarders(at.state, planet)]
    heaps = tuple(_ship_heaps(ships, lambda ship: (ship.kind,), lambda ship: ""))
    if not at.draft.goal:
        everything = [heap.size for heap in heaps]
        return _numbers(at, "menu.bombard_units", safe(planet.name), heaps, "menu.bombard_now", everything)
    ids = tuple(ship.id for ship in _ships(heaps, _chosen(at, heaps)))
    return cmd.DeclareBombardment(at.player, planet.name, ids)


def _invade(at: _At) -> Next:
    at.check(InvasionChoice)
    return cmd.Invade(at.player)


def _done(at: _At) -> Next:
    if at.draft.goal != SURE:
        question = question_before(at.state, at.player, at.words.language)
        if question is not None:
            return question
    return cmd.Done(at.player)


_STEPS: Final[Mapping[str, Callable[[_At], Next]]] = {
    "move": _move,
    "load": _load,
    "scrap": _scrap,
    "losses": _losses,
    "battle": _battle,
    "land": _land,
    "bombard": _bombard,
    "invade": _invade,
    "done": _done,
}
