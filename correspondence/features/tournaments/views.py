"""What pages, letters, programs and mail show of tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, log2
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.core import db
from correspondence.core.i18n import weekday
from correspondence.features.tournaments import fields, letters
from correspondence.features.tournaments.entering import places_left
from correspondence.features.tournaments.formats.field import Bye, EntrantState, Field, Pairing, Result, Row
from correspondence.features.tournaments.letters import Cast, half
from correspondence.features.tournaments.settings import TITLES
from correspondence.features.tournaments.tables import (
    PERPETUAL,
    Format,
    Tournament,
    TournamentAct,
    TournamentEntrant,
    TournamentState,
)
from correspondence.models import Person
from engines import GAMES
from engines.wording import N_, _

LISTED = 50
"""Maximum tournaments of each kind in a list."""

PLACES_OF_HONOUR, MOST_HONOURS = 3, 12
"""The lowest rank that a member's page shows, and how many it shows at most."""

STATES: Mapping[TournamentState, str] = {
    TournamentState.OPEN: N_("open for entry"),
    TournamentState.RUNNING: N_("running"),
    TournamentState.FINISHED: N_("finished"),
    TournamentState.CALLED_OFF: N_("called off"),
}

_MARKS: Mapping[Result, tuple[str, str]] = {
    Result.FIRST_WINS: ("1", "0"),
    Result.SECOND_WINS: ("0", "1"),
    Result.DRAWN: ("½", "½"),
    Result.RUNNING: ("·", "·"),
    Result.VOID: ("–", "–"),
}


class Cell(NamedTuple):
    """One game in a table: the mark for its row, the game's number or None, and the opponent."""

    mark: str
    game: int | None
    opponent: str


class TableRow(NamedTuple):
    """One row of a cross table or of standings."""

    rank: int
    handle: str
    seed: int
    cells: Sequence[Sequence[Cell]]
    points: str
    played: int
    tiebreaks: Mapping[str, float]
    best: int
    worst: int
    seats: tuple[int, int]
    is_struck: bool
    is_robot: bool
    state: str


class CrossTable(NamedTuple):
    """A section's standings with all its games; `heads` are its columns."""

    round: int
    section: int
    heads: Sequence[str]
    rows: Sequence[TableRow]


class GameLine(NamedTuple):
    """One game of a round, as a line."""

    first: str
    second: str
    game: int | None
    result: str
    section: int


class RoundView(NamedTuple):
    """A round with its games and byes."""

    number: int
    began_at: datetime | None
    ends_at: datetime | None
    games: Sequence[GameLine]
    byes: Sequence[str]


class ActLine(NamedTuple):
    """An act as the page lists it."""

    at: datetime
    sentence: str
    words: str


@dataclass(frozen=True, slots=True)
class Card:
    """A tournament in a list."""

    number: int
    name: str
    title: str
    game: str
    game_name: str
    state: str
    entered: int
    places: str
    starts_at: datetime | None
    time_control: Any
    rated: bool
    needs_code: bool
    band: str
    is_mine: bool
    is_open: bool


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament for its page, in the reader's language."""

    card: Card
    about: str
    format: Format
    organiser: str
    state: TournamentState
    options: str
    code: str
    entrants: Sequence[tuple[str, int, int, str, bool]]
    """Handle, seed, rating, state, and whether it is a robot."""
    tables: Sequence[CrossTable]
    rounds: Sequence[RoundView]
    my_games: Sequence[GameLine]
    acts: Sequence[ActLine]
    is_organiser: bool
    is_in: bool
    can_enter: bool
    can_sit_out: bool
    takes_late: bool
    is_closed: bool
    waiting: Sequence[GameLine]
    """Games for which the current round waits."""
    goes_on: str


def cards(session: Session, states: Sequence[TournamentState], viewer_id: int | None = None) -> list[Card]:
    """Return tournaments in these states, newest first."""
    query = select(Tournament).where(col(Tournament.state).in_(states), col(Tournament.format).not_in(PERPETUAL))
    query = query.order_by(col(Tournament.id).desc())
    return _cards(session, session.exec(query.limit(LISTED)).all(), viewer_id)


def cards_of(session: Session, person_id: int, *, only_running: bool = True) -> list[Card]:
    """Return the tournaments in which somebody plays or that they organise, newest first."""
    entered = select(TournamentEntrant.tournament_id).where(col(TournamentEntrant.person_id) == person_id)
    query = select(Tournament).where(
        col(Tournament.id).in_(entered) | (col(Tournament.organiser_id) == person_id),
        col(Tournament.format).not_in(PERPETUAL),
    )  # fmt: skip
    if only_running:
        query = query.where(col(Tournament.state).in_([TournamentState.OPEN, TournamentState.RUNNING]))
    return _cards(session, session.exec(query.order_by(col(Tournament.id).desc()).limit(LISTED)).all(), person_id)


