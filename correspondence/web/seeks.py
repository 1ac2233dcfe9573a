"""Seeks: listing them with the reader's eligibility, posting, taking, and counteroffers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import robots
from correspondence.core.db import transaction
from correspondence.core.language_names import LANGUAGES_READ, name_of
from correspondence.matchmaking import challenges, conditions, counteroffers, offer_words, seek_ends, seeks
from correspondence.matchmaking.seek_list import own_seeks, visible_seeks
from correspondence.models import Match, Person, SeekState
from correspondence.queries.open_challenges import challenges_of
from correspondence.ratings.opponents import opponent_facts
from correspondence.web import seek_presets, session, throttle
from correspondence.web.challenges import PACES, chosen_time_control, options_of_form, program_mark_of
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import dice_words, form_text, is_ticked, query_text
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import Game
from engines.options import choices_of, options_from
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("seeks", __name__)

NEAR = 3
"""Number of open offers shown above the form for a seek."""


@bp.get("/seeks")
def listed() -> str:
    """List open seeks, those that the reader may accept first, and the reader's own seeks last.

    A sentence for each condition says why the reader is or is not eligible.
    """
    return _list()


def _list(refused: str = "") -> str:
    runtime, reader = current_runtime(), session.visitor_id()
    game = query_text("game") if query_text("game") in GAMES else ""
    with reading() as db:
        others = visible_seeks(db, reader, now=runtime.now(), game=game)
        own_offers = own_seeks(db, reader, now=runtime.now()) if reader is not None else ()
        known = opponent_facts(db, {offer.person_id for offer in others}, now=runtime.now())
        challenges_sent = challenges_of(db, reader, now=runtime.now())[1] if reader is not None else ()
    return render_template(
        "seeks.html",
        offers=others,
        opponents=known,
        mine=own_offers,
        sent_challenges=challenges_sent,
        game=game,
        refused=refused,
        presets=seek_presets.PRESETS,
    )


@bp.get("/seeks/new")
def ask() -> str:
    """Show the choice of a game, then near offers and the form, filled in by a preset if one is named."""
    session.require_member()
    game = GAMES.get(query_text("game"))
    if game is None or len(game.seats) != 2:
        return render_template("which_seek.html", intros=INTROS)
    has_robots = game in robots.robot_games()
    return _form(game, seek_presets.fields_of(query_text("preset"), has_robots=has_robots), "")


@bp.post("/seeks/new")
def post() -> ResponseReturnValue:
    """Post a seek; if a matching one is open, the game begins at once.

    A refusal keeps the input.
    """
    throttle.hit(throttle.ACT)
    member, game, runtime = session.require_member(), GAMES.get(form_text("game", 40)), current_runtime()
    if game is None or len(game.seats) != 2:
        return render_template("which_seek.html", intros=INTROS), 422
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            seek = seeks.seek(
                db, person, game.key, options_of_form(game), _conditions(), time_control=chosen_time_control(),
                rated=not is_ticked("unrated"), words=dice_words(), now=runtime.now(), rng=runtime.rng,
            )  # fmt: skip
            rests = challenges.own_away_notice(db, person, now=runtime.now())
    except Refusal as error:
        return _form(game, request.form, str(error)), 422
    if seek.state == SeekState.TAKEN:
        flash(_("Somebody was looking for exactly that: the game has begun."))
        return redirect(url_for("games.show", number=seek.match_id), 303)
    flash(_("Your seek is open. You'll get a letter when a game begins."))
    if rests:
        flash(rests)
    return redirect(url_for("seeks.listed"), 303)


def _conditions() -> dict[str, str]:
    """The conditions of the form, as the words that conditions.py parses."""
    words = {name: form_text(name, 40) for name in conditions.NAMES}
    words["days"] = form_text("open-days", 10)  # “days” is a field of the time control
    if form_text("kind", 20) == "standing":
        words.pop("games")
    else:
        words.pop("standing")
    low, high = form_text("rating-low", 10), form_text("rating-high", 10)
    words["rating"] = f"{low}-{high}" if low and high else f">={low}" if low else f"<={high}" if high else ""
    return {name: text for name, text in words.items() if text}


def _form(game: Game, typed: Any, refused: str) -> str:
    """The form for a seek, below the open offers in this game that the member may take."""
    now, member = current_runtime().now(), session.require_member()
    with reading() as db:
        near = [offer for offer in visible_seeks(db, member.id, now=now, game=game.key) if offer.is_eligible][:NEAR]
        known = opponent_facts(db, {offer.person_id for offer in near}, now=now)
    return render_template(
        "seek.html",
        near=near,
        opponents=known,
        presets=seek_presets.PRESETS,
        preset=query_text("preset") if query_text("preset") in seek_presets.PRESETS else "",
        game=game,
        choices=choices_of(game.Options),
        paces=PACES,
        typed=typed,
        refused=refused,
        intro=INTROS[game.key],
        language_names=[(code, name_of(code)) for code in LANGUAGES_READ],
        conditions=conditions,
    )


@bp.post("/seeks/<number:seek>/take")
def take(seek: int) -> ResponseReturnValue:
    """Accept a seek: the game begins, or a sentence says why not."""

    def begin(db: Session, person: Person, **kwargs: Any) -> Match:
        return seeks.take(db, person, seek, words=dice_words(), commitment=form_text("commitment", 64), **kwargs)

    return _begin(begin)


@bp.post("/seeks/<number:seek>/words")
def words(seek: int) -> ResponseReturnValue:
    """Set the words for the dice of the member's own open seek, invitation or challenge."""

    def change(db: Session, person: Person, *, now: datetime, **_kwargs: Any) -> None:
        offer_words.change(db, person, seek, dice_words(), now=now)

    return _begin(change, _("Your own randomness has been saved."))


