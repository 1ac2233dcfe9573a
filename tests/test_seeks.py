"""Seeks: who may take them and why not, counting down, standing, expiring, renewing, and equal ones that pair."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from correspondence.core import db
from correspondence.core.terms import read_terms
from correspondence.core.time_control import DEFAULT_TIME_CONTROL, Policy, TimeControl, TimeControlError, per_move
from correspondence.fairness.seeds import make_for_offer
from correspondence.matchmaking import conditions, seeks
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.matchmaking.conditions import read_conditions
from correspondence.models import NEVER_AGAIN, Match, SeekState
from correspondence.models.loading import UNBEGUN
from correspondence.ops import worker
from engines import GAMES
from engines.options import OptionError, choices_of
from tests.club import matches_of, row, seek, take, why
from tests.post import text_of
from tests.sizes import examples

DAY = timedelta(days=1)
BRISK = TimeControl(2 * DAY, DAY, 2 * DAY)


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo", "dan")
    return town


def test_a_seek_counts_down_as_games_begin(club):
    number = seek(club, "ann", "proteus-dice", games=2, again="never", time_control=BRISK)
    take(club, "bob", number)
    assert (row(club, number).state, row(club, number).games_wanted) == (SeekState.OPEN, 1)
    assert why(club, "bob", number) == ["- Wants a new opponent each time, and you two have already played."]
    assert why(club, "cleo", number) == ["+ Wants a new opponent each time; you two haven't played yet."]
    take(club, "cleo", number)
    assert row(club, number).state == SeekState.TAKEN
    with pytest.raises(ChallengeError, match="no longer open"):
        take(club, "dan", number)


def test_what_does_not_suit_is_refused_with_the_very_sentence_that_the_list_shows(club):
    number = seek(club, "ann", language="it", again=30, games=3)
    (against,) = [line for line in why(club, "bob", number) if line.startswith("-")]
    with pytest.raises(ChallengeError) as refused:
        take(club, "bob", number)
    assert str(refused.value) == against[2:]
    assert "Italiano" in against


def test_the_same_opponent_may_come_again_after_the_days_that_were_set(club):
    number = seek(club, "ann", again=10, games=5)
    club.resign(take(club, "bob", number), "bob")
    assert "began a game 0 days ago" in why(club, "bob", number)[0]
    club.wait(days=10)
    take(club, "bob", number)


def test_nobody_takes_his_own_seek(club):
    number = seek(club, "ann")
    with pytest.raises(ChallengeError, match="your own"):
        take(club, "ann", number)


def test_a_standing_offer_opens_again_when_a_game_ends(club):
    number = seek(club, "ann", standing=1)
    match = take(club, "bob", number)
    with pytest.raises(ChallengeError, match="opens again when that ends"):
        take(club, "cleo", number)
    club.resign(match, "bob")
    take(club, "cleo", number)
    assert row(club, number).state == SeekState.OPEN


def test_equal_seeks_of_two_people_pair_by_themselves_at_once(club):
    one = seek(club, "ann", "proteus-dice", {"polarity": "yes"}, BRISK)
    other = seek(club, "bob", "proteus-dice", {"polarity": "yes"}, BRISK)
    assert len(matches_of(club)) == 1
    assert {row(club, one).state, row(club, other).state} == {SeekState.TAKEN}
    assert len(club.letters("ann")) == len(club.letters("bob")) == 1, "one is to move, the other is told of the game"


@pytest.mark.parametrize("difference", [
    {"game": "plateau"}, {"options": {"board": "sun"}}, {"time_control": BRISK}, {"rated": False}, {"seat": "black"},
    {"language": "it"}, {"rating": "2000+", "reliability": "100", "language": "de"},
], ids=str)  # fmt: skip
def test_seeks_that_are_not_equal_or_do_not_suit_wait(club, difference):
    seek(club, "ann", seat="black")
    seek(club, "bob", **difference)
    assert matches_of(club) == []


def test_complementary_seats_pair(club):
    seek(club, "ann", seat="white")
    seek(club, "bob", seat="black")
    assert matches_of(club) == [("duel", "bob", "ann")]


@pytest.mark.parametrize("line", ["seek duel as white", "cerca duel come bianco"])
def test_the_side_that_somebody_wants_is_named_in_either_language(club, line):
    club.agree("ann", line)
    club.agree("bob", "seeks")
    assert "ann plays White" in " ".join(text_of(club.letter("bob")).split())


def test_one_does_not_pair_with_oneself_nor_the_same_two_twice_when_they_want_variety(club):
    seek(club, "ann", games=2, again="never")
    seek(club, "ann")
    assert matches_of(club) == []
    seek(club, "bob", games=2, again="never")
    assert len(matches_of(club)) <= 2


def test_a_seeker_is_asked_once_before_the_end_and_one_reply_keeps_the_seek(club):
    number = seek(club, "ann", days=4)
    club.wait(days=3, minutes=1)
    worker.sweep_seeks(club.runtime)
    worker.sweep_seeks(club.runtime)
    club.deliver()
    (letter,) = club.letters("ann")
    assert "still looking" in letter["Subject"] and row(club, number).state == SeekState.OPEN
    club.answer(letter, "renew")
    assert row(club, number).expires_at == club.time + timedelta(days=4)
    assert "open until" in text_of(club.letter("ann"))
    club.answer(letter, "renew")
    assert "no longer works" in text_of(club.letter("ann")) or club.outcome().startswith("rejected")


def test_a_seek_that_nobody_keeps_ends_without_a_second_letter_and_opens_again(club):
    number = seek(club, "ann", days=4)
    club.wait(days=3, minutes=1)
    worker.sweep_seeks(club.runtime)
    club.wait(days=1)
    worker.sweep_seeks(club.runtime)
    club.deliver()
    (letter,) = club.letters("ann")
    assert row(club, number).state == SeekState.EXPIRED
    with pytest.raises(ChallengeError, match="no longer open"):
        take(club, "bob", number)
    club.answer(letter, "renew")
    assert row(club, number).state == SeekState.OPEN


def test_a_seeker_who_was_not_asked_in_time_is_asked_at_the_end(club):
    number = seek(club, "ann", days=1)
    club.wait(days=2)
    worker.sweep_seeks(club.runtime)
    club.deliver()
    assert len(club.letters("ann")) == 1 and row(club, number).state == SeekState.EXPIRED


def called_off(club, number):
    """Let time run out in a game in which nobody has moved."""
    for _day in range(40):
        club.wait(days=1)
    worker.sweep_seeks(club.runtime)
    with db.reading(club.engine) as session:
        assert session.get(Match, number).reason == UNBEGUN


def test_a_seek_opens_again_if_its_game_is_called_off_before_the_first_moves(club):
    number = seek(club, "ann", seat="white")
    called_off(club, take(club, "bob", number))
    assert row(club, number).state == SeekState.OPEN and row(club, number).games_wanted == 1
    assert row(club, number).expires_at == club.time + timedelta(days=1)  # its own end has passed
    take(club, "cleo", number)


def test_the_seek_of_the_player_who_let_the_game_lapse_stays_closed(club):
    number = seek(club, "ann", seat="black")
    called_off(club, take(club, "bob", number))
    assert row(club, number).state == SeekState.TAKEN


def test_a_seek_that_is_past_is_closed_even_before_the_sweep_comes(club):
    number = seek(club, "ann", days=1)
    club.time += timedelta(days=2)
    with pytest.raises(ChallengeError, match="no longer open"):
        take(club, "bob", number)


IMPOSSIBLE = [
    ({"rating": "1800-1400"}, "in the wrong order: 1800 is more than 1400"), ({"rating": "good"}, "not a range"),
    ({"rating": "9999"}, "No rating is above"), ({"games": "0"}, "from 1 to 10"), ({"games": "-3"}, "from 1 to 10"),
    ({"games": "2", "standing": "2"}, "not both"), ({"reliability": "120"}, "from 0 to 100"),
    ({"again": "sometimes"}, "again=never"), ({"language": "klingon"}, "“klingon” is not known"), ({"days": "9999"}, "to 180"),
    ({"days": "-3"}, "from 1 to 180"), ({"any": "yes"}, "only together with pair=yes"), ({"seat": "green"}, "not a seat"),
    ({"pair": "perhaps"}, "yes or no"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "sentence"), IMPOSSIBLE, ids=str)
def test_impossible_conditions_are_a_sentence_and_nothing_is_kept(club, words, sentence):
    with pytest.raises(ChallengeError, match=sentence):
        seek(club, "ann", **words)
    with pytest.raises(ChallengeError):
        take(club, "bob", 1)


def test_impossible_games_options_and_paces_are_a_sentence(club):
    with pytest.raises(ChallengeError, match="no game"):
        seek(club, "ann", "chess")
    with pytest.raises(ChallengeError, match="game for one"):
        seek(club, "ann", "duel-puzzle")
    with pytest.raises(OptionError):
        seek(club, "ann", "duel", {"board": "moon"})
    with pytest.raises(TimeControlError):
        seek(club, "ann", time_control=per_move(-3 * DAY))


def test_no_condition_is_called_like_an_option_of_a_game():
    options = {choice.name for game in GAMES.values() for choice in choices_of(game.Options)}
    assert not options & set(conditions.NAMES)


TEXT = st.one_of(st.text(max_size=12), st.sampled_from(["never", "1400-1800", "≥80 %", "1e9", "²", "-1", "yes", "it"]))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(conditions.NAMES), TEXT))
def test_conditions_are_read_or_refused_with_a_sentence(words):
    try:
        found = conditions.read_conditions(words, ("White", "Black"))
    except conditions.ConditionError as error:
        assert str(error).endswith((".", "?"))
    else:
        assert 1 <= found.games_wanted <= 10
        assert 1 <= found.days <= 180
        assert 0 <= found.reliability <= 100
        assert found.rest_days == NEVER_AGAIN or found.rest_days >= 0
        assert None in (found.rating_low, found.rating_high) or found.rating_low <= found.rating_high


def test_twenty_open_seeks_are_enough(club):
    for count in range(20):
        seek(club, "ann", time_control=per_move(timedelta(hours=count + 1)))
    with pytest.raises(ChallengeError, match="please withdraw one"):
        seek(club, "ann")


# -- who begins ------------------------------------------------------------------------


def test_two_who_play_again_exchange_seats(club):
    begun = []
    for _time in range(4):
        club.resign(take(club, "bob", seek(club, "ann")), "ann")
        begun.append(matches_of(club)[-1][1])
    assert begun in (["ann", "bob", "ann", "bob"], ["bob", "ann", "bob", "ann"])


def test_whoever_has_begun_fewer_games_begins(club):
    club.resign(take(club, "bob", seek(club, "ann", seat="black")), "ann")
    take(club, "cleo", seek(club, "ann"))
    assert matches_of(club)[-1] == ("duel", "cleo", "ann")


def test_a_chosen_seat_is_kept(club):
    for _time in range(3):
        club.time += timedelta(minutes=2)
        take(club, "bob", seek(club, "ann", seat="black"))
    assert {match[1] for match in matches_of(club)} == {"ann"}


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["ann", "bob", "cleo", "dan"]), min_size=2, max_size=8))
def test_however_people_meet_no_pair_has_the_same_first_mover_twice_running(club, meetings):
    last = {}
    for one, other in pairwise(meetings):
        if one == other:
            continue
        with db.transaction(club.engine) as session:
            wish = seeks.seek(session, club.person(session, one), "plateau", {}, now=club.time, rng=club.rng)
            match = seeks.take(session, club.person(session, other), wish.id, now=club.time, rng=club.rng)
        club.resign(match.id, one)
    for game, first, second in matches_of(club):
        pair = (game, frozenset((first, second)))
        assert last.get(pair) != first
        last[pair] = first


def test_what_happens_when_time_runs_out_goes_from_the_seek_to_its_game(town):
    town.join("ann", "bob")
    town.agree("ann", "seek duel policy=claim 3 days")
    town.agree("bob", "seek duel policy=claim 3 days")
    with db.reading(town.engine) as session:
        assert session.get(Match, 1).policy == Policy.CLAIM


def test_numbers_of_offers_from_before_they_were_public_go_on_working(club):
    with db.transaction(club.engine) as session:
        ann = club.person(session, "ann")
        terms = read_terms(GAMES["duel"], {}, DEFAULT_TIME_CONTROL, rated=True)
        old = seeks.new_seek(ann, terms, read_conditions({}, GAMES["duel"].seats), now=club.time)
        old.id = 7
        session.add(old)
        session.flush()
        make_for_offer(session, old, club.rng)
    assert "/seeks/7/take" in club.client("bob").get("/seeks").text
    club.agree("bob", "accept 7")
    assert matches_of(club) == [("duel", "ann", "bob")] or matches_of(club) == [("duel", "bob", "ann")]
