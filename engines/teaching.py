"""Lessons that a robot's own moves teach to a new player of a game.

A game's `Lessons` say what a move has shown and what the learner can do now. `engines.course` decides which of them are
shown, and when.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Lesson:
    """One or two sentences by a robot, in the reader's language, shown once per game.

    `key` identifies the topic. `example` is a move that the learner can play now; `words` contain it too. `is_general`
    marks lessons that are valid at any time, without a move that shows them.
    """

    key: str
    words: str
    example: str = ""
    is_general: bool = False


class Lessons(ABC):
    """The lessons of a two-player game.

    `learner` is the learner's seat; the other is the robot's.
    """

    @abstractmethod
    def shown(self, before: Any, text: str, after: Any, learner: int) -> Iterator[Lesson]:
        """Yield the lessons that a robot's move showed, most important first, then the general ones.

        `before` and `after` are the learner's views of both positions; `text` is the move as the learner may see it.
        """

    @abstractmethod
    def possible(self, position: Any, learner: int) -> Iterator[Lesson]:
        """Yield lessons on what the learner can do in this position, as they see it.

        Urgent lessons come first, then the most basic.
        """
