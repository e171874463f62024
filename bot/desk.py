"""One slash command, from the texts of its options to what its actor is told: for Discord and the table alike."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot import buying, chronicle, lobby, looks, luck, odds, parse, planning, presenter, slash, summary
from bot.agreed import read_agreed
from bot.drafts import Committed
from bot.files import read_game
from bot.happening import Game, Happening
from bot.marks import map_labels, map_title, marks
from bot.phrases import NOBODY, PLAIN, Language, Signs, moment, phrases, safe
from bot.pictures import alt_text, views
from bot.plans import DECLARING
from bot.replay import Film, frames, of_round
from bot.report import all_races, races
from bot.rows import Proposal
from bot.script import read_command
from bot.service import Service
from bot.slash import Does, Slash, Texts
from bot.steps import ASKING, RETURNS, WITHOUT_MAP, PostKind
from renderer import USUAL_WIDTH, View
from renderer.drawable import Drawable, Picture, Plot
from rules_core.clauses import CLAUSES
from rules_core.errors import Refusal, RuleViolation, Unreadable
from rules_core.history import REFEREE, live
from rules_core.state import State


@dataclass(frozen=True, slots=True)
class Answer:
    """What the actor is told privately, and the picture or film he asked for. `said`: what the channel hears of him.

    `before`: the table as it was, to be looked at before the picture.
    """

    text: str
    picture: Drawable | None = None
    said: str = ""
    film: Film | None = None
    before: Drawable | None = None


async def perform(
    service: Service, game: int, actor: str, command: Slash, texts: Texts, language: Language, by: str | None = None
) -> Answer:
    """Follows one command of `actor`, a player's key or "referee"; raises its refusal. `by`: who acts for him."""
    command.check(texts)
    _check_role(actor, command)
    match command.does:
        case Does.ORDER | Does.REFEREE:
            done = await service.execute(
                game,
                by or actor,
                lambda state: slash.build(state, actor, command.name, texts),
                declares=command.name in DECLARING,
            )
            return Answer(await told(service, game, done, actor, by or actor, language))
        case Does.PLAN:
            return await _plan(service, game, actor, by or actor, command.name, language)
        case Does.ACT:
            return await _act(service, game, texts, language)
        case Does.UNDO | Does.REDO | Does.ANSWER:
            return await _take_back(service, game, actor, by or actor, command, texts, language)
        case Does.STANDING:
            await service.set_standing(game, actor, lambda state: slash.standing_orders(state, actor, texts))
            return Answer(looks.standing_orders((await service.load(game)).state, actor, language))
        case Does.HABIT:
            return await _habit(service, game, actor, command.name, texts, language)
        case Does.SETTINGS:
            return await _settings(service, game, texts, language)
        case Does.LOOK:
            return await _look(service, await service.load(game), actor, command.name, texts, language)
        case Does.TO_COME:
            raise Refusal("to_come")


def _check_role(actor: str, command: Slash) -> None:
    if command.does in (Does.REFEREE, Does.ACT, Does.SETTINGS) and actor != REFEREE:
        raise RuleViolation("only_the_referee")
    if command.does in (Does.ORDER, Does.STANDING, Does.HABIT, Does.PLAN) and actor == REFEREE:
        raise RuleViolation("only_players")


async def _act(service: Service, game: int, texts: Texts, language: Language) -> Answer:
    """The referee gives a command for a player; everybody reads who gave it."""
    player = parse.parse_player((await service.load(game)).state, texts["player"])
    command, given = read_command(texts["command"])
    command.check(given)
    if command.does is not Does.ORDER:
        raise RuleViolation("only_orders_for_another")
    reason = texts.get("reason", "")
    done = await service.act_for(game, player, lambda state: slash.build(state, player, command.name, given), reason)
    return Answer(presenter.private(done.before, done.events, player, language))


# ---- plans


async def told(service: Service, game: int, done: Happening, player: str, by: str, language: Language) -> str:
    """What a player is told after his command, which took effect or went into his plan; `by`: who gave it."""
    planned = await service.plans.planned(game, by)
    if planned is not None and planned.is_open:
        return planning.added(planned, done, language)
    text = presenter.private(done.before, done.events, player, language)
    ordered = chronicle.ordered(done, player, language)
    return "\n".join((text, *ordered, *await _of_plans(service, game, by, language)))


