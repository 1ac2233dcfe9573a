"""Load matches in the engines' terms: game, options, position, entries, and the ending."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlalchemy import select as columns_of
from sqlmodel import Session, and_, col, func, select

from correspondence.core import db
from correspondence.models import PLAYING, By, Match, Move, Person, Player, Rating, Token
from engines import GAMES, game_known
from engines.base import Game, Position, Seat
from engines.codec import dump, load
from engines.missing import Missing
from engines.options import options_from, read_options
from engines.record import Entry
from engines.refusal import Refusal
from engines.verification.ending import by_hash
from engines.verification.record_text import TIME
from engines.wording import N_, _

log = logging.getLogger(__name__)

UNBEGUN = N_("not everybody made a first move")
UNWANTED = N_("time had run out, and the other side cannot win on time")
FORGOTTEN = N_("time had run out long ago, and nobody did anything")
"""Reasons for which the service cancels a match, without result or rating."""

DECISION, ANNULLED = N_("decision of the operator"), N_("annulled by the operator")
"""Reasons for the end of a match that an operator decided."""

BY_TIME = (TIME, UNBEGUN, UNWANTED, FORGOTTEN)
"""Reasons for an end that are caused by a late player."""

_MADE = (
    select(Move.match_id, Move.seat, func.count(), func.max(Move.comment))
    .where(col(Move.match_id).in_(bindparam("matches", expanding=True)), col(Move.seat) >= 0)
    .group_by(col(Move.match_id), col(Move.seat))
)

_PERSONS = select(Person).where(col(Person.id).in_(bindparam("persons", expanding=True)))

_PLAYERS = select(Player).where(col(Player.match_id) == bindparam("match")).order_by(col(Player.seat))

_OF_RATING = ("person_id", "rating", "deviation", "volatility", "updated_at", "games")
"""Columns of a rating that are loaded with a match and its players."""

_SEATS: tuple[Any, ...] = (Match, Player, Person, *(col(getattr(Rating, name)) for name in _OF_RATING))

_IS_RATING = and_(col(Rating.person_id) == col(Person.id), col(Rating.game) == col(Match.game))


_SEATED_MATCH = (
    columns_of(*_SEATS)
    .select_from(Match)
    .join(Player, col(Player.match_id) == col(Match.id))
    .join(Person, col(Person.id) == col(Player.person_id))
    .outerjoin(Rating, _IS_RATING)
    .where(col(Match.id) == bindparam("match"))
    .order_by(col(Player.seat))
)
"""Query: a match with its players, their persons, and their ratings in its game."""

SEATED_BY_TOKEN = (
    columns_of(Token, *_SEATS)
    .select_from(Token)
    .outerjoin(Match, col(Match.id) == col(Token.match_id))
    .outerjoin(Player, col(Player.match_id) == col(Match.id))
    .outerjoin(Person, col(Person.id) == func.coalesce(col(Player.person_id), col(Token.person_id)))
    .outerjoin(Rating, _IS_RATING)
    .where(col(Token.id) == bindparam("token"))
    .order_by(col(Player.seat))
)
"""Query: a token with its match as for `with_players`; without a match, with its person."""

_ALL_PLAYERS = (
    select(Player)
    .where(col(Player.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(Player.match_id), col(Player.seat))
)

_FREE_MATCHES = (
    select(Match)
    .where(col(Match.id).in_(bindparam("matches", expanding=True)))
    .order_by(col(Match.id))
    .with_for_update(skip_locked=True)
)

_FREE_PERSONS = _PERSONS.order_by(col(Person.id)).with_for_update(key_share=True, skip_locked=True)


_SILENT = "silent"


class MatchError(Refusal):
    """Raised for a refusal not caused by the rules of the game; str() is a sentence."""


class Step(NamedTuple):
    """One entry being played: position before it, seat, and move."""

    before: Position[Any]
    seat: Seat
    move: Any

    @property
    def entry(self) -> Entry:
        """The entry for the record: the seat, and the move in canonical notation."""
        return Entry(self.seat, self.before.write(self.seat, self.move))


def game_of(match: Match) -> Game:
    """Return the rules of a match; a placeholder with only a name if they are not installed."""
    return GAMES[match.game]


def options_of(match: Match) -> Any:
    """Return the typed options of a match. Raises UnknownGame if its rules are not installed."""
    return read_options(game_known(match.game).Options, options_from(match.options))


def position_of(match: Match) -> Position[Any]:
    """Return the position of a match; if its rules are not installed, one without moves.

    Raises MatchError if the stored position is unreadable.
    """
    if match.game not in GAMES:
        return Missing(match.game)
    try:
        return _position(game_of(match), match.options, match.position)
    except ValueError as error:
        log.error("the stored position of game %s cannot be read: %s", match.id, error)
        sentence = _("The position of game {number} can't be read. Please tell the operator, who can check a backup.")
        raise MatchError(sentence.format(number=match.id)) from error


@lru_cache(maxsize=32)
def _position(game: Game, options: str, text: str) -> Position[Any]:
    """Parse a stored position; cached, because one move needs it several times."""
    return load(_kind(game, options), text)


@lru_cache(maxsize=256)
def _kind(game: Game, options: str) -> type[Position[Any]]:
    return type(game.start(read_options(game.Options, options_from(options))))


def stored(position: Position[Any]) -> str:
    """Serialise a position for `Match.position`."""
    return dump(position)


def locked(session: Session, match_id: int) -> Match:
    """Lock a match until the transaction ends; reload it and its players, unless it is locked already.

    A lock that is taken within a savepoint is not remembered, because a rollback to the savepoint releases it.
    """
    remembered = db.session_cache(session)
    at_hand: Match | None = remembered.get((Match, match_id))
    if at_hand is not None and (db.holds_all(session) or ("locked", match_id) in remembered):
        return at_hand
    match = session.get_one(Match, match_id, with_for_update=True, populate_existing=True)
    _seated(session, match_id, populate_existing=True)
    remembered[Match, match_id] = match
    if not session.in_nested_transaction():
        remembered["locked", match_id] = True
    return match


def locked_if_free(session: Session, match_ids: Collection[int]) -> list[Match]:
    """Lock and reload these matches, with their players and persons, skipping locked ones.

    A match is skipped if another transaction has locked it or one of its persons. This never waits, and two workers
    with the same list get different matches.
    """
    as_it_stands = {"populate_existing": True}
    matches = session.exec(_FREE_MATCHES, params={"matches": list(match_ids)}, execution_options=as_it_stands).all()
    seated: dict[int, list[Player]] = {match.id: [] for match in matches}
    for player in session.exec(_ALL_PLAYERS, params={"matches": list(seated)}, execution_options=as_it_stands):
        seated[player.match_id].append(player)
    wanted = {"persons": sorted({player.person_id for players in seated.values() for player in players})}
    persons = {one.id: one for one in session.exec(_FREE_PERSONS, params=wanted, execution_options=as_it_stands)}
    remembered = db.session_cache(session)
    remembered.update({(Person, number): person for number, person in persons.items()})
    remembered.update({(Player, number): players for number, players in seated.items()})
    return [match for match in matches if all(player.person_id in persons for player in seated[match.id])]


def known_match(session: Session, number: int) -> Match | None:
    """Return a match or None; a read-only session reads it once, together with its players."""
    if not db.only_reads(session):
        return session.get(Match, number)
    return db.cached_read(session, (Match, number), lambda: with_players(session, number))


def with_players(session: Session, number: int) -> Match | None:
    """Return a match or None; cache its players, persons and their ratings in the session."""
    found = session.execute(_SEATED_MATCH, {"match": number}).all()
    return keep_seats_at_hand(session, found) if found else session.get(Match, number)


def keep_seats_at_hand(session: Session, seats: Sequence[Any]) -> Match:
    """Cache a match and its seats, persons and ratings in the session; return the match."""
    match: Match = seats[0].Match
    remembered = db.session_cache(session)
    for row in seats:
        keep_at_hand(session, row.Person)
        remembered[Rating, row.Person.id, match.game] = None if row.rating is None else row
    remembered[Player, match.id] = [row.Player for row in seats]
    remembered[Match, match.id] = match
    return match


def keep_at_hand(session: Session, person: Person) -> None:
    """Cache a person from another query in the session."""
    db.session_cache(session)[Person, person.id] = person


def seated_match(session: Session, number: int) -> Match | None:
    """Return a match as `with_players` does, from the session's cache if possible."""
    at_hand: Match | None = db.session_cache(session).get((Match, number))
    return at_hand if at_hand is not None else with_players(session, number)


