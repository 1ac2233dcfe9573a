"""Ratings by mail: one's own in every game, or the best of one game. Nothing here changes anything."""

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

LISTED = 20
"""How many players of each kind a letter lists."""


def ratings(session: Session, person: Person, key: str | None, *, now: datetime) -> TranscriptEntry:
    """A person's ratings and reliability or, with a key, the best players of that game. Raises PartnerError."""
    return _mine(session, person, now) if key is None else _best(session, key, now)


def _mine(session: Session, person: Person, now: datetime) -> TranscriptEntry:
    lines = []
    for game in rated_games():
        standing = rating_of(session, person.id, game.key, now=now)
        if standing.games:
            games = ngettext("{count} rated game", "{count} rated games", standing.games).format(count=standing.games)
            lines.append(f"{_(game.name)}: {standing} ({games})")
    lines.append(str(reliability_details(session, person.id, now=now)))
    return TranscriptEntry(
        "", _("Your ratings:") if len(lines) > 1 else _("You have no rating yet."), block="\n".join(lines)
    )


def _best(session: Session, key: str, now: datetime) -> TranscriptEntry:
    game = game_by_key(key)
    if len(game.seats) < 2:
        raise ChallengeError(_("{game} is a game for one: it has no ratings.").format(game=_(game.name)))
    sure = ranked_players(session, game.key, now=now, most=LISTED)[:LISTED]
    others = ranked_players(session, game.key, now=now, provisional=True, most=LISTED)[:LISTED]
    blocks = [_table(sure) or _("No rating is established yet.")]
    if others:
        blocks.append(_("Provisional:") + "\n" + _table(others))
    blocks.append(f"%%base%%/ratings/{game.key}")
    return TranscriptEntry("", _("Ratings in {game}:").format(game=_(game.name)), block="\n\n".join(blocks))


def _table(rows: tuple[RankedPlayer, ...]) -> str:
    return "\n".join(f"{row.rank:>3}. {row.handle:<20} {row.rating:>6}  {row.games:>4}" for row in rows)
