"""Talk that an operator hid is read by nobody but operators, wherever it is told, and comes back when it is shown again."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.archive import import_export
from correspondence.community import data_export, erasure
from correspondence.core import db
from correspondence.core.signing import signer_of
from correspondence.models import Audience, HiddenWords, Letter, LetterState, Remark
from correspondence.moderation.acts import ActError
from correspondence.outbound.hidden_words import without
from correspondence.outbound.narrow_lines import narrowed
from correspondence.play import chat, matches, offers
from tests.operators import act, appoint, plain_words, undo
from tests.world import World

RUDE = "You play like a drunken ape & <nobody> wants you here, so go away and never come back to this place of ours!"
MARK = "[hidden by an operator]"


@pytest.fixture
def club(tmp_path):
    world = World(tmp_path, mail_domain="games.example", base_url="https://games.example")
    world.join("ann", "bob", "cleo")
    appoint(world, "cleo")
    world.match("duel")
    yield world
    world.close()


def say(club, name, text, audience=Audience.PLAYERS):
    with db.transaction(club.engine) as session:
        matches.say(session, club.player(session, 1, name), text, now=club.time, audience=audience)


def waiting(club, name):
    with db.reading(club.engine) as session:
        found = select(Letter).where(Letter.person_id == club.person(session, name).id)
        rows = session.exec(found.where(Letter.state == LetterState.QUEUED)).all()
    return " ".join(f"{' '.join(row.text.split())} {row.html}" for row in rows)


def told_everywhere(club):
    """All that pages, feeds and records tell anybody about the game, by place."""
    club.clock.go(hours=1)
    places = {
        f"{who} {path}": club.client(who).get(path)
        for who in ("ann", "bob", "cleo", "")
        for path in ("/games/1", "/games/1/1", "/games/1.atom", "/games/1.record", "/games/1/mail", "/archive.records")
    }
    return {place: answer.text for place, answer in places.items()}


def test_what_is_hidden_is_told_nowhere_and_a_mark_stands_in_its_place(club):
    club.play(1, "ann", "3@a1", comment=RUDE)
    say(club, "ann", f"To you: {RUDE}")
    say(club, "ann", f"To all: {RUDE}", Audience.EVERYONE)
    say(club, "bob", "Please be kind.")
    act(club, "hide-talk", game="1", handle="ann")
    texts = told_everywhere(club)
    assert [place for place, text in texts.items() if "drunken" in text] == []
    assert all(MARK in texts[f"{who} /games/1"] for who in ("ann", "bob", "cleo", ""))
    assert MARK in texts["bob /games/1.record"] and "Please be kind." in texts["ann /games/1"]


def test_a_page_that_was_read_before_is_drawn_anew(club):
    say(club, "ann", RUDE)
    browser = club.client("bob")
    tag = browser.get("/games/1").headers["ETag"]
    number = act(club, "hide-talk", game="1", handle="ann")
    answer = browser.get("/games/1", headers={"If-None-Match": tag})
    assert answer.status_code == 200 and MARK in answer.text
    undo(club, number)
    assert "drunken" in browser.get("/games/1", headers={"If-None-Match": answer.headers["ETag"]}).text


def test_letters_that_have_not_left_hold_the_mark_in_their_readers_language(club):
    with db.transaction(club.engine) as session:
        bob = club.person(session, "bob")
        bob.language = "it"
        session.add(bob)
    say(club, "ann", RUDE)
    club.play(1, "ann", "3@a1", comment=f"{RUDE}\n\nIndeed.")
    assert "drunken" in waiting(club, "bob")
    act(club, "hide-talk", game="1", handle="ann")
    assert "drunken" not in waiting(club, "bob") and "[nascosto da chi gestisce il servizio]" in waiting(club, "bob")


def test_words_said_later_are_told_as_ever_and_only_what_contains_the_given_words_is_hidden(club):
    say(club, "ann", "A fine evening.")
    say(club, "ann", RUDE)
    act(club, "hide-talk", game="1", handle="ann", words="DRUNKEN")
    say(club, "ann", "I am sorry.")
    page = told_everywhere(club)["bob /games/1"]
    assert "A fine evening." in page
    assert "I am sorry." in page
    assert "drunken" not in page


def test_operators_read_what_was_hidden_in_the_list_of_acts_alone(club):
    say(club, "ann", RUDE)
    act(club, "hide-talk", game="1", handle="ann")
    assert "drunken ape &amp; &lt;nobody&gt;" in club.client("cleo").get("/desk/acts").text
    assert club.client("ann").get("/desk/acts").status_code == 404


def test_private_notes_are_neither_hidden_nor_shown_to_operators(club):
    with db.transaction(club.engine) as session:
        chat.keep_note(session, club.player(session, 1, "ann"), "My secret.", ply=None, now=club.time)
    with pytest.raises(ActError, match="said nothing in game 1"):
        act(club, "hide-talk", game="1", handle="ann")


@pytest.mark.parametrize("game", ["99", "", "x", "-1", "9" * 30])
def test_a_game_that_is_none_is_refused(club, game):
    with pytest.raises(ActError, match="There is no game number"):
        act(club, "hide-talk", game=game, handle="ann")


@pytest.mark.parametrize("way_back", ["undo", "show-talk"])
def test_shown_again_all_stands_as_it_was_and_the_writer_is_told_both_times(club, way_back):
    club.play(1, "ann", "3@a1", comment=RUDE)
    say(club, "ann", RUDE)
    before = told_everywhere(club)["bob /games/1.record"]
    number = act(club, "hide-talk", game="1", handle="ann")
    undo(club, number) if way_back == "undo" else act(club, way_back, game="1", handle="ann")
    assert told_everywhere(club)["bob /games/1.record"] == before
    with db.reading(club.engine) as session:
        assert session.exec(select(Remark.text)).all() == [RUDE]
        assert session.exec(select(HiddenWords)).all() == []
    words = plain_words(waiting(club, "ann"))
    assert "has hidden some of your words in game 1" in words and "are shown again" in words
    with pytest.raises(ActError, match="Nothing that ann said|already been reversed"):
        undo(club, number) if way_back == "undo" else act(club, "show-talk", game="1", handle="ann")


def test_the_record_still_verifies_because_words_are_not_of_the_chain(club):
    club.play(1, "ann", "3@a1", comment=RUDE)
    act(club, "hide-talk", game="1", handle="ann")
    club.resign(1, "bob")
    with db.reading(club.engine) as session:
        record = import_export.export(session, 1, signer_of(club.settings), now=club.time)
    assert MARK in record and "drunken" not in record


def test_a_move_taken_back_meanwhile_takes_its_hidden_words_with_it(club):
    club.play(1, "ann", "3@a1", comment=RUDE)
    number = act(club, "hide-talk", game="1", handle="ann")
    with db.transaction(club.engine) as session:
        offers.offer_takeback(session, club.player(session, 1, "ann"), now=club.time)
    with db.transaction(club.engine) as session:
        offers.accept(session, club.player(session, 1, "bob"), now=club.time)
    club.play(1, "ann", "3@b1", comment="Better.")
    undo(club, number)
    page = told_everywhere(club)["bob /games/1"]
    assert "Better." in page and "drunken" not in page


def test_an_erased_writers_hidden_words_are_gone_and_a_copy_of_their_data_holds_them_before(club):
    say(club, "ann", RUDE)
    number = act(club, "hide-talk", game="1", handle="ann")
    with db.reading(club.engine) as session:
        ann = accounts.person_by_handle(session, "ann").id
    copied = data_export.export_chunks(club.engine, ann, signer=signer_of(club.settings), now=club.time)
    with zipfile.ZipFile(io.BytesIO(b"".join(copied))) as archive:
        assert "drunken" in archive.read("rows/hidden_words-person_id.json").decode()
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
    with db.reading(club.engine) as session:
        assert session.exec(select(HiddenWords)).all() == []
    undo(club, number)


@given(st.lists(st.text(min_size=1, max_size=12).filter(lambda word: word.split() == [word]), min_size=1, max_size=30))
def test_words_are_found_however_a_letter_wraps_them(words):
    sentence = " ".join(words)
    text = narrowed(f"Before\n| {sentence}\n\nAfter\n")
    hidden = without(sentence, text, f"<p>{escape(sentence)}</p>", MARK)
    assert hidden == (f"Before\n| {MARK}\n\nAfter\n", f"<p>{MARK}</p>")
