"""Finding finished games: what can be wanted of them, read from words, and asked of the database by its indexes.

Numbers of matches only; queries.py makes cards of them. Pages go by the last game of the page before, never by
counting, so the thousandth page costs what the first does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, func, or_, select

from correspondence.archive import openings
from correspondence.core.game_options import options_from, options_text
from correspondence.core.integers import whole
from correspondence.models import PLAYING, Match, Opening, Person, Player
from correspondence.models.loading import AGREEMENT, RESIGNATION, TIME
from engines import GAMES
from engines.base import MoveError
from engines.options import OptionError, read_options
from engines.refusal import Refusal
from engines.wording import _, listing

RESULTS = ("1-0", "0-1", "1/2-1/2", PLAYING, "won", "lost")
"""The results that can be wanted; `won` and `lost` are those of the player who is named."""

RULES = "rules"
"""The reason of every end that the rules of the game brought about, not the players or the clock."""

REASONS = (RULES, RESIGNATION, TIME, AGREEMENT)
"""The reasons that can be wanted."""

STANDARD = "standard"
"""What is written for games without any option."""

MOST_COUNTED = 1_000
"""Games are counted to here and no further, so that the count of a million costs no more than that."""

LONGEST_GAME = 100_000
"""The greatest length, in entries, that can be wanted."""


class ArchiveError(Refusal):
    """Something wanted that makes no sense; str() is a sentence."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a finished game must be like; whatever is empty or None is not asked for.

    `options` are `name=value` words, None for any; `position` is openings.position_key of a position that the
    game went through; `line` the moves that lead there.
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


def read_wanted(said: Mapping[str, str], zone: str) -> Wanted:
    """What the fields of a form want; days are those of `zone`. Raises ArchiveError."""
    game, options = _game(said.get("game", "")), said.get("options", "")
    chosen = _options(game, options)
    line, position = _opening(game, chosen or "", said.get("moves", ""))
    player, opponent = (said.get(name, "").lstrip("@") for name in ("player", "opponent"))
    result = _one_of(said.get("result", ""), RESULTS)
    if not player and (opponent or result in ("won", "lost")):
        raise ArchiveError(_("Please name the player whose opponent or whose result you mean."))
    since, until = (_day(said.get(name, ""), zone) for name in ("since", "until"))
    if since and until and since > until:
        raise ArchiveError(_("The first day comes after the last one."))
    shortest, longest = (_length(said.get(name, "")) for name in ("shortest", "longest"))
    if shortest is not None and longest is not None and shortest > longest:
        raise ArchiveError(_("The least length is more than the greatest."))
    return Wanted(
        game, chosen if options else None, player, opponent, result, _one_of(said.get("reason", ""), REASONS),
        shortest, longest, since, until + timedelta(days=1) if until else None, line, position,
    )  # fmt: skip


def _game(key: str) -> str:
    if key and key not in GAMES:
        raise ArchiveError(_("There is no game “{key}” here.").format(key=key[:40]))
    return key


def _options(game: str, words: str) -> str | None:
    if not words:
        return None
    if not game:
        raise ArchiveError(_("Please choose a game: options belong to one."))
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
        raise ArchiveError(_("Please choose a game: an opening belongs to one."))
    try:
        typed: Any = read_options(GAMES[game].Options, options_from(options))
        line, position = openings.after_moves(GAMES[game], typed, texts)
    except MoveError as error:
        raise ArchiveError(_("The opening cannot be played: {why}").format(why=error)) from error
    return line, openings.position_key(game, options, position)


def _one_of(word: str, words: tuple[str, ...]) -> str:
    if word and word not in words:
        raise ArchiveError(_("“{word}” is none of {words}.").format(word=word[:40], words=listing(words, _("and"))))
    return word


def _day(text: str, zone: str) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        if not 1900 < day.year < 3000:
            raise ValueError
        return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    except ValueError as error:
        raise ArchiveError(_("“{text}” is no day; one is 2026-11-21.").format(text=text[:40])) from error


def _length(text: str) -> int | None:
    if not text:
        return None
    length = whole(text, LONGEST_GAME)
    if length is None:
        raise ArchiveError(_("“{text}” is no length: it is a number of moves.").format(text=text[:40]))
    return length


# -- asking the database ----------------------------------------------------------------


def numbers(session: Session, wanted: Wanted, *, before: int | None, most: int) -> list[int]:
    """The numbers of games that fit, newest first, those after the game `before` in this order."""
    asked = _asked(session, wanted)
    if asked is None:
        return []
    found, ended, number = asked
    last = session.get(Match, before) if before is not None else None
    if last is not None and last.ended_at is not None:
        found = found.where(or_(ended < last.ended_at, and_(ended == last.ended_at, number < last.id)))
        found = found.where(ended <= last.ended_at)  # so that the index is entered there, and not at its beginning
    return list(session.exec(found.order_by(ended.desc(), number.desc()).limit(most)))


