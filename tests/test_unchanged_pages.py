"""A page that has not changed is not sent again; whatever its reader could see of a change makes it another page."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import Table, event
from sqlalchemy.sql import visitors
from sqlmodel import select

from correspondence.accounts import postal_members, relations
from correspondence.accounts.postal_members import PostalDetails
from correspondence.clocks import vacations
from correspondence.community import blocking, erasure
from correspondence.core import db
from correspondence.core.caching import clear_caches
from correspondence.features.reviews.tables import Review
from correspondence.matchmaking import challenges
from correspondence.models import Audience, Heartbeat, Match, Outage, Rating, RatingChange, Scope, ServiceState
from correspondence.models.versions import RAISES
from correspondence.outbound import suppressions
from correspondence.play import chat, matches, offers, puzzles, unseen
from correspondence.play.conditional import disclosure, plan_commands
from correspondence.play.recall import recallable
from correspondence.queries import page_versions
from correspondence.queries.clock_log import clocks_of
from correspondence.queries.postal_cards import notice
from correspondence.queries.queries import game_view, player_of

GAME = "/games/1"
WEEKENDS = '{"off":[5,6]}'


@pytest.fixture
def town(world):
    """A game in which ann has moved and bob is to move; cleo looks on."""
    world.join("ann", "bob", "cleo", vacation_hours_left=720)
    world.match("duel")
    world.begin("a move", (), lambda: world.play(1, "ann", "5@a2"))
    world.clock.go(minutes=10)
    return world


def as_player(name, use_case, *words, **more):
    """A change by a player of the game."""

    def change(world):
        with db.transaction(world.engine) as session:
            use_case(session, world.player(session, 1, name), *words, now=world.time, **more)

    return change


def as_person(name, use_case, *words, **more):
    """A change by a member, wherever they play."""

    def change(world):
        with db.transaction(world.engine) as session:
            use_case(session, world.person(session, name), *words, **more)

    return change


def settings_of(name, **values):
    def change(world):
        with db.transaction(world.engine) as session:
            person = world.person(session, name)
            for setting, value in values.items():
                setattr(person, setting, value)
            session.add(person)

    return change


def stored(make):
    """A row that comes from elsewhere."""

    def change(world):
        with db.transaction(world.engine) as session:
            session.add(make(world.time))

    return change


def time_goes_by(**span):
    return lambda world: world.clock.go(**span)


def then(*changes):
    """Several changes, one after the other."""

    def change(world):
        for one in changes:
            one(world)

    return change


def away(world):
    with db.transaction(world.engine) as session:
        vacations.announce(session, world.person(session, "ann"), 5, now=world.time, begins=world.time)


def away_later(world):
    with db.transaction(world.engine) as session:
        begins = world.time + timedelta(days=2)
        vacations.announce(session, world.person(session, "ann"), 5, now=world.time, begins=begins)


def corrected(world):
    with db.transaction(world.engine) as session:
        change = session.exec(select(RatingChange)).one()
        change.rating = 1650
        session.add(change)


def unreachable(world):
    with db.transaction(world.engine) as session:
        suppressions.suppress(session, "ann@example.org", Scope.ALL, "bounced", now=world.time)


def annulled(world):
    with db.transaction(world.engine) as session:
        match = session.get_one(Match, 1)
        match.rated = False
        session.add(match)


def muted_by_bob(world):
    as_person("bob", blocking.mute, "ann", now=world.time)(world)


def blocked_by_bob(world):
    as_person("bob", blocking.block, "ann", now=world.time)(world)


def named_else(world):
    with db.transaction(world.engine) as session:
        person = world.person(session, "ann")
        person.handle, person.handle_key = "anna", "anna"
        session.add(person)


def played_by_post(world):
    with db.transaction(world.engine) as session:
        postal_members.save(session, world.person(session, "ann"), PostalDetails("ann", "1 Street"), now=world.time)


PAUSE = then(as_player("ann", offers.offer_pause, 3), as_player("bob", offers.accept))
SAID = as_player("ann", matches.say, "hello", audience=Audience.PLAYERS, is_meant=True)
OVER = as_player("ann", matches.resign)
NOTHING = then()

CHANGES = {
    "a move": (NOTHING, lambda world: world.play(1, "bob", "6@b2"), ("bob", "cleo", "")),
    "a move taken back": (
        lambda world: world.play(1, "bob", "6@b2"),
        then(as_player("bob", offers.offer_takeback), as_player("ann", offers.accept)),
        ("bob", "cleo", ""),
    ),
    "the end": (NOTHING, OVER, ("bob", "cleo", "")),
    "a game that is rated no more": (OVER, annulled, ("bob", "")),
    "talk": (NOTHING, SAID, ("bob",)),
    "talk for everybody": (NOTHING, as_player("ann", matches.say, "hello", audience=Audience.EVERYONE), ("bob", "")),
    "talk that hides": (SAID, muted_by_bob, ("bob",)),
    "a game without talk": (SAID, as_player("bob", blocking.mute_match), ("bob",)),
    "a block": (NOTHING, blocked_by_bob, ("bob",)),
    "an own note": (NOTHING, as_player("bob", chat.keep_note, "a thought", ply=None), ("bob",)),
    "a draw offered": (NOTHING, as_player("ann", matches.offer_draw), ("bob",)),
    "a draw declined": (
        as_player("ann", matches.offer_draw), as_player("bob", offers.decline), ("bob",),
    ),
    "a pause offered": (NOTHING, as_player("ann", offers.offer_pause, 3), ("bob",)),
    "a pause": (NOTHING, PAUSE, ("bob", "cleo", "")),
    "a pause that ends": (PAUSE, time_goes_by(days=3), ("bob", "")),
    "an own plan": (NOTHING, as_player("ann", plan_commands.enter, "if 6@b2 then 8@b3"), ("ann",)),
    "plans that somebody wants opened": (OVER, as_player("ann", disclosure.agree), ("bob",)),
    "what was new is seen": (NOTHING, as_player("bob", unseen.mark_seen, 1), ("bob",)),
    "an absence": (NOTHING, away, ("bob",)),
    "an absence that begins later": (NOTHING, away_later, ("bob",)),
    "a rating that is corrected": (then(OVER, lambda world: rated_in_duel(world)), corrected, ("bob", "cleo", "")),
    "an absence that ends": (away, time_goes_by(days=5), ("bob",)),
    "letters that come back": (NOTHING, unreachable, ("bob",)),
    "hours that do not count": (NOTHING, settings_of("ann", off_hours=WEEKENDS), ("bob",)),
    "a time when the service was down": (
        NOTHING,
        stored(lambda now: Outage(begins_at=now - timedelta(minutes=5), ends_at=now - timedelta(minutes=2))),
        ("bob", ""),
    ),
    "a worker that does not live": (
        stored(lambda now: Heartbeat(id=1, at=now)), time_goes_by(minutes=11), ("bob",),
    ),
    "mail that has no way in": (
        stored(lambda now: Heartbeat(id=2, at=now)), time_goes_by(minutes=1), ("bob",),
    ),
    "letters that have no way out": (
        stored(lambda now: ServiceState(id=1, letters_held_since=now)), time_goes_by(minutes=11), ("bob",),
    ),
    "a second opinion that grows": (
        OVER, stored(lambda now: Review(match_id=1, asked_at=now, due_at=now, budget=1)), ("ann", "bob", "cleo", ""),
    ),
    "another handle": (NOTHING, named_else, ("ann", "bob", "cleo", "")),
    "a player who left": (
        NOTHING, lambda world: as_person("ann", erasure.forget, now=world.time)(world), ("bob", "cleo", ""),
    ),
    "by post": (NOTHING, played_by_post, ("bob", "cleo")),
    "the reader's language": (NOTHING, settings_of("bob", language="it"), ("bob",)),
    "the reader's zone": (NOTHING, settings_of("bob", zone="Europe/Rome"), ("bob",)),
    "the reader's board": (NOTHING, settings_of("bob", board="words"), ("bob",)),
    "moves that are confirmed": (NOTHING, settings_of("bob", confirm_moves=True), ("bob",)),
    "another game that waits": (NOTHING, lambda world: world.match("duel", "bob", "ann"), ("bob",)),
    "hours gone by": (NOTHING, time_goes_by(hours=12), ("bob", "cleo", "")),
    "a browser whose use must be noted": (NOTHING, time_goes_by(hours=1), ("bob",)),
}  # fmt: skip
"""What was before, what changes, and whose page tells of it."""


def response_to(client, path, tag="", **headers):
    return client.get(path, headers={**headers, **({"If-None-Match": tag} if tag else {})})


def known_pages(clients, paths):
    """The tags of these pages."""
    return {(who, path): client.get(path).headers.get("ETag", "") for who, client in clients.items() for path in paths}


@pytest.mark.parametrize("what", CHANGES)
def test_a_page_is_another_one_after(town, what):
    before, change, readers = CHANGES[what]
    before(town)
    clients = {who: town.client(who) for who in ("ann", "bob", "cleo", "")}
    tags = known_pages(clients, [GAME])
    change(town)
    for (who, path), tag in tags.items():
        assert_up_to_date(clients[who], path, tag)
        assert response_to(clients[who], path, tag).status_code == 200 or who not in readers, who


def assert_up_to_date(client, path, tag):
    """What a browser that knows the page gets, and what is remembered of it, are as if it were drawn for the first time."""
    now, remembered = response_to(client, path, tag), response_to(client, path)
    clear_caches()
    drawn = response_to(client, path).text
    assert remembered.text == drawn, path
    assert now.status_code == 304 or now.text == drawn, path


def reader_view(session, reader_id, now):
    """What a game and all around it tell a reader, as it is asked for the page."""
    match, player = session.get_one(Match, 1), player_of(session, 1, reader_id or 0)
    return (
        game_view(session, 1, reader_id, now=now),
        clocks_of(session, match, player.seat if player else None, now=now, language="en"),
        relations.mute_state_of(session, 1, reader_id),
        notice(session, match, reader_id),
        plan_commands.plan_view(session, player) if player else None,
        {remark.id for remark in recallable(session, player, now=now)} if player else None,
    )


@pytest.mark.parametrize("what", CHANGES)
def test_a_page_tells_the_same_whether_or_not_its_version_says_what_need_not_be_asked(town, what):
    with db.transaction(town.engine) as session:
        readers = [None, *(town.person(session, name).id for name in ("ann", "bob", "cleo"))]
    before, change, _readers = CHANGES[what]
    before(town)
    change(town)
    for reader_id in readers:
        with db.reading(town.engine) as session:
            asked_for_all = reader_view(session, reader_id, town.time)
        with db.reading(town.engine) as session:
            page_versions.game_page_version(session, 1, reader_id, now=town.time)
            assert reader_view(session, reader_id, town.time) == asked_for_all


OF_BOB = "/players/bob"
ARCHIVES = ("/archive", "/archive?game=duel", "/archive?player=bob")
LISTS = ("/", "/games", *ARCHIVES, "/watch", f"{GAME}/0", OF_BOB)
TOLD_BY_LISTS = {
    "a move": {"/", "/games", "/watch", f"{GAME}/0", OF_BOB},
    "the end": {"/", "/games", *ARCHIVES, "/watch", OF_BOB},
    "another game that waits": {"/", "/games", "/watch", OF_BOB},
    "another handle": {"/", "/games", OF_BOB},
    "hours gone by": {"/games"},
    "a player who left": {"/", "/games", "/archive", "/archive?player=bob", OF_BOB},
    "the reader's language": set(LISTS),
}
"""Lists that tell bob of some of the changes."""


@pytest.mark.parametrize("what", TOLD_BY_LISTS)
def test_a_list_is_another_one_after(town, what):
    clients = {who: town.client(who) for who in ("bob", "")}
    tags = known_pages(clients, LISTS)
    CHANGES[what][1](town)
    for (who, path), tag in tags.items():
        if who or path != "/games":
            assert_up_to_date(clients[who], path, tag)
            assert response_to(clients[who], path, tag).status_code == 200 or not who or path not in TOLD_BY_LISTS[what]


def test_a_list_that_tells_nothing_new_is_not_sent_again(town):
    clients = {"bob": town.client("bob")}
    OVER(town)
    tags = known_pages(clients, LISTS)
    town.match("duel", "ann", "cleo")
    assert {path for (_who, path), tag in tags.items() if response_to(clients["bob"], path, tag).status_code == 304} == {
        "/games", *ARCHIVES, f"{GAME}/0", OF_BOB
    }  # fmt: skip


def test_the_front_page_is_another_one_after_a_move_in_the_deal_of_the_day_by_whoever_made_it(town):
    town.client().get("/")
    strangers, bob = (town.client(), town.client()), town.client("bob")
    for client in (*strangers, bob):
        client.get("/")
    tags = [client.get("/").headers["ETag"] for client in (*strangers, bob)]
    assert len(set(tags)) == 2
    with db.reading(town.engine) as session:
        at = puzzles.attempt(session, town.time.date(), ()).position
    strangers[0].post("/puzzles/guest", data={"move": at.write(0, next(at.legal_moves(0))), "from": "front"})
    bob.post("/puzzles/today")
    found = [response_to(client, "/", tag) for client, tag in zip((*strangers, bob), tags, strict=True)]
    assert [answer.status_code for answer in found] == [200, 304, 200]
    assert "1 move made so far." in found[0].text and "Go on with it" in found[2].text
    assert "1 move made so far." not in town.client().get("/").text


def rated_in_duel(world):
    with db.transaction(world.engine) as session:
        more = {"person_id": 1, "game": "duel", "volatility": 0.06}
        till = world.time + timedelta(days=99)
        session.add(Rating(**more, rating=1600, deviation=50, games=1, updated_at=world.time, established_until=till))
        before = {"rating_before": 1500, "deviation_before": 60, "volatility_before": 0.06, "games_before": 0}
        session.add(
            RatingChange(match_id=1, opponent_id=2, score=1, at=world.time, rating=1600, deviation=50, **more, **before)
        )


TOLD_BY_THE_PAGE_OF_ANN = {
    "a rating": (NOTHING, rated_in_duel, ("bob", "cleo", "")),
    "a rating that grows uncertain": (rated_in_duel, time_goes_by(days=2_000), ("bob", "cleo", "")),
    "a game that is over": (NOTHING, OVER, ("bob", "cleo", "")),
    "a game of long ago": (OVER, time_goes_by(days=400), ("ann",)),
    "a mute by the reader": (NOTHING, muted_by_bob, ("bob",)),
    "a block by the reader": (NOTHING, blocked_by_bob, ("bob",)),
    "a program that plays": (NOTHING, settings_of("ann", is_program=True), ("bob", "cleo", "")),
    "another language": (NOTHING, settings_of("bob", language="it"), ("bob",)),
}
"""What was before, what changes, and whose page of ann tells of it."""


@pytest.mark.parametrize("what", TOLD_BY_THE_PAGE_OF_ANN)
def test_the_page_of_a_member_is_another_one_after(town, what):
    before, change, readers = TOLD_BY_THE_PAGE_OF_ANN[what]
    before(town)
    clients = {who: town.client(who) for who in ("ann", "bob", "cleo", "")}
    tags = known_pages(clients, ["/players/ann"])
    change(town)
    for (who, path), tag in tags.items():
        assert response_to(clients[who], path, tag).status_code == 200 or who not in readers, who
        assert_up_to_date(clients[who], path, tag)


def test_nobody_sees_from_the_page_of_a_member_that_they_go_on_with_a_deal_or_mute_somebody(town):
    with db.transaction(town.engine) as session:
        deal = puzzles.start_daily(session, town.person(session, "ann"), now=town.time).id
    readers = {who: town.client(who) for who in ("bob", "cleo", "")}
    tags = known_pages(readers, ["/players/ann"])
    with db.transaction(town.engine) as session:
        match = session.get_one(Match, deal)
        match.ply, match.takebacks = match.ply + 1, match.takebacks + 1
        session.add(match)
        blocking.mute(session, town.person(session, "ann"), "bob", now=town.time)
    assert {response_to(readers[who], path, tag).status_code for (who, path), tag in tags.items()} == {304}


def test_a_challenge_makes_the_list_of_games_another_one(town):
    clients = {who: town.client(who) for who in ("ann", "bob")}
    tags = known_pages(clients, ["/games"])
    with db.transaction(town.engine) as session:
        challenges.challenge(session, town.person(session, "ann"), "bob", "duel", {}, seat=0, now=town.time)
    for (who, path), tag in tags.items():
        assert response_to(clients[who], path, tag).status_code == 200
        assert_up_to_date(clients[who], path, tag)


def rows_asked(statements):
    return {name for one in statements for name in re.findall(r'\b(?:FROM|JOIN) "?(\w+)"?', one)} - {"SELECT"}


@contextmanager
def listening(engine):
    found = []
    note = lambda *details: found.append(details[2])  # noqa: E731
    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


FIXED = {"seed", "web_session"}
"""Tables whose rows never change, or belong to the reader's browser."""


