"""Pages of tournaments: the list, the form, each tournament with its rounds, and what one can do there."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from typing import Any

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.core.integers import whole
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, TimeControl, TimeControlError
from correspondence.features.tournaments import (
    entering,
    fields,
    ladder_views,
    letters,
    organiser,
    settings,
    tournaments,
    views,
)
from correspondence.features.tournaments.formats.trf import EXPORTED, trf
from correspondence.features.tournaments.page_acts import Act, done
from correspondence.features.tournaments.settings import BRISK, TITLES
from correspondence.features.tournaments.tables import PERPETUAL, Format, Tournament, TournamentState
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.challenges import PACES, options_of_form
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import form_text, is_ticked, number, query_text
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import Game
from engines.options import choices_of
from engines.refusal import Refusal
from engines.wording import N_, _

bp = Blueprint(
    "tournaments",
    __name__,
    static_folder="static",
    static_url_path="/static/tournaments",
    template_folder="templates/web",
)

_OVER = (TournamentState.FINISHED, TournamentState.CALLED_OFF)

_HINTS = {
    Format.ROUND_ROBIN: N_("everybody plays everybody; with more than nine, in sections"),
    Format.SWISS: N_("a few rounds, each against somebody with as many points"),
    Format.KNOCKOUT: N_("who loses is out; two games decide, one from each seat"),
}

_LASTS = {
    Format.ROUND_ROBIN: N_("Seven players at the standard pace take about 12 weeks, and 17 at most nine times in ten."),
    Format.SWISS: N_("Five rounds of at most 45 days each take about eight months."),
    Format.KNOCKOUT: N_("Eleven players at the standard pace take about a year; shorter rounds make it shorter."),
}


@bp.get("/tournaments")
def listed() -> str:
    """List what can be entered now, what runs and what is over; a member's own first."""
    return _list()


def _list(refused: str = "") -> str:
    reader = session.visitor_id()
    with reading() as db:
        groups = {
            "perpetual": ladder_views.cards(db, reader),
            "mine": views.cards_of(db, reader) if reader is not None else [],
            "open": views.cards(db, [TournamentState.OPEN], reader),
            "running": views.cards(db, [TournamentState.RUNNING], reader),
            "over": views.cards(db, _OVER, reader),
        }
    return render_template("tournaments/list.html", refused=refused, games=_games(), **groups)


@bp.get("/tournaments/new")
def ask() -> str:
    """Show the choice of a game, then the form for a tournament of it."""
    session.require_member()
    game = GAMES.get(query_text("game"))
    if game is None or len(game.seats) != 2:
        return render_template("tournaments/which_game.html", intros=INTROS, games=_games())
    return _form(game, {}, "")


@bp.post("/tournaments/new")
def make() -> ResponseReturnValue:
    """Make a tournament; a refusal keeps the input."""
    throttle.hit(throttle.ACT)
    member, game, runtime = session.require_member(), GAMES.get(form_text("game", 40)), current_runtime()
    if game is None or len(game.seats) != 2:
        return render_template("tournaments/which_game.html", intros=INTROS, games=_games()), 422
    words = {name: form_text(name, 1000) for name in settings.NAMES}
    try:
        with transaction(runtime.engine) as db:
            made = tournaments.make(
                db, db.get_one(Person, member.id), form_text("format", 20), game.key,
                {**options_of_form(game), **words}, pace=_pace(), is_rated=not is_ticked("unrated"), now=runtime.now(),
            ).id  # fmt: skip
    except Refusal as error:
        return _form(game, request.form, str(error)), 422
    flash(_("The tournament is open. You organise it; to play in it, enter it as everybody does."))
    return redirect(url_for("tournaments.show", number=made), 303)


def _pace() -> TimeControl | None:
    """The time control of the form; None for the usual one of the format."""
    chosen = form_text("pace", 20)
    if chosen == "own":
        days, hours = number(form_text("days", 4)), number(form_text("hours", 4))
        if days is None or hours is None:
            raise TimeControlError(_("Days and hours are whole numbers."))
        bank = timedelta(days=days)
        return TimeControl(bank, timedelta(hours=hours), bank)
    return PACES.get(chosen)


def _games() -> list[Game]:
    return [game for game in GAMES.values() if len(game.seats) == 2]


def _form(game: Game, typed: Any, refused: str) -> str:
    return render_template(
        "tournaments/form.html", game=game, choices=choices_of(game.Options), paces=PACES, typed=typed, refused=refused,
        titles=TITLES, hints=_HINTS, lasts=_LASTS, brisk=BRISK, usual=DEFAULT_TIME_CONTROL, settings=settings,
    )  # fmt: skip


@bp.get("/tournaments/<number:number>")
def show(number: int) -> ResponseReturnValue:
    """Show a tournament: its table or bracket, rounds, the member's games, and what they can do."""
    with reading() as db:
        found = _found(db, number)
        path = letters.path_of(found)
    return redirect(path) if found.format in PERPETUAL else _page(number)


@bp.get("/tournaments/<number:number>/<number:round_number>")
def show_round(number: int, round_number: int) -> str:
    """Show one round with its games and byes."""
    with reading() as db:
        view = views.view_of(db, _tournament(db, number), session.visitor_id(), now=current_runtime().now())
    found = next((one for one in view.rounds if one.number == round_number), None)
    if found is None:
        abort(404)
    return render_template("tournaments/round.html", view=view, round=found)