def count(session: Session, wanted: Wanted) -> int:
    """How many games fit, at most one more than MOST_COUNTED."""
    asked = _asked(session, wanted)
    if asked is None:
        return 0
    some = asked[0].limit(MOST_COUNTED + 1).subquery()
    return int(session.exec(select(func.count()).select_from(some)).one())


def every(session: Session, wanted: Wanted, *, page: int = 200) -> Iterator[int]:
    """The numbers of all games that fit, newest first, fetched a page at a time."""
    last: int | None = None
    while found := numbers(session, wanted, before=last, most=page):
        yield from found
        last = found[-1]


def _asked(session: Session, wanted: Wanted) -> tuple[Any, Any, Any] | None:
    """The query for numbers, and its columns of end and number; None where a person is unknown."""
    people = [_person(session, handle) for handle in (wanted.player, wanted.opponent) if handle]
    if None in people:
        return None
    conditions = [*_facts(wanted), *_times(wanted)]
    if not people:
        return _by_match(wanted, conditions)
    return _by_player(session, wanted, [person for person in people if person is not None], conditions)


def _by_match(wanted: Wanted, conditions: list[Any]) -> tuple[Any, Any, Any]:
    if wanted.position is None:
        ended, number = col(Match.ended_at), col(Match.id)
        return select(Match.id).where(*conditions, ended.is_not(None), *_within(wanted, ended)), ended, number
    ended, number = col(Opening.ended_at), col(Opening.match_id)
    found = select(Opening.match_id).where(col(Opening.key) == wanted.position, *_within(wanted, ended))
    if conditions:
        found = found.join(Match, col(Match.id) == number).where(*conditions)
    return found, ended, number


def _by_player(session: Session, wanted: Wanted, people: list[int], conditions: list[Any]) -> tuple[Any, Any, Any]:
    """Games of a person, or of two against each other, walked along the index of whoever has fewer."""
    seats = [aliased(Player) for _one in people]
    if len(people) > 1 and _games(session, people[1]) < _games(session, people[0]):
        walked = seats[1]
    else:
        walked = seats[0]
    ended, number = col(walked.ended_at), col(walked.match_id)
    found = select(walked.match_id).join(Match, col(Match.id) == number)
    found = found.where(*conditions, ended.is_not(None), *_within(wanted, ended))
    for seat, person in zip(seats, people, strict=True):
        if seat is not walked:
            found = found.join(seat, col(seat.match_id) == number)
        found = found.where(col(seat.person_id) == person)
    if len(seats) > 1:
        found = found.where(col(seats[0].seat) != col(seats[1].seat))
    if wanted.position is not None:
        here = (col(Opening.key) == wanted.position, col(Opening.ended_at) == ended, col(Opening.match_id) == number)
        found = found.where(select(Opening.match_id).where(*here).exists())
    if wanted.result in ("won", "lost"):
        first, second = ("1-0", "0-1") if wanted.result == "won" else ("0-1", "1-0")
        mine = col(seats[0].seat)
        won = or_(and_(mine == 0, col(Match.result) == first), and_(mine == 1, col(Match.result) == second))
        found = found.where(won)
    return found, ended, number


def _person(session: Session, handle: str) -> int | None:
    return session.exec(select(Person.id).where(col(Person.handle_key) == handle.casefold())).first()


def _games(session: Session, person: int) -> int:
    some = select(Player.id).where(col(Player.person_id) == person, col(Player.ended_at).is_not(None))
    return int(session.exec(select(func.count()).select_from(some.limit(MOST_COUNTED).subquery())).one())


def _facts(wanted: Wanted) -> list[Any]:
    """What is asked of the match itself, but for when it ended."""
    conditions: list[Any] = [col(Match.daily).is_(None)]
    if wanted.game:
        conditions.append(col(Match.game) == wanted.game)
    if wanted.options is not None:
        conditions.append(col(Match.options) == wanted.options)
    if wanted.result and wanted.result not in ("won", "lost"):
        conditions.append(col(Match.result) == wanted.result)
    if wanted.reason == RULES:
        conditions.append(and_(col(Match.reason).not_in(REASONS), col(Match.result) != PLAYING))
    elif wanted.reason:
        conditions.append(col(Match.reason) == wanted.reason)
    return conditions


def _times(wanted: Wanted) -> list[Any]:
    conditions = [col(Match.ply) >= wanted.shortest] if wanted.shortest is not None else []
    return conditions + ([col(Match.ply) <= wanted.longest] if wanted.longest is not None else [])


def _within(wanted: Wanted, ended: Any) -> list[Any]:
    conditions = [ended >= wanted.since] if wanted.since else []
    return conditions + ([ended < wanted.until] if wanted.until else [])
