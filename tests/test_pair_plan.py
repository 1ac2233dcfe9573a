"""Plans of pairs: everybody who can be paired is, as well as can be, and however many wait."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import pair_plans
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.matchmaking import pairing
from correspondence.matchmaking.candidates import Candidate
from correspondence.matchmaking.compatibility import compatible_seeks, places_in
from correspondence.matchmaking.graph_matching import ALONE, make_most_pairs
from correspondence.models import NEVER_AGAIN, Seek, SeekState
from correspondence.models.terms import terms_columns
from tests.sizes import examples
from tests.tables import START

DAY = timedelta(days=1)
PEOPLE = range(1, 15)
TERMS = st.builds(
    Terms,
    st.just("duel"),
    st.sampled_from(("", "", "board=sun")),
    st.sampled_from([per_move(days * DAY) for days in (1, 2, 2, 4, 7)]),
    st.sampled_from((True, True, False)),
    st.sampled_from((True, True, True, False)),
)
LARGE = {"work": 0}
"""How a plan is asked for as if its groups were too large for the greatest weight."""


@st.composite
def candidates(draw, person):
    met = draw(st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from((3, 40, 400)), max_size=3))
    return Candidate(
        person,
        f"p{person}",
        rating=draw(st.sampled_from((None, 1200, 1400, 1401, 1900))),
        reliability=draw(st.sampled_from((None, 60, 90))),
        languages=frozenset(draw(st.sampled_from(("en", "it", "en it"))).split()),
        away_until=draw(st.sampled_from((None,) * 9 + (START + DAY,))),
        game_limit_reason=draw(st.sampled_from(("",) * 9 + ("You play 50 games.",))),
        blocked=frozenset(draw(st.sets(st.sampled_from(PEOPLE), max_size=1))),
        met={other: START - days * DAY for other, days in met.items()},
        tempo=draw(st.sampled_from((None, timedelta(hours=2), timedelta(hours=50)))),
    )


@st.composite
def wishes(draw, number, person):
    waited = timedelta(hours=draw(st.integers(0, 500)))
    conditions = {
        "seat": draw(st.sampled_from((None, None, 0, 1))),
        "rating_low": draw(st.sampled_from((None, None, 1300, 1401))),
        "rating_high": draw(st.sampled_from((None, None, 1401, 1950))),
        "reliability": draw(st.sampled_from((0, 0, 80))),
        "rest_days": draw(st.sampled_from((0, 0, 30, NEVER_AGAIN))),
        "language": draw(st.sampled_from(("", "", "it"))),
        "pair_me": draw(st.booleans()),
        "games_at_once": draw(st.sampled_from((0, 0, 2))),
    }
    row = Seek(id=number, person_id=person, created_at=START - waited, state=SeekState.OPEN, games_begun=0,
               any_options=conditions["pair_me"] and draw(st.booleans()),
               expires_at=draw(st.sampled_from((None, None, None, START, START + DAY))),
               **terms_columns(draw(TERMS)) | conditions)  # fmt: skip
    return pairing.PairableSeek(row, draw(candidates(person)), draw(st.sampled_from((0, 1, 2))))


@st.composite
def pools(draw, of_one_each=True):
    """Seeks in no order of numbers; of one person each, or of few persons."""
    count = draw(st.integers(2, 9))
    persons = draw(st.permutations(PEOPLE)) if of_one_each else [draw(st.integers(1, 4)) for _seek in range(count)]
    return draw(st.permutations([draw(wishes(number + 100, persons[number])) for number in range(count)]))


def edges_of(waiting):
    """The weight of each pair that may play, by the ids of the seeks: what the service says of every two."""
    weights = {
        frozenset((one.seek.id, other.seek.id)): pairing.weight(one, other, now=START)
        for one, other in combinations(waiting, 2)
    }
    return {pair: weight for pair, weight in weights.items() if weight is not None}


def best(edges):
    """The most pairs there can be, and the greatest weight of so many, from networkx, as pairing found them once."""
    graph = nx.Graph()
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in edges.items())
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return len(matched), sum(edges[frozenset(pair)] for pair in matched)


def planned(waiting, **how):
    return [frozenset((pair.one, pair.other)) for pair in pairing.plan_pairs(waiting, now=START, **how)]


@given(pools(of_one_each=False), st.sampled_from((1.0, 2.0, float("inf"))))
def test_many_seeks_are_compared_as_each_two_are(waiting, ratio):
    found = compatible_seeks(waiting, now=START, pace_ratio=ratio)
    for one, other in combinations(range(len(waiting)), 2):
        fit = pairing.agreement(waiting[one], waiting[other], now=START, pace_ratio=ratio) is not None
        assert [bool(found[one] >> other & 1), bool(found[other] >> one & 1)] == [fit, fit]


def one_of_two(person, seek=None, **known):
    terms = Terms("duel", "", per_move(3 * DAY))
    wanted = {
        "pair_me": True,
        "any_options": False,
        "games_at_once": 0,
        "reliability": 0,
        "rest_days": 0,
        "language": "",
    }
    row = Seek(id=person, person_id=person, created_at=START - DAY, state=SeekState.OPEN, games_begun=0,
               **terms_columns(terms) | wanted | (seek or {}))  # fmt: skip
    return pairing.PairableSeek(row, Candidate(person, f"p{person}", **known))


@pytest.mark.parametrize(("wanted", "known", "others", "fit"), [
    ({}, {}, {}, True),
    ({}, {"blocked": frozenset({2})}, {}, False),
    ({"rest_days": NEVER_AGAIN}, {"met": {2: START - 900 * DAY}}, {}, False),
    ({"rest_days": 30}, {"met": {2: START - 3 * DAY}}, {}, False),
    ({"rest_days": 30}, {"met": {2: START - 30 * DAY}}, {}, True),
    ({"reliability": 80}, {}, {"reliability": 79}, False),
    ({"reliability": 80}, {}, {}, True),
    ({"rating_low": 1500}, {}, {"rating": 1499}, False),
    ({"rating_high": 1500}, {}, {"rating": 1501}, False),
    ({"rating_low": 1500, "rating_high": 1500}, {}, {"rating": 1500}, True),
    ({"rating_low": 1500}, {}, {}, True),
    ({"language": "it"}, {}, {"languages": frozenset({"en"})}, False),
    ({"language": "it"}, {}, {"languages": frozenset({"en", "it"})}, True),
    ({}, {"away_until": START + DAY}, {}, False),
    ({"rated": False}, {}, {}, False),
    ({"analysis": False}, {}, {}, False),
    ({"options": "board=sun"}, {}, {}, False),
    ({"options": "board=sun", "any_options": True}, {}, {}, True),
])  # fmt: skip
def test_each_condition_keeps_two_apart_whoever_of_them_has_it(wanted, known, others, fit):
    waiting = [one_of_two(1, wanted, **known), one_of_two(2, **others)]
    for both in (waiting, waiting[::-1]):
        assert (pairing.agreement(*both, now=START) is not None) == fit
        assert compatible_seeks(both, now=START) == ([2, 1] if fit else [0, 0])


@pytest.mark.parametrize("seed", range(40))
def test_as_many_pairs_are_made_where_circles_of_odd_length_stand_in_the_way(seed):
    rng = random.Random(seed)
    for _graph in range(20):
        count = rng.randint(5, 18)
        graph = nx.gnm_random_graph(count, round(count * rng.uniform(1, 1.6)), seed=rng.randrange(1 << 30))
        partner = [ALONE] * count
        make_most_pairs([sum(1 << other for other in graph[one]) for one in range(count)], partner)
        most = len(nx.max_weight_matching(graph, maxcardinality=True))
        assert sum(one != ALONE for one in partner) == 2 * most


@given(pools())
def test_a_plan_has_the_most_pairs_and_of_such_plans_the_greatest_weight(waiting):
    edges, pairs = edges_of(waiting), planned(waiting)
    assert set(pairs) <= set(edges), "nobody is paired with whom they do not fit"
    assert len(frozenset().union(*pairs)) == 2 * len(pairs), "every seek is paired once"
    assert (len(pairs), sum(edges[pair] for pair in pairs)) == best(edges)


@given(pools())
def test_where_too_many_wait_for_the_best_plan_it_still_has_the_most_pairs(waiting):
    edges, pairs = edges_of(waiting), planned(waiting, **LARGE)
    most, greatest = best(edges)
    assert set(pairs) <= set(edges) and len(frozenset().union(*pairs)) == 2 * len(pairs) == 2 * most
    assert sum(edges[pair] for pair in pairs) >= 0.61 * greatest


@given(pools())
def test_where_too_many_wait_no_exchange_of_a_partner_is_better(waiting):
    """Of nine seeks each is among the nearest of all others, so every exchange has been tried."""
    edges, pairs = edges_of(waiting), planned(waiting, **LARGE)
    partner = {one: other for pair in pairs for one, other in (tuple(pair), tuple(pair)[::-1])}
    for pair, weight in edges.items():
        one, other = pair
        broken = {frozenset((place, partner[place])) for place in pair if place in partner}
        beside = [partner[place] for place in (one, other) if place in partner]
        mended = edges.get(frozenset(beside), 0) if len(beside) == 2 else 0
        if pair not in pairs and (mended or len(beside) < 2):
            assert weight + mended <= sum(edges[old] for old in broken)


@given(pools(of_one_each=False), st.sampled_from(({}, LARGE)))
def test_no_two_persons_are_joined_twice_and_no_two_that_fit_are_left(waiting, how):
    edges, pairs = edges_of(waiting), planned(waiting, **how)
    person = {one.seek.id: one.candidate.id for one in waiting}
    joined = [frozenset(person[seek] for seek in pair) for pair in pairs]
    assert len(joined) == len(set(joined)) and set(pairs) <= set(edges)
    taken = frozenset().union(*pairs)
    left = [pair for pair in edges if not pair & taken]
    assert all(frozenset(person[seek] for seek in pair) in joined for pair in left)


@given(st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40), st.integers(0, 3))
@settings(max_examples=examples(300))
def test_as_many_pairs_are_made_as_a_graph_has(drawn, begun):
    edges = {frozenset(pair) for pair in drawn if len(set(pair)) == 2}
    neighbours = [sum(1 << other for other in range(13) if frozenset((one, other)) in edges) for one in range(13)]
    partner = [ALONE] * 13
    for one, other in (tuple(pair) for pair in sorted(edges, key=sorted)[:begun]):
        if partner[one] == partner[other] == ALONE:
            partner[one], partner[other] = other, one
    before = {one for one in range(13) if partner[one] != ALONE}
    make_most_pairs(neighbours, partner)
    after = {one for one in range(13) if partner[one] != ALONE}
    assert before <= after and len(after) == 2 * len(nx.max_weight_matching(nx.Graph(map(tuple, edges)), True))
    assert all(frozenset((one, partner[one])) in edges and partner[partner[one]] == one for one in after)


@given(st.integers(0, 1 << 70))
def test_places_are_those_of_the_bits_that_are_set(chosen):
    assert sum(1 << place for place in places_in(chosen)) == chosen


@pytest.mark.parametrize("name", pair_plans.POOLS)
def test_a_large_pool_leaves_no_two_that_fit(name):
    waiting = pair_plans.pool(name, 240)
    pairs = pairing.plan_pairs(waiting, now=pair_plans.NOW)
    taken = {seek for pair in pairs for seek in (pair.one, pair.other)}
    left = [one for one in waiting if one.seek.id not in taken]
    assert not any(pairing.agreement(one, other, now=pair_plans.NOW) for one, other in combinations(left, 2))
    assert len(taken) == 2 * len(pairs)


def test_few_who_come_to_many_who_wait_get_the_best_of_all():
    """Sixty wait for black; three who take it are paired as if every pair had been weighed."""
    waiting = pair_plans.pool("all_white", 63)
    for one in waiting[20::20]:
        one.seek.seat = 1
    weights = {
        frozenset((one.seek.id, other.seek.id)): weight
        for one, other in combinations(waiting, 2)
        if (weight := pairing.weight(one, other, now=pair_plans.NOW)) is not None
    }
    pairs = pairing.plan_pairs(waiting, now=pair_plans.NOW)
    assert (len(pairs), sum(weights[frozenset((pair.one, pair.other))] for pair in pairs)) == best(weights)


def test_of_many_who_are_alike_whoever_came_last_waits():
    waiting = pair_plans.pool("all_fit", 201)
    for place, one in enumerate(waiting):
        one.seek.created_at = START - timedelta(minutes=90 * (300 - place))
    alike = [pairing.PairableSeek(one.seek, Candidate(one.candidate.id, one.candidate.handle)) for one in waiting]
    for one in alike:
        one.seek.bank = one.seek.increment = one.seek.cap = 86400
    taken = {seek for pair in pairing.plan_pairs(alike, now=START) for seek in (pair.one, pair.other)}
    assert {one.seek.id for one in alike} - taken == {201}
