"""Talk in a game: remarks to the players or to everyone, and private notes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import Audience, Player
from correspondence.play import chat, matches
from correspondence.play import recall as play_recall
from correspondence.web import games, play, throttle
from correspondence.web.current import current_runtime
from correspondence.web.forms import form_text, is_ticked, number
from engines.wording import N_, _

bp = Blueprint("talk", __name__)

DONE = {
    Audience.PLAYERS: N_("Your message has been sent."),
    Audience.EVERYONE: N_("Your message has been sent; everybody can read it."),
    Audience.ME: N_("Your note has been saved; nobody else can read it."),
}
"""The message after posting, by audience."""


@bp.post("/games/<number:match>/say")
def say(match: int) -> ResponseReturnValue:
    """Post a remark or note to the audience in the form; by default to the players."""
    text, ply = form_text("text", matches.TALK_LIMIT), number(form_text("ply", 12))
    chosen = form_text("audience", 12)
    audience = Audience(chosen) if chosen in {one.value for one in Audience} else Audience.PLAYERS

    def speak(db: Session, player: Player, *, now: datetime) -> Any:
        if audience == Audience.ME:
            return chat.keep_note(db, player, text, ply=ply, now=now)
        return matches.say(db, player, text, now=now, audience=audience, is_meant=is_ticked("meant"))

    back = "" if ply is None else url_for("games.at", number=match, ply=ply)
    return play.act(match, speak, lambda _done: _(DONE[audience]), back, text=text, audience=audience.value)


@bp.post("/games/<number:match>/say/recall")
def recall(match: int) -> ResponseReturnValue:
    """Unsend the member's last remark if nobody has read it yet, and put it back into the form."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as db:
            text = play_recall.recall(db, play.own_player(db, match), now=runtime.now())
    except matches.MatchError as error:
        return games.page(games.game_or_404(match), refused=str(error)), 409
    return games.page(games.game_or_404(match), typed={"text": text, "recalled": "yes"})


@bp.post("/games/<number:match>/notes/<number:note>/drop")
def drop(match: int, note: int) -> ResponseReturnValue:
    """Delete one of the member's own notes."""

    def forget(db: Session, player: Player, *, now: datetime) -> None:
        chat.drop_note(db, player, note, now=now)

    return play.act(match, forget, lambda _done: _("The note has been deleted."))