class MadeMove(NamedTuple):
    """A move's row as an immutable value."""

    ply: int
    seat: Seat
    text: str
    at: datetime
    spent: int
    bank: int | None
    by: By
    comment: str
    hash: str
    seal: str
    comment_hash: str = ""

    @property
    def recorded_comment(self) -> str:
        """The comment in records: stripped, or a placeholder by hash if its text is not stored."""
        return recorded_comment(self.comment, self.comment_hash)


def recorded_comment(comment: str, comment_hash: str) -> str:
    """Return a comment for records: stripped, or a placeholder by hash if it is not stored."""
    return comment.strip() or (by_hash(comment_hash) if comment_hash else "")


def ended_match_ids(session: Session, person_id: int) -> list[int]:
    """Return the ids of a person's ended matches."""
    query = select(Player.match_id).where(col(Player.person_id) == person_id, col(Player.ended_at).is_not(None))
    return list(session.exec(query.order_by(col(Player.match_id))))


_MOVES = (
    columns_of(*(getattr(Move, name) for name in MadeMove._fields))
    .where(col(Move.match_id) == bindparam("match"))
    .order_by(col(Move.ply))
)


def moves_of(session: Session, match_id: int) -> list[MadeMove]:
    """Return the moves of a match in order."""

    def read() -> list[MadeMove]:
        return [MadeMove(*row) for row in session.execute(_MOVES, {"match": match_id})]

    return db.cached_read(session, (Move, match_id), read)


