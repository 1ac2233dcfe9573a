"""Pauses, takebacks, claiming a win on time, and reminding a late opponent."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import Match, OfferKind, Player
from correspondence.play import claims, offers, take_backs
from correspondence.play.matches import MatchError
from correspondence.queries.queries import player_of
from correspondence.web import games, play, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text, number
from engines.wording import _

bp = Blueprint("clocks", __name__)


@bp.post("/games/<number:match>/pause")
def pause(match: int) -> ResponseReturnValue:
    """Offer a pause; without a number of days, accept the open offer."""
    days = form_text("days", 6)

    def offer(db: Session, player: Player, *, now: Any) -> bool:
        length = (number(days) or 0) if days else None
        return offers.offer_pause(db, player, length, seen=play.seen_moment(), now=now) is not None

    begun_text, offered_text = _("The pause has begun."), _("You have offered a pause; your opponent has been told.")
    return _act(match, offer, lambda has_begun: begun_text if has_begun else offered_text)


@bp.post("/games/<number:match>/takeback")
def takeback(match: int) -> ResponseReturnValue:
    """Ask for a takeback, or grant the opponent's request."""

    def ask(db: Session, player: Player, *, now: Any) -> str:
        is_done = offers.offer_takeback(db, player, seen=play.seen_moment(), now=now)
        done_text = _("The move has been taken back, and your opponent is to move again.")
        return done_text if is_done else take_backs.asked_sentence(db, player)

    return _act(match, ask, lambda sentence: sentence)


@bp.post("/games/<number:match>/decline/<kind>")
def decline(match: int, kind: str) -> ResponseReturnValue:
    """Decline the opponent's offer."""
    refuse = partial(offers.decline, kind=_kind(kind), seen=play.seen_moment())
    return _act(match, refuse, lambda _kind: _("You have declined; the game goes on."))


@bp.post("/games/<number:match>/withdraw/<kind>")
def withdraw(match: int, kind: str) -> ResponseReturnValue:
    """Withdraw the member's own offer."""
    end = partial(offers.withdraw, kind=_kind(kind), seen=play.seen_moment())
    return _act(match, end, lambda _kind: _("Your offer has been withdrawn."))


def _kind(word: str) -> OfferKind:
    """The kind of offer named in the URL; 404 if unknown."""
    if word not in set(OfferKind):
        abort(404)
    return OfferKind(word)


@bp.post("/games/<number:match>/claim")
def claim(match: int) -> ResponseReturnValue:
    """Claim the win on time; the opponent's time must have run out long enough ago."""
    return _act(match, claims.claim, lambda _match: _("The game is over."))


@bp.post("/games/<number:match>/nudge")
def nudge(match: int) -> ResponseReturnValue:
    """Send a reminder letter to an opponent whose time has run out."""
    return _act(match, claims.nudge, lambda _done: _("We've reminded your opponent to move."))


def _act(match: int, use_case: Callable[..., Any], message_for: Callable[[Any], str]) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            player = player_of(db, match, member.id)
            if player is None:
                abort(404 if db.get(Match, match) is None else 403)
            result = use_case(db, player, now=runtime.now())
    except MatchError as error:
        return games.page(games.game_or_404(match), refused=str(error)), 409
    flash(message_for(result))
    return redirect(url_for("games.show", number=match), 303)
