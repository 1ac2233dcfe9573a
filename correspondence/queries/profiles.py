"""A member's page: plain rows from the database, and what readers see of them.

The page depends on nothing but these rows, so they show whether it has changed.
"""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col, func

from correspondence.core import db
from correspondence.models import PLAYING, Match, Person, Player
from correspondence.models.loading import tallied
from correspondence.queries.game_lists import GameList, played_and_finished_by
from correspondence.queries.view_models import Profile
from engines import GAMES
from engines.wording import _

LATEST = 20
"""Maximum finished games on the page."""

_RESULTS = (
    select(col(Match.game), col(Match.result), col(Player.seat), func.count())
    .join(Player, col(Player.match_id) == col(Match.id))
    .where(
        col(Player.person_id) == bindparam("person"), col(Player.ended_at).is_not(None), col(Match.result) != PLAYING
    )
    .group_by(col(Match.game), col(Match.result), col(Player.seat))
)


class ResultCount(NamedTuple):
    """Number of a member's finished games by game, result and seat."""

    game: str
    result: str
    seat: int
    games: int


class MemberRows(NamedTuple):
    """A member's results, number of current games, and list of public current and last games."""

    handle: str
    joined_at: datetime
    results: tuple[ResultCount, ...]
    running: int
    games: GameList

    @property
    def version(self) -> Hashable:
        """Everything about games and results that the page depends on."""
        return self.handle, self.joined_at, self.results, self.running, self.games.version

    @property
    def profile(self) -> Profile:
        """The member as others see them."""
        cards = self.games.cards(None)
        return Profile(
            self.handle,
            self.joined_at,
            self._tally(),
            sum(row.games for row in self.results),
            self.running,
            tuple(card for card in cards if not card.is_over),
            tuple(card for card in cards if card.is_over),
        )

    def _tally(self) -> tuple[tuple[str, str, int, int, int], ...]:
        counts = tallied(self.results)
        return tuple((key, _(game.name), *counts[key]) for key, game in GAMES.items() if key in counts)


def member_rows(session: Session, person: Person, finished: Hashable) -> MemberRows:
    """Return the games and results on this member's page.

    `finished` is a version of the member's finished games (`ratings/finished_games.py`): results are cached by it.
    """
    running, games = played_and_finished_by(session, person.id, LATEST)
    results = db.remembered(session, (ResultCount, finished), lambda: _results(session, person.id))
    return MemberRows(person.handle, person.joined_at, results, running, games)


def _results(session: Session, person_id: int) -> tuple[ResultCount, ...]:
    return tuple(ResultCount(*row) for row in db.rows(session, _RESULTS, person=person_id))
