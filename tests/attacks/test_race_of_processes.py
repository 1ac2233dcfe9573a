"""Processes that act on one match at the same moment, by page and by mail: one act counts, the other is answered.

They are real processes with engines of their own on one database, as `flask run` and `flask worker` would be.
"""

from __future__ import annotations

import gc
import multiprocessing
import random
import re
import traceback
from dataclasses import replace

import pytest
from sqlmodel import col, func, select

from correspondence.accounts import accounts, joining, web_sessions
from correspondence.core import db
from correspondence.core.tokens import spell
from correspondence.fairness import heads
from correspondence.inbound import mailbox
from correspondence.models import Inbound, InboundState, Letter, Match, Person, Purpose, Seek, Token
from correspondence.models.loading import moves_of
from correspondence.play import matches, offers
from correspondence.web.current import bind
from tests import club
from tests.post import reply_address, text_of
from tests.tables import fresh_database
from tests.world import mail_world

FORK = multiprocessing.get_context("fork")


@pytest.fixture(params=["sqlite", "postgresql"])
def anywhere(request, tmp_path):
    url = fresh_database(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""
    town = mail_world(tmp_path, database_url=url)
    town.join("ann", "bob", "cleo")
    yield town
    town.close()


def by_page(path, who="", **form):
    """A form sent by a browser in which somebody is signed in; the status, and the sentence that was answered."""

    def act(town):
        app, now, engine = town.app, town.time, db.make_engine(town.settings.database_url)
        app.config.update(PROPAGATE_EXCEPTIONS=True)
        bind(app, replace(town.runtime, engine=engine, now=lambda: now, rng=random.Random(1)))
        client = app.test_client()
        if who:
            with db.transaction(engine) as session, client.session_transaction() as cookie:
                cookie["key"] = web_sessions.begin(session, accounts.person_by_handle(session, who), now=now)
        yield
        answer = client.post(path, data=form)
        alert = re.search(r'role="alert"[^>]*>(.*?)</', answer.text, re.DOTALL)
        yield answer.status_code, alert[1].strip() if alert else " ".join(re.sub("<[^>]+>", " ", answer.text).split())

    return act


def by_mail(town):
    """A worker that reads what mail there is."""
    engine = db.make_engine(town.settings.database_url)
    yield
    mailbox.drain(engine, town.settings, now=town.time, rng=random.Random(2))
    yield 200, ""


def _run(act, town, barrier, answers, place):
    try:
        steps = act(town)
        next(steps)
        barrier.wait(60)
        answers.put((place, next(steps)))
    except BaseException:
        answers.put((place, (500, traceback.format_exc())))


def race(town, *acts):
    """Do all of this in processes of their own at the same moment; what each was answered."""
    assert town.app  # is made once, and each process has it with an engine of its own
    town.engine.dispose()
    gc.freeze()
    barrier, answers = FORK.Barrier(len(acts)), FORK.Queue()
    runners = [FORK.Process(target=_run, args=(act, town, barrier, answers, place)) for place, act in enumerate(acts)]
    for runner in runners:
        runner.start()
    given = dict(answers.get(timeout=120) for _runner in runners)
    for runner in runners:
        runner.join(60)
    town.deliver()
    outcomes = [given[place] for place in range(len(acts))]
    assert all(status < 500 for status, _words in outcomes), outcomes
    assert all(words.strip() for status, words in outcomes if status >= 400)
    with db.reading(town.engine) as session:
        assert all(one.state == InboundState.DONE for one in session.exec(select(Inbound))), outcomes
    return outcomes


def chain_holds(town, number):
    with db.reading(town.engine) as session:
        match = session.get_one(Match, number)
        chained = heads.first_head(match)
        moves = moves_of(session, number)
        for at, move in enumerate(moves, start=1):
            chained = heads.next_head(match, chained, move)
            assert (move.ply, move.hash) == (at, chained)
        assert match.ply == len(moves)
        return match


def reply(town, name, number, body):
    """A mail to the match that waits for a worker."""
    with db.reading(town.engine) as session:
        to = f"r.{spell(town.settings.secret_key, town.player(session, number, name).token_id)}@games.example"
    town.put(town.compose(f"{name}@example.org", to, body, answering=town.letter(name)), to, f"{name}@example.org")


def answered(town, name, before):
    """What was written to somebody since."""
    return [text_of(letter) for letter in town.letters(name)[before:]]


def how_many(town, table, *conditions):
    with db.reading(town.engine) as session:
        return session.exec(select(func.count()).select_from(table).where(*conditions)).one()


def test_a_player_s_moves_by_page_and_by_mail_at_once_are_one_move(anywhere):
    number = anywhere.match()
    before = len(anywhere.letters("ann"))
    reply(anywhere, "ann", number, "e3/c1=B")
    click = by_page(f"/games/{number}/move", "ann", move="c3/f2=B", ply="0", comment="my words")
    (status, words), _worker = race(anywhere, click, by_mail)
    chain_holds(anywhere, number)
    (played,) = anywhere.moves(number)
    if played == "c3/f2=B":
        assert status == 303
        assert any("you played c3/f2=B there" in text for text in answered(anywhere, "ann", before))
    else:
        assert status == 409 and "Too late" in words


def test_a_double_click_in_two_processes_plays_once(anywhere):
    number = anywhere.match()
    click = by_page(f"/games/{number}/move", "ann", move="c3/f2=B", ply="0")
    outcomes = race(anywhere, click, click, click)
    assert anywhere.moves(number) == ["c3/f2=B"] and [status for status, _words in outcomes].count(303) >= 1
    chain_holds(anywhere, number)
    assert how_many(anywhere, Letter, col(Letter.kind) == "turn", col(Letter.ply) == 1) == 1


def test_a_move_against_a_resignation_ends_the_game_once(anywhere):
    number = anywhere.match()
    before = len(anywhere.letters("ann"))
    reply(anywhere, "ann", number, "c3/f2=B")
    (status, _words), _worker = race(anywhere, by_page(f"/games/{number}/resign", "bob", confirmed="yes"), by_mail)
    match = chain_holds(anywhere, number)
    assert (status, match.result, match.reason) == (303, "1-0", "resignation")
    if not anywhere.moves(number):
        assert any("is over" in text for text in answered(anywhere, "ann", before))
    assert how_many(anywhere, Letter, col(Letter.kind) == "over") == 2


def test_a_move_against_the_taking_back_of_the_last_one_is_played_or_told(anywhere):
    number = anywhere.match()
    anywhere.open(number)
    anywhere.play(number, "ann", "a2/e1=Y")
    with db.transaction(anywhere.engine) as session:
        offers.offer_takeback(session, anywhere.player(session, number, "ann"), now=anywhere.time)
    anywhere.deliver()
    before = len(anywhere.letters("bob"))
    reply(anywhere, "bob", number, "c5/a7=P")
    race(anywhere, by_page(f"/games/{number}/takeback", "bob"), by_mail)
    chain_holds(anywhere, number)
    moves = anywhere.moves(number)
    if len(moves) == 2:
        assert any("> c5/a7=P" in text and "taken back since" in text for text in answered(anywhere, "bob", before))
    else:
        assert moves[2:] == ["a2/e1=Y", "c5/a7=P"]


def test_a_draw_that_is_taken_while_the_other_moves_is_a_draw_or_has_lapsed(anywhere):
    number = anywhere.match()
    anywhere.open(number)
    with db.transaction(anywhere.engine) as session:
        matches.offer_draw(session, anywhere.player(session, number, "bob"), now=anywhere.time)
    anywhere.deliver()
    before = len(anywhere.letters("ann"))
    reply(anywhere, "ann", number, "a2/e1=Y")
    race(anywhere, by_page(f"/games/{number}/draw", "ann"), by_mail)
    match = chain_holds(anywhere, number)
    if match.ended_at is not None:
        assert match.result == "1/2-1/2" and len(anywhere.moves(number)) == 2
        assert any("is over" in text for text in answered(anywhere, "ann", before))
    else:
        assert len(anywhere.moves(number)) == 3


def test_one_challenge_accepted_by_page_and_by_mail_is_one_game(anywhere):
    seek = club.challenge(anywhere, "ann", "bob")
    letter = anywhere.letter("bob")
    to = reply_address(letter)
    anywhere.put(anywhere.compose("bob@example.org", to, "accept", answering=letter), to, "bob@example.org")
    accept = by_page(f"/challenges/{seek}/accept", "bob")
    race(anywhere, accept, by_mail, accept)
    assert how_many(anywhere, Match) == 1


def test_one_seek_taken_by_two_people_is_one_game_and_the_other_is_told(anywhere):
    seek = club.seek(anywhere, "ann")
    outcomes = race(anywhere, *(by_page(f"/seeks/{seek}/take", who) for who in ("bob", "cleo")))
    assert how_many(anywhere, Match) == 1
    is_taken = any("taken" in words for _status, words in outcomes)
    assert sorted(status == 303 for status, _words in outcomes) == [False, True] or is_taken
    assert how_many(anywhere, Seek) == 1


@pytest.mark.parametrize("ways", ["page and page", "page and mail"])
def test_a_confirmation_that_is_used_twice_at_once_does_one_thing(anywhere, ways):
    with db.transaction(anywhere.engine) as session:
        joining.request_join(session, "dora", "dora@example.org", now=anywhere.time)
    anywhere.deliver()
    letter = anywhere.letter("dora")
    with db.reading(anywhere.engine) as session:
        unused = select(Token.id).where(col(Token.purpose) == Purpose.JOIN, col(Token.used_at).is_(None))
        number = session.exec(unused.order_by(col(Token.id).desc())).first()
    page = by_page(f"/t/{spell(anywhere.settings.secret_key, number)}")
    if ways == "page and mail":
        to = reply_address(letter)
        anywhere.put(anywhere.compose("dora@example.org", to, "yes", answering=letter), to, "dora@example.org")
    race(anywhere, page, page if ways == "page and page" else by_mail)
    assert how_many(anywhere, Person, col(Person.handle) == "dora") == 1
    assert len([one for one in anywhere.letters("dora") if "elcome" in str(one["Subject"])]) <= 1


def test_a_resignation_confirmed_twice_at_once_is_one(anywhere):
    number = anywhere.match()
    anywhere.open(number)
    with db.transaction(anywhere.engine) as session:
        matches.ask_to_resign(session, anywhere.player(session, number, "ann"), now=anywhere.time)
        token = session.exec(select(Token.id).where(col(Token.purpose) == Purpose.RESIGN)).one()
    page = by_page(f"/t/{spell(anywhere.settings.secret_key, token)}")
    outcomes = race(anywhere, page, page)
    assert chain_holds(anywhere, number).result == "0-1"
    assert sorted(status for status, _words in outcomes)[0] == 303
    assert how_many(anywhere, Letter, col(Letter.kind) == "over") == 2
