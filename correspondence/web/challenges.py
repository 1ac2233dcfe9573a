"""Challenging a member, accepting and declining challenges, and starting one-player games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.accounts.accounts import person_by_handle, program_mark
from correspondence.core.db import transaction
from correspondence.core.time_control import (
    DEFAULT_TIME_CONTROL,
    Policy,
    TimeControl,
    TimeControlError,
    by_post,
    per_move,
)
from correspondence.matchmaking import challenges
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.errors import refusal
from correspondence.web.forms import chosen_options, dice_words, form_text, is_ticked, number, query_text
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import Game
from engines.options import choices_of
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("challenges", __name__)

PACES = {
    "standard": DEFAULT_TIME_CONTROL,
    "1": per_move(timedelta(days=1)),
    "3": per_move(timedelta(days=3)),
    "7": per_move(timedelta(days=7)),
    "14": per_move(timedelta(days=14)),
}
"""The time controls that the form offers; members can also enter their own."""

_CUSTOM, _BY_POST = "own", "post"


@bp.get("/challenge")
def ask() -> str:
    """Show the choice of a game, then the form for opponent, options and time control."""
    session.require_member()
    game = GAMES.get(query_text("game"))
    if game is None:
        return render_template("which_game.html", handle=query_text("handle"), intros=INTROS)
    return _form(game, {"handle": query_text("handle")}, "")


@bp.post("/challenge")
def challenge() -> ResponseReturnValue:
    """Mail the challenge; a one-player game begins at once. A refusal keeps the input."""
    throttle.hit(throttle.ACT)
    member, game = session.require_member(), GAMES.get(form_text("game", 40))
    if game is None:
        return render_template("which_game.html", handle=form_text("handle"), intros=INTROS), 422
    try:
        return _begin(member.id, game) if len(game.seats) == 1 else _challenge(member.id, game)
    except Refusal as error:
        return _form(game, request.form, str(error)), 422


def _challenge(person_id: int, game: Game) -> ResponseReturnValue:
    runtime, handle, seat = current_runtime(), form_text("handle"), number(form_text("seat", 2))
    with transaction(runtime.engine) as db:
        seek = challenges.challenge(
            db, db.get_one(Person, person_id), handle, game.key, options_of_form(game), time_control=chosen_time_control(),
            rated=not is_ticked("unrated"), seat=seat if seat in range(len(game.seats)) else None,
            words=dice_words(), now=runtime.now(), rng=runtime.rng,
        )  # fmt: skip
        notice = challenges.away_notice(db, seek, db.get_one(Person, person_id), now=runtime.now())
    if seek.match_id is not None:
        flash(_("The game has begun."))
        return redirect(url_for("games.show", number=seek.match_id), 303)
    flash(_("{handle} has been asked by mail. The game begins when the challenge is accepted.").format(handle=handle))
    if notice:
        flash(notice)
    return redirect(url_for("games.mine"), 303)


def _begin(person_id: int, game: Game) -> ResponseReturnValue:
    runtime = current_runtime()
    with transaction(runtime.engine) as db:
        person = db.get_one(Person, person_id)
        match = challenges.start_alone(db, person, game.key, options_of_form(game), now=runtime.now(), rng=runtime.rng)
    return redirect(url_for("games.show", number=match.id), 303)


@bp.post("/challenges/<number:seek>/accept")
def accept(seek: int) -> ResponseReturnValue:
    """Accept a challenge: the game begins."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            match = challenges.accept(db, person, seek, words=dice_words(), now=runtime.now(), rng=runtime.rng)
    except Refusal as error:
        return refusal(409, _("That cannot be done"), str(error))
    flash(_("The game has begun."))
    return redirect(url_for("games.show", number=match.id), 303)


@bp.post("/challenges/<number:seek>/decline")
def decline(seek: int) -> ResponseReturnValue:
    """Decline a challenge; the challenger is informed."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            challenges.decline(db, db.get_one(Person, member.id), seek, now=runtime.now())
    except challenges.ChallengeError as error:
        return _back(str(error))
    return _back(_("You have declined the challenge."))


@bp.post("/challenges/<number:seek>/withdraw")
def withdraw(seek: int) -> ResponseReturnValue:
    """Withdraw the member's own challenge."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    try:
        with transaction(current_runtime().engine) as db:
            challenges.withdraw(db, db.get_one(Person, member.id), seek)
    except challenges.ChallengeError as error:
        return _back(str(error))
    return _back(_("Your challenge has been withdrawn."))


def _back(sentence: str) -> ResponseReturnValue:
    flash(sentence)
    return redirect(url_for("games.mine"), 303)


def program_mark_of(handle: str) -> str:
    """The challenge form's notice that a program plays for this member; empty if none does."""
    with reading() as db:
        person = person_by_handle(db, handle[:60]) if handle else None
        return program_mark(person) if person is not None else ""


def _form(game: Game, typed: dict[str, str], refused: str) -> str:
    choices = choices_of(game.Options)
    return render_template(
        "challenge.html",
        game=game,
        choices=choices,
        paces=PACES,
        typed=typed,
        refused=refused,
        intro=INTROS[game.key],
        program_mark=program_mark_of(typed.get("handle") or ""),
    )


def options_of_form(game: Game) -> dict[str, str]:
    """The game's options from the form; for games of two players also the term `analysis`."""
    terms = ("analysis",) if len(game.seats) > 1 else ()
    return chosen_options((*(choice.name for choice in choices_of(game.Options)), *terms), request.form)


def chosen_time_control() -> TimeControl:
    """The form's time control, with its timeout policy; raises TimeControlError."""
    policy = form_text("policy", 20) or Policy.AUTOMATIC
    if policy not in set(Policy):
        raise TimeControlError(_("Please choose what happens when time runs out."))
    return replace(_pace(), policy=Policy(policy))


def _pace() -> TimeControl:
    """The form's time control: a preset, or days and hours as entered."""
    pace = form_text("pace", 20)
    if pace == _BY_POST:
        return _pace_by_post(number(form_text("post-days", 6)))
    if pace != _CUSTOM:
        return PACES.get(pace, DEFAULT_TIME_CONTROL)
    days, hours = number(form_text("days", 6)), number(form_text("hours", 6))
    if days is None or hours is None:
        raise TimeControlError(_("Please write the days at the start and the hours added after each move as numbers."))
    bank = timedelta(days=min(days, 10_000))
    return TimeControl(bank, timedelta(hours=min(hours, 100_000)), bank)


def _pace_by_post(days: int | None) -> TimeControl:
    if days is None:
        raise TimeControlError(_("Please write how many days a move by post may take as a number."))
    return by_post(timedelta(days=min(days, 10_000)))
