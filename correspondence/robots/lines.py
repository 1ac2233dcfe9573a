"""Robots' occasional remarks with their moves, in the reader's language.

No remark can be parsed as a command or a move; each reveals only the robot's evaluation of its own game.
"""

from __future__ import annotations

import random

from sqlmodel import Session

from correspondence.core.i18n import in_language
from correspondence.models import Person, Player
from correspondence.models.loading import person_of, players_of
from engines.wording import N_, _

GREETINGS = (N_("Hello! I am a robot, and I enjoy every game."), N_("Good luck! I am a robot and never in a hurry."))
"""Remarks with the first move of a game."""

SURPRISED = (N_("I did not see that."), N_("Oh. That was better than I thought."), N_("You have surprised me."))
"""Remarks when the game has become much worse for the robot."""

PLEASED = (N_("I like my position now."), N_("I think that helps me."))
"""Remarks when the game has become much better for the robot."""

NO_DRAW = (N_("Thank you, but I would like to play on."), N_("Not yet: I still have something to play for."))
"""Remarks when the robot declines a draw."""

NO_TAKEBACK = (N_("In a rated game I do not agree to takebacks. Ask me again in a friendly one."),)
"""Remarks when the robot declines a take-back."""

ALL = (*GREETINGS, *SURPRISED, *PLEASED, *NO_DRAW, *NO_TAKEBACK)
"""All remarks, in English, marked for translation."""

TURNED = 30
"""Minimum change of the evaluation for a remark, in percent."""

SELDOM = 0.5
"""The probability of a remark on such a change."""


def line_for(session: Session, player: Player, before: int | None, now: int | None, rng: random.Random) -> str:
    """Choose a robot's remark on its move, in the opponent's language; usually empty.

    `before` and `now` are its evaluations at its previous move and at this one.
    """
    lines = _lines(player, before, now, rng)
    reader = opponent_of(session, player)
    if not lines or reader is None:
        return ""
    with in_language(reader.language):
        return _(rng.choice(lines))


def _lines(player: Player, before: int | None, now: int | None, rng: random.Random) -> tuple[str, ...]:
    if player.turn_ply <= 1:
        return GREETINGS
    if before is None or now is None or abs(now - before) < TURNED or rng.random() >= SELDOM:
        return ()
    return PLEASED if now > before else SURPRISED


def opponent_of(session: Session, player: Player) -> Person | None:
    """Return the robot's opponent."""
    others = [other for other in players_of(session, player.match_id) if other.id != player.id]
    return person_of(session, others[0]) if others else None
