"""No line of any letter of ours, and nothing that names a face, goes to the opponent, whatever a program quotes.

True letters of every game, as they are composed, with the board in words where the picture is described, are told as
twenty-three programs tell them, below eight kinds of attribution, with marks and without, above what was typed, below,
between and around it. A sample runs here; MAIL_QUOTATIONS=all runs all of them.
"""

from __future__ import annotations

import itertools
import os
import random

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.mime import replytext
from correspondence.models import Remark
from correspondence.models.loading import players_of
from correspondence.play import matches
from tests.mail_failures.test_quotations import GAMES, TALK, Table
from tests.post import text_of
from tests.replies import clients

SECRET = ("proteus-dice", {"wall_street": "secret"})
POSTURES = ("top", "bottom", "inline", "around", "words alone", "nothing")
QUESTION = "are you there?"
"""What the other one says."""

IS_ALL = os.environ.get("MAIL_QUOTATIONS") == "all"
SAMPLE = 14
"""Replies that are tried at each table, out of all there could be."""


class Sealed(Table):
    """A game in which somebody has chosen in secret, and reads it in the letter about what the other one says."""

    def __init__(self, folder, language):
        super().__init__(folder, *SECRET, language)

    def begin(self, rng):
        name, seat, position = self._to_act()
        self.town.play(self.number, name, position.write(seat, position.view(seat).random_move(seat, rng)))
        with db.transaction(self.town.engine) as session:
            other = next(p for p in players_of(session, self.number) if p.seat != seat)
            matches.say(session, other, QUESTION, now=self.town.time)
        self.town.wait(minutes=6)
        self.town.deliver()
        self.name, self.seat, self.move = name, seat, ""
        self.letter = self.town.letter(name)


def typed(table, posture):
    """What is typed, from above to below, and what of it is to be played and to be told."""
    if posture == "nothing":
        return ["", ""], [], []
    if posture == "words alone" or not table.move:
        return [TALK, ""], [], [TALK]
    return [table.move, TALK] if posture in ("top", "bottom") else [TALK, table.move], [table.move], [TALK]


def reply(table, manner, client, language, posture, form):
    lines = typed(table, posture)[0]
    place = posture if posture in ("bottom", "inline", "around") else "top"
    if form == "html":
        body = {"html": clients.html_reply(client, language, place, table.html, lines)}
    else:
        notice = table.text if manner == "as sent" else clients.retold(table.html, manner)
        body = {"plain": clients.plain_reply(client, language, place, notice, lines), "wire": form}
    return clients.mail(**body).replace(b"ann@post.example", f"{table.name}@example.org".encode())


def came_of(table, raw):
    """What was played and told, as the rows say it, and told, as the letters to the opponent say it."""
    reason, played, remarks, *_rest = table.came_of(raw)
    return reason, played, [remark for remark in remarks if remark != QUESTION], table.passed_on


AS_SENT = [
    ("as sent", client, posture, form)
    for client, posture, form in itertools.product(clients.CLIENTS, POSTURES, (*clients.WIRES, "html"))
    # what is typed into the quotation of these is asked about, see below
    if not (form == "html" and client in ("proton", "yahoo") and posture == "inline")
]
RETOLD = [
    (manner, client, posture, clients.WIRES[number % len(clients.WIRES)])
    for number, (manner, client, posture) in enumerate(itertools.product(clients.MANNERS, clients.CLIENTS, POSTURES))
]
MATRIX = AS_SENT + RETOLD


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(
    ("key", "options"), [*GAMES, SECRET, ("sealed", {})], ids=lambda value: str(value) if value else "-"
)
def test_nothing_of_a_letter_reaches_the_opponent_and_nothing_typed_is_lost(tmp_path, key, options, language, capsys):
    table = Sealed(tmp_path, language) if key == "sealed" else Table(tmp_path, key, options, language)
    chosen = MATRIX if IS_ALL else random.Random(f"{key}{options}{language}").sample(MATRIX, SAMPLE)
    wrong = []
    for manner, client, posture, form in chosen:
        outcome, played, remarks, sent = came_of(table, reply(table, manner, client, language, posture, form))
        _lines, to_play, to_tell = typed(table, posture)
        if (played, remarks) != (to_play, to_tell) or not {*sent} <= {*to_tell, "e4"}:
            wrong.append(((manner, client, posture, form), outcome, played, remarks, sent))
    if IS_ALL:
        with capsys.disabled():
            print(f"\n{key} {options} {language}: {len(chosen)} replies, {len(wrong)} wrong")
    table.town.close()
    assert not wrong, (len(wrong), wrong[:5])


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path, "plateau", {}, "en")
    yield table
    table.town.close()


