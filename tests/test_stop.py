"""Stopping letters: by a word, by a mail program, with one click; and what still comes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts import accounts, joining
from correspondence.accounts.mail_preferences import MailPreferences
from correspondence.core import db
from correspondence.models import Letter, Person, Purpose, Suppression
from correspondence.outbound.kinds import KINDS
from correspondence.outbound.stops import STOPS, stop_of, topics_of_features
from correspondence.play import matches
from tests.post import html_of, reply_address, text_of

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
    assert "You can stop and restart each kind of letter on the page https://games.example/settings" in " ".join(
        text_of(town.letter("ann")).split()
    )
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
    assert switches(town.engine) == (False, True, True, True)
    assert [str(letter["To"]) for letter in town.received] == ["ann@example.org"] * (sender[:3] == "ann")
    assert town.stand(number).result == "*"


def test_a_notice_that_waits_is_not_sent_after_stop(game):
    town, number = game
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "bob"), "hello", now=town.time)
        person = town.person(session, "ann")
        person.talk_letters = False
        session.add(person)
    town.received.clear()
    town.deliver()
    assert town.received == []


def test_a_stranger_who_writes_stop_is_not_asked_to_join_by_others(town):
    town.mail("cleo@example.org", DOOR, "stop")
    assert "no more letters" in text_of(town.letter("cleo"))
    town.received.clear()
    with db.transaction(town.engine) as session:
        joining.request_join(session, "cleo", "cleo@example.org", now=town.time)
    town.deliver()
    assert town.received == []
    town.time = town.time.replace(day=25)
    town.mail("cleo@example.org", DOOR, "join cleo")
    town.answer(town.letter("cleo"), "yes")
    assert town.people() == ["cleo"]
    with db.reading(town.engine) as session:
        assert session.exec(select(Suppression)).all() == []


# -- what each letter offers ------------------------------------------------------------


def click(town, letter):
    """What a mail program does when somebody presses its button: the address of the header, as mail."""
    box = re.search(r"mailto:(\S+?)\?", str(letter["List-Unsubscribe"]))[1]
    return town.mail(str(letter["To"]), box, "", subject="stop")


def about(town, name, words):
    """The newest letter to somebody with these words."""
    return [one for one in town.letters(name) if words in " ".join(text_of(one).split())][-1]


def promised(letter):
    """What the foot of a letter says that its link stops, in both parts alike."""
    rows = text_of(letter).rstrip().splitlines()
    link = re.match(r"<(\S+)>", str(letter["List-Unsubscribe"]))[1]
    assert rows[-1] == link and f'href="{link}"' in html_of(letter)
    words = " ".join(rows[rows.index("", -5) :][:-1]).strip() if "" in rows[-5:] else rows[-2]
    assert words.rstrip(":") in " ".join(html_of(letter).split())
    return words


def test_one_click_on_a_challenge_means_no_more_letters_about_challenges(town):
    town.join("ann", "bob", "cleo")
    town.agree("bob", "challenge ann duel")
    letter = about(town, "ann", "bob challenges you")
    assert "from letters about challenges" in promised(letter)
    assert click(town, letter) == "done: stop"
    assert "challenges or invites you" in " ".join(text_of(town.letter("ann")).split())
    before = len(town.letters("ann"))
    town.agree("cleo", "challenge ann plateau")
    assert len(town.letters("ann")) == before
    assert "no challenge" not in text_of(town.letter("cleo")) and switches(town.engine) == (True, True, True, False)


def test_the_word_stop_in_reply_to_a_challenge_stops_challenges_too(town):
    town.join("ann", "bob", "cleo")
    town.agree("bob", "challenge ann duel")
    town.answer(about(town, "ann", "bob challenges you"), "stop")
    before = len(town.letters("ann"))
    town.agree("cleo", "challenge ann plateau")
    assert len(town.letters("ann")) == before


def test_one_click_on_an_invitation_means_that_nobody_can_write_to_the_stranger(town):
    town.join("ann", "bob")
    town.agree("ann", "invite zoe@example.org duel")
    letter = about(town, "zoe", "ann invites you")
    assert "such letters to this address" in promised(letter)
    assert click(town, letter) == "done: stop"
    before = len(town.letters("zoe"))
    town.time += timedelta(days=200)
    town.agree("bob", "invite zoe@example.org duel")
    with db.transaction(town.engine) as session:
        joining.request_join(session, "zoe", "zoe@example.org", now=town.time)
    town.deliver()
    assert len(town.letters("zoe")) == before


def test_one_click_on_an_old_invitation_stops_no_notices_of_somebody_who_has_joined_since(town):
    town.join("ann")
    town.agree("ann", "invite zoe@example.org duel")
    letter = about(town, "zoe", "ann invites you")
    town.join("zoe", receipts=True)
    town.received.clear()
    assert click(town, letter) == "done: stop"
    assert switches(town.engine, "zoe") == (True, True, True, True)
    with db.reading(town.engine) as session:
        assert session.exec(select(Suppression)).all() == []
        assert not session.exec(select(Person).where(Person.handle == "zoe")).one().challenge_letters


def test_one_click_on_a_letter_of_talk_leaves_reminders_alone(game):
    town, number = game
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "bob"), "hello there", now=town.time)
    town.wait(minutes=10)
    letter = about(town, "ann", "hello there")
    assert "from letters with what others say" in promised(letter)
    click(town, letter)
    assert switches(town.engine) == (True, False, True, True)


def test_who_stopped_letters_of_their_turn_is_still_reminded_before_a_clock_decides(game):
    town, number = game
    town.open(number)
    click(town, town.letter("ann"))
    town.received.clear()
    town.wait(days=9)
    assert any("reminder" in one["Feedback-ID"] for one in town.letters("ann"))


@pytest.mark.parametrize("stop", STOPS.values(), ids=STOPS)
def test_whatever_can_be_stopped_is_something_that_some_letter_offers(stop):
    kinds = [kind for kind in KINDS.values() if stop_of(kind) is stop]
    assert kinds or stop.name in ("notices", "invitations")
    assert set(stop.switches) <= {*MailPreferences.__dataclass_fields__, *(one.name for one in topics_of_features())}


# -- pages ------------------------------------------------------------------------------


@pytest.fixture
def way_out(tmp_path):
    from correspondence.core.tokens import spell
    from tests.world import KEY, World

    world = World(tmp_path)
    world.join("ann", receipts=True)
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
    assert "Unsubscribe ann from these letters?" in client.get(page).text and client.head(page).status_code == 200
    assert switches(world.runtime.engine) == before


def test_one_click_acts_without_cookie_form_or_redirect_and_again(way_out):
    world, page = way_out
    for _ in range(2):
        answer = world.client().post(page, data={"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200 and "You're unsubscribed, ann" in answer.text
        assert "Set-Cookie" not in answer.headers
    assert switches(world.runtime.engine) == (False, True, True, True)


def test_what_was_stopped_with_one_click_comes_again_with_another(way_out):
    world, page = way_out
    world.client().post(page)
    shown = world.client().get(page)
    assert f'action="{page}/undo"' in shown.text and "You're unsubscribed, ann" in shown.text
    assert switches(world.runtime.engine) == (False, True, True, True)
    assert "You're subscribed again" in world.client().post(f"{page}/undo").text
    assert switches(world.runtime.engine) == (True, True, True, True)


def test_a_link_of_before_that_named_nothing_stops_notices(way_out):
    from correspondence.core.tokens import spell
    from tests.world import KEY

    world, _page = way_out
    with db.transaction(world.runtime.engine) as session:
        ann = session.exec(select(Person).where(Person.handle == "ann")).one()
        number = accounts.new_token(session, Purpose.STOP, now=world.clock(), person=ann).id
    assert "no reminders and no receipts" in world.client().post(f"/u/{spell(KEY, number)}").text
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
