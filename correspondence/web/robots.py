"""Playing with a robot: the robots of every game, and games with them, which begin at once."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.accounts import member_settings
from correspondence.accounts.robots import robots_of
from correspondence.core.db import transaction
from correspondence.core.robot_handles import USUAL_LEVEL
from correspondence.core.time_control import DEFAULT_TIME_CONTROL
from correspondence.matchmaking import challenges, teaching_games
from correspondence.models import Person
from correspondence.queries.robots import robots_by_game
from correspondence.web import session, throttle
from correspondence.web.challenges import PACES
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import dice_words, form_text, is_ticked, number, query_text
from correspondence.web.game_intros import INTROS
from engines.refusal import Refusal
from engines.wording import _

bp = Blueprint("robots", __name__)


@bp.get("/robots")
def listed() -> str:
    """List the robots of every game, with a form to begin a game with one of them."""
    return _list({}, "")


@bp.post("/robots")
def play() -> ResponseReturnValue:
    """Begin a game with the chosen robot; a refusal keeps the input."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            seek = challenges.challenge(
                db, db.get_one(Person, member.id), _robot(db), form_text("game", 40), {},
                time_control=PACES.get(form_text("pace", 20), DEFAULT_TIME_CONTROL), rated=is_ticked("rated"),
                words=dice_words(), now=runtime.now(), rng=runtime.rng,
            )  # fmt: skip
    except Refusal as error:
        return _list(request.form, str(error)), 422
    if seek.match_id is None:  # a forged form named a member: they get an ordinary challenge
        return redirect(url_for("games.mine"), 303)
    flash(_("The game has begun."))
    return redirect(url_for("games.show", number=seek.match_id), 303)


def _robot(db: Session) -> str:
    """The handle of the chosen robot: named, or of the chosen game and level."""
    level = number(form_text("level", 4)) or USUAL_LEVEL
    known = {robot.robot_level: robot.handle for robot in robots_of(db, form_text("game", 40))}
    return form_text("robot", 60) or known.get(level, f"robot {level}")


@bp.post("/robots/learn")
def learn() -> ResponseReturnValue:
    """Begin a game in which a robot explains its first moves, or redirect to the running one."""
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    try:
        with transaction(runtime.engine) as db:
            person = db.get_one(Person, member.id)
            number = teaching_games.learn(db, person, form_text("game", 40), now=runtime.now(), rng=runtime.rng).id
    except teaching_games.LessonRuns as running:
        flash(str(running))
        return redirect(url_for("games.show", number=running.match_id), 303)
    except Refusal as error:
        return _list({}, str(error)), 422
    flash(_("The lesson has begun: the robot moves first, and explains what it does."))
    return redirect(url_for("games.show", number=number), 303)


@bp.post("/robots/rated")
def rate() -> ResponseReturnValue:
    """Set whether the member's games with robots are rated by default, and the robots' pace."""
    throttle.hit(throttle.ACT)
    member = session.require_member()
    try:
        with transaction(current_runtime().engine) as db:
            person = db.get_one(Person, member.id)
            member_settings.rate_robots(db, person, is_ticked("rated"))
            member_settings.pace_robots(db, person, form_text("pace", 20) or person.robot_pace)
    except Refusal as error:
        return _list({}, str(error)), 422
    flash(_("Your settings have been saved."))
    return redirect(url_for("robots.listed"), 303)


def _list(typed: Mapping[str, str], refused: str) -> str:
    visitor = session.visitor_id()
    with reading() as db:
        found = robots_by_game(db, now=current_runtime().now())
        person = db.get(Person, visitor) if visitor is not None else None
        untried = teaching_games.untried(db, visitor) if visitor is not None else ()
    keys = [one.game.key for one in found]
    wanted = typed.get("game") or query_text("game", 40)
    chosen = wanted if wanted in keys else next(iter(keys), "")
    level = number(typed.get("level", "")) or USUAL_LEVEL
    return render_template(
        "robots.html", robot_games=found, chosen=chosen, level=level, paces=PACES,
        usual=next((one.usual.handle for one in found if one.game.key == chosen), ""),
        typed=typed, refused=refused, intros=INTROS,
        is_rated=bool(typed.get("rated")) if typed else person is not None and person.rates_robots,
        rates_robots=person is not None and person.rates_robots,
        robot_pace=person.robot_pace if person is not None else "",
        taught={game.key for game in teaching_games.taught()}, untried={game.key for game in untried},
    )  # fmt: skip
