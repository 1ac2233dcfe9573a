"""Team matches: boards, points, missing players and substitutes."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.features.tournaments.formats import team_match
from correspondence.features.tournaments.formats.field import Entrant, Field, Result, Settings
from tests.features.tournaments.formats.playing import START, begin, change, end, leave, play, running, seeds


def match(home, away, **settings):
    teams = [("north", n, 100 + n) for n in range(1, home + 1)] + [("south", n, 200 + n) for n in range(1, away + 1)]
    entrants = tuple(
        Entrant(id=number, seed=place, rating=2000 - 10 * n, club=club)
        for place, (club, n, number) in enumerate(teams, 1)
    )
    terms = Settings(format="team-match", clubs=("north", "south"), **settings)
    return Field(settings=terms, entrants=entrants, now=START)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), seeds)
def test_match_ends_and_game_points_decide(home, away, rng):
    known = {}

    def look(field):
        for row in team_match.standings(field):
            best, worst = known.get(row.club, (1, 2))
            assert best <= row.best <= row.worst <= worst
            known[row.club] = (row.best, row.worst)

    field = play(match(home, away), rng, look=look)
    assert len(field.pairings) == 2 * min(home, away)
    one, other = team_match.standings(field)
    assert one.points + other.points == 2 * min(home, away)
    assert one.rank == 1 and other.rank == (1 if one.points == other.points else 2)
    assert all(row.best == row.rank == row.worst for row in (one, other))
    assert one.seats[0] == one.seats[1]


def test_boards_are_by_rating_and_as_agreed():
    assert team_match.boards(match(4, 3)) == ((101, 201), (102, 202), (103, 203))
    assert team_match.boards(match(4, 3, boards=2)) == ((101, 201), (102, 202))


def test_captain_orders_the_boards():
    field = change(change(match(3, 3), 103, board=1), 101, board=2)
    assert [one for one, _other in team_match.boards(field)] == [103, 101, 102]


def test_board_without_a_player_is_lost_two_nil():
    field = begin(leave(match(2, 2), 202))
    lost = [p for p in field.pairings if p.board == 2]
    assert [p.game for p in lost] == [None, None] and all(p.points(102) == 1 for p in lost)


def test_substitute_plays_on_the_board_of_whom_they_replace():
    field = begin(match(3, 2))
    for pairing in [p for p in running(field) if 101 in p.seats]:
        field = end(field, pairing, Result.VOID)
    field = begin(change(field, 101, replaced_by=103))
    assert team_match.boards(field) == ((103, 201), (102, 202))
    assert [p.seats for p in running(field) if 103 in p.seats] == [(103, 201), (201, 103)]
    assert len(team_match.settled(play(field, random.Random(1)))) == 6


def test_substitute_may_enter_late():
    field = begin(match(2, 2))
    late = replace(field.by_id[102], id=150, seed=9, rating=2500)
    field = begin(replace(field, entrants=(*change(field, 102, replaced_by=150).entrants, late)))
    assert team_match.boards(field) == ((101, 201), (150, 202))
