"""A plan on the page of its game and from the board of one's own; and that nobody else can tell there is one."""

from __future__ import annotations

import io
import re
import zipfile
from html import unescape

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.community import data_export
from correspondence.core import db
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.models import By, Letter, Plan
from correspondence.models.loading import moves_of, players_of
from correspondence.play import matches
from correspondence.play.conditional import plan_commands
from correspondence.play.matches import MatchError
from engines.base import MoveError
from tests.post import at_once
from tests.sizes import examples
from tests.world import World, mail_world

LINES = "if 6@b2 then 8@b3, if 8@a1 then 1@c2"


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.play(1, "ann", "5@a2")
    return world


def send(world, who, where="", **form):
    return world.client(who).post(f"/games/1/plan{where}", data=form)


def page(world, who):
    return unescape(world.client(who).get("/games/1").text)


def made(world):
    with reading(world.runtime.engine) as session:
        return [move.text for move in moves_of(session, 1)]


def test_a_plan_is_entered_changed_and_dropped_on_the_page_of_the_game(club):
    assert send(club, "ann", lines=LINES, ply="1").status_code == 303
    shown = page(club, "ann")
    assert "Your plan is on" in shown and LINES in shown
    assert send(club, "ann", lines="if 6@b2 then 8@b3", ply="1").status_code == 303
    assert LINES not in page(club, "ann") and "if 6@b2 then 8@b3" in page(club, "ann")
    assert send(club, "ann", "/drop").status_code == 303 and "if 6@b2" not in page(club, "ann")


def test_a_plan_that_cannot_be_is_told_why_and_what_was_typed_is_kept(club):
    refused = send(club, "ann", lines="if 6@b2 then 9@z9", ply="1")
    assert refused.status_code == 422 and 'role="alert"' in refused.text
    assert "9@z9 cannot be planned" in refused.text and "if 6@b2 then 9@z9</textarea>" in refused.text
    late = send(club, "bob", lines=LINES, ply="1")
    assert late.status_code == 422
    assert "move first" in late.text
    assert LINES in late.text
    assert send(club, "ann", lines="x" * 9000, ply="1").status_code == 422
    assert send(club, "cleo", lines=LINES, ply="1").status_code == 403
    assert send(club, "", lines=LINES).status_code == 403
    assert send(club, "ann", "/on").status_code == 422


def test_a_move_and_its_plan_are_one_form(club):
    form = {"move": "6@b2", "ply": "1", "plan": "if 8@b3 then 8@a1"}
    assert club.client("bob").post("/games/1/move", data=form).status_code == 303
    club.client("ann").post("/games/1/move", data={"move": "8@b3", "ply": "2"})
    assert made(club) == ["5@a2", "6@b2", "8@b3", "8@a1"]


def test_a_wrong_plan_does_not_hold_up_the_move_and_can_be_mended_where_it_was_typed(club):
    form = {"move": "6@b2", "ply": "1", "plan": "if 8@b3 then 9"}
    answer = club.client("bob").post("/games/1/move", data=form)
    assert answer.status_code == 200 and made(club) == ["5@a2", "6@b2"]
    assert "You played 6@b2." in answer.text and "9 cannot be planned" in unescape(answer.text)
    assert re.search(r'<textarea id="lines"[^>]*>if 8@b3 then 9</textarea>', answer.text)


def test_a_move_that_is_asked_about_once_more_keeps_its_plan(club):
    with transaction(club.runtime.engine) as session:
        accounts.person_by_handle(session, "bob").confirm_moves = True
    answer = club.client("bob").post("/games/1/move", data={"move": "6@b2", "ply": "1", "plan": "if 8@b3 then 8@a1"})
    assert answer.status_code == 200 and "if 8@b3 then 8@a1</textarea>" in answer.text


def test_a_stopped_plan_goes_on_with_a_button(club):
    send(club, "ann", lines=LINES, ply="1")
    club.play(1, "bob", "6@b2", comment="Look out!")
    assert "Its answer is 8@b3" in page(club, "ann") and "Go on with it" in page(club, "ann")
    assert send(club, "ann", "/on").status_code == 303
    assert made(club)[-1] == "8@b3" and "if 8@a1 then 1@c2" in page(club, "ann")


