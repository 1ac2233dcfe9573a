"""What pages, mail and programs show of ladders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session, col, func, select

from correspondence.core.time_control import DEFAULT_TIME_CONTROL, TimeControl
from correspondence.features.tournaments import fields, letters, perpetual
from correspondence.features.tournaments.formats import ladder
from correspondence.features.tournaments.formats.field import EntrantState, Field, Pairing
from correspondence.features.tournaments.letters import Cast
from correspondence.features.tournaments.tables import PERPETUAL, Format, Tournament, TournamentEntrant
from engines import GAMES
from engines.wording import _

MOST_RECENT = 20
"""Maximum ended challenges in a list."""


class Rung(NamedTuple):
    """One rung: who stands there, points and games, and whether the reader can challenge them now."""

    rung: int
    handle: str
    points: str
    played: int
    can_challenge: bool


class ChallengeLine(NamedTuple):
    """One challenge: both handles, its game or None, its result, and until when it must be answered."""

    challenger: str
    challenged: str
    game: int | None
    result: str
    lapses_at: datetime | None


class LadderView(NamedTuple):
    """A ladder for its page, in the reader's language; `number` is None if nobody has ever entered it."""

    key: str
    game_name: str
    number: int | None
    time_control: TimeControl
    rungs: Sequence[Rung]
    my_rung: int | None
    to_answer: Sequence[ChallengeLine]
    open: Sequence[ChallengeLine]
    running: Sequence[ChallengeLine]
    recent: Sequence[ChallengeLine]


class PerpetualCard(NamedTuple):
    """A league or ladder in a list."""

    format: Format
    key: str
    title: str
    entered: int
    is_mine: bool


def cards(session: Session, viewer_id: int | None) -> list[PerpetualCard]:
    """Return all leagues and ladders, by format and game."""
    is_in = col(TournamentEntrant.state) == EntrantState.IN
    count = select(TournamentEntrant.tournament_id, func.count()).join(
        Tournament, col(Tournament.id) == col(TournamentEntrant.tournament_id)
    )
    count = count.where(col(Tournament.format).in_(PERPETUAL), is_in).group_by(col(TournamentEntrant.tournament_id))
    entered = dict(session.exec(count).all())
    own = select(TournamentEntrant.tournament_id).where(col(TournamentEntrant.person_id) == viewer_id, is_in)
    mine = set(session.exec(own)) if viewer_id is not None else set()
    query = select(Tournament).where(col(Tournament.format).in_(PERPETUAL), col(Tournament.game).in_(list(GAMES)))
    found = session.exec(query.order_by(col(Tournament.format), col(Tournament.game))).all()
    return [
        PerpetualCard(one.format, one.game, letters.title_of(one), entered.get(one.id, 0), one.id in mine)
        for one in found
    ]


def view_of(session: Session, word: str, viewer_id: int | None, *, now: datetime) -> LadderView:
    """Return the ladder of a game as its page shows it. Raises TournamentError or ChallengeError."""
    game = perpetual.game_for_two(word)
    tournament = perpetual.of_game(session, Format.LADDER, game.key)
    if tournament is None:
        return LadderView(game.key, _(game.name), None, DEFAULT_TIME_CONTROL, (), None, (), (), (), ())
    field = fields.field_of(session, tournament, now=now)
    cast = letters.cast_of(session, tournament.id)
    mine = next((one.id for one in cast.entrants.values() if one.person_id == viewer_id), None)
    order = ladder.order(field)
    lines = [(one, _line(cast, one)) for one in field.pairings]
    waiting = [(one, line) for one, line in lines if one.is_running and one.game is None]
    ended = sorted((one for one in lines if not one[0].is_running), key=lambda one: one[0].ended_at or now)
    return LadderView(
        key=game.key,
        game_name=_(game.name),
        number=tournament.id,
        time_control=tournament.time_control,
        rungs=_rungs(field, cast, order, mine),
        my_rung=order.index(mine) + 1 if mine in order else None,
        to_answer=[line for one, line in waiting if ladder.challenged_of(one) == mine],
        open=[line for one, line in waiting if ladder.challenged_of(one) != mine],
        running=[line for one, line in lines if one.is_running and one.game is not None],
        recent=[line for _one, line in reversed(ended)][:MOST_RECENT],
    )


def _rungs(field: Field, cast: Cast, order: Sequence[int], mine: int | None) -> list[Rung]:
    """Return the rungs; a member may challenge those up to ten above whom nothing forbids."""
    place = order.index(mine) if mine in order else 0
    return [
        Rung(
            row.rank,
            cast.handle(row.entrant),
            letters.half(row.points),
            row.played,
            mine is not None
            and place - ladder.REACH <= row.rank - 1 < place
            and ladder.refusal(field, mine, row.entrant) is None,
        )
        for row in ladder.standings(field)
        if row.entrant is not None
    ]


def _line(cast: Cast, pairing: Pairing) -> ChallengeLine:
    challenged = ladder.challenged_of(pairing)
    points = {1.0: _("won"), 0.5: _("drawn"), 0.0: _("lost")}
    result = (
        points[pairing.points(pairing.opponent(challenged))]
        if pairing.points(pairing.seats[0]) + pairing.points(pairing.seats[1])
        else _("void")
    )
    return ChallengeLine(
        cast.handle(pairing.opponent(challenged)),
        cast.handle(challenged),
        pairing.game,
        "" if pairing.is_running else result,
        pairing.lapses_at,
    )
