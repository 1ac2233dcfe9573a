"""A plan recorded on a board: what is offered, what is refused, and that it shows no more than its owner may know."""

from __future__ import annotations

import json
import random
import re
from html import unescape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.models import Match, Plan
from correspondence.play.conditional import drafts
from correspondence.play.conditional.syntax import PlanError
from correspondence.render.viewer_game import foreseen_touches
from engines import GAMES
from engines.base import CHANCE, MoveError
from engines.options import read_options
from engines.record import playout
from tests.sizes import examples

BOARD = "/games/1/plan/board"


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.play(1, "ann", "5@a2")
    return world


def step(world, **form):
    return world.client("ann").post(BOARD, data={"ply": "1", **form})


def text_of(answer):
    return unescape(answer.text)


def lines_of(answer):
    return re.search(r'<textarea id="lines".*?>(.*?)</textarea>', text_of(answer), re.DOTALL)[1].splitlines()


def test_what_is_recorded_is_the_text_of_a_plan(club):
    one = step(club, lines="", path="", move="6@b2")
    assert "Choose your answer to" in one.text and "None yet" not in one.text
    assert "your answer is still missing" in one.text and lines_of(one) == []
    two = step(club, lines="", path="6@b2", move="8@b3")
    assert lines_of(two) == ["if 6@b2 then 8@b3"]
    three = step(club, lines="if 6@b2 then 8@b3", path="6@b2; 8@b3; 8@a1", move="1@c2")
    assert lines_of(three) == ["if 6@b2 then 8@b3, if 8@a1 then 1@c2"]
    branch = step(club, lines="if 6@b2 then 8@b3, if 8@a1 then 1@c2", path="6@b2; 8@b3; 8@c3", move="1@c2")
    assert lines_of(branch) == ["if 6@b2 then 8@b3, if 8@a1 then 1@c2", "if 6@b2 then 8@b3, if 8@c3 then 1@c2"]
    assert lines_of(step(club, lines="\n".join(lines_of(branch)), drop="0")) == lines_of(branch)[1:]


