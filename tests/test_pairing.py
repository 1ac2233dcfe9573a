"""Pairing: who asked for it is paired with the best there is, once, however many workers run."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from correspondence.community import blocking
from correspondence.core import db
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.matchmaking import pairing
from correspondence.matchmaking.candidates import Candidate
from correspondence.models import Seek, SeekState
from correspondence.models.terms import terms_columns
from correspondence.ops.pairing_sweeps import sweep_pairing
from tests.club import matches_of, pair, row, seek, take
from tests.tables import START

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo", "dan")
    return town


def test_who_asked_to_be_paired_takes_an_open_seek_at_up_to_twice_the_pace(club):
    seek(club, "ann", time_control=per_move(3 * DAY))
    seek(club, "bob", time_control=per_move(2 * DAY), pair="yes")
    assert matches_of(club) == [] and pair(club) == 1
    with db.reading(club.engine) as session:
        assert session.get(pairing.Match, 1).bank == 3 * 86400, "who gives way is who asked to be paired"
    assert len(club.letters("ann")) == len(club.letters("bob")) == 1


def test_of_two_who_asked_neither_gets_less_time_than_he_wants(club):
    seek(club, "ann", time_control=per_move(2 * DAY), pair="yes")
    seek(club, "bob", time_control=per_move(3 * DAY), pair="yes")
    pair(club)
    with db.reading(club.engine) as session:
        assert session.get(pairing.Match, 1).bank == 3 * 86400


def test_who_did_not_ask_is_not_paired_with_what_he_did_not_say(club):
    seek(club, "ann", time_control=per_move(3 * DAY))
    seek(club, "bob", time_control=per_move(2 * DAY))
    seek(club, "cleo", "proteus-dice", {"polarity": "yes"}, pair="yes")
    seek(club, "dan", "proteus-dice", pair="yes")
    assert pair(club) == 0


def test_any_options_are_those_of_the_other(club):
    seek(club, "ann", options={"board": "sun"}, pair="yes")
    seek(club, "bob", pair="yes", any="options")
    assert pair(club) == 1
    with db.reading(club.engine) as session:
        assert session.get(pairing.Match, 1).options == "board=sun"


def test_conditions_hold_in_both_directions(club):
    seek(club, "ann", pair="yes", language="it")
    seek(club, "bob", pair="yes")
    assert pair(club) == 0


@pytest.mark.parametrize(("who", "whom"), [("ann", "bob"), ("bob", "ann")])
@pytest.mark.parametrize("way", ["seek", "pair"])
def test_who_blocks_another_is_paired_with_them_neither_way(club, who, whom, way):
    with db.transaction(club.engine) as session:
        blocking.block(session, club.person(session, who), whom, now=club.time)
    wishes = {"pair": "yes"} if way == "pair" else {}
    for handle in ("ann", "bob"):
        seek(club, handle, **wishes)
    assert pair(club) == 0 and matches_of(club) == []


def test_a_seek_of_several_games_meets_several_people(club):
    number = seek(club, "ann", games=2, again="never", pair="yes", time_control=per_move(2 * DAY))
    for name in ("bob", "cleo"):
        seek(club, name, seat="black", pair="yes", time_control=per_move(3 * DAY))
    assert pair(club) == 1 and pair(club) == 1
    assert row(club, number).state == SeekState.TAKEN
    assert {frozenset(match[1:]) for match in matches_of(club)} == pairs(("ann", "bob"), ("ann", "cleo"))


def plan_now(town):
    with db.reading(town.engine) as session:
        return pairing.plan_pairs(pairing.pairable_seeks(session, "duel", now=town.time), now=town.time)


def pair_as(town, planned):
    with db.transaction(town.engine) as session:
        return pairing.pair(session, planned, now=town.time, rng=town.rng)


def test_a_plan_that_a_game_has_overtaken_begins_nothing(club):
    mine = seek(club, "ann", games=3, pair="yes", time_control=per_move(2 * DAY))
    seek(club, "bob", pair="yes", time_control=per_move(3 * DAY))
    [planned] = plan_now(club)
    take(club, "cleo", mine)
    assert row(club, mine).state == SeekState.OPEN, "it would still fit"
    assert pair_as(club, planned) is None
    assert {frozenset(match[1:]) for match in matches_of(club)} == pairs(("ann", "cleo"))
    [again] = plan_now(club)
    assert pair_as(club, again) is not None, "a plan made after that game begins"


def test_a_plan_is_carried_out_once(club):
    seek(club, "ann", games=3, pair="yes", time_control=per_move(2 * DAY))
    seek(club, "bob", games=3, pair="yes", time_control=per_move(3 * DAY))
    [planned] = plan_now(club)
    assert pair_as(club, planned) is not None
    assert pair_as(club, planned) is None
    assert len(matches_of(club)) == 1


def test_two_workers_never_pair_twice(anywhere):
    names = [f"p{number:02}" for number in range(12)]
    anywhere.join(*names)
    for name in names:
        seek(
            anywhere,
            name,
            pair="yes",
            games=3,
            again="never",
            time_control=per_move((2 + len(name) % 2) * DAY),
            seat="",
        )
        anywhere.time += timedelta(seconds=1)
    with db.transaction(anywhere.engine) as session:
        for wish in session.exec(pairing.select(Seek)):  # as if all had been posted at one moment, unseen by each other
            wish.state, wish.games_wanted, wish.games_begun = SeekState.OPEN, 3, 0
            session.add(wish)
    before = len(matches_of(anywhere))
    gate = threading.Barrier(3)

    def work():
        gate.wait()
        sweep_pairing(anywhere.runtime)

    threads = [threading.Thread(target=work) for _worker in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    met = [frozenset(match[1:]) for match in matches_of(anywhere)]
    assert len(met) == len(set(met)), "nobody meets the same opponent twice who wants none twice"
    with db.reading(anywhere.engine) as session:
        taken = sum(wish.games_begun for wish in session.exec(pairing.select(Seek)))
    assert taken == 2 * (len(met) - before) > 0


def test_two_equal_seeks_posted_at_one_moment_pair_once(anywhere):
    anywhere.join("ann", "bob")
    gate = threading.Barrier(2)

    def post(name):
        gate.wait()
        seek(anywhere, name)

    threads = [threading.Thread(target=post, args=(name,)) for name in ("ann", "bob")]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    sweep_pairing(anywhere.runtime)
    sweep_pairing(anywhere.runtime)
    assert len(matches_of(anywhere)) == 1


# -- the weights, without a database ---------------------------------------------------


def wish(number, *, waited=HOUR, time_control=None, by=0, **known):
    terms = Terms("duel", "", time_control or per_move(3 * DAY))
    row = Seek(**terms_columns(terms), id=number, person_id=by or number, state=SeekState.OPEN,
               created_at=START - waited, games_wanted=1, games_at_once=0, games_begun=0, reliability=0, rest_days=0, language="",
               pair_me=True, any_options=False)  # fmt: skip
    return pairing.PairableSeek(row, Candidate(by or number, f"p{by or number}", **known))


def planned(*wishes):
    return {frozenset((two.one, two.other)) for two in pairing.plan_pairs(wishes, now=START)}


def pairs(*wanted):
    return {frozenset(two) for two in wanted}


def test_like_is_paired_with_like():
    strong, weak = {"rating": 1900}, {"rating": 1300}
    assert planned(wish(1, **strong), wish(2, **weak), wish(3, **weak), wish(4, **strong)) == pairs((1, 4), (2, 3))
    quick, slow = {"tempo": HOUR}, {"tempo": 20 * HOUR}
    assert planned(wish(1, **quick), wish(2, **slow), wish(3, **quick), wish(4, **slow)) == pairs((1, 3), (2, 4))


def test_one_round_pairs_two_people_once_however_many_seeks_they_have():
    """Seeks 1 and 2 are of one person, 3 and 4 of another: after their first game they may not want a second."""
    anns, bobs = [wish(1, by=1), wish(2, by=1)], [wish(3, by=9), wish(4, by=9)]
    assert len(pairing.plan_pairs([*anns, *bobs], now=START)) == 1
    assert len(pairing.plan_pairs([*anns, *bobs, wish(5)], now=START)) == 2, "another person is no hindrance"


def test_fresh_opponents_come_before_those_of_last_week():
    ann = wish(1, met={2: START - 7 * DAY}, rating=1500)
    cleo = wish(3, met={4: START - 7 * DAY}, rating=1700)
    made = planned(ann, wish(2, rating=1500), cleo, wish(4, rating=1700))
    assert made in (pairs((1, 3), (2, 4)), pairs((1, 4), (2, 3)))


def test_of_three_the_one_who_came_last_waits():
    assert planned(wish(1, waited=9 * HOUR), wish(2, waited=5 * HOUR), wish(3, waited=HOUR)) == pairs((1, 2))


def test_as_many_are_paired_as_can_be_even_where_two_would_fit_better():
    chain = [
        wish(number, rating=1500, time_control=per_move(days * DAY)) for number, days in enumerate((1, 2, 2, 4), 1)
    ]
    assert planned(*chain) == pairs((1, 2), (3, 4))
