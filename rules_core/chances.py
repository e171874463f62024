"""The arithmetic of `odds.py`: two rows of dice that fire at each other until one is gone. It knows no units.

Each side loses its dice in a fixed order, so two numbers say where a fight is: how many each side has lost. A `Table`
holds a number for each such pair, a row for each number of lost attackers. Instead of joining every number of hits of
one side with every number of the other, the attackers fire one after another at a whole row (`_one_fires`): n against
n are a matter of n^3 steps, not n^4. Chances are only added and multiplied, so next to nothing is lost in rounding.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import add, mul, sub
from typing import Final

# Round by round, a fight is over when the chance that it still goes on is below this.
_NEVER: Final = 1e-17

Row = list[float]
Table = list[Row]


@dataclass(frozen=True, slots=True)
class Fire:
    """What the dice of a round do.

    `attack`: the chance of each attacker to hit, the first to be lost first. `volleys[a][n]`: the chance that the
    attackers hit n times when a of them are lost. `taken[n][d]`, `overkill[n][d]`: the chance that the defenders hit n
    times, at least n times, when d of them are lost.
    """

    attack: Row
    volleys: Table
    taken: Table
    overkill: Table

    @property
    def defenders(self) -> int:
        """How many fire back at the most."""
        return len(self.taken[0]) - 1


@dataclass(frozen=True, slots=True)
class Ends:
    """How likely it ends where, shot out or by the attacker's leaving, and after how many rounds."""

    fought: Table
    left: Table
    rounds: float
    round_chances: Row


def volley(chances: Iterable[float]) -> Row:
    """The chance of 0, 1, 2, ... hits of these dice."""
    return reduce(_one_more, chances, [1.0])


def volleys(chances: Sequence[float]) -> Table:
    """`volley` of what is left when 0, 1, 2, ... are lost."""
    return list(accumulate(reversed(chances), _one_more, initial=[1.0]))[::-1]


def fire(attack: Sequence[float], defence: Sequence[float]) -> Fire:
    """The tables of a fight, from the chance of each die to hit, the first to be lost first."""
    returned = [saturated(hits, max(len(hits), len(attack)) - 1) for hits in volleys(defence)[:-1]]
    at_least = [list(accumulate(reversed(hits)))[::-1] for hits in returned]
    taken, overkill = (
        [[*(hits[number] if number < len(hits) else 0.0 for hits in rows), 0.0] for number in range(len(attack) + 1)]
        for rows in (returned, at_least)
    )
    return Fire(list(attack), volleys(attack), taken, overkill)


def _one_more(hits: Row, chance: float) -> Row:
    return _one_fires([*hits, 0.0], chance)


def _one_fires(row: Row, chance: float) -> Row:
    """A row of numbers of losses after one more die; the last number is all that can be lost (3.53-f)."""
    miss = 1.0 - chance
    after = [miss * same + chance * less for same, less in zip(row, [0.0, *row[:-1]], strict=True)]
    after[-1] += chance * row[-1]
    return after


def saturated(row: Row, most: int) -> Row:
    """`row` made to end at the number `most`: surplus hits are lost (3.53-f)."""
    if len(row) <= most:
        return [*row, *[0.0] * (most + 1 - len(row))]
    return [*row[:most], sum(row[most:])]


# ---- to the end


def fought_out(fire: Fire, start: Table) -> Ends:
    """To the end without leaving. The rounds in which nobody hits are divided out."""
    begun: Table = []
    fought: Table = []
    for lost, row in enumerate(start[:-1]):
        rounds, over = _one_row(fire, lost, row, _arriving(fire, begun, lost))
        begun.append([*rounds, 0.0])
        fought.append([*[0.0] * len(rounds), over])
    fought.append(list(map(add, start[-1], _arriving(fire, begun, len(begun)))))
    return Ends(fought, _empty(fought), _total(begun), [])


def _arriving(fire: Fire, rows: Table, lost: int) -> Row:
    """What one round brings from the first rows to the row `lost`, when an attacker for each of them has fired."""
    losses = fire.overkill if lost == len(fire.attack) else fire.taken
    arriving = [0.0] * len(losses[0])
    for number, row in enumerate(rows):
        sent = map(mul, row, losses[lost - number])
        arriving = _one_fires(list(map(add, arriving, sent)), fire.attack[number])
    return arriving


