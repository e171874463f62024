"""Looking at a game: what it waits for, its order, its units; and the choices that are shown as buttons. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import groupby
from typing import Final, get_args, get_type_hints

from bot import odds
from bot.agreed import Agreed
from bot.phrases import Language, Phrases, phrases, safe
from bot.report import Lines, all_races, fleet, ground, place
from rules_core import commands as cmd
from rules_core import invasion, legal
from rules_core.movement import homeless
from rules_core.pending import (
    BattleChoice,
    Decision,
    InvasionChoice,
    LossesChoice,
    MovementChoice,
    RetreatChoice,
    decisions,
)
from rules_core.selection import number_of
from rules_core.state import Losses, Options, Player, Ship, StandingOrders, State
from rules_core.turn_order import acting, order_to_come
from rules_core.units import Kind

_HELP: Final[Mapping[type[Decision], str]] = {
    MovementChoice: "movement",
    BattleChoice: "battle",
    LossesChoice: "losses",
    RetreatChoice: "retreat",
    InvasionChoice: "invasion",
}
MAX_CHOICES: Final = 25
_MOST_MISSED: Final = (Kind.DREADNOUGHT, Kind.CARRIER, Kind.CRUISER)


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a decision: its `id` within the decision, the words of its button, and the command it gives."""

    id: str
    label: str
    command: cmd.PlayerCommand


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision in words, with its answers; without any it is answered by the slash command only."""

    text: str
    choices: tuple[Choice, ...] = ()


# ---- decisions


def prompt(state: State, decision: Decision, language: Language, named: bool = True) -> Prompt:
    """What is asked, and the answers as buttons (at most 25).

    They say whose they are if others must answer too, and what holds them does not say so already (`named`).
    """
    words, shared = phrases(language), named and len(decisions(state)) > 1
    choices = tuple(_choices(words, state, decision))[:MAX_CHOICES]
    if shared:
        player = safe(state.player(decision.player).race)
        choices = tuple(replace(c, label=words.say("button.of", player=player, label=c.label)) for c in choices)
    return Prompt(_question(words, state, decision), choices)


def title(state: State, decision: Decision, language: Language) -> str:
    """Whose decision it is, and what he does, in the few words that a closed list shows on a phone."""
    words, player = phrases(language), all_races(state)[decision.player]
    if isinstance(decision, LossesChoice):
        return words.say("ask.losses_of", player=player, hits=decision.hits)
    return words.waits_for(decision, all_races(state))


def _question(words: Phrases, state: State, decision: Decision) -> str:
    match decision:
        case LossesChoice(at=at, hits=hits):
            ships = tuple(state.ships[id] for id in decision.ships)
            units = words.list(_one_by_one(words, state, ships, decision.fighters))
            return words.say("ask.losses", at=place(state, at), hits=hits, units=units)
        case RetreatChoice(at=at, goals=goals):
            return words.say("ask.retreat", at=place(state, at), goals=goals)
        case BattleChoice(systems=systems):
            return words.say("ask.battle", systems=systems)
        case InvasionChoice(declarable=declarable, declared=declared):
            key = "invasion" if not declared else "invasion_declared" if declarable else "invasion_all_declared"
            return words.say(f"ask.{key}", declarable=declarable, declared=declared)
    # 3.52.2-h: said at once, not only when the end of the movement is refused.
    lacking = [words.say("fighters_at", at=at, n=n) for at, n in homeless(state, decision.player).items()]
    said = words.say("can.movement")
    return f"{said}\n{words.say('can.homeless', lacking=words.list(lacking))}" if lacking else said


def _choices(words: Phrases, state: State, decision: Decision) -> Iterator[Choice]:
    player = decision.player
    match decision:
        case LossesChoice():
            yield from _loss_choices(words, state, decision)
        case RetreatChoice(goals=goals):
            yield Choice("continue", words.say("button.continue"), cmd.ContinueBattle(player))
            for to in goals:
                yield Choice(f"retreat-{to}", words.say("button.retreat", to=to), cmd.Retreat(player, to))
        case BattleChoice(systems=systems):
            for at in systems:
                yield Choice(f"battle-{at}", words.say("button.battle", at=at), cmd.ChooseBattle(player, at))
        case InvasionChoice(declared=declared) if declared:
            yield Choice("invade", carry_out(words, state, decision), cmd.Invade(player))
        case InvasionChoice():
            yield Choice("done", words.say("button.end_phase"), cmd.Done(player))
        case MovementChoice():
            yield Choice("done", words.say("button.end_movement"), cmd.Done(player))


def carry_out(words: Phrases, state: State, decision: InvasionChoice) -> str:
    """The button that carries out what is declared: where, whether dice fall, and whether the phase ends with it."""
    notes = [words.say("button.invade_rolls")] if invasion.rolls(state) else []
    notes += [words.say("button.invade_ends")] if set(decision.declarable) <= set(decision.declared) else []
    key = "button.invade_noted" if notes else "button.invade"
    return words.say(key, systems=decision.declared, notes=words.list(notes))


def _loss_choices(words: Phrases, state: State, decision: LossesChoice) -> Iterator[Choice]:
    """Every answer, if there are so few of them that they can be buttons; like units are one answer.

    What is least missed stands first.
    """
    looks = sorted((state.ships[id] for id in decision.ships), key=_look)
    kinds = [tuple(ship.id for ship in ships) for _, ships in groupby(looks, key=_look)]
    answers = list(_takings([len(ids) for ids in kinds] + [decision.fighters], decision.hits, MAX_CHOICES + 1))
    each_kind = [state.ships[ids[0]].kind for ids in kinds]

    def missed(answer: tuple[int, ...]) -> list[int]:
        ships = tuple(zip(each_kind, answer[:-1], strict=True))
        return [sum(number for kind, number in ships if kind is most) for most in _MOST_MISSED]

    for *numbers, fighters in sorted(answers, key=missed) if len(answers) <= MAX_CHOICES else ():
        ids = tuple(id for ids, number in zip(kinds, numbers, strict=True) for id in ids[:number])
        units = fleet(words, (state.ships[id] for id in ids), fighters)
        name = "losses-" + ".".join(map(str, (*numbers, fighters)))
        command = cmd.ChooseLosses(decision.player, ids, fighters)
        roomless = legal.left_without_room(state, decision, Losses(ids, fighters))
        key = "button.losses_roomless" if roomless else "button.losses"
        yield Choice(name, words.say(key, units=units, n=roomless), command)


def _look(ship: Ship) -> tuple[Kind, int, int]:
    return ship.kind, ship.ground_forces, ship.pds


def _takings(there: Sequence[int], wanted: int, most: int) -> list[tuple[int, ...]]:
    """The ways to take `wanted` from piles of these sizes, at most `most` of them."""
    if not there:
        return [()] if wanted == 0 else []
    found: list[tuple[int, ...]] = []
    rest = sum(there[1:])
    for number in range(min(there[0], wanted), max(0, wanted - rest) - 1, -1):
        if len(found) < most:
            found += [(number, *more) for more in _takings(there[1:], wanted - number, most)]
    return found[:most]


def help_now(state: State, reader: str, language: Language) -> str:
    """What a reader can do now, in one screen: what is waited for, how he answers it, what he can always do."""
    words = phrases(language)
    mine = [each for each in decisions(state) if each.player == reader]
    tips = [words.say(f"help.{_HELP[type(each)]}") for each in mine] or [words.say("help.not_yours")]
    return "\n".join((waiting_line(state, reader, language), *dict.fromkeys(tips), words.say("help.always")))


def answer(state: State, command: cmd.PlayerCommand, language: Language) -> str:
    """A choice in the words of its button."""
    words = phrases(language)
    match command:
        case cmd.ChooseLosses(ships=ids, fighters=fighters):
            return words.say("button.losses", units=fleet(words, [state.ships[id] for id in ids], fighters))
        case cmd.Retreat(to=to):
            return words.say("button.retreat", to=to)
        case cmd.ContinueBattle():
            return words.say("button.continue")
        case cmd.ChooseBattle(at=at):
            return words.say("button.battle", at=at)
    return words.say("button.went_on")


def _asked(state: State, decision: Decision, language: Language) -> Lines:
    """A decision as he is asked who must make it; beside a retreat the odds, which are for him alone."""
    text = prompt(state, decision, language).text
    if not isinstance(decision, RetreatChoice):
        return (text,)
    own = state.standing.get(decision.player, StandingOrders()).losses
    return (text, *odds.beside(state, decision, {decision.player: own}, phrases(language)))


def waiting_line(state: State, reader: str, language: Language) -> str:
    """What the game waits for, as `reader` is to read it: what he can do himself before anything else."""
    words = phrases(language)
    owed = decisions(state)
    if state.paused:
        return words.say("edit.now_paused")
    if not owed:
        return words.say("waiting.referee")
    mine = [each for each in owed if each.player == reader]
    if mine:
        return "\n".join(line for each in mine for line in _asked(state, each, language))
    names = all_races(state)
    return words.say("waiting.for", decisions=words.list(words.waits_for(each, names) for each in owed))


# ---- the table


def status(state: State, reader: str, language: Language) -> str:
    """Name, round, who acts, what is waited for."""
    words, now = phrases(language), state.phase
    heading = words.say("look.game", name=safe(state.name), round=state.round)
    if now is None:
        return "\n".join((heading, waiting_line(state, reader, language)))
    acts = words.say("look.acting", player=safe(state.player(now.player).race), step=now.step)
    return "\n".join((heading, acts, waiting_line(state, reader, language)))


def order(state: State, language: Language) -> str:
    """Every player with power, resources and standing, in the order of play as it is now."""
    words, now = phrases(language), acting(state)
    done = [player.key for player in state.players if player.acted and not player.eliminated and player.key != now]
    out = [player.key for player in state.players if player.eliminated]
    current = [] if now is None else [now]
    keys = [*done, *current, *order_to_come(state), *out]
    lines = (_standing_line(words, state, n, state.player(key)) for n, key in enumerate(keys, 1))
    return "\n".join((words.say("look.order", round=state.round), *lines))


def _standing_line(words: Phrases, state: State, number: int, player: Player) -> str:
    key = "to_come"
    if player.eliminated:
        key = "eliminated"
    elif player.key == acting(state):
        key = "acting"
    elif player.acted:
        key = "acted"
    return words.say(
        "look.player",
        n=number,
        player=safe(player.race),
        power=state.political_power(player.key),
        resources=state.resources(player.key),
        standing=words.say(f"standing.{key}"),
    )


def units(state: State, player: str, language: Language) -> str:
    """What a player has, system by system; ships of which some carry something by their numbers."""
    words, owner = phrases(language), state.player(player)
    planets = {planet.at for planet in state.planets.values() if planet.owner == player}
    places = sorted({*state.places_of(player), *planets})
    technologies = words.list(map(words.technology, owner.technologies)) or words.say("none")
    heading = words.say("look.units", player=safe(owner.race), technologies=technologies)
    lines = (line for at in places for line in _system_lines(words, state, at, player))
    return "\n".join((heading, *lines))


def _system_lines(words: Phrases, state: State, at: str, player: str) -> Lines:
    in_space = words.list(_one_by_one(words, state, state.ships_at(at, player), state.fighters_at(at, player)))
    lines = [words.say("look.system", at=at, units=in_space)] if in_space else []
    for planet in state.planets_at(at):
        if planet.owner == player:
            there = ground(words, planet.ground_forces, planet.pds, planet.space_dock) or words.say("none")
            lines.append(words.say("look.planet", at=at, planet=safe(planet.name), units=there))
    return tuple(lines)


def _one_by_one(words: Phrases, state: State, ships: Sequence[Ship], fighters: int) -> Iterator[str]:
    """Like ships together; a kind of which some carry something is listed by number, as orders name it."""
    laden = {ship.kind for ship in ships if ship.load}
    plain = [ship for ship in ships if ship.kind not in laden]
    if plain or fighters:
        yield fleet(words, plain, fighters)
    for ship in (ship for ship in ships if ship.kind in laden):
        name, cargo = words.numbered(ship.kind, number_of(state, ship)), ground(words, ship.ground_forces, ship.pds)
        yield words.say("laden", unit=name, cargo=cargo) if cargo else name


def settings(agreed: Agreed, language: Language) -> str:
    """What the table has agreed on."""
    words = phrases(language)
    return "\n".join(
        (
            words.say("look.settings"),
            words.say("look.reminders", hours=agreed.remind) if agreed.remind else words.say("look.no_reminders"),
            words.say("look.deadline", hours=agreed.deadline, then=words.say(f"then.{agreed.then}"))
            if agreed.deadline
            else words.say("look.no_deadline"),
            words.say("look.folded" if agreed.fold else "look.not_folded"),
            *((words.say("look.threads"),) if agreed.threads else ()),
            words.say(f"victory.{agreed.victory}", goal=agreed.goal),
        )
    )


def options(chosen: Options, language: Language) -> str:
    """The settings of the rules, each with its value and what it could be instead."""
    words = phrases(language)
    lines = [words.say("settings.title")]
    for each in fields(Options):
        value = str(getattr(chosen, each.name))
        others = [word for word in get_args(get_type_hints(Options)[each.name]) if word != value]
        lines.append(
            words.say(
                "settings.line",
                option=words.option(each.name),
                value=words.option_value(each.name, value),
                means=words.say(f"option.{each.name}.means"),
                others=words.list(words.option_value(each.name, other) for other in others),
            )
        )
    return "\n".join((*lines, words.say("settings.how")))


def standing_orders(state: State, player: str, language: Language) -> str:
    """A player's own standing orders; nobody else is to see them."""
    words, orders = phrases(language), state.standing.get(player, StandingOrders())
    losses = words.list(map(words.unit, orders.losses)) or words.say("look.asked")
    fire = [_fire_line(words, state, whom, order) for whom, order in orders.pds.items()]
    return "\n".join(
        (
            words.say("look.standing"),
            words.say("look.standing_losses", losses=losses),
            words.say("look.standing_pds", pds=words.list(fire) or words.say("look.they_fire")),
            words.say("look.standing_retreat", retreat=_retreat_order(words, orders)),
            words.say("look.standing_pass", order=words.say("look.passes" if orders.passes else "look.acts")),
        )
    )


def _fire_line(words: Phrases, state: State, whom: str, order: str) -> str:
    said = words.say(f"fire.{order}")
    if whom == "default":
        return said
    return words.say("fire.at", order=said, player=safe(state.player(whom).race))


def _retreat_order(words: Phrases, orders: StandingOrders) -> str:
    if orders.retreat is None:
        return words.say("look.asked")
    if orders.retreat.below_ships is not None:
        return words.say("retreat_order.below", n=orders.retreat.below_ships)
    if orders.retreat.odds_below is not None:
        return words.say("retreat_order.odds", n=orders.retreat.odds_below)
    return words.say("retreat_order.never")