@bp.post("/seeks/<number:seek>/withdraw")
def withdraw(seek: int) -> ResponseReturnValue:
    """Withdraw the member's own seek, invitation or challenge."""

    def end(db: Session, person: Person, **_kwargs: Any) -> None:
        challenges.withdraw(db, person, seek)

    return _begin(end, _("It has been withdrawn."))


@bp.post("/seeks/<number:seek>/renew")
def renew(seek: int) -> ResponseReturnValue:
    """Reopen an expired seek for the same length of time."""

    def reopen(db: Session, person: Person, **kwargs: Any) -> None:
        seek_ends.renew(db, person, seek, **kwargs)

    return _begin(reopen, _("Your seek is open again."))


@bp.post("/games/<number:number>/rematch")
def rematch(number: int) -> ResponseReturnValue:
    """Ask for a rematch; if the opponent has asked already, the game begins."""

    def ask_again(db: Session, person: Person, **kwargs: Any) -> Match | None:
        return counteroffers.rematch(db, person, number, **kwargs)

    return _begin(ask_again, _("Your opponent has been asked for a rematch."))


def _begin(use_case: Callable[..., Match | None], message: str = "") -> ResponseReturnValue:
    """Run a use case; redirect to the game if one began, else to the list with `message`."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            match = use_case(db, db.get_one(Person, member.id), now=runtime.now(), rng=runtime.rng)
    except Refusal as error:
        return _list(str(error)), 409
    if match is None:
        flash(message)
        return redirect(url_for("seeks.listed"), 303)
    flash(_("The game has begun."))
    return redirect(url_for("games.show", number=match.id), 303)


@bp.get("/challenges/<number:seek>/counter")
def counter_form(seek: int) -> ResponseReturnValue:
    """Show the form for a counteroffer, filled in from the challenge."""
    member = session.require_member()
    with reading() as db:
        to_me, _from_me = challenges_of(db, member.id, now=current_runtime().now())
    challenge = next((challenge for challenge in to_me if challenge.number == seek), None)
    if challenge is None:
        flash(_("No challenge number {number} is waiting for you.").format(number=seek))
        return redirect(url_for("games.mine"), 303)
    typed = {f"option-{name}": value for name, value in options_from(challenge.terms.option_words).items()}
    return _counter_page(
        seek, GAMES[challenge.terms.game], {**typed, "pace": "same", "handle": challenge.challenger}, ""
    )


@bp.post("/challenges/<number:seek>/counter")
def counter(seek: int) -> ResponseReturnValue:
    """Send the counteroffer to the challenger, as a challenge."""
    throttle.hit(throttle.ACT)
    member, runtime, game = session.require_member(), current_runtime(), GAMES.get(form_text("game", 40))
    if game is None:
        return redirect(url_for("games.mine"), 303)
    try:
        time_control = None if form_text("pace", 20) == "same" else chosen_time_control()
        seat = {"seat": form_text("seat", 20)} if form_text("seat", 20) != "same" else {}
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            rated = {"yes": True, "no": False}.get(form_text("rated", 5))
            options = {**options_of_form(game), **seat}
            counteroffer = counteroffers.counter(
                db, person, seek, options, time_control=time_control, rated=rated, words=dice_words(), now=runtime.now(),
                rng=runtime.rng,
            )  # fmt: skip
            notice = challenges.away_notice(db, counteroffer, person, now=runtime.now())
    except Refusal as error:
        return _counter_page(seek, game, request.form, str(error)), 422
    flash(_("{handle} was sent your counter-offer.").format(handle=form_text("handle", 40)))
    if notice:
        flash(notice)
    return redirect(url_for("games.mine"), 303)


def _counter_page(seek: int, game: Game, typed: Any, refused: str) -> str:
    context = {"game": game, "choices": choices_of(game.Options), "paces": PACES, "typed": typed, "refused": refused}
    context["program_mark"] = program_mark_of(typed.get("handle") or "")
    return render_template("counter.html", number=seek, **context)
