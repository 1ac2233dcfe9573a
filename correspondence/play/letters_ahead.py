"""Prefetching for the letters of many games: for sweeps that end games or remind players."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlmodel import Session

from correspondence.accounts import letter_stops
from correspondence.clocks import turns, vacations
from correspondence.core import db
from correspondence.fairness import heads, seeds
from correspondence.models import Match, Player, Token
from correspondence.models.loading import players_of
from correspondence.outbound import coalescing, letters, suppressions
from correspondence.play import record_moves
from correspondence.play.conditional import plans
from correspondence.play.game_news import expire_addresses, over_key, reminder_key
from correspondence.play.letter_context import ask_practice_ahead


def ask_ahead_of_ends(session: Session, matches: Sequence[Match], *, now: datetime) -> None:
    """Prefetch the data of end letters to all players, for a block of `db.asking_once`.

    Also sets the expiry of the players' reply addresses.
    """
    players = {match.id: players_of(session, match.id) for match in matches}
    readers = {number: [player.person_id for player in seated] for number, seated in players.items()}
    expire_addresses(
        session, [player.token_id for seated in players.values() for player in seated if player.token_id], now
    )
    for match in matches:
        db.asked(session)[Token, match.id] = now
    keys = [over_key(match, number) for match in matches for number in readers[match.id]]
    _ask_ahead_of_readers(session, {number for seated in readers.values() for number in seated}, keys, now)
    plans.ask_ahead(session, readers)
    coalescing.ask_ahead(session, readers)
    heads.ask_ahead(session, matches)
    seeds.ask_ahead(session, [match.id for match in matches if seeds.may_be_opened(match, now=now)])


def ask_ahead_of_reminders(
    session: Session, matches: Sequence[Match], late: Collection[Player], *, now: datetime
) -> None:
    """Prefetch the data of reminders to these players, for a block of `db.asking_once`."""
    seated = {player.person_id for match in matches for player in players_of(session, match.id)}
    match_of = {match.id: match for match in matches}
    suppressions.ask_ahead(session, seated)
    turns.ask_ahead(session, list(late))
    _ask_ahead_of_readers(session, seated, [reminder_key(match_of[player.match_id], player) for player in late], now)
    record_moves.ask_offers_ahead(session, [match.id for match in matches])
    ask_practice_ahead(session, {player.person_id for player in late})
    heads.ask_ahead(session, matches)


def _ask_ahead_of_readers(session: Session, readers: Collection[int], keys: Collection[str], now: datetime) -> None:
    """Prefetch what letters with these keys need to know about their readers."""
    letters.ask_ahead(session, readers, keys)
    letter_stops.ask_ahead(session, readers)
    vacations.ask_ahead(session, readers, now)
