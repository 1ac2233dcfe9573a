"""Ladder: a perpetual order of members, in which one challenges somebody above and takes their rung by winning.

`Pairing.round` is the number of the challenge. A challenge is a pairing without a game until it is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from correspondence.features.tournaments.formats.field import Entrant, Field, Pairing, Result, Row, Upcoming

__all__ = [
    "ANSWER_WITHIN",
    "Refusal",
    "challenge",
    "challenged_of",
    "due_at",
    "idle",
    "is_over",
    "next_pairings",
    "order",
    "refusal",
    "settled",
    "standings",
]

REACH = 10
"""Number of rungs up that one may challenge."""

MAX_OUTGOING = 3
"""Maximum number of open challenges and running games of a challenger."""

MAX_DEFENCES, MAX_DEFENCES_AT_TOP, TOP = 3, 5, 5
"""Maximum number of defences at once, and that of the first `TOP` rungs."""

REST = timedelta(days=7)
"""Time after a game before the same two may play again."""

ANSWER_WITHIN = timedelta(days=7)
"""Time to answer a challenge. Announced absences stop it."""

IDLE = timedelta(days=60)
"""Time after which somebody who has neither played nor answered leaves the ladder."""


class Refusal(StrEnum):
    """Why a challenge is refused. The service puts it in words."""

    NOT_ON_LADDER = "the challenger is not on the ladder"
    OTHER_NOT_ON_LADDER = "the other is not on the ladder"
    NOT_ABOVE = "the other does not stand above the challenger"
    TOO_FAR = "the other stands more than ten rungs above"
    TOO_MANY_OUTGOING = "the challenger has three challenges already"
    TOO_MANY_DEFENCES = "the other has as many defences as their rung allows"
    PLAYING = "these two are playing already"
    TOO_SOON = "these two have played within seven days"
    BARRED = "the challenger is barred"
    OTHER_BARRED = "the other is barred"


def next_pairings(field: Field) -> Upcoming:
    """Return the results of challenges that lapsed: lost by the challenged, void if the challenger left."""
    return Upcoming(tuple(lapsed for pairing in field.pairings for lapsed in _lapsed(field, pairing)))


def standings(field: Field) -> tuple[Row, ...]:
    """Return a row for each rung. `best` and `worst` are the rung, because a ladder never ends."""
    return tuple(_row(field, one, rung) for rung, one in enumerate(order(field), 1))


def is_over(field: Field) -> bool:
    """A ladder never ends."""
    return False


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games as they count."""
    return field.pairings


def order(field: Field) -> tuple[int, ...]:
    """Return the ids on the ladder, first rung first, by replaying who entered, what ended and who left."""
    rungs: list[int] = []
    for _time, _kind, _number, pairing, entrant in sorted(_events(field), key=lambda event: event[:3]):
        if pairing is not None:
            _move(rungs, pairing)
        elif entrant in rungs:
            rungs.remove(entrant)
        else:
            rungs.append(entrant)
    return tuple(rungs)


def refusal(field: Field, challenger: int, challenged: int) -> Refusal | None:
    """Return why a challenge is not possible now, or None."""
    rungs = order(field)
    if challenger not in rungs or challenged not in rungs:
        return Refusal.OTHER_NOT_ON_LADDER if challenger in rungs else Refusal.NOT_ON_LADDER
    up = rungs.index(challenger) - rungs.index(challenged)
    if not 1 <= up <= REACH:
        return Refusal.TOO_FAR if up > REACH else Refusal.NOT_ABOVE
    if field.is_barred(challenger) or field.is_barred(challenged):
        return Refusal.BARRED if field.is_barred(challenger) else Refusal.OTHER_BARRED
    return _refusal_by_games(field, challenger, challenged, rungs.index(challenged) < TOP)


def challenge(field: Field, challenger: int, challenged: int, *, lapses_at: datetime) -> Pairing:
    """Return the pairing of a challenge made now.

    Whoever has had the first seat less often gets it; if they are equal, the challenged player does.
    """
    due = {one: field.seats_of(one)[0] - field.seats_of(one)[1] for one in (challenged, challenger)}
    first = min((challenged, challenger), key=due.__getitem__)
    seats = (challenged, challenger) if first == challenged else (challenger, challenged)
    return Pairing(round=field.round + 1, seats=seats, challenger=challenger, began_at=field.now, lapses_at=lapses_at)


def idle(field: Field) -> tuple[int, ...]:
    """Return the ids of those who leave now because they have neither played nor answered for 60 days."""
    return tuple(one for one in order(field) if (last := _last_active(field, one)) and last + IDLE <= field.now)