@bp.get("/tournaments/<number:number>.json")
def as_json(number: int) -> ResponseReturnValue:
    """Return a tournament for programs."""
    with reading() as db:
        found = views.document(db, _found(db, number), now=current_runtime().now())
    response: Response = current_app.response_class(json.dumps(found), mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    return response.make_conditional(request)


@bp.get("/tournaments/<number:number>.trf")
def as_trf(number: int) -> ResponseReturnValue:
    """Return one section in FIDE's format TRF26; `stage` and `section` choose it, the latest and first unless given."""
    stage, section = (whole(query_text(name, 3) or usual, 999) for name, usual in (("stage", "0"), ("section", "1")))
    with reading() as db:
        tournament = _found(db, number)
        if tournament.begun_at is None or tournament.format not in EXPORTED or stage is None or not section:
            abort(404)
        field, cast = fields.field_of(db, tournament, now=current_runtime().now()), letters.cast_of(db, number)
        days = {"begins": tournament.begun_at.date(), "ends": (tournament.ended_at or field.now).date()}
        handles = {one: cast.handle(one) for one in cast.entrants}
    try:
        text = trf(field, title=tournament.name, handles=handles, stage=stage, section=section, **days)
    except KeyError:
        abort(404)
    response: Response = current_app.response_class(text, mimetype="text/plain")
    response.headers["Content-Disposition"] = f"attachment; filename=tournament-{number}.trf"
    return response


def _page(number: int, refused: str = "", typed: Any = None) -> str:
    with reading() as db:
        view = views.view_of(db, _tournament(db, number), session.visitor_id(), now=current_runtime().now())
    return render_template("tournaments/page.html", view=view, refused=refused, typed=typed or {})


def _tournament(db: Session, number: int) -> Tournament:
    """Return a tournament with a page below its number; leagues and ladders have their own."""
    found = _found(db, number)
    if found.format in PERPETUAL:
        abort(404)
    return found


def _found(db: Session, number: int) -> Tournament:
    found = db.get(Tournament, number)
    if found is None:
        abort(404)
    return found


# -- what members and organisers do ------------------------------------------------------


@bp.post("/tournaments/<number:number>/enter")
def enter(number: int) -> ResponseReturnValue:
    """Enter a tournament."""
    code = form_text("code", 60)

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        entering.enter(db, person, number, code=code, now=now, rng=rng)
        return _("You are in.")

    return _done(number, act)


@bp.post("/tournaments/<number:number>/withdraw")
def withdraw(number: int) -> ResponseReturnValue:
    """Withdraw from a tournament."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        return withdrawn(entering.withdraw(db, person, number, now=now, rng=rng))

    return _done(number, act)


def withdrawn(had_begun: bool) -> str:
    """Say what withdrawing meant."""
    return (
        _("You have withdrawn: no new games begin. Your running games go on.")
        if had_begun
        else _("You have withdrawn.")
    )


@bp.post("/tournaments/<number:number>/bye")
def bye(number: int) -> ResponseReturnValue:
    """Sit out the next round of a Swiss."""

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        sentence = _("You sit out round {round}, for half a point.")
        return sentence.format(round=entering.sit_out(db, person, number, now=now))

    return _done(number, act)


@bp.post("/tournaments/<number:number>/announce")
def announce(number: int) -> ResponseReturnValue:
    """Write to everybody in the tournament."""
    words = form_text("words", organiser.LONGEST_WORDS + 1)

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        organiser.announce(db, person, number, words, now=now)
        return _("Everybody in the tournament gets a letter with it.")

    return _done(number, act)


@bp.post("/tournaments/<number:number>/close")
def close(number: int) -> ResponseReturnValue:
    """Close the entry."""

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        has_begun = organiser.close(db, person, number, now=now, rng=rng)
        return _("Entry is closed, and the tournament has begun.") if has_begun else _("Entry is closed.")

    return _done(number, act)


@bp.post("/tournaments/<number:number>/remove")
def remove(number: int) -> ResponseReturnValue:
    """Remove an entrant, with a reason."""
    handle, reason = form_text("handle", 40), form_text("reason", organiser.LONGEST_WORDS + 1)

    def act(db: Session, person: Person, now: datetime, rng: random.Random) -> str:
        removed = organiser.remove(db, person, number, handle, reason, now=now, rng=rng)
        return _("{handle} has been removed, and told why.").format(handle=removed.handle)

    return _done(number, act)


@bp.post("/tournaments/<number:number>/extend")
def extend(number: int) -> ResponseReturnValue:
    """Give the round, or the entry, more days."""
    days = form_text("days", 4)

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        organiser.extend(db, person, number, int(days) if days.isascii() and days.isdigit() else 0, now=now)
        return _("There is more time now, and everybody in the tournament is told.")

    return _done(number, act)


@bp.post("/tournaments/<number:number>/admit")
def admit(number: int) -> ResponseReturnValue:
    """Let people enter late."""

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        organiser.admit(db, person, number, now=now)
        return _("People can enter late now, until half of the rounds have begun.")

    return _done(number, act)


@bp.post("/tournaments/<number:number>/call-off")
def call_off(number: int) -> ResponseReturnValue:
    """Call the tournament off."""
    reason = form_text("reason", organiser.LONGEST_WORDS + 1)

    def act(db: Session, person: Person, now: datetime, _rng: random.Random) -> str:
        organiser.call_off(db, person, number, reason, now=now)
        return _("The tournament is called off, and everybody in it is told.")

    return _done(number, act)


def _done(number: int, act: Act) -> ResponseReturnValue:
    def refused(sentence: str) -> str:  # with what was typed
        with reading() as db:
            _found(db, number)
        return _page(number, sentence, request.form)

    return done(act, refused, url_for("tournaments.show", number=number))
