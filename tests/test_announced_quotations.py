"""A line above a quotation that holds our name or address announces it; and a yes is found wherever it was written."""

from __future__ import annotations

import itertools
import random
from datetime import timedelta

import pytest

from correspondence.commands import looks_like_move
from correspondence.mime.replytext.announcements import OurNames, our_names
from tests.post import html_of, reply_address, text_of
from tests.replies import clients
from tests.replies.clients import read_body

OURS = "Correspondence <r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example>"
DESK = "Correspondence <play@games.example>"
SUBJECT = "[Game 42 vs bob] Duel"
HEADER = f"{SUBJECT}\n{DESK}\n{OURS}\n{DESK.replace('Corr', 'bob via Corr')}\nann@post.example"
SENT = (clients.NOTICE, HEADER)
TYPED = "5@a2\n\nWell, well."

FORMS = {
    "alot": "Quoting Correspondence (2026-11-21 10:05:12)",
    "alot with the address": f"Quoting {DESK} (2026-11-21 10:05:12)",
    "old Gmail": f"2026/11/21 {DESK}",
    "old Gmail with a colon": f"2026/11/21 {OURS}:",
    "a date and no verb": f"21 November 2026 10:05, {OURS}",
    "a date, no verb, Spanish": f"El 21-11-2026 10:05, {DESK}",
    "a date on the line above": f"Sat, 21 Nov 2026 10:05:12 +0000\n{DESK}:",
    "Vietnamese without a verb": f"Vào 10:05, Th 7, 21 thg 11, 2026 {OURS}",
    "Japanese without a verb": f"2026年11月21日(土) 10:05 {OURS}",
    "Lotus Notes": f"{DESK}\n21/11/2026 10:05\n\nTo\nann@post.example\ncc\n\nSubject\n{SUBJECT}\n",
    "Lotus Notes in columns": (
        f"Correspondence\n<{OURS.partition('<')[2]}                                 To\nann@post.example\n"
        f"21.11.2026 10:05                                          cc\n\n"
        f"Bitte antworten an                    Thema\n{OURS.partition('<')[2][:-1]}     {SUBJECT}\n"
    ),
    "Lotus Notes on one line": f"{DESK} on 21/11/2026 10:05:12 AM",
    "Lotus Notes that asks to respond": f"Please respond to {OURS}\nTo: ann@post.example\ncc:\nSubject: {SUBJECT}",
    "five lines": f"On Sat,\nNov 21, 2026\nat 10:05 AM\nCorrespondence\n<{OURS.partition('<')[2]}\nwrote:",
    "a verb before the date": "Correspondence wrote on 21.11.26 10:05",
    "stars": f"** {OURS} [2026-11-21 10:05]",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("gap", ["\n", "\n\n"], ids=["directly", "blank line"])
@pytest.mark.parametrize("mark", ["", "> "], ids=["unmarked", "marked"])
@pytest.mark.parametrize("name", ["Correspondence", "bob via Correspondence"])
def test_whatever_announces_our_letter_is_neither_talk_nor_asked_about(form, gap, mark, name):
    quoted = "\n".join((mark + row).rstrip() for row in clients.NOTICE.strip("\n").split("\n"))
    announced = FORMS[form].replace("Correspondence", name)
    for body in (f"{TYPED}\n\n{announced}{gap}{quoted}\n", f"{announced}{gap}{quoted}\n\n{TYPED}\n"):
        reply = read_body(body, SENT, looks_like_move)
        assert (reply.text, reply.withheld) == (TYPED, ())


@pytest.mark.parametrize("typed", ["5@a2", "5@a2 "])
@pytest.mark.parametrize("announced", [
    f"On Sat, Nov 21, 2026 at 10:05 AM {OURS} wrote:", f"Il giorno sab 21 nov 2026 alle ore 10:05 {OURS} ha scritto:",
    f"Am 21.11.2026 um 10:05 schrieb {OURS}:",
])  # fmt: skip
def test_an_announcement_that_is_glued_to_what_was_typed_is_cut_off(typed, announced):
    quoted = "\n".join(f"> {row}" for row in clients.NOTICE.split("\n"))
    assert read_body(f"{typed}{announced}\n{quoted}", SENT, looks_like_move).text == "5@a2"


@pytest.mark.parametrize("line", [
    "I like this correspondence", "Correspondence is fun", "See you on 3 March", "my address is ann@post.example",
    "On Sunday I am away", "At last", "Game 42 against bob is fun",
])  # fmt: skip
def test_what_was_typed_right_above_a_quotation_stays_the_writers(line):
    quoted = "\n".join(f"> {row}" for row in clients.NOTICE.split("\n"))
    assert read_body(f"{line}\n{OURS} wrote:\n{quoted}", SENT).text == line
    assert read_body(f"{line}\n\nOn Sat, 21 Nov 2026 at 10:05 {OURS} wrote:\n{quoted}", SENT).text == line


def test_our_names_are_those_of_our_headers_and_not_what_a_player_wrote():
    assert our_names([HEADER]).addresses == {"play@games.example", "r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example"}
    assert our_names(["| Eve <eve@example.org>", "> Eve <eve@example.org>"]) == OurNames()


@pytest.mark.parametrize("form", ["alot with the address", "old Gmail", "a date and no verb", "five lines"])
def test_a_real_mail_with_such_an_announcement_is_played_and_nothing_of_it_told(town, form):
    town.join("ann", "bob")
    number = town.match("duel")
    turn = town.letter("ann")
    announced = FORMS[form].replace(OURS.partition("<")[2][:-1], reply_address(turn))
    assert town.answer(turn, f"{TYPED}\n\n{announced}\n{text_of(turn)}") == "done: played"
    assert town.moves(number) == ["5@a2"]
    assert "Well, well." in text_of(town.letter("bob")) and "Correspondence <" not in text_of(town.letter("bob"))


# -- joining -------------------------------------------------------------------------


def answered(town, name, letter, case, typed):
    client, language, posture, form = case
    plain = clients.plain_reply(client, language, posture, text_of(letter).replace("\r\n", "\n"), typed)
    html = clients.html_reply(client, language, posture, html_of(letter), typed)
    wire = "8bit" if form == "both" else form.removeprefix("html ")
    raw = clients.mail(
        "" if form.startswith("html") else plain, html if "8" not in form or "html" in form else "", wire
    )
    town.put(raw.replace(b"ann@post.example", f"{name}@example.org".encode()), reply_address(letter))
    return town.sweep()


CASES = list(
    itertools.product(
        clients.CLIENTS, clients.LANGUAGES, ("top", "bottom", "inline"), ("8bit", "flowed", "html 8bit", "both")
    )
)


def test_a_yes_joins_only_above_the_quotation_in_every_mail_program(town):
    for number, case in enumerate(random.Random(2).sample(CASES, 60)):
        town.time += timedelta(minutes=20)
        town.received.clear()
        name = f"u{number}"
        town.mail(f"{name}@example.org", "play@games.example", f"join {name}")
        typed = ["Hello", "yes"] if case[2] == "inline" else ["yes"]
        is_above = case[2] == "top"
        outcome = answered(town, name, town.letter(name), case, typed)
        assert outcome == ("done: joined" if is_above else "done: not confirmed"), case
        assert (name in town.people()) is is_above
        if not is_above:
            assert town.answer(town.letter(name), "yes") == "done: joined"


@pytest.mark.parametrize(("words", "is_told"), [
    ("What is this?", True), ("Who are you, and what do you want?", True), ("no", False), ("stop", False),
    ("thanks", True), ("", True),
])  # fmt: skip
def test_who_answers_something_else_is_told_what_a_yes_looks_like(town, words, is_told):
    town.mail("zoe@example.org", "play@games.example", "join zoe")
    letter = town.letter("zoe")
    town.received.clear()
    town.answer(letter, words or "\n")
    assert town.people() == []
    texts = [text_of(letter) for letter in town.letters("zoe")]
    assert any("the single word yes on the first line" in text for text in texts) is is_told


def test_the_yes_that_our_letter_speaks_of_is_nobodys_yes_when_it_is_only_quoted(town):
    town.mail("zoe@example.org", "play@games.example", "join zoe")
    letter = town.letter("zoe")
    for mark in ("", "> "):
        quoted = "\n".join(mark + row for row in text_of(letter).splitlines())
        town.answer(letter, f"{quoted}\n")
        town.answer(letter, f"What is this?\n\n{quoted}\n")
    assert town.people() == []
