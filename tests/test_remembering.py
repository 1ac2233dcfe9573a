"""Cached results are the same as new ones."""

from __future__ import annotations

import random

import pytest

from correspondence.core import db
from correspondence.core.caching import cached, clear_caches
from correspondence.core.i18n import in_language
from correspondence.play import matches, offers
from correspondence.render.viewer_game import ViewerGame
from engines import GAMES, wording
from engines.options import read_options
from engines.record import Entry, ReplayError, playout, positions


def test_an_answer_is_remembered_for_each_language():
    calls = []

    @cached(8)
    def sentence(word):
        calls.append(word)
        return wording._(word)

    for _again in range(2):
        assert sentence("Resign") == "Resign"
        with in_language("it"):
            assert sentence("Resign") != "Resign"
    assert calls == ["Resign", "Resign"]
    clear_caches()
    assert sentence("Resign") == "Resign" and len(calls) == 3


def test_cached_results_never_weigh_more_than_the_maximum():
    calls = []

    @cached(1_000, weigh=len)
    def text_of(length):
        calls.append(length)
        return "x" * length

    for length in (400, 401, 400, 402, 401, 5_000, 402):
        assert text_of(length) == "x" * length
    assert calls == [400, 401, 402, 401, 5_000]


def test_functions_of_one_name_do_not_answer_for_each_other():
    def remembered(factor):
        @cached(8)
        def times(number):
            return factor * number

        return times

    assert (remembered(2)(3), remembered(5)(3)) == (6, 15)


def test_positions_and_pictures_of_every_game_can_be_remembered():
    for game in GAMES.values():
        one, other = (game.start(read_options(game.Options, {})) for _again in range(2))
        assert hash(one) == hash(other)
        assert hash(one.scene(None)) == hash(other.scene(None))


def test_games_that_differ_in_an_early_move_alone_are_remembered_apart():
    one, other = (ViewerGame("duel", "", (Entry(0, first), Entry(1, "5@c3"))) for first in ("5@b3", "5@d3"))
    assert hash(one) == hash(other) and one != other
    for _again in range(2):
        assert one.unmarked(2, None, opened=False) != other.unmarked(2, None, opened=False)


def test_a_game_that_goes_on_or_takes_another_way_has_the_positions_of_its_own_entries():
    rules, options = GAMES["duel"], read_options(GAMES["duel"].Options, {})
    begun = playout(rules.start(options), random.Random(1), 4)
    one_way, other_way = (begun.entries + playout(begun.position, random.Random(seed), 6).entries for seed in (2, 3))
    assert one_way != other_way
    for course in (begun.entries, one_way[:6], other_way[:6], one_way, other_way, one_way[:5], begun.entries[:1]):
        game = ViewerGame("duel", "", course)
        expected = list(positions(rules, options, course))
        assert [game.at(ply) for ply in range(len(course) + 1)] == expected


@pytest.mark.parametrize("known", [0, 1, 2])
def test_an_entry_that_cannot_be_played_is_named_by_its_number_however_much_of_its_game_is_known(known):
    clear_caches()
    entries = (Entry(0, "5@b3"), Entry(1, "5@c3"), Entry(0, "5@c3"))
    ViewerGame("duel", "", entries[:known]).at(known)
    with pytest.raises(ReplayError) as refused:
        ViewerGame("duel", "", entries).at(3)
    assert refused.value.ply == 3


def test_what_a_version_says_is_asked_once_by_each_database_and_only_where_nothing_is_written(tmp_path):
    one, other = (db.make_engine(f"sqlite:///{tmp_path / name}") for name in ("one.db", "other.db"))
    questions = []

    def ask(session, version):
        return db.remembered(session, version, lambda: questions.append(version) or len(questions))

    for engine in (one, one, other):
        with db.reading(engine) as session:
            ask(session, "first")
    with db.reading(one) as session:
        assert [ask(session, version) for version in ("first", "second", "first")] == [1, 3, 1]
    with db.transaction(one) as session:
        assert ask(session, "first") == 4
    for engine in (one, other):
        engine.dispose()


GAME = "/games/1"

OPEN, HIDDEN = ("duel", "5@b3", "5@c3"), ("plateau", "+b1 xx,rb", "+a4 xx,rb")
"""Games with their first moves; where something is hidden no move is taken back."""


@pytest.fixture
def readers(world):
    """Who looks at a game: two players, a member, one who reads Italian elsewhere, and strangers."""
    world.join("ann", "bob", "cleo")
    world.join("dino", language="it", zone="Europe/Rome")
    strangers = {language: world.client() for language in ("en", "it")}
    return {name: world.client(name) for name in ("ann", "bob", "cleo", "dino")} | strangers


def pages_of(readers, path=GAME, root=""):
    """The page of each reader, without what is new in each response."""
    pages = {}
    for who, client in readers.items():
        answer = client.get(path, headers={"Accept-Language": who}, environ_overrides={"SCRIPT_NAME": root})
        pages[who] = answer.text
    return pages


@pytest.mark.parametrize("moves", [OPEN, HIDDEN])
def test_the_page_of_every_reader_is_the_same_with_and_without_caches(world, readers, moves):
    def act(name, use_case):
        with db.transaction(world.engine) as session:
            use_case(session, world.player(session, 1, name), now=world.time)

    world.match(moves[0])
    happens = [
        lambda: world.play(1, "ann", moves[1], comment="secret words"),
        lambda: world.play(1, "bob", moves[2]),
        *((lambda: act("bob", offers.offer_takeback), lambda: act("ann", offers.accept)) if moves == OPEN else ()),
        lambda: act("ann", matches.resign),
    ]
    for happen in happens:
        happen()
        for path, root in ((GAME, ""), (f"{GAME}/1", ""), (GAME, "/club")):
            remembered = pages_of(readers, path, root)
            assert 'class="moves' in remembered["cleo"]
            for who, client in readers.items():
                clear_caches()
                assert pages_of({who: client}, path, root)[who] == remembered[who], (who, path)
