"""The commands of play: every slash command of the registry, with suggestions for its options."""

from collections.abc import Callable, Coroutine, Mapping
from inspect import Parameter, Signature
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot import autocomplete, chronicle, desk, error_replies, menus, prompts, replies, tapping
from bot.menus import Menu
from bot.phrases import Language
from bot.seats import Speaker, speaker_of
from bot.slash import COMMANDS, NOTHING_CHOSEN, Does, Fills, Option, Slash
from bot.tapping import Shown
from bot.translator import choices, command, option_name, words
from rules_core.errors import RuleViolation

if TYPE_CHECKING:
    from bot.client import StarpostBot

_TYPES: Final[Mapping[Fills, type]] = {Fills.NUMBER: int, Fills.STEP: int, Fills.FLAG: bool}
_MOST_CHARACTERS: Final = 100
# Values that are few and always the same are offered by Discord itself.
_FIXED: Final = (Fills.THEN, Fills.VICTORY, Fills.THEME)
# Their answers bring the buttons of what they name: those under the phase may be far up by now.
_SAY_WHAT_TO_DO: Final = ("help", "status", "since")
_CHANGES: Final = (Does.ORDER, Does.ACT, Does.UNDO, Does.REDO, Does.ANSWER, Does.PLAN)

Suggester = Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


async def setup(bot: "StarpostBot") -> None:
    """Adds the commands to the tree, subcommands in their groups."""
    groups: dict[str, app_commands.Group] = {}
    for slash in COMMANDS.values():
        group, _, name = slash.name.rpartition(" ")
        if slash.does is Does.TO_COME:
            continue
        if not group:
            bot.tree.add_command(_command(slash, name))
            continue
        if group not in groups:
            groups[group] = app_commands.Group(
                name=words(f"{group}.name"), description=words(f"{group}.text"), guild_only=True
            )
            bot.tree.add_command(groups[group])
        groups[group].add_command(_command(slash, f"{group}.commands.{name}"))


# ---- a command of the registry as a command of Discord


