"""How games begin: seeks, which any eligible member may take, and challenges."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field
from sqlmodel import Session

from correspondence.api.access import member
from correspondence.api.acting import Done, for_member
from correspondence.api.calls import Input, Query, ResponseBody, call
from correspondence.api.shapes import DiceWords, OptionWords, PaceIn, TermsOut, Word, terms_out, time_control_of
from correspondence.matchmaking import challenges, seeks
from correspondence.matchmaking.conditions import split_conditions
from correspondence.matchmaking.seek_list import SeekView, own_seeks, visible_seeks
from correspondence.models import ApiScope, Match, Person, Seek
from correspondence.queries.open_challenges import challenges_of
from correspondence.queries.view_models import Challenge
from correspondence.web.current import current_runtime
from correspondence.web.db_session import reading
from engines.wording import _

_TOPIC = "seeks and challenges"


class SeekOut(ResponseBody):
    """An open seek.

    `reasons` say why the member may take it or not. `paused_until` is the end of the seeker's absence.
    """

    number: int
    handle: str
    terms: TermsOut
    seat: str
    is_mine: bool
    is_eligible: bool
    reasons: list[str]
    expires_at: datetime | None
    paused_until: datetime | None
    commitment: str


class SeeksPage(ResponseBody):
    """Open seeks: those that the member may take, the others, then the member's own."""

    seeks: list[SeekOut]


class SeeksQuery(Query):
    """The key of a game; empty for all games."""

    game: str = Field(default="", max_length=40)


@call("GET", "/seeks", topic=_TOPIC, asks=SeeksQuery, answers=SeeksPage)
def open_seeks(query: SeeksQuery) -> SeeksPage:
    """List every open seek that the member may see."""
    now = current_runtime().now()
    with reading() as db:
        found = (*visible_seeks(db, member().id, now=now, game=query.game), *own_seeks(db, member().id, now=now))
    return SeeksPage(seeks=[_seek(one) for one in found])


class SeekIn(Input):
    """A seek: game, options and conditions by name, time control, and words for the dice.

    A condition may also be among the options, as by mail.
    """

    game: Word
    options: OptionWords = Field(default_factory=dict)
    conditions: OptionWords = Field(default_factory=dict)
    pace: PaceIn | None = None
    rated: bool = True
    words: DiceWords = ""


class Begun(ResponseBody):
    """An offer that was made, and the number of the game if it began at once."""

    offer: int
    game: int | None


@call("POST", "/seeks", topic=_TOPIC, scope=ApiScope.PLAY, takes=SeekIn, answers=Begun, status=201)
def seek(body: SeekIn) -> Begun:
    """Post a seek; if a matching one is open, the game begins at once."""

    options, conditions = split_conditions(body.options)
    conditions |= {name.casefold(): text for name, text in body.conditions.items()}

    def post(db: Session, person: Person, now: datetime) -> Seek:
        return seeks.seek(
            db, person, body.game, options, conditions,
            time_control=time_control_of(body.pace), rated=body.rated, words=body.words, now=now,
            rng=current_runtime().rng,
        )  # fmt: skip

    made = for_member(post)
    return Begun(offer=made.id, game=made.match_id)


class TakeIn(Input):
    """Words for the dice, and optionally the commitment of the seek that the program has read."""

    words: DiceWords = ""
    commitment: str = Field(default="", max_length=64)


@call("POST", "/seeks/<number:number>/take", topic=_TOPIC, scope=ApiScope.PLAY, takes=TakeIn, answers=Begun)
def take(number: int, body: TakeIn) -> Begun:
    """Take a seek: the game begins."""

    def begin(db: Session, person: Person, now: datetime) -> Match:
        rng = current_runtime().rng
        return seeks.take(db, person, number, words=body.words, commitment=body.commitment, now=now, rng=rng)

    return Begun(offer=number, game=for_member(begin).id)


