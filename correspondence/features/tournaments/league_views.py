"""What pages, mail and programs show of leagues."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from correspondence.core.time_control import DEFAULT_TIME_CONTROL, TimeControl
from correspondence.features.tournaments import fields, letters, perpetual, views
from correspondence.features.tournaments.formats.field import EntrantState, Field
from correspondence.features.tournaments.letters import Cast
from correspondence.features.tournaments.tables import Format, TournamentEntrant
from correspondence.features.tournaments.views import CrossTable, GameLine
from engines.wording import _


class LeagueView(NamedTuple):
    """One season of a league for its page, in the reader's language.

    `number` is None if nobody has ever entered the league, and `season` is 0 before the first one.
    """

    key: str
    game_name: str
    number: int | None
    time_control: TimeControl
    season: int
    seasons: int
    ends_at: datetime | None
    tables: Sequence[CrossTable]
    my_games: Sequence[GameLine]
    waiting: Sequence[str]
    """Who plays in the next season and not in this one."""
    is_in: bool
    rests: bool
    """Whether the reader skips the next season."""


def view_of(
    session: Session, word: str, viewer_id: int | None, *, season: int | None = None, now: datetime
) -> LeagueView | None:
    """Return a season of the league of a game, the latest unless given; None if there is no such season.

    Raises TournamentError or ChallengeError.
    """
    game = perpetual.game_for_two(word)
    tournament = perpetual.of_game(session, Format.LEAGUE, game.key)
    if tournament is None:
        empty = LeagueView(
            game.key, _(game.name), None, DEFAULT_TIME_CONTROL, 0, 0, None, (), (), (), is_in=False, rests=False
        )
        return empty if season is None else None
    field = fields.field_of(session, tournament, now=now)
    number = field.round if season is None else season
    if season is not None and not 1 <= season <= field.round:
        return None
    cast = letters.cast_of(session, tournament.id)
    mine = next((one for one in cast.entrants.values() if one.person_id == viewer_id), None)
    shown = field.until(number)
    return LeagueView(
        key=game.key,
        game_name=_(game.name),
        number=tournament.id,
        time_control=tournament.time_control,
        season=number,
        seasons=field.round,
        ends_at=next((one.ends_at for one in field.rounds if one.number == number), None),
        tables=views.cross_tables(shown, cast),
        my_games=views.games_of(shown, cast, mine, number) if mine is not None else [],
        waiting=_waiting(field, cast),
        is_in=mine is not None and mine.state is EntrantState.IN,
        rests=mine is not None and mine.sits_out == field.round + 1,
    )


def _waiting(field: Field, cast: Cast) -> list[str]:
    playing = {seat for pairing in field.of_round(field.round) for seat in pairing.seats}
    return [cast.handle(one.id) for one in cast.entrants.values() if _waits(field, one) and one.id not in playing]


def _waits(field: Field, entrant: TournamentEntrant) -> bool:
    return entrant.state is EntrantState.IN and entrant.sits_out != field.round + 1
