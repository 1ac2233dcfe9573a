"""Swiss: a fixed number of rounds, each pairing entrants of about the same score who have not met.

A round begins when all games of the one before are over, or on its day. A game that runs on counts as a draw for the
pairing, and as what it becomes for the standings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from correspondence.features.tournaments.formats.buchholz import Kind, RoundOutcome, Tiebreaks, tiebreaks
from correspondence.features.tournaments.formats.field import Bye, Entrant, Field, Pairing, Result, Row, Upcoming
from correspondence.features.tournaments.formats.ranking import by_value, ranks, split
from correspondence.features.tournaments.formats.replacements import replacements
from correspondence.features.tournaments.formats.swiss_pairing import Contender, Match, pair_round

__all__ = ["ADVISED_ROUNDS", "is_over", "max_rounds", "next_pairings", "round_count", "settled", "standings"]

ADVISED_ROUNDS = 5
"""Number of rounds beyond which an organiser is advised against more."""


def max_rounds(entrants: int) -> int:
    """Return the most rounds that so many entrants at the start can play: half of them, rounded down."""
    return entrants // 2


def round_count(field: Field) -> int:
    """Return the number of rounds to play: as set, but no more than the entrants at the start can play."""
    return min(field.settings.rounds, max_rounds(sum(entrant.first_round == 1 for entrant in field.placed)))


def next_pairings(field: Field) -> Upcoming:
    """Return the next round if it is due, games of replacements, and half-point byes of late entrants."""
    late = tuple(_missed_byes(field))
    if not _is_next_due(field):
        return Upcoming(tuple(replacements(field)), late)
    paired = _paired(field)
    if paired is None:
        return Upcoming(byes=late)
    pairs, bye = paired
    number, games = field.round + 1, field.settings.games
    byes = [Bye(round=number, entrant=bye, points=games)] if bye is not None else []
    return Upcoming(tuple(_games(number, pairs, games)), (*late, *byes, *_absent(field, number)))


def standings(field: Field) -> tuple[Row, ...]:
    """Return the rows: by points, Buchholz cut one, Buchholz, Sonneborn-Berger; then ranks are shared."""
    points = {entrant.id: _score(field, entrant.id) for entrant in field.placed}
    breaks = _tiebreaks(field)
    splitters = [
        by_value(points.__getitem__),
        by_value(lambda one: not field.by_id[one].is_robot),
        by_value(lambda one: breaks[one].buchholz_cut_one),
        by_value(lambda one: breaks[one].buchholz),
        by_value(lambda one: breaks[one].sonneborn_berger),
    ]
    ranked = list(ranks(split([entrant.id for entrant in field.placed], splitters)))
    bounds = {one: (rank, rank) for one, rank in ranked} if is_over(field) else _bounds(field, points)
    return tuple(_row(field, one, rank, points[one], breaks[one], bounds[one]) for one, rank in ranked)


def is_over(field: Field) -> bool:
    """Whether all rounds have been played, or no further pairing exists, and no game runs."""
    if any(pairing.is_running for pairing in settled(field)):
        return False
    return field.round >= round_count(field) or _paired(field) is None


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games as they count."""
    return field.pairings


def _is_next_due(field: Field) -> bool:
    latest = field.of_round(field.round)
    has_ended = not any(pairing.is_running for pairing in latest) or field.is_due(field.round)
    return field.round < round_count(field) and has_ended


def _paired(field: Field) -> tuple[list[Match], int | None] | None:
    contenders = tuple(_contender(field, one) for one in field.placed if _can_play(field, one, field.round + 1))
    return _pair_cached(contenders, field.settings.games)


@lru_cache(maxsize=64)
def _pair_cached(contenders: tuple[Contender, ...], games: int) -> tuple[list[Match], int | None] | None:
    return pair_round(contenders, games=games)


def _can_play(field: Field, entrant: Entrant, number: int) -> bool:
    is_asking_off = number in entrant.sits_out or entrant.first_round > number
    return not (entrant.has_left or is_asking_off or field.is_barred(entrant.id))


def _contender(field: Field, entrant: Entrant) -> Contender:
    own = field.of_entrant(entrant.id)
    games = [p for p in sorted(own, key=lambda p: (p.round, p.leg)) if not p.is_unplayed and p.result != Result.VOID]
    return Contender(
        id=entrant.id,
        seed=entrant.seed,
        score=_score(field, entrant.id) + sum(0.5 for p in own if p.is_running),
        seats=tuple(p.seats.index(entrant.id) for p in games),
        met=frozenset(p.opponent(entrant.id) for p in own),
        avoids=entrant.avoids,
        had_bye=any(bye.entrant == entrant.id and not bye.requested for bye in field.byes),
    )


