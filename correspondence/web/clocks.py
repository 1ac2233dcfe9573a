"""What players do about time in a game: pauses, take-backs, claiming a win on time, asking a late opponent to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, abort, flash, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import Match, OfferKind, Player
from correspondence.play import claims, offers
from correspondence.play.matches import MatchError
from correspondence.queries.queries import player_of
from correspondence.web import games, session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import number, written
from engines.wording import _

bp = Blueprint("clocks", __name__, url_prefix="/games/<number:match>")


@bp.post("/pause")
def pause(match: int) -> ResponseReturnValue:
    """A pause is offered, or the one on offer accepted where no days are written."""
    days = written("days", 6)

    def offer(acting: Session, player: Player, *, now: Any) -> bool:
        wanted = (number(days) or 0) if days else None
        return offers.offer_pause(acting, player, wanted, now=now) is not None

    begun, offered = _("The pause has begun."), _("You have offered a pause; your opponent is told.")
    return _act(match, offer, lambda has_begun: begun if has_begun else offered)


@bp.post("/takeback")
def takeback(match: int) -> ResponseReturnValue:
    """One's last move is asked back, or the opponent's given back."""
    done = _("The move is taken back, and your opponent is to move again.")
    asked = _("Your opponent is asked to let you take your last move back.")
    return _act(match, offers.offer_takeback, lambda is_done: done if is_done else asked)


@bp.post("/decline/<kind>")
def decline(match: int, kind: str) -> ResponseReturnValue:
    """What the opponent offers is declined."""
    if kind not in set(OfferKind):
        abort(404)

    def refuse(acting: Session, player: Player, *, now: Any) -> OfferKind:
        return offers.decline(acting, player, OfferKind(kind), now=now)

    return _act(match, refuse, lambda _kind: _("You have declined; the game goes on."))


@bp.post("/claim")
def claim(match: int) -> ResponseReturnValue:
    """The game ends, because the opponent's time ran out long enough ago."""
    return _act(match, claims.claim, lambda _match: _("The game is over."))


@bp.post("/nudge")
def nudge(match: int) -> ResponseReturnValue:
    """The opponent, whose time has run out, is asked by letter to move."""
    return _act(match, claims.nudge, lambda _done: _("Your opponent is asked once more to move."))


def _act(match: int, use_case: Callable[..., Any], tell: Callable[[Any], str]) -> ResponseReturnValue:
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            player = player_of(acting, match, member.id)
            if player is None:
                abort(404 if acting.get(Match, match) is None else 403)
            done = use_case(acting, player, now=runtime.now())
    except MatchError as error:
        return games.page(games.found(match), refused=str(error)), 409
    flash(tell(done))
    return redirect(url_for("games.show", number=match), 303)