def due_at(field: Field) -> datetime | None:
    """Return when the next challenge lapses or the next member leaves for being idle; None if nobody is there."""
    lapses = [p.lapses_at for p in field.pairings if p.is_running and p.game is None and p.lapses_at is not None]
    idle_from = [last + IDLE for one in order(field) if (last := _last_active(field, one))]
    return min([*lapses, *idle_from], default=None)


def _events(field: Field) -> Iterator[tuple[datetime, int, int, Pairing | None, int]]:
    """Yield time, kind (entered, ended, left), number, and what happened."""
    for entrant in field.placed:
        for entered, left in _stays(entrant):
            yield entered, 0, entrant.seed, None, entrant.id
            if left is not None:
                yield left, 2, entrant.seed, None, entrant.id
    for pairing in field.pairings:
        counted = _counted(field, pairing)
        if counted.ended_at is not None and not counted.is_running:
            yield counted.ended_at, 1, pairing.round, counted, 0


def _stays(entrant: Entrant) -> Iterator[tuple[datetime, datetime | None]]:
    yield from entrant.earlier_stays
    if entrant.entered_at is not None:
        yield entrant.entered_at, entrant.left_at if entrant.has_left else None


def _counted(field: Field, pairing: Pairing) -> Pairing:
    """Return a pairing as it moves rungs: lost by the challenged if they left before it ended."""
    challenged = challenged_of(pairing)
    entrant = field.by_id[challenged]
    departures = [left for _entered, left in _stays(entrant) if left is not None]
    left = next((d for d in sorted(departures) if pairing.began_at is None or d >= pairing.began_at), None)
    if left is None or (pairing.ended_at is not None and pairing.ended_at <= left):
        return pairing
    return replace(pairing.lost_by(challenged), ended_at=left)


def challenged_of(pairing: Pairing) -> int:
    """Return the id of the challenged entrant."""
    return pairing.seats[1] if pairing.seats[0] == pairing.challenger else pairing.seats[0]


def _move(rungs: list[int], pairing: Pairing) -> None:
    """Move the challenger right above the challenged after a win, right below after a draw; never down."""
    challenger, challenged = pairing.challenger, challenged_of(pairing)
    if challenger not in rungs or challenged not in rungs:
        return
    points, old, other = pairing.points(challenger), rungs.index(challenger), rungs.index(challenged)
    if old > other and points > 0:
        rungs.remove(challenger)
        rungs.insert(other if points == 1 else other + 1, challenger)


def _lapsed(field: Field, pairing: Pairing) -> Iterator[Pairing]:
    if not pairing.is_running or pairing.game is not None or pairing.challenger is None:
        return
    challenged = challenged_of(pairing)
    is_late = pairing.lapses_at is not None and pairing.lapses_at <= field.now
    if field.by_id[challenged].has_left or is_late:
        yield replace(pairing.lost_by(challenged), ended_at=field.now)
    elif field.by_id[pairing.challenger].has_left:
        yield replace(pairing, result=Result.VOID, ended_at=field.now)


def _refusal_by_games(field: Field, challenger: int, challenged: int, is_top: bool) -> Refusal | None:
    common = [pairing for pairing in field.of_entrant(challenger) if challenged in pairing.seats]
    if any(pairing.is_running for pairing in common):
        return Refusal.PLAYING
    if any(p.game is not None and p.ended_at is not None and field.now < p.ended_at + REST for p in common):
        return Refusal.TOO_SOON
    outgoing = sum(p.is_running and p.challenger == challenger for p in field.of_entrant(challenger))
    defences = sum(p.is_running and p.challenger != challenged for p in field.of_entrant(challenged))
    if outgoing >= MAX_OUTGOING:
        return Refusal.TOO_MANY_OUTGOING
    is_full = defences >= (MAX_DEFENCES_AT_TOP if is_top else MAX_DEFENCES)
    return Refusal.TOO_MANY_DEFENCES if is_full else None


def _last_active(field: Field, entrant: int) -> datetime | None:
    """Return when somebody last played or answered; now while a game of theirs runs."""
    own = field.of_entrant(entrant)
    if any(pairing.is_running and pairing.game is not None for pairing in own):
        return field.now
    played = [p.ended_at for p in own if p.ended_at and (p.game is not None or p.points(entrant) > 0)]
    one = field.by_id[entrant]
    return max([time for time in (one.entered_at, one.active_at, *played) if time is not None], default=None)


def _row(field: Field, entrant: int, rung: int) -> Row:
    own = field.of_entrant(entrant)
    return Row(
        entrant=entrant,
        rank=rung,
        points=sum(pairing.points(entrant) for pairing in own),
        played=sum(not p.is_running and p.result is not Result.VOID for p in own),
        best=rung,
        worst=rung,
        seats=field.seats_of(entrant),
    )
