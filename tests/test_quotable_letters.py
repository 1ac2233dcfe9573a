"""What a mail may quote of ours is looked for in the letter that it answers, and in others only where that matters."""

from __future__ import annotations

import itertools
import random

import pytest
from sqlmodel import col, select

from correspondence.core import db
from correspondence.inbound.mailbox import reading
from correspondence.models import Inbound, Letter, Person, Token
from tests.mail_failures.test_quotations import FORMS, Table
from tests.post import reply_address
from tests.replies import clients

SAMPLE = 80
"""Replies that are tried for each game, out of all that have the move above the quotation."""

REPLIES = list(itertools.product(clients.CLIENTS, clients.LANGUAGES, FORMS))


@pytest.fixture(scope="module", params=["proteus-dice", "duel"])
def table(request, tmp_path_factory):
    """A game in whose last letter a move is answered, with more letters to the same person."""
    at = Table(tmp_path_factory.mktemp("quoting"), request.param, {}, "en")
    yield at
    at.town.close()


def readings(table, raw):
    """How a reply is read with the letters that it takes, and with all that it may quote."""
    with db.reading(table.town.engine) as session:
        inbound = Inbound(raw=raw, recipient=reply_address(table.letter))
        letter = session.exec(select(Letter).where(col(Letter.message_id) == named(table))).one()
        person, token = session.get_one(Person, letter.person_id), session.get_one(Token, letter.reply_token_id)
        quotable = reading.Quotable(session, inbound, person, token, table.town.settings)
        is_read_early = "texts" not in vars(quotable)
        few = reading.parse_reply(inbound, quotable, table.acts)
        is_read_early = is_read_early and "texts" not in vars(quotable)
        return few, reading.parse_message(inbound, quotable.texts, table.acts), is_read_early


def answering(table, raw):
    """The reply as a program sends it that names the letter it answers."""
    return f"In-Reply-To: <{named(table)}@games.example>\n".encode() + raw


def named(table):
    """What the letter that is answered is called, without the site."""
    return table.letter["Message-ID"].strip("<>").partition("@")[0]


@pytest.fixture(autouse=True)
def moves(table):
    """Lets a table know which lines act: its move, and the words for the end."""
    table.acts = lambda line: line.strip() in (table.move, "resign", "draw")


def test_a_move_alone_above_a_quotation_is_read_as_if_all_letters_were_known(table):
    for client, language, form in random.Random(table.move).sample(REPLIES, SAMPLE):
        raw = answering(table, table.reply(client, language, "top", form, [table.move, " "]))
        few, all_of_them, _is_early = readings(table, raw)
        assert few == all_of_them, (client, language, form)


def test_a_move_alone_above_marked_lines_takes_no_other_letter(table):
    quoted = "\n".join(f"> {line}" for line in table.text.splitlines())
    raw = clients.mail(f"{table.move}\n\nOn 21 Nov 2026, Correspondence wrote:\n{quoted}\n", "", "8bit")
    few, all_of_them, is_early = readings(table, answering(table, raw))
    assert is_early
    assert few == all_of_them


@pytest.mark.parametrize("more", ["See you soon!", "resign", "Re: that"])
def test_whoever_writes_more_than_a_move_is_compared_with_all_letters(table, more):
    quoted = "\n".join(f"> {line}" for line in table.text.splitlines())
    raw = clients.mail(f"{table.move}\n{more}\n\nOn 21 Nov 2026, Correspondence wrote:\n{quoted}\n", "", "8bit")
    few, all_of_them, is_early = readings(table, answering(table, raw))
    assert not is_early
    assert few == all_of_them


def test_a_word_that_the_page_of_the_letter_shows_is_compared_with_all_letters(table):
    word = next(word for word in table.html.replace("<", " <").split() if word.isalpha() and len(word) > 4)
    table.acts = lambda line: line.strip() == word
    raw = clients.mail(f"{word}\n\n> {table.text.splitlines()[0]}\n", "", "8bit")
    few, all_of_them, is_early = readings(table, answering(table, raw))
    assert not is_early
    assert few == all_of_them
