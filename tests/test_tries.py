"""A board of one's own: moves are tried from any moment, kept as a tree, seen by nobody else, and tell no secret."""

from __future__ import annotations

import random
import re

import pytest
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.core.db import reading, transaction
from correspondence.core.terms import split_analysis
from correspondence.models import Match, Move, Seek, Variation
from correspondence.models.loading import position_of
from correspondence.play import analysis, lookahead
from correspondence.play.matches import MatchError
from correspondence.play.viewer_games import viewer_game_of
from engines import GAMES
from engines.base import MoveError
from engines.options import OptionError, read_options


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.play(1, "ann", "5@b3")
    return world


def tried(world, who, text, ply=1, at="", number=1):
    return world.client(who).post(f"/games/{number}/{ply}/try", data={"move": text, "at": str(at)})


def test_moves_of_both_sides_are_tried_one_after_another_and_none_is_played(club):
    first = tried(club, "ann", "5@b2")
    assert first.status_code == 303
    node = re.search(r"at=(\d+)", first.location)[1]
    assert tried(club, "ann", "4@c2", at=node).status_code == 303
    page = club.client("ann").get(f"/games/1/1/try?at={node}").text
    assert "5@b2" in page
    assert "4@c2" in page
    assert "only you see it" in page
    with reading(club.runtime.engine) as session:
        assert len(session.exec(select(Move)).all()) == 1 and len(session.exec(select(Variation)).all()) == 2


def test_the_same_move_tried_twice_is_one_branch_and_another_is_a_second(club):
    assert tried(club, "ann", "5@b2").location == tried(club, "ann", "5@B2").location
    assert tried(club, "ann", "5@b2").location != tried(club, "ann", "5@c2").location


def test_moves_can_be_tried_from_every_moment_of_the_game(club):
    assert tried(club, "ann", "4@a1", ply=0).status_code == 303
    assert "4@a1" in club.client("ann").get("/games/1/0/try").text
    assert "4@a1" not in club.client("ann").get("/games/1/1/try").text
    assert club.client("ann").get("/games/1/9/try").status_code == 404
    assert club.client("ann").get("/games/1/1/try?at=77").status_code == 404


def test_what_one_tries_nobody_else_sees(club):
    node = re.search(r"at=(\d+)", tried(club, "ann", "5@b2").location)[1]
    for who in ("bob", "cleo"):
        assert club.client(who).get(f"/games/1/1/try?at={node}").status_code == 404
        assert '<ul class="tree">' not in club.client(who).get("/games/1/1/try").text
        assert club.client(who).post("/games/1/1/try/drop", data={"at": node}).status_code == 422
    assert club.client().get("/games/1/1/try").status_code == 303


def test_an_impossible_move_is_told_why_and_keeps_what_was_typed(club):
    answer = tried(club, "ann", "9@z9")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert 'value="9@z9"' in answer.text


def test_a_branch_is_dropped_with_all_after_it(club):
    node = re.search(r"at=(\d+)", tried(club, "ann", "5@b2").location)[1]
    tried(club, "ann", "4@c2", at=node)
    assert club.client("ann").post("/games/1/1/try/drop", data={"at": node}).location.endswith("/games/1/1/try")
    with reading(club.runtime.engine) as session:
        assert session.exec(select(Variation)).all() == []


def test_trees_do_not_grow_without_end(club, monkeypatch):
    monkeypatch.setattr(analysis, "MOST_KEPT", 1)
    assert tried(club, "ann", "5@b2").status_code == 303
    assert tried(club, "ann", "5@c2").status_code == 422


def test_what_was_tried_is_shared_by_link_after_the_end_until_its_owner_wants_no_more(club):
    tried(club, "ann", "5@b2")
    assert club.client("ann").post("/games/1/try/share", data={"ply": "1"}).status_code == 422
    club.resign(1, "bob")
    link = club.client("ann").post("/games/1/try/share", data={"ply": "1"}).location
    for who in ("", "bob", "cleo"):
        page = club.client(who).get(link)
        assert page.status_code == 200
        assert "5@b2" in page.text
        assert "Moves tried by ann" in page.text
        assert "<form" not in page.text.split("<main")[1].split("</main>")[0]
    assert club.client().get(link.replace("/1/try/", "/2/try/")).status_code == 404
    assert club.client().get("/games/1/try/" + "a" * 26).status_code == 404
    assert club.client("ann").post("/games/1/try/unshare", data={"ply": "1"}).status_code == 303
    assert club.client().get(link).status_code == 404


