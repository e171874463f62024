"""What a tap on a menu does: it leads on, or gives a command, or says that the table has changed."""

from dataclasses import dataclass, replace

from bot import desk, looks, menus, planning, presenter
from bot.happening import Game, Happening
from bot.menus import SURE, Draft, Menu, Pick
from bot.phrases import Language, phrases
from bot.plans import DECLARING
from bot.rows import Proposal
from bot.seats import Speaker
from bot.service import Service
from bot.slash import find
from bot.steps import PostKind
from renderer.drawable import Drawable
from rules_core import commands as cmd
from rules_core.errors import Refusal, RuleViolation
from rules_core.state import State

PHASE = "phase"
ASK = "ask"


@dataclass(frozen=True, slots=True)
class Shown:
    """A private answer about the table after event `head`: a menu, or (None) all that `player` can do now."""

    text: str
    head: int
    state: State
    player: str
    menu: Menu | None = None
    picture: Drawable | None = None
    before: Drawable | None = None


async def tap(service: Service, game: int, speaker: Speaker, at: int, draft: Draft, language: Language) -> Shown:
    """Follows a draft that was shown when event `at` was the last one; raises what the rules refuse.

    What has not begun is good for the whole phase; anything further only for the table it was shown for.
    """
    shown = await _tapped(service, game, speaker, at, draft, language)
    return await _beside_plan(service, game, speaker, shown, language)


async def _tapped(service: Service, game: int, speaker: Speaker, at: int, draft: Draft, language: Language) -> Shown:
    if not await service.past.holds(game, at):
        raise RuleViolation("decision_is_over")
    now = await service.load(game)
    if draft.action in ("map", "since"):
        answer = await desk.perform(service, game, speaker.player, find(draft.action), {}, language)
        return Shown(answer.text, now.row.head, now.state, speaker.player, Menu(""), answer.picture, answer.before)
    if draft.action in ("mute", "help"):
        answer = await desk.perform(service, game, speaker.player, find(draft.action), {}, language)
        return Shown(answer.text, now.row.head, now.state, speaker.player)
    if draft.action == "plan":
        return await _plan(service, game, speaker, at, draft, language)
    if draft.bound and not await _stands(service, now, at, draft):
        return _what_now(now.row.head, now.state, speaker.player, phrases(language).say("menu.changed"), language)
    if draft.action in ("undo", "redo"):
        return await _there_and_back(service, game, speaker, at, draft, language)
    state = await service.plans.table_for(game, speaker.by, draft.action)
    found = menus.follow(state, speaker.player, draft, language)
    if isinstance(found, Menu) and draft.action == "done":
        found = await before_done(service, game, speaker, found, language)
    if draft == Draft("invade"):
        found = await before_invading(service, game, speaker, language) or found
    if isinstance(found, Menu):
        return Shown(found.text, now.row.head, state, speaker.player, found)
    return await _carry_out(service, game, speaker, now.row.head, draft, language)


async def _stands(service: Service, now: Game, at: int, draft: Draft) -> bool:
    """Whether a draft is for the table as it is: nothing was done since, or what was (a pause) left no trace.

    After something was taken back an old button does nothing, and none takes back or brings back unseen.
    """
    if now.row.head == at:
        return True
    since = await service.store.log.entries(now.row.id, at)
    if draft.action in ("undo", "redo") or any(entry.returns_to is not None for entry in since):
        return False
    return await service.past.state_at(now.row.id, at) == replace(now.state, standing={})


async def refused(service: Service, game: int, speaker: Speaker, why: Refusal, language: Language) -> Shown:
    """Why something is not possible, and what is."""
    now = await service.load(game)
    shown = Shown(desk.refusal(why, now.state, language), now.row.head, now.state, speaker.player)
    return await _beside_plan(service, game, speaker, shown, language)


async def _carry_out(
    service: Service, game: int, speaker: Speaker, head: int, draft: Draft, language: Language
) -> Shown:
    """The table may have moved on since it was looked at: then nothing is done."""

    def build(state: State) -> cmd.Command:
        found = menus.follow(state, speaker.player, draft, language)
        assert not isinstance(found, Menu), "another menu for the same table"
        return found

    done = await service.execute(game, speaker.by, build, head, declares=draft.action in DECLARING)
    text = await desk.told(service, game, done, speaker.player, speaker.by, language)
    return Shown(text, done.game.head, done.after, speaker.player)


def _what_now(head: int, state: State, player: str, note: str, language: Language) -> Shown:
    return Shown(f"{note}\n{looks.waiting_line(state, player, language)}", head, state, player)


# ---- plans


async def plan_menu(service: Service, game: int, speaker: Speaker, language: Language) -> Menu | None:
    """The buttons of a player's plan, in place of those that he has without one."""
    planned = await service.plans.planned(game, speaker.by)
    return None if planned is None else planning.menu(planned, language)


async def before_done(service: Service, game: int, speaker: Speaker, question: Menu, language: Language) -> Menu:
    """What is asked before a phase ends, with the plan that would be lost with it."""
    planned = await service.plans.planned(game, speaker.by)
    if planned is None:
        return question
    plan = Pick(phrases(language).say("menu.plan_show"), Draft("plan", "show"))
    text = f"{question.text}\n{planning.note(planned, language)}"
    return replace(question, text=text, buttons=(*question.buttons, plan))


