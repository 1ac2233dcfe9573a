"""Words beside the moves of a game: to the players, to everyone, or notes for the writer alone."""

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
from correspondence.web.forms import number, ticked, written
from engines.wording import N_, _

bp = Blueprint("talk", __name__, url_prefix="/games/<number:match>")

DONE = {
    Audience.PLAYERS: N_("Your words are passed on."),
    Audience.EVERYONE: N_("Your words are passed on; everybody can read them."),
    Audience.ME: N_("Your note is kept; nobody else can read it."),
}
"""What the writer is told."""


@bp.post("/say")
def say(match: int) -> ResponseReturnValue:
    """What is written goes to whom the form says: without a word on that, to the players."""
    text, ply = written("text", matches.TALK_LIMIT), number(written("ply", 12))
    chosen = written("audience", 12)
    audience = Audience(chosen) if chosen in {one.value for one in Audience} else Audience.PLAYERS

    def speak(acting: Session, player: Player, *, now: datetime) -> Any:
        if audience == Audience.ME:
            return chat.keep_note(acting, player, text, ply=ply, now=now)
        return matches.say(acting, player, text, now=now, audience=audience, is_meant=ticked("meant"))

    back = "" if ply is None else url_for("games.at", number=match, ply=ply)
    return play.act(match, speak, lambda _done: _(DONE[audience]), back, text=text, audience=audience.value)


@bp.post("/say/recall")
def recall(match: int) -> ResponseReturnValue:
    """What the member said last and nobody has read yet is taken back, and stands in the form again."""
    throttle.hit(throttle.ACT)
    runtime = current_runtime()
    try:
        with transaction(runtime.engine) as acting:
            words = play_recall.recall(acting, play.seated(acting, match), now=runtime.now())
    except matches.MatchError as error:
        return games.page(games.found(match), refused=str(error)), 409
    return games.page(games.found(match), typed={"text": words, "recalled": "yes"})


@bp.post("/notes/<number:note>/drop")
def drop(match: int, note: int) -> ResponseReturnValue:
    """One of the member's own notes is forgotten."""

    def forget(acting: Session, player: Player, *, now: datetime) -> None:
        chat.drop_note(acting, player, note, now=now)

    return play.act(match, forget, lambda _done: _("The note is gone."))
