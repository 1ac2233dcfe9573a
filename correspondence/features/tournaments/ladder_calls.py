"""Ladders for programs: read the rungs, enter, leave, challenge and accept."""

from __future__ import annotations

from correspondence.api.access import member
from correspondence.api.acting import Done
from correspondence.api.calls import Input, ResponseBody, call
from correspondence.api.shapes import Word
from correspondence.features.tournaments import ladder_views, ladders
from correspondence.features.tournaments.calls import done
from correspondence.models import ApiScope
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.wording import _

_TOPIC = "seeks and challenges"


class LadderOut(ResponseBody):
    """A ladder: handles from the first rung on, whom the member can challenge, and whose challenges they can accept.

    `id` is its number for `/tournaments/<id>.json`; null while nobody has entered it.
    """

    id: int | None
    rungs: list[str]
    can_challenge: list[str]
    to_answer: list[str]


class OpponentIn(Input):
    """The handle of an opponent on a ladder; to accept, it may be empty if there is only one."""

    handle: Word = ""


@call("GET", "/ladders/<game>", topic=_TOPIC, scope=ApiScope.READ, answers=LadderOut)
def ladder(game: str) -> LadderOut:
    """Return the ladder of a game."""
    with reading() as db:
        view = ladder_views.view_of(db, game, member().id, now=current_runtime().now())
    return LadderOut(
        id=view.number,
        rungs=[one.handle for one in view.rungs],
        can_challenge=[one.handle for one in view.rungs if one.can_challenge],
        to_answer=[line.challenger for line in view.to_answer],
    )


@call("POST", "/ladders/<game>/enter", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def ladder_enter(game: str) -> Done:
    """Enter the ladder of a game, at the bottom."""
    return done(
        lambda db, person, now, _rng: ladders.enter(db, person, game, now=now), _("You are on the ladder.")
    )  # fmt: skip


@call("POST", "/ladders/<game>/leave", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def ladder_leave(game: str) -> Done:
    """Leave the ladder of a game; running games go on."""
    return done(
        lambda db, person, now, _rng: ladders.leave(db, person, game, now=now), _("You have left the ladder.")
    )  # fmt: skip


@call("POST", "/ladders/<game>/challenge", topic=_TOPIC, scope=ApiScope.PLAY, takes=OpponentIn, answers=Done)
def ladder_challenge(game: str, body: OpponentIn) -> Done:
    """Challenge somebody up to ten rungs above, who has seven days to accept."""
    return done(
        lambda db, person, now, _rng: ladders.challenge(db, person, game, body.handle, now=now),
        _("The challenge is made."),
    )


@call(
    "POST", "/ladders/<game>/accept", topic=_TOPIC, scope=ApiScope.PLAY, takes=OpponentIn, answers=Done,
    may_be_empty=True,
)  # fmt: skip
def ladder_accept(game: str, body: OpponentIn) -> Done:
    """Accept a challenge; its game begins."""
    return done(
        lambda db, person, now, rng: ladders.accept(db, person, game, body.handle, now=now, rng=rng),
        _("The game has begun."),
    )