def _command(slash: Slash, path: str) -> app_commands.Command[Any, ..., None]:
    async def run(interaction: "discord.Interaction[StarpostBot]", **given: object) -> None:
        await _answer(interaction, slash, _texts(given))

    options = {_parameter_name(option): option for option in slash.options}
    interaction = Parameter("interaction", Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    run.__signature__ = Signature([interaction, *map(_parameter, options.values())])  # type: ignore[attr-defined]
    suggested = {name: _suggester(slash, option) for name, option in options.items() if _is_suggested(option)}
    fixed = {name: choices(path, option.name) for name, option in options.items() if option.fills in _FIXED}
    described = app_commands.choices(**fixed)(app_commands.autocomplete(**suggested)(run))
    return command(path)(app_commands.guild_only(described))


def _parameter_name(option: Option) -> str:
    return f"{option.name}_" if iskeyword(option.name) else option.name


def _parameter(option: Option) -> Parameter:
    type_: Any = _TYPES.get(option.fills, str)
    default = Parameter.empty if option.required else None
    annotation = type_ if option.required else type_ | None
    return Parameter(_parameter_name(option), Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _is_suggested(option: Option) -> bool:
    return option.fills not in _TYPES and option.fills not in (*_FIXED, Fills.TEXT)


def _texts(given: Mapping[str, object]) -> dict[str, str]:
    """The options as texts under their English names; what was left out is left out."""
    return {option_name(name): str(value) for name, value in given.items() if value is not None}


async def _answer(interaction: "discord.Interaction[StarpostBot]", slash: Slash, texts: Mapping[str, str]) -> None:
    bot = interaction.client
    reader = await bot.reader(interaction)
    game = await (bot.game_shown if slash.does is Does.LOOK else bot.game_here)(interaction)
    speaker = await speaker_of(bot.service, game, interaction.user.id, slash)
    if speaker.player != speaker.by:
        interaction.extras[error_replies.AS_SEAT] = speaker.player
    try:
        if (shown := await _asked_first(bot, game.id, speaker, slash.name, reader.language)) is not None:
            await prompts.show(interaction, game.id, shown, reader.language)
            return
        answer = await desk.perform(bot.service, game.id, speaker.player, slash, texts, reader.language, speaker.by)
    except RuleViolation as refused:
        if slash.does is not Does.UNDO or texts:
            raise
        offered = await tapping.offer_to_ask(bot.service, game.id, speaker, refused, reader.language)
        await prompts.show(interaction, game.id, offered, reader.language)
        return
    view = None
    if slash.does in _CHANGES or slash.name in _SAY_WHAT_TO_DO:
        now = await bot.service.load(game.id)
        menu = await tapping.plan_menu(bot.service, game.id, speaker, reader.language)
        shown = Shown(answer.text, now.row.head, now.state, speaker.player, menu)
        view = prompts.view_after(game.id, shown, reader.language)
    await replies.tell(
        interaction, answer.text, picture=answer.picture, view=view, film=answer.film, before=answer.before
    )
    if answer.said:
        await interaction.followup.send(answer.said, allowed_mentions=discord.AllowedMentions.none())


async def _asked_first(bot: "StarpostBot", game: int, speaker: Speaker, name: str, language: Language) -> Shown | None:
    """What is asked once before a phase ends or an invasion is carried out."""
    question = None
    if name == "done":
        question = await _before_done(bot, game, speaker, language)
    elif name == "invade":
        question = await tapping.before_invading(bot.service, game, speaker, language)
    if question is None:
        return None
    now = await bot.service.load(game)
    return Shown(question.text, now.row.head, now.state, speaker.player, question)


async def _before_done(bot: "StarpostBot", game: int, speaker: Speaker, language: Language) -> Menu | None:
    state = await bot.service.plans.table_for(game, speaker.by, "done")
    question = menus.question_before(state, speaker.player, language)
    return question and await tapping.before_done(bot.service, game, speaker, question, language)


# ---- suggestions


def _suggester(slash: Slash, option: Option) -> Suggester:
    async def suggest(interaction: "discord.Interaction[StarpostBot]", typed: str) -> list[app_commands.Choice[str]]:
        try:
            return await _suggestions(interaction, slash, option, typed)
        except Exception as error:  # a list cannot be refused: what is wrong stands in it
            return [_hint(await error_replies.hint(interaction, error))]

    return suggest


async def _suggestions(
    interaction: "discord.Interaction[StarpostBot]", slash: Slash, option: Option, typed: str
) -> list[app_commands.Choice[str]]:
    bot = interaction.client
    reader = await bot.reader(interaction)
    game = await (bot.game_shown if slash.does is Does.LOOK else bot.game_here)(interaction)
    speaker = await speaker_of(bot.service, game, interaction.user.id, slash)
    if option.fills is Fills.BACK:
        shown = await chronicle.ways_back(bot.service, game.id, speaker.by, typed, reader.language)
    else:
        state = await bot.service.plans.table_for(game.id, speaker.by, slash.name)
        texts = _texts(dict(iter(interaction.namespace)))
        values = autocomplete.suggest(state, speaker.player, slash, option, typed, texts, reader.language)
        shown = {value: autocomplete.shown(state, option, value) for value in values}
    found = [
        app_commands.Choice(name=name[:_MOST_CHARACTERS], value=value)
        for value, name in shown.items()
        if len(value) <= _MOST_CHARACTERS
    ]
    if found:
        return found
    # Suggestions are only a part of what can be said: "5 carriers + 3 ground forces" is judged when it is sent.
    said = 0 < len(typed.strip()) <= _MOST_CHARACTERS
    return [app_commands.Choice(name=typed, value=typed) if said else _hint(reader.say("discord.nothing_to_suggest"))]


def _hint(text: str) -> app_commands.Choice[str]:
    """An entry that only says something; whoever picks it is told that it chooses nothing."""
    return app_commands.Choice(name=text[:_MOST_CHARACTERS], value=NOTHING_CHOSEN)