def test_the_terms_can_forbid_it_until_the_game_is_over(club):
    client = club.client("ann")
    answer = client.post("/challenge", data={"game": "duel", "handle": "bob", "option-analysis": "off", "seat": "0"})
    assert answer.status_code == 303 and "analysis" in club.client("bob").get("/games").text
    with reading(club.runtime.engine) as session:
        seek = session.exec(select(Seek.id).order_by(Seek.id.desc())).first()
    club.client("bob").post(f"/challenges/{seek}/accept")
    assert client.get("/games/2/0/try").status_code == 403
    assert tried(club, "ann", "5@b3", ply=0, number=2).status_code == 403
    assert "no analysis board" in client.get("/games/2").text
    with transaction(club.runtime.engine) as session, pytest.raises(MatchError):
        analysis.try_move(session, accounts.person_by_handle(session, "cleo"), 2, 0, None, "5@b3", now=club.clock())
    club.resign(2, "ann")
    assert client.get("/games/2/0/try").status_code == 200


def test_the_term_is_on_or_off():
    assert split_analysis({"board": "sun", "analysis": "OFF"}) == ({"board": "sun"}, False)
    assert split_analysis({}) == ({}, True)
    with pytest.raises(OptionError):
        split_analysis({"analysis": "perhaps"})


TABLES = [("plateau", {}), ("proteus-dice", {"wall_street": "secret"}), ("proteus-dice", {"roulette": "after"}),
          ("proteus-tiles", {})]  # fmt: skip


