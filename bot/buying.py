"""Between rounds: the texts of `/build` and its like as commands of the rules; the ledger in words."""

from bot import parse
from bot.edits import Texts, counts
from bot.phrases import Language, phrases, safe
from bot.report import described, race
from rules_core import commands as cmd
from rules_core import economy
from rules_core.state import State


def build(state: State, player: str, texts: Texts) -> cmd.Command:
    """`build`: units at a dock."""
    units = counts(parse.parse_units(texts["units"]), texts["units"])
    return cmd.Build(player, units, parse.parse_planet(state, texts["planet"]))


def research(state: State, player: str, texts: Texts) -> cmd.Command:
    """`research`: a technology, for the price that the table has for it: the rules name none."""
    return cmd.Research(player, parse.parse_technology(state, texts["name"]), parse.parse_number(texts["cost"]))


def withdraw(state: State, player: str, texts: Texts) -> cmd.Command:
    """`withdraw`: one's own proposal."""
    return cmd.Withdraw(player, parse.parse_number(texts["number"]))


def accept(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`accept`: one proposal, or all."""
    return cmd.AcceptPurchases(parse.parse_number(texts["number"]) if "number" in texts else None)


def refuse(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`refuse`: one proposal."""
    return cmd.RefusePurchase(parse.parse_number(texts["number"]))


# ---- in words


def ledger(state: State, language: Language) -> str:
    """What everybody can spend in this round, and what is proposed."""
    words = phrases(language)
    lines = [
        words.say(
            "buying.line",
            player=safe(player.race),
            resources=state.resources(player.key),
            planets=state.resources(player.key) - player.resources_bonus,
            bonus=f"{player.resources_bonus:+}",
            spent=state.spent.get(player.key, 0),
            proposed=economy.proposed(state, player.key),
            left=economy.left(state, player.key),
        )
        for player in state.players
        if not player.eliminated
    ]
    waiting = [
        words.say(
            "buying.waits",
            number=each.number,
            player=race(state, each.player, words),
            what=described(words, each),
            cost=each.cost,
        )
        for each in state.purchases
    ]
    return "\n".join((words.say("buying.ledger", round=state.round), *lines, *waiting))
