"""Draws from a seed that stay the same in every version of Python."""

import unicodedata
from collections.abc import Iterable, Mapping
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """What a text decides.

    Only `Random.random` is promised never to change; `shuffle`, `choices` and the like may, so these are our own.
    """

    def __init__(self, seed: str) -> None:
        # The same text from another keyboard or terminal is the same seed.
        self._random = Random(unicodedata.normalize("NFC", seed).encode("utf-8", "surrogatepass"))

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit` - 1."""
        return int(self._random.random() * limit)

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        return least + self.below(most - least + 1)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in another order (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def weighted(self, weights: Mapping[T, int]) -> T:
        """One of the keys, each as likely as its weight says."""
        left = self.below(sum(weights.values()))
        for item, weight in weights.items():
            if left < weight:
                return item
            left -= weight
        raise ValueError("weights must be positive")
