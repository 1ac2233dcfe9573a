"""The life of a tournament: made, entered, begun, played, finished, called off."""

from __future__ import annotations

from datetime import timedelta

import pytest

from correspondence.features.tournaments.tables import TournamentState
from engines.refusal import Refusal
from tests.post import text_of
from tests.tournaments import act, begun, enter, games, lose, make, play_out, results, run_sweep, stand, table, withdraw
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join("ann", "bob", "cleo", "dan")
    yield club
    club.close()


def test_making_a_tournament_enters_nobody(club):
    number = make(club, players=3)
    enter(club, number, "bob")
    with pytest.raises(Refusal, match="not in tournament"):
        withdraw(club, number, "ann")


def test_tournament_begins_with_the_last_place_taken(club):
    number = make(club, players=3)
    enter(club, number, "ann", "bob")
    assert stand(club, number).state is TournamentState.OPEN and games(club, number) == []
    enter(club, number, "cleo")
    assert stand(club, number).state is TournamentState.RUNNING
    assert len(games(club, number)) == 3


def test_round_robin_is_played_to_its_end(club):
    number = begun(club, "ann", "bob", "cleo", "dan")
    play_out(club, number)
    assert stand(club, number).state is TournamentState.FINISHED
    assert table(club, number) == [("ann", 1, 3, 3), ("bob", 2, 2, 3), ("cleo", 3, 1, 3), ("dan", 4, 0, 3)]


def test_swept_twice_changes_nothing(club):
    number = begun(club, "ann", "bob", "cleo")
    lose(club, games(club, number)[0][0], games(club, number)[0][1])
    assert run_sweep(club) == 1
    before = results(club, number)
    assert run_sweep(club) == 0 and results(club, number) == before


def test_one_letter_at_the_start_names_all_opponents(club):
    club.received.clear()
    begun(club, "ann", "bob", "cleo", name="Autumn")
    letters = [letter for letter in club.letters("ann") if "Tournament" in letter["Subject"]]
    assert len(letters) == 1 and "you play" in text_of(letters[0])
    assert "bob" in text_of(letters[0]) and "cleo" in text_of(letters[0])


def test_records_say_event_and_round(club):
    number = begun(club, "ann", "bob", "cleo", name="Autumn “26”")
    game = games(club, number)[0][0]
    lose(club, game, games(club, number)[0][1])
    record = club.client().get(f"/games/{game}.record").text
    assert '[Event "Autumn “26”"]' in record
    assert '[Round "1"]' in record
    assert "[Section" not in record


def test_who_withdraws_before_the_start_is_gone(club):
    number = make(club, players=3)
    enter(club, number, "ann", "bob")
    withdraw(club, number, "bob")
    enter(club, number, "cleo", "bob")
    assert stand(club, number).state is TournamentState.RUNNING


