"""Programs do what their members could do on pages, and nothing else; what is refused is said in the same sentences."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import ApiScope, By, Letter, Move
from correspondence.models.loading import moves_of
from tests.programs import Program
from tests.world import mail_world

DUEL, TILES = 1, 2


@pytest.fixture
def club(tmp_path):
    world = mail_world(tmp_path)
    world.join("ann", "bob", "cleo")
    world.match("duel")
    yield world
    world.close()


def detail(answer, code):
    assert answer.status_code == code, answer.text
    assert answer.mimetype == "application/problem+json" and answer.json["status"] == code
    return answer.json["detail"]


def written(world):
    """How much there is of what acts write: entries and letters."""
    with db.reading(world.engine) as session:
        return [len(session.exec(select(table.id)).all()) for table in (Move, Letter)]


# -- looking -------------------------------------------------------------------------------


def test_all_games_of_a_member_are_fetched_at_once_most_urgent_first(club):
    other = club.match("duel", "bob", "ann")
    games = Program(club, "ann").get("/games").json["games"]
    assert [(game["number"], game["is_my_turn"], game["seat"]) for game in games] == [
        (DUEL, True, 0),
        (other, False, 1),
    ]
    waiting = Program(club, "ann").get("/games?state=waiting").json["games"]
    assert [game["number"] for game in waiting] == [DUEL]
    assert Program(club, "cleo").get("/games").json == {"games": [], "next": None}


def test_finished_games_come_in_pages_that_a_cursor_links(club):
    club.resign(DUEL, "ann")
    for _more in range(31):
        club.resign(club.match("duel"), "ann")
    program = Program(club, "ann")
    first = program.get("/games?state=finished").json
    rest = program.get(f"/games?state=finished&before={first['next']}").json
    assert [len(first["games"]), len(rest["games"]), rest["next"]] == [30, 2, None]
    assert len({game["number"] for game in first["games"] + rest["games"]}) == 32


def test_a_game_says_who_plays_what_was_played_and_how_it_stands(club):
    club.play(DUEL, "ann", "3@a1", comment="Good luck!")
    game = Program(club, "bob").get(f"/games/{DUEL}").json
    assert [(seat["handle"], seat["is_to_move"]) for seat in game["players"]] == [("ann", False), ("bob", True)]
    assert [(entry["text"], entry["by"], entry["comment"]) for entry in game["entries"]] == [
        ("3@a1", "web", "Good luck!")
    ]
    assert game["terms"]["pace"] == {"bank": 864_000, "increment": 129_600, "cap": 864_000, "policy": "automatic"}
    assert "B3" in game["board"]
    assert game["position"]
    assert game["result"] == "*"


def test_an_earlier_moment_is_shown_by_its_number(club):
    club.play(DUEL, "ann", "3@a1")
    program = Program(club, "bob")
    assert program.get(f"/games/{DUEL}?ply=0").json["board"] != program.get(f"/games/{DUEL}").json["board"]
    assert "does not exist" in detail(program.get(f"/games/{DUEL}?ply=2"), 404)


def test_nobody_sees_what_their_seat_may_not_see(club):
    number = club.match("plateau")
    club.play(number, "ann", "+b1 xr,xb")
    own, theirs, onlookers = (Program(club, who).get(f"/games/{number}").json for who in ("ann", "bob", "cleo"))
    assert own["entries"][0]["text"] == "+b1 xr,xb" and own["position"] != theirs["position"]
    assert "xr,xb" not in json.dumps([theirs, onlookers]) and theirs["position"]["hands"][0] == "?" * 10
    assert onlookers["position"]["hands"] == ["?" * 10, "?" * 12] != own["position"]["hands"]
    club.resign(number, "ann")
    assert Program(club, "cleo").get(f"/games/{number}").json["entries"][0]["text"] == "+b1 xr,xb"


def test_the_record_is_that_of_the_page(club):
    club.play(DUEL, "ann", "3@a1")
    record = Program(club, "bob").get(f"/games/{DUEL}/record")
    assert record.mimetype == "text/plain" and record.text == club.client("bob").get(f"/games/{DUEL}.record").text


def test_the_deal_of_the_day_of_others_is_hidden_until_ones_own_is_done(club):
    number = Program(club, "ann").post("/puzzles/today").json["number"]
    bob = Program(club, "bob")
    for path in (f"/games/{number}", f"/games/{number}/record", f"/games/{number}/legal", f"/games/{number}/plan"):
        assert "does not exist" in detail(bob.get(path), 404)
    assert detail(bob.post(f"/games/{number}/draw"), 404) == detail(bob.post("/games/4000/draw"), 404)


def test_an_answer_that_did_not_change_is_not_sent_again(club):
    program = Program(club, "bob")
    tag = program.get(f"/games/{DUEL}").headers["ETag"]
    assert program.get(f"/games/{DUEL}", **{"If-None-Match": tag}).status_code == 304
    club.play(DUEL, "ann", "3@a1")
    assert program.get(f"/games/{DUEL}", **{"If-None-Match": tag}).status_code == 200


# -- moving --------------------------------------------------------------------------------


def test_every_listed_move_can_be_played(club):
    program = Program(club, "ann")
    legal = program.get(f"/games/{DUEL}/legal?most=40").json
    assert legal["ply"] == 0
    assert len(legal["moves"]) == 40
    assert legal["has_more"]
    for move in legal["moves"]:
        assert program.post(f"/games/{DUEL}/preview", {"move": move}).json["state"] == "good"


def test_a_preview_changes_nothing_and_says_how_to_go_on(club):
    program, before = Program(club, "ann", ApiScope.READ), written(club)
    good = program.post(f"/games/{DUEL}/preview", {"move": "3@a1"}).json
    assert good["state"] == "good"
    assert good["text"] == "3@a1"
    assert "can be played" in good["sentence"]
    wrong = program.post(f"/games/{DUEL}/preview", {"move": "zz9"}).json
    assert wrong["state"] == "wrong" and wrong["sentence"].endswith((".", "?"))
    assert written(club) == before


def test_a_move_of_a_program_is_a_move_and_marked_as_such(club):
    answer = Program(club, "ann").post(f"/games/{DUEL}/moves", {"ply": 0, "move": " 3@a1 ", "comment": "Beep."})
    assert answer.json["move"] == "3@a1"
    assert answer.json["game"]["ply"] == 1
    assert not answer.json["game"]["is_my_turn"]
    with db.reading(club.engine) as session:
        (entry,) = moves_of(session, DUEL)
    assert (entry.by, entry.comment) == (By.API, "Beep.")
    club.deliver()
    assert club.received[-1]["To"] == "bob@example.org"


def test_a_move_that_is_sent_twice_is_played_once(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    first = ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1"})
    again = ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1"})
    assert first.json == again.json and again.json["game"]["ply"] == 1
    bob.post(f"/games/{DUEL}/moves", {"ply": 1, "move": "3@b1"})
    late = ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1"})
    assert late.status_code == 200
    assert late.json["move"] == "3@a1"
    assert late.json["game"]["ply"] == 2


def test_a_move_for_a_moment_that_has_passed_is_refused_in_words(club):
    ann = Program(club, "ann")
    ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1"})
    answer = ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "4@b2"})
    assert "you played 3@a1 there" in detail(answer, 409) and answer.json["kind"] == "stale"
    assert "not your turn" in detail(ann.post(f"/games/{DUEL}/moves", {"ply": 1, "move": "4@b2"}), 422)
    assert len(club.moves(DUEL)) == 1


def test_a_wrong_move_is_answered_as_on_the_page(club):
    answer = Program(club, "ann").post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a"})
    page = club.client("ann").post(f"/games/{DUEL}/move", data={"move": "3@a", "ply": "0"})
    assert page.status_code == 422
    assert detail(answer, 422).split(":")[0][:40] in page.text and answer.json["kind"] in ("unfinished", "notation")
    assert club.moves(DUEL) == []


def test_words_that_reveal_a_secret_are_not_passed_on(club):
    number = club.match("plateau")
    club.play(number, "ann", "+b1 xr,xb")
    club.play(number, "bob", "+d4 xx,rr")
    answer = Program(club, "ann").post(f"/games/{number}/talk", {"text": "+b1 xr,xb", "is_meant": True})
    assert detail(answer, 422) and "xr,xb" not in json.dumps(Program(club, "bob").get(f"/games/{number}").json)


def test_conditional_moves_come_with_a_move_or_later_and_only_their_owner_knows(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    played = ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1", "plan": "if 3@b1 then 5@b2"})
    assert played.json["unplanned"] == ""
    assert ann.get(f"/games/{DUEL}/plan").json["lines"] and bob.get(f"/games/{DUEL}/plan").json["lines"] == []
    changed = ann.client.put(
        f"/api/v1/games/{DUEL}/plan", headers=ann.headers, json={"lines": "if 4@b1 then 5@b2", "ply": 1}
    )
    assert "4@b1" in changed.json["lines"][0] and changed.json["is_armed"]
    assert "dropped" in ann.delete(f"/games/{DUEL}/plan").json["sentence"]
    assert "no plan" in detail(ann.delete(f"/games/{DUEL}/plan"), 422)


def test_offers_are_made_listed_and_answered(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    assert "offered a draw" in ann.post(f"/games/{DUEL}/draw").json["sentence"]
    assert bob.get(f"/games/{DUEL}").json["offers"][0].items() >= {"kind": "draw", "seat": 0}.items()
    assert "declined" in bob.post(f"/games/{DUEL}/decline", {"kind": "draw"}).json["sentence"]
    assert "No offer of your opponent is waiting" in detail(bob.post(f"/games/{DUEL}/decline", {"kind": "draw"}), 409)
    ann.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1"})
    ann.post(f"/games/{DUEL}/takeback")
    assert "taken back" in bob.post(f"/games/{DUEL}/takeback").json["sentence"] and club.moves(DUEL) == []
    assert "offered a pause" in ann.post(f"/games/{DUEL}/pause", {"days": 3}).json["sentence"]
    assert "has begun" in bob.post(f"/games/{DUEL}/pause", {}).json["sentence"]
    bob.post(f"/games/{DUEL}/draw")
    assert "drawn" in ann.post(f"/games/{DUEL}/draw").json["sentence"]
    assert ann.get(f"/games/{DUEL}").json["result"] == "1/2-1/2"


def test_resigning_must_be_confirmed(club):
    ann = Program(club, "ann")
    assert "confirmed" in detail(ann.post(f"/games/{DUEL}/resign", {"confirmed": False}), 422)
    assert "confirmed" in detail(ann.post(f"/games/{DUEL}/resign", {}), 422)
    assert ann.post(f"/games/{DUEL}/resign", {"confirmed": True}).status_code == 200
    assert ann.get(f"/games/{DUEL}").json["result"] == "0-1"
    assert detail(ann.post(f"/games/{DUEL}/resign", {"confirmed": True}), 409)


def test_a_remark_reaches_its_audience_and_a_note_nobody(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    ann.post(f"/games/{DUEL}/talk", {"text": "Hello."})
    ann.post(f"/games/{DUEL}/talk", {"text": "My thought.", "audience": "me"})
    assert [remark["text"] for remark in bob.get(f"/games/{DUEL}").json["talk"]] == ["Hello."]
    assert Program(club, "cleo").get(f"/games/{DUEL}").json["talk"] == []


# -- whose game, and what the token allows -------------------------------------------------

ACTS = [
    ("POST", "/games/1/moves", {"ply": 0, "move": "3@a1"}), ("POST", "/games/1/draw", None),
    ("POST", "/games/1/takeback", None), ("POST", "/games/1/pause", {"days": 3}),
    ("POST", "/games/1/decline", {"kind": "draw"}), ("POST", "/games/1/resign", {"confirmed": True}),
    ("POST", "/games/1/claim", None), ("POST", "/games/1/nudge", None), ("POST", "/games/1/talk", {"text": "Hi."}),
    ("PUT", "/games/1/plan", {"lines": "if 3@b1 then 5@b2", "ply": 0}), ("POST", "/games/1/plan/resume", None),
    ("DELETE", "/games/1/plan", None),
]  # fmt: skip


def do(program, method, path, body):
    given = {} if body is None else {"json": body}
    return program.client.open(f"/api/v1{path}", method=method, headers=program.headers, **given)


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_an_onlooker_does_nothing_in_a_game_of_others(club, method, path, body):
    before = written(club)
    assert "Only the players of this game" in detail(do(Program(club, "cleo"), method, path, body), 403)
    assert written(club) == [before[0], before[1] + 1]  # the letter about the token


@pytest.mark.parametrize(("method", "path", "body"), [
    *ACTS, ("POST", "/seeks", {"game": "duel"}), ("POST", "/challenges", {"handle": "bob", "game": "duel"}),
    ("POST", "/puzzles", {}), ("POST", "/puzzles/today", None), ("POST", "/seeks/1/take", {}), ("DELETE", "/seeks/1", None),
    ("POST", "/challenges/1/accept", {}), ("POST", "/challenges/1/decline", None), ("DELETE", "/challenges/1", None),
])  # fmt: skip
def test_a_token_that_only_looks_changes_nothing(club, method, path, body):
    program = Program(club, "ann", ApiScope.READ)
    before = written(club)
    assert "can only look" in detail(do(program, method, path, body), 403) and written(club) == before


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_nothing_is_done_without_a_token_even_with_a_cookie(club, method, path, body):
    before, browser = written(club), club.client("ann")
    given = {} if body is None else {"json": body}
    answer = browser.open(f"/api/v1{path}", method=method, **given)
    assert "needs a member's token" in detail(answer, 401) and written(club) == before


# -- how games begin -----------------------------------------------------------------------


def test_a_challenge_is_made_seen_and_accepted(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    pace = {"bank_hours": 72, "increment_hours": 72}
    made = ann.post("/challenges", {"handle": "bob", "game": "duel", "pace": pace, "rated": False, "seat": 1})
    assert made.status_code == 201 and made.json["game"] is None
    (challenge,) = bob.get("/challenges").json["to_me"]
    assert (challenge["challenger"], challenge["terms"]["rated"]) == ("ann", False)
    assert challenge["terms"]["pace"]["bank"] == 259_200
    begun = bob.post(f"/challenges/{challenge['number']}/accept", {})
    assert bob.get(f"/games/{begun.json['game']}").json["seat"] == 0


def test_a_challenge_is_declined_or_withdrawn(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    first, second = (
        ann.post("/challenges", {"handle": "bob", "game": game}).json["offer"] for game in ("duel", "plateau")
    )
    assert "declined" in bob.post(f"/challenges/{first}/decline").json["sentence"]
    assert "withdrawn" in ann.delete(f"/challenges/{second}").json["sentence"]
    assert "no open challenge" in detail(ann.delete(f"/challenges/{second}"), 422)
    assert bob.get("/challenges").json["to_me"] == []


@pytest.mark.parametrize(("body", "sentence"), [
    ({"handle": "nobody", "game": "duel"}, "Nobody here is called"), ({"handle": "bob", "game": "chess"}, "no game"),
    ({"handle": "ann", "game": "duel"}, "yourself"), ({"handle": "bob", "game": "duel", "options": {"x": "y"}}, "x"),
    ({"handle": "bob", "game": "duel", "pace": {"bank_hours": 8000}}, "ninety days"),
])  # fmt: skip
def test_an_impossible_challenge_is_refused_with_the_sentence_of_the_page(club, body, sentence):
    assert sentence in detail(Program(club, "ann").post("/challenges", body), 422)


@pytest.mark.parametrize(("raw", "field"), [
    ('{"handle": "bob", "game": "duel", "handle": "cleo"}', "handle"),
    ('{"handle": "bob", "game": "duel", "pace": {"bank_hours": 24, "bank_hours": 48}}', "bank_hours"),
    ('{"handle": "bob", "game": "duel", "options": {"analysis": "no", "analysis": "yes"}}', "analysis"),
])  # fmt: skip
def test_what_stands_twice_is_refused_because_nobody_knows_which_is_meant(club, raw, field):
    ann = Program(club, "ann")
    answer = ann.client.post("/api/v1/challenges", data=raw, content_type="application/json", headers=ann.headers)
    assert detail(answer, 422) == f"“{field}” is given twice." and answer.json["field"] == field
    assert all(Program(club, name).get("/challenges").json["to_me"] == [] for name in ("bob", "cleo"))


def test_a_seek_is_posted_seen_with_reasons_and_taken(club):
    ann, bob = Program(club, "ann"), Program(club, "bob")
    posted = ann.post("/seeks", {"game": "plateau", "conditions": {"games": "2"}}).json
    (seen,) = bob.get("/seeks?game=plateau").json["seeks"]
    assert seen["number"] == posted["offer"]
    assert seen["is_eligible"]
    assert seen["reasons"]
    assert not seen["is_mine"]
    begun = bob.post(f"/seeks/{seen['number']}/take", {"commitment": seen["commitment"]})
    assert Program(club, "ann").get(f"/games/{begun.json['game']}").json["game"] == "plateau"
    assert "withdrawn" in ann.delete(f"/seeks/{posted['offer']}").json["sentence"]


@pytest.mark.parametrize(
    "words", [{"conditions": {"robot": "yes"}}, {"options": {"robot": "yes"}}, {"conditions": {"x": ""}}]
)
def test_a_condition_that_no_seek_knows_is_refused_and_never_left_out(club, words):
    sentence = detail(Program(club, "ann").post("/seeks", {"game": "duel", **words}), 422)
    assert "robots" in sentence and Program(club, "bob").get("/seeks").json["seeks"] == []


def test_a_condition_counts_wherever_it_stands_and_in_any_letter_case(club):
    ann = Program(club, "ann")
    for words in ({"options": {"days": "3"}}, {"conditions": {"DAYS": "3"}}):
        number = ann.post("/seeks", {"game": "duel", **words}).json["offer"]
        (seek,) = ann.get("/seeks").json["seeks"]
        assert datetime.fromisoformat(seek["expires_at"]) - club.time <= timedelta(days=3)
        ann.delete(f"/seeks/{number}")


def test_who_only_looks_on_is_told_so_in_words_for_programs(club):
    assert "Only the players of this game" in detail(Program(club, "cleo").get(f"/games/{DUEL}/plan"), 403)


def test_the_puzzle_of_today_is_begun_once_and_played_by_moves(club):
    ann = Program(club, "ann")
    assert ann.get("/puzzles/today").json["mine"] is None
    first, again = ann.post("/puzzles/today").json, ann.post("/puzzles/today").json
    assert first["number"] == again["number"] and first["seat"] == 0
    move = ann.get(f"/games/{first['number']}/legal").json["moves"][0]
    assert ann.post(f"/games/{first['number']}/moves", {"ply": first["ply"], "move": move}).status_code == 200
    assert ann.get("/puzzles/today").json["mine"]["moves"] == 1 and len(ann.get("/puzzles").json["puzzles"]) == 1


def test_a_puzzle_is_begun_with_options(club):
    game = Program(club, "ann").post("/puzzles", {"options": {"goal": "3"}})
    assert game.status_code == 201 and game.json["terms"]["options"] == {"goal": "3"}


# -- what is public ------------------------------------------------------------------------


def test_members_ratings_and_the_archive_are_those_of_the_pages(club):
    club.resign(DUEL, "ann")
    program = Program(club, "cleo")
    bob = program.get("/players/BOB").json
    assert bob["handle"] == "bob"
    assert not bob["is_robot"]
    assert bob["tally"] == [{"game": "duel", "won": 1, "lost": 0, "drawn": 0}]
    assert "does not exist" in detail(program.get("/players/nobody"), 404)
    assert program.get("/ratings/duel?provisional=true").json["next"] is None
    assert detail(program.get("/ratings/chess"), 404)
    assert [game["number"] for game in program.get("/archive?player=bob&result=won").json["games"]] == [DUEL]
    assert "no game" in detail(program.get("/archive?game=chess"), 422)


def test_days_of_the_archive_are_those_of_the_member_for_whom_a_program_asks(club):
    club.join("eve", zone="Pacific/Kiritimati")  # where the next day has begun
    club.resign(DUEL, "ann")
    found = [Program(club, name).get("/archive?since=2026-11-22").json["games"] for name in ("ann", "eve")]
    assert [[game["number"] for game in games] for games in found] == [[], [DUEL]]


def test_running_games_are_watched_by_everybody(club):
    club.play(DUEL, "ann", "3@a1")
    club.play(DUEL, "bob", "3@b1")
    assert [game["number"] for game in Program(club, "cleo").get("/watch").json["games"]] == [DUEL]


def test_the_games_are_explained_to_programs(club):
    games = {game["game"]: game for game in Program(club, "cleo").get("/rules").json["games"]}
    assert games["duel"]["notation"] and len(games["duel"]["seats"]) == 2
    assert games["duel-puzzle"]["options"][0]["values"]


# -- bad input -----------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "code"), [
    (b"", 400), (b"{", 400), (b"nul", 400), (b"\xff\xfe", 400), (b'{"move": "\\ud800", "ply": 0}', 400),
    (b"[" * 30_000, 400), (b'{"ply":' * 5_000, 400), (b"[]", 422), (b"7", 422), (b'"x"', 422), (b"null", 422),
    (b"{}", 422), (b'{"ply": 0}', 422), (b'{"ply": "0", "move": "3@a1"}', 422), (b'{"ply": 0.5, "move": "3@a1"}', 422),
    (b'{"ply": true, "move": "3@a1"}', 422), (b'{"ply": -1, "move": "3@a1"}', 422), (b'{"ply": 0, "move": 3}', 422),
    (b'{"ply": 2147483648, "move": "3@a1"}', 422), (b'{"ply": ' + b"9" * 4000 + b', "move": "3@a1"}', 422),
    (b'{"ply": 1e400, "move": "3@a1"}', 422), (b'{"ply": NaN, "move": "3@a1"}', 422),
    (b'{"ply": 0, "move": "' + b"x" * 401 + b'"}', 422), (b'{"ply": 0, "move": "3@a1", "moves": 1}', 422),
    (b'{"ply": 0, "move": ["3@a1"]}', 422), (b'{"ply": 0, "move": {"a": {"b": {}}}}', 422),
    (b'{"ply": 0, "move": ""}', 422), (b'{"ply": 0, "move": "\\u0000\\u202e"}', 422),
])  # fmt: skip
def test_what_cannot_be_read_is_answered_by_a_sentence_and_does_nothing(club, data, code):
    program = Program(club, "ann")
    answer = program.client.post(
        f"/api/v1/games/{DUEL}/moves", data=data, headers=program.headers, content_type="application/json"
    )
    assert detail(answer, code).endswith((".", "?")) and club.moves(DUEL) == []


def test_a_fault_names_its_field_and_what_there_is(club):
    program = Program(club, "ann")
    answer = program.post(f"/games/{DUEL}/moves", {"ply": 0, "move": "3@a1", "moves": 1})
    assert answer.json["field"] == "moves" and "ply, takebacks, move, comment, plan, is_meant" in answer.json["detail"]
    nested = program.post("/challenges", {"handle": "bob", "game": "duel", "pace": {"bank_hours": "x"}})
    assert nested.json["field"] == "pace.bank_hours" and "whole number" in nested.json["detail"]
    assert "state" in detail(program.get("/games?state=lost"), 422)
    assert "x" in detail(program.get("/games?x=1"), 422)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(club, kind):
    program = Program(club, "ann")
    answer = program.client.post(
        f"/api/v1/games/{DUEL}/moves", data=b'{"ply": 0, "move": "3@a1"}', headers=program.headers, content_type=kind
    )
    assert "send JSON" in detail(answer, 415) and club.moves(DUEL) == []


def test_a_body_that_is_too_long_is_refused_unread(club):
    program = Program(club, "ann")
    body = {"ply": 0, "move": "3@a1", "comment": "x" * 70_000}
    assert "shorter" in detail(program.post(f"/games/{DUEL}/moves", body), 413)


def test_a_wrong_method_is_answered_with_those_that_there_are(club):
    answer = Program(club, "ann").delete(f"/games/{DUEL}")
    assert "That method" in detail(answer, 405) and answer.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_no_other_site_may_ask_in_a_browser(club):
    answer = Program(club, "ann").get("/me", Origin="https://evil.example")
    assert not [name for name in answer.headers if name[0].startswith("Access-Control")]
