"""How reliably a person ends his games otherwise than by letting the time run out; forgiving, and told in words.

It looks back over a year, and what happened lately weighs more. A loss on time is excused where our letters did not
arrive, where the service was down, where the player had announced his absence, and as the first one in long.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from correspondence.models import PLAYING, Lateness, Match, Player
from correspondence.outbound.suppressions import unreachable
from engines import GAMES
from engines.wording import _, ngettext

YEAR = timedelta(days=365)
"""How far back games count."""

LATELY = timedelta(days=28)
"""What ended within this time weighs more."""

WEIGHT = 3
"""By how much."""

LONG = 10
"""After so many games in a row that did not end on his time, one that does is excused."""

ENOUGH = 3
"""With fewer games in a year nothing is said of anybody."""

OUTAGE = timedelta(hours=1)
"""A deadline that is noticed so late passed while this service was not running."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """A year of somebody's finished games: how many, how many he lost on time, how many of those were excused.

    `percent` is None while there are too few games to say.
    """

    games: int
    late: int
    excused: int
    percent: int | None

    def __str__(self) -> str:
        """In words, such as “2 of 41 games ended on time; one of them is excused.”"""
        if not self.games:
            return _("No game ended within a year.")
        counted = ngettext(
            "{late} of {count} game within a year ended on time.",
            "{late} of {count} games within a year ended on time.",
            self.games,
        ).format(late=self.late, count=self.games)
        if not self.excused:
            return counted
        excused = ngettext("One of them is excused.", "{count} of them are excused.", self.excused)
        return f"{counted} {excused.format(count=self.excused)}"


def reliability_of(session: Session, person_id: int, *, now: datetime) -> int | None:
    """How reliable a person is, in percent; None while too few games of the last year ended to say."""
    return account_of(session, person_id, now=now).percent


def account_of(session: Session, person_id: int, *, now: datetime) -> Reliability:
    """A person's reliability with the numbers behind it."""
    for_two = [key for key, game in GAMES.items() if len(game.seats) > 1]
    found = (
        select(Match.ended_at, Player.lateness, Match.result)
        .join(Player, col(Player.match_id) == col(Match.id))
        .where(col(Player.person_id) == person_id, col(Match.ended_at) > now - YEAR, col(Match.game).in_(for_two))
        .order_by(col(Match.ended_at), col(Match.id))
    )
    rows = [(at, Lateness(late), result) for at, late, result in session.exec(found) if at is not None]
    return weighed(((at, late) for at, late, result in rows if result != PLAYING or late != Lateness.NONE), now=now)


def weighed(ended: Iterable[tuple[datetime, Lateness]], *, now: datetime) -> Reliability:
    """The account of games by when they ended and whether this player was late, oldest first."""
    games = late = excused = whole = good = in_a_row = 0
    for at, lateness in ended:
        games += 1
        weight = WEIGHT if at > now - LATELY else 1
        if lateness == Lateness.NONE:
            whole, good, in_a_row = whole + weight, good + weight, in_a_row + 1
            continue
        late += 1
        if lateness != Lateness.OWN:
            excused += 1
            continue
        if in_a_row >= LONG:
            excused += 1
        else:
            whole += weight
        in_a_row = 0
    counted = games - excused
    return Reliability(games, late, excused, round(100 * good / whole) if counted >= ENOUGH else None)


def note_late(session: Session, match: Match, late: Iterable[Player], *, now: datetime) -> None:
    """Write down who lets his time run out, and whether that is excused, before the match is ended for it.

    A reason that somebody else wrote down before, such as an announced absence, stays.
    """
    players = list(late)
    cut_off = unreachable(session, [player.person_id for player in players])
    was_down = match.deadline is not None and now - match.deadline > OUTAGE
    for player in players:
        if player.lateness == Lateness.NONE:
            is_cut_off = player.put_off > 0 or player.person_id in cut_off
            player.lateness = Lateness.MAIL if is_cut_off else Lateness.OUTAGE if was_down else Lateness.OWN
        session.add(player)
    session.flush()