async def committed(service: Service, game: int, came: Committed, language: Language) -> str:
    """What a player is told when he has carried out his plan."""
    player, after = came.planned.player, came.done.after
    lines = filter(None, (planning.committed(came, language), looks.waiting_line(after, player, language)))
    return "\n".join((*lines, *await _of_plans(service, game, player, language)))


async def _of_plans(service: Service, game: int, player: str, language: Language) -> tuple[str, ...]:
    """What goes with anything that a player is told: his plan, or what was left of it when his phase ended."""
    if (planned := await service.plans.planned(game, player)) is not None:
        return (planning.note(planned, language),)
    if (left := await service.plans.left_over(game, player)) is not None:
        return (planning.left_over(left, language),)
    return ()


async def _plan(service: Service, game: int, player: str, by: str, name: str, language: Language) -> Answer:
    words = phrases(language)
    if by != player:  # who plays a vacant seat orders, and plans nothing for it
        raise RuleViolation("only_players")
    match name:
        case "plan open":
            await service.plans.open(game, player)
            return Answer(words.say("plan.opened"))
        case "plan discard":
            await service.plans.discard(game, player)
            return Answer(words.say("plan.discarded"))
        case "plan commit":
            return Answer(await committed(service, game, await service.plans.commit(game, player), language))
    planned = await service.plans.planned(game, player)
    if planned is None:
        raise RuleViolation("no_plan")
    came = planned.outcome
    title = words.say("plan.title", title=map_title(came.moved, language))
    view = View(title, map_labels(language), marks=marks(came.start, came.moves))
    text = await planning.shown(planned, language)
    return Answer(text, Picture(came.moved, view, alt_text(title, text)))


# ---- waiting


async def _habit(service: Service, game: int, player: str, name: str, texts: Texts, language: Language) -> Answer:
    words = phrases(language)
    if name == "mute":
        await service.waiting.mute(game, player)
        return Answer(words.say("private.muted"))
    given = slash.hours(texts["hours"])
    if name == "remind":
        await service.store.set_remind(game, player, given)
        return Answer(words.say("private.remind", hours=given) if given else words.say("private.remind_never"))
    until = await service.waiting.away(game, player, given)
    return Answer(words.say("private.back") if until is None else words.say("private.away", until=moment(until, "f")))


async def _settings(service: Service, game: int, texts: Texts, language: Language) -> Answer:
    before = read_agreed((await service.store.game(game)).settings)
    agreed = await service.agree_on(game, lambda now: slash.agreed(now, texts))
    if (before.victory, before.goal) != (agreed.victory, agreed.goal):
        # What everybody plays for is told to everybody.
        await service.tell(game, PostKind.LOBBY)
    return Answer(looks.settings(agreed, language))


# ---- taking back


async def _take_back(
    service: Service, game: int, actor: str, by: str, command: Slash, texts: Texts, language: Language
) -> Answer:
    if command.does is Does.UNDO and not texts and await service.plans.drop_last(game, by):
        return await _plan(service, game, actor, by, "plan show", language)
    if command.does is Does.UNDO:
        return await _undo(service, game, by, texts.get("to", "").casefold(), language)
    if command.does is Does.REDO:
        return Answer(await returned(service, await service.undoing.redo(game, by), PostKind.REDO, actor, language))
    answered = await service.undoing.answer(game, actor, command.name == "agree")
    return await _proposed(service, answered, actor, language)


async def _undo(service: Service, game: int, actor: str, to: str, language: Language) -> Answer:
    if to.isdecimal():
        return await _proposed(
            service, await service.undoing.propose(game, actor, parse.parse_number(to)), actor, language
        )
    if to == "last":
        return await _proposed(service, await service.undoing.propose(game, actor), actor, language)
    if to not in ("", "phase"):
        raise Unreadable("unknown_undo", text=to)
    done = await service.undoing.undo(game, actor, to == "phase")
    return Answer(await returned(service, done, PostKind.UNDO, actor, language))


async def returned(service: Service, done: Happening, kind: PostKind, actor: str, language: Language) -> str:
    """What one is told after something was taken or brought back."""
    told = presenter.gone_back(kind, done.before, done.back, done.after, done.actor, actor, language)
    waiting = looks.waiting_line(done.after, actor, language)
    return "\n".join((told, waiting, *await _of_plans(service, done.game.id, actor, language)))


