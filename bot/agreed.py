"""What the table of a game has agreed on beside the rules: kept as JSON, the defaults left out."""

import json
from dataclasses import asdict, dataclass
from typing import Final, Literal

from rules_core.victory import Victory

Then = Literal["tell", "standing", "pass"]
THEN: Final[tuple[Then, ...]] = ("tell", "standing", "pass")


@dataclass(frozen=True, slots=True)
class Agreed:
    """`remind`: hours until a first reminder (0: none). `deadline`: hours (0: none), and what happens `then`.

    `fold`: a battle that goes on by itself is one post. `threads`: the battles of a phase have a thread of their own.
    `seed`, `rings`: the galaxy that the game begins in ("": a ready-made one; 0: as many as usual); `fixed`: it was
    edited or imported, and stays as it is. `victory`: what ends the game, with its `goal`: a number of home
    systems, or the round after which political power decides.
    """

    remind: int = 24
    deadline: int = 0
    then: Then = "tell"
    fold: bool = False
    threads: bool = False
    seed: str = ""
    rings: int = 0
    fixed: bool = False
    victory: Victory = "referee"
    goal: int = 0


def read_agreed(text: str) -> Agreed:
    """What was kept."""
    return Agreed(**json.loads(text))


def agreed_text(agreed: Agreed) -> str:
    """As it is kept."""
    plain = asdict(Agreed())
    return json.dumps({key: value for key, value in asdict(agreed).items() if value != plain[key]})