@pytest.mark.parametrize(("key", "options"), TABLES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_trying_tells_nothing_that_the_viewer_does_not_see(key, options, seed):
    """Two positions that one viewer cannot tell apart answer every tried move alike."""
    rng = random.Random(seed)
    position = GAMES[key].start(read_options(GAMES[key].Options, options))
    for _ply in range(rng.randrange(4, 24)):
        if not position.to_act:
            return
        seat = position.to_act[0]
        position = position.after(seat, position.random_move(seat, rng))
    for viewer in (0, 1, None):
        other = position.imagine(viewer, rng)
        one, two = position.view(viewer), other.view(viewer)
        assert one == two
        for _step in range(5):
            text = _some_text(one, rng)
            answers = [_answer(base, text) for base in (one, two)]
            assert answers[0] == answers[1]
            if not isinstance(answers[0], tuple):
                break
            one, two = answers[0][2], answers[1][2]


def _some_text(position, rng):
    if not position.to_act:
        return "a1"
    seat = position.to_act[0]
    try:
        return position.write(seat, position.random_move(seat, rng))
    except MoveError:
        return "a1"


def _answer(position, text):
    try:
        return lookahead.try_step(position, text)
    except (MoveError, MatchError) as error:
        return str(error)


@pytest.mark.parametrize("key", ["plateau", "proteus-dice", "proteus-tiles", "duel", "duel-puzzle"])
def test_every_game_has_such_a_board_for_players_and_onlookers(world, key, is_thorough):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    if key == "duel-puzzle":
        world.client("ann").post("/challenge", data={"game": key})
    else:
        world.match(key)
    rng = random.Random(3)
    for _ply in range(6 if is_thorough else 3):
        world.clock.go(minutes=5)  # as fast as the door lets in
        with reading(world.runtime.engine) as session:
            match = session.get_one(Match, 1)
            position = position_of(match)
            ply = match.ply
        seat = position.to_act[0]
        text = position.view(seat).write(seat, position.view(seat).random_move(seat, rng))
        for who in ("ann", "bob", "cleo"):
            client = world.client(who)
            page = client.get(f"/games/1/{ply}/try")
            assert page.status_code == 200
            assert client.get(f"/games/1/{ply}/try/moves.json").status_code == 200
            for pick in re.findall(r'name="pick" value="([^"]+)"', page.text)[:60:12]:
                answer = tried(world, who, pick.replace("&#39;", "'"), ply=ply)
                assert answer.status_code in (303, 422)
                if answer.status_code == 303:
                    assert client.get(answer.location).status_code == 200
        world.play(1, ("ann", "bob")[seat], text)


GAMES_WITH_BLANKS = [("plateau", {}), ("proteus-dice", {"wall_street": "secret"}),
                     ("proteus-dice", {"wall_street": "open"})]  # fmt: skip
ASKED = ("", "?", "+a1", "+a1 xr", "+a4 ??,r?", "a1-", "a1~", "a1-b1", "pass", "tender M", "setup", "P@a1", "a3/b2=B")


@pytest.mark.parametrize(("key", "options"), GAMES_WITH_BLANKS, ids=str)
def test_everybody_gets_an_answer_from_the_analysis_board_at_every_moment(world, key, options, is_thorough):
    """Players on turn and off turn, onlookers and guests ask about real moves and about others."""
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match(key, **options)
    rng, sentences = random.Random(4), set()
    for _ply in range(7 if is_thorough else 4):
        world.clock.go(minutes=20)
        with reading(world.runtime.engine) as session:
            position, ply = position_of(session.get_one(Match, 1)), session.get_one(Match, 1).ply
        seat = position.to_act[0]
        played = position.write(seat, position.random_move(seat, rng))
        for who in ("ann", "bob", "cleo", ""):
            client = world.client(who)
            for text in (played, *rng.sample(ASKED, 2)):
                sentences.add(asked_of_the_board(client, bool(who), ply, text))
        world.play(1, ("ann", "bob")[seat], played)
    assert None not in sentences
    assert options == {"wall_street": "secret"} or any("hidden from you" in sentence for sentence in sentences)


def asked_of_the_board(client, signed_in, ply, text):
    """Ask everything the analysis board and the board in play can be asked, and give what the former says."""
    assert client.get(f"/games/1/{ply}/try").status_code == (200 if signed_in else 303)
    tree = client.get(f"/games/1/{ply}/try/moves.json")
    judged = client.post(f"/games/1/{ply}/try/read", data={"move": text})
    for answer in (client.get("/games/1/moves.json"), client.post("/games/1/read", data={"move": text})):
        assert answer.status_code < 500
    if not signed_in:
        assert tree.status_code in (303, 401, 403) and judged.status_code in (303, 401, 403)
        return ""
    assert tree.status_code == judged.status_code == 200
    node = client.post(f"/games/1/{ply}/try", data={"move": text, "at": ""})
    assert node.status_code in (303, 422)
    if node.status_code == 303:
        at = re.search(r"at=(\d+)", node.location)[1]
        assert client.get(node.location).status_code == 200
        assert client.get(f"/games/1/{ply}/try/moves.json?at={at}").status_code == 200
        assert client.post(f"/games/1/{ply}/try/read", data={"move": text, "at": at}).status_code == 200
    return judged.json["sentence"]


def test_a_guest_tries_moves_of_a_game_that_is_over_and_the_address_holds_them(club):
    guest = club.client()
    assert guest.get("/games/1/1/try").status_code == 303, "not while it runs"
    assert guest.post("/games/1/1/try", data={"move": "5@b2"}).status_code in (303, 403)
    assert guest.get("/games/1/1/try/moves.json").status_code in (303, 403)
    club.resign(1, "bob")
    assert 'href="/games/1/1/try"' in guest.get("/games/1").text
    one = guest.post("/games/1/1/try", data={"move": "5@b2"}).location
    assert one == "/games/1/1/try?tried=5@b2&at=1#board"
    two = guest.post("/games/1/1/try", data={"move": "4@c2", "tried": "5@b2", "at": "1"}).location
    assert two == "/games/1/1/try?tried=5@b2;4@c2&at=2#board"
    branch = guest.post("/games/1/1/try", data={"move": "6@b2", "tried": "5@b2;4@c2", "at": ""}).location
    assert branch == "/games/1/1/try?tried=5@b2;4@c2%7C6@b2&at=3#board"
    page = guest.get(branch).text
    assert page.count("data-step href") == 4
    assert "anyone who has it sees the same" in page
    assert "Make a link" not in page
    dropped = guest.post("/games/1/1/try/drop", data={"tried": "5@b2;4@c2|6@b2", "at": "1"}).location
    assert dropped == "/games/1/1/try?tried=6@b2#board"
    with reading(club.runtime.engine) as session:
        assert session.exec(select(Variation)).all() == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("tried=nonsense", 403), ("tried=5@b2&at=9", 404), ("tried=5@b2&at=-1", 200), ("at=1", 404),
        ("tried=" + "5@b2;" * 400, 403), ("tried=|;|;;|", 200), ("tried=5@b2|5@b2|5@b2&at=1", 200),
        ("tried=5@b2%00%ff&at=1", 403),
    ],
)  # fmt: skip
def test_whatever_stands_in_the_address_of_a_guest_is_answered(club, query, code):
    club.resign(1, "bob")
    assert club.client().get(f"/games/1/1/try?{query}").status_code in (code, 200)


def test_an_address_holds_sixty_moves_and_no_more(club):
    club.resign(1, "bob")
    numbers = [
        f"{piece}@{square}" for piece in range(1, 9) for square in ("b2", "a1", "a3", "b1", "c1", "c2", "c3", "d1")
    ]
    tried, refused = "", None
    for text in numbers:
        answer = club.client().post("/games/1/1/try", data={"move": text, "tried": tried})
        if answer.status_code == 303:
            tried = "|".join(filter(None, (tried, text)))
        elif "sign in to keep more" in answer.text:
            refused = text
            break
    assert refused is not None or tried.count("|") < 60


