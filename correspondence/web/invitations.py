"""Invitations: create one, and the page of its link, which is valid for weeks."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.core import tokens
from correspondence.core.db import transaction
from correspondence.matchmaking import invitations
from correspondence.models import Person
from correspondence.rulebook.sample_games import has_sample
from correspondence.web import dead_links, session, throttle
from correspondence.web.challenges import PACES, chosen_time_control, options_of_form
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import dice_words, form_text, is_ticked, query_text
from correspondence.web.game_intros import INTROS
from engines import GAMES
from engines.base import Game
from engines.options import choices_of
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("invitations", __name__)


@bp.get("/invite")
def ask() -> str:
    """Show the form: game, options, time control, and an optional mail address."""
    session.require_member()
    game = GAMES.get(query_text("game"))
    return _form(game if game is not None and len(game.seats) == 2 else GAMES["duel"], {}, "")


@bp.post("/invite")
def invite() -> ResponseReturnValue:
    """Create the invitation and show its link.

    Nothing reveals whether the address belongs to a member.
    """
    throttle.hit(throttle.JOIN)
    member, runtime, game = session.require_member(), current_runtime(), GAMES.get(form_text("game", 40))
    if game is None or len(game.seats) != 2:
        return _form(GAMES["duel"], request.form, _("Please choose a game for two.")), 422
    address = form_text("address", 320)
    try:
        with transaction(runtime.engine) as db:
            token = invitations.invite(
                db, db.get_one(Person, member.id), address, game.key, options_of_form(game),
                {"days": form_text("open-days", 10), "seat": form_text("seat", 20)}, time_control=chosen_time_control(),
                rated=not is_ticked("unrated"), words=dice_words(), now=runtime.now(), rng=runtime.rng,
            )  # fmt: skip
    except Refusal as error:
        return _form(game, request.form, str(error)), 422
    link = f"{runtime.settings.base_url}/i/{tokens.spell(runtime.settings.secret_key, token.id)}"
    return render_template("invited.html", link=link, until=token.expires_at, address=address, game=game)


def _form(game: Game, typed: Any, refused: str) -> str:
    return render_template(
        "invite.html",
        game=game,
        choices=choices_of(game.Options),
        paces=PACES,
        typed=typed,
        refused=refused,
        intro=INTROS[game.key],
        usual=invitations.USUAL_DAYS,
    )


@bp.get("/i/<token>")
def show(token: str) -> ResponseReturnValue:
    """Show the offer, with a button for members and ways to join for others.

    A GET changes nothing.
    """
    throttle.hit(throttle.SIGN_IN)
    return _page(token, "")


@bp.post("/i/<token>")
def accept(token: str) -> ResponseReturnValue:
    """Accept the invitation; a used, withdrawn or expired link is refused with a sentence."""
    throttle.hit(throttle.SIGN_IN)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            person, number = db.get_one(Person, member.id), tokens.read(runtime.settings.secret_key, token)
            match = invitations.accept(db, person, number, words=dice_words(), now=runtime.now(), rng=runtime.rng)
    except Refusal as error:
        return _page(token, str(error))
    flash(_("The game has begun."))
    return redirect(url_for("games.show", number=match.id), 303)


def _page(token: str, refused: str) -> ResponseReturnValue:
    runtime = current_runtime()
    with reading() as db:
        number = tokens.read(runtime.settings.secret_key, token)
        offer = invitations.invitation(db, number, session.visitor_id(), now=runtime.now())
    if offer is None:
        return dead_links.page(token)
    if session.visitor() is None:
        session.remember_page()
    return render_template(
        "invitation.html",
        offer=offer,
        refused=refused,
        typed=dice_words(),
        intros=INTROS,
        has_film=has_sample(offer.terms.game),
    ), 422 if refused else 200