async def _proposed(service: Service, came: Proposal | Happening, actor: str, language: Language) -> Answer:
    """What came of a proposal or an answer to it."""
    if isinstance(came, Happening):
        kind = PostKind.AGREED if came.actor != actor else PostKind.UNDO
        return Answer(await returned(service, came, kind, actor, language))
    waiting = [key for key in came.asked.split() if key not in came.agreed.split()]
    named = races((await service.load(came.game)).state, waiting)
    return Answer(phrases(language).say("private.proposed", waiting=tuple(named.values())))


# ---- looking


async def _look(service: Service, game: Game, actor: str, name: str, texts: Texts, language: Language) -> Answer:
    state = game.state
    if game.row.status == "lobby" and name in ("status", "help"):
        return Answer(await lobby.describe(service, game.row, phrases(language)))
    match name:
        case "map" | "replay" | "luck":
            return await _picture(service, game, name, texts, language)
        case "order" | "ledger":
            return Answer((looks.order if name == "order" else buying.ledger)(state, language))
        case "units":
            keys = [player.key for player in state.players if actor in (player.key, REFEREE)]
            return Answer("\n".join(looks.units(state, key, language) for key in keys))
        case "history" | "since":
            return await _what_happened(service, game.row.id, actor, name, texts, language)
        case "odds":
            return await _odds(state, actor, texts, language)
        case "roll":
            return await _roll(state, actor, texts, language)
        case "rules":
            return Answer(_rules(texts["clause"], language))
        case _:
            return Answer(await _now(service, game, actor, name, language))


async def _now(service: Service, game: Game, actor: str, name: str, language: Language) -> str:
    """How things stand for a reader; that a plan of his is still open is told only to him."""
    say = looks.help_now if name == "help" else looks.status
    text = say(game.state, actor, language)
    return "\n".join((text, *await _of_plans(service, game.row.id, actor, language)))


async def _picture(service: Service, game: Game, name: str, texts: Texts, language: Language) -> Answer:
    if name == "map":
        return await _map(service, game, texts, language)
    if name == "replay":
        return await _replay(service, game, texts, language)
    return await _luck(service, game, language)


async def _what_happened(
    service: Service, game: int, player: str, name: str, texts: Texts, language: Language
) -> Answer:
    """The log, or what is new to a player, with the table as it is; what has changed is marked."""
    if name == "history":
        before = parse.parse_number(texts["before"]) if "before" in texts else None
        return Answer(await chronicle.page(service, game, before, language))
    done = await service.past.since(game, player)
    text = "\n".join((chronicle.since(done, player, language), *await _of_plans(service, game, player, language)))
    view = View(map_title(done.after, language), map_labels(language), marks=marks(done.before, done.events))
    if not done.events:
        return Answer(text)
    then = View(map_title(done.before, language), map_labels(language))
    now = Picture(done.after, view, alt_text(view.title, text))
    earlier = Picture(done.before, then, alt_text(then.title, looks.order(done.before, language)))
    return Answer(f"{text}\n{phrases(language).say('history.pictures')}", now, before=earlier)


async def _map(service: Service, game: Game, texts: Texts, language: Language) -> Answer:
    number = parse.parse_number(texts["step"]) if "step" in texts else game.row.head
    state = await service.past.state_at(game.row.id, number)
    view = View(
        map_title(state, language, number),
        map_labels(language, state.ruleset.technologies),
        width=round(USUAL_WIDTH * parse.parse_scale(texts.get("scale", "1"))),
        theme=parse.parse_theme(texts.get("theme", "dark")),
        focus=parse.parse_system(state, texts["system"]) if "system" in texts else None,
        rings=parse.parse_rings(texts.get("rings", "1")),
    )
    return Answer(view.title, Picture(state, view, alt_text(view.title, looks.order(state, language))))


def board(state: State, language: Language) -> Picture:
    """The whole board as it is."""
    title = map_title(state, language)
    view = View(title, map_labels(language, state.ruleset.technologies))
    return Picture(state, view, alt_text(title, looks.order(state, language)))


async def _replay(service: Service, game: Game, texts: Texts, language: Language) -> Answer:
    wanted = parse.parse_number(texts["round"]) if "round" in texts else None
    text = await service.past.game_file(game.row.id)
    # A long game is read and played through again: not in the loop.
    found = await asyncio.to_thread(lambda: of_round(frames(read_game(text)), wanted))
    if not found:
        raise RuleViolation("nothing_in_round", round=game.state.round if wanted is None else wanted)
    title = phrases(language).say("replay.title", name=safe(game.state.name), round=found[-1].before.round)
    return Answer(title, film=Film(found, language, title))


