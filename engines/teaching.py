"""Lessons: what a robot's own moves teach somebody who plays a game for the first time.

A game brings `Lessons`, which say what a move has shown and what the learner can do now; `engines.course` says which of
them are told when.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Lesson:
    """One or two sentences of a robot, in the reader's language, which are told once in a game.

    `key` names what they teach. `example` is a text that the learner can play now; it stands in the words too.
    `is_general`: it may be said at any time, so no move is needed to show it.
    """

    key: str
    words: str
    example: str = ""
    is_general: bool = False


class Lessons(ABC):
    """What a game for two has to teach. `learner` is the seat of whoever learns; the other one is the robot's."""

    @abstractmethod
    def shown(self, before: Any, text: str, after: Any, learner: int) -> Iterator[Lesson]:
        """What a move of the robot has shown, what matters most first; after it what may be said at any time.

        `before` and `after` are what the learner sees of both positions, `text` is how they are told the move.
        """

    @abstractmethod
    def possible(self, position: Any, learner: int) -> Iterator[Lesson]:
        """What the learner can do in this position, as they see it: what is urgent first, then what is most basic."""
