"""What a player is told of his plan, and the buttons that go with it: for nobody else to see."""

import asyncio
from collections.abc import Iterator

from bot import odds
from bot.drafts import Committed, Planned
from bot.happening import Happening
from bot.menus import SURE, Draft, Menu, Pick, buttons_of, declaring, possible
from bot.phrases import Language, Phrases, phrases, safe
from bot.plans import MOVES, battles, movement_over
from bot.presenter import done
from bot.report import Lines, all_races, ground
from rules_core import commands as cmd
from rules_core.errors import Refusal
from rules_core.odds import QUICK_STEPS, steps
from rules_core.pending import InvasionChoice, decisions
from rules_core.state import Landing, State, Step


async def shown(planned: Planned, language: Language) -> str:
    """A plan with the battles and landings it would cause, their odds, and what is not possible any more."""
    words, outcome = phrases(language), planned.outcome
    lines = [words.say("plan.heading"), *done(outcome.start, outcome.moves, planned.player, language)]
    lines += [await _battle(outcome.moved, planned.player, at, words) for at in battles(outcome.moved, planned.player)]
    if declared := [_command(words, each) for each in _declarable(planned)]:
        invading = _step(outcome.start) is Step.INVASION
        lines.append(words.say("plan.now" if invading else "plan.later", what=words.list(declared)))
        lines += odds.of_landings(outcome.invading, words)
    if not planned.plan.commands:
        return "\n".join((*lines, words.say("plan.empty")))
    return "\n".join((*lines, note(planned, language)))


async def _battle(moved: State, player: str, at: str, words: Phrases) -> str:
    """The odds of a battle that a plan would cause; of a very large one only where it is."""
    question = odds.asked(movement_over(moved, player), player, {"system": at}, words)
    if steps(question.battle) > QUICK_STEPS:
        return words.say("plan.battle", at=at)
    return odds.told(await asyncio.to_thread(odds.judged, question), words)


def commits(planned: Planned, words: Phrases) -> str:
    """What a commit would do, in a few words: the moves with their battles, and what waits for the invasion step."""
    plan, outcome = planned.plan, planned.outcome
    declared = words.list(_command(words, each) for each in plan.declarations)
    if not plan.moves or _step(outcome.start) is Step.INVASION:
        return declared or words.say("plan.nothing")
    counted = (("moves", cmd.MoveShips), ("loads", cmd.LoadUnits), ("scraps", cmd.ScrapUnits))
    numbers = ((key, sum(isinstance(each, kind) for each in plan.moves)) for key, kind in counted)
    parts = [words.say(f"plan.{key}", n=number) for key, number in numbers if number]
    at = battles(outcome.moved, planned.player)
    parts.append(words.say("plan.battles", systems=at) if at else words.say("plan.no_battle"))
    if declared:
        parts.append(words.say("plan.after_battles", what=declared))
    return ", ".join(parts)


def note(planned: Planned, language: Language) -> str:
    """The lines that go with whatever else its owner is told: that there is a plan, and what becomes of it."""
    words = phrases(language)
    key = "due" if _step(planned.outcome.start) is Step.INVASION else "kept"
    if planned.is_open:
        key = "open"
    line = words.say(f"plan.{key}", what=commits(planned, words))
    return "\n".join((line, *_impossible(words, planned, "plan.impossible")))


def added(planned: Planned, now: Happening, language: Language) -> str:
    """What has just gone into a plan."""
    words, last = phrases(language), planned.plan.commands[-1]
    moves = done(now.before, now.events, planned.player, language) if isinstance(last, MOVES) else ()
    what = moves or (_command(words, last),)
    return "\n".join((words.say("plan.noted"), *what, note(planned, language)))


def committed(came: Committed, language: Language) -> str:
    """What a commit has done, and what was not possible."""
    words, now = phrases(language), came.done
    lines = [*done(now.before, now.events, came.planned.player, language)]
    if came.rest is None:
        lines += _impossible(words, came.planned, "plan.dropped")
    return "\n".join(lines)


def left_over(planned: Planned, language: Language) -> str:
    """What was planned for a phase that is over, and why it was not done."""
    words = phrases(language)
    reasons = dict(planned.outcome.impossible)
    lines = (_with_reason(words, planned, each, reasons.get(each)) for each in planned.plan.commands)
    return "\n".join((words.say("plan.left_over"), *lines))