def test_who_withdraws_later_plays_on(club):
    number = begun(club, "ann", "bob", "cleo", "dan", at_once=1)
    running = games(club, number)
    withdraw(club, number, "dan")
    assert games(club, number) == running


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"kind": "swiss", "rounds": 5, "players": 6}, "at most half as many rounds.*round-robin duel players=6"),
        ({"kind": "cup"}, "no format “cup”"),
        ({"kind": "league"}, "league duel enter"),
        ({"kind": "ladder"}, "ladder duel enter"),
        ({"players": 1}, "at least 3 entrants"),
        ({"players": "many"}, "whole number from 1 to 128, not “many”"),
        ({"start": "2020-01-01"}, "not in the future"),
        ({"start": "soon"}, "such as 20"),
        ({"start": "2099-01-01"}, "within a year"),
        ({"start": "full"}, "players=8 start=full"),
        ({"advance": 2}, "final=yes"),
        ({"rounds": 3}, "rounds does not belong to a round robin"),
        ({"kind": "knockout", "games": 1}, "two games decide"),
        ({"kind": "swiss", "games": 2}, "one game in each round"),
        ({"rating": "high"}, "1400-1700"),
        ({"rating": "1700-1400"}, "1400-1700"),
        ({"code": "two words"}, "one word"),
        ({"club": "Rooks"}, "no club “Rooks”"),
        ({"name": "x" * 61}, "at most 60 characters"),
        ({"game": "chess"}, "no game “chess”"),
        ({"game": "duel-puzzle"}, "not a game for two"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(club, words, sentence):
    with pytest.raises(Refusal, match=sentence):
        make(club, **words)


def test_entering_is_refused_in_sentences(club):
    number = make(club, players=3, code="fig")
    for code, sentence in (("", "needs a code"), ("plum", "another code than “plum”")):
        with pytest.raises(Refusal, match=sentence):
            enter(club, number, "ann", code=code)
    enter(club, number, "ann", code="Fig")
    with pytest.raises(Refusal, match="in tournament 1 already"):
        enter(club, number, "ann", code="fig")
    act(club, number, "ann", "remove", "ann", "a test")
    with pytest.raises(Refusal, match="has removed you"):
        enter(club, number, "ann", code="fig")
    enter(club, number, "bob", "cleo", "dan", code="fig")
    with pytest.raises(Refusal, match="too late"):
        enter(club, number, "ann", code="fig")


def test_ratings_outside_the_band_are_refused(club):
    with pytest.raises(Refusal, match="from 1700 on; yours is 1500"):
        enter(club, make(club, rating="1700-"), "bob")
    with pytest.raises(Refusal, match="up to 1200; yours is 1500"):
        enter(club, make(club, rating="-1200"), "bob")


def test_member_has_three_tournaments_that_are_not_over(club):
    for _time in range(3):
        make(club, players=3)
    with pytest.raises(Refusal, match="3 tournaments that are not over"):
        make(club, players=3)
    act(club, 1, "ann", "call_off", "I have to travel.")
    assert make(club, players=3) == 4


def test_tournament_begins_on_its_day_with_whoever_is_in(club):
    day = (club.time + timedelta(days=3)).date().isoformat()
    number, empty = make(club, start=day, players=8), make(club, start=day)
    enter(club, number, "ann", "bob", "cleo")
    club.clock.go(days=4)
    run_sweep(club)
    assert stand(club, number).state is TournamentState.RUNNING
    assert stand(club, empty).state is TournamentState.CALLED_OFF
    assert "at least 3 entrants; 0 are too few" in text_of(club.letter("ann"))


def test_only_the_organiser_acts_and_everybody_in_it_is_told(club):
    number = make(club, players=4, name="Autumn")
    enter(club, number, "bob", "cleo")
    with pytest.raises(Refusal, match="Only the organiser"):
        act(club, number, "bob", "announce", "Mine!")
    act(club, number, "ann", "announce", "We begin\nsoon.")
    assert "The organiser of Autumn announces" in text_of(club.letter("bob"))
    assert "| soon." in text_of(club.letter("cleo"))


def test_closing_entry_begins_a_tournament_without_a_day(club):
    number = make(club, players=8)
    enter(club, number, "ann", "bob")
    with pytest.raises(Refusal, match="at least 3 entrants; 2 are too few"):
        act(club, number, "ann", "close")
    enter(club, number, "cleo")
    act(club, number, "ann", "close")
    assert len(games(club, number)) == 3


def test_called_off_tournament_leaves_its_games_alone(club):
    number = begun(club, "ann", "bob", "cleo")
    act(club, number, "ann", "call_off", "The hall burnt down.")
    assert stand(club, number).state is TournamentState.CALLED_OFF and len(games(club, number)) == 3
    assert "The hall burnt down." in text_of(club.letter("cleo"))
    with pytest.raises(Refusal, match="is over"):
        withdraw(club, number, "bob")


def test_knockout_ranks_everybody_in_one_table(club):
    number = begun(club, "ann", "bob", "cleo", "dan", kind="knockout", name="Winter")
    play_out(club, number)
    assert stand(club, number).state is TournamentState.FINISHED
    assert [line[:2] for line in table(club, number)][:2] == [("ann", 1), ("bob", 2)]
    page = club.client().get(f"/tournaments/{number}").text
    assert page.count("<h2>Standings</h2>") == 1 and "Bracket" in page
    assert "Place 1" in club.client().get("/players/ann").text
    assert "you have come 1 of 4. First: ann." in " ".join(text_of(club.letter("ann")).split())


def test_sections_with_a_final_end_with_one_winner(club):
    club.join("eve", "fay", "gus", "hal", "ida", "jon")
    names = ["ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal", "ida", "jon"]
    number = begun(club, *names, final="yes", name="Big")
    play_out(club, number)
    assert stand(club, number).state is TournamentState.FINISHED
    found = club.client().get(f"/tournaments/{number}.json").json
    assert {one["section"] for one in found["pairings"] if one["round"] == 1} == {1, 2}
    assert found["round"] == found["rounds"] == 2
    assert "First: ann." in " ".join(text_of(club.letter("jon")).split())