STATES = {"running": NOTHING, "talk": SAID, "over": OVER, "pause": PAUSE, "absence": away}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["ann", "bob", "cleo", ""])
def test_the_version_asks_every_table_that_the_page_asks(town, who, state):
    STATES[state](town)
    town.clock.go(minutes=10)
    with db.transaction(town.engine) as session:
        reader_id = town.person(session, who).id if who else None
    with listening(town.engine) as statements:
        town.client(who).get(GAME)
        with db.reading(town.engine) as session:
            reader_view(session, reader_id, town.time)
    known = {part.name for part in visitors.iterate(page_versions._STATE) if isinstance(part, Table)}
    known |= {table.__tablename__ for table in RAISES}
    assert rows_asked(statements) - FIXED <= known


PRIVATE = {
    "a plan": as_player("ann", plan_commands.enter, "if 6@b2 then 8@b3"),
    "a note": as_player("ann", chat.keep_note, "a thought", ply=None),
    "a look at the page": as_player("ann", unseen.mark_seen, 1),
    "a muted game": as_player("ann", blocking.mute_match),
    "a mute": lambda world: as_person("ann", blocking.mute, "bob", now=world.time)(world),
    "a block": lambda world: as_person("ann", blocking.block, "bob", now=world.time)(world),
    "another language": settings_of("ann", language="it", board="words", confirm_moves=True),
}


