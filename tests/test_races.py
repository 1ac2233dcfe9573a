"""Faces that race for one turn, on SQLite and on PostgreSQL: one plays, the others are told, nothing is lost."""

from __future__ import annotations

import random
from datetime import timedelta

from sqlalchemy import update

from correspondence.core import db
from correspondence.core.terms import Terms
from correspondence.core.time_control import per_move
from correspondence.inbound import mailbox
from correspondence.models import By, Player, loading
from correspondence.play import matches
from tests.post import at_once, reply_address, text_of


def test_simultaneous_moves_of_one_player_are_serial(anywhere):
    anywhere.join("ann", "bob")
    number = anywhere.match()

    def click():
        with db.transaction(anywhere.engine) as session:
            player = anywhere.player(session, number, "ann")
            matches.make_move(session, player, "c3/f2=B", now=anywhere.time, by=By.WEB, ply=0)

    results = at_once(*[click] * 8)
    assert results.count("done") == 1
    assert all("already been played" in result for result in results if result != "done")
    assert anywhere.moves(number) == ["c3/f2=B"]
    anywhere.deliver()
    assert len([letter for letter in anywhere.letters("bob") if "Game" in letter["Subject"]]) == 1


def test_a_mail_and_a_click_that_race_play_one_move_and_the_other_is_told(anywhere):
    anywhere.join("ann", "bob")
    number = anywhere.match()
    letter = anywhere.letter("ann")
    reply_to = reply_address(letter)
    anywhere.put(anywhere.compose("ann@example.org", reply_to, "e3/c1=B", answering=letter), reply_to)

    def mail():
        mailbox.drain(anywhere.engine, anywhere.settings, now=anywhere.time, rng=random.Random(1))

    def click():
        with db.transaction(anywhere.engine) as session:
            player = anywhere.player(session, number, "ann")
            matches.make_move(session, player, "c3/f2=B", now=anywhere.time, by=By.WEB, ply=0)

    results = at_once(mail, click)
    anywhere.deliver()
    (played,) = anywhere.moves(number)
    if played == "c3/f2=B":
        assert "you played c3/f2=B there" in text_of(anywhere.letter("ann"))
    else:
        assert any("Too late" in result for result in results)


def test_two_workers_act_on_each_message_once(anywhere):
    anywhere.join("ann", "bob")
    for number in range(12):
        raw = anywhere.compose("ann@example.org", "play@games.example", f"games\n{number}")
        anywhere.put(raw, "play@games.example")

    def drain():
        mailbox.drain(anywhere.engine, anywhere.settings, now=anywhere.time, rng=random.Random(1))

    at_once(drain, drain, drain)
    anywhere.deliver()
    assert len(anywhere.letters("ann")) == 12


def test_whoever_holds_a_match_sees_its_players_as_they_stand_and_not_as_he_read_them_before(anywhere):
    anywhere.join("ann", "bob")
    number = anywhere.match()
    with db.transaction(anywhere.engine) as session:
        players = loading.players_of(session, number)
        session.connection().execute(update(Player.__table__).values(bank=77))  # as another session would have done
        assert [player.bank for player in players] != [77, 77]
        loading.locked(session, number)
        assert [player.bank for player in loading.players_of(session, number)] == [77, 77]


def test_what_was_undone_is_not_remembered_of_the_next_match(anywhere):
    anywhere.join("ann", "bob", "cid")
    with db.transaction(anywhere.engine) as session:
        ann, bob, cid = (anywhere.person(session, name) for name in ("ann", "bob", "cid"))
        start = {"now": anywhere.time, "seed": bytes(32)}
        terms = Terms("duel", "", per_move(timedelta(days=3)), rated=False)
        undone = session.begin_nested()
        first = matches.start_match(session, terms, [ann, bob], **start)
        assert [p.person_id for p in loading.players_of(session, first.id)] == [ann.id, bob.id]
        undone.rollback()
        again = matches.start_match(session, terms, [cid, bob], **start)
        assert [p.person_id for p in loading.players_of(session, again.id)] == [cid.id, bob.id]


def test_only_a_session_that_looks_asks_once(anywhere):
    calls = []
    with db.reading(anywhere.engine) as looking, db.transaction(anywhere.engine) as acting:
        for session in (looking, acting):
            for _again in range(2):
                assert db.cached_read(session, "how many", lambda: calls.append(1) or len(calls)) == len(calls)
    assert len(calls) == 3
