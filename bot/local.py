"""What the table asks about its game as a whole: on Discord that stands in cogs, for there it is about people too."""

from bot import desk, lobby, looks, verify
from bot.agreed import read_agreed
from bot.desk import Answer
from bot.phrases import Language, phrases
from bot.rows import GameRow
from bot.service import Service
from bot.slash import Slash, Texts
from bot.steps import PostKind
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE


async def perform(service: Service, game: int, actor: str, command: Slash, texts: Texts, language: Language) -> Answer:
    """Follows a command of `script.OF_THE_TABLE`, the language apart; raises its refusal."""
    row, words = await service.store.game(game), phrases(language)
    match command.name:
        case "galaxy show":
            text = await lobby.describe_galaxy(service, row, words)
            return Answer(text, desk.board((await service.load(game)).state, language))
        case "game settings":
            return Answer(await _settings(service, row, actor, texts, language))
        case "game reveal":
            _check_referee(actor)
            async with service.telling(game, PostKind.LOBBY):
                await service.reveal(game)
            return Answer(words.say("lobby.revealed"))
        case "game verify":
            return Answer(verify.told(await service.past.verified(game), words))
        case _:
            status = looks.status((await service.load(game)).state, actor, language)
            return Answer(f"{status}\n{await lobby.describe(service, row, words)}")


async def _settings(service: Service, game: GameRow, actor: str, texts: Texts, language: Language) -> str:
    if "option" in texts:
        _check_referee(actor)
        await lobby.change_setting(service, game, {"name": texts["option"], "value": texts.get("value", "")})
    now = await service.load(game.id)
    return f"{looks.options(now.state.options, language)}\n{looks.settings(read_agreed(now.row.settings), language)}"


def _check_referee(actor: str) -> None:
    if actor != REFEREE:
        raise RuleViolation("only_the_referee")
