"""Round robin: in each section all play all; with finals, the winners of sections meet again.

A stage is one round of sections. Its games begin at once, or with `at_once` whenever an entrant has fewer running
games than that. Stage and section are `Pairing.round` and `Pairing.section`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from correspondence.features.tournaments.formats.field import Field, Pairing, Result, Row, Upcoming
from correspondence.features.tournaments.formats.schedule import schedule, section_sizes, snake
from correspondence.features.tournaments.formats.section import Section

__all__ = ["is_over", "next_pairings", "settled", "stages", "standings", "starting"]

MAX_ADVANCE = 3
"""Maximum number of entrants of a section who advance, so that each stage is smaller than the one before."""


def next_pairings(field: Field) -> Upcoming:
    """Return the games to begin: those of a stage that are due, and the next stage once it is known."""
    return Upcoming(tuple(starting(field, [section for stage in stages(field) for section in stage])))


def standings(field: Field) -> tuple[Row, ...]:
    """Return a row for each entrant, in the latest stage that they reached; later stages first.

    Ranks and bounds are those within a section of that stage.
    """
    rows: dict[int | None, Row] = {}
    for stage in reversed(list(stages(field))):
        for section in stage:
            for row in section.rows():
                rows.setdefault(row.entrant, row)
    return tuple(rows.values())


def is_over(field: Field) -> bool:
    """Whether all games of the last stage have results."""
    if any(pairing.is_running and pairing.game is not None for pairing in field.pairings):
        return False
    found = list(stages(field))
    is_last = not field.settings.final or len(found[-1]) == 1
    return is_last and all(section.is_over for stage in found for section in stage)


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games that were recorded or will not be played, as they count, and those of replaced entrants."""
    sections = [section for stage in stages(field) for section in stage]
    counted = {p.key: p for section in sections for p in section.pairings if p.key in field.by_key or not p.is_running}
    others = [replace(p, result=Result.VOID) for p in field.pairings if p.key not in counted]
    return (*counted.values(), *others)


def starting(field: Field, sections: Iterable[Section]) -> Iterator[Pairing]:
    """Yield the games of sections that are due, in the order of the Berger tables.

    With `at_once`, games with a barred entrant are due only if the opponent has no other game.
    """
    running = field.running()
    due = [p for section in sections for p in section.pairings if p.is_running and p.key not in field.by_key]
    free = [p for p in due if not any(field.by_id[seat].has_left for seat in p.seats)]
    for pairing in [p for p in free if not _barred(field, p)]:
        if _has_room(field, running, pairing):
            running.update(pairing.seats)
            yield pairing
    for pairing in free:
        barred = _barred(field, pairing)
        idle = [seat for seat in pairing.seats if seat not in barred and running[seat]]
        if barred and not (field.settings.at_once and idle):
            yield replace(pairing, result=Result.VOID) if len(barred) == 2 else pairing.lost_by(barred[0])


def _barred(field: Field, pairing: Pairing) -> list[int]:
    return [seat for seat in pairing.seats if field.is_barred(seat)]


def _has_room(field: Field, running: Counter[int], pairing: Pairing) -> bool:
    most = field.settings.at_once
    return not most or all(running[seat] < most for seat in pairing.seats)


def stages(field: Field) -> Iterator[tuple[Section, ...]]:
    """Yield the sections of each stage that has begun or can begin, first stage first."""
    stage = _sections(field, 1, _by_strength(field, {entrant.id for entrant in field.placed}))
    yield stage
    number = 1
    while field.settings.final and len(stage) > 1:
        number += 1
        groups = _recorded_groups(field, number) or _advanced(field, stage, number)
        if groups is None:
            return
        stage = _sections(field, number, groups)
        yield stage


def _sizes(entrants: int) -> list[int]:
    return [entrants] if entrants <= 9 else section_sizes(entrants)


def _sections(field: Field, number: int, groups: list[tuple[int, ...]]) -> tuple[Section, ...]:
    is_final_of_two = number > 1 and len(groups) == 1 and len(groups[0]) == 2
    games = max(field.settings.games, 2 if is_final_of_two else 1)
    return tuple(
        Section(field, group, schedule(group, round=number, section=place, games=games))
        for place, group in enumerate(groups, 1)
    )


def _advanced(field: Field, stage: tuple[Section, ...], number: int) -> list[tuple[int, ...]] | None:
    """Return the groups of the next stage by seed; None while a game can still alter who advances.

    Who leaves after the next stage began changes nothing here.
    """
    began = next((one.began_at for one in field.rounds if one.number == number), None)
    at_start = field if began is None else field.without_leavers_after(began)
    ids: set[int] = set()
    for section in stage:
        top = replace(section, field=at_start).first(min(field.settings.advance, MAX_ADVANCE))
        if top is None:
            return None
        ids.update(map(field.holder, top))
    return _by_strength(field, ids)


def _recorded_groups(field: Field, number: int) -> list[tuple[int, ...]]:
    """Return the groups of a stage that has begun, from its pairings; none with `at_once`, which records only some."""
    if field.settings.at_once:
        return []
    places = sorted({pairing.section for pairing in field.of_round(number)})
    members = [{field.holder(one) for p in field.of_round(number, place) for one in p.seats} for place in places]
    return [tuple(entrant.id for entrant in field.placed if entrant.id in group) for group in members]


def _by_strength(field: Field, ids: set[int]) -> list[tuple[int, ...]]:
    members = [entrant.id for entrant in field.placed if entrant.id in ids]
    return snake(members, _sizes(len(members)))
