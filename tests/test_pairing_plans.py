"""Plans of pairs: everybody who can be paired is, as well as can be, and however many wait."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import pairing as bench
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.matchmaking import pairing
from correspondence.matchmaking.candidates import Candidate
from correspondence.matchmaking.seek_columns import SeekColumns
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
    """The weight of each pair that agrees, by the ids of its seeks."""
    weights = bench.weights_of(waiting, now=START)
    fits = {
        frozenset((one.seek.id, other.seek.id))
        for one, other in combinations(waiting, 2)
        if pairing.agreement(one, other, now=START)
    }
    assert weights.keys() == fits
    return weights


def best(edges):
    """The most pairs there can be, and the greatest weight of so many, found by trying all."""
    if not edges:
        return 0, 0
    one = min(min(pair) for pair in edges)
    without = {pair: weight for pair, weight in edges.items() if one not in pair}
    found = [best(without)]
    for pair, weight in edges.items():
        if one in pair:
            pairs, total = best({other: points for other, points in without.items() if not other & pair})
            found.append((pairs + 1, total + weight))
    return max(found)


def planned(waiting):
    return [frozenset((pair.one, pair.other)) for pair in pairing.plan_pairs(waiting, now=START)]


@given(pools(of_one_each=False), st.sampled_from((1.0, 2.0, float("inf"))))
def test_many_seeks_are_compared_as_each_two_are(waiting, ratio):
    columns = SeekColumns(waiting, now=START)
    for place, one in enumerate(waiting):
        fit = [pairing.agreement(one, other, now=START, pace_ratio=ratio) is not None for other in waiting]
        assert columns.fitting(place, pace_ratio=ratio).tolist() == [other for other, does in enumerate(fit) if does]


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
    row = Seek(id=person, person_id=person, state=SeekState.OPEN, games_begun=0,
               **terms_columns(terms) | wanted | {"created_at": START - DAY} | (seek or {}))  # fmt: skip
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
def test_each_condition_of_either_seek_keeps_two_apart(wanted, known, others, fit):
    waiting = [one_of_two(1, wanted, **known), one_of_two(2, **others)]
    for both in (waiting, waiting[::-1]):
        assert (pairing.agreement(*both, now=START) is not None) == fit
        assert len(pairing.plan_pairs(both, now=START)) == fit


@given(pools())
def test_small_plan_has_the_most_pairs_and_the_greatest_weight(waiting):
    edges, pairs = edges_of(waiting), planned(waiting)
    assert set(pairs) <= set(edges), "nobody is paired with whom they do not fit"
    assert len(frozenset().union(*pairs)) == 2 * len(pairs), "every seek is paired once"
    assert (len(pairs), sum(edges[pair] for pair in pairs)) == best(edges)


@given(pools(of_one_each=False))
def test_no_two_persons_are_joined_twice_and_no_two_that_fit_are_left(waiting):
    edges, pairs = edges_of(waiting), planned(waiting)
    person = {one.seek.id: one.candidate.id for one in waiting}
    joined = [frozenset(person[seek] for seek in pair) for pair in pairs]
    assert len(joined) == len(set(joined)) and set(pairs) <= set(edges)
    taken = frozenset().union(*pairs)
    left = [pair for pair in edges if not pair & taken]
    assert all(frozenset(person[seek] for seek in pair) in joined for pair in left)


@given(st.sampled_from(list(bench.POOLS)), st.integers(0, 10_000))
@settings(max_examples=examples(80), deadline=None)
def test_plan_for_200_seeks_has_99_percent_of_the_greatest_weight(name, seed):
    assert bench.share_of_greatest(bench.pool(name, 200, seed)) >= 0.99


@pytest.mark.parametrize("seeks", [240, pairing.LARGE + 100])
@pytest.mark.parametrize("name", bench.POOLS)
def test_large_pool_leaves_no_two_that_fit(name, seeks):
    waiting = bench.pool(name, seeks)
    pairs = pairing.plan_pairs(waiting, now=bench.NOW)
    taken = {seek for pair in pairs for seek in (pair.one, pair.other)}
    left = [one for one in waiting if one.seek.id not in taken]
    assert len(taken) == 2 * len(pairs)
    assert not bench.weights_of(left)


def test_partner_is_found_beyond_thirty_nearer_ones_who_prefer_others():
    """Forty like each other best; the last one, whom all would take, is paired all the same."""
    alike = [one_of_two(number, rating=1500) for number in range(1, 41)]
    others = [one_of_two(41, rating=1950), one_of_two(42, {"created_at": START - 300 * DAY}, rating=1050)]
    assert len(pairing.plan_pairs([*alike, *others], now=START)) == 21


def test_few_who_come_to_many_who_wait_get_the_best_of_all():
    """Sixty wait for black; three who take it are paired as if every pair had been weighed."""
    waiting = bench.pool("all_white", 63)
    for one in waiting[20::20]:
        one.seek.seat = 1
    assert len(pairing.plan_pairs(waiting, now=bench.NOW)) == 3
    assert bench.share_of_greatest(waiting) == 1


def test_of_many_who_are_alike_the_last_to_come_waits():
    waiting = [
        one_of_two(number, {"created_at": START - timedelta(minutes=90 * (300 - number))}) for number in range(1, 202)
    ]
    taken = {seek for pair in pairing.plan_pairs(waiting, now=START) for seek in (pair.one, pair.other)}
    assert {one.seek.id for one in waiting} - taken == {201}
