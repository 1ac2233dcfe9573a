"""What programs fetch: Atom feeds of games and moves, and the records of everything that fits a search.

A feed is read without a cookie, by anybody: whoever asks, it tells what an onlooker may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Engine
from sqlmodel import Session

from correspondence.accounts.accounts import person_called
from correspondence.archive import search as archive_of
from correspondence.core.db import reading
from correspondence.queries.atom import FeedEntry, feed
from correspondence.queries.queries import PAGE, finished_games, record_of, table
from correspondence.queries.view_models import GameCard
from correspondence.render.narration import narrated
from correspondence.web import throttle
from correspondence.web.current import current_runtime
from correspondence.web.errors import refusal
from correspondence.web.history import asked_fields
from correspondence.web.locale import language, zone
from engines import UnknownGame
from engines.wording import _

bp = Blueprint("feeds", __name__)

TOGETHER = 50
"""How many records are made at a time while they are sent."""


@bp.get("/archive.atom")
def archive() -> ResponseReturnValue:
    """The newest finished games that fit, as a feed; it takes what the page of the archive takes."""
    throttle.hit(throttle.READ)
    typed = asked_fields()
    try:
        wanted = archive_of.read_wanted(typed, "UTC")
    except archive_of.ArchiveError as error:
        return refusal(422, _("Archive"), str(error))
    page = f"{_base()}{url_for('history.finished')}?{urlencode(typed)}".rstrip("?")
    return _games(wanted, page, _("Finished games") + (f" ({urlencode(typed)})" if typed else ""))


@bp.get("/players/<handle>.atom")
def player(handle: str) -> ResponseReturnValue:
    """The newest finished games of a member, as a feed."""
    throttle.hit(throttle.READ)
    with reading(current_runtime().engine) as looking:
        person = person_called(looking, handle[:60])
    if person is None:
        abort(404)
    page = _base() + url_for("history.player", handle=person.handle)
    return _games(archive_of.Wanted(player=person.handle), page, _("Games of {who}").format(who=person.handle))


def _games(wanted: archive_of.Wanted, page: str, title: str) -> Response:
    with reading(current_runtime().engine) as looking:
        cards = finished_games(looking, wanted)[:PAGE]
    return _sent(feed(_here(), page, title, [_news(card) for card in cards]))


def _news(card: GameCard) -> FeedEntry:
    assert card.ended_at is not None
    names = " – ".join(sitter.handle for sitter in card.sitters)
    address = _base() + url_for("games.show", number=card.number)
    return FeedEntry(address, f"{names}, {card.game}", card.ending, card.ended_at)


@bp.get("/games/<number:number>.atom")
def game(number: int) -> ResponseReturnValue:
    """The last moves of a game, as onlookers may read them, as a feed."""
    throttle.hit(throttle.READ)
    with reading(current_runtime().engine) as looking:
        seen = table(looking, number, None)
    if seen is None:
        abort(404)
    words = narrated(seen.course, None, language(), opened=seen.card.is_over)
    told = [
        FeedEntry(_base() + url_for("games.at", number=number, ply=line.ply), f"{line.ply}. {line.who}: {line.text}",
             f"{said}\n{line.comment}".strip(), line.at)
        for line, said in zip(seen.lines, words, strict=True)
    ]  # fmt: skip
    ends = [_news(seen.card)] if seen.card.is_over else []
    page = _base() + url_for("games.show", number=number)
    return _sent(feed(_here(), page, _("Game {number}").format(number=number), [*ends, *reversed(told)][:PAGE]))


@bp.get("/archive.records")
def records() -> ResponseReturnValue:
    """The records of all finished games that fit, newest first, sent while they are read: any number of them."""
    throttle.hit(throttle.RECORDS)
    try:
        wanted = archive_of.read_wanted(asked_fields(), zone())
    except archive_of.ArchiveError as error:
        return refusal(422, _("Archive"), str(error))
    answer = Response(_written(current_runtime().engine, wanted, _base()), mimetype="text/plain")
    answer.headers["Content-Disposition"] = 'attachment; filename="archive.records"'
    return answer


def _written(engine: Engine, wanted: archive_of.Wanted, base: str) -> Iterator[str]:
    """Records with an empty line between, some at a time, each time in a session of their own."""
    last: int | None = None
    while True:
        with reading(engine) as looking:
            numbers = archive_of.numbers(looking, wanted, before=last, most=TOGETHER)
            made = [_record(looking, number, base) for number in numbers]
        yield "".join(f"{record}\n" for record in made if record)
        if len(numbers) < TOGETHER:
            return
        last = numbers[-1]


def _record(looking: Session, number: int, base: str) -> str | None:
    """The record of a match; None where it cannot be told, because its game is not installed at the moment."""
    try:
        return record_of(looking, number, None, site=f"{base}/games/{number}")
    except UnknownGame:
        return None


def _base() -> str:
    return current_runtime().settings.base_url.rstrip("/")


def _here() -> str:
    return _base() + request.full_path.rstrip("?")


def _sent(document: bytes) -> Response:
    answer = Response(document, content_type="application/atom+xml; charset=utf-8")
    answer.add_etag()
    answer.headers["Cache-Control"] = "public, max-age=300"
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.make_conditional(request)
    return answer
