"""Pages of tournaments: find one, enter with one tap, read table, rounds and bracket, organise."""

from __future__ import annotations

import json

import pytest

from tests.tournaments import begun, enter, games, lose, make, play_out, run_sweep
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join("ann", "bob", "cleo", "dan")
    yield club
    club.close()


def test_open_tournament_is_entered_with_one_tap(club):
    number = make(club, players=3, name="Autumn")
    page = club.client("bob").get("/tournaments").text
    assert "Autumn" in page
    assert "3 places are left" in page
    assert f'action="/tournaments/{number}/enter"' in page
    answer = club.client("bob").post(f"/tournaments/{number}/enter", follow_redirects=True)
    assert "You are in." in answer.text and "bob" in answer.text
    answer = club.client("bob").post(f"/tournaments/{number}/enter")
    assert answer.status_code == 409 and "You are in tournament 1 already." in answer.text


def test_form_makes_a_tournament_and_a_refusal_keeps_what_was_typed(club):
    form = {
        "game": "duel",
        "format": "swiss",
        "name": "Our <b>cup</b>",
        "players": "6",
        "rounds": "5",
        "about": "For all",
    }
    answer = club.client("ann").post("/tournaments/new", data=form)
    assert answer.status_code == 422 and "at most half as many rounds" in answer.text
    assert "Our &lt;b&gt;cup&lt;/b&gt;" in answer.text and "For all" in answer.text
    answer = club.client("ann").post("/tournaments/new", data={**form, "rounds": "3"}, follow_redirects=True)
    assert answer.status_code == 200
    assert "Our &lt;b&gt;cup&lt;/b&gt;" in answer.text
    assert "Nobody has entered yet" in answer.text


def test_page_shows_cross_table_rounds_and_own_games(club):
    number = begun(club, "ann", "bob", "cleo", name="Autumn")
    game = games(club, number)[0]
    lose(club, game[0], game[1])
    run_sweep(club)
    page = club.client("ann").get(f"/tournaments/{number}").text
    assert "My games" in page
    assert "Sonneborn-Berger" in page
    assert f'href="/games/{game[0]}"' in page
    assert club.client().get(f"/tournaments/{number}/1").status_code == 200
    assert club.client().get(f"/tournaments/{number}/2").status_code == 404
    assert club.client().get("/tournaments/99").status_code == 404


def test_document_for_programs_is_as_promised(club):
    number = begun(club, "ann", "bob", "cleo", name="Autumn")
    game, first, second = games(club, number)[0]
    lose(club, game, first)
    run_sweep(club)
    found = json.loads(club.client().get(f"/tournaments/{number}.json").text)
    assert {**found, "pairings": 0, "standings": 0, "entrants": 0} == {
        "id": number, "name": "Autumn", "format": "round-robin", "game": "duel", "options": found["options"],
        "state": "running", "round": 1, "rounds": 1, "entrants": 0, "pairings": 0, "byes": [], "standings": 0,
    }  # fmt: skip
    assert found["entrants"][0] == {"handle": "ann", "seed": 1, "state": "in"}
    assert {
        "round": 1,
        "section": 1,
        "seats": [first, second],
        "game": game,
        "result": "0-1",
        "judged": False,
    } in found["pairings"]
    assert len(found["pairings"]) == 3
    assert set(found["standings"][0]) == {"section", "rank", "handle", "points", "played", "tiebreaks", "best", "worst"}
    assert found["standings"][0]["handle"] == second


def test_document_of_an_open_tournament_has_no_standings(club):
    number = make(club, players=3)
    enter(club, number, "bob")
    found = json.loads(club.client().get(f"/tournaments/{number}.json").text)
    assert (found["state"], found["pairings"], found["standings"]) == ("open", [], [])
    assert [one["handle"] for one in found["entrants"]] == ["bob"]


def test_organiser_acts_on_the_page_and_others_do_not_see_it(club):
    number = make(club, players=8, name="Autumn", code="fig")
    enter(club, number, "bob", code="fig")
    page = club.client("ann").get(f"/tournaments/{number}").text
    assert "For the organiser" in page and "<code>fig</code>" in page
    page = club.client("bob").get(f"/tournaments/{number}").text
    assert "For the organiser" not in page and "<code>fig" not in page
    for what, data in (
        ("announce", {"words": "Hello"}),
        ("extend", {"days": "7"}),
        ("remove", {"handle": "bob", "reason": "Twice"}),
    ):
        answer = club.client("ann").post(f"/tournaments/{number}/{what}", data=data, follow_redirects=True)
        assert answer.status_code == 200, what
    assert "ann removed bob:" in answer.text and "Twice" in answer.text
    answer = club.client("bob").post(f"/tournaments/{number}/close")
    assert answer.status_code == 409 and "Only the organiser" in answer.text
    club.client("ann").post(f"/tournaments/{number}/call-off", data={"reason": "Rain"})
    assert "called off" in club.client().get(f"/tournaments/{number}").text


def test_finished_tournament_keeps_its_table(club):
    number = begun(club, "ann", "bob", "cleo", "dan", name="Autumn")
    play_out(club, number)
    page = club.client().get(f"/tournaments/{number}").text
    assert "Finished" in page and "Possible places" in page


def test_member_page_shows_places_of_honour(club):
    number = begun(club, "ann", "bob", "cleo", "dan", name="Autumn")
    play_out(club, number)
    page = club.client().get("/players/bob").text
    assert "Place 2" in page and f'href="/tournaments/{number}"' in page
    assert "Autumn" not in club.client().get("/players/dan").text


def test_file_for_other_programs_names_everybody(club):
    number, open_one = begun(club, "ann", "bob", "cleo", name="Autumn"), make(club, players=3)
    game, first, _second = games(club, number)[0]
    lose(club, game, first)
    run_sweep(club)
    answer = club.client().get(f"/tournaments/{number}.trf")
    assert answer.status_code == 200
    assert answer.text.startswith("012 Autumn")
    assert "XXR 3" in answer.text
    assert all(name in answer.text for name in ("ann", "bob", "cleo"))
    for path in (
        f"/tournaments/{open_one}.trf",
        f"/tournaments/{number}.trf?section=4",
        f"/tournaments/{number}.trf?section=x",
    ):
        assert club.client().get(path).status_code == 404