@pytest.mark.parametrize("what", PRIVATE)
def test_nobody_else_sees_from_the_tag_of_a_page_that_a_player_did_something_private(town, what):
    readers = {who: town.client(who) for who in ("bob", "cleo", "")}
    tags = {}
    for who, client in readers.items():
        client.get(GAME)
        tags[who] = client.get(GAME).headers["ETag"]
    PRIVATE[what](town)
    assert {who: response_to(client, GAME, tags[who]).status_code for who, client in readers.items()} == dict.fromkeys(
        readers, 304
    )


def test_two_readers_never_share_a_tag_or_a_remembered_page(town):
    clients = [town.client(who) for who in ("ann", "bob", "cleo", "")]
    tags = []
    for client in clients:
        client.get(GAME)
        tags.append(client.get(GAME).headers["ETag"])
    assert len(set(tags)) == len(clients)
    for client, own in zip(clients, tags, strict=True):
        assert {response_to(client, GAME, tag).status_code for tag in tags if tag != own} == {200}
        assert response_to(client, GAME, own).status_code == 304


def test_a_language_an_address_and_a_moment_of_the_game_have_tags_of_their_own(town):
    stranger = town.client()
    paths = (GAME, f"{GAME}?side=1", f"{GAME}/0", f"{GAME}/1")
    tags = [
        response_to(stranger, path, **{"Accept-Language": language}).headers["ETag"]
        for path in paths
        for language in ("en", "it")
    ]
    assert len(set(tags)) == len(tags)
    assert 'lang="it"' in response_to(stranger, GAME, **{"Accept-Language": "it"}).text
    assert 'lang="en"' in response_to(stranger, GAME, **{"Accept-Language": "en"}).text