def test_a_line_that_was_tried_becomes_the_plan_by_a_button(club):
    at = ""
    nodes = []
    for text in ("6@b2", "8@b3", "8@a1"):
        answer = club.client("ann").post("/games/1/1/try", data={"move": text, "at": at})
        at = re.search(r"at=(\d+)", answer.location)[1]
        nodes.append(at)
    board = [club.client("ann").get(f"/games/1/1/try?at={node}").text for node in nodes]
    assert ["Plan this line" in text for text in board] == [False, True, False]
    assert send(club, "ann", "/tried", ply="1", at=nodes[2]).status_code == 422
    assert send(club, "ann", "/tried", ply="1", at=nodes[1]).status_code == 303
    assert "if 6@b2 then 8@b3" in page(club, "ann")
    assert send(club, "bob", "/tried", ply="1", at=nodes[1]).status_code == 422
    for form in ({"ply": "0", "at": nodes[1]}, {"ply": "1", "at": "999"}, {"ply": "x", "at": "y"}, {}):
        assert send(club, "ann", "/tried", **form).status_code == 422


def test_after_the_game_both_open_the_plans_by_a_button_and_onlookers_see_nothing(club):
    send(club, "ann", lines=LINES, ply="1")
    assert send(club, "ann", "/open").status_code in (409, 422)
    club.resign(1, "bob")
    assert LINES in page(club, "ann") and LINES not in page(club, "bob")
    assert "Open the plans" in page(club, "ann") and "Open the plans" not in page(club, "cleo")
    assert send(club, "bob", "/open").status_code == 303 and LINES not in page(club, "bob")
    assert "bob would like to open the plans" in page(club, "ann")
    assert send(club, "cleo", "/open").status_code == 403
    assert send(club, "ann", "/open").status_code == 303
    assert LINES in page(club, "bob") and "Open the plans" not in page(club, "bob")
    assert "if 6@b2" not in page(club, "cleo") and "if 6@b2" not in page(club, "")


def test_forms_for_plans_are_shown_to_players_of_two_while_the_game_runs(club):
    assert "/games/1/plan" in page(club, "ann") and "/games/1/plan" not in page(club, "cleo")
    club.client("ann").post("/challenge", data={"game": "duel-puzzle"})
    assert "/plan" not in club.client("ann").get("/games/2").text
    club.resign(1, "bob")
    assert '/games/1/plan"' not in page(club, "ann")


# -- secrecy -------------------------------------------------------------------------


FACES = ["/games/1", "/games/1/0", "/games/1/1", "/games/1/ply.json", "/games/1/moves.json?ply=1", "/games/1.record",
         "/games/1.atom", "/games/1/mail", "/games", "/players/ann", "/players/bob", "/players/ann.atom", "/archive",
         "/archive.records", "/games/1/1.txt", "/games/1/1.svg", "/games/1/1/try", "/", "/partners"]  # fmt: skip

GAMES_AND_MOVES = {
    "duel": ("5@a2", "6@b2", ["8@b3", "1@a1", "8@a3"]),
    "proteus-dice": ("a3/g1=B", "c6/a7=B", ["h4/d2=B", "c3/f2=B"]),
    "proteus-tiles": ("Mt@a1", "Ms@b2", ["Gs@a3", "To@c3"]),
    "plateau": ("+a1 xx,bb", "+b1 xx,rb", []),
}


def everything(folder, game, plan, tail):
    """All that the opponent and onlookers can fetch of a game in which Ann may have planned something."""
    world = World(folder)
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match(game)
    first, other, replies = GAMES_AND_MOVES[game]
    world.play(1, "ann", first)
    for text in plan:
        form = {"lines": f"if {text} then {replies[0]}" if replies else "if +b1 xx,rb then +c1 xx", "ply": "1"}
        world.client("ann").post("/games/1/plan", data=form)
    if tail == "dropped":
        world.client("ann").post("/games/1/plan/drop")
    world.clock.go(minutes=3)
    found = []
    if tail == "deviated":
        world.play(1, "bob", other)
    for who in ("bob", "cleo", ""):
        client = world.client(who)
        for face in FACES:
            answer = client.get(face)
            etag, body = answer.headers.get("ETag"), answer.data
            if b"[Signature" in body:  # each world signs with a key of its own
                etag, body = None, re.sub(rb'\[(Signature|Key) "[^"]*"\]', rb"", body)
            found.append((who, face, answer.status_code, etag, body))
    with reading(world.runtime.engine) as session:
        letters = session.exec(select(Letter).where(Letter.recipient != "ann@example.org").order_by(Letter.id)).all()
        nonce = re.compile(r"(?<=%%code\.)[0-9a-f]{40}")  # of the recovery code in a letter of welcome
        bodies = [(nonce.sub("", one.text), nonce.sub("", one.html)) for one in letters]
        found += [
            (one.kind, one.subject, *parts, one.due_at, one.reply_token_id)
            for one, parts in zip(letters, bodies, strict=True)
        ]
        bob = players_of(session, 1)[1].person_id
    with reading(world.runtime.engine):
        copy = data_export.export_chunks(world.runtime.engine, bob, signer=signer_of(world.settings), now=world.clock())
        copied = zipfile.ZipFile(io.BytesIO(b"".join(copy)))
        lottery = re.compile(
            rb"[0-9a-f]{40}|[0-9a-f]{16}|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/]{43}="
        )  # ends of Message-IDs, keys, signatures
        found += [(name, lottery.sub(b"", copied.read(name))) for name in copied.namelist()]
    world.close()
    return found


