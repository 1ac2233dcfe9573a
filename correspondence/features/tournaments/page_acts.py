"""Acts of members on the pages of tournaments, ladders and leagues."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime

from flask import abort, flash, redirect
from flask.typing import ResponseReturnValue
from sqlmodel import Session

from correspondence.core.db import transaction
from correspondence.models import Person
from correspondence.web import session, throttle
from correspondence.web.current import current_runtime
from engines.refusal import Refusal

Act = Callable[[Session, Person, datetime, random.Random], str]
"""An act that returns the sentence to show."""


def done(act: Act, refused: Callable[[str], str], shown_at: str, *, exists: bool = True) -> ResponseReturnValue:
    """Run an act of the member and show its sentence at a URL, or why it is refused, with status 409.

    A member gets a 404 if what it is about does not exist.
    """
    throttle.hit(throttle.ACT)
    member, runtime = session.require_member(), current_runtime()
    if not exists:
        abort(404)
    try:
        with transaction(runtime.engine) as db:
            sentence = act(db, db.get_one(Person, member.id), runtime.now(), runtime.rng)
    except Refusal as error:
        return refused(str(error)), 409
    flash(sentence)
    return redirect(shown_at, 303)
