"""Reliability: how often a person plays games to their end, as a percentage and in words.

Games of the last year count, recent ones with more weight. A loss on time is excused if our letters did not arrive, if
the service was down, if the player had announced an absence, or if it is the first in a long while. Giving up a rated
game before it counts is free three times a day; each further one counts like a loss on time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import Executable, bindparam, select
from sqlmodel import Session, col

from correspondence.core import db
from correspondence.models import PLAYING, Lateness, Match, Player
from correspondence.outbound.suppressions import unreachable
from correspondence.ratings.finished_games import LATELY, YEAR, finished_games
from engines import GAMES
from engines.wording import _, ngettext

WEIGHT = 3
"""The weight of a recent game."""

LONG = 10
"""Number of games in a row without a loss on time after which one such loss is excused."""

ENOUGH = 3
"""Minimum number of games in a year for a percentage."""

GIVEN_UP_A_DAY = 3
"""Maximum rated games that a person may give up early within 24 hours without a penalty."""

OUTAGE = timedelta(hours=1)
"""Delay in detecting a missed deadline from which an outage of the service is assumed."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """A person's finished games within a year: total, lost on time, and excused losses.

    `percent` is None if there are too few games. `given_up` counts games given up early beyond a few a day.
    """

    games: int
    late: int
    excused: int
    percent: int | None
    given_up: int = 0

    def __str__(self) -> str:
        """Describe the reliability: “2 of 41 games ended on time; one of them is excused.”"""
        if not self.games:
            return _("No game ended within a year.")
        text = ngettext(
            "{late} of {count} game within a year ended on time.",
            "{late} of {count} games within a year ended on time.",
            self.games,
        ).format(late=self.late, count=self.games)
        excused = ngettext("One of them is excused.", "{count} of them are excused.", self.excused)
        given_up = ngettext(
            "{count} rated game was given up in its first moves, after others on the same day.",
            "{count} rated games were given up in their first moves, after others on the same day.",
            self.given_up,
        )
        notes = [(excused, self.excused), (given_up, self.given_up)]
        return " ".join([text, *(sentence.format(count=count) for sentence, count in notes if count)])


def reliability_details(session: Session, person_id: int, *, now: datetime) -> Reliability:
    """Return a person's reliability with its underlying numbers."""
    version = Reliability, finished_games(session, person_id, now=now)
    return db.remembered(session, version, lambda: reliabilities(session, [person_id], now=now)[person_id])


def reliabilities(session: Session, person_ids: Collection[int], *, now: datetime) -> dict[int, Reliability]:
    """Return the reliability of each of these persons, in one query."""
    ended: dict[int, list[tuple[datetime, Lateness]]] = {person_id: [] for person_id in person_ids}
    for person_id, at, late, result in db.rows(session, _ended(), persons=list(person_ids), since=now - YEAR):
        if at is not None and (result != PLAYING or Lateness(late) not in (Lateness.NONE, Lateness.GIVEN_UP)):
            ended[person_id].append((at, Lateness(late)))
    return {person_id: weigh_games(games, now=now) for person_id, games in ended.items()}


@cache
def _ended() -> Executable:
    """Return the query of these persons' games that ended after a time, oldest first."""
    two_player_keys = [key for key, game in GAMES.items() if len(game.seats) > 1]
    return (
        select(col(Player.person_id), col(Match.ended_at), col(Player.lateness), col(Match.result))
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(
            col(Player.person_id).in_(bindparam("persons", expanding=True)),
            col(Match.ended_at) > bindparam("since"),
            col(Match.game).in_(two_player_keys),
        )
        .order_by(col(Match.ended_at), col(Match.id))
    )


def weigh_games(ended: Iterable[tuple[datetime, Lateness]], *, now: datetime) -> Reliability:
    """Compute the reliability from games given as (end, whether this player was late).

    The games are sorted, oldest first.
    """
    games = late = excused = total_weight = good_weight = in_a_row = given_up = 0
    given_up_at: list[datetime] = []
    for at, lateness in ended:
        games += 1
        weight = WEIGHT if at > now - LATELY else 1
        if lateness == Lateness.GIVEN_UP:
            given_up_at = [*(moment for moment in given_up_at if moment > at - timedelta(days=1)), at]
            if len(given_up_at) > GIVEN_UP_A_DAY:
                given_up, total_weight, in_a_row = given_up + 1, total_weight + weight, 0
                continue
        if lateness in (Lateness.NONE, Lateness.GIVEN_UP):
            total_weight, good_weight, in_a_row = total_weight + weight, good_weight + weight, in_a_row + 1
            continue
        late += 1
        if lateness != Lateness.OWN:
            excused += 1
            continue
        if in_a_row >= LONG:
            excused += 1
        else:
            total_weight += weight
        in_a_row = 0
    percent = round(100 * good_weight / total_weight) if games - excused >= ENOUGH else None
    return Reliability(games, late, excused, percent, given_up)


def record_lateness(session: Session, match: Match, late: Iterable[Player], *, now: datetime) -> None:
    """Record before a timeout which players were late, and whether that is excused.

    A previously recorded reason, such as an announced absence, is kept.
    """
    players = list(late)
    unreachable_ids = unreachable(session, [player.person_id for player in players])
    was_down = match.deadline is not None and now - match.deadline > OUTAGE
    for player in players:
        if player.lateness == Lateness.NONE:
            is_unreachable = player.extensions > 0 or player.person_id in unreachable_ids
            player.lateness = Lateness.MAIL if is_unreachable else Lateness.OUTAGE if was_down else Lateness.OWN
        session.add(player)


def record_giving_up(session: Session, player: Player) -> None:
    """Record that a player gave up a rated game before it counted.

    A previously recorded reason is kept.
    """
    if player.lateness == Lateness.NONE:
        player.lateness = Lateness.GIVEN_UP
        session.add(player)
