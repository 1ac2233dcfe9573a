"""Features are switched off by a setting: their pages go, what they stored stays."""

from __future__ import annotations

import pytest
from sqlmodel import select

from correspondence import features
from correspondence.core import db
from correspondence.core.config import SettingError, Settings
from correspondence.factory import create_app
from correspondence.features.reviews.tables import Review
from correspondence.models import Remark
from correspondence.outbound.kinds import KINDS
from correspondence.robots.spare_work import WORK, work_of
from tests.post import text_of
from tests.reviews import resigned
from tests.world import World, mail_world

ALL = sorted(features.load())


@pytest.fixture
def without(tmp_path):
    """A service without second opinions, with a finished game of which one is stored."""
    world = World(tmp_path, features="-reviews")
    world.join("ann", "bob")
    number = resigned(world)
    with db.transaction(world.engine) as session:
        session.add(Review(match_id=number, asked_at=world.time, due_at=world.time, budget=1))
    return world, number


def test_feature_that_is_off_has_no_pages(without):
    world, number = without
    assert world.client("ann").post(f"/games/{number}/review").status_code == 404
    page = world.client("ann").get(f"/games/{number}")
    assert page.status_code == 200 and "second opinion" not in page.text


def test_feature_that_is_off_gives_robots_no_work(without):
    world, _number = without
    assert WORK["reviews"] not in work_of(world.settings)
    assert WORK["reviews"] in work_of(Settings())


def test_rows_and_letters_of_feature_that_is_off_stay(without):
    world, number = without
    with db.reading(world.engine) as session:
        assert session.get(Review, number) is not None
    assert "review" in KINDS


@pytest.mark.parametrize("name", ALL)
def test_service_starts_without_a_feature(tmp_path, name):
    app = create_app(Settings(instance_dir=str(tmp_path), features=f"-{name}"))
    assert app.test_client().get("/").status_code == 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-poems", "“poems”, which does not exist"),
        ("reviews", "such as -reviews"),
        ("-reviews, chess", "such as -chess"),
    ],
)
def test_wrong_list_of_features_is_refused_with_what_is_possible(tmp_path, text, words):
    with pytest.raises(SettingError, match=words):
        create_app(Settings(instance_dir=str(tmp_path), features=text))


@pytest.fixture
def letters_without(tmp_path):
    """A service without second opinions, to which Ann writes; she has a running game."""
    world = mail_world(tmp_path, features="-reviews")
    world.join("ann", "bob")
    world.match("duel")
    yield world
    world.close()


@pytest.mark.parametrize("line", ["review 1", "game 1: review", "parere 1", "review"])
def test_word_of_feature_that_is_off_is_refused_and_never_passed_on_as_talk(letters_without, line):
    world = letters_without
    assert world.answer(world.letter("ann"), line) == "done: refused"
    assert "This server does not offer that, so nothing was done." in " ".join(text_of(world.letter("ann")).split())
    with db.reading(world.engine) as session:
        assert session.exec(select(Remark)).all() == []


def test_command_of_feature_that_is_off_is_not_proposed(letters_without):
    letters_without.mail("ann@example.org", "play@games.example", "review 1")
    assert "Reply with yes" not in text_of(letters_without.letter("ann"))


def test_help_leaves_out_feature_that_is_off(letters_without):
    for name in ("ann", "stranger"):
        letters_without.mail(f"{name}@example.org", "play@games.example", "help begin")
        text = text_of(letters_without.letter(name))
        assert "history 12" in text and "review 12" not in text
