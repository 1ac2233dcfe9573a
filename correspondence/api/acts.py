"""Other acts of a player in a game: offers and their answers, resigning, claiming, talking."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

from pydantic import Field
from sqlmodel import Session

from correspondence.api.acting import Done, for_player
from correspondence.api.calls import Input, call
from correspondence.api.shapes import Number, Talk
from correspondence.models import ApiScope, Audience, OfferKind, Player
from correspondence.play import chat, claims, matches, offers, take_backs
from correspondence.play.standing_offers import Seen
from engines.wording import N_, _

_SAID = {
    Audience.PLAYERS: N_("Your message has been sent."),
    Audience.EVERYONE: N_("Your message has been sent; everybody can read it."),
    Audience.ME: N_("Your note has been saved; nobody else can read it."),
}


def _act(number: int, use_case: Callable[..., Any], **more: Any) -> Any:
    def act(db: Session, player: Player, now: datetime) -> Any:
        return use_case(db, player, now=now, **more)

    return for_player(number, act)


class OfferIn(Input):
    """The offer to accept, by number, or the position for which a new offer is made.

    The position is the number of entries, `ply`, and the game's `takebacks`. With neither, an open offer is accepted,
    or else a new one is made. A new offer is refused if the opponent's offer has ended since the last move.
    """

    offer: Number | None = None
    ply: Number | None = None
    takebacks: Number | None = None

    @property
    def seen(self) -> Seen:
        """The offer or position that the program refers to."""
        return Seen(offer=self.offer, ply=self.ply, takebacks=self.takebacks)


@call(
    "POST", "/games/<number:number>/draw",
    topic="games", scope=ApiScope.PLAY, takes=OfferIn, may_be_empty=True, answers=Done,
)  # fmt: skip
def draw(number: int, body: OfferIn) -> Done:
    """Offer a draw, or accept the open offer."""
    is_over = _act(number, matches.offer_draw, seen=body.seen)
    return Done(
        sentence=_("The game is drawn.") if is_over else _("You have offered a draw; your opponent has been told.")
    )


@call(
    "POST", "/games/<number:number>/takeback",
    topic="games", scope=ApiScope.PLAY, takes=OfferIn, may_be_empty=True, answers=Done,
)  # fmt: skip
def takeback(number: int, body: OfferIn) -> Done:
    """Ask to take back the member's last move, or allow the opponent to take back theirs."""

    def ask(db: Session, player: Player, now: datetime) -> str:
        is_done = offers.offer_takeback(db, player, seen=body.seen, now=now)
        done_text = _("The move has been taken back, and your opponent is to move again.")
        return done_text if is_done else take_backs.asked_sentence(db, player)

    return Done(sentence=for_player(number, ask))


class PauseIn(OfferIn):
    """The length of a pause, in days; null accepts the open offer. Other fields as in `OfferIn`."""

    days: int | None = Field(default=None, ge=1, le=365)


@call("POST", "/games/<number:number>/pause", topic="games", scope=ApiScope.PLAY, takes=PauseIn, answers=Done)
def pause(number: int, body: PauseIn) -> Done:
    """Offer a pause, or accept the open offer."""

    def offer(db: Session, player: Player, now: datetime) -> bool:
        return offers.offer_pause(db, player, body.days, seen=body.seen, now=now) is not None

    has_begun = for_player(number, offer)
    begun_text, offered_text = _("The pause has begun."), _("You have offered a pause; your opponent has been told.")
    return Done(sentence=begun_text if has_begun else offered_text)


class NamedOffer(Input):
    """An offer, identified by its kind and, if known, its number."""

    kind: OfferKind
    offer: Number | None = None


@call("POST", "/games/<number:number>/decline", topic="games", scope=ApiScope.PLAY, takes=NamedOffer, answers=Done)
def decline(number: int, body: NamedOffer) -> Done:
    """Decline the opponent's offer; the opponent is informed."""

    def refuse(db: Session, player: Player, now: datetime) -> None:
        offers.decline(db, player, body.kind, seen=Seen(offer=body.offer), now=now)

    for_player(number, refuse)
    return Done(sentence=_("You have declined; the game goes on."))


@call("POST", "/games/<number:number>/withdraw", topic="games", scope=ApiScope.PLAY, takes=NamedOffer, answers=Done)
def withdraw(number: int, body: NamedOffer) -> Done:
    """Withdraw the member's own offer."""

    def end(db: Session, player: Player, now: datetime) -> None:
        offers.withdraw(db, player, body.kind, seen=Seen(offer=body.offer), now=now)

    for_player(number, end)
    return Done(sentence=_("Your offer has been withdrawn."))


class ResignIn(Input):
    """The confirmation of a resignation: `confirmed` must be true, to prevent accidents."""

    confirmed: Literal[True]


@call("POST", "/games/<number:number>/resign", topic="games", scope=ApiScope.PLAY, takes=ResignIn, answers=Done)
def resign(number: int, body: ResignIn) -> Done:
    """Resign: the opponent wins."""
    assert body.confirmed
    _act(number, matches.resign)
    return Done(sentence=_("You have resigned."))


@call("POST", "/games/<number:number>/claim", topic="games", scope=ApiScope.PLAY, answers=Done)
def claim(number: int) -> Done:
    """Claim the win on time; the opponent's time must have run out long enough ago."""
    _act(number, claims.claim)
    return Done(sentence=_("The game is over."))


@call("POST", "/games/<number:number>/nudge", topic="games", scope=ApiScope.PLAY, answers=Done)
def nudge(number: int) -> Done:
    """Send a reminder letter to an opponent whose time has run out; at most once a day."""
    _act(number, claims.nudge)
    return Done(sentence=_("We've reminded your opponent to move."))


class TalkIn(Input):
    """A remark to the `players` or to `everyone`, or a private note (`me`).

    A note is about the position after `ply` entries. `is_meant` confirms a remark that was refused because it reads
    like a move.
    """

    text: Talk
    audience: Audience = Audience.PLAYERS
    ply: Number | None = None
    is_meant: bool = False


@call("POST", "/games/<number:number>/talk", topic="games", scope=ApiScope.PLAY, takes=TalkIn, answers=Done)
def talk(number: int, body: TalkIn) -> Done:
    """Post a remark or a private note in a game."""

    def speak(db: Session, player: Player, now: datetime) -> None:
        if body.audience == Audience.ME:
            chat.keep_note(db, player, body.text, ply=body.ply, now=now)
        else:
            matches.say(db, player, body.text, now=now, audience=body.audience, is_meant=body.is_meant)

    for_player(number, speak)
    return Done(sentence=_(_SAID[body.audience]))
