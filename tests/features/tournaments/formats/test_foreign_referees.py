"""Libraries that nobody here wrote agree with our tables, pairings and tie-breaks."""

from __future__ import annotations

import random
import warnings

import pytest
from caissify_pairings import generate_pairings
from tiebreak_core import GameRecord, PlayerTiebreakData
from tiebreak_core.fide2026 import rank_standings

from correspondence.features.tournaments.formats import round_robin, swiss
from correspondence.features.tournaments.formats.schedule import berger
from tests.features.tournaments.formats.playing import change, leave, play, tournament


@pytest.mark.parametrize("count", [*range(3, 13), 25, 40])
def test_berger_tables_are_the_handbook_s(count):
    players = [{"id": n, "name": str(n), "rating": 0, "starting_number": n, "score": 0} for n in range(1, count + 1)]
    for number, games in enumerate(berger(range(1, count + 1)), 1):
        theirs = generate_pairings("round_robin", players, set(), number, count)
        assert {(p["white_id"], p["black_id"]) for p in theirs if p["black_id"]} == set(games)


def referee(field, rounds_of):
    players = {}
    for entrant in field.entrants:
        games = rounds_of(entrant.id)
        players[entrant.id] = PlayerTiebreakData(entrant.id, 1500, sum(g.score for g in games), games)
    return players


def record(number, pairing, entrant, kind="played"):
    return GameRecord(pairing.opponent(entrant), 1500, pairing.points(entrant), "white", number, kind)


@pytest.mark.parametrize("seed", range(30))
def test_round_robin_stands_as_the_referee_ranks_it(seed):
    rng = random.Random(seed)
    field = play(tournament("round-robin", rng.randint(3, 9)), rng)
    players = referee(field, lambda one: [record(n, p, one) for n, p in enumerate(field.of_entrant(one), 1)])
    criteria = ("direct_encounter", "sonneborn_berger", "wins")
    theirs = rank_standings(players, criteria, len(field.entrants), mode="round_robin")
    assert [row.entrant for row in round_robin.standings(field)] == [player.player_id for player in theirs.players]


def swiss_rounds(field, entrant):
    for number in range(1, field.round + 1):
        own = [p for p in field.of_entrant(entrant) if p.round == number]
        bye = next((b for b in field.byes if (b.round, b.entrant) == (number, entrant)), None)
        if own and own[0].is_unplayed:
            yield record(number, own[0], entrant, "forfeit_win" if own[0].points(entrant) else "forfeit_loss")
        elif own:
            yield record(number, own[0], entrant)
        else:
            kind = "requested_bye" if bye is None or bye.requested else "pairing_bye"
            yield GameRecord(-1, 0, 0.0 if bye is None else bye.points, "white", number, kind)


@pytest.mark.parametrize("seed", range(30))
def test_swiss_tiebreaks_are_those_of_the_referee(seed):
    rng = random.Random(seed)
    count = rng.randint(5, 13)
    field = tournament("swiss", count, rounds=count // 2)
    for entrant in rng.sample(field.entrants, 2):
        field = change(field, entrant.id, sits_out=frozenset({rng.randint(1, count // 2)}))
    field = play(field, rng, until=lambda f: f.round == count // 4 + 1)
    field = play(leave(field, rng.choice(field.entrants).id), rng)
    players = referee(field, lambda one: list(swiss_rounds(field, one)))
    criteria = ("buchholz_cut1", "buchholz", "sonneborn_berger")
    theirs = {p.player_id: p for p in rank_standings(players, criteria, field.round).players}
    for row in swiss.standings(field):
        values = [theirs[row.entrant].values[name] for name in criteria]
        assert list(row.tiebreaks.values()) == pytest.approx(values), row
        assert row.points == theirs[row.entrant].points


def dutch_cost(field, number):
    """The sum of squared score differences of the round that the Dutch system pairs."""
    before = field.until(number - 1)
    score = {row.entrant: row.points for row in swiss.standings(before)}
    players = [player(before, entrant, score) for entrant in before.entrants]
    met = {tuple(sorted(p.seats)) for p in before.pairings}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = generate_pairings("dutch", players, met, number, swiss.round_count(field))
    return cost([(p["white_id"], p["black_id"]) for p in theirs if p["black_id"]], score)


def player(field, entrant, score):
    own = sorted(field.of_entrant(entrant.id), key=lambda p: p.round)
    played = {p.round: ("white", "black")[p.seats.index(entrant.id)] for p in own}
    return {
        "id": entrant.id, "name": str(entrant.id), "rating": 0, "starting_number": entrant.seed,
        "score": score[entrant.id], "float_history": ["none"] * field.round,
        "color_hist": [played.get(number, "none") for number in range(1, field.round + 1)],
        "bye_count": sum(bye.entrant == entrant.id for bye in field.byes),
    }  # fmt: skip


def cost(pairs, score):
    return sum((score[one] - score[other]) ** 2 for one, other in pairs)


def test_score_differences_are_rarely_larger_than_in_the_dutch_system():
    worse = rounds = 0
    for seed in range(25):
        rng = random.Random(seed)
        field = play(tournament("swiss", rng.choice([8, 10, 12, 14]), rounds=4), rng)
        for number in range(2, field.round + 1):
            score = {row.entrant: row.points for row in swiss.standings(field.until(number - 1))}
            ours = cost([p.seats for p in field.of_round(number)], score)
            worse += ours > dutch_cost(field, number)
            rounds += 1
    assert worse <= rounds / 100, f"{worse} of {rounds}"
