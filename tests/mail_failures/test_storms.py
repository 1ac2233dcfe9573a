"""Failure 1: whoever answers everything, marked or not, gets few letters; a storm of bounces gets none.

A day is simulated mail by mail: what leaves is answered a minute later by what stands at the other end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import make_msgid

import pytest
from sqlmodel import select

from correspondence.core import db, tokens
from correspondence.inbound.mailbox import answering
from correspondence.models import Letter, LetterState, Remark
from correspondence.outbound import compose, suppressions
from tests.mail_failures.boxes import DOOR, every_box, rows
from tests.post import reply_address
from tests.reports import dsn
from tests.world import mail_world

DAY = 24 * 60
"""Minutes of a day, each with a round of everybody's mail."""


def envelope(town, letter):
    """The envelope sender of a letter that was received."""
    with db.reading(town.engine) as session:
        wanted = str(letter["Message-ID"]).strip("<>").partition("@")[0]
        row = session.exec(select(Letter).where(Letter.message_id == wanted)).one()
    return compose.envelope_sender(row, town.settings)


class Robot:
    """Answers every letter at once, as a bad vacation program does: no mark, a new Message-ID, a body of its own."""

    def __init__(self, town, mail, *, body, subject=None, fields=(), to_envelope=False, same=False):
        self.town, self.mail, self.body, self.subject = town, mail, body, subject
        self.fields, self.to_envelope, self.same = dict(fields), to_envelope, same
        self.got = 0

    def round(self):
        """Answer the letters that came; returns whether there was one."""
        mine = self.town.received.taken(self.mail)
        for letter in mine:
            self.got += 1
            reply = EmailMessage()
            reply["From"], reply["To"] = self.mail, reply_address(letter)
            reply["Subject"] = self.subject or f"Re: {letter['Subject']}"
            reply["Message-ID"], reply["In-Reply-To"] = make_msgid(domain="robot.example"), letter["Message-ID"]
            for name, value in self.fields.items():
                reply[name] = value
            reply.set_content(self.body if self.same else f"{self.body}\n({self.got})")
            to = envelope(self.town, letter) if self.to_envelope else reply_address(letter)
            self.town.put(reply.as_bytes(), to, self.mail)
        return bool(mine)


def a_day(town, *robots):
    """24 hours; ends early when nobody has anything left to answer."""
    for _minute in range(DAY):
        town.time += timedelta(minutes=1)
        answered = [robot.round() for robot in robots]
        if not any(answered):
            return
        town.sweep()


BODIES = {
    "away": "I am away until Monday and will read your mail when I am back.",
    "ticket": "Thank you for contacting support. Your ticket number is 4711.",
    "moves": "c9/zz",
    "help": "help",
    "question": "help\ngames\nc3\n",
    "nothing": "",
}


@pytest.mark.parametrize("body", BODIES)
def test_failure_1_a_stranger_that_answers_everything_gets_ten_letters_a_day_at_most(town, body):
    robot = Robot(town, "robot@robot.example", body=BODIES[body])
    town.mail(robot.mail, DOOR, BODIES[body])
    a_day(town, robot)
    assert 1 <= robot.got <= answering.ANSWERS_A_DAY == 10


@pytest.mark.parametrize("body", ["away", "moves", "help", "nothing"])
def test_failure_1_a_player_who_answers_everything_gets_no_more_than_his_ration(town, body):
    every_box(town)
    robot = Robot(town, "ann@example.org", body=BODIES[body])
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    a_day(town, robot)
    assert robot.got <= answering.ANSWERS_A_DAY_TO_PLAYERS + 5
    assert len(town.moves(1)) == 2 and town.stand(1).result == "*"


def test_failure_1_a_player_whose_answers_ask_for_none_gets_no_more_than_a_stranger(town):
    every_box(town)
    robot = Robot(town, "ann@example.org", body="help", fields={"X-Auto-Response-Suppress": "All"})
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    a_day(town, robot)
    assert robot.got <= answering.ANSWERS_A_DAY + 1


def test_failure_1_two_players_who_both_answer_everything_do_not_keep_each_other_awake(town):
    every_box(town)
    town.play(1, "ann", "c3/f2=B")
    robots = [Robot(town, f"{name}@example.org", body=BODIES["away"]) for name in ("ann", "bob")]
    a_day(town, *robots)
    assert sum(robot.got for robot in robots) <= MOST_BETWEEN_ROBOTS


MOST_BETWEEN_ROBOTS = 150
"""Letters to both of two players in a day, each of whom answers every letter of ours with words for the other."""


