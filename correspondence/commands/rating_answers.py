"""Answers to `ratings`: a person's own ratings, or the leaderboard of one game. Read-only."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session

from correspondence.matchmaking.challenges import ChallengeError, game_by_key
from correspondence.models import Person
from correspondence.outbound.transcript import TranscriptEntry
from correspondence.ratings.leaderboards import RankedPlayer, ranked_players, rated_games
from correspondence.ratings.ratings import rating_of
from correspondence.ratings.reliability import reliability_details
from engines.wording import _, ngettext

PLAYERS_LISTED = 20
"""Maximum number of established and of provisional players in a letter."""


def ratings(session: Session, person: Person, key: str | None, *, now: datetime) -> TranscriptEntry:
    """Return a person's ratings or, with a key, that game's leaderboard. Raises ChallengeError."""
    return _own_ratings(session, person, now) if key is None else _leaderboard(session, key, now)


def _own_ratings(session: Session, person: Person, now: datetime) -> TranscriptEntry:
    lines = []
    for game in rated_games():
        rating = rating_of(session, person.id, game.key, now=now)
        if rating.games:
            games_text = ngettext("{count} rated game", "{count} rated games", rating.games).format(count=rating.games)
            lines.append(f"{_(game.name)}: {rating} ({games_text})")
    lines.append(str(reliability_details(session, person.id, now=now)))
    return TranscriptEntry(
        "", _("Your ratings:") if len(lines) > 1 else _("You have no rating yet."), block="\n".join(lines)
    )


def _leaderboard(session: Session, key: str, now: datetime) -> TranscriptEntry:
    game = game_by_key(key)
    if len(game.seats) < 2:
        raise ChallengeError(_("{game} is a game for one: it has no ratings.").format(game=_(game.name)))
    established = ranked_players(session, game.key, now=now, most=PLAYERS_LISTED)[:PLAYERS_LISTED]
    provisional = ranked_players(session, game.key, now=now, provisional=True, most=PLAYERS_LISTED)[:PLAYERS_LISTED]
    blocks = [_table(established) or _("No rating is established yet.")]
    if provisional:
        blocks.append(_("Provisional:") + "\n" + _table(provisional))
    blocks.append(f"%%base%%/ratings/{game.key}")
    return TranscriptEntry("", _("Ratings in {game}:").format(game=_(game.name)), block="\n\n".join(blocks))


def _table(rows: tuple[RankedPlayer, ...]) -> str:
    return "\n".join(f"{row.rank:>3}. {row.handle:<20} {row.rating:>6}  {row.games:>4}" for row in rows)