@call("DELETE", "/seeks/<number:number>", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def withdraw_seek(number: int) -> Done:
    """Withdraw the member's own seek."""
    return _withdrawn(number, _("It has been withdrawn."))


class ChallengeOut(ResponseBody):
    """An open challenge; `seat` is the challenger's, empty if seats are assigned at random."""

    number: int
    challenger: str
    opponent: str
    terms: TermsOut
    seat: str
    at: datetime
    commitment: str


class ChallengesPage(ResponseBody):
    """Open challenges to the member and by the member, oldest first."""

    to_me: list[ChallengeOut]
    from_me: list[ChallengeOut]


@call("GET", "/challenges", topic=_TOPIC, answers=ChallengesPage)
def open_challenges() -> ChallengesPage:
    """List the open challenges."""
    with reading() as db:
        to_me, from_me = challenges_of(db, member().id, now=current_runtime().now())
    return ChallengesPage(to_me=[_challenge(one) for one in to_me], from_me=[_challenge(one) for one in from_me])


class ChallengeIn(Input):
    """A challenge to a member; `seat` is the challenger's, null for a random one.

    `rated` null means yes against people, and the member's setting against robots.
    """

    handle: Word
    game: Word
    options: OptionWords = Field(default_factory=dict)
    pace: PaceIn | None = None
    rated: bool | None = None
    seat: int | None = Field(default=None, ge=0, le=1)
    words: DiceWords = ""


@call("POST", "/challenges", topic=_TOPIC, scope=ApiScope.PLAY, takes=ChallengeIn, answers=Begun, status=201)
def challenge(body: ChallengeIn) -> Begun:
    """Challenge a member, who gets a letter, or a robot, with whom the game begins at once."""

    def ask(db: Session, person: Person, now: datetime) -> Seek:
        return challenges.challenge(
            db, person, body.handle, body.game, body.options, time_control=time_control_of(body.pace),
            rated=body.rated, seat=body.seat, words=body.words, now=now, rng=current_runtime().rng,
        )  # fmt: skip

    made = for_member(ask)
    return Begun(offer=made.id, game=made.match_id)


class AcceptIn(Input):
    """Words for the dice (optional)."""

    words: DiceWords = ""


@call("POST", "/challenges/<number:number>/accept", topic=_TOPIC, scope=ApiScope.PLAY, takes=AcceptIn, answers=Begun)
def accept(number: int, body: AcceptIn) -> Begun:
    """Accept a challenge: the game begins."""

    def begin(db: Session, person: Person, now: datetime) -> Match:
        return challenges.accept(db, person, number, words=body.words, now=now, rng=current_runtime().rng)

    return Begun(offer=number, game=for_member(begin).id)


@call("POST", "/challenges/<number:number>/decline", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def decline(number: int) -> Done:
    """Decline a challenge; the challenger is informed."""

    def refuse(db: Session, person: Person, now: datetime) -> None:
        challenges.decline(db, person, number, now=now)

    for_member(refuse)
    return Done(sentence=_("You have declined the challenge."))


@call("DELETE", "/challenges/<number:number>", topic=_TOPIC, scope=ApiScope.PLAY, answers=Done)
def withdraw_challenge(number: int) -> Done:
    """Withdraw the member's own challenge."""
    return _withdrawn(number, _("Your challenge has been withdrawn."))


def _withdrawn(number: int, sentence: str) -> Done:
    def end(db: Session, person: Person, _now: datetime) -> None:
        challenges.withdraw(db, person, number)

    for_member(end)
    return Done(sentence=sentence)


def _seek(view: SeekView) -> SeekOut:
    return SeekOut(
        number=view.number,
        handle=view.handle,
        terms=terms_out(view.terms),
        seat=view.seat_name,
        is_mine=view.is_mine,
        is_eligible=view.is_eligible,
        reasons=[reason.sentence for reason in view.reasons],
        expires_at=view.expires_at,
        paused_until=view.paused_until,
        commitment=view.commitment,
    )


def _challenge(view: Challenge) -> ChallengeOut:
    return ChallengeOut(
        number=view.number,
        challenger=view.challenger,
        opponent=view.opponent,
        terms=terms_out(view.terms),
        seat=view.seat_name,
        at=view.at,
        commitment=view.commitment,
    )
