"""Words beside the moves: who may read them, on every face; and what is new since a player last looked."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.models import Audience, Inbound, Letter, Player, Remark
from correspondence.play import chat, matches, unseen
from correspondence.web.talk import DONE

WORDS = "the words of this very test"
READERS = {Audience.PLAYERS: {"ann", "bob"}, Audience.EVERYONE: {"ann", "bob", "cleo", ""}, Audience.ME: {"ann"}}


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.play(1, "ann", "5@b3")
    return world


def say(world, audience, who="ann", ply=None):
    data = {"text": WORDS, "audience": audience, **({} if ply is None else {"ply": str(ply)})}
    return world.client(who).post("/games/1/say", data=data)


@pytest.mark.parametrize("is_over", [False, True], ids=["running", "over"])
@pytest.mark.parametrize("audience", Audience)
def test_words_reach_their_audience_and_nobody_else_on_any_face(club, audience, is_over):
    assert say(club, audience.value).status_code == 303
    if is_over:
        club.resign(1, "bob")
    for who in ("ann", "bob", "cleo", ""):
        client = club.client(who)
        faces = {path: client.get(path).text for path in ("/games/1", "/games/1/0", "/games/1/1")}
        assert {WORDS in text for text in faces.values()} == {who in READERS[audience]}, who
        for path in ("/games/1.record", "/games/1/1.txt", "/games/1/1.svg", "/games/1/ply.json", "/archive",
                     "/players/ann", "/", "/games", "/partners"):  # fmt: skip
            assert WORDS not in client.get(path).text, (who, path)


@pytest.mark.parametrize("audience", Audience)
def test_letters_carry_words_for_others_and_never_a_note(club, audience):
    say(club, audience.value)
    club.play(1, "bob", "5@b2")
    club.resign(1, "ann")
    with reading(club.runtime.engine) as session:
        letters = [letter for letter in session.exec(select(Letter)) if WORDS in letter.text + letter.html]
        readers = {letter.recipient for letter in letters}
        assert session.exec(select(Inbound)).first() is None
    assert readers == ({"bob@example.org"} if audience != Audience.ME else set())


@pytest.mark.parametrize("audience", Audience)
def test_the_pulse_beats_for_those_who_may_read_and_for_nobody_else(club, audience):
    def pulses():
        return {who: club.client(who).get("/games/1/ply.json").get_json()["pulse"] for who in ("ann", "bob", "cleo")}

    before = pulses()
    say(club, audience.value)
    assert {who for who, pulse in pulses().items() if pulse != before[who]} == READERS[audience] - {""}


def test_a_note_stays_with_its_position_and_can_be_dropped_by_its_writer_alone(club):
    assert say(club, "me", ply=0).location == "/games/1/0"
    page = club.client("ann").get("/games/1/0").text
    drop = re.search(r"/games/1/notes/\d+/drop", page)[0]
    assert "data-here" in page and "only you" in page
    assert club.client("bob").post(drop).status_code == 409
    assert club.client("cleo").post(drop).status_code == 403
    assert club.client("ann").post(drop).status_code == 303
    assert WORDS not in club.client("ann").get("/games/1/0").text
    assert club.client("ann").post(drop).status_code == 409


def test_a_note_about_no_position_or_without_words_is_refused_and_kept_in_the_form(club):
    answer = say(club, "me", ply=9)
    assert answer.status_code == 409
    assert "only 1 moves" in answer.text
    assert WORDS in answer.text
    assert club.client("ann").post("/games/1/say", data={"text": " ", "audience": "me"}).status_code == 409
    assert say(club, "me", who="cleo").status_code == 403
    assert say(club, "nonsense").status_code == 303
    with reading(club.runtime.engine) as session:
        assert [remark.audience for remark in session.exec(select(Remark))] == [Audience.PLAYERS]


def test_words_for_nobody_else_are_no_talk(club):
    with transaction(club.runtime.engine) as session:
        player = session.exec(select(Player)).first()
        with pytest.raises(matches.MatchError):
            matches.say(session, player, WORDS, now=club.clock(), audience=Audience.ME)


def test_notes_do_not_grow_without_end(club, monkeypatch):
    monkeypatch.setattr(chat, "NOTES_KEPT", 2)
    codes = []
    for _count in range(3):
        codes.append(say(club, "me").status_code)
        club.clock.go(minutes=2)
    assert codes == [303, 303, 409]


def test_every_audience_is_told_what_came_of_it():
    assert set(DONE) == set(Audience)


def test_what_came_since_a_player_last_looked_is_marked_for_him_alone(club):
    club.play(1, "bob", "5@b2")
    page = club.client("ann").get("/games/1").text
    assert "New since you last looked:" in page and "(new)" in page
    assert "New since you last looked:" not in club.client("bob").get("/games/1").text
    assert "New since you last looked:" not in club.client("cleo").get("/games/1").text
    assert "New since you last looked:" in club.client("ann").get("/games/1").text
    assert club.client("ann").post("/games/1/seen", data={"ply": "2"}).status_code == 303
    assert "New since you last looked:" not in club.client("ann").get("/games/1").text


def test_what_was_seen_is_never_unseen_and_never_more_than_there_is(club):
    with transaction(club.runtime.engine) as session:
        player = session.exec(select(Player).order_by(Player.seat.desc())).first()
        for ply, then in ((9, 1), (0, 1), (1, 1)):
            unseen.mark_seen(session, player, ply, now=club.clock())
            assert player.seen_ply == then
    assert club.client("cleo").post("/games/1/seen", data={"ply": "1"}).status_code == 403
    assert club.client("ann").post("/games/1/seen", data={"ply": "x"}).status_code == 303


def test_an_open_page_asks_for_a_pulse_and_is_answered_304_while_nothing_changed(club):
    client = club.client("bob")
    first = client.get("/games/1/ply.json")
    again = client.get("/games/1/ply.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and not again.data
    club.play(1, "bob", "5@b2")
    later = client.get("/games/1/ply.json", headers={"If-None-Match": first.headers["ETag"]})
    assert later.status_code == 200 and later.get_json()["ply"] == 2


def test_a_move_is_shown_once_more_to_those_who_want_it_so(club):
    client = club.client("bob")
    assert client.post("/settings/board", data={"confirm_moves": "on"}).status_code == 303
    assert 'name="confirm_moves" checked' in client.get("/settings/board").text
    shown = client.post("/games/1/move", data={"move": "5@b2", "ply": "1", "comment": "hello"})
    assert shown.status_code == 200
    assert "Yes, play it" in shown.text
    assert "hello" in shown.text
    assert client.get("/games/1/ply.json").get_json()["ply"] == 1
    wrong = client.post("/games/1/move", data={"move": "99", "ply": "1"})
    assert wrong.status_code == 422
    played = client.post("/games/1/move", data={"move": "5@b2", "ply": "1", "confirmed": "1"})
    assert played.status_code == 303 and client.get("/games/1/ply.json").get_json()["ply"] == 2
    client.post("/settings/board")
    assert 'name="confirm_moves" checked' not in client.get("/settings/board").text


def test_next_game_is_shown_after_a_move_if_wanted(club):
    second = club.match("duel")
    club.play(second, "ann", "5@b3")
    client = club.client("bob")
    client.post("/settings/board", data={"steps_on": "on"})
    assert 'name="steps_on" checked' in client.get("/games/1").text
    played = client.post("/games/1/move", data={"move": "5@b2", "ply": "1"})
    assert played.location == f"/games/{second}"
    assert "You played 5@b2 in game 1; this is your next game." in client.get(played.location).text
    last = client.post(f"/games/{second}/move", data={"move": "5@b2", "ply": "1"})
    assert last.location == f"/games/{second}"


def test_a_written_move_is_told_whole_unfinished_or_wrong(club):
    def read(text):
        answer = club.client("bob").post("/games/1/read", data={"move": text, "ply": "1"},
                                         headers={"Accept": "application/json"})  # fmt: skip
        return answer.get_json()

    assert read("5@b2")["complete"] == 1 and read("5@b2")["picture"].startswith("<svg")
    assert read("5@")["complete"] == -1 and read("5@")["suggestions"]
    assert read("nonsense")["complete"] is None and read("nonsense")["sentence"]
