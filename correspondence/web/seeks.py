"""Seeks: who is looking for a partner, why each does or does not suit the reader, and looking for one oneself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import accounts
from correspondence.core.db import transaction
from correspondence.core.game_options import options_from
from correspondence.core.language_names import LANGUAGES_READ, name_of
from correspondence.core.time_control import TimeControlError
from correspondence.matchmaking import challenges, conditions, counteroffers, seeks
from correspondence.matchmaking.seek_list import my_offers, offers
from correspondence.models import Match, Person, SeekState
from correspondence.queries import queries
from correspondence.web import session, throttle
from correspondence.web.challenges import PACES, chosen_terms, options_of_form
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import asked_for, written
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import Game
from engines.options import OptionError, choices_of
from engines.wording import _

bp = Blueprint("seeks", __name__)

REFUSALS = (challenges.ChallengeError, OptionError, TimeControlError, accounts.PeopleError)


@bp.get("/seeks")
def listed() -> str:
    """Every open seek, those that suit the reader first, with a sentence for every condition; then one's own."""
    return _list()


def _list(refused: str = "") -> str:
    runtime, reader = current_runtime(), session.visitor_id()
    game = asked_for("game") if asked_for("game") in GAMES else ""
    with reading() as looking:
        others = offers(looking, reader, now=runtime.now(), game=game)
        mine = my_offers(looking, reader, now=runtime.now()) if reader is not None else ()
        asked = queries.challenges(looking, reader, now=runtime.now())[1] if reader is not None else ()
    return render_template("seeks.html", offers=others, mine=mine, asked=asked, game=game, refused=refused)


@bp.get("/seeks/new")
def ask() -> str:
    """First which game; then at what pace, with whom, until when."""
    session.signed_in()
    game = GAMES.get(asked_for("game"))
    if game is None or len(game.seats) != 2:
        return render_template("which_seek.html", blurbs=INTROS)
    return _form(game, {}, "")


@bp.post("/seeks/new")
def look() -> ResponseReturnValue:
    """The seek is open; where an equal one was, its game begins at once. A refusal keeps what was typed."""
    throttle.hit(throttle.ACT)
    member, game, runtime = session.signed_in(), GAMES.get(written("game", 40)), current_runtime()
    if game is None or len(game.seats) != 2:
        return render_template("which_seek.html", blurbs=INTROS), 422
    try:
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            made = seeks.seek(
                acting, person, game.key, options_of_form(game), _conditions(), terms=chosen_terms(),
                rated=not written("unrated", 5), now=runtime.now(), rng=runtime.rng,
            )  # fmt: skip
            rests = challenges.rests(acting, person, now=runtime.now())
    except REFUSALS as error:
        return _form(game, request.form, str(error)), 422
    if made.state == SeekState.TAKEN:
        flash(_("Somebody was looking for just that: the game has begun."))
        return redirect(url_for("games.show", number=made.match_id), 303)
    flash(_("Your seek is open. You get a letter when a game begins."))
    if rests:
        flash(rests)
    return redirect(url_for("seeks.listed"), 303)


def _conditions() -> dict[str, str]:
    """The conditions of the form, as the words of conditions.py."""
    words = {name: written(name, 40) for name in conditions.NAMES}
    words["days"] = written("open-days", 10)  # “days” are those of the pace
    if written("kind", 20) == "standing":
        words.pop("games")
    else:
        words.pop("standing")
    low, high = written("rating-low", 10), written("rating-high", 10)
    words["rating"] = f"{low}-{high}" if low and high else f">={low}" if low else f"<={high}" if high else ""
    return {name: text for name, text in words.items() if text}


def _form(game: Game, typed: Any, refused: str) -> str:
    return render_template(
        "seek.html",
        game=game,
        choices=choices_of(game.Options),
        paces=PACES,
        typed=typed,
        refused=refused,
        blurb=INTROS[game.key],
        tongues=[(code, name_of(code)) for code in LANGUAGES_READ],
        conditions=conditions,
    )