def _one_row(fire: Fire, lost: int, row: Row, arriving: Row) -> tuple[Row, float]:
    """The rounds begun with 0, 1, 2, ... defenders lost while no more attackers are; how likely then none is left."""
    none, most = fire.taken[0], fire.defenders
    hits = saturated(fire.volleys[lost], most)
    backwards, begun, sent = hits[:0:-1], Row(), Row()
    for number in range(most):
        into = row[number] + arriving[number] * hits[0] + sum(map(mul, sent, backwards[most - number :]))
        begun.append(into / (1.0 - none[number] * hits[0]))
        sent.append(arriving[number] + begun[number] * none[number])
    return begun, row[most] + arriving[most] + sum(map(mul, sent, accumulate(backwards)))


# ---- round by round


def by_rounds(fire: Fire, start: Table, leaving: Callable[[int], Table]) -> Ends:
    """Round by round; `leaving`: where (1, elsewhere 0) the attacker leaves when that many rounds are over."""
    fought = left = _empty(start)
    chances = Row()
    going = start
    while _total(going) > _NEVER:
        over = [*([*[0.0] * (len(row) - 1), row[-1]] for row in going[:-1]), going[-1]]
        going = [*([*row[:-1], 0.0] for row in going[:-1]), [0.0] * len(going[-1])]
        gone = _each(mul, going, leaving(len(chances)))
        fought, left = _each(add, fought, over), _each(add, left, gone)
        chances.append(_total(over) + _total(gone))
        going = _one_round(fire, _each(sub, going, gone))
    return Ends(fought, left, sum(number * chance for number, chance in enumerate(chances)), chances)


def _one_round(fire: Fire, going: Table) -> Table:
    after = [_arriving(fire, going[: lost + 1], lost) for lost in range(len(fire.attack))]
    after = [reduce(_one_fires, fire.attack[lost + 1 :], row) for lost, row in enumerate(after)]
    return [*after, _arriving(fire, going[:-1], len(fire.attack))]


def winning(fire: Fire) -> Table:
    """The attacker's chance to win from each pair of losses, were the fight to go on to the end."""
    won: Table = [[0.0] * (fire.defenders + 1)]
    aimed: Table = []  # each later row of `won` as those expect it who fire from the row in hand
    for lost in reversed(range(len(fire.attack))):
        aimed = [_one_aims(row, fire.attack[lost]) for row in aimed]
        row = _won_row(fire, lost, aimed)
        won.insert(0, row)
        aimed.insert(0, [_seen(fire.volleys[lost], row[number:]) for number in range(len(row))])
    return won


def _won_row(fire: Fire, lost: int, aimed: Table) -> Row:
    hits, row = fire.volleys[lost], [1.0]
    for number in reversed(range(fire.defenders)):
        none = fire.taken[0][number]
        elsewhere = sum(fire.taken[n][number] * there[number] for n, there in enumerate(aimed, 1))
        more_lost = _seen(hits, [0.0, *row])
        row.insert(0, (elsewhere + none * more_lost) / (1.0 - none * hits[0]))
    return row


def _seen(hits: Row, ahead: Row) -> float:
    """What is expected of `ahead` when 0, 1, 2, ... hits lead on in it."""
    return float(sum(map(mul, saturated(hits, len(ahead) - 1), ahead)))


def _one_aims(row: Row, chance: float) -> Row:
    """What is expected of `row` before one more die is thrown at it."""
    miss = 1.0 - chance
    return [miss * same + chance * more for same, more in zip(row, [*row[1:], row[-1]], strict=True)]


# ---- tables


def _empty(table: Table) -> Table:
    return [[0.0] * len(row) for row in table]


def _each(what: Callable[[float, float], float], first: Table, second: Table) -> Table:
    return [list(map(what, one, other)) for one, other in zip(first, second, strict=True)]


def _total(table: Table) -> float:
    return sum(map(sum, table))
