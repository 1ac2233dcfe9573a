"""Count the results of a tournament's ended games, and how its entrants keep to time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import Session, col, func, select, update

from correspondence.core.i18n import weekday
from correspondence.features.tournaments import letters
from correspondence.features.tournaments.formats.field import Result
from correspondence.features.tournaments.letters import TournamentNews
from correspondence.features.tournaments.tables import (
    Tournament,
    TournamentConduct,
    TournamentPairing,
)
from correspondence.models import PLAYING, Lateness, Match, Move, Person, Player
from correspondence.models.loading import ANNULLED, UNBEGUN, person_of, players_of
from engines.verification.record_text import TIME
from engines.wording import _

MOST_POINTS = 3
"""Points for losses on time at which somebody is barred."""

KEPT_FOR_ONE = 10
"""Games ended in another way that take one point away."""

BARRED_FOR = timedelta(days=30)


class Verdict(NamedTuple):
    """How a game counts: its result, the seat that was late or did not show, and whether nobody needs to show."""

    result: Result
    late_seat: int | None = None
    is_unshown: bool = False


def note_ended(session: Session, matches: Sequence[Match], *, now: datetime) -> None:
    """Mark the pairings of games that have ended, for the next sweep; no lock but that of their rows is taken."""
    ended = update(TournamentPairing).where(col(TournamentPairing.match_id).in_([match.id for match in matches]))
    session.execute(ended.values(settle_at=now), execution_options={"synchronize_session": False})


def settle(session: Session, tournament: Tournament, *, now: datetime) -> Sequence[TournamentPairing]:
    """Count the ended games of a locked tournament; return their pairings."""
    query = select(TournamentPairing).where(
        col(TournamentPairing.tournament_id) == tournament.id, col(TournamentPairing.settle_at).is_not(None)
    )
    rows = session.exec(query.order_by(col(TournamentPairing.settle_at), col(TournamentPairing.id))).all()
    for row in rows:
        _settle(session, tournament, row, now)
    session.flush()
    return rows


def _settle(session: Session, tournament: Tournament, row: TournamentPairing, now: datetime) -> None:
    match = session.get_one(Match, row.match_id, populate_existing=True)
    row.settle_at = None
    session.add(row)
    if match.ended_at is None or row.is_judged:
        return
    players = players_of(session, match.id)
    is_first_time = row.ended_at is None
    verdict = verdict_of(session, match, players)
    row.result, row.ended_at, row.is_unshown = verdict.result, match.ended_at, verdict.is_unshown
    row.late_id = None if verdict.late_seat is None else (row.first_id, row.second_id)[verdict.late_seat]
    row.first_used, row.second_used = _used(session, match.id)
    if is_first_time:
        for player in players:
            _note_conduct(session, tournament, player, is_late=player.seat == verdict.late_seat, now=now)


def verdict_of(session: Session, match: Match, players: Sequence[Player]) -> Verdict:
    """Return how a game that is over counts in its tournament.

    A game that was called off because somebody never showed is won by the other. If nobody was late, or both were, it
    counts for nobody.
    """
    if match.result != PLAYING:
        loser = {"1-0": 1, "0-1": 0}.get(match.result)
        return Verdict(Result(match.result), loser if match.reason == TIME else None)
    if match.reason == ANNULLED:
        return Verdict(Result.VOID)
    late = [player.seat for player in players if player.lateness not in (Lateness.NONE, Lateness.GIVEN_UP)]
    if not late:
        late = [player.seat for player in players if person_of(session, player).departed_at is not None]
    if len(late) != 1:
        return Verdict(Result.VOID)
    result = Result.SECOND_WINS if late[0] == 0 else Result.FIRST_WINS
    return Verdict(result, late[0], match.reason == UNBEGUN)


def _used(session: Session, match_id: int) -> tuple[int, int]:
    """Return the counted time that each seat used, in seconds."""
    query = select(Move.seat, func.sum(Move.spent)).where(col(Move.match_id) == match_id).group_by(col(Move.seat))
    used: dict[int, int] = {seat: int(spent) for seat, spent in session.exec(query)}
    return used.get(0, 0), used.get(1, 0)


def _note_conduct(session: Session, tournament: Tournament, player: Player, *, is_late: bool, now: datetime) -> None:
    """Count a game for or against a person; three losses on their own time bar them for a while."""
    person = person_of(session, player)
    if person.robot_level:
        return
    conduct = session.get(TournamentConduct, person.id, populate_existing=True)
    conduct = conduct or TournamentConduct(person_id=person.id, points=0, kept=0)
    session.add(conduct)
    if not is_late:
        conduct.kept += 1
        if conduct.kept >= KEPT_FOR_ONE:
            conduct.points, conduct.kept = max(0, conduct.points - 1), 0
    elif player.lateness == Lateness.OWN:
        conduct.points += 1
        if conduct.points >= MOST_POINTS:
            conduct.points, conduct.kept, conduct.barred_until = 0, 0, now + BARRED_FOR
        _tell_late(session, tournament, person, conduct, player.match_id, now)
    session.flush()


def _tell_late(
    session: Session, tournament: Tournament, person: Person, conduct: TournamentConduct, game: int, now: datetime
) -> None:
    """Tell somebody what a loss on time means, with the date if they are barred."""

    def news() -> TournamentNews:
        until = conduct.barred_until
        if until is not None and until == now + BARRED_FOR:
            sentence = _(
                "You have lost three games on time in tournaments, so you get no new tournament games until {when}."
            )
            rest = _("Your running games go on. A game due to begin with you before that day is lost without a game.")
            state = sentence.format(when=weekday(until, person.zone, person.language))
            return TournamentNews(_("you are barred for a while"), state, [rest])
        sentence = _("You have lost game {game} on time: that is one point against you, and you have {count} of three.")
        rest = _(
            "With three points you get no new tournament games for 30 days. Every ten games that end in another way "
            "take one away. Announce an absence before you go, and your clocks stand still: away 5 days"
        )
        return TournamentNews(_("a game lost on time"), sentence.format(game=game, count=conduct.points), [rest])

    letters.tell_one(session, tournament, person, f"late{game}", news, now=now)
