"""Team match: two clubs meet on several boards, two games on each with the seats exchanged. Game points decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from correspondence.features.tournaments.formats.field import Entrant, Field, Pairing, Result, Row, Upcoming

__all__ = ["boards", "is_over", "next_pairings", "settled", "standings"]

GAMES = 2
"""Games on a board."""


def next_pairings(field: Field) -> Upcoming:
    """Return the games to begin. Those of a player who left before or is barred are lost without a game."""
    planned = [game for number, pair in enumerate(boards(field), 1) for game in _games(number, pair)]
    return Upcoming(tuple(_begun(field, game) for game in planned if game.key not in field.by_key))


def standings(field: Field) -> tuple[Row, ...]:
    """Return a row for each club, the better one first; level clubs share the first rank."""
    games = settled(field)
    rows = [_row(field, club, games) for club in field.settings.clubs]
    return tuple(sorted(rows, key=lambda row: row.rank))


def is_over(field: Field) -> bool:
    """Whether all games on all boards have results."""
    return not next_pairings(field) and not any(pairing.is_running for pairing in settled(field))


def settled(field: Field) -> tuple[Pairing, ...]:
    """Return all games as they count: those of a player who was replaced are void."""
    return tuple(replace(p, result=Result.VOID) if _is_replaced(field, p) else p for p in field.pairings)


def boards(field: Field) -> tuple[tuple[int, int], ...]:
    """Return the players of each board, first club first: as captains ordered them, then by rating.

    There are as many boards as the smaller team has players, and no more than agreed.
    """
    teams = [_team(field, club) for club in field.settings.clubs]
    count = min([*map(len, teams), field.settings.boards or len(field.entrants)])
    return tuple((one, other) for one, other in list(zip(*teams, strict=False))[:count])


def _team(field: Field, club: str) -> list[int]:
    """Return the players of a club in the order of the boards, substitutes in the place of whom they replace."""
    substitutes = {entrant.replaced_by for entrant in field.entrants}
    team = [entrant for entrant in field.entrants if entrant.club == club and entrant.id not in substitutes]
    return [field.holder(entrant.id) for entrant in sorted(team, key=_strength)]


def _strength(entrant: Entrant) -> tuple[bool, int, float, int]:
    return (entrant.board == 0, entrant.board, -entrant.rating, entrant.seed)


def _games(board: int, pair: tuple[int, int]) -> Iterator[Pairing]:
    """Yield the games of a board; clubs take turns with the first seat of the first game."""
    seats = pair if board % 2 else pair[::-1]
    for leg in range(1, GAMES + 1):
        yield Pairing(round=1, seats=seats if leg == 1 else seats[::-1], leg=leg, board=board)


def _begun(field: Field, game: Pairing) -> Pairing:
    missing = [seat for seat in game.seats if field.by_id[seat].has_left or field.is_barred(seat)]
    if len(missing) == 2:
        return replace(game, result=Result.VOID)
    return game.lost_by(missing[0]) if missing else game


def _is_replaced(field: Field, pairing: Pairing) -> bool:
    return any(field.by_id[seat].replaced_by is not None for seat in pairing.seats)


def _row(field: Field, club: str, games: tuple[Pairing, ...]) -> Row:
    own = _points(field, games, club)
    others = sum(sum(game.points(seat) for seat in game.seats) for game in games) - own
    to_come = sum(game.is_running for game in (*games, *next_pairings(field).pairings))
    ids = {entrant.id for entrant in field.entrants if entrant.club == club}
    first = sum(game.seats[0] in ids for game in games if not game.is_unplayed and game.result is not Result.VOID)
    return Row(
        entrant=None,
        club=club,
        rank=1 if own >= others else 2,
        points=own,
        played=sum(not game.is_running and game.result is not Result.VOID for game in games),
        best=1 if own + to_come >= others else 2,
        worst=2 if others + to_come > own else 1,
        seats=(first, sum(not g.is_unplayed and g.result is not Result.VOID for g in games) - first),
    )


def _points(field: Field, games: tuple[Pairing, ...], club: str) -> float:
    return sum(game.points(seat) for game in games for seat in game.seats if field.by_id[seat].club == club)
