"""Tournaments for programs: list and read them, make one, enter, withdraw, sit out, and organise."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field
from sqlmodel import Session

from correspondence.api.access import member
from correspondence.api.acting import Done, for_member
from correspondence.api.calls import Input, Query, ResponseBody, call
from correspondence.api.shapes import OptionWords, PaceIn, Word, time_control_of
from correspondence.core.integers import whole
from correspondence.features.tournaments import entering, organiser, tournaments, views
from correspondence.features.tournaments.settings import LONGEST_ABOUT, NAMES, TournamentError
from correspondence.features.tournaments.tables import Tournament, TournamentState
from correspondence.models import ApiScope, Person
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.wording import _

_TOPIC = "seeks and challenges"

_Text = Annotated[str, Field(max_length=LONGEST_ABOUT)]


class TournamentOut(ResponseBody):
    """A tournament in a list."""

    id: int
    name: str
    format: str
    game: str
    state: str
    entered: int
    needs_code: bool
    is_mine: bool


class TournamentsOut(ResponseBody):
    """Tournaments, newest first."""

    tournaments: list[TournamentOut]


class TournamentsQuery(Query):
    """Which tournaments: `open`, `running`, `finished` or `called-off`; the member's own with `mine`."""

    state: TournamentState = TournamentState.OPEN
    mine: bool = False


class TournamentIn(Input):
    """A new tournament: format, game, options of the game, and settings by name, such as `players` or `start`."""

    format: Word
    game: Word
    name: Word = ""
    about: _Text = ""
    options: OptionWords = Field(default_factory=dict)
    settings: OptionWords = Field(default_factory=dict)
    pace: PaceIn | None = None
    rated: bool = True


class TournamentMade(ResponseBody):
    """The number of a new tournament."""

    id: int


class EntryIn(Input):
    """The code of a tournament that needs one."""

    code: Word = ""


class ActIn(Input):
    """What an organiser's act needs: the text of an announcement, a handle with a reason, or a number of days."""

    words: _Text = ""
    handle: Word = ""
    days: int = 0


@call("GET", "/tournaments", topic=_TOPIC, scope=ApiScope.READ, asks=TournamentsQuery, answers=TournamentsOut)
def listed(query: TournamentsQuery) -> TournamentsOut:
    """List tournaments.

    `/tournaments/<id>.json` has the standings and pairings of each.
    """
    with reading() as db:
        found = views.cards_of(db, member().id) if query.mine else views.cards(db, [query.state], member().id)
        rows = {card.number: db.get_one(Tournament, card.number) for card in found}
    return TournamentsOut(
        tournaments=[
            TournamentOut(
                id=card.number, name=card.name, format=str(rows[card.number].format), game=card.game,
                state=str(rows[card.number].state), entered=card.entered, needs_code=card.needs_code, is_mine=card.is_mine,
            )
            for card in found
        ]
    )  # fmt: skip


@call("POST", "/tournaments", topic=_TOPIC, scope=ApiScope.PLAY, takes=TournamentIn, answers=TournamentMade, status=201)
def make(body: TournamentIn) -> TournamentMade:
    """Make a tournament, which enters nobody."""

    def act(db: Session, person: Person, now: datetime) -> int:
        settings = {name: text for name, text in body.settings.items() if name in NAMES}
        unknown = sorted(body.settings.keys() - settings.keys())
        if unknown:
            raise TournamentError(_("There is no setting “{name}”.").format(name=unknown[0]))
        words = {**body.options, **settings, "name": body.name, "about": body.about}
        pace = time_control_of(body.pace) if body.pace is not None else None
        return tournaments.make(db, person, body.format, body.game, words, pace=pace, is_rated=body.rated, now=now).id

    return TournamentMade(id=for_member(act))


@call(
    "POST", "/tournaments/<number:number>/enter", topic=_TOPIC, scope=ApiScope.PLAY, takes=EntryIn, answers=Done,
    may_be_empty=True,
)  # fmt: skip
def enter(number: int, body: EntryIn) -> Done:
    """Enter a tournament."""
    return done(
        lambda db, person, now, rng: entering.enter(db, person, number, code=body.code, now=now, rng=rng),
        _("You are in."),
    )


@call("POST", "/tournaments/<number:number>/withdraw", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def withdraw(number: int) -> Done:
    """Withdraw from a tournament; running games go on."""
    return done(
        lambda db, person, now, rng: entering.withdraw(db, person, number, now=now, rng=rng), _("You have withdrawn.")
    )


@call("POST", "/tournaments/<number:number>/bye", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def bye(number: int) -> Done:
    """Sit out the next round of a Swiss for half a point, once."""
    return done(
        lambda db, person, now, _rng: entering.sit_out(db, person, number, now=now), _("You sit out the next round.")
    )


@call(
    "POST", "/tournaments/<number:number>/acts/<act>", topic=_TOPIC, scope=ApiScope.PLAY, takes=ActIn, answers=Done,
    may_be_empty=True,
)  # fmt: skip
def organise(number: int, act: str, body: ActIn) -> Done:
    """Act as the organiser: `announce`, `close`, `remove`, `extend`, `admit` or `call-off`."""
    acts: dict[str, Callable[[Session, Person, datetime, random.Random], Any]] = {
        "announce": lambda db, who, now, _rng: organiser.announce(db, who, number, body.words, now=now),
        "close": lambda db, who, now, rng: organiser.close(db, who, number, now=now, rng=rng),
        "remove": lambda db, who, now, rng: organiser.remove(
            db, who, number, body.handle, body.words, now=now, rng=rng
        ),
        "extend": lambda db, who, now, _rng: organiser.extend(
            db, who, number, whole(str(body.days), 999) or 0, now=now
        ),
        "admit": lambda db, who, now, _rng: organiser.admit(db, who, number, now=now),
        "call-off": lambda db, who, now, _rng: organiser.call_off(db, who, number, body.words, now=now),
    }
    if act not in acts:
        raise TournamentError(_("An organiser's act is one of: {acts}.").format(acts=", ".join(acts)))
    return done(acts[act], _("It is done, and those whom it concerns are told."))


def done(act: Callable[[Session, Person, datetime, random.Random], object], sentence: str) -> Done:
    """Run an act for the program's member, and answer with this sentence."""
    rng = current_runtime().rng
    for_member(lambda db, person, now: act(db, person, now, rng))
    return Done(sentence=sentence)
