"""Search of finished games: criteria parsed from forms, and indexed queries.

Results are match ids; queries.py makes cards of them. Paging continues after the last game of the previous page and
never counts rows, so the thousandth page takes as long as the first.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.accounts.accounts import DEPARTED
from correspondence.archive import openings
from correspondence.core import db
from correspondence.core.i18n import zone_of
from correspondence.core.integers import whole
from correspondence.models import PLAYING, DirectoryListing, Match, Move, Opening, Person, Player
from correspondence.models.loading import DECISION
from engines import GAMES
from engines.base import MoveError
from engines.options import OptionError, options_from, options_text, read_options
from engines.refusal import Refusal
from engines.verification.record_text import AGREEMENT, RESIGNATION, TIME
from engines.wording import _, listing

RESULTS = ("1-0", "0-1", "1/2-1/2", PLAYING, "won", "lost")
"""The results to search for; `won` and `lost` refer to the named player."""

RULES = "rules"
"""The search value for all ends by the rules of the game, not by the players or the clock."""

REASONS = (RULES, RESIGNATION, TIME, AGREEMENT)
"""The reasons to search for."""

STANDARD = "standard"
"""The word for games with default options."""

MOST_COUNTED = 1_000
"""Maximum number of games counted, so that counting stays fast for a million games."""

COMPLETED_FROM = 300
"""Number of the newest games whose players are suggested as names."""

_STATEMENTS = 32
"""Size of each cache of SQL statements."""

LONGEST_GAME = 100_000
"""Maximum length of a game to search for, in entries."""


class ArchiveError(Refusal):
    """Raised for invalid criteria; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Criteria:
    """Search criteria for finished games; empty or None fields are ignored.

    `options` are `name=value` words, None for any. `position` is the `openings.position_key` of a position that
    occurred in the game, and `line` the moves that lead to it.
    """

    game: str = ""
    options: str | None = None
    player: str = ""
    opponent: str = ""
    result: str = ""
    reason: str = ""
    shortest: int | None = None
    longest: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    line: tuple[str, ...] = ()
    position: int | None = None

    @property
    def is_opening_only(self) -> bool:
        """Whether the criteria are only a game, its options and an opening."""
        return self == Criteria(self.game, self.options, line=self.line, position=self.position)

    @property
    def is_of_one_person(self) -> bool:
        """Whether the criteria name a person, but no opponent or opening."""
        return self.player != "" and self.opponent == "" and self.position is None


def read_criteria(fields: Mapping[str, str], zone: str) -> Criteria:
    """Parse criteria from the fields of a form; days are in `zone`. Raises ArchiveError."""
    game, options = _game(fields.get("game", "")), fields.get("options", "")
    game_options = _options(game, options)
    line, position = _opening(game, game_options or "", fields.get("moves", ""))
    player, opponent = (fields.get(name, "").lstrip("@") for name in ("player", "opponent"))
    result = _one_of(fields.get("result", ""), RESULTS)
    if not player and (opponent or result in ("won", "lost")):
        raise ArchiveError(_("Please name the player whose opponent or whose result you mean."))
    first, last = (_day(fields.get(name, "")) for name in ("since", "until"))
    if first and last and first > last:
        raise ArchiveError(_("The first day is after the last one."))
    shortest, longest = (_length(fields.get(name, "")) for name in ("shortest", "longest"))
    if shortest is not None and longest is not None and shortest > longest:
        raise ArchiveError(_("The minimum length is greater than the maximum."))
    return Criteria(
        game, game_options if options else None, player, opponent, result, _one_of(fields.get("reason", ""), REASONS),
        shortest, longest, _midnight(first, zone), _midnight(last and last + timedelta(days=1), zone), line, position,
    )  # fmt: skip


def _game(key: str) -> str:
    if key and key not in GAMES:
        raise ArchiveError(_("There is no game “{key}” here.").format(key=key[:40]))
    return key


def _options(game: str, words: str) -> str | None:
    if not words:
        return None
    if not game:
        raise ArchiveError(_("Please choose a game first: each game has options of its own."))
    if words.casefold() == STANDARD:
        return ""
    pairs = options_from(words.replace(",", " "))
    if not pairs:
        sentence = _("Options are written name=value, or “{word}” for none; not “{words}”.")
        raise ArchiveError(sentence.format(word=STANDARD, words=words[:40]))
    try:
        return options_text(read_options(GAMES[game].Options, pairs))
    except OptionError as error:
        raise ArchiveError(str(error)) from error


def _opening(game: str, options: str, moves: str) -> tuple[tuple[str, ...], int | None]:
    texts = [text.strip() for text in moves.replace("\n", ";").split(";") if text.strip()]
    if not texts:
        return (), None
    if not game:
        raise ArchiveError(_("Please choose a game first: each game has openings of its own."))
    try:
        typed: Any = read_options(GAMES[game].Options, options_from(options))
        line, position = openings.after_moves(GAMES[game], typed, texts)
    except MoveError as error:
        raise ArchiveError(_("That opening can't be played: {why}").format(why=error)) from error
    return line, openings.position_key(game, options, position)