@pytest.fixture
def folders(tmp_path_factory):
    return lambda: tmp_path_factory.mktemp("world")


@settings(
    max_examples=examples(8),
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    game=st.sampled_from(sorted(GAMES_AND_MOVES)),
    plan=st.lists(st.sampled_from(["first", "second"]), max_size=2),
    tail=st.sampled_from(["", "dropped", "deviated"]),
)
def test_with_and_without_a_plan_others_can_fetch_the_same_to_the_byte(folders, game, plan, tail):
    foreseen = {"duel": ["8@a1", "6@b2"], "proteus-dice": ["e6/d8=B", "d6/b8=B"], "proteus-tiles": ["Mo@c2", "Gt@a2"],
                "plateau": ["+b1 xx,rb", "+c1 xx,rb"]}[game]  # fmt: skip
    other = GAMES_AND_MOVES[game][1]
    planned = [text for name, text in zip(["first", "second"], foreseen, strict=True) if name in plan and text != other]
    with_plan, without = everything(folders(), game, planned, tail), everything(folders(), game, [], tail)
    for one, two in zip(with_plan, without, strict=True):
        assert one == two


# -- races ---------------------------------------------------------------------------


@pytest.fixture
def anywhere(any_database, tmp_path):
    town = mail_world(tmp_path, database_url=any_database)
    town.join("ann", "bob")
    yield town
    town.close()


@pytest.mark.parametrize("_again", range(3))
def test_a_plan_dropped_at_the_moment_it_fires_was_dropped_or_has_fired(anywhere, _again):
    number = anywhere.match("duel")
    anywhere.play(number, "ann", "5@a2")
    with db.transaction(anywhere.engine) as session:
        plan_commands.enter(session, anywhere.player(session, number, "ann"), "if 6@b2 then 8@b3", now=anywhere.time)

    def drop():
        with db.transaction(anywhere.engine) as session:
            plan_commands.cancel(session, anywhere.player(session, number, "ann"), now=anywhere.time)
        return "dropped"

    def fire():
        with db.transaction(anywhere.engine) as session:
            player = anywhere.player(session, number, "bob")
            matches.make_move(session, player, "6@b2", now=anywhere.time, by=By.WEB, ply=1)
        return "moved"

    results = at_once(drop, fire, refusals=(MoveError, MatchError))
    fired = anywhere.moves(number) == ["5@a2", "6@b2", "8@b3"]
    assert "moved" in results and (fired or anywhere.moves(number) == ["5@a2", "6@b2"])
    assert ("dropped" in results) != fired
    with db.reading(anywhere.engine) as session:
        assert session.exec(select(Plan)).all() == []


def test_a_plan_fires_once_however_often_the_move_is_sent(anywhere):
    number = anywhere.match("duel")
    anywhere.play(number, "ann", "5@a2")
    with db.transaction(anywhere.engine) as session:
        plan_commands.enter(session, anywhere.player(session, number, "ann"), "if 6@b2 then 8@b3", now=anywhere.time)

    def move():
        with db.transaction(anywhere.engine) as session:
            player = anywhere.player(session, number, "bob")
            matches.make_move(session, player, "6@b2", now=anywhere.time, by=By.WEB, ply=1)

    assert at_once(*[move] * 4, refusals=(MoveError, MatchError)).count("done") == 1
    assert anywhere.moves(number) == ["5@a2", "6@b2", "8@b3"]
