"""The words of the slash commands: English in what is sent to Discord, Korean beside it, both from the catalogues."""

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, Final

import discord
from discord import app_commands

from bot import error_replies
from bot.phrases import catalogue

_KEY: Final = "key"
Callback = Callable[..., Coroutine[Any, Any, None]]


def words(path: str) -> app_commands.locale_str:
    """The words of the catalogues of commands under `path`, such as `move.options.to.text`."""
    key = f"commands.{path}"
    return app_commands.locale_str(catalogue("en")[key], **{_KEY: key})


class CatalogueTranslator(app_commands.Translator):
    """Gives Discord the Korean words; other languages fall back to English."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        if locale is not discord.Locale.korean or _KEY not in string.extras:
            return None
        return catalogue("ko")[string.extras[_KEY]]


def option_name(parameter: str) -> str:
    """The English name of an option; a parameter called `from_` is the option `from`."""
    return parameter.removesuffix("_")


def command(path: str) -> Callable[[Callback], app_commands.Command[Any, ..., None]]:
    """Makes a slash command of a callback, whose options are its annotated parameters; the words are under `path`."""

    def decorate(callback: Callback) -> app_commands.Command[Any, ..., None]:
        options = [name for name in inspect.signature(callback).parameters if name not in ("self", "interaction")]
        text = f"{path}.options.{{}}.{{}}"
        names = {name: words(text.format(option_name(name), "name")) for name in options}
        descriptions = {name: words(text.format(option_name(name), "text")) for name in options}
        described = app_commands.describe(**descriptions)(app_commands.rename(**names)(_answered(callback)))
        return app_commands.command(name=words(f"{path}.name"), description=words(f"{path}.text"))(described)

    return decorate


def _answered(callback: Callback) -> Callback:
    """Answers a refusal inside the command: nothing has failed, as the page of the demo would say."""

    @wraps(callback)
    async def run(*who: Any, **given: Any) -> None:
        try:
            await callback(*who, **given)
        except error_replies.FORESEEN as error:
            await error_replies.reply_to(who[-1], error)  # after the cog, if it is in one, the interaction

    return run


def option_values(option: str) -> list[app_commands.Choice[str]]:
    """The values of a setting of the rules, under the words that posts have for them."""
    about = (f"option.{option}.name", f"option.{option}.means")
    keys = [key for key in catalogue("en") if key.startswith(f"option.{option}.") and key not in about]
    named = ((key.rpartition(".")[2], app_commands.locale_str(catalogue("en")[key], **{_KEY: key})) for key in keys)
    return [app_commands.Choice(name=name, value=value) for value, name in named]


def choices(path: str, option: str) -> list[app_commands.Choice[str]]:
    """The fixed values of an option, under the words that the catalogues have for them."""
    key = f"{path}.options.{option}.choices"
    values = (name.rpartition(".")[2] for name in catalogue("en") if name.startswith(f"commands.{key}."))
    return [app_commands.Choice(name=words(f"{key}.{value}"), value=value) for value in values]
