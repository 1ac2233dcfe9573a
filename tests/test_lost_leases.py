"""Workers may be killed: that is no try of a message. What is set aside in the end is told, once, to whoever may know."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from importlib import import_module

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError
from sqlmodel import col, select, update

from correspondence.core import db
from correspondence.inbound import dead_letters, mailbox
from correspondence.models import Inbound, InboundState, Letter, LetterState
from correspondence.ops import worker
from correspondence.ops.cli import mail_command
from correspondence.ops.doctor import examine
from tests.post import at_once, reply_address, text_of
from tests.sizes import examples
from tests.world import mail_world

setting_aside = import_module("correspondence.inbound.mailbox.setting_aside")  # itself, and not what loads it later

DOOR = "play@games.example"
OPERATOR = "op@example.net"


class Killed(BaseException):
    """What stands for SIGKILL: nothing of the program runs after it."""


@pytest.fixture
def town(any_database, tmp_path):
    town = mail_world(tmp_path, database_url=any_database, operator=OPERATOR)
    yield town
    town.close()


@pytest.fixture
def reader(monkeypatch):
    """What becomes of reading a message: words that are looked for in it, with what is raised then."""
    fates, read = {}, mailbox.process_message

    def fated(session, inbound, *given, **named):
        for words, fate in fates.items():
            if words in inbound.raw:
                raise fate
        read(session, inbound, *given, **named)

    monkeypatch.setattr(mailbox, "process_message", fated)
    return fates


def live(town, times=1):
    """So many workers, one after the other; each ends when it is killed."""
    for _life in range(times):
        with suppress(Killed):
            town.sweep()
        town.time += mailbox.LEASE * 2


def write(town, words, sender="ann@example.org", to=DOOR, **headers):
    town.put(town.compose(sender, to, words, **headers), to, sender)


def messages(town):
    with db.reading(town.engine) as session:
        return list(session.exec(select(Inbound).order_by(col(Inbound.id))))


def notices(town, name):
    return [text_of(one) for one in town.letters(name) if "error on our side" in text_of(one)]


def joined(text):
    return " ".join(text.split())


def tell_operator(town):
    town.received.clear()
    count = worker.sweep_dead_mail(town.runtime)
    town.deliver()
    assert len(town.received) == count
    return [joined(text_of(letter)) for letter in town.received]


# -- a lost lease is no try ------------------------------------------------------------


def test_a_message_is_read_although_nine_workers_were_killed_over_it(town, reader):
    town.join("ann", "bob")
    number = town.match()
    letter = town.letter("ann")
    reader[b"c3/f2=B"] = Killed()
    write(town, "c3/f2=B", to=reply_address(letter))
    live(town, 9)
    assert town.moves(number) == []
    reader.clear()
    live(town)
    [message] = messages(town)
    assert town.moves(number) == ["c3/f2=B"]
    assert (message.state, message.tries, message.lost_leases) == (InboundState.DONE, 0, 9)


def test_kills_and_failures_are_counted_apart(town, reader):
    write(town, "help")
    for fate in (Killed(), ValueError("a slip"), Killed(), ValueError("a slip")):
        reader[b"help"] = fate
        live(town)
    [message] = messages(town)
    assert (message.state, message.tries, message.lost_leases) == (InboundState.NEW, 2, 2)
    live(town)
    assert messages(town)[0].state == InboundState.DEAD


def test_a_failure_of_the_database_is_none_of_the_message(town, reader):
    reader[b"help"] = OperationalError("SELECT 1", {}, Exception("the connection was closed"))
    write(town, "help")
    live(town, 5)
    [message] = messages(town)
    assert (message.state, message.tries) == (InboundState.TAKEN, 0)
    reader.clear()
    live(town)
    assert messages(town)[0].state == InboundState.DONE


def test_a_message_that_another_worker_has_read_meanwhile_is_not_read_again_for_a_late_failure(town, reader):
    write(town, "help")
    read = mailbox.process_message

    def overtaken(session, inbound, *_given, **_named):
        session.rollback()
        with db.transaction(town.engine) as other:
            other.execute(update(Inbound).values(state=InboundState.DONE, reason="a stranger was answered"))
        raise ValueError("too slow")

    mailbox.process_message = overtaken
    live(town)
    mailbox.process_message = read
    live(town)
    assert [(one.state, one.tries) for one in messages(town)] == [(InboundState.DONE, 0)]


def test_even_setting_it_aside_cannot_end_workers_for_ever(town, reader, monkeypatch):
    reader[b"help"] = Killed()
    write(town, "help")
    deaths = []

    def die(*_given):
        deaths.append(1)
        raise Killed

    monkeypatch.setattr(setting_aside, "tell_writer", die)
    live(town, 20)
    assert messages(town)[0].state == InboundState.DEAD and len(deaths) == 3
    assert town.received == []


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["kill", "fail", "database", "read"]), max_size=30))
def test_whatever_befalls_a_message_it_ends_in_one_way_and_is_answered_once(plain_town, fates):
    town, read = plain_town, mailbox.process_message
    with db.transaction(town.engine) as session:
        for row in session.exec(select(Letter)).all() + session.exec(select(Inbound)).all():
            session.delete(row)
    raised = {"kill": Killed(), "fail": ValueError(), "database": OperationalError("", {}, Exception())}
    write(town, "help")
    done = []

    def fated(session, inbound, *given, **named):
        fate = fates[len(done)] if len(done) < len(fates) else "read"
        done.append(fate)
        if fate in raised:
            raise raised[fate]
        read(session, inbound, *given, **named)

    mailbox.process_message = fated
    try:
        live(town, len(fates) + 5)
    finally:
        mailbox.process_message = read
    [message] = messages(town)
    lost = sum(done.count(fate) for fate in ("kill", "database"))
    assert lost <= mailbox.MOST_LOST_LEASES and done.count("fail") <= mailbox.MOST_TRIES
    ending = InboundState.DONE if "read" in done else InboundState.DEAD
    assert message.state == ending and done.count("read") <= 1
    assert (lost == 10 or done.count("fail") == 3) == (ending == InboundState.DEAD)
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Letter)).all()) == 1


@pytest.fixture(scope="module")
def plain_town(tmp_path_factory):
    town = mail_world(tmp_path_factory.mktemp("fates"))
    yield town
    town.close()


# -- the writer is told ------------------------------------------------------------------


def fail_thrice(town, reader, words=b"c3/f2=B"):
    reader[words] = ValueError("a slip")
    live(town, 4)


def test_who_sent_a_move_that_could_not_be_read_is_told_once_that_nothing_was_played(town, reader):
    town.join("ann", "bob")
    number = town.match()
    letter = town.letter("ann")
    town.received.clear()
    write(town, "c3/f2=B", to=reply_address(letter), answering=letter)
    fail_thrice(town, reader)
    [notice] = town.letters("ann")
    text = joined(text_of(notice))
    assert "could not be read because of an error on our side. Nothing in it was played or done." in text
    assert f"https://games.example/games/{number}" in text
    assert notice["Auto-Submitted"] == "auto-replied" and messages(town)[0].message_key in notice["In-Reply-To"]
    assert reply_address(notice) == reply_address(letter), "an answer goes to the game"
    live(town, 3)
    assert len(town.letters("ann")) == 1 and town.letters("bob") == []


def test_who_is_told_hears_it_in_their_language(town, reader):
    town.join("ann", "bob", language="it")
    town.match()
    letter = town.letter("ann")
    town.received.clear()
    write(town, "c3/f2=B", to=reply_address(letter))
    fail_thrice(town, reader)
    assert "per un errore nostro" in joined(text_of(town.letter("ann")))


def test_after_a_game_nobody_is_sent_to_its_page_to_move(town, reader):
    town.join("ann", "bob")
    number = town.match()
    letter = town.letter("ann")
    town.resign(number, "bob")
    write(town, "c3/f2=B", to=reply_address(letter))
    fail_thrice(town, reader)
    assert "Your clock is running" not in notices(town, "ann")[-1]


def test_a_stranger_is_told_too_and_so_is_who_is_about_to_join(town, reader):
    write(town, "help")
    fail_thrice(town, reader, b"help")
    assert len(notices(town, "ann")) == 1
    reader.clear()
    town.mail("zoe@example.org", DOOR, "join zoe")
    letter = town.letter("zoe")
    for sender, count in (("eve@example.org", 0), ("zoe@example.org", 1)):
        write(town, "yes", sender, reply_address(letter))
        fail_thrice(town, reader, b"yes")
        assert (len(notices(town, "zoe")), len(notices(town, "eve"))) == (count, 0)


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        ("ann@example.org", {"Auto-Submitted": "auto-replied"}),
        ("ann@example.org", {"Precedence": "bulk"}),
        ("ann@example.org", {"X-Loop": "games.example"}),
        ("mailer-daemon@example.org", {}),
        ("ann@example.org, eve@example.org", {}),
        ("not an address", {}),
        ("stranger@example.org", {"X-Auto-Response-Suppress": "All"}),
    ],
)
def test_who_is_never_answered_is_not_told_either(town, reader, sender, headers):
    write(town, "help", sender, **headers)
    fail_thrice(town, reader, b"help")
    assert messages(town)[0].state == InboundState.DEAD and town.received == []


@pytest.mark.parametrize("box", ["postmaster@games.example", "abuse@games.example"])
def test_mail_for_the_operator_is_not_answered(town, reader, box):
    write(town, "help", to=box)
    fail_thrice(town, reader, b"help")
    assert messages(town)[0].state == InboundState.DEAD and town.received == []


def test_nobody_is_written_to_because_somebody_else_used_their_name_or_their_reply_address(town, reader):
    town.join("ann", "bob")
    town.match()
    box = reply_address(town.letter("ann"))
    town.received.clear()
    write(town, "c3/f2=B", "eve@example.org", box)
    fail_thrice(town, reader)
    assert town.received == []


def test_a_forged_from_line_makes_no_letter_where_our_mail_server_checks_it(town, reader):
    town.settings = replace(town.settings, mail_authserv_id="mx.games.example")
    town.join("ann")
    write(town, "help", **{"Authentication-Results": "mx.games.example; dmarc=fail header.from=example.org"})
    fail_thrice(town, reader, b"help")
    assert town.received == []


def test_two_programs_do_not_write_to_each_other_for_ever(town, reader):
    for number in range(8):
        write(town, f"help {number}")
    fail_thrice(town, reader, b"help")
    live(town, 30)
    assert {one.state for one in messages(town)} == {InboundState.DEAD}
    assert len(notices(town, "ann")) == setting_aside.NOTICES == 3


def test_a_message_that_is_retried_and_dies_again_is_told_to_its_writer_once(town, reader):
    write(town, "help")
    fail_thrice(town, reader, b"help")
    with db.transaction(town.engine) as session:
        assert dead_letters.retry(session, [1], now=town.time) == [1]
    live(town, 4)
    assert messages(town)[0].state == InboundState.DEAD and len(town.received) == 1
    reader.clear()
    with db.transaction(town.engine) as session:
        dead_letters.retry(session, [1], now=town.time)
    live(town)
    assert messages(town)[0].state == InboundState.DONE and len(town.received) == 2, "and then it is answered"


def test_trouble_with_that_letter_leaves_the_message_dead(town, reader, monkeypatch):
    tell = setting_aside.tell_writer

    def tell_half(*given):
        tell(*given)
        raise ValueError("too late")

    monkeypatch.setattr(setting_aside, "tell_writer", tell_half)
    write(town, "help")
    fail_thrice(town, reader, b"help")
    assert messages(town)[0].state == InboundState.DEAD and town.received == []


# -- the operator is told ------------------------------------------------------------------


def dead_one(town, reader, words):
    write(town, words)
    fail_thrice(town, reader, words.encode())


def test_the_operator_gets_numbers_and_reasons_and_what_to_do_and_no_words_or_addresses(town, reader):
    assert tell_operator(town) == []
    dead_one(town, reader, "my secret plan")
    reader[b"poison"] = Killed()
    write(town, "poison")
    live(town, 11)
    with db.transaction(town.engine) as session:
        session.add(letter_set_aside(town))
    [notice] = tell_operator(town)
    [letter] = town.received
    assert letter["To"] == OPERATOR and "set aside: 3" in letter["Subject"]
    assert "failed three times because of an error on our side, which the worker's log names: 1 " in notice
    assert "crashed ten times while reading these messages, so they may be the cause: 2 " in notice
    assert "crashed ten times while sending these letters, so they weren't sent: " in notice
    for command in ("flask mail dead", "flask mail show ID", "flask mail retry ID", "flask mail resend ID"):
        assert command in notice
    everything = letter.as_string()
    assert "secret" not in everything
    assert "ann@example.org" not in everything
    assert "r." not in notice.split("flask")[0]


def letter_set_aside(town):
    return Letter(
        key="x", kind="turn", recipient="ann@example.org", subject="s", text="t", message_id="g1.p1.u1.x",
        created_at=town.time, due_at=town.time, state=LetterState.FAILED, lost_leases=10, is_untold=True,
    )  # fmt: skip


def test_the_operator_gets_one_letter_a_day_however_much_dies(town, reader):
    dead_one(town, reader, "one")
    assert len(tell_operator(town)) == 1
    for number in range(4):
        dead_one(town, reader, f"more {number}")
    for _hour in range(5):
        assert tell_operator(town) == []
        town.time += timedelta(hours=1)
    town.time += timedelta(hours=24)
    [notice] = tell_operator(town)
    assert ": 2, 3, 4, 5 " in notice and tell_operator(town) == []
    town.time += timedelta(days=9)
    assert tell_operator(town) == []


def test_of_two_workers_one_tells_the_operator(town, reader):
    dead_one(town, reader, "one")
    at_once(*[lambda: worker.sweep_dead_mail(town.runtime)] * 3)
    with db.reading(town.engine) as session:
        assert len(session.exec(select(Letter).where(Letter.kind == "dead_mail")).all()) == 1


def test_thousands_of_dead_messages_make_a_short_letter(town):
    with db.transaction(town.engine) as session:
        for number in range(2000):
            session.add(
                Inbound(
                    message_key=f"k{number}", recipient=DOOR, sender="", raw=b"x", received_at=town.time,
                    due_at=town.time, state=InboundState.DEAD, tries=3, is_untold=True,
                )
            )  # fmt: skip
    [notice] = tell_operator(town)
    assert "since the last notice: 2000." in notice
    assert "29, 30 …" in notice
    assert len(notice) < 2000
    assert tell_operator(town) == []


def test_without_an_operator_nothing_is_written_and_the_first_one_is_told_all(tmp_path, reader):
    town = mail_world(tmp_path)
    dead_one(town, reader, "one")
    assert tell_operator(town) == []
    with db.transaction(town.engine) as session:
        settings = replace(town.settings, operator=OPERATOR)
        assert dead_letters.tell_operator(session, settings, now=town.time) is not None
    town.close()


# -- commands ------------------------------------------------------------------------------


def flask(town, *words):
    return town.app.test_cli_runner().invoke(mail_command, words)


def test_letters_that_were_set_aside_are_listed_and_sent_once_more(town):
    with db.transaction(town.engine) as session:
        code = Letter(**{**letter_set_aside(town).model_dump(), "id": None, "key": "y", "message_id": "y"})
        code.kind = "welcome"
        session.add_all([letter_set_aside(town), code])
    listed = flask(town, "dead").output
    assert "  turn  " in listed and "ann@example.org" not in listed
    numbers = [line.split()[1] for line in listed.splitlines()]
    done = flask(town, "resend", *numbers, "77")
    assert f"Letter {numbers[0]} will be sent again." in done.output
    assert f"Not set aside, so not changed: {numbers[1]}, 77." in done.output, "its code was taken out"
    with db.reading(town.engine) as session:
        again = session.get(Letter, int(numbers[0]))
    assert (again.state, again.lost_leases, again.is_untold) == (LetterState.QUEUED, 0, False)


def test_the_doctor_says_that_mail_was_set_aside(town, reader):
    assert not any("Set aside" in one.sentence for one in examine(town.runtime))
    dead_one(town, reader, "one")
    assert "Messages set aside: 1; flask mail dead lists them." in [one.sentence for one in examine(town.runtime)]


def test_the_log_of_a_game_says_that_a_message_is_tried_again(town, reader):
    town.join("ann", "bob")
    number = town.match()
    reader[b"c3/f2=B"] = ValueError("a slip")
    write(town, "c3/f2=B", to=reply_address(town.letter("ann")))
    with db.transaction(town.engine) as session:
        session.execute(update(Inbound).values(match_id=number, person_id=town.person(session, "ann").id))
    live(town)
    page = town.client("ann").get(f"/games/{number}/mail").text
    assert "will be tried again" in page