def test_what_was_just_done_is_said_once_and_such_a_page_is_not_kept(town):
    bob = town.client("bob")
    bob.get(GAME)
    page = bob.post(f"{GAME}/move", data={"move": "6@b2", "ply": "1"}, follow_redirects=True)
    assert "You played 6@b2." in page.text and "ETag" not in page.headers
    again = bob.get(GAME)
    assert "You played" not in again.text and response_to(bob, GAME, again.headers["ETag"]).status_code == 304


def test_a_stranger_gets_no_cookie_with_a_page_without_forms(town):
    assert "Set-Cookie" not in town.client().get(GAME).headers


@pytest.mark.parametrize("left", [timedelta(days=20), timedelta(days=2), timedelta(hours=3), timedelta(minutes=2)])
def test_the_time_left_is_told_as_exactly_as_its_words_are(left, town):
    now = town.time
    step, _count = page_versions.rounded(now, now + left)
    assert timedelta(seconds=step) <= max(min(left / 256, timedelta(seconds=32)), timedelta(seconds=1))


def test_a_deal_of_the_day_is_drawn_anew_because_who_may_see_it_depends_on_other_games(town):
    with db.transaction(town.engine) as session:
        match = session.get_one(Match, 1)
        match.daily = town.time.date()
        session.add(match)
    assert "ETag" not in town.client("ann").get(GAME).headers


def test_addresses_that_are_remembered_follow_the_folder_in_which_the_pages_stand(town):
    stranger = town.client()
    assert 'href="/archive"' in stranger.get(GAME).text
    inside = stranger.get(GAME, environ_overrides={"SCRIPT_NAME": "/club"}).text
    assert 'href="/club/archive"' in inside and 'href="/archive"' not in inside