@bp.post("/seeks/<number:seek>/take")
def take(seek: int) -> ResponseReturnValue:
    """The game begins, or a sentence says why not."""

    def begin(acting: Session, person: Person, **given: Any) -> Match:
        return seeks.take(acting, person, seek, **given)

    return _begin(begin)


@bp.post("/seeks/<number:seek>/withdraw")
def withdraw(seek: int) -> ResponseReturnValue:
    """A seek, invitation or challenge of one's own is taken back."""

    def end(acting: Session, person: Person, **_given: Any) -> None:
        challenges.withdraw(acting, person, seek)

    return _begin(end, _("It is withdrawn."))


@bp.post("/seeks/<number:seek>/renew")
def renew(seek: int) -> ResponseReturnValue:
    """A seek that has ended is open once more, for as long as before."""

    def again(acting: Session, person: Person, **given: Any) -> None:
        seeks.renew(acting, person, seek, **given)

    return _begin(again, _("Your seek is open once more."))


@bp.post("/games/<number:number>/rematch")
def rematch(number: int) -> ResponseReturnValue:
    """The opponent is asked to play once more; where he has asked already, the game begins."""

    def again(acting: Session, person: Person, **given: Any) -> Match | None:
        return counteroffers.rematch(acting, person, number, **given)

    return _begin(again, _("Your opponent is asked for a rematch."))


def _begin(act: Callable[..., Match | None], told: str = "") -> ResponseReturnValue:
    """Do something about partners; on to the game where one began, else to the list, with a sentence."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            match = act(acting, acting.get_one(Person, member.id), now=runtime.now(), rng=runtime.rng)
    except REFUSALS as error:
        return _list(str(error)), 409
    if match is None:
        flash(told)
        return redirect(url_for("seeks.listed"), 303)
    flash(_("The game has begun."))
    return redirect(url_for("games.show", number=match.id), 303)


@bp.get("/challenges/<number:seek>/counter")
def counter_form(seek: int) -> ResponseReturnValue:
    """The challenge as it is, to be changed."""
    member = session.signed_in()
    with reading() as looking:
        to_me, _from_me = queries.challenges(looking, member.id, now=current_runtime().now())
    asked = next((one for one in to_me if one.number == seek), None)
    if asked is None:
        flash(_("No challenge number {number} waits for you.").format(number=seek))
        return redirect(url_for("games.mine"), 303)
    typed = {f"option-{name}": value for name, value in options_from(asked.options).items()}
    return _counter_page(seek, GAMES[asked.key], {**typed, "pace": "same", "handle": asked.challenger}, "")


@bp.post("/challenges/<number:seek>/counter")
def counter(seek: int) -> ResponseReturnValue:
    """The other offer goes to the challenger, as a challenge to accept."""
    throttle.hit(throttle.ACT)
    member, runtime, game = session.signed_in(), current_runtime(), GAMES.get(written("game", 40))
    if game is None:
        return redirect(url_for("games.mine"), 303)
    try:
        terms = None if written("pace", 20) == "same" else chosen_terms()
        seat = {"seat": written("seat", 20)} if written("seat", 20) != "same" else {}
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            rated = {"yes": True, "no": False}.get(written("rated", 5))
            options = {**options_of_form(game), **seat}
            asked = counteroffers.counter(acting, person, seek, options, terms=terms, rated=rated, now=runtime.now())
            waits = challenges.waits(acting, asked, person, now=runtime.now())
    except REFUSALS as error:
        return _counter_page(seek, game, request.form, str(error)), 422
    flash(_("{handle} is asked whether that will do.").format(handle=written("handle", 40)))
    if waits:
        flash(waits)
    return redirect(url_for("games.mine"), 303)


def _counter_page(seek: int, game: Game, typed: Any, refused: str) -> str:
    known = {"game": game, "choices": choices_of(game.Options), "paces": PACES, "typed": typed, "refused": refused}
    return render_template("counter.html", number=seek, **known)