async def _odds(state: State, actor: str, texts: Texts, language: Language) -> Answer:
    words = phrases(language)
    if not texts and len(several := odds.outlook(state, actor, words)) > 1:
        return Answer("\n".join(several))
    judged = await asyncio.to_thread(lambda: odds.judged(odds.asked(state, actor, texts, words)))
    return Answer(odds.told(judged, words), Plot(odds.chart(judged, words)))


async def _luck(service: Service, game: Game, language: Language) -> Answer:
    words, players = phrases(language), game.state.players
    events = [event for entry in live(await service.past.log(game.row.id)) for event in entry.events]
    found = await asyncio.to_thread(luck.luck, events, [player.key for player in players])
    if not found:
        return Answer(words.say("luck.no_dice"))
    return Answer(luck.told(found, game.state, words), Plot(luck.chart(found, game.state, words)))


async def _roll(state: State, actor: str, texts: Texts, language: Language) -> Answer:
    from bot import roll  # its library takes a tenth of a second to load, and is needed only here

    words = phrases(language)
    rolled = await asyncio.to_thread(roll.roll, texts["dice"])
    comment = texts.get("comment") or rolled.comment
    who = all_races(state).get(actor) or words.say("post.the_referee")
    said = words.say("roll.summed" if rolled.counted_from is None else "roll.counted", who=who, dice=rolled.shown,
                     total=rolled.total, needed=rolled.counted_from)  # fmt: skip
    if comment:
        said = words.say("roll.with_comment", text=said, comment=safe(comment[: roll.MOST_COMMENT]))
    return Answer(words.say("roll.done"), said=said)


def _rules(clause: str, language: Language) -> str:
    wanted = clause.strip().casefold()
    found = [each for each in CLAUSES if each == wanted or each.startswith((f"{wanted}-", f"{wanted}."))]
    if not found:
        raise Unreadable("unknown_clause", text=clause, known=CLAUSES)
    return "\n\n".join(phrases(language).clause(each) for each in found)


# ---- posts


def post(
    kind: str, told: Happening, language: Language, names: Mapping[str, str] = NOBODY, signs: Signs = PLAIN
) -> presenter.Post:
    """A post in words; `names`: how players are mentioned, `signs`: the pictures that can stand in it.

    Its last line says of which game it is, and the number of the event up to which it tells.
    """
    said = _post(kind, told, language, names, signs)
    hours = read_agreed(told.game.settings).deadline
    if hours and said.mentions and kind in ASKING:
        said = replace(said, text=f"{said.text}\n{presenter.deadline(told.at, hours, language)}")
    footer = phrases(language).say("post.footer", name=safe(told.after.name), number=told.last)
    return replace(said, text=f"{said.text}\n{footer}")


def _post(kind: str, told: Happening, language: Language, names: Mapping[str, str], signs: Signs) -> presenter.Post:
    if kind in RETURNS:
        said = presenter.returned(PostKind(kind), told.before, told.back, told.after, told.actor, language)
        again = presenter.asked_again(told.before, told.after, told.actor, language, names)
        return replace(again, text="\n".join(filter(None, (said.text, again.text))))
    if kind == PostKind.PROPOSAL:
        return presenter.proposed(told.before, told.events, told.after, told.actor, language, names)
    if kind == PostKind.REFUSED:
        return presenter.refused(told.after, told.about, language, names)
    if kind == PostKind.OPENED:
        return presenter.opened(told.after, language, names)
    if kind == PostKind.SUMMARY:
        won, referee = told.about.split(), names.get(REFEREE)
        return presenter.Post(summary.of_round(told.before, told.events, told.after, won, language, referee))
    if kind in presenter.ABOUT_WAITS:
        return presenter.waited(PostKind(kind), told.after, told.about, told.at, language, names)
    return presenter.post(PostKind(kind), told.before, told.events, language, names, signs)


def post_pictures(kind: str, told: Happening, language: Language) -> tuple[Picture, ...]:
    """The maps of a post, the first to be looked at first; what only asks has none."""
    if kind in WITHOUT_MAP:
        return ()
    said = _post(kind, told, language, NOBODY, PLAIN).text
    events = () if kind == PostKind.SUMMARY else told.events
    shown = views(told.after if kind == PostKind.SUMMARY else told.before, events, told.after, told.last, language)
    return tuple(Picture(told.after, view, alt_text(view.title, said)) for view in shown)


def refusal(error: Refusal, state: State, language: Language) -> str:
    """A refusal in words."""
    return phrases(language).refusal(error, all_races(state))