def _games(number: int, pairs: list[Match], games: int) -> Iterator[Pairing]:
    for seats in pairs:
        for leg in range(1, games + 1):
            yield Pairing(round=number, seats=seats if leg == 1 else seats[::-1], leg=leg)


def _absent(field: Field, number: int) -> Iterator[Bye]:
    """Yield the byes of entrants who sit a round out, for half of its points, and of barred ones, for none."""
    for one in field.placed:
        if not one.has_left and one.first_round <= number and not _can_play(field, one, number):
            points = field.settings.games / 2 if number in one.sits_out else 0.0
            yield Bye(round=number, entrant=one.id, points=points, requested=True)


def _missed_byes(field: Field) -> Iterator[Bye]:
    """Yield the half-point byes of late entrants for rounds that they missed."""
    recorded = {(bye.round, bye.entrant) for bye in field.byes}
    for one in field.placed:
        for number in range(1, min(one.first_round, field.round + 1)):
            if (number, one.id) not in recorded:
                yield Bye(round=number, entrant=one.id, points=field.settings.games / 2, requested=True)


def _score(field: Field, entrant: int) -> float:
    byes = sum(bye.points for bye in field.byes if bye.entrant == entrant)
    return byes + sum(pairing.points(entrant) for pairing in field.of_entrant(entrant))


def _row(field: Field, entrant: int, rank: int, points: float, breaks: Tiebreaks, bounds: tuple[int, int]) -> Row:
    own = field.of_entrant(entrant)
    return Row(
        entrant=entrant,
        round=field.round,
        rank=rank,
        points=points,
        played=sum(not p.is_running and p.result is not Result.VOID for p in own),
        tiebreaks={
            "buchholz_cut_one": breaks.buchholz_cut_one,
            "buchholz": breaks.buchholz,
            "sonneborn_berger": breaks.sonneborn_berger,
        },
        best=bounds[0],
        worst=bounds[1],
        seats=field.seats_of(entrant),
    )


def _bounds(field: Field, low: Mapping[int, float]) -> dict[int, tuple[int, int]]:
    """Return the best and the worst rank of each entrant by points: all level ones may end above or below."""
    running = field.running()
    to_come = (round_count(field) - field.round) * field.settings.games
    high = {one: low[one] + running[one] + (0 if field.by_id[one].has_left else to_come) for one in low}
    return {
        one: (1 + sum(low[other] > high[one] for other in low), sum(high[other] >= low[one] for other in low))
        for one in low
    }


def _tiebreaks(field: Field) -> Mapping[int, Tiebreaks]:
    outcomes = {entrant.id: tuple(_outcomes(field, entrant.id)) for entrant in field.entrants}
    return tiebreaks(outcomes, games=field.settings.games, rounds=field.round)


def _outcomes(field: Field, entrant: int) -> Iterator[RoundOutcome]:
    """Yield the rounds of an entrant that have ended for them, in order."""
    for number in range(1, field.round + 1):
        own = [pairing for pairing in field.of_entrant(entrant) if pairing.round == number]
        bye = next((bye for bye in field.byes if (bye.round, bye.entrant) == (number, entrant)), None)
        if own and not any(pairing.is_running for pairing in own):
            yield _outcome(number, entrant, own)
        elif not own and bye is not None:
            yield RoundOutcome(number, Kind.REQUESTED_BYE if bye.requested else Kind.BYE, bye.points)
        elif not own:
            yield RoundOutcome(number, Kind.REQUESTED_BYE, 0.0)


def _outcome(number: int, entrant: int, games: list[Pairing]) -> RoundOutcome:
    points, opponent = sum(pairing.points(entrant) for pairing in games), games[0].opponent(entrant)
    if all(pairing.result is Result.VOID for pairing in games):
        return RoundOutcome(number, Kind.BYE, 0.0)
    if not all(pairing.is_unplayed for pairing in games):
        return RoundOutcome(number, Kind.PLAYED, points, opponent)
    is_won = points > len(games) / 2
    return RoundOutcome(number, Kind.FORFEIT_WIN if is_won else Kind.FORFEIT_LOSS, points, opponent)
