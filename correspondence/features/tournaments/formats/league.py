"""League: perpetual, in divisions and seasons; in each division all play all.

`Pairing.round` is the season and `Pairing.section` the division. A season is over when its order is certain, or on its
last day, when games that still run are judged. Then the next season begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from correspondence.features.tournaments.formats.divisions import Returner, first_divisions, next_divisions, rising
from correspondence.features.tournaments.formats.field import Entrant, Field, Pairing, Row, Upcoming
from correspondence.features.tournaments.formats.schedule import schedule
from correspondence.features.tournaments.formats.season_seats import orient
from correspondence.features.tournaments.formats.section import Section

__all__ = ["divisions", "is_over", "next_pairings", "seasons", "settled", "standings", "to_judge"]


def next_pairings(field: Field) -> Upcoming:
    """Return the games of the next season if the last one is over and enough entrants are there.

    With them come the final results of the last season that leaving has changed.
    """
    if field.round and not _is_season_over(field):
        return Upcoming()
    games = [game for place, ids in enumerate(divisions(field), 1) for game in _games(field, place, ids)]
    if not games:
        return Upcoming()
    recorded = frozenset(field.of_round(field.round))
    changed = [p for section in _sections(field, field.round) for p in section.pairings if p not in recorded]
    return Upcoming((*changed, *games))


def standings(field: Field) -> tuple[Row, ...]:
    """Return the rows of the latest season, highest division first. `Field.until` gives those of earlier seasons."""
    return tuple(row for section in _sections(field, field.round) for row in section.rows())


def is_over(field: Field) -> bool:
    """A league never ends."""
    return False


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games as they count."""
    return tuple(p for season in seasons(field) for section in season for p in section.pairings)


def seasons(field: Field) -> Iterator[tuple[Section, ...]]:
    """Yield the divisions of each season, first season first."""
    return (_sections(field, number) for number in range(1, field.round + 1))


def to_judge(field: Field) -> tuple[Pairing, ...]:
    """Return the games that still run after the last day of the season: their judgement is their result for good."""
    if not field.is_due(field.round):
        return ()
    return tuple(pairing for pairing in field.of_round(field.round) if pairing.is_running)


def divisions(field: Field) -> list[list[int]]:
    """Return the divisions of a season that would begin now, highest first; those with one entrant do not play."""
    present = [one for one in field.placed if _is_present(field, one)]
    played = {seat for pairing in field.pairings for seat in pairing.seats}
    newcomers = [one for one in present if one.id not in played]
    sections = _sections(field, field.round)
    if not sections:
        return first_divisions([one.id for one in sorted(newcomers, key=lambda one: (-one.rating, one.seed))])
    last = {seat for section in sections for seat in section.members}
    returners = [_returner(field, one.id) for one in present if one.id in played - last]
    found = next_divisions(
        [section.order for section in sections],
        frozenset(one.id for one in present),
        returners,
        [one.id for one in newcomers],
    )
    return [division for division in found if len(division) > 1]


def _is_present(field: Field, entrant: Entrant) -> bool:
    """Whether an entrant plays the next season: in, not resting, not barred."""
    return not (entrant.has_left or field.round + 1 in entrant.sits_out or field.is_barred(entrant.id))


def _is_season_over(field: Field) -> bool:
    """Whether no game can alter the order of a division any more."""
    return all(section.is_over or section.is_certain for section in _sections(field, field.round))


def _sections(field: Field, number: int) -> tuple[Section, ...]:
    """Return the divisions of a season as they were played. Leaving after its end changes nothing in it."""
    ended = next((one.began_at for one in field.rounds if one.number == number + 1), None)
    then = field if ended is None else field.without_leavers_after(ended)
    games: dict[int, list[Pairing]] = {}
    for pairing in field.of_round(number):
        games.setdefault(pairing.section, []).append(pairing)
    return tuple(_section(then, tuple(games[place])) for place in sorted(games))


def _section(field: Field, games: tuple[Pairing, ...]) -> Section:
    members = {seat for pairing in games for seat in pairing.seats}
    return Section(field, tuple(sorted(members, key=lambda one: (field.by_id[one].seed, one))), games)


def _returner(field: Field, entrant: int) -> Returner:
    season = max(pairing.round for pairing in field.of_entrant(entrant))
    place = next(p.section for p in field.of_entrant(entrant) if p.round == season)
    order = _section(field.until(season), field.of_round(season, place)).order
    has_risen = place > 1 and order.index(entrant) < rising(len(order))
    return Returner(entrant, place - has_risen, field.round - season)


def _games(field: Field, place: int, members: list[int]) -> Iterator[Pairing]:
    """Yield the games of a division of the next season; two members play two games."""
    games = 2 if len(members) == 2 else field.settings.games
    planned = schedule(members, round=field.round + 1, section=place, games=games)
    if games > 1:
        yield from planned
        return
    inside = frozenset(members)
    last = (pairing.seats for pairing in field.of_round(field.round) if inside.issuperset(pairing.seats))
    seats = orient([pairing.seats for pairing in planned], {(other, one) for one, other in last})
    yield from (replace(pairing, seats=own) for pairing, own in zip(planned, seats, strict=True))