def test_another_answer_replaces_the_old_one_and_says_so(club):
    answer = step(club, lines="if 6@b2 then 8@b3", path="6@b2", move="8@c2")
    assert lines_of(answer) == ["if 6@b2 then 8@c2"]
    assert "After 6@b2 you now answer 8@c2 instead of 8@b3." in answer.text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"path": "", "move": "9@z9"}, "9@z9 cannot be planned"),
        ({"path": "6@b2", "move": "6@b2"}, "6@b2 cannot be planned"),
        ({"path": "nonsense", "move": "6@b2"}, "nonsense cannot be planned"),
        ({"lines": "tomorrow", "path": "", "move": "6@b2"}, "is not a line of a plan"),
        ({"lines": "if 6@b2 then 8@b3", "drop": "7"}, "There is no such line in this plan."),
        ({"lines": "x" * 9000}, "A plan has at most 8000 characters."),
        ({"to": "start1; 2; 3"}, "1 cannot be planned"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_a_sentence_and_the_rest_is_kept(club, form, sentence):
    answer = step(club, **form)
    assert answer.status_code == 422 and sentence in text_of(answer)


def test_no_step_changes_anything_and_one_form_saves_the_plan(club):
    step(club, lines="if 6@b2 then 8@b3", path="6@b2; 8@b3", move="8@a1")
    with reading(club.engine) as session:
        assert session.exec(select(Plan)).first() is None
    saved = club.client("ann").post("/games/1/plan", data={"lines": "if 6@b2 then 8@b3", "ply": "1"})
    assert saved.status_code == 303
    assert lines_of(club.client("ann").get(BOARD)) == ["if 6@b2 then 8@b3"]


def test_only_a_player_who_waits_records_a_plan(club):
    assert club.client("cleo").get(BOARD).status_code == 403
    assert club.client().get(BOARD).location == "/sign-in"
    assert club.client("ann").get("/games/99/plan/board").status_code == 404
    back = club.client("bob").get(BOARD, follow_redirects=True)
    assert "It is your turn: please move first, then plan." in back.text


def test_where_there_is_no_analysis_board_a_plan_is_only_written(world):
    world.join("ann", "bob")
    world.match("duel", analysis="off")
    world.play(1, "ann", "5@a2")
    with transaction(world.engine) as session:
        assert session.get(Match, 1).analysis is False
    assert "plan/board" not in world.client("ann").get("/games/1").text
    answer = world.client("ann").get(BOARD, follow_redirects=True)
    assert "The players agreed not to try moves on a board before this game is over" in answer.text


def test_a_typed_move_is_read_for_its_place(club):
    ann = club.client("ann")
    good = ann.post(f"{BOARD}/read", data={"path": "", "move": "6@b2"}).json
    assert good == {"state": "good", "sentence": "6@b2 can be planned.", "suggestions": []}
    assert ann.post(f"{BOARD}/read", data={"path": "6@b2", "move": "8@b3"}).json["state"] == "good"
    assert ann.post(f"{BOARD}/read", data={"path": "6@b2", "move": "6@b2"}).json["state"] == "wrong"
    assert ann.post(f"{BOARD}/read", data={"path": "zz", "move": "6@b2"}).json["state"] == "wrong"
    assert ann.post(f"{BOARD}/read", data={"path": "", "move": ""}).json["state"] == "good"


def test_a_line_ends_where_chance_decides():
    game, rng = GAMES["proteus-dice"], random.Random(1)
    position = game.start(read_options(game.Options, {"roulette": "after"}))
    while position.to_act != (CHANCE,):
        before, seat = position, position.to_act[0]
        move = position.random_move(seat, rng)
        position = position.after(seat, move)
    with pytest.raises(PlanError, match="chance decides something after it"):
        drafts.draft(before.view(1 - seat), 1 - seat, "", (), before.write(seat, move))


@settings(deadline=None, max_examples=examples(20), suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
def test_what_can_be_touched_depends_on_nothing_that_its_owner_cannot_see(seed):
    rng = random.Random(seed)
    game = GAMES["plateau"]
    position = playout(game.start(game.Options()), rng, most=rng.randrange(2, 14)).position
    if position.outcome is not None or len(position.to_act) != 1 or position.to_act[0] < 0:
        return
    opponent = position.to_act[0]
    mine = 1 - opponent
    other = position.imagine(mine, rng)
    shown = [json.dumps(foreseen_touches(one.view(mine), opponent)) for one in (position, other)]
    assert shown[0] == shown[1]
    draft = drafts.draft(position.view(mine), mine, "", ())
    for text in re.findall(r'": "([^"]+)"', shown[0])[:12]:
        outcomes = [_tried(one.view(mine), mine, text) for one in (position, other)]
        assert outcomes[0] == outcomes[1]
    assert draft.view == other.view(mine)


def _tried(view, seat, text):
    try:
        return drafts.draft(view, seat, "", (), text).view
    except (PlanError, MoveError) as error:
        return str(error)


@pytest.mark.parametrize("asks_again", [False, True], ids=["at once", "confirmed first"])
def test_who_plays_a_move_is_led_on_to_the_board_for_answers_if_they_ask_for_it(club, asks_again):
    bob = club.client("bob")
    move = {"move": "6@b2", "ply": "1", "takebacks": "0", "then": "plan"}
    if asks_again:
        bob.post("/settings/board", data={"confirm_moves": "on"})
        first = bob.post("/games/1/move", data=move)
        assert club.moves(1) == ["5@a2"]
        move["then"] = re.search(r'name="then" value="([\w ]+)"', first.text)[1]
    answer = bob.post("/games/1/move", data=move)
    assert answer.location == BOARD and club.moves(1) == ["5@a2", "6@b2"]
    assert "Choose a move that ann may play" in bob.get(BOARD).text


def test_where_analysis_is_excluded_no_board_for_answers_is_offered(world):
    world.join("ann", "bob")
    world.match("duel", analysis="no")
    page = world.client("ann").get("/games/1").text
    assert 'name="move"' in page and 'name="then"' not in page
