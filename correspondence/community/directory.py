"""The members-only directory of partners, and each member's preferences for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, exists, func, or_, select
from sqlmodel.sql.expression import Select

from correspondence.accounts.accounts import program_mark
from correspondence.accounts.relations import blocked_ids
from correspondence.community.directory_filter import Wanted
from correspondence.core.language_names import LANGUAGES_READ, name_of
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import (
    Address,
    DirectoryListing,
    Inbound,
    Match,
    Person,
    Player,
    PostalMember,
    Rating,
    WebSession,
)
from correspondence.outbound.letters import mails_of
from correspondence.ratings.ratings import rating_text
from engines import GAMES
from engines.wording import N_, _

PAGE = 30
"""Members per page of the directory."""

PACES = {
    "fast": N_("fast: a day a move, or less"),
    "steady": N_("steady: some days a move"),
    "slow": N_("slow: a week a move, or more"),
    "post": N_("by post: two weeks a move, or more"),
}
"""The paces a member can prefer, by key."""

SEEN: tuple[tuple[timedelta | None, str], ...] = (
    (timedelta(days=1), N_("seen today")),
    (timedelta(days=7), N_("seen this week")),
    (timedelta(days=30), N_("seen this month")),
    (None, N_("not seen for a month")),
)
"""Coarse steps for when a member was last seen, so that nobody's habits can be inferred."""

ANYBODY = Wanted()
"""Everybody in the directory, by name."""

LONGEST_NOTE, LONGEST_POST = 300, 400
"""Maximum lengths of a note about options and of a postal address, in characters."""


@dataclass(frozen=True, slots=True)
class DirectoryPreferences:
    """What a member shows and prefers; `games`, `paces` and `languages` hold keys."""

    shows_handle: bool = True
    shows_mail: bool = False
    shows_post: bool = False
    takes_letters: bool = True
    games: tuple[str, ...] = ()
    options: str = ""
    paces: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    post: str = ""
    shows_seen: bool = True
    """Whether it says roughly when the member was last here."""


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """A member in the directory, with only what they show.

    `in_play` counts their current games, `seen_at` is when they last wrote, moved or looked; `ratings` holds their
    games with the rating in each.
    """

    handle: str
    joined_at: datetime
    in_play: int
    takes_letters: bool
    games: tuple[str, ...] = ()
    options: str = ""
    paces: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    mail: str = ""
    post: str = ""
    is_me: bool = False
    seen_at: datetime | None = None
    ratings: tuple[tuple[str, str], ...] = ()
    shows_seen: bool = True
    plays_by_post: bool = False
    """Whether they play by post and want that known; their address is never shown."""
    person_id: int = 0
    program_mark: str = ""
    """The mark of members whose program plays for them; otherwise empty."""

    def seen(self, now: datetime) -> str:
        """When they were last seen, in steps of a day, a week and a month; empty if they do not say."""
        if not self.shows_seen:
            return ""
        age = now - (self.seen_at or self.joined_at)
        return next(_(words) for limit, words in SEEN if limit is None or age < limit)


def preferences_of(session: Session, person_id: int) -> DirectoryPreferences:
    """Return a member's directory preferences; the defaults if they have saved none."""
    row = session.get(DirectoryListing, person_id)
    return DirectoryPreferences() if row is None else _preferences(row)


def _preferences(row: DirectoryListing) -> DirectoryPreferences:
    return DirectoryPreferences(
        row.shows_handle, row.shows_mail, row.shows_post, row.takes_letters, tuple(row.games.split()), row.options,
        tuple(row.paces.split()), tuple(row.languages.split()), row.post, row.shows_seen,
    )  # fmt: skip


def save_preferences(session: Session, person: Person, preferences: DirectoryPreferences) -> None:
    """Save a member's directory preferences; raise ChallengeError if they are invalid."""
    for keys, known in (
        (preferences.games, GAMES),
        (preferences.paces, PACES),
        (preferences.languages, LANGUAGES_READ),
    ):
        unknown = [key for key in keys if key not in known]
        if unknown:
            raise ChallengeError(_("We don't know “{word}”.").format(word=unknown[0][:40]))
    if len(preferences.options) > LONGEST_NOTE or len(preferences.post) > LONGEST_POST:
        sentence = _("Please write at most {note} characters about options, and {post} of an address.")
        raise ChallengeError(sentence.format(note=LONGEST_NOTE, post=LONGEST_POST))
    if preferences.shows_post and not preferences.post.strip():
        raise ChallengeError(_("To show your postal address, please write it first."))
    if (preferences.shows_mail or preferences.shows_post) and not preferences.shows_handle:
        raise ChallengeError(_("An address can only be shown together with your name. Tick that too, or no address."))
    row = session.get(DirectoryListing, person.id) or DirectoryListing(person_id=person.id)
    for name in DirectoryPreferences.__dataclass_fields__:
        value = getattr(preferences, name)
        setattr(row, name, " ".join(value) if isinstance(value, tuple) else value)
    session.add(row)


