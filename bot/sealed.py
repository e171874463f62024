"""The secret of a game: the dice that it makes, and what is told of it."""

import json

from bot.rows import GameRow
from rules_core.dice import Dice, SealedDice, seal, with_words
from rules_core.game_file import Seal


def sealed_dice(game: GameRow) -> Dice:
    """The dice of a real game."""
    return SealedDice(with_words(game.secret, json.loads(game.words)))


def seal_of(game: GameRow) -> Seal:
    """What binds the dice of a game; with the secret once it has ended or the referee has revealed it."""
    public = game.status == "ended" or game.revealed
    return Seal(seal(game.secret), json.loads(game.words), game.imported, game.secret if public else None)