@pytest.mark.parametrize(
    "fields", [{"Auto-Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"X-Autoreply": "yes"}], ids=str
)
def test_failure_1_a_robot_that_says_what_it_is_gets_nothing(town, fields):
    every_box(town)
    robot = Robot(town, "ann@example.org", body="help", fields=fields)
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    a_day(town, robot)
    assert robot.got == 1


@pytest.mark.parametrize("subject", ["Out of office", "Abwesenheitsnotiz", "Automatic reply: your turn", "自動応答: x"])
def test_failure_1_a_vacation_notice_known_by_its_subject_alone_gets_nothing(town, subject):
    every_box(town)
    robot = Robot(town, "ann@example.org", body="I am away", subject=subject)
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    a_day(town, robot)
    assert robot.got == 1


def test_failure_1_a_vacation_notice_to_the_envelope_sender_gets_nothing_and_counts_nothing(town):
    every_box(town)
    robot = Robot(town, "ann@example.org", body="I am away", to_envelope=True)
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    before = rows(town.engine)["address"]
    a_day(town, robot)
    assert robot.got == 1 and rows(town.engine)["address"] == before


def test_failure_2_a_storm_of_bounces_makes_no_letter_and_ends_the_letters_to_that_address(town):
    every_box(town)
    with db.reading(town.engine) as session:
        letters = session.exec(select(Letter).where(Letter.recipient == "ann@example.org")).all()
    count = len(rows(town.engine)["letter"])
    for number in range(200):
        letter = letters[number % len(letters)]
        to = compose.envelope_sender(letter, town.settings)
        town.put(dsn(("failed", "5.1.1", f"550 no such user {number}"), to=to), to, "")
        if number == 0:
            town.sweep()
            town.time += suppressions.APART
    town.sweep()
    assert len(rows(town.engine)["letter"]) == count and town.received == []
    town.play(1, "ann", "c3/f2=B")
    town.play(1, "bob", "c6/a7=B")
    assert town.letters("ann") == []
    assert town.stand(1).result == "*"


def test_two_instances_of_our_service_that_write_to_each_other_fall_silent_at_once(tmp_path):
    towns = {}
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        towns[name] = mail_world(tmp_path / name)
        towns[name].settings = replace(towns[name].settings, mail_domain=f"{name}.example")
    first = EmailMessage()
    first["From"], first["To"], first["Subject"] = "play@other.example", "play@one.example", "help"
    first.set_content("help")
    towns["one"].put(first.as_bytes(), "play@one.example", "play@other.example")
    sent: Counter[str] = Counter()
    for _round in range(50):
        for name, other in (("one", "other"), ("other", "one")):
            towns[name].sweep()
            for letter in towns[name].received:
                sent[name] += 1
                raw = letter.as_bytes(policy=letter.policy.clone(max_line_length=998))
                towns[other].put(raw, str(letter["To"]), envelope(towns[name], letter))
            towns[name].received.clear()
    assert sent == {"one": 1}, "the first mail had no mark and is answered; the answer has, and is not"
    for town in towns.values():
        with db.reading(town.engine) as session:
            assert all(one.state == LetterState.SENT for one in session.exec(select(Letter)))
        town.close()


def test_a_letter_of_ours_that_somebody_sends_back_whole_does_nothing(town):
    every_box(town)
    town.play(1, "ann", "c3/f2=B")
    letter = town.letter("bob")
    raw = letter.as_bytes(policy=letter.policy.clone(max_line_length=998))
    before = rows(town.engine)
    for to in (DOOR, reply_address(letter), envelope(town, letter)):
        town.put(raw, to, "bob@example.org")
        assert town.sweep().startswith("ignored: ")
    assert rows(town.engine) == before
    assert message_from_bytes(raw, policy=default)["X-Loop"] == "games.example"


def box_of(town, name):
    with db.reading(town.engine) as session:
        token = town.player(session, 1, name).token_id
    return f"r.{tokens.spell(town.settings.secret_key, token)}@games.example"


def test_the_same_refusal_is_written_once_a_day_and_again_when_the_game_has_gone_on(town):
    every_box(town)

    def refused(name="bob"):
        before = len(town.letters(name))
        town.mail(f"{name}@example.org", box_of(town, name), "e9/f2=B")
        return len(town.letters(name)) - before

    assert [refused() for _time in range(4)] == [1, 0, 0, 0]
    town.wait(hours=26)
    assert refused() == 1
    town.play(1, "ann", "c3/f2=B")
    assert [refused() for _time in range(4)] == [1, 1, 1, 0], "it is Bob's turn now: only a program repeats itself so"
    town.wait(minutes=11)
    assert refused() == 1


def test_a_sentence_that_is_repeated_on_one_day_is_passed_on_once(town):
    every_box(town)
    for _time in range(5):
        town.mail("ann@example.org", box_of(town, "ann"), "I am out of the house until the fifth of December.")
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Remark)).all()) == 1
    town.mail("ann@example.org", box_of(town, "ann"), "Hello!")
    town.wait(minutes=2)
    town.mail("ann@example.org", box_of(town, "ann"), "Hello!")
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Remark)).all()) == 3


def test_a_stranger_who_repeats_himself_is_answered_once_a_day(town):
    for _time in range(4):
        town.mail("eve@example.org", DOOR, "Thank you for your message, I shall read it soon.")
    town.mail("eve@example.org", DOOR, "Hello, who are you?")
    assert len(town.letters("eve")) == 2