def directory(
    session: Session, reader_id: int, wanted: Wanted = ANYBODY, *, now: datetime, page: int = 0, most: int = PAGE
) -> tuple[DirectoryEntry, ...]:
    """Return a page of listed members as wanted, at most `most`, and one more if there are more; `page` is from 0.

    Members who are suspended, or block the reader or are blocked by them, are left out, and so are those without a mail
    address, unless they want it known that they play by post. `wanted.by_post` keeps only those.
    """
    query = _listed(by_post=wanted.by_post).where(
        col(Person.id).not_in(blocked_ids(session, reader_id)), *wanted.conditions(now)
    )
    rows = session.exec(query.order_by(*wanted.order()).offset(page * most).limit(most + 1)).all()
    return _entries(session, rows, reader_id)


def _listed(*, by_post: bool) -> Select[Person, DirectoryListing]:
    """Build the query for listed members; with `by_post` only those who play by post."""
    has_mail = exists().where(col(Address.person_id) == col(Person.id))
    is_postal = exists().where(
        col(PostalMember.person_id) == col(Person.id), col(PostalMember.plays_by_post), col(PostalMember.is_listed)
    )
    joined = select(Person, DirectoryListing).join(
        DirectoryListing, col(DirectoryListing.person_id) == col(Person.id), isouter=True
    )
    return joined.where(
        col(Person.suspended_at).is_(None),
        is_postal if by_post else or_(has_mail, is_postal),
        col(DirectoryListing.shows_handle).is_not(False),
    )


def _entries(session: Session, rows: Sequence[Any], reader_id: int) -> tuple[DirectoryEntry, ...]:
    """Complete these members' entries: games in play, last seen, and ratings."""
    ids = [person.id for person, _row in rows]
    postal, mails = _listed_by_post(session, ids), mails_of(session, ids)
    playing, seen, rated = _in_play(session, ids), _last_seen(session, ids), _ratings(session, ids)
    return tuple(
        replace(
            _entry(person, row, mails.get(person.id), playing.get(person.id, 0), reader_id),
            seen_at=max(filter(None, (person.seen_at, person.joined_at, *seen.get(person.id, ())))),
            ratings=tuple(rated.get(person.id, ())),
            plays_by_post=person.id in postal,
            person_id=person.id,
            program_mark=program_mark(person),
        )
        for person, row in rows
    )


def _entry(person: Person, row: Any, mail: str | None, in_play: int, reader_id: int) -> DirectoryEntry:
    preferences = DirectoryPreferences() if row is None else _preferences(row)
    entry = DirectoryEntry(
        person.handle, person.joined_at, in_play, preferences.takes_letters, preferences.games, preferences.options,
        preferences.paces, preferences.languages, is_me=person.id == reader_id,
    )  # fmt: skip
    return replace(
        entry,
        mail=(mail or "") if preferences.shows_mail else "",
        post=preferences.post if preferences.shows_post else "",
        takes_letters=entry.takes_letters and mail is not None,
        shows_seen=preferences.shows_seen,
    )


def _listed_by_post(session: Session, person_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these persons play by post and want that known."""
    query = select(PostalMember.person_id).where(col(PostalMember.person_id).in_(person_ids))
    return frozenset(session.exec(query.where(col(PostalMember.plays_by_post), col(PostalMember.is_listed))))


def _in_play(session: Session, person_ids: Iterable[int]) -> dict[int, int]:
    query = (
        select(Player.person_id, func.count())
        .join(Match, col(Match.id) == col(Player.match_id))
        .where(col(Player.person_id).in_(list(person_ids)), col(Match.ended_at).is_(None))
        .group_by(col(Player.person_id))
    )
    return dict(session.exec(query).all())


def _last_seen(session: Session, person_ids: Sequence[int]) -> dict[int, list[datetime]]:
    """Return when each of these persons last used a page or wrote a mail."""
    seen = defaultdict[int, list[datetime]](list)
    for person_column, column in (
        (WebSession.person_id, WebSession.seen_at), (Inbound.person_id, Inbound.received_at),
    ):  # fmt: skip
        query = select(person_column, func.max(column)).where(col(person_column).in_(person_ids))
        for person_id, at in session.exec(query.group_by(col(person_column))):
            seen[person_id or 0].append(at)
    return seen


def _ratings(session: Session, person_ids: Sequence[int]) -> dict[int, list[tuple[str, str]]]:
    """Return each person's rated games with their ratings, most played first."""
    rated = defaultdict[int, list[tuple[str, str]]](list)
    query = select(Rating).where(col(Rating.person_id).in_(person_ids), col(Rating.game).in_(list(GAMES)))
    for row in session.exec(query.order_by(col(Rating.games).desc(), col(Rating.game))):
        rated[row.person_id].append((_(GAMES[row.game].name), rating_text(row.rating, row.deviation)))
    return rated


def preferences_text(entry: DirectoryEntry) -> str:
    """Return a member's preferences in one line."""
    parts = [
        _("plays by post") if entry.plays_by_post else "",
        ", ".join(_(GAMES[key].name) for key in entry.games if key in GAMES),
        entry.options,
        "; ".join(_(PACES[key]) for key in entry.paces if key in PACES),
        ", ".join(name_of(key) for key in entry.languages),
    ]
    return " · ".join(part for part in parts if part)
