"""Atom feeds of games and moves, and the records of all games that match a search.

Feeds are fetched without a cookie, so they always show what an onlooker may see.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts.accounts import person_by_handle
from correspondence.archive import search as archive_of
from correspondence.core.db import reading
from correspondence.core.runtime import Runtime
from correspondence.queries.atom import FeedEntry, feed
from correspondence.queries.queries import PAGE, finished_games, game_view, record_of, times_taken_back
from correspondence.queries.view_models import GameCard
from correspondence.render.narration import narrate
from correspondence.web import throttle
from correspondence.web.current import current_runtime
from correspondence.web.errors import refusal
from correspondence.web.history import search_fields
from correspondence.web.locale import language, zone
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("feeds", __name__)

BATCH = 50
"""Number of records that one database session reads while streaming."""


@bp.get("/archive.atom")
def archive() -> ResponseReturnValue:
    """Return the newest finished games that match as a feed, with the archive page's parameters."""
    throttle.hit(throttle.READ)
    typed = search_fields()
    try:
        criteria = archive_of.read_criteria(typed, "UTC")
    except archive_of.ArchiveError as error:
        return refusal(422, _("Archive"), str(error))
    page = f"{_base()}{url_for('history.finished')}?{urlencode(typed)}".rstrip("?")
    return _games(criteria, page, _("Finished games") + (f" ({urlencode(typed)})" if typed else ""))


@bp.get("/players/<handle>.atom")
def player(handle: str) -> ResponseReturnValue:
    """Return the newest finished games of a member as a feed."""
    throttle.hit(throttle.READ)
    with reading(current_runtime().engine) as db:
        person = person_by_handle(db, handle[:60])
    if person is None:
        abort(404)
    page = _base() + url_for("history.player", handle=person.handle)
    return _games(archive_of.Criteria(player=person.handle), page, _("Games of {who}").format(who=person.handle))


def _games(criteria: archive_of.Criteria, page: str, title: str) -> Response:
    with reading(current_runtime().engine) as db:
        cards = finished_games(db, criteria)[:PAGE]
    return _feed_response(feed(_here(), page, title, [_entry_of(card) for card in cards]))


def _entry_of(card: GameCard) -> FeedEntry:
    assert card.ended_at is not None
    names = " – ".join(player.handle for player in card.players)
    address = _base() + url_for("games.show", number=card.number)
    elsewhere = _("This game was imported; its record was signed elsewhere, or not at all.")
    ending = f"{card.ending} {elsewhere}" if card.origin else card.ending
    return FeedEntry(address, f"{names}, {card.game}", ending, card.ended_at)


@bp.get("/games/<number:number>.atom")
def game(number: int) -> ResponseReturnValue:
    """Return the last moves of a game as a feed for onlookers."""
    throttle.hit(throttle.READ)
    with reading(current_runtime().engine) as db:
        seen = game_view(db, number, None)
        undone = times_taken_back(db, number)
    if seen is None:
        abort(404)
    words = narrate(seen.viewer_game, None, language(), opened=seen.card.is_over)
    entries = [
        FeedEntry(_moment(number, line.ply, undone[line.ply]), f"{line.ply}. {line.who}: {line.text}",
             f"{text}\n{line.comment}".strip(), line.at)
        for line, text in zip(seen.lines, words, strict=True)
    ]  # fmt: skip
    ends = [_entry_of(seen.card)] if seen.card.is_over else []
    page = _base() + url_for("games.show", number=number)
    return _feed_response(
        feed(_here(), page, _("Game {number}").format(number=number), [*ends, *reversed(entries)][:PAGE])
    )


def _moment(number: int, ply: int, undone: int) -> str:
    """The URL of a position, which is the feed entry's id.

    A move replayed after a takeback gets a new URL, so that feed readers show it as new.
    """
    anchor = f"after-{undone}" if undone else None
    return _base() + url_for("games.at", number=number, ply=ply, _anchor=anchor)


@bp.get("/archive.records")
def records() -> ResponseReturnValue:
    """Stream the records of all finished games that match, newest first, without a limit."""
    throttle.hit(throttle.RECORDS)
    try:
        criteria = archive_of.read_criteria(search_fields(), zone())
    except archive_of.ArchiveError as error:
        return refusal(422, _("Archive"), str(error))
    stream = _record_stream(current_runtime(), criteria)
    response = Response(stream, mimetype="text/plain")
    response.headers["Content-Disposition"] = 'attachment; filename="archive.records"'
    return response


def _record_stream(runtime: Runtime, criteria: archive_of.Criteria) -> Iterator[str]:
    """Yield the records separated by empty lines; each batch uses its own database session."""
    last: int | None = None
    while True:
        with reading(runtime.engine) as db:
            numbers = archive_of.match_ids(db, criteria, before=last, most=BATCH)
            texts = [_record(db, number, runtime) for number in numbers]
        yield "".join(f"{record}\n" for record in texts if record)
        if len(numbers) < BATCH:
            return
        last = numbers[-1]


def _record(db: Session, number: int, runtime: Runtime) -> str | None:
    """The record of a match; None if its game is not installed or its rows were altered."""
    try:
        return record_of(db, number, None, signer=runtime.signer, now=runtime.now())
    except Refusal:
        return None


def _base() -> str:
    return current_runtime().settings.base_url.rstrip("/")


def _here() -> str:
    return _base() + request.full_path.rstrip("?")


def _feed_response(document: bytes) -> Response:
    response = Response(document, content_type="application/atom+xml; charset=utf-8")
    response.add_etag()
    response.headers["Cache-Control"] = "public, max-age=300"
    response.headers["Vary"] = "Accept-Language, Cookie"
    response.make_conditional(request)
    return response
