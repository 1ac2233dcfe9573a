"""Stopping letters: by a word, by a mail program, with one click; and what still comes."""

from __future__ import annotations

import re

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Letter, Person, Suppression
from tests.post import reply_address, text_of

DOOR = "play@games.example"


@pytest.fixture
def game(town):
    town.join("ann", "bob", receipts=True)
    return town, town.match()


def switches(engine, name="ann"):
    with db.reading(engine) as session:
        person = session.exec(select(Person).where(Person.handle == name)).one()
        return person.turn_letters, person.talk_letters, person.reminders, person.receipts


@pytest.mark.parametrize("way", ["reply", "door", "subject"])
def test_stop_silences_notices_and_says_how_to_stop_the_rest(game, way):
    town, number = game
    letter = town.letter("ann")
    if way == "reply":
        town.answer(letter, "stop")
    elif way == "door":
        town.agree("ann", "stop")
    else:
        town.mail("ann@example.org", reply_address(letter), "", subject="stop")
    assert switches(town.engine) == (True, False, False, False)
    assert "https://games.example/settings stops those too" in text_of(town.letter("ann"))
    assert town.moves(number) == []


def test_letters_of_a_match_carry_the_way_out_and_others_do_not(game):
    town, _number = game
    letter = town.letter("ann")
    page, box = re.fullmatch(
        r"<https://games.example/u/([a-z2-7]{26})>, <mailto:r.([a-z2-7]{26})@games.example\?subject=stop>",
        str(letter["List-Unsubscribe"]),
    ).groups()
    assert page == box and letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert b"List-Unsubscribe: <https://" in letter.as_bytes(policy=letter.policy.clone(max_line_length=998))
    town.mail("ann@example.org", DOOR, "help")
    assert town.letter("ann")["List-Unsubscribe"] is None


@pytest.mark.parametrize("sender", ["ann@example.org", "relay@example.net"])
def test_the_address_that_mail_programs_write_to_stops_whatever_the_words(game, sender):
    town, number = game
    box = re.search(r"mailto:(\S+?)\?", str(town.letter("ann")["List-Unsubscribe"]))[1]
    town.received.clear()
    assert town.mail(sender, box, "This mail was made by a program.\nresign", subject="stop") == "done: stop"
    assert switches(town.engine) == (True, False, False, False)
    assert [str(letter["To"]) for letter in town.received] == ["ann@example.org"] * (sender[:3] == "ann")
    assert town.stand(number).result == "*"


def test_a_notice_that_waits_is_not_sent_after_stop(game):
    town, number = game
    from correspondence.play import matches

    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "bob"), "hello", now=town.time)
        person = town.person(session, "ann")
        person.talk_letters = False
        session.add(person)
    town.received.clear()
    town.deliver()
    assert town.received == []


def test_a_stranger_who_writes_stop_is_not_asked_to_join_by_others(town):
    from correspondence.accounts import accounts

    town.mail("cleo@example.org", DOOR, "stop")
    assert "no more letters" in text_of(town.letter("cleo"))
    town.received.clear()
    with db.transaction(town.engine) as session:
        accounts.request_join(session, "cleo", "cleo@example.org", now=town.time)
    town.deliver()
    assert town.received == []
    town.time = town.time.replace(day=25)
    town.mail("cleo@example.org", DOOR, "join cleo")
    town.answer(town.letter("cleo"), "yes")
    assert town.people() == ["cleo"]
    with db.reading(town.engine) as session:
        assert session.exec(select(Suppression)).all() == []


# -- pages ------------------------------------------------------------------------------


@pytest.fixture
def way_out(tmp_path):
    from correspondence.core.tokens import spell
    from tests.world import KEY, World

    world = World(tmp_path, csrf=True)
    world.join("ann")
    world.join("bob")
    world.match("duel")
    with db.reading(world.runtime.engine) as session:
        number = session.exec(select(Letter.stop_token_id).where(Letter.kind == "turn")).first()
    yield world, f"/u/{spell(KEY, number)}"
    world.close()


def test_looking_at_the_page_changes_nothing_and_shows_a_button(way_out):
    world, page = way_out
    before = switches(world.runtime.engine)
    client = world.client()
    assert "Stop notices to ann?" in client.get(page).text and client.head(page).status_code == 200
    assert switches(world.runtime.engine) == before


def test_one_click_acts_without_cookie_form_or_redirect_and_again(way_out):
    world, page = way_out
    for _ in range(2):
        answer = world.client().post(page, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200 and "No more notices, ann" in answer.text
        assert "Set-Cookie" not in answer.headers
    assert switches(world.runtime.engine) == (True, False, False, False)


def test_a_token_for_something_else_stops_nothing(way_out):
    from correspondence.core.tokens import spell
    from tests.world import KEY

    world, page = way_out
    with db.reading(world.runtime.engine) as session:
        play = session.exec(select(Letter.reply_token_id).where(Letter.kind == "turn")).first()
    for path in (f"/u/{spell(KEY, play)}", "/u/" + "b" * 26):
        assert world.client().get(path).status_code == world.client().post(path).status_code == 404
    assert world.client().get(page.replace("/u/", "/t/")).status_code == 404
