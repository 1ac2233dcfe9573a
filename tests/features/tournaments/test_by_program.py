"""Tournaments by program: the same use cases, with the scope of the token."""

from __future__ import annotations

import pytest

from correspondence.features.tournaments.tables import TournamentState
from correspondence.models import ApiScope
from tests.programs import Program
from tests.tournaments import stand
from tests.world import mail_world


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join("ann", "bob", "cleo")
    yield club
    club.close()


def test_program_makes_enters_and_organises(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    body = {"format": "round-robin", "game": "duel", "name": "Autumn", "settings": {"players": "3", "code": "fig"}}
    made = ann.post("/tournaments", body)
    assert (made.status_code, made.json) == (201, {"id": 1})
    [listed] = bob.get("/tournaments").json["tournaments"]
    assert (listed["name"], listed["format"], listed["needs_code"], listed["is_mine"]) == (
        "Autumn",
        "round-robin",
        True,
        False,
    )
    assert bob.post("/tournaments/1/enter", {"code": "fig"}).status_code == 200
    assert bob.get("/tournaments?mine=true").json["tournaments"][0]["id"] == 1
    assert ann.post("/tournaments/1/acts/announce", {"words": "Hello"}).status_code == 200
    assert bob.post("/tournaments/1/withdraw").status_code == 200
    assert ann.post("/tournaments/1/acts/call-off").status_code == 200
    assert stand(club, 1).state is TournamentState.CALLED_OFF


def test_refusals_are_problems_with_a_sentence(club):
    ann, reader = Program(club, "ann"), Program(club, "bob", ApiScope.READ)
    answer = ann.post("/tournaments", {"format": "cup", "game": "duel"})
    assert answer.status_code in (409, 422) and "no format" in answer.json["detail"]
    answer = ann.post("/tournaments", {"format": "swiss", "game": "duel", "settings": {"colour": "red"}})
    assert "no setting" in answer.json["detail"]
    assert "no tournament 7" in ann.post("/tournaments/7/enter").json["detail"]
    assert "one of: announce" in ann.post("/tournaments/7/acts/dance").json["detail"]
    assert reader.post("/tournaments/7/enter").status_code == 403