def around(table, above, below, mark="> "):
    quoted = "\n".join(mark + row for row in clients.retold(table.html, "outlook classic").split("\n"))
    raw = clients.mail(f"{above}\n\n{quoted}\n\n{below}\n")
    return came_of(table, raw.replace(b"ann@post.example", f"{table.name}@example.org".encode()))


@pytest.mark.parametrize("mark", ["> ", ""])
def test_two_different_moves_around_our_letter_are_asked_about_and_nothing_is_passed_on(table, mark):
    outcome, played, remarks, sent = around(table, f"{TALK}\n+a1 xx", "+a1 xr", mark)
    assert (outcome, played, remarks, set(sent) - {"e4"}) == ("asked", [], [], set())
    assert all(words in table.answered[0] for words in ("(1) +a1 xx", "(2) +a1 xr", TALK))


@pytest.mark.parametrize("mark", ["> ", ""])
def test_the_same_move_above_and_below_our_letter_is_one_move(table, mark):
    assert around(table, f"{TALK}\n{table.move}", table.move, mark)[:3] == ("played", [table.move], [TALK])


@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_move_below_twelve_lines_of_words_and_our_letter_is_found(table, mark):
    words = "\n".join(f"this is sentence {number} of them" for number in range(12))
    outcome, played, remarks, _sent = around(table, words, table.move, mark)
    assert (outcome, played, remarks) == ("played", [table.move], [words])


def test_a_line_of_our_letter_that_somebody_copied_is_shown_to_them_and_goes_nowhere(table):
    words = html_words(table)
    raw = clients.mail(f"{TALK}\n{words}\n").replace(b"ann@post.example", f"{table.name}@example.org".encode())
    outcome, played, remarks, _sent = came_of(table, raw)
    assert (outcome, played, remarks) == ("said", [], [TALK])
    assert words[:60] in table.answered[0]


def html_words(table):
    """What describes the picture in the HTML letter: the writer's own view."""
    return next(row for row in replytext.letter_text(table.html).split("\n") if "has in hand" in row)


def test_a_letter_to_another_member_takes_nothing_of_our_letter_with_it_through_whatever_address(table):
    quoted = clients.retold(table.html, "outlook classic").partition("\n")[2].strip()  # without “above this line”
    town, other = table.town, "bob" if table.name == "ann" else "ann"
    written = f"write {other}: hello there\n\n{quoted}"
    long = [line for line in quoted.split("\n") if len(line) > 20]
    assert town.mail(f"{table.name}@example.org", "play@games.example", written) == "done: proposed"
    proposal = town.letter(table.name)
    assert "· write " in text_of(proposal) and not any(line in text_of(proposal) for line in long)
    for answer in ("yes", written):
        town.answer(proposal, answer)
        text = text_of(town.letter(other))
        assert "hello there" in text and not any(line in text for line in long)


@pytest.mark.parametrize("prefix", ["Antwort: ", "Re: ", "[external] ", "RE - ", "", "Odpověď: "])
def test_our_own_subject_is_never_told_where_the_body_is_empty(table, prefix):
    outcome = table.town.answer(table.letter, "\n", subject=prefix + str(table.letter["Subject"]))
    assert outcome == "done: nothing to do"
    with db.reading(table.town.engine) as session:
        assert session.exec(select(Remark)).all() == []


UNMARKED = ("outlook", "outlook-desktop", "yahoo")
"""Programs that put no mark before what they quote, so that a line that is not known as ours counts as typed."""


@pytest.mark.parametrize("manner", ["gateway broken", "gateway bare"])
@pytest.mark.parametrize("client", UNMARKED)
def test_a_link_of_ours_that_a_gateway_replaced_and_a_program_broke_goes_nowhere(table, manner, client):
    for posture in ("bottom", "inline", "nothing"):
        _lines, to_play, to_tell = typed(table, posture)
        _outcome, played, remarks, sent = came_of(table, reply(table, manner, client, "en", posture, "8bit"))
        assert (played, remarks) == (to_play, to_tell), posture
        assert {*sent} <= {*to_tell, "e4"}, posture
