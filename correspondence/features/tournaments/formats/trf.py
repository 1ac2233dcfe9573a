"""Tournaments as files in FIDE's format TRF26, which other programs read.

A file holds one group: a section of a round robin, a division of a league's season, or a Swiss tournament. Games of a
section are in the rounds of its Berger table. A running game has no result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from correspondence.features.tournaments.formats import league, round_robin, swiss
from correspondence.features.tournaments.formats.field import Bye, Field, Pairing, Result, Row
from correspondence.features.tournaments.formats.schedule import berger
from correspondence.features.tournaments.formats.section import Section

__all__ = ["EXPORTED", "trf"]

EXPORTED = ("round-robin", "swiss", "league")
"""Formats that have a file."""

SECTION_TIEBREAKS = "DE,SB,WIN"
SWISS_TIEBREAKS = "BH/C1,BH,SB"
MARKS = {Result.FIRST_WINS: "10", Result.SECOND_WINS: "01", Result.DRAWN: "==", Result.RUNNING: "  ", Result.VOID: "--"}
"""Results as the two seats have them."""

Cell = tuple[int, str, str]
"""Number of the opponent, colour and result of one round."""

FREE: Cell = (0, "-", "U")
"""The free round of a section with an odd number, which gives no points there."""

SCORES_WITHOUT_BYES = "162  W 1.0    D 0.5    L 0.0    P 0.0"


def trf(
    field: Field, *, title: str, handles: Mapping[int, str], begins: date, ends: date, stage: int = 0, section: int = 1
) -> str:
    """Return the file of one group; `stage` is the stage or season, the latest one unless given.

    Raise KeyError if the format has no file or the tournament no such group.
    """
    if field.settings.format == "swiss":
        return _swiss(field, title, handles, begins, ends)
    groups = {"round-robin": round_robin.stages, "league": league.seasons}[field.settings.format](field)
    try:
        group = list(groups)[(stage or 0) - 1][section - 1]
    except IndexError as error:
        raise KeyError(f"no section {section} in stage {stage}") from error
    return _section(field, group, title, handles, begins, ends)


def _section(field: Field, group: Section, title: str, handles: Mapping[int, str], begins: date, ends: date) -> str:
    cells = _cells_of_section(group)
    games = max((pairing.leg for pairing in group.planned), default=1)
    double = "DOUBLE" if games > 1 else ""
    kind = "CUSTOM" if field.settings.format == "league" else "BERGER" if double else "FIDE"
    rounds = len(next(iter(cells.values()), ()))
    head = _head(title, begins, ends, len(group.members), rounds, "Round-Robin")
    scores = [SCORES_WITHOUT_BYES] if len(group.members) % 2 else []
    codes = [*scores, f"192 {kind}_{double}ROUNDROBIN", f"202 {SECTION_TIEBREAKS}", f"212 PTS,{SECTION_TIEBREAKS}"]
    return _file([*head, *codes], group.members, {row.entrant: row for row in group.rows()}, handles, cells)


def _swiss(field: Field, title: str, handles: Mapping[int, str], begins: date, ends: date) -> str:
    members = tuple(entrant.id for entrant in field.placed)
    rounds = max(field.round, swiss.round_count(field)) * field.settings.games
    head = _head(title, begins, ends, len(members), rounds, "Swiss-System")
    kind = "CUSTOM_DOUBLESWISS" if field.settings.games > 1 else "CUSTOM_SWISS"
    codes = [f"192 {kind}", f"202 {SWISS_TIEBREAKS}", f"212 PTS,{SWISS_TIEBREAKS}"]
    rows = {row.entrant: row for row in swiss.standings(field)}
    return _file([*head, *codes], members, rows, handles, _cells_of_swiss(field, members))


def _head(title: str, begins: date, ends: date, entrants: int, rounds: int, kind: str) -> list[str]:
    return [
        f"012 {' '.join(title.split())}",
        f"042 {begins:%Y/%m/%d}",
        f"052 {ends:%Y/%m/%d}",
        f"062 {entrants}",
        "072 0",
        f"092 Individual: {kind}",
        f"142 {rounds}",
        f"XXR {rounds}",
    ]


def _file(
    head: Sequence[str],
    members: Sequence[int],
    rows: Mapping[int | None, Row],
    handles: Mapping[int, str],
    cells: Mapping[int, Sequence[Cell]],
) -> str:
    lines = [*head, *(_line(n, rows[one], handles[one], cells[one]) for n, one in enumerate(members, 1))]
    return "\n".join(lines) + "\n"


def _line(number: int, row: Row, handle: str, cells: Sequence[Cell]) -> str:
    """Return the line of an entrant: number in columns 5 to 8, name from 15, points from 81, rank from 86."""
    name = f"001 {number:>4}      {handle[:33]:<33}"
    rounds = "".join(f"  {opponent or '0000':>4} {colour} {mark}" for opponent, colour, mark in cells)
    return (f"{name:<80}{row.points:>4.1f} {row.rank:>4}" + rounds).rstrip()


def _cells_of_section(group: Section) -> Mapping[int, Sequence[Cell]]:
    """Return the rounds of each member, by the Berger table; with two games, all second ones follow."""
    numbers = {one: number for number, one in enumerate(group.members, 1)}
    table = berger(group.members)
    legs = max((pairing.leg for pairing in group.planned), default=1)
    games = {(frozenset(pairing.seats), pairing.leg): pairing for pairing in group.pairings}
    cells: dict[int, list[Cell]] = {one: [] for one in group.members}
    for leg in range(1, legs + 1):
        for of_round in table:
            playing = {one: games[frozenset(pair), leg] for pair in of_round for one in pair}
            for one in group.members:
                cells[one].append(_cell(playing[one], one, numbers) if one in playing else FREE)
    return cells


def _cells_of_swiss(field: Field, members: Sequence[int]) -> Mapping[int, Sequence[Cell]]:
    numbers = {one: number for number, one in enumerate(members, 1)}
    return {one: list(_rounds_of(field, one, numbers)) for one in members}


def _rounds_of(field: Field, entrant: int, numbers: Mapping[int, int]) -> Iterator[Cell]:
    for number in range(1, field.round + 1):
        own = [p for p in field.of_entrant(entrant) if p.round == number and set(p.seats) <= numbers.keys()]
        bye = next((bye for bye in field.byes if (bye.round, bye.entrant) == (number, entrant)), None)
        for leg in range(1, field.settings.games + 1):
            game = next((pairing for pairing in own if pairing.leg == leg), None)
            yield _cell(game, entrant, numbers) if game else (0, "-", _bye_mark(bye))


def _bye_mark(bye: Bye | None) -> str:
    if bye is None or not bye.points:
        return "Z"
    return "H" if bye.requested else "U"


def _cell(pairing: Pairing, entrant: int, numbers: Mapping[int, int]) -> Cell:
    seat = pairing.seats.index(entrant)
    mark = MARKS[pairing.result][seat]
    if pairing.is_unplayed and pairing.result in (Result.FIRST_WINS, Result.SECOND_WINS):
        mark = "+" if mark == "1" else "-"
    return numbers[pairing.opponent(entrant)], "wb"[seat], mark