def _one_of(word: str, words: tuple[str, ...]) -> str:
    if word and word not in words:
        raise ArchiveError(_("“{word}” is not one of {words}.").format(word=word[:40], words=listing(words, _("and"))))
    return word


def _midnight(day: date | None, zone: str) -> datetime | None:
    """Return the start of a day in a time zone; days have 23, 24 or 25 hours."""
    return None if day is None else datetime.combine(day, time(), zone_of(zone)).astimezone(UTC)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        if not 1900 < day.year < 3000:
            raise ValueError
        return day
    except ValueError as error:
        raise ArchiveError(_("“{text}” is not a date; write for example 2026-11-21.").format(text=text[:40])) from error


def _length(text: str) -> int | None:
    if not text:
        return None
    length = whole(text, LONGEST_GAME)
    if length is None:
        raise ArchiveError(_("“{text}” is not a length: write a number of moves.").format(text=text[:40]))
    return length


# -- queries ----------------------------------------------------------------


class _Games(NamedTuple):
    """A query for ids of games: unordered, newest first, and the maximum number of rows.

    It includes the columns for end and id.
    """

    ids: Any
    ended: Any
    match_id: Any
    newest: Any
    count: Any


def _games(ids: Any, ended: Any, match_id: Any) -> _Games:
    count = select(func.count()).select_from(ids.limit(MOST_COUNTED + 1).subquery())
    return _Games(ids, ended, match_id, ids.order_by(ended.desc(), match_id.desc()), count)


def match_ids(session: Session, criteria: Criteria, *, before: int | None, most: int) -> list[int]:
    """Return the ids of matching games, newest first, starting after the game `before`."""
    games_and_people = _query(session, criteria)
    if games_and_people is None:
        return []
    games, people = games_and_people
    query, ended, match_id = games.newest, games.ended, games.match_id
    last = session.get(Match, before) if before is not None else None
    if last is not None and last.ended_at is not None:
        query = query.where(or_(ended < last.ended_at, and_(ended == last.ended_at, match_id < last.id)))
        query = query.where(ended <= last.ended_at)  # lets the index scan start there
    return [number for (number,) in db.rows(session, query.limit(most), **people)]


def count_up_to(session: Session, criteria: Criteria, games_of: Callable[[int], Hashable]) -> int:
    """Count matching games, up to one more than MOST_COUNTED.

    `games_of` returns a fingerprint of a person's finished games, which is the cache key of counts for one person.
    """
    games_and_people = _query(session, criteria)
    if games_and_people is None:
        return 0
    games, people = games_and_people
    if not criteria.is_of_one_person:
        return int(db.value(session, games.count, **people))
    version = (count_up_to, criteria, games_of(people["player"]))
    return db.remembered(session, version, lambda: int(db.value(session, games.count, **people)))


def next_moves(session: Session, criteria: Criteria) -> tuple[openings.NextMove, ...]:
    """Return the next moves of matching games after the opening, most frequent first.

    Without an opening, it counts first moves. Only the newest MOST_COUNTED games count, and no cancelled games.
    """
    of_one_kind = criteria if criteria.position is not None else replace(criteria, options=criteria.options or "")
    games_and_people = _query(session, of_one_kind)
    if games_and_people is None:
        return ()
    games, people = games_and_people
    newest = games.newest.limit(MOST_COUNTED).subquery()
    counted = (
        select(Move.text, Match.result, func.count())
        .join(Match, col(Match.id) == col(Move.match_id))
        .where(col(Move.match_id).in_(select(newest.c[0])), col(Move.ply) == len(criteria.line) + 1)
        .where(col(Match.result) != PLAYING)
        .group_by(col(Move.text), col(Match.result))
    )
    return openings.counted_moves(db.rows(session, counted, **people))


def _query(session: Session, criteria: Criteria) -> tuple[_Games, dict[str, int]] | None:
    """Return the statement and the ids of `player` and `opponent`; None if a person is unknown.

    Statements are cached by their structure, independently of the persons.
    """
    named = {"player": criteria.player, "opponent": criteria.opponent}
    found = {role: _person(session, handle) for role, handle in named.items() if handle}
    people = {role: person for role, person in found.items() if person is not None}
    if len(people) < len(found):
        return None
    if not people:
        return _by_match(criteria), {}
    return _by_player(replace(criteria, player="", opponent=""), tuple(people), _shorter(session, people)), people


def _shorter(session: Session, people: dict[str, int]) -> str:
    """Return the person whose index is scanned: of two, the one with fewer games."""
    counts = {role: _game_count(session, person) for role, person in people.items()} if len(people) > 1 else {}
    return min(people, key=lambda role: counts.get(role, 0))


