"""Events for members' programs: JSON values, redacted as the member may see them now.

No text or move is stored in an event. So what was taken back, recalled, muted or blocked since is left out. What is
hidden from the member is hidden from their programs (`Position.view`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from correspondence.accounts import relations
from correspondence.accounts.accounts import DEPARTED
from correspondence.models import STALE, Event, EventKind, Match, Offer, Person, Player, Remark, Seek, SeekState
from correspondence.models.loading import entries_of, known_match, moves_of, persons_of, players_of
from correspondence.play import chat, offers
from correspondence.play.standing_offers import number_of
from correspondence.queries.game_lists import viewer_seat
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES
from engines.base import CHANCE
from engines.options import options_from

MOST = 100
"""Maximum events in one answer."""

_AFTER = (
    select(Event)
    .where(col(Event.person_id) == bindparam("person"), col(Event.number) > bindparam("after"))
    .order_by(col(Event.number))
    .limit(MOST)
)
"""Query: a person's events after a number, by the index that numbers them."""

_FIRST = select(func.min(Event.number)).where(col(Event.person_id) == bindparam("person"))

Value = Mapping[str, Any]
"""An event as JSON: `id`, `type`, `timestamp`, and `data` by its type."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Events after a number; `last` is the next cursor; `missed`: deleted or unknown ones."""

    values: Sequence[Value]
    last: int
    missed: bool = False


@dataclass(frozen=True, slots=True)
class _Scene:
    """An event with its recipient and the time of delivery."""

    session: Session
    event: Event
    person_id: int
    base_url: str
    now: datetime


def last_number(session: Session, person_id: int) -> int:
    """Return the number of a person's last event; 0 if there is none."""
    return session.exec(select(Person.event_number).where(col(Person.id) == person_id)).one() or 0


def heard(session: Session, person_id: int, after: int, *, base_url: str, now: datetime) -> Heard:
    """Return a person's events after the number `after`, at most MOST."""
    last = last_number(session, person_id)
    if after > last:
        return Heard((), last, missed=True)
    if after == last:
        return Heard((), last)
    events = session.exec(_AFTER, params={"person": person_id, "after": after}).all()
    values = [value for event in events if (value := value_of(session, event, base_url=base_url, now=now)) is not None]
    first = session.exec(_FIRST, params={"person": person_id}).one()
    return Heard(values, (events[-1].number if events else 0) or last, missed=first is None or first > after + 1)


def value_of(session: Session, event: Event, *, base_url: str, now: datetime) -> Value | None:
    """Return an event redacted for its person now; None if nothing of it is left to show."""
    scene = _Scene(session, event, event.person_id, base_url, now)
    facts = _TELLERS[event.kind](scene)
    if facts is None:
        return None
    match = known_match(session, event.match_id) if event.match_id is not None else None
    data = facts if match is None else {"game": _game(scene, match), **facts}
    return {"id": event.number, "type": event.kind.value, "timestamp": moment(event.at), "data": data}


def body_of(session: Session, event: Event, *, base_url: str, now: datetime) -> bytes | None:
    """Return an event as the body of a message; None if nothing of it is left to show."""
    value = value_of(session, event, base_url=base_url, now=now)
    return None if value is None else json.dumps(value, ensure_ascii=False).encode()