def _cards(session: Session, tournaments: Sequence[Tournament], viewer_id: int | None) -> list[Card]:
    numbers = [one.id for one in tournaments]
    count = select(TournamentEntrant.tournament_id, func.count()).where(
        col(TournamentEntrant.tournament_id).in_(numbers), col(TournamentEntrant.state) == EntrantState.IN
    )
    entered = dict(session.exec(count.group_by(col(TournamentEntrant.tournament_id))).all())
    own = select(TournamentEntrant.tournament_id).where(
        col(TournamentEntrant.tournament_id).in_(numbers), col(TournamentEntrant.person_id) == viewer_id
    )
    mine = set(session.exec(own)) if viewer_id is not None else set()
    return [_card(one, entered.get(one.id, 0), one.id in mine) for one in tournaments]


def _card(tournament: Tournament, entered: int, is_mine: bool) -> Card:
    low, high = tournament.rating_low, tournament.rating_high
    is_open = tournament.state is TournamentState.OPEN and not tournament.is_closed
    return Card(
        number=tournament.id,
        name=tournament.name,
        title=_(TITLES[tournament.format]),
        game=tournament.game,
        game_name=_(GAMES[tournament.game].name),
        state=_(STATES[tournament.state]),
        entered=entered,
        places=places_left(tournament, entered) if is_open else "",
        starts_at=tournament.starts_at,
        time_control=tournament.time_control,
        rated=tournament.rated,
        needs_code=bool(tournament.code),
        band=f"{low or ''}–{high or ''}" if low is not None or high is not None else "",
        is_mine=is_mine,
        is_open=is_open and (tournament.players is None or entered < tournament.players),
    )


def view_of(session: Session, tournament: Tournament, viewer_id: int | None, *, now: datetime) -> TournamentView:
    """Return a tournament as its page shows it to a visitor, None if nobody is signed in."""
    cast = letters.cast_of(session, tournament.id)
    viewer = session.get(Person, viewer_id) if viewer_id is not None else None
    mine = next((one for one in cast.entrants.values() if one.person_id == viewer_id), None)
    has_begun = tournament.begun_at is not None
    field = fields.field_of(session, tournament, now=now) if has_begun else None
    rounds = round_views(field, cast) if field is not None else []
    is_in = mine is not None and mine.state is EntrantState.IN
    is_organiser = viewer is not None and (viewer.id == tournament.organiser_id or viewer.is_operator)
    entered = sum(one.state is EntrantState.IN for one in cast.entrants.values())
    card = _card(tournament, entered, mine is not None)
    current = rounds[-1].games if rounds and tournament.state is TournamentState.RUNNING else ()
    return TournamentView(
        card=card,
        about=tournament.about,
        format=tournament.format,
        organiser=session.get_one(Person, tournament.organiser_id).handle,
        state=tournament.state,
        options=tournament.terms.option_words,
        code=tournament.code if is_organiser else "",
        entrants=[
            (cast.handle(one.id), one.seed, one.rating, entrant_state(field, one), one.is_robot)
            for one in cast.entrants.values()
        ],
        tables=cross_tables(field, cast) if field is not None else [],
        rounds=rounds,
        my_games=games_of(field, cast, mine) if field is not None and mine is not None else [],
        acts=_acts(session, tournament),
        is_organiser=is_organiser,
        is_in=is_in,
        can_enter=viewer is not None and mine is None and (card.is_open or tournament.takes_late),
        can_sit_out=is_in and tournament.format is Format.SWISS and mine is not None and mine.sits_out is None
        and tournament.state in (TournamentState.OPEN, TournamentState.RUNNING),
        takes_late=tournament.takes_late,
        is_closed=tournament.is_closed,
        waiting=[line for line in current if line.result == Result.RUNNING],
        goes_on=_goes_on(tournament, viewer, entered),
    )  # fmt: skip


def entrant_state(field: Field | None, entrant: TournamentEntrant) -> str:
    """Return the state of an entrant as programs read it: in, withdrawn, barred or removed."""
    is_barred = field is not None and entrant.state is EntrantState.IN and field.is_barred(entrant.id)
    return "barred" if is_barred else str(entrant.state)


def _goes_on(tournament: Tournament, viewer: Person | None, entered: int) -> str:
    """Say when it begins or goes on, in the current language."""
    zone, language = (viewer.zone, viewer.language) if viewer is not None else ("UTC", "en")
    if tournament.state is TournamentState.OPEN and tournament.starts_at is not None:
        return _("It begins on {day}.").format(day=weekday(tournament.starts_at, zone, language))
    if tournament.state is TournamentState.OPEN:
        sentence = _("It begins as soon as {players} have entered; {count} are in.")
        return sentence.format(players=tournament.players, count=entered)
    if tournament.state is TournamentState.RUNNING and tournament.due_at is not None:
        sentence = _("The round lasts until {day} at the latest.")
        return sentence.format(day=weekday(tournament.due_at, zone, language))
    if tournament.state is TournamentState.RUNNING:
        return _("It goes on as its games end.")
    return ""