def entries_of(moves: Iterable[MadeMove]) -> list[Entry]:
    """Return moves as entries of a record."""
    return [Entry(move.seat, move.text) for move in moves]


class MovesMade(NamedTuple):
    """Number of moves of each seat, and the seats that commented on one."""

    by_seat: dict[Seat, int]
    commenting: frozenset[Seat]


def moves_made(session: Session, match_id: int) -> MovesMade:
    """Count the moves of a match by seat."""
    kept: MovesMade | None = db.asked(session).get((MovesMade, match_id))
    return kept if kept is not None else _moves_made(session, [match_id])[match_id]


def _moves_made(session: Session, match_ids: Collection[int]) -> dict[int, MovesMade]:
    counts: dict[int, dict[Seat, int]] = {number: {} for number in match_ids}
    commenting: dict[int, set[Seat]] = {number: set() for number in match_ids}
    for number, seat, count, last_comment in db.rows(session, _MADE, matches=list(match_ids)):
        counts[number][seat] = count
        if last_comment:
            commenting[number].add(seat)
    return {number: MovesMade(counts[number], frozenset(commenting[number])) for number in match_ids}


def may_have_comments(session: Session, match_id: int) -> bool:
    """Whether a move may have a comment; False only if the session knows that none has."""
    kept: MovesMade | None = db.asked(session).get((MovesMade, match_id))
    return (kept is None or bool(kept.commenting)) and (_SILENT, match_id) not in db.asked(session)


def note_silence(session: Session, match_id: int) -> None:
    """Record that no move has a comment, for `may_have_comments` in this `db.asking_once` block."""
    db.asked(session)[_SILENT, match_id] = True


def ask_moves_ahead(session: Session, match_ids: Collection[int]) -> None:
    """Prefetch move counts of these matches, within a `db.asking_once` block without moves."""
    for number, made in _moves_made(session, match_ids).items():
        db.asked(session)[MovesMade, number] = made


def players_of(session: Session, match_id: int) -> list[Player]:
    """Return the players of a match by seat; cached, because seats never change."""
    seated: Sequence[Player] | None = db.session_cache(session).get((Player, match_id))
    return list(seated or _seated(session, match_id))


def _seated(session: Session, match_id: int, **options: bool) -> Sequence[Player]:
    seated = session.exec(_PLAYERS, params={"match": match_id}, execution_options=options).all()
    db.session_cache(session)[Player, match_id] = seated
    return seated


def persons_of(session: Session, players: list[Player]) -> list[Person]:
    """Return the persons at these seats."""
    known = _persons(session, [player.person_id for player in players])
    return [known[player.person_id] for player in players]


def _persons(session: Session, numbers: Sequence[int]) -> dict[int, Person]:
    """Return the existing persons with these numbers, by number; cached."""
    remembered = db.session_cache(session)
    missing = [number for number in numbers if (Person, number) not in remembered]
    for person in session.exec(_PERSONS, params={"persons": missing}) if missing else ():
        remembered[Person, person.id] = person
    return {number: remembered[Person, number] for number in numbers if (Person, number) in remembered}


def person_of(session: Session, player: Player) -> Person:
    """Return the person at a seat."""
    return person_numbered(session, player.person_id)


def person_numbered(session: Session, number: int) -> Person:
    """Return the person with this number; cached."""
    known: Person | None = db.session_cache(session).get((Person, number))
    return known if known is not None else _persons(session, [number])[number]


def tallied(rows: Iterable[Any]) -> dict[str, tuple[int, int, int]]:
    """Count wins, losses and draws by game, from rows of game, result, seat and count."""
    counts: dict[str, list[int]] = {}
    for key, result, seat, count in rows:
        won = result == ("1-0" if seat == 0 else "0-1")
        counts.setdefault(key, [0, 0, 0])[2 if result == "1/2-1/2" else 0 if won else 1] += count
    return {key: (won, lost, drawn) for key, (won, lost, drawn) in counts.items()}


def must_go_on(match: Match) -> None:
    """Raise MatchError if a match is over."""
    if match.ended_at is not None:
        raise MatchError(_("Game {number} is over.").format(number=match.id))


def ending(match: Match) -> str:
    """Describe how a match ended, in a sentence; empty if it is running."""
    if match.ended_at is None:
        return ""
    seats = [_(seat) for seat in game_of(match).seats]
    reason = _(match.reason)
    if len(seats) == 1:
        return _(game_of(match).presentation.won_alone) if match.result == "1-0" else _("Given up.")
    if match.result == "1/2-1/2":
        return _("A draw by {reason}.").format(reason=reason)
    if match.result == PLAYING:
        return _("Called off: {reason}.").format(reason=reason) if reason else _("Called off.")
    winner = seats[0 if match.result == "1-0" else 1]
    if match.reason == TIME:
        return _("{winner} wins on time.").format(winner=winner)
    return _("{winner} wins by {reason}.").format(winner=winner, reason=reason)
