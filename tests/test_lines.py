"""Boards on which a line is played that nothing keeps: diagrams of the rules, and openings of the archive."""

from __future__ import annotations

import re

import pytest
from sqlmodel import func, select

from correspondence.core.db import reading
from correspondence.models import Variation
from correspondence.ops.worker import sweep_openings
from correspondence.rulebook.chapters import CHAPTERS
from correspondence.rulebook.examples import position_at
from correspondence.web.lines import MOST_MOVES

DIAGRAMS = [(key, one) for key, chapter in CHAPTERS.items() for one in chapter.diagrams]
NAMES = [f"{key}/{one.name}" for key, one in DIAGRAMS]


def text_in(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def leaves(tree):
    return [leaf for branch in tree.values() for leaf in (leaves(branch) if isinstance(branch, dict) else [branch])]


# -- diagrams of the rules -----------------------------------------------------------------


@pytest.mark.parametrize("key", CHAPTERS)
def test_every_diagram_in_which_somebody_can_move_leads_to_its_board(world, key):
    page = world.client().get(f"/rules/{key}").text
    for one in CHAPTERS[key].diagrams:
        address = f"/rules/{key}/{one.name}/try"
        if f'id="diagram-{one.name}"' in page:
            assert (address in page) == bool(position_at(key, one.moment).to_act)


@pytest.mark.parametrize(("key", "one"), DIAGRAMS, ids=NAMES)
def test_what_a_diagram_says_is_allowed_is_played_and_the_rest_is_refused(world, key, one):
    visitor, address = world.client(), f"/rules/{key}/{one.name}/try"
    assert visitor.get(address).status_code == 200
    for text in one.allows[:2]:
        answer = visitor.post(address, data={"pick": text}, follow_redirects=True)
        assert answer.status_code == 200 and 'aria-current="true"' in answer.text
    for text in one.refuses[:2]:
        answer = visitor.post(address, data={"pick": text})
        assert answer.status_code == 422 and 'role="alert"' in answer.text


def test_a_line_goes_on_and_back_by_its_addresses(world):
    visitor = world.client()
    first = visitor.post("/rules/duel/board/try", data={"move": "nothing"})
    name = next(one.name for one in CHAPTERS["duel"].diagrams if not one.moment.position)
    address = f"/rules/duel/{name}/try"
    tree = visitor.get(f"{address}/moves.json").json["tree"]
    one = visitor.post(address, data={"move": leaves(tree)[0]})
    two = visitor.post(address, data={"moves": leaves(tree)[0], "move": leaves(visitor.get(
        f"{address}/moves.json", query_string={"moves": leaves(tree)[0]}).json["tree"])[-1]})  # fmt: skip
    page = visitor.get(two.location)
    assert first.status_code == 404 and one.status_code == two.status_code == 303
    assert page.text.count('aria-current="true"') == 1 and "One back" in page.text


def test_nothing_is_kept_of_what_is_tried(world):
    world.join("ann")
    world.client("ann").post("/rules/duel/start/try", data={"move": "5@b3"})
    with reading(world.runtime.engine) as session:
        assert session.exec(select(func.count()).select_from(Variation)).one() == 0


@pytest.mark.parametrize("query", ["moves=zz9", "moves=" + "5@b3;" * (MOST_MOVES + 5), "moves=%00", "moves=;;;"])
def test_nonsense_in_the_address_is_refused_with_a_sentence_or_is_the_beginning(world, query):
    key, one = DIAGRAMS[0]
    answer = world.client().get(f"/rules/{key}/{one.name}/try?{query}")
    assert answer.status_code in (200, 422) and (answer.status_code == 200 or 'role="alert"' in answer.text)


@pytest.mark.parametrize(
    "path", ["/rules/chess/x/try", "/rules/duel/nothing/try", "/rules/duel/nothing/try/moves.json"]
)
def test_there_is_no_board_of_no_diagram(world, path):
    assert world.client().get(path).status_code == 404


@pytest.mark.parametrize("key", CHAPTERS)
def test_what_a_move_would_do_is_told_before_it_is_made(world, key):
    visitor, one = world.client(), CHAPTERS[key].diagrams[0]
    address = f"/rules/{key}/{one.name}/try"
    assert visitor.post(f"{address}/read", data={"move": "zz9"}).json["state"] == "wrong"


# -- openings ------------------------------------------------------------------------------


@pytest.fixture
def archive(world):
    """Two finished games of Duel that began alike, and one that did not."""
    world.join("ann", "bob")
    for moves in (("5@b3", "5@b2"), ("5@b3", "5@b2"), ("5@c3",)):
        number = world.match("duel")
        for text, who in zip(moves, ("ann", "bob"), strict=False):
            world.play(number, who, text)
        world.resign(number, "ann")
    while sweep_openings(world.runtime):
        pass
    return world


def test_the_board_of_an_opening_offers_what_was_played(archive):
    visitor = archive.client()
    page = visitor.get("/archive?game=duel").text
    [address] = re.findall(r'data-moves="([^"]+)"', page)
    assert set(leaves(visitor.get(address.replace("&amp;", "&")).json["tree"])) == {"5@b3", "5@c3"}
    further = visitor.get("/archive/opening/moves.json?game=duel&moves=5@b3").json["tree"]
    assert leaves(further) == ["5@b2"]


def test_touching_a_move_leads_to_its_games_and_keeps_what_was_asked_for(archive):
    visitor = archive.client()
    answer = visitor.post("/archive/opening", data={"game": "duel", "player": "ann", "moves": "5@b3", "move": "5@b2"})
    assert answer.status_code == 303
    page = visitor.get(answer.location).text
    assert 'value="5@b3; 5@b2"' in page
    assert 'value="ann"' in page
    assert "2 games." in page


def test_a_move_that_cannot_be_played_is_refused_in_the_archive(archive):
    answer = archive.client().post("/archive/opening", data={"game": "duel", "move": "9@z9"}, follow_redirects=True)
    assert answer.status_code == 422 and "That opening can&#39;t be played" in answer.text
    read = archive.client().post("/archive/opening/read", data={"game": "duel", "move": "9@z9"})
    assert read.json["state"] == "wrong"


@pytest.mark.parametrize("query", ["", "game=chess", "game=duel&moves=zz9", "game=duel&options=x%3Dy"])
def test_there_is_no_tree_of_no_opening(archive, query):
    assert archive.client().get(f"/archive/opening/moves.json?{query}").status_code == 404


def test_the_archive_of_all_games_shows_no_board(archive):
    assert "tryout" not in archive.client().get("/archive").text