# -- tables ------------------------------------------------------------------------------


def cross_tables(field: Field, cast: Cast) -> list[CrossTable]:
    """Return the standings with all games: of each section, latest stage first."""
    pairings, rows = fields.settled_of(field), fields.standings_of(field)
    if field.settings.format not in (Format.ROUND_ROBIN, Format.LEAGUE):
        return [_by_rounds(field, cast, pairings, rows)]
    groups = dict.fromkeys((row.round, row.section) for row in rows)
    return [_all_play_all(field, cast, number, section, pairings, rows) for number, section in groups]


def _all_play_all(
    field: Field, cast: Cast, number: int, section: int, pairings: Sequence[Pairing], rows: Sequence[Row]
) -> CrossTable:
    own = [row for row in rows if (row.round, row.section) == (number, section) and row.entrant is not None]
    games = [one for one in pairings if (one.round, one.section) == (number, section)]
    numbers = [row.entrant for row in own]
    table = [_row(field, cast, row, [_cells(cast, games, row.entrant, other) for other in numbers]) for row in own]
    return CrossTable(number, section, [str(place) for place in range(1, len(own) + 1)], table)


def _by_rounds(field: Field, cast: Cast, pairings: Sequence[Pairing], rows: Sequence[Row]) -> CrossTable:
    own = [row for row in rows if row.entrant is not None]
    columns = range(1, field.round + 1)
    table = [
        _row(field, cast, row, [_round_cells(field, cast, pairings, row.entrant, column) for column in columns])
        for row in own
    ]
    return CrossTable(1, 1, [str(column) for column in columns], table)


def _row(field: Field, cast: Cast, row: Row, cells: Sequence[Sequence[Cell]]) -> TableRow:
    assert row.entrant is not None  # clubs have no rows here
    entrant = field.by_id[row.entrant]
    return TableRow(
        row.rank, cast.handle(row.entrant), entrant.seed, cells, half(row.points), row.played, row.tiebreaks, row.best,
        row.worst, row.seats, row.is_struck, entrant.is_robot, entrant_state(field, cast.entrants[row.entrant]),
    )  # fmt: skip


def _cells(cast: Cast, games: Sequence[Pairing], one: int | None, other: int | None) -> list[Cell]:
    return [
        _cell(cast, pairing, one) for pairing in games if one != other and one in pairing.seats and other in pairing.seats
    ]  # fmt: skip


def _round_cells(field: Field, cast: Cast, games: Sequence[Pairing], one: int | None, number: int) -> list[Cell]:
    found = [_cell(cast, pairing, one) for pairing in games if pairing.round == number and one in pairing.seats]
    byes = [bye for bye in field.byes if bye.round == number and bye.entrant == one]
    return found or [Cell(half(bye.points), None, _("bye")) for bye in byes]


def _cell(cast: Cast, pairing: Pairing, one: int | None) -> Cell:
    assert one is not None
    seat = pairing.seats.index(one)
    return Cell(_MARKS[pairing.result][seat], pairing.game, cast.handle(pairing.opponent(one)))


def round_views(field: Field, cast: Cast) -> list[RoundView]:
    """Return the rounds that have begun, with their games as they count."""
    days = {one.number: one for one in field.rounds}
    pairings = fields.settled_of(field)
    return [
        RoundView(
            number,
            days[number].began_at if number in days else None,
            days[number].ends_at if number in days else None,
            [_line(cast, one) for one in pairings if one.round == number],
            [_bye_line(cast, bye) for bye in field.byes if bye.round == number],
        )
        for number in range(1, field.round + 1)
    ]  # fmt: skip


def _bye_line(cast: Cast, bye: Bye) -> str:
    if not bye.points:
        return _("{handle}: bye").format(handle=cast.handle(bye.entrant))
    points = letters.points_text(bye.points)
    return _("{handle}: bye, {points}").format(handle=cast.handle(bye.entrant), points=points)


def _line(cast: Cast, pairing: Pairing) -> GameLine:
    first, second = (cast.handle(seat) for seat in pairing.seats)
    return GameLine(first, second, pairing.game, str(pairing.result), pairing.section)


def games_of(field: Field, cast: Cast, entrant: TournamentEntrant, number: int | None = None) -> list[GameLine]:
    """Return an entrant's games, of one round if it is given."""
    own = [one for one in fields.settled_of(field) if entrant.id in one.seats]
    return [_line(cast, one) for one in own if number in (None, one.round)]


