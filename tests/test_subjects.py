"""Subjects: one for each game, from its first letter to its last, so that a thread holds; answers say what they are."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from engines import GAMES
from tests.post import html_of, reply_address, text_of

SUBJECTS = {"en": "[Game 1 vs {other}] Duel", "it": "[Partita 1 contro {other}] Duel"}


def gmail_thread(letter):
    """What Gmail compares before it adds a mail to a thread: the subject without the words that mean a reply."""
    return re.sub(r"^(?:(?:re|r|aw|sv|fw|fwd):\s*)+", "", str(letter["Subject"]), flags=re.IGNORECASE).casefold()


def first_text(page):
    """The first words that an inbox shows of a letter with HTML."""

    class Words(HTMLParser):
        found = ""
        in_head = False

        def handle_starttag(self, tag, _attrs):
            self.in_head = tag == "head" or self.in_head

        def handle_endtag(self, tag):
            self.in_head = self.in_head and tag != "head"

        def handle_data(self, data):
            self.found = self.found or ("" if self.in_head else " ".join(data.split()))

    words = Words()
    words.feed(page)
    return words.found


def first_line(letter):
    return text_of(letter).lstrip("\n").partition("\n")[0]


def a_duel_with_everything(town):
    """A game in which each letter that two players can cause has come, played by mail alone."""
    number = town.match("duel")
    for name, words in [
        ("ann", "show"),
        ("ann", "help"),
        ("ann", "zz9"),
        ("bob", "How are you?"),
        ("bob", "draw"),
        ("ann", "decline"),
        ("ann", "pause 3 days"),
        ("bob", "pause"),
        ("ann", "resign"),
    ]:
        town.answer(town.letter(name) if town.letters(name) else town.letter("ann"), words)
        town.wait(minutes=6)
    town.answer(town.letter("ann"), "yes")
    town.wait(minutes=6)
    return number


@pytest.mark.parametrize("language", SUBJECTS)
def test_every_letter_of_a_game_has_the_same_subject_and_refers_to_the_same_root(town, language):
    town.join("ann", "bob", language=language)
    a_duel_with_everything(town)
    assert town.stand(1).result == "0-1"
    for name, other in (("ann", "bob"), ("bob", "ann")):
        letters = [letter for letter in town.letters(name) if letter["List-Id"]]
        assert len(letters) > 4
        subject = SUBJECTS[language].format(other=other)
        assert {str(letter["Subject"]) for letter in letters} == {subject, f"Re: {subject}"}
        assert [str(letter["Subject"]).startswith("Re: ") for letter in letters] == [False] + [True] * (
            len(letters) - 1
        )
        assert {str(letter["References"]).split()[0] for letter in letters} == {"<g1@games.example>"}
        assert len(set(map(gmail_thread, letters))) == 1


def test_who_waits_and_who_moves_first_have_the_subject_of_the_game_too(town):
    town.join("ann", "bob")
    town.agree("ann", "challenge bob duel 3 days")
    town.answer(town.letter("bob"), "accept")
    begun = {(str(one["To"]), str(one["Subject"])) for one in town.received if one["List-Id"]}
    assert begun
    assert begun <= {("ann@example.org", "[Game 1 vs bob] Duel"), ("bob@example.org", "[Game 1 vs ann] Duel")}


def test_a_game_for_one_is_named_without_an_opponent(town):
    town.join("ann")
    town.agree("ann", "puzzle")
    assert str(town.letter("ann")["Subject"]) == f"[Game 1] {GAMES['duel-puzzle'].name}"


@pytest.mark.parametrize(("language", "states"), [
    ("en", ("Your game with bob begins", "bob has written to you.", "bob offers you a draw.",
            "Do you really resign", "You resigned")),
    ("it", ("Comincia la tua partita con bob", "bob ti ha scritto.", "bob ti offre la patta.",
            "Vuoi davvero abbandonare", "Hai abbandonato")),
])  # fmt: skip
def test_the_state_is_the_first_line_of_both_parts_because_inboxes_show_it(town, language, states):
    town.join("ann", "bob", language=language)
    a_duel_with_everything(town)
    for state in states:
        assert any(first_line(letter).startswith(state) for letter in town.letters("ann")), state
        assert any(first_text(html_of(letter)).startswith(state) for letter in town.letters("ann")), state


def test_every_letter_begins_with_words_about_itself_and_not_with_how_to_answer_it(town):
    town.join("ann", "bob")
    a_duel_with_everything(town)
    for line in ("help", "rules duel", "partners", "seek duel 3 days", "challenge bob duel", "export", "forget me"):
        town.agree("ann", line)
    assert len(town.received) > 20
    for letter in town.received:
        assert "---" not in first_line(letter) and "write your answer" in text_of(letter)
        assert "---" not in first_text(html_of(letter)) and "Correspondence –" not in first_text(html_of(letter))


@pytest.mark.parametrize("client", ["unmarked", "marked"])
def test_the_first_line_of_our_letter_is_no_talk_when_it_is_quoted(town, client):
    town.join("ann", "bob")
    town.match("proteus-dice")
    turn = town.letter("ann")
    quoted = "\n".join(("> " if client == "marked" else "") + row for row in text_of(turn).splitlines())
    assert town.answer(turn, f"c3/f2=B\n\nHave fun!\n\n{quoted}") == "done: played"
    text = text_of(town.letter("bob"))
    assert "Have fun!" in text and "you move first" not in text


@pytest.mark.parametrize(("line", "subject"), [
    ("help", "Help"),
    ("rules", "Rules"),
    ("rules duel", "Rules of Duel"),
    ("partners", "Partners"),
    ("games", "Your games"),
    ("seeks", "Seeks"),
    ("settings", "Your settings"),
    ("ratings duel", "Ratings: Duel"),
    ("letters", "Your letters"),
    ("help\nrules duel\npartners\ngames", "Help; Rules of Duel; Partners"),
    ("history 99", "Not done: history"),
    ("rules chess", "Not done: rules"),
    ("Good morning, everybody.", "Your mail to us"),
])  # fmt: skip
def test_an_answer_from_the_desk_is_called_what_it_is(town, line, subject):
    town.join("ann")
    town.mail("ann@example.org", "play@games.example", line)
    assert str(town.letter("ann")["Subject"]) == subject


def test_what_was_done_or_is_to_be_confirmed_is_named_by_its_first_word_alone(town):
    town.join("ann", "bob")
    town.mail("ann@example.org", "play@games.example", "seek duel 3 days")
    question = town.letter("ann")
    assert str(question["Subject"]) == "Please confirm: seek"
    town.mail("ann@example.org", reply_address(question), "withdraw 77")
    assert str(town.letter("ann")["Subject"]) == "Not done: withdraw"
    town.mail("ann@example.org", reply_address(question), "block bob")
    assert str(town.letter("ann")["Subject"]) == "Done: block"


def test_a_mail_that_anybody_may_have_sent_does_not_write_our_subject(town):
    town.join("ann")
    town.mail("ann@example.org", "play@games.example", "invite =?utf-8?q?x?= win a prize at https://evil.example duel")
    assert "evil" not in str(town.letter("ann")["Subject"]) and "prize" not in str(town.letter("ann")["Subject"])


def test_a_stranger_who_asks_gets_what_they_asked_for_by_its_name(town):
    town.mail("zoe@example.org", "play@games.example", "rules duel")
    assert str(town.letter("zoe")["Subject"]) == "Rules of Duel"
    town.mail("zoe@example.org", "play@games.example", "hello?")
    assert str(town.letter("zoe")["Subject"]) == "How to join Correspondence"
