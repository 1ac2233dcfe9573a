"""How a game ends: by its last move, by agreement, on time, or if a player leaves.

Nothing here commits or reads the clock. The caller has locked the match, or the function locks it first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from sqlalchemy import update
from sqlmodel import Session, col, select

from correspondence.clocks import turns, vacations
from correspondence.core import db
from correspondence.fairness import ends
from correspondence.models import PLAYING, EventKind, Match, Move, Pairing, Player
from correspondence.models.loading import (
    BY_TIME,
    UNBEGUN,
    Step,
    ask_moves_ahead,
    locked,
    persons_of,
    players_of,
)
from correspondence.outbound import held_up, suppressions
from correspondence.play import extensions, game_events, game_letters, letters_ahead, timeouts
from correspondence.play.conditional import plans
from correspondence.play.timeouts import TimeoutResult
from correspondence.ratings import ratings, reliability
from engines.verification.record_text import RESIGNATION

ROBOT_BANK = 24 * 3600
"""Minimum time bank, in seconds, given to a robot whose time has run out."""


class GamesEnded(Protocol):
    """Function of a feature, called with games that end, and again if an operator changes a result."""

    def __call__(self, session: Session, matches: Sequence[Match], *, now: datetime) -> None:
        """Store what follows from the results, in the transaction that ends the games."""


ON_ENDED: list[GamesEnded] = []
"""Functions of features, called after the ratings of ended games and before their letters."""


def on_timeout(session: Session, matches: Sequence[Match], *, now: datetime, until: datetime | None = None) -> None:
    """Apply the time policy to locked games whose deadlines have passed.

    Does nothing to a game if a move came first or something stopped the clock. Extra time for unreachable players and
    vacation are used up before a game is decided. Only deadlines up to `until` count, because mail is read up to then.
    Queries are shared by all games. Nobody may play in two of them.
    """
    until = until or now
    due = [match for match in matches if match.deadline is not None and match.deadline <= until]
    if due:
        with db.asking_once(session):
            _ask_ahead(session, due, now)
            decided = [(match, _apply_policy(session, match, now, until)) for match in due]
            _end_all(session, [(match, result) for match, result in decided if result is not None], now)


def _ask_ahead(session: Session, matches: Sequence[Match], now: datetime) -> None:
    """Prefetch what the time policy needs for these games."""
    match_ids = [match.id for match in matches]
    players = [player for number in match_ids for player in players_of(session, number)]
    persons_of(session, players)
    suppressions.ask_ahead(session, [player.person_id for player in players])
    ask_moves_ahead(session, match_ids)
    turns.ask_ahead(session, players)
    held_up.ask_ahead(session, match_ids, now=now)


def _apply_policy(session: Session, match: Match, now: datetime, until: datetime) -> TimeoutResult | None:
    """Give late players the time they may have; flag the rest, or return how the game ends."""
    late = turns.overdue(session, match, until)
    late = give_robots_time(session, match, late, now=now)
    late = extensions.extend_unreachable(session, match, late, now=now)
    late = extensions.begin_anew(session, match, late, now=now)
    on_vacation, late = vacations.spend_absence(session, match, late, now=now)
    for player in on_vacation:
        game_letters.absence_spent(session, match, player, now=now)
    result = timeouts.timeout_result(session, match, late, now=now)
    if result is None:
        timeouts.note_flag(session, match, late, now=now)
        turns.schedule_sweeps(session, match)
    return result


def give_robots_time(session: Session, match: Match, late: Sequence[Player], *, now: datetime) -> list[Player]:
    """Restart the turns of late robots, because they are our fault; return the late people.

    The worker lets a late robot move before this; these are the ones that could not.
    """
    people = []
    for player, person in zip(late, persons_of(session, list(late)), strict=True):
        if person.robot_level:
            player.bank = max(player.bank, ROBOT_BANK)
            turns.begin_turn(session, match, player, now=now)
        else:
            people.append(player)
    return people


def abandon(session: Session, player: Player, *, now: datetime) -> None:
    """End the game because this player leaves the service.

    The game is called off if the player has not moved yet, and resigned otherwise.
    """
    match = locked(session, player.match_id)
    if match.ended_at is not None:
        return
    own_moves = select(Move.id).where(col(Move.match_id) == match.id, col(Move.seat) == player.seat).limit(1)
    if session.exec(own_moves).first() is None:
        end_by_service(session, match, PLAYING, UNBEGUN, now=now)
    else:
        finish(session, match, "0-1" if player.seat == 0 else "1-0", RESIGNATION, now)


def end_by_service(session: Session, match: Match, result: str, reason: str, *, now: datetime) -> None:
    """End a game for a reason of the service; a game called off (`*`) becomes unrated."""
    _end_all(session, [(match, TimeoutResult(result, reason))], now)


def _end_all(session: Session, results: Sequence[tuple[Match, TimeoutResult]], now: datetime) -> None:
    """End these games; nobody may play in two of them."""
    if not results:
        return
    with db.asking_once(session), db.written_at_once(session):
        for match, (result, reason) in results:
            if reason in BY_TIME:
                late = turns.flagged(session, match, now)
                reliability.record_lateness(session, match, late, now=now)
            if result == PLAYING:
                match.rated = False
                if not vacations.has_begun(session, match):
                    session.execute(update(Pairing).where(col(Pairing.match_id) == match.id).values(reopens=True))
            _stop(session, match, result, reason, now)
        _settle(session, [match for match, _result in results], now)


def finish(
    session: Session,
    match: Match,
    result: str,
    reason: str,
    now: datetime,
    *,
    steps: Sequence[Step] = (),
    news: Mapping[int, plans.PlanNews] | None = None,
) -> None:
    """Stop all clocks, sign the end, rate the game and write to every player.

    `steps` are the moves that ended it, if any. `news` gives, by seat, what the plans did; other planned moves stay
    sealed (disclosure.py).
    """
    with db.asking_once(session), db.written_at_once(session):
        _stop(session, match, result, reason, now)
        _note_giving_up(session, match)
        _settle(session, [match], now, steps, news)


def _note_giving_up(session: Session, match: Match) -> None:
    """Note who resigned a rated game before it counted; repeated cases cost reliability."""
    if match.rated and match.reason == RESIGNATION and ratings.was_too_short(session, match):
        loser = players_of(session, match.id)[0 if match.result == "0-1" else 1]
        reliability.record_giving_up(session, loser)


def _settle(
    session: Session,
    matches: Sequence[Match],
    now: datetime,
    steps: Sequence[Step] = (),
    news: Mapping[int, plans.PlanNews] | None = None,
) -> None:
    """Sign and rate stopped games, and write to every player."""
    ends.sign(session, matches)
    ratings.ask_ahead(session, matches, now=now)
    letters_ahead.ask_ahead_of_ends(session, matches, now=now)
    for match in matches:
        ratings.rate(session, match, now=now)
    for notify in ON_ENDED:
        notify(session, matches, now=now)
    for match in matches:
        for player in players_of(session, match.id):
            own_news = (news or {}).get(player.seat, plans.PlanNews())
            game_letters.over(session, match, player, steps, news=own_news, now=now)
        game_events.to_all(session, match, EventKind.GAME_ENDED, now=now)


def _stop(session: Session, match: Match, result: str, reason: str, now: datetime) -> None:
    """Store how a game ended, and stop all its clocks."""
    match.result, match.reason, match.ended_at = result, reason, now
    match.deadline = match.remind_at = None
    session.add(match)
    for player in players_of(session, match.id):
        turns.end_turn(player)
        player.ended_at = now
        session.add(player)