@lru_cache(maxsize=_STATEMENTS)
def _by_match(criteria: Criteria) -> _Games:
    conditions = [*_match_conditions(criteria), *_length_conditions(criteria)]
    if criteria.position is None:
        ended, match_id = col(Match.ended_at), col(Match.id)
        dates = _date_conditions(criteria, ended)
        return _games(select(Match.id).where(*conditions, ended.is_not(None), *dates), ended, match_id)
    ended, match_id = col(Opening.ended_at), col(Opening.match_id)
    query = select(Opening.match_id).where(col(Opening.key) == criteria.position, *_date_conditions(criteria, ended))
    if conditions:
        query = query.join(Match, col(Match.id) == match_id).where(*conditions)
    return _games(query, ended, match_id)


@lru_cache(maxsize=_STATEMENTS)
def _by_player(criteria: Criteria, roles: tuple[str, ...], shorter: str) -> _Games:
    """Query games of one person, or of two against each other, by the smaller index range."""
    seats = [aliased(Player) for _role in roles]
    base = seats[roles.index(shorter)]
    ended, match_id = col(base.ended_at), col(base.match_id)
    query: Any = select(base.match_id).join(Match, col(Match.id) == match_id)
    conditions = [*_match_conditions(criteria), *_length_conditions(criteria)]
    query = query.where(*conditions, ended.is_not(None), *_date_conditions(criteria, ended))
    for seat, role in zip(seats, roles, strict=True):
        if seat is not base:
            query = query.join(seat, col(seat.match_id) == match_id)
        query = query.where(col(seat.person_id) == bindparam(role))
    if len(seats) > 1:
        query = query.where(col(seats[0].seat) != col(seats[1].seat))
    if criteria.position is not None:
        same_game = (
            col(Opening.key) == criteria.position,
            col(Opening.ended_at) == ended,
            col(Opening.match_id) == match_id,
        )
        query = query.where(select(Opening.match_id).where(*same_game).exists())
    if criteria.result in ("won", "lost"):
        first, second = ("1-0", "0-1") if criteria.result == "won" else ("0-1", "1-0")
        mine = col(seats[0].seat)
        won = or_(and_(mine == 0, col(Match.result) == first), and_(mine == 1, col(Match.result) == second))
        query = query.where(won)
    return _games(query, ended, match_id)


_PERSON = select(Person.id).where(col(Person.handle_key) == bindparam("key"))


def _person(session: Session, handle: str) -> int | None:
    key = handle.casefold()
    found: int | None = db.cached_read(session, (Person, key), lambda: db.value(session, _PERSON, key=key))
    return found


def recent_players(session: Session) -> tuple[str, ...]:
    """Return the names in the newest finished games, by name, to complete what a visitor types.

    Members who are not in the directory are left out, and so are those who have departed.
    """
    newest = _by_match(Criteria()).newest.limit(COMPLETED_FROM).subquery()
    players = select(Player.person_id).where(col(Player.match_id).in_(select(newest.c[0])))
    query = (
        select(Person.handle)
        .join(DirectoryListing, col(DirectoryListing.person_id) == col(Person.id), isouter=True)
        .where(col(Person.id).in_(players), col(Person.handle) != DEPARTED)
        .where(col(DirectoryListing.shows_handle).is_not(False))
    )
    return tuple(handle for (handle,) in db.rows(session, query.order_by(col(Person.handle_key))))


def imported_name(session: Session, handle: str) -> str | None:
    """Return a name that only imported records have, as they write it; None for any other name."""
    query = select(Person.handle).where(col(Person.handle_key) == handle.casefold())
    return session.exec(query.where(col(Person.departed_at).is_not(None))).first()


def _game_count(session: Session, person_id: int) -> int:
    query = select(Player.id).where(col(Player.person_id) == person_id, col(Player.ended_at).is_not(None))
    return int(session.exec(select(func.count()).select_from(query.limit(MOST_COUNTED).subquery())).one())


def _match_conditions(criteria: Criteria) -> list[Any]:
    """Return the conditions on the match itself, except for when it ended."""
    conditions: list[Any] = [col(Match.daily).is_(None)]
    if criteria.game:
        conditions.append(col(Match.game) == criteria.game)
    if criteria.options is not None:
        conditions.append(col(Match.options) == criteria.options)
    if criteria.result and criteria.result not in ("won", "lost"):
        conditions.append(col(Match.result) == criteria.result)
    if criteria.reason == RULES:
        conditions.append(and_(col(Match.reason).not_in((*REASONS, DECISION)), col(Match.result) != PLAYING))
    elif criteria.reason:
        conditions.append(col(Match.reason) == criteria.reason)
    return conditions


def _length_conditions(criteria: Criteria) -> list[Any]:
    conditions = [col(Match.ply) >= criteria.shortest] if criteria.shortest is not None else []
    return conditions + ([col(Match.ply) <= criteria.longest] if criteria.longest is not None else [])


def _date_conditions(criteria: Criteria, ended: Any) -> list[Any]:
    conditions = [ended >= criteria.since] if criteria.since else []
    return conditions + ([ended < criteria.until] if criteria.until else [])
