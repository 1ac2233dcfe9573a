"""The archive: everything that can be wanted of finished games, their openings, feeds, and records in one file."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.archive import openings, record_file, search
from correspondence.archive.import_export import import_record
from correspondence.core import schema
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.models import Continuation, Match, Opening
from correspondence.ops import worker
from correspondence.queries.queries import PAGE, archive, finished_games
from correspondence.ratings.finished_games import finished_games as known_by
from correspondence.web.history import FIELDS
from engines import GAMES
from engines.record import playout, positions
from tests.operators import act
from tests.sizes import examples
from tests.tables import START, fresh_database
from tests.world import World

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def club(world):
    """Four games that ended in four days, and what the archive knows of their openings."""
    world.begin("archive", "", lambda: four_games(world))
    return world


def four_games(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    play(world, "ann", "bob", ("5@b3", "5@b2"), loser="bob")
    play(world, "bob", "ann", ("5@b3", "5@c3", "4@c2"), loser="bob")
    play(world, "ann", "cleo", ("4@c2",), loser="ann", options={"board": "sun"})
    play(world, "cleo", "ann", (), loser="cleo", game="plateau")
    worker.sweep_openings(world.runtime)


def play(world, one, other, moves, *, loser, game="duel", options=None):
    world.clock.go(days=1)
    number = world.match(game, one, other, **(options or {}))
    for at, text in enumerate(moves):
        world.play(number, (one, other)[at % 2], text)
    world.resign(number, loser)
    return number


def found(world, **fields):
    with reading(world.runtime.engine) as session:
        wanted = search.read_criteria({name.rstrip("_"): text for name, text in fields.items()}, "UTC")
        return [card.number for card in finished_games(session, wanted)]


@pytest.mark.parametrize(
    ("fields", "numbers"),
    [
        ({}, [4, 3, 2, 1]),
        ({"game": "duel"}, [3, 2, 1]),
        ({"game": "duel", "options": "standard"}, [2, 1]),
        ({"game": "duel", "options": "board=sun"}, [3]),
        ({"player": "BOB"}, [2, 1]),
        ({"player": "@ann", "opponent": "bob"}, [2, 1]),
        ({"player": "ann", "opponent": "ann"}, []),
        ({"player": "nobody"}, []),
        ({"player": "ann", "result": "won"}, [4, 2, 1]),
        ({"player": "ann", "result": "lost"}, [3]),
        ({"player": "ann", "opponent": "cleo", "result": "won"}, [4]),
        ({"result": "1-0"}, [1]),
        ({"reason": "resignation"}, [4, 3, 2, 1]),
        ({"reason": "rules"}, []),
        ({"reason": "time"}, []),
        ({"shortest": "2"}, [2, 1]),
        ({"shortest": "1", "longest": "2"}, [3, 1]),
        ({"since": "2026-11-23"}, [4, 3, 2]),
        ({"until": "2026-11-23"}, [2, 1]),
        ({"since": "2026-11-23", "until": "2026-11-23"}, [2]),
        ({"game": "duel", "moves": "5@b3"}, [2, 1]),
        ({"game": "duel", "moves": "5@b3; 5@b2"}, [1]),
        ({"game": "duel", "moves": "5@b3", "player": "bob", "result": "lost"}, [2, 1]),
        ({"game": "duel", "moves": "5@b3", "shortest": "3"}, [2]),
        ({"game": "duel", "options": "board=sun", "moves": "4@c2"}, [3]),
        ({"game": "duel", "moves": "4@c2"}, []),
    ],
    ids=str,
)
def test_games_are_found_by_what_they_were_like(club, fields, numbers):
    assert found(club, **fields) == numbers


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)])
def test_days_of_the_archive_are_those_of_the_calendar(day, hours):
    one_day = search.read_criteria({"since": day, "until": day}, "Europe/Rome")
    assert one_day.until - one_day.since == timedelta(hours=hours)
    for moment in (one_day.since, one_day.until):
        assert moment.astimezone(ZoneInfo("Europe/Rome")).hour == 0


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("game=go", "There is no game “go” here."),
        ("options=board=sun", "Please choose a game"),
        ("game=duel&options=sun", "Options are written name=value"),
        ("game=duel&options=colour=red", "olour"),
        ("moves=5@b3", "Please choose a game"),
        ("game=duel&moves=nonsense", "That opening can&#39;t be played"),
        ("opponent=ann", "Please name the player"),
        ("result=won", "Please name the player"),
        ("result=maybe", "“maybe” is not one of"),
        ("since=yesterday", "“yesterday” is not a date"),
        ("since=0001-01-01", "is not a date"),
        ("since=2026-02-02&until=2026-01-01", "The first day is after the last"),
        ("shortest=-3", "is not a length"),
        ("shortest=9&longest=3", "The minimum length is greater than the maximum"),
    ],
)
def test_nonsense_is_refused_in_words_and_stays_in_the_form(club, query, sentence):
    for path in ("/archive", "/archive.atom", "/archive.records"):
        answer = club.client().get(f"{path}?{query}")
        assert answer.status_code == 422 and sentence in answer.text
    typed = query.split("&")[-1].partition("=")[2]
    assert typed in club.client().get(f"/archive?{query}").text


def test_the_page_counts_what_fits_and_leads_on_by_the_last_game(club):
    page = club.client().get("/archive?game=duel").text
    assert "3 games." in page and "Older games" not in page
    for _more in range(PAGE):
        play(club, "ann", "bob", (), loser="ann")
    page = club.client().get("/archive?player=ann&opponent=bob").text
    assert f"{PAGE + 2} games." in page and "before=5" in page
    rest = club.client().get("/archive?player=ann&opponent=bob&before=5").text
    assert '/games/2"' in rest
    assert '/games/1"' in rest
    assert '/games/7"' not in rest


def test_an_opening_tells_how_games_went_on_and_with_what_results(club):
    with reading(club.runtime.engine) as session:
        ways = openings.next_moves(session, openings.start_key(GAMES["duel"], ""))
    assert ways == (openings.NextMove("5@b3", 1, 0, 1),) or set(ways) == {openings.NextMove("5@b3", 1, 0, 1)}
    page = club.client().get("/archive?game=duel&moves=5@b3").text
    assert "5@b2" in page
    assert "5@c3" in page
    assert page.count('class="plot results-bar"') == 2
    assert "Black won – drawn – White won" in page and "1 won by Black, 0 drawn, 0 won by White" in page


@pytest.mark.parametrize(
    ("query", "counted"),
    [
        ("", ["1 – 0 – 1"]),
        ("&player=bob", ["1 – 0 – 1"]),
        ("&player=bob&result=won", []),
        ("&player=ann&result=won&since=2026-11-23", ["0 – 0 – 1"]),
        ("&moves=5@b3&player=ann&shortest=3", ["0 – 0 – 1"]),
        ("&player=cleo", []),
        ("&player=cleo&options=board=sun", ["0 – 0 – 1"]),
    ],
)
def test_an_opening_counts_the_games_that_were_asked_for_and_no_others(club, query, counted):
    page = club.client().get(f"/archive?game=duel{query}").text
    assert re.findall(r'<span class="what">(\d+ – \d+ – \d+)</span>', page) == counted


def test_transpositions_meet_in_one_position():
    game = GAMES["proteus-dice"]
    one, other = (openings.after_moves(game, game.Options(), texts)[1]
                  for texts in (("c3/g1=B", "d7/a7=B", "f3/h2=B"), ("f3/h2=B", "d7/a7=B", "c3/g1=B")))  # fmt: skip
    keys = [openings.position_key(*place) for place in (("proteus-dice", "", one), ("proteus-dice", "", other))]
    assert keys[0] == keys[1] != openings.position_key("proteus-dice", "polarity=yes", one)


@pytest.mark.parametrize("key", GAMES)
def test_positions_of_every_game_have_keys_that_no_language_changes(key):
    from correspondence.core.i18n import in_language

    game = GAMES[key]
    entries = playout(game.start(game.Options()), random.Random(4), 8).entries
    through = list(positions(game, game.Options(), entries))
    keys = [openings.position_key(key, "", position) for position in through]
    with in_language("it"):
        assert [openings.position_key(key, "", position) for position in through] == keys
    assert len(set(keys)) > 1 and all(0 <= one < 2**63 for one in keys)


def test_a_match_is_entered_once_though_two_workers_sweep(club):
    before = rows(club)
    with transaction(club.runtime.engine) as session:
        openings.index_opening(session, 1, now=club.clock())
    assert worker.sweep_openings(club.runtime) == 0 and rows(club) == before


def rows(world):
    with reading(world.runtime.engine) as session:
        return [len(session.exec(select(table)).all()) for table in (Opening, Continuation)]


def test_running_games_are_in_no_opening(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb")
    assert worker.sweep_openings(world.runtime) == 0 and rows(world) == [0, 0]


def test_imported_games_are_found_too(club):
    text = club.client().get("/games/2.record").text
    other = World(club.runtime.settings.instance / "other")
    try:
        with transaction(other.runtime.engine) as session:
            import_record(session, text, signer_of(other.runtime.settings), now=START)
        worker.sweep_openings(other.runtime)
        assert found(other, player="bob") == [1]
        assert found(other, game="duel", moves="5@b3; 5@c3") == [1]
    finally:
        other.close()


def test_a_postgresql_counts_openings_too(postgres_url, tmp_path):
    world = World(tmp_path, database_url=fresh_database(postgres_url))
    try:
        for handle in ("ann", "bob"):
            world.join(handle)
        for _twice in range(2):
            play(world, "ann", "bob", ("5@b3",), loser="ann")
        worker.sweep_openings(world.runtime)
        with reading(world.runtime.engine) as session:
            ways = openings.next_moves(session, openings.start_key(GAMES["duel"], ""))
        assert ways == (openings.NextMove("5@b3", 0, 0, 2),)
        assert found(world, game="duel", moves="5@b3", player="ann", opponent="bob", since="2026-11-01") == [2, 1]
    finally:
        world.close()


WORDS = st.sampled_from(["", "duel", "plateau", "ann", "won", "*", "resignation", "5@b3", "2026-11-22", "3", "x=y"])


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(fields=st.dictionaries(st.sampled_from(FIELDS), WORDS | st.text(max_size=12)))
def test_whatever_is_wanted_is_found_or_refused_in_a_sentence(club, fields):
    try:
        wanted = search.read_criteria(fields, "Europe/Rome")
    except search.ArchiveError as error:
        assert str(error)
        return
    with reading(club.runtime.engine) as session:
        count = search.count_up_to(session, wanted, lambda person: known_by(session, person, now=club.time))
        assert count == len(list(pages_of_two(session, wanted)))


def test_games_of_one_person_are_counted_again_when_one_ends_and_when_an_operator_decides_one(club):
    def counts():
        searches = ("", "&opponent=bob", "&result=won", "&game=duel", "&since=2026-11-01")
        pages = [club.client().get(f"/archive?player=ann&before=9{more}").text for more in searches]
        return [int(re.search(r'<p class="what">(\d+) games?\.', page)[1]) for page in pages]

    last = [play(club, "ann", "bob", ("5@b3",), loser="bob") for _game in range(5)][-1]
    assert last == 9 and counts() == [9, 7, 8, 8, 9]
    play(club, "cleo", "ann", ("5@b3",), loser="cleo")
    assert counts() == [10, 7, 9, 9, 10]
    play(club, "bob", "cleo", ("5@b3",), loser="bob")
    assert counts() == [10, 7, 9, 9, 10]
    act(club, "correct", game=str(last), result="0-1")
    assert counts() == [10, 7, 8, 9, 10]


def pages_of_two(session, wanted):
    """The ids of all games that match, fetched as pages fetch them, from the last one of the page before."""
    last = None
    while ids := search.match_ids(session, wanted, before=last, most=2):
        yield from ids
        last = ids[-1]


# -- records and feeds ----------------------------------------------------------------------


def test_all_records_come_in_one_file_that_can_be_taken_apart_and_verified(club):
    answer = club.client().get("/archive.records?game=duel")
    assert answer.is_streamed and "attachment" in answer.headers["Content-Disposition"]
    parts = [f"[Game {part}" for part in answer.text.split("[Game ")[1:]]
    assert len(parts) == 3 and all(record_file.verify(part).game.key == "duel" for part in parts)


@pytest.mark.parametrize("path", ["/archive.atom", "/archive.atom?game=duel", "/players/ann.atom", "/games/1.atom"])
def test_feeds_are_atom_with_addresses_that_last(club, path):
    answer = club.client().get(path)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.data)
    assert [root.findtext(ATOM + name) is not None for name in ("id", "title", "updated")] == [True] * 3
    entries = root.findall(ATOM + "entry")
    assert entries and len({entry.findtext(ATOM + "id") for entry in entries}) == len(entries)
    again = club.client().get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304 and "public" in answer.headers["Cache-Control"]


def test_the_feed_of_a_running_game_tells_nobody_its_secrets(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    world.play(1, "ann", "+b1 xx,rb", comment="a secret greeting")
    for who in ("", "ann", "bob"):
        feed = world.client(who).get("/games/1.atom").text
        assert "+b1 ??,r?" in feed
        assert "xx,rb" not in feed
        assert "greeting" not in feed
        assert "Mute" not in feed


def test_feeds_of_nothing_say_so(world):
    assert world.client().get("/archive.atom").status_code == 200
    assert [world.client().get(path).status_code for path in ("/players/zoe.atom", "/games/7.atom")] == [404, 404]


def test_an_old_database_knows_when_its_players_ended(club):
    with reading(club.runtime.engine) as session:
        ends = {match.id: match.ended_at for match in session.exec(select(Match))}
        assert [card.number for card in archive(session, player="ann")] == sorted(ends, reverse=True)
    schema.prepare(club.runtime.engine)


# -- the form -------------------------------------------------------------------------


def test_names_are_suggested_that_the_archive_shows_and_the_directory_lists(club):
    club.join("dora")
    assert suggested(club) == ["ann", "bob", "cleo"]
    club.client("cleo").post("/settings/partners", data={"takes_letters": "yes"})
    assert suggested(club) == ["ann", "bob"]


def suggested(world):
    page = world.client().get("/archive").text
    assert page.count('list="players"') == 2
    return re.findall(
        r'<option value="([^"]*)">', page.partition('<datalist id="players">')[2].partition("</datalist>")[0]
    )


def test_an_address_with_empty_fields_leads_to_one_without(club):
    answer = club.client().get("/archive?game=duel&player=&opponent=&result=&moves=5@b3&view=boards")
    assert answer.status_code == 302
    assert sorted(answer.location.partition("?")[2].split("&")) == ["game=duel", "moves=5@b3", "view=boards"]
    assert club.client().get("/archive?game=&player=").location == "/archive"
    assert club.client().get(answer.location).status_code == 200
    for odd in ("endpoint=x", "_method=PUT", "_external=1&_scheme=javascript", "_anchor=x"):  # words of `url_for`
        assert club.client().get(f"/archive?game=&{odd}").location == f"/archive?{odd}"


def test_results_are_boards_or_a_list_and_a_member_choice_is_kept(club):
    ann = club.client("ann")
    answer = ann.post("/archive/view", data={"view": "boards", "game": "duel", "player": "ann"})
    assert answer.status_code == 303 and answer.location == "/archive?game=duel&player=ann"
    for path in (answer.location, "/archive", "/archive?game=plateau"):
        assert '<ul class="cards">' in ann.get(path).text
    ann.post("/archive/view", data={"view": "table"})
    assert '<ul class="cards">' not in ann.get("/archive").text


def test_a_visitor_sees_boards_while_the_address_says_so(club):
    visitor = club.client()
    answer = visitor.post("/archive/view", data={"view": "boards", "player": "ann"})
    assert '<ul class="cards">' in visitor.get(answer.location).text
    assert '<ul class="cards">' not in visitor.get("/archive").text
    assert visitor.post("/archive/view", data={"view": "../x"}).location == "/archive"
