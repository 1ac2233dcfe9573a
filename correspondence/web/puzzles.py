"""Games for one: the deal of the day, a puzzle of one's own choice, and results beside par."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from correspondence.core.db import transaction
from correspondence.matchmaking import challenges
from correspondence.models import Person
from correspondence.play import puzzles
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from correspondence.web.forms import chosen_options
from engines import GAMES
from engines.duel_puzzle.goals import PAR, SENTENCES
from engines.options import OptionError, choices_of

bp = Blueprint("puzzles", __name__, url_prefix="/puzzles")


@bp.get("")
def show() -> str:
    """The deal of the day and who solved it best; for members also how to begin one, and their own results."""
    return _page()


@bp.post("")
def begin() -> ResponseReturnValue:
    """A puzzle with the goal and the board of the form begins at once."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    options = chosen_options(("goal", "board"), request.form)
    try:
        with transaction(runtime.engine) as acting:
            person = acting.get_one(Person, member.id)
            match = challenges.start_alone(acting, person, puzzles.KEY, options, now=runtime.now(), rng=runtime.rng)
    except (OptionError, challenges.ChallengeError) as error:
        return _page(str(error)), 422
    return redirect(url_for("games.show", number=match.id), 303)


@bp.post("/today")
def daily() -> ResponseReturnValue:
    """The member's try at the deal of the day, begun now or before."""
    throttle.hit(throttle.ACT)
    member, runtime = session.signed_in(), current_runtime()
    with transaction(runtime.engine) as acting:
        person = acting.get_one(Person, member.id)
        match = puzzles.start_daily(acting, person, key=runtime.settings.secret_key, now=runtime.now())
    return redirect(url_for("games.show", number=match.id), 303)


def _page(refused: str = "") -> str:
    runtime, number = current_runtime(), session.visitor_id()
    now = runtime.now()
    with reading() as looking:
        today = puzzles.today(looking, number, key=runtime.settings.secret_key, now=now)
        yesterday = puzzles.best_results(looking, today.day - puzzles.DAY)
        is_done = puzzles.is_done(looking, number, today.day - puzzles.DAY)
        mine = puzzles.puzzles_of(looking, number) if number is not None else ()
    boards = next(choice.values for choice in choices_of(GAMES[puzzles.KEY].Options) if choice.name == "board")
    return render_template(
        "puzzles.html", today=today, yesterday=yesterday, mine=mine, boards=boards, sentences=SENTENCES, par=PAR,
        refused=refused, typed=request.form, is_done=is_done,
    )  # fmt: skip