# -- comments, and the analysis as text -------------------------------------------------


def node_of(answer):
    return re.search(r"at=(\d+)", answer.location)[1]


def comment_on(world, who, at, text, number=1):
    return world.client(who).post(f"/games/{number}/1/try/comment", data={"at": at, "comment": text})


def test_a_comment_on_a_tried_move_is_kept_and_seen_by_its_writer_alone(club):
    at = node_of(tried(club, "ann", "5@b2"))
    assert comment_on(club, "ann", at, "Looks <strong>\r\nto me").status_code == 303
    page = club.client("ann").get(f"/games/1/1/try?at={at}").text
    assert page.count("Looks &lt;strong&gt;") == 2
    for who in ("bob", "cleo"):
        assert "Looks" not in club.client(who).get("/games/1/1/try").text
        assert comment_on(club, who, at, "Mine").status_code == 422
    comment_on(club, "ann", at, "  ")
    assert "Looks" not in club.client("ann").get(f"/games/1/1/try?at={at}").text


def test_a_refused_comment_is_given_back(club):
    at, text = node_of(tried(club, "ann", "5@b2")), "x" * 1_001
    answer = comment_on(club, "ann", at, text)
    assert answer.status_code == 422
    assert text in answer.text
    assert "at most 1000 characters" in answer.text
    assert comment_on(club, "ann", "77", "What?").status_code == 422
    assert club.client().post("/games/1/1/try/comment", data={"at": at, "comment": "x"}).status_code in (303, 403)
    assert comment_on(club, "ann", at, "x", number=99).status_code == 404


def test_comments_are_shared_with_the_moves_after_the_end(club):
    at = node_of(tried(club, "ann", "5@b2"))
    comment_on(club, "ann", at, "A trap.")
    club.resign(1, "bob")
    link = club.client("ann").post("/games/1/try/share", data={"ply": "1"}).location
    text = club.client().get(link.replace("?", ".txt?")).text
    assert "A trap." in club.client("cleo").get(link).text and "2. White: 5@b2 ; A trap." in text
    club.client("ann").post("/games/1/try/unshare", data={"ply": "1"})
    assert club.client().get(link.replace("?", ".txt?")).status_code == 404


def test_the_analysis_is_exported_with_variations_below_the_moves_they_replace(club):
    first = node_of(tried(club, "ann", "5@b2"))
    tried(club, "ann", "4@c3", at=node_of(tried(club, "ann", "4@c2", at=first)))
    tried(club, "ann", "6@c2", at=first)
    comment_on(club, "ann", node_of(tried(club, "ann", "6@b2")), "line\nbreak \\ [%ts ; end")
    answer = club.client("ann").get("/games/1/1/try.txt")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="game-1-analysis.txt"'
    assert answer.mimetype == "text/plain"
    assert answer.text.splitlines()[-8:] == [
        "", "1. Black: 5@b3", "",
        "2. White: 5@b2",
        r"  2. White: 6@b2 ; line\nbreak \\ [\%ts ; end",
        "3. Black: 4@c2", "  3. Black: 6@c2", "4. White: 4@c3",
    ]  # fmt: skip
    assert '[Black "ann"]\n[White "bob"]' in answer.text
    club.resign(1, "bob")
    guest = club.client().get("/games/1/1/try.txt?tried=5@b2;4@c2").text
    assert guest.endswith("2. White: 5@b2\n3. Black: 4@c2\n")


@pytest.mark.parametrize("key", ["plateau", "proteus-dice"])
def test_the_exported_game_says_what_its_viewer_may_see(world, key):
    options = {"wall_street": "secret"} if key == "proteus-dice" else {}
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match(key, **options)
    rng, texts = random.Random(5), {}
    for _ply in range(6 if key == "plateau" else 1):
        with reading(world.runtime.engine) as session:
            match = session.get_one(Match, 1)
            position = position_of(match)
        seat = position.to_act[0]
        world.play(1, ("ann", "bob")[seat], position.view(seat).write(seat, position.view(seat).random_move(seat, rng)))
    with reading(world.runtime.engine) as session:
        match = session.get_one(Match, 1)
        game, ply = viewer_game_of(session, match), match.ply
    for who, viewer in (("ann", 0), ("bob", 1), ("cleo", None)):
        rows = world.client(who).get(f"/games/1/{ply}/try.txt").text.split("\n\n")[1].splitlines()
        texts[who] = [row.partition(": ")[2] for row in rows]
        assert texts[who] == list(game.texts(viewer, opened=False))
    assert texts["ann"] != texts["bob"] or texts["ann"] != texts["cleo"]