async def before_invading(service: Service, game: int, speaker: Speaker, language: Language) -> Menu | None:
    """What is asked before an invasion that would leave out what a plan still holds."""
    planned = await service.plans.planned(game, speaker.by)
    return None if planned is None else planning.question_before_invading(planned, language)


async def _beside_plan(service: Service, game: int, speaker: Speaker, shown: Shown, language: Language) -> Shown:
    """An answer to one who has a plan: its buttons, if nothing else is offered; a list says what it is for."""
    planned = await service.plans.planned(game, speaker.by)
    if planned is None:
        return shown
    if shown.menu is None:
        return replace(shown, menu=planning.menu(planned, language))
    if planned.is_open and shown.menu.lists:
        return replace(shown, text=f"{phrases(language).say('plan.noted')} {shown.text}")
    return shown


async def _plan(service: Service, game: int, speaker: Speaker, at: int, draft: Draft, language: Language) -> Shown:
    """Opens or shows a plan; a commit and a discard are good for the table and the plan that were looked at."""
    player = speaker.player
    if speaker.by != player:
        raise RuleViolation("only_players")
    picture: Drawable | None = None
    match draft.place:
        case "commit":
            came = await service.plans.commit(game, player, at, draft.goal)
            text = await desk.committed(service, game, came, language)
        case "discard":
            await service.plans.discard(game, player, at, draft.goal)
            text = phrases(language).say("plan.discarded")
        case _:
            planned = await service.plans.planned(game, player)
            opens = planned is None or (draft.place == "open" and not planned.is_open)
            command = find("plan open" if opens else "plan show")
            answer = await desk.perform(service, game, player, command, {}, language)
            text, picture = answer.text, answer.picture
    now = await service.load(game)
    return Shown(text, now.row.head, now.state, player, picture=picture)


async def _unplanned(service: Service, game: int, speaker: Speaker, language: Language) -> Shown:
    """What is left of a plan from which something was taken out, where its menu stood."""
    now, planned = await service.load(game), await service.plans.planned(game, speaker.by)
    text = "" if planned is None else await planning.shown(planned, language)
    return Shown(text, now.row.head, now.state, speaker.player)


# ---- taking back


async def _there_and_back(
    service: Service, game: int, speaker: Speaker, at: int, draft: Draft, language: Language
) -> Shown:
    if draft.action == "redo":
        done = await service.undoing.redo(game, speaker.by, at)
        return await _undone(service, done, PostKind.REDO, speaker.player, language)
    return await _undo(service, game, speaker, draft, language)


async def _undo(service: Service, game: int, speaker: Speaker, draft: Draft, language: Language) -> Shown:
    if await service.plans.drop_last(game, speaker.by):
        return await _unplanned(service, game, speaker, language)
    if draft.place == ASK:
        return await _ask_others(service, game, speaker, language)
    whole = draft.place == PHASE
    if draft.goal == SURE:
        done = await service.undoing.undo(game, speaker.by, whole)
        return await _undone(service, done, PostKind.UNDO, speaker.player, language)
    try:
        last = await service.undoing.to_undo(game, speaker.by)
    except RuleViolation as refused:
        return await offer_to_ask(service, game, speaker, refused, language)
    words, phase = phrases(language), await service.undoing.to_undo(game, speaker.by, whole_phase=True)
    buttons = [Pick(words.say("menu.undo_last"), Draft("undo", goal=SURE))]
    if phase.first != last.first:
        buttons.append(Pick(words.say("menu.undo_phase"), Draft("undo", PHASE, goal=SURE)))
    text = presenter.to_be_undone(last.before, last.events, speaker.player, language)
    menu = Menu(text, buttons=tuple(buttons))
    return Shown(text, last.game.head, last.after, speaker.player, menu)


async def offer_to_ask(
    service: Service, game: int, speaker: Speaker, refused: RuleViolation, language: Language
) -> Shown:
    """Why it is not free, and a button that asks the others."""
    if refused.code in ("nothing_to_undo", "plan_is_empty"):
        raise refused
    now, words = await service.load(game), phrases(language)
    menu = Menu("", buttons=(Pick(words.say("menu.undo_ask"), Draft("undo", ASK, goal=SURE)),))
    return Shown(desk.refusal(refused, now.state, language), now.row.head, now.state, speaker.player, menu)


async def _ask_others(service: Service, game: int, speaker: Speaker, language: Language) -> Shown:
    came = await service.undoing.propose(game, speaker.by)
    if isinstance(came, Proposal):
        now = await service.load(game)
        note = phrases(language).say("menu.asked")
        return _what_now(now.row.head, now.state, speaker.player, note, language)
    return await _undone(service, came, PostKind.UNDO, speaker.player, language)


async def _undone(service: Service, done: Happening, kind: PostKind, player: str, language: Language) -> Shown:
    return Shown(await desk.returned(service, done, kind, player, language), done.last, done.after, player)