def menu(planned: Planned, language: Language) -> Menu | None:
    """What its owner can do with a plan, and what can go into it; none while a battle is fought, which comes first."""
    words, plan, start = phrases(language), planned.plan, planned.outcome.start
    if (step := _step(start)) is Step.SPACE_BATTLE:
        return None
    about = [Pick(words.say("menu.plan_show"), Draft("plan", "show"))]
    if plan.commands and (planned.is_open or step is Step.INVASION):
        about.append(_commit(words, planned))
    about.append(Pick(words.say("menu.plan_discard"), Draft("plan", "discard", goal=plan.mark), weighty=True))
    if planned.is_open:
        moving = buttons_of(words, *(("move", "load", "scrap") if step is Step.MOVEMENT else ()))
        into = (*moving, *declaring(words, planned.outcome.invading), *buttons_of(words, "undo"))
        return Menu("", buttons=(*into, *about))
    about.append(Pick(words.say("menu.plan_open"), Draft("plan", "open")))
    others = (pick for pick in possible(start, planned.player, language) if pick.draft.action != "plan")
    return Menu("", buttons=(*others, *about))


def question_before_invading(planned: Planned, language: Language) -> Menu | None:
    """What is asked once before systems are closed in which a plan would still declare something (3.54-b)."""
    words, table = phrases(language), planned.outcome.start
    waiting = (each for each in decisions(table) if isinstance(each, InvasionChoice))
    closing = {at for choice in waiting for at in choice.declared}
    if planned.is_open or not any(table.planets[each.planet].at in closing for each in _declarable(planned)):
        return None
    anyway = Pick(words.say("menu.invade_anyway"), Draft("invade", goal=SURE), weighty=True)
    text = f"{words.say('menu.invade_question')}\n{note(planned, language)}"
    return Menu(text, buttons=(_commit(words, planned), anyway))


def _declarable(planned: Planned) -> Iterator[cmd.DeclareLanding | cmd.DeclareBombardment]:
    """What of a plan can still be declared."""
    refused = [id(command) for command, _ in planned.outcome.impossible]
    for each in planned.plan.declarations:
        if isinstance(each, cmd.DeclareLanding | cmd.DeclareBombardment) and id(each) not in refused:
            yield each


def _commit(words: Phrases, planned: Planned) -> Pick:
    key = "declare" if _step(planned.outcome.start) is Step.INVASION else "commit"
    label = words.say(f"menu.plan_{key}", what=commits(planned, words))
    return Pick(label, Draft("plan", "commit", goal=planned.plan.mark), weighty=True)


def _step(state: State) -> Step | None:
    return None if state.phase is None else state.phase.step


def _impossible(words: Phrases, planned: Planned, heading: str) -> Lines:
    lines = tuple(_with_reason(words, planned, *each) for each in planned.outcome.impossible)
    return (words.say(heading), *lines) if lines else ()


def _with_reason(words: Phrases, planned: Planned, command: cmd.Command, refused: Refusal | None) -> str:
    known = all_races(planned.outcome.start)
    why = words.say("plan.not_done") if refused is None else words.refusal(refused, known)
    return words.say("plan.each", what=_command(words, command), why=why)


def _command(words: Phrases, command: cmd.Command) -> str:
    """A command in a few words, whether or not its units are there."""
    match command:
        case cmd.MoveShips(start=start, waypoints=waypoints, ships=ships):
            return words.say("plan.move", n=len(ships), start=start, goal=waypoints[-1])
        case cmd.LoadUnits(at=at):
            return words.say("plan.load", at=at)
        case cmd.ScrapUnits(at=at):
            return words.say("plan.scrap", at=at)
        case cmd.DeclareLanding(planet=planet, parties=parties):
            landing = Landing(planet, parties)
            units = ground(words, landing.ground_forces, landing.pds)
            return words.say("plan.landing", planet=safe(planet), units=units)
        case cmd.DeclareBombardment(planet=planet, dreadnoughts=dreadnoughts):
            return words.say("plan.bombardment", planet=safe(planet), n=len(dreadnoughts))
    raise AssertionError(f"{command} was never planned")
