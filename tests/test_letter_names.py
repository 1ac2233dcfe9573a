"""The names beside the addresses of a letter: they say who and which game, and whatever they are, stay names."""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes, policy
from email.utils import getaddresses, parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core import db
from correspondence.outbound import compose
from correspondence.play import matches
from tests.outgoing import SETTINGS, letter
from tests.post import html_of, reply_address, text_of
from tests.replies import clients

OURS = "play@games.example"


def shown(message, field):
    """The name that a mail program shows for the one address of a field."""
    [(name, _address)] = getaddresses([str(message[field])])
    return name


def test_a_letter_of_a_game_names_the_game_to_answer_and_who_moved(town):
    town.join("ann", "bob")
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    turn = town.letter("bob")
    assert shown(turn, "From") == "ann via Correspondence"
    assert shown(turn, "Reply-To") == f"Game {number} against ann"
    assert parseaddr(str(turn["From"]))[1] == OURS
    assert parseaddr(str(turn["Reply-To"]))[1] == reply_address(turn)


def test_the_names_are_in_the_readers_language(town):
    town.join("ann")
    town.join("bob", language="it")
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    turn = town.letter("bob")
    assert shown(turn, "From") == "ann tramite Correspondence"
    assert shown(turn, "Reply-To") == f"Partita {number} contro ann"
    town.mail("bob@example.org", OURS, "partite")
    assert shown(town.letter("bob"), "Reply-To") == "Partite per corrispondenza"


def test_what_the_service_says_of_itself_comes_from_the_service(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "resign")
    question = town.letter("ann")
    assert (shown(question, "From"), shown(question, "Reply-To")) == ("Correspondence", f"Game {number} against bob")
    town.mail("ann@example.org", OURS, "help")
    answer = town.letter("ann")
    assert (shown(answer, "From"), shown(answer, "Reply-To")) == ("Correspondence", "Correspondence games")


def test_talk_comes_from_who_said_it_and_a_letter_of_a_member_is_answered_to_them(town):
    town.join("ann", "bob")
    number = town.match()
    with db.transaction(town.engine) as session:
        matches.say(session, town.player(session, number, "bob"), "Good luck to you.", now=town.time)
    town.wait(minutes=10)
    talk = next(one for one in town.letters("ann") if "Good luck" in text_of(one))
    assert (shown(talk, "From"), shown(talk, "Reply-To")) == ("bob via Correspondence", f"Game {number} against bob")
    town.agree("ann", "write to bob: would you like another game?")
    contact = next(one for one in town.letters("bob") if "another game?" in text_of(one))
    assert {shown(contact, field) for field in ("From", "Reply-To")} == {"ann via Correspondence"}


def test_every_letter_has_a_named_address_to_answer(town):
    town.join("ann", "bob")
    town.match()
    town.agree("ann", "challenge bob to duel")
    town.agree("ann", "invite zoe@example.org duel")
    town.mail("cleo@example.org", OURS, "join cleo")
    town.mail("ann@example.org", OURS, "games")
    town.wait(days=9)
    assert len(town.received) > 8
    for one in town.received:
        assert all(shown(one, field) for field in ("From", "Reply-To")), one["Subject"]


HOSTILE = st.one_of(
    st.text(max_size=90),
    st.lists(
        st.sampled_from([
            "=?UTF-8?Q?=0A?=Bcc: a@b.example", "\r\nBcc: eve@evil.example", '"', "\\", "<eve@evil.example>", ",", ";",
            ":", "(", ")", "\u202e", "\ud800", "é", "日本", "ann", " ", "\x00", "\u2028", "=?", "?=", "@", "a" * 70,
        ]),
        max_size=9,
    ).map("".join),
)  # fmt: skip


@given(HOSTILE, HOSTILE)
def test_whatever_the_names_are_each_field_holds_our_one_address_and_nothing_else(sender, topic):
    own = letter(id=9, reply_token_id=5, from_name=sender, reply_name=topic)
    raw = compose.compose(own, SETTINGS)
    bare = compose.reply_address(own, SETTINGS)
    for rules in (policy.default, policy.compat32):
        message = message_from_bytes(raw, policy=rules)
        assert message["Bcc"] is None and len(message.get_all("Reply-To")) == 1
        for field, address in (("From", OURS), ("Reply-To", bare)):
            [(name, found)] = getaddresses([str(message[field])])
            assert (found, bool(name)) == (address, True)
            assert parseaddr(str(message[field]))[1] == address


@pytest.mark.parametrize("language", ["en", "it", "de"])
@pytest.mark.parametrize("client", clients.CLIENTS)
def test_a_quotation_that_a_mail_program_announces_by_these_names_is_ours(town, client, language):
    town.join("ann", "bob")
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    turn = town.letter("bob")
    plain = clients.plain_reply(client, language, "top", text_of(turn).replace("\r\n", "\n"), ["Hello there, ann."])
    html = clients.html_reply(client, language, "top", html_of(turn), ["Hello there, ann."])
    for body in ((plain, ""), ("", html)):
        raw = clients.mail(*body, "8bit").replace(b"ann@post.example", b"bob@example.org")
        raw = raw.replace(b"Correspondence <", b"ann via Correspondence <")
        town.put(raw, reply_address(turn), "bob@example.org")
        town.sweep()
    town.time += timedelta(minutes=10)
    town.deliver()
    texts = [text_of(one) for one in town.letters("ann")]
    assert any("Hello there, ann." in one for one in texts)
    assert not any("via Correspondence" in one for one in texts)