def moment(at: datetime) -> str:
    """Return a time for programs: RFC 3339, in UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _game(scene: _Scene, match: Match) -> Value:
    players = players_of(scene.session, match.id)
    seats = GAMES[match.game].seats if match.game in GAMES else ()
    return {
        "number": match.id,
        "game": match.game,
        "url": f"{scene.base_url}/games/{match.id}",
        "your_seat": viewer_seat(players, scene.person_id),
        "players": [
            {"seat": player.seat, "seat_name": seats[player.seat] if seats else "", "handle": _handle(person)}
            for player, person in zip(players, persons_of(scene.session, players), strict=True)
        ],
    }


def _handle(person: Person) -> str | None:
    return None if person.handle == DEPARTED else person.handle


def _match(scene: _Scene) -> Match:
    match = known_match(scene.session, scene.event.match_id or 0)
    assert match is not None  # a foreign key
    return match


def _own(scene: _Scene) -> Player:
    players = players_of(scene.session, _match(scene).id)
    return next(player for player in players if player.person_id == scene.person_id)


def _game_started(scene: _Scene) -> Value:
    return _terms(_match(scene))


def _terms(row: Match | Seek) -> dict[str, Any]:
    return {
        "options": options_from(row.options),
        "rated": row.rated,
        "time_control": {"bank": row.bank, "increment": row.increment, "cap": row.cap},
    }


def _move(scene: _Scene) -> Value | None:
    match, ply = _match(scene), scene.event.about_id
    moves = moves_of(scene.session, match.id)
    if match.game not in GAMES or ply == STALE:
        return None
    row, viewer, is_over = moves[ply - 1], _own(scene).seat, match.ended_at is not None
    game = ViewerGame(match.game, match.options, tuple(entries_of(moves)))
    muted = relations.muted_ids(scene.session, players_of(scene.session, match.id), scene.person_id)
    is_heard = all(p.seat != row.seat or p.person_id not in muted for p in players_of(scene.session, match.id))
    shows = is_heard and game.shows_comment(ply, viewer, opened=is_over)
    return {
        "ply": ply,
        "seat": None if row.seat == CHANCE else row.seat,
        "text": game.texts(viewer, opened=is_over)[ply - 1],
        "comment": row.comment if shows else "",
    }


def _turn(scene: _Scene) -> Value:
    player, ply = _own(scene), scene.event.about_id
    match = _match(scene)
    is_of_game = scene.event.takebacks == match.takebacks
    is_now = is_of_game and player.since is not None and player.turn_ply <= ply == match.ply
    deadline = moment(player.deadline) if is_now and player.deadline is not None else None
    return {"ply": ply, "takebacks": scene.event.takebacks, "is_still_so": is_now, "deadline": deadline}


def _offered(scene: _Scene) -> Value | None:
    offer = scene.session.get(Offer, scene.event.about_id)
    if offer is None:
        return None
    days = {"days": offer.days} if offer.days else {}
    facts = {"ply": offer.ply, "seat": offer.seat, "state": offer.state.value, **days}
    return {"offer": number_of(offer), "kind": offer.kind.value, **facts}


def _standing(scene: _Scene) -> Value:
    match = _match(scene)
    return {"ply": match.ply, "takebacks": match.takebacks}


def _paused(scene: _Scene) -> Value:
    pause = offers.pause_of(scene.session, _match(scene), scene.now)
    return {"until": moment(pause.ends_at) if pause is not None else None}


def _talk(scene: _Scene) -> Value | None:
    match = _match(scene)
    muted = relations.muted_ids(scene.session, players_of(scene.session, match.id), scene.person_id)
    remarks = chat.visible_remarks(
        scene.session, match.id, scene.person_id, muted, is_player=True, now=scene.now
    )  # fmt: skip
    return next((_remark(name, remark) for name, remark, _number in remarks if remark.id == scene.event.about_id), None)


def _remark(name: str, remark: Remark) -> Value:
    handle = None if name == DEPARTED else name
    return {"from": handle, "text": remark.text, "ply": remark.ply, "audience": remark.audience.value}


def _game_ended(scene: _Scene) -> Value:
    match = _match(scene)
    return {"ply": match.ply, "result": match.result, "reason": match.reason}


def _challenge(scene: _Scene) -> Value | None:
    seek = scene.session.get(Seek, scene.event.about_id)
    if seek is None or seek.person_id in relations.blocked_by(scene.session, scene.person_id):
        return None  # the recipient has blocked the challenger
    challenger = scene.session.get_one(Person, seek.person_id)
    return {
        "number": seek.id,
        "from": _handle(challenger),
        "game": seek.game,
        **_terms(seek),
        "state": seek.state.value,
        "url": f"{scene.base_url}/games",
    }


def _challenge_answered(scene: _Scene) -> Value | None:
    seek = scene.session.get(Seek, scene.event.about_id)
    if seek is None or seek.opponent_id is None:
        return None
    is_accepted = seek.state == SeekState.TAKEN
    handle = _handle(scene.session.get_one(Person, seek.opponent_id))
    url = {"url": f"{scene.base_url}/games/{seek.match_id}"} if is_accepted else {}
    return {"number": seek.id, "by": handle, "accepted": is_accepted, "game_number": seek.match_id, **url}


def _test(_scene: _Scene) -> Value:
    return {}


_TELLERS: Mapping[EventKind, Callable[[_Scene], Value | None]] = MappingProxyType(
    {
        EventKind.GAME_STARTED: _game_started,
        EventKind.MOVE: _move,
        EventKind.YOUR_TURN: _turn,
        EventKind.DRAW_OFFERED: _offered,
        EventKind.TAKE_BACK_ASKED: _offered,
        EventKind.PAUSE_OFFERED: _offered,
        EventKind.OFFER_DECLINED: _offered,
        EventKind.OFFER_WITHDRAWN: _offered,
        EventKind.MOVES_TAKEN_BACK: _standing,
        EventKind.GAME_PAUSED: _paused,
        EventKind.TALK: _talk,
        EventKind.CLOCK_LOW: _turn,
        EventKind.GAME_ENDED: _game_ended,
        EventKind.CHALLENGE: _challenge,
        EventKind.CHALLENGE_ANSWERED: _challenge_answered,
        EventKind.TEST: _test,
    }
)