def _acts(session: Session, tournament: Tournament) -> list[ActLine]:
    query = select(TournamentAct).where(col(TournamentAct.tournament_id) == tournament.id)
    acts = session.exec(query.order_by(col(TournamentAct.at), col(TournamentAct.id)).limit(200)).all()
    numbers = {number for act in acts for number in (act.person_id, act.about_id) if number is not None}
    query_of_handles = select(Person.id, Person.handle).where(col(Person.id).in_(list(numbers)))
    handles = dict(session.exec(query_of_handles).all())
    return [_act(act, handles) for act in acts]


def _act(act: TournamentAct, handles: Mapping[int, str]) -> ActLine:
    sentence = {
        "made": _("{who} made the tournament."),
        "announced": _("{who} announced:"),
        "closed": _("{who} closed the entry."),
        "removed": _("{who} removed {about}:"),
        "extended": _("{who} gave more time, in days:"),
        "admitted": _("{who} let people enter late."),
        "called off": _("The tournament was called off:"),
        "withdrew": _("{who} withdrew."),
    }[act.kind]
    names = {"who": handles.get(act.person_id or 0, ""), "about": handles.get(act.about_id or 0, "")}
    return ActLine(act.at, sentence.format(**names), act.words)


# -- honours and programs ----------------------------------------------------------------


class Honour(NamedTuple):
    """A place that somebody reached in a tournament that is over."""

    number: int
    name: str
    rank: int


_HONOURS = (
    select(Tournament.id, Tournament.name, TournamentEntrant.rank)
    .join(TournamentEntrant, col(TournamentEntrant.tournament_id) == col(Tournament.id))
    .where(col(TournamentEntrant.person_id) == bindparam("person"), col(TournamentEntrant.rank) <= PLACES_OF_HONOUR)
    .order_by(col(TournamentEntrant.rank), col(Tournament.ended_at).desc())
    .limit(MOST_HONOURS)
)


def honours_of(session: Session, person_id: int) -> tuple[Honour, ...] | None:
    """Return the best places of a person in tournaments, best first; None if there are none."""
    found = tuple(Honour(*row) for row in db.rows(session, _HONOURS, person=person_id))
    return found or None


def document(session: Session, tournament: Tournament, *, now: datetime) -> dict[str, Any]:
    """Return a tournament as programs read it."""
    cast = letters.cast_of(session, tournament.id)
    field = fields.field_of(session, tournament, now=now) if tournament.begun_at is not None else None
    pairings = fields.settled_of(field) if field is not None else ()
    rows = fields.standings_of(field) if field is not None else ()
    return {
        "id": tournament.id,
        "name": tournament.name,
        "format": str(tournament.format),
        "game": tournament.game,
        "options": tournament.terms.option_words,
        "state": str(tournament.state),
        "round": field.round if field is not None else 0,
        "rounds": rounds_in_all(tournament, field, len(cast.entrants)),
        "entrants": [
            {"handle": cast.handle(one.id), "seed": one.seed, "state": entrant_state(field, one)}
            for one in cast.entrants.values()
        ],
        "pairings": [_pairing(cast, one) for one in pairings],
        "byes": [
            {"round": bye.round, "handle": cast.handle(bye.entrant)} for bye in (field.byes if field is not None else ())
        ],
        "standings": [_standing(cast, row) for row in rows if row.entrant is not None],
    }  # fmt: skip


def _pairing(cast: Cast, pairing: Pairing) -> dict[str, Any]:
    return {
        "round": pairing.round, "section": pairing.section, "seats": [cast.handle(seat) for seat in pairing.seats],
        "game": pairing.game, "result": str(pairing.result), "judged": pairing.judged,
    }  # fmt: skip


def _standing(cast: Cast, row: Row) -> dict[str, Any]:
    assert row.entrant is not None
    return {
        "section": row.section, "rank": row.rank, "handle": cast.handle(row.entrant), "points": row.points,
        "played": row.played, "tiebreaks": dict(row.tiebreaks), "best": row.best, "worst": row.worst,
    }  # fmt: skip


def rounds_in_all(tournament: Tournament, field: Field | None, entered: int) -> int:
    """Return how many rounds or stages a tournament has, as far as that is known."""
    begun = field.round if field is not None else 0
    if tournament.format in PERPETUAL:
        return begun
    if tournament.format is Format.SWISS:
        return tournament.rounds or 0
    if tournament.format is Format.KNOCKOUT:
        return max(begun, ceil(log2(max(2, entered))))
    if not tournament.has_final:
        return 1
    stages, count = 1, entered
    while count > 9 and stages < 10:
        count, stages = max(1, round(count / 7)) * tournament.advance, stages + 1
    return max(begun, stages)
