"""Tests use one application after the other, so that its making is not most of what a page costs a test."""

from __future__ import annotations

import pytest

from tests.world import World


@pytest.fixture
def worlds(tmp_path):
    """Makes worlds that lie in folders of their own, and ends them."""
    made = []

    def make(**settings):
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(World(folder, **settings))
        return made[-1]

    yield make
    for world in made:
        world.close()


def used(world):
    """The application of a world that is over, in which pages, programs and visitors were answered."""
    app = world.app
    world.join("ann", "bob")
    number = world.match()
    for client in (world.client("ann"), world.client()):
        for path in (
            "/",
            "/games",
            f"/games/{number}",
            "/seeks",
            "/help",
            "/api/v1/games",
            "/health/ready",
            "/nowhere",
        ):
            client.get(path)
    world.close()
    return app


def test_the_next_world_takes_the_application_that_answered_pages(worlds):
    app = used(worlds(dkim_selector="first"))
    assert worlds(dkim_selector="first").app is app


def test_a_world_on_other_settings_does_not(worlds):
    app = used(worlds(dkim_selector="second"))
    assert worlds(dkim_selector="third").app is not app


def test_nothing_that_pages_remembered_of_their_service_is_left_in_it(worlds):
    first = worlds(dkim_selector="fourth")
    known = set(first.app.extensions)
    app = used(first)
    assert set(app.extensions) > known
    assert set(worlds(dkim_selector="fourth").app.extensions) == known


def test_one_whose_views_a_test_has_changed_is_not_used_again(worlds):
    first = worlds(dkim_selector="fifth")
    first.app.view_functions["front.index"] = lambda: "changed"
    app = used(first)
    assert worlds(dkim_selector="fifth").app is not app
