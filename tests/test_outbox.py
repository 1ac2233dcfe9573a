"""The outbox: one copy of every letter, whoever sends it and whatever goes wrong on the way."""

from __future__ import annotations

import random
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from sqlmodel import delete, select

from correspondence.accounts import accounts
from correspondence.core import db
from correspondence.models import Letter, LetterState, MailDomain, Person
from correspondence.ops.sending_sweeps import sweep_awaited_letters, sweep_outbox
from correspondence.outbound import compose, delivery_log, outbox, throttle
from correspondence.transport import PostError, SmtpPost
from correspondence.transport.posting import Server
from tests.outgoing import SETTINGS, START, ScriptedPost, letter
from tests.sizes import examples
from tests.smtp import Stub, smtp_post
from tests.tables import fresh_database, lay_tables, quicken

ROOT = Path(__file__).parent.parent


class Office:
    """An outbox with a clock that tests turn."""

    def __init__(self, url):
        self.engine = quicken(db.make_engine(url))
        self.time = START
        self.rng = random.Random(3)

    def close(self):
        with db.transaction(self.engine) as session:
            for table in (Letter, MailDomain, Person):
                session.execute(delete(table))
        self.engine.dispose()

    def put(self, *letters):
        with db.transaction(self.engine) as session:
            session.add_all(letters)
        return [one.id for one in letters]

    def send(self, post, wanted=lambda _session, _letter: True, settings=SETTINGS):
        return outbox.send_due(self.engine, post, settings, now=lambda: self.time, still_wanted=wanted, rng=self.rng)

    def wait(self, **span):
        self.time += timedelta(**span)

    def letter(self, number):
        with db.reading(self.engine) as session:
            return session.get(Letter, number)

    def states(self):
        with db.reading(self.engine) as session:
            return [one.state.value for one in session.exec(select(Letter).order_by(Letter.id))]


@pytest.fixture(scope="module")
def url_on_a_server(postgres_url):
    """A database for all tests here: each takes its rows away, which is quicker than tables for each."""
    return fresh_database(postgres_url)


def url_in(folder):
    lay_tables(folder)
    return f"sqlite:///{folder / 'correspondence.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    return request.getfixturevalue("url_on_a_server") if request.param == "postgresql" else url_in(tmp_path)


@pytest.fixture
def office(url):
    with closing(Office(url)) as office:
        yield office


def test_a_due_letter_is_posted_once_and_what_came_of_it_is_noted(office):
    [number] = office.put(letter())
    post = ScriptedPost("250 2.0.0 queued as 7")
    assert (office.send(post), office.send(post)) == (1, 0)
    [(sender, recipient, raw)] = post.taken
    assert compose.bounced_letter_id(sender, SETTINGS) == number and recipient == "ann@example.org"
    assert b"It is your turn." in raw
    noted = office.letter(number)
    assert (noted.state, noted.answer, noted.sent_at) == (LetterState.SENT, "250 2.0.0 queued as 7", START)


def test_letters_go_in_the_order_in_which_they_are_due_and_not_before(office):
    later = letter("later@x.org", due_at=START + timedelta(hours=1))
    office.put(later, letter("second@x.org"), letter("first@x.org", due_at=START - timedelta(hours=1)))
    post = ScriptedPost()
    office.send(post)
    assert [to for _sender, to, _raw in post.taken] == ["first@x.org", "second@x.org"]
    office.wait(hours=1)
    assert office.send(post) == 1


def test_a_letter_that_is_no_longer_wanted_is_cancelled(office):
    office.put(letter(kind="turn"), letter(kind="talk"))
    post = ScriptedPost()
    assert office.send(post, wanted=lambda _session, one: one.kind == "talk") == 1
    assert office.states() == ["cancelled", "sent"]


def test_the_question_whether_it_is_wanted_may_read_the_database(office):
    office.put(letter(), letter())
    assert office.send(ScriptedPost(), wanted=lambda session, one: session.get(Letter, one.id).tries == 1) == 2


def test_failure_8_a_letter_that_cannot_be_composed_never_blocks_the_rest(office):
    bad_address, bad_question, _good = office.put(letter("not an address"), letter(kind="poison"), letter())

    def wanted(_session, one):
        if one.kind == "poison":
            raise RuntimeError("cannot say")
        return True

    post = ScriptedPost()
    assert office.send(post, wanted) == 1
    assert office.states() == ["failed", "failed", "sent"]
    assert office.letter(bad_address).answer == "“not an address” is not an address that we can write to."
    assert office.letter(bad_question).answer == "The letter could not be written; the log says why."
    assert len(post.taken) == 1


def test_why_a_letter_did_not_leave_is_said_in_the_language_of_its_reader(office):
    with db.transaction(office.engine) as session:
        session.add(reader := Person(handle="anna", handle_key="anna", language="it", joined_at=START))
        session.flush()
        anna = reader.id
    bad_address, bad_question = office.put(letter("non va", person_id=anna), letter(kind="poison", person_id=anna))
    [deadly] = office.put(letter(person_id=anna, lost_leases=10, tries=10))

    def wanted(_session, one):
        if one.kind == "poison":
            raise RuntimeError("cannot say")
        return True

    office.send(ScriptedPost(), wanted)
    assert office.letter(bad_address).answer == "“non va” non è un indirizzo a cui possiamo scrivere."
    assert office.letter(bad_question).answer.startswith("Non è stato possibile scrivere la lettera")
    assert office.letter(deadly).answer.startswith("Il nostro programma si è fermato dieci volte")


ANSWERS = {
    "450 4.2.1 later": "queued",
    "451 4.3.0 trouble": "queued",
    "452 4.2.2 full": "queued",
    "421 4.7.0 too many": "queued",
    "550 5.1.1 unknown": "failed",
    "552 5.2.2 full": "failed",
    "554 5.7.1 policy": "queued",
    "553 5.1.3 malformed": "failed",
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_failure_18_class_4_waits_and_class_5_is_final_unless_about_us(office, answer):
    code = int(answer[:3])
    [number] = office.put(letter())
    office.send(ScriptedPost(PostError(answer, permanent=code >= 500, code=code)))
    assert office.states() == [ANSWERS[answer]] and office.letter(number).answer == answer
    office.wait(days=1)
    assert office.send(ScriptedPost()) == (ANSWERS[answer] == "queued")


def test_waits_grow_with_jitter_and_end_after_five_days(office):
    [number] = office.put(letter())
    minutes = []
    while office.letter(number).state == LetterState.QUEUED:
        office.send(ScriptedPost(PostError("451 later", code=451)))
        minutes.append((office.letter(number).due_at - office.time) / timedelta(minutes=1))
        office.time = max(office.time, office.letter(number).due_at)
    waited = minutes[:-1]
    for wait, plan in zip(waited, [1, 5, 15, 60, *[240] * 99], strict=False):
        assert 0.8 * plan <= wait <= 1.2 * plan
    assert len(set(waited)) == len(waited)
    assert timedelta(days=5) < office.time - START < timedelta(days=5, hours=5)
    assert office.states() == ["failed"] and office.letter(number).answer == "451 later"


def test_421_lets_the_whole_domain_rest_for_every_worker_and_no_other_domain(office):
    ann, bob, eve = office.put(letter("ann@Big.example"), letter("bob@big.example"), letter("eve@sub.big.example"))
    post = ScriptedPost(PostError("421 4.7.0 too fast", code=421))
    assert office.send(post) == 1
    assert [to for _sender, to, _raw in post.taken] == ["eve@sub.big.example"]
    assert office.letter(bob).due_at >= START + throttle.BACKOFF
    assert office.letter(bob).tries == 0 and office.letter(eve).state == LetterState.SENT
    office.wait(minutes=2)
    [new] = office.put(letter("new@big.example"))
    assert office.send(ScriptedPost()) == 0 and office.letter(new).tries == 0
    assert office.letter(ann).due_at > office.letter(bob).due_at
    office.wait(minutes=5)
    assert office.send(post) == 3


def test_when_the_relay_is_down_the_queue_is_kept_and_not_tried_through(office):
    office.put(*(letter() for _ in range(5)))
    post = ScriptedPost(PostError("Connection refused", relay_down=True))
    assert office.send(post) == 0
    assert office.states() == ["queued"] * 5 and post.taken == []
    with db.reading(office.engine) as session:
        assert sum(one.tries for one in session.exec(select(Letter))) == 0
    office.wait(minutes=2)
    assert office.send(post) == 5


def test_a_relay_that_is_dead_for_a_week_costs_no_letter(office, caplog):
    [number] = office.put(letter())
    with socket.create_server(("127.0.0.1", 0)) as free:
        host, port = free.getsockname()
    dead = SmtpPost(Server(host, port), "games.example")
    for _ in range(50):
        office.send(dead)
        office.wait(hours=4)
    assert office.states() == ["queued"] and office.letter(number).tries == 0
    assert caplog.text.count("takes no letters") == 1 and "refused" in office.letter(number).answer
    assert office.send(ScriptedPost()) == 1


def test_a_turn_notice_whose_ply_is_over_is_cancelled_while_it_waits_to_be_tried_again(town):
    town.join("ann", "bob")
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    with db.transaction(town.engine) as session:
        late = session.exec(select(Letter).where(Letter.kind == "turn").order_by(Letter.id.desc())).first()
        late.state, late.tries = LetterState.QUEUED, 1
    town.play(number, "bob", "c6/a7=B")
    post = ScriptedPost()
    sweep_outbox(town.runtime, post)
    with db.reading(town.engine) as session:
        assert session.get(Letter, late.id).state == LetterState.CANCELLED
    assert late.message_id not in str(post.taken)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_domain_gets_a_burst_and_then_a_letter_every_half_second(office):
    many = office.put(*(letter(f"p{n}@big.example") for n in range(throttle.BURST + 20)))
    office.put(letter("ann@small.example"))
    assert office.send(ScriptedPost()) == throttle.BURST + 1
    assert office.send(ScriptedPost()) == 0
    waiting = [office.letter(number) for number in many[throttle.BURST :]]
    assert [one.tries for one in waiting] == [0] * 20
    assert [one.due_at for one in waiting] == sorted({one.due_at for one in waiting})
    office.wait(seconds=5.5)
    assert 9 <= office.send(ScriptedPost()) <= 11
    office.wait(seconds=10)
    assert office.send(ScriptedPost()) >= 9 and set(office.states()) == {"sent"}


def engine_of_domains():
    """A database in memory that holds nothing but what is known of domains."""
    engine = quicken(db.make_engine("sqlite://"))
    MailDomain.__table__.create(engine)
    return engine


@settings(deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(waits=st.lists(st.floats(0, 90), min_size=1, max_size=12))
def test_no_stretch_of_time_lets_more_through_than_the_bucket_holds(waits):
    engine = engine_of_domains()
    time, sent = START, []
    with db.transaction(engine) as session:
        for wait in waits:
            time += timedelta(seconds=wait)
            for _ in range(60):
                if throttle.admit(session, "x.org", time, time + outbox.LEASE) is None:
                    sent.append(time)
                    throttle.release(session, "x.org", time + outbox.LEASE, time)
    for first, at in enumerate(sent):
        for count, later in enumerate(sent[first:], start=1):
            assert count <= throttle.BURST + (later - at) / throttle.SEND_INTERVAL + 1e-6
    engine.dispose()


def test_a_domain_has_two_conversations_at_most_whoever_holds_them(office):
    office.put(*(letter(f"p{n}@big.example") for n in range(12)), *(letter(f"p@d{n}.org") for n in range(4)))
    lock, talking, most = threading.Lock(), [], []

    class Slow(ScriptedPost):
        def post(self, sender, recipient, raw):
            with lock:
                talking.append(recipient.partition("@")[2])
                most.append(talking.count("big.example"))
            time.sleep(0.02)
            with lock:
                talking.remove(recipient.partition("@")[2])
            return super().post(sender, recipient, raw)

    for _ in range(20):
        threads = [threading.Thread(target=office.send, args=(Slow(),)) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        office.wait(seconds=3)
    assert set(office.states()) == {"sent"} and max(most) == 2


@pytest.mark.parametrize("first", [0, 1], ids=["the-first-ends-first", "the-second-ends-first"])
def test_a_conversation_that_ends_frees_its_own_place_and_no_other(first):
    engine = engine_of_domains()
    held = [START + outbox.LEASE, START + timedelta(seconds=1) + outbox.LEASE]
    with db.transaction(engine) as session:
        for until in held:
            assert throttle.admit(session, "x.org", until - outbox.LEASE, until) is None
        later = START + timedelta(seconds=2)
        assert throttle.admit(session, "x.org", later, later + outbox.LEASE) == later + throttle.BUSY_WAIT
        for ended in (held[first], held[1 - first]):
            throttle.release(session, "x.org", ended, later)
            assert throttle.admit(session, "x.org", later, later + outbox.LEASE) is None, "one place is free"
            assert throttle.admit(session, "x.org", later, later + outbox.LEASE) is not None, "and only one"
            later += timedelta(seconds=1)
    engine.dispose()


def test_the_place_of_a_worker_that_died_is_free_again_when_its_lease_ends(office):
    office.put(*(letter(f"p{n}@big.example") for n in range(3)))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            office.send(ScriptedPost(KeyboardInterrupt("the power went")))
    assert office.send(ScriptedPost()) == 0
    office.wait(minutes=16)
    assert office.send(ScriptedPost()) == 3


def test_an_answer_is_kept_without_tokens_and_never_too_long(office):
    [number] = office.put(letter())
    sender = compose.envelope_sender(letter(id=number), SETTINGS)
    office.send(ScriptedPost(PostError(f"550 <{sender}>\r\n refused " + "x" * 5000, permanent=True, code=550)))
    answer = office.letter(number).answer
    assert sender[:24] not in answer
    assert answer.startswith("550 <b.…")
    assert len(answer) <= outbox.ANSWER_LIMIT


def test_an_uncertain_letter_is_sent_once_more_after_ten_minutes_and_never_again(office):
    [number] = office.put(letter())
    silent = [PostError("no answer", uncertain=True) for _ in range(9)]
    office.send(ScriptedPost(*silent))
    assert office.states() == ["uncertain"]
    assert timedelta(minutes=10) <= office.letter(number).due_at - office.time <= timedelta(minutes=12)
    office.wait(minutes=9, seconds=59)
    assert office.send(ScriptedPost()) == 0
    office.wait(minutes=3)
    office.send(ScriptedPost(*silent))
    assert office.states() == ["failed"] and office.letter(number).tries == 2
    office.wait(days=9)
    assert office.send(ScriptedPost()) == 0


def test_an_uncertain_letter_that_then_finds_the_door_closed_is_still_sent_only_once_more(office):
    [number] = office.put(letter())
    silence, later = PostError("no answer", uncertain=True), PostError("451 later", code=451)
    for answers in ([silence], [later], [later], [silence]):
        office.send(ScriptedPost(*answers))
        office.time = max(office.time, office.letter(number).due_at)
    assert office.states() == ["failed"]
    assert office.send(ScriptedPost()) == 0


def crash_while_posting(office):
    with pytest.raises(KeyboardInterrupt):
        office.send(ScriptedPost(KeyboardInterrupt("the power went")))
    assert office.send(ScriptedPost()) == 0


def test_failure_6_a_crash_while_posting_delays_a_letter_by_its_lease(office):
    [number] = office.put(letter())
    crash_while_posting(office)
    office.time += outbox.LEASE
    assert office.send(ScriptedPost()) == 1
    sent = office.letter(number)
    assert (sent.state, sent.lost_leases, sent.is_untold) == (LetterState.SENT, 1, False)


def test_a_letter_is_no_worse_off_for_nine_workers_that_were_killed_and_waits_longer_each_time(office):
    [number] = office.put(letter())
    waits = []
    for _life in range(9):
        crash_while_posting(office)
        lost_at = office.time
        while office.letter(number).state == LetterState.SENDING and waits:
            office.time = office.letter(number).due_at
            with db.transaction(office.engine) as session:
                assert not outbox.claim(session, office.time).is_ours
        office.time = office.letter(number).due_at
        waits.append(office.time - lost_at)
    assert waits == sorted(waits)
    assert waits[0] == outbox.LEASE
    assert waits[-1] > timedelta(hours=4)
    assert office.letter(number).lost_leases == 9
    assert office.send(ScriptedPost()) == 1


def test_a_letter_that_ends_its_workers_again_and_again_is_set_aside_and_blocks_nobody(office):
    [number] = office.put(letter(lost_leases=9, state=LetterState.SENDING, tries=10))
    post = ScriptedPost()
    assert office.send(post) == 0 and post.taken == []
    dead = office.letter(number)
    assert (dead.state, dead.lost_leases, dead.is_untold) == (LetterState.FAILED, 10, True)
    assert dead.answer == "Our program crashed ten times while sending this letter, so it was set aside."
    office.put(letter())
    assert office.send(post) == 1, "its place is free again"


def test_failures_alone_make_a_letter_wait_longer_not_kills(office):
    [number] = office.put(letter())
    crash_while_posting(office)
    office.time += outbox.LEASE
    office.send(ScriptedPost(PostError("451 later", code=451)))
    assert office.letter(number).due_at - office.time < outbox.RETRIES[0] * 1.5


def test_a_letter_without_an_answer_survives_a_kill_and_is_still_handed_over_only_once_more(office):
    [number] = office.put(letter())
    silence = PostError("no answer", uncertain=True)
    office.send(ScriptedPost(silence))
    office.time = office.letter(number).due_at
    crash_while_posting(office)
    assert office.states() == ["sending"]
    office.time = office.letter(number).due_at
    office.send(ScriptedPost(silence))
    assert office.states() == ["failed"] and not office.letter(number).is_untold


def test_a_worker_that_was_overtaken_may_only_add_that_it_was_sent(office):
    [number] = office.put(letter())

    class Slow(ScriptedPost):
        def post(self, sender, recipient, raw):
            office.wait(minutes=16)
            assert office.send(ScriptedPost("250 the other was quicker")) == 1
            return super().post(sender, recipient, raw)

    office.send(Slow(PostError("451 too late to matter", code=451)))
    assert (office.states(), office.letter(number).answer) == (["sent"], "250 the other was quicker")


def test_letter_that_was_sent_meanwhile_is_not_cancelled_by_an_overtaken_worker(office):
    [number] = office.put(letter())

    def wanted(_session, _letter):
        with db.transaction(office.engine) as session:  # the first worker, which was slow, has its answer now
            row = session.get(Letter, number)
            row.state, row.answer = LetterState.SENT, "250 at last"
        return False

    assert office.send(ScriptedPost(), wanted=wanted) == 0
    assert (office.states(), office.letter(number).answer) == (["sent"], "250 at last")


def test_letter_that_may_have_arrived_is_not_called_cancelled(office):
    [silent] = office.put(letter())
    office.send(ScriptedPost(PostError("no answer", uncertain=True)))
    [killed] = office.put(letter())
    crash_while_posting(office)
    office.wait(minutes=30)
    office.send(ScriptedPost(), wanted=lambda _session, _letter: False)
    for number in (silent, killed):
        sentence = delivery_log.outcome_sentence(office.letter(number))
        assert "may have arrived" in sentence and "Not sent" not in sentence


def test_a_letter_that_was_erased_meanwhile_is_no_trouble(office):
    [number] = office.put(letter())

    class Eraser(ScriptedPost):
        def post(self, sender, recipient, raw):
            with db.transaction(office.engine) as session:
                session.delete(session.get(Letter, number))
            return super().post(sender, recipient, raw)

    assert office.send(Eraser()) == 1 and office.states() == []


def test_the_claim_uses_its_partial_index_among_many_letters_that_are_done(tmp_path):
    with closing(Office(url_in(tmp_path))) as office:
        office.put(*(letter(state=LetterState.SENT) for _ in range(50)))
        statements = []
        event.listen(office.engine, "before_cursor_execute", lambda *given: statements.append(given[2:4]))
        with db.transaction(office.engine) as session:
            outbox.claim(session, START)
        with office.engine.connect() as connection:
            awaited, any_kind = [
                str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all())
                for statement, values in statements
                if statement.startswith("SELECT")
            ]
        assert "USING INDEX ix_letter_kind" in awaited
        assert "USING INDEX ix_letter_due" in any_kind and "TEMP B-TREE" not in any_kind


AWAITED = ("sign_in", "join", "address", "recovery")


def backlog(count=500):
    return [letter(f"p{n}@big.example", due_at=START - timedelta(hours=1)) for n in range(count)]


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """An office in which 500 turn letters to a domain were begun to be sent."""
    with closing(Office(url_in(tmp_path_factory.mktemp("behind")))) as office:
        office.put(*backlog())
        office.send(ScriptedPost())
        yield office


@pytest.mark.parametrize("kind", AWAITED)
def test_a_letter_that_somebody_waits_for_overtakes_500_turn_letters_to_its_domain(behind, kind):
    [awaited] = behind.put(letter("ann@big.example", kind=kind))
    post = ScriptedPost()
    behind.send(post)
    assert [to for _sender, to, _raw in post.taken] == ["ann@big.example"], "the others wait for the rate"
    assert behind.letter(awaited).sent_at == START


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_a_letter_that_somebody_asks_for_while_a_queue_is_sent_goes_next(office):
    office.put(*backlog(50))

    class Slow(ScriptedPost):
        def post(self, sender, recipient, raw):
            if len(self.taken) == 3:
                office.put(letter("ann@big.example", kind="sign_in"))
            return super().post(sender, recipient, raw)

    post = Slow()
    office.send(post)
    assert [to for _sender, to, _raw in post.taken].index("ann@big.example") == 4


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_letters_that_somebody_waits_for_go_though_the_domain_rests_and_both_its_places_are_taken(office):
    office.put(*backlog(3))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            office.send(ScriptedPost(KeyboardInterrupt("the power went")))
    office.put(letter("eve@rests.example"))
    office.send(ScriptedPost(PostError("421 too fast", code=421)))
    office.put(letter("ann@big.example", kind="sign_in"), letter("ann@rests.example", kind="sign_in"))
    post = ScriptedPost()
    assert office.send(post) == 2 and {to for _sender, to, _raw in post.taken} == {
        "ann@big.example", "ann@rests.example",
    }  # fmt: skip


@settings(deadline=None, max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(waits=st.lists(st.floats(0, 90), min_size=1, max_size=12), awaited=st.randoms(use_true_random=False))
def test_letters_that_somebody_waits_for_never_flood_a_domain(waits, awaited):
    engine = engine_of_domains()
    time, sent = START, []
    with db.transaction(engine) as session:
        for wait in waits:
            time += timedelta(seconds=wait)
            for _ in range(80):
                if awaited.random() < 0.7:
                    refused = throttle.admit_awaited(session, "x.org", time)
                else:
                    refused = throttle.admit(session, "x.org", time, time)
                if refused is None:
                    sent.append(time)
    most = throttle.BURST + throttle.RESERVE
    for first, at in enumerate(sent):
        for count, later in enumerate(sent[first:], start=1):
            assert count <= most + (later - at) / throttle.SEND_INTERVAL + 1e-6
    engine.dispose()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_more_letters_than_the_reserve_holds_go_as_fast_as_the_bucket_refills(office):
    office.put(*(letter(f"p{n}@big.example", kind="sign_in") for n in range(throttle.BURST + throttle.RESERVE + 10)))
    assert office.send(ScriptedPost()) == throttle.BURST + throttle.RESERVE
    office.wait(seconds=2)
    assert 4 <= office.send(ScriptedPost()) <= 5
    office.wait(seconds=5)
    office.send(ScriptedPost())
    assert set(office.states()) == {"sent"}


def test_a_link_asked_for_while_a_slow_server_holds_the_queue_leaves_at_once(town):
    town.join("ann", "bob")
    number = town.match()
    town.play(number, "ann", "c3/f2=B")
    beside = ScriptedPost()

    class Slow(ScriptedPost):
        def post(self, sender, recipient, raw):
            if not self.taken:
                with db.transaction(town.engine) as session:
                    accounts.ask_to_sign_in(session, "ann", now=town.time)
                sweep_awaited_letters(town.runtime, beside)
            return super().post(sender, recipient, raw)

    with db.transaction(town.engine) as session:
        for one in session.exec(select(Letter).where(Letter.kind == "turn")):
            one.state = LetterState.QUEUED
    slow = Slow()
    sweep_outbox(town.runtime, slow)
    assert len(beside.taken) == 1 and "/t/" in message_from_bytes(beside.taken[0][2]).as_string()
    assert beside.taken[0][2] not in [raw for _sender, _to, raw in slow.taken]


def test_failure_11_a_line_dropped_before_250_makes_two_copies_at_most(office):
    [number] = office.put(letter())
    with Stub(drops_after_data=True) as stub:
        for _ in range(40):
            post = smtp_post(stub)
            office.send(post)
            office.wait(minutes=5)
        times = stub.times
    assert office.states() == ["failed"] and office.letter(number).tries == 2
    assert len(stub.received) == 2 and len(times) == 2
    ids = {message_from_bytes(raw)["Message-ID"] for raw in stub.received}
    assert len(ids) == 1


def test_failure_10_threads_racing_for_due_letters_send_one_copy_each(office):
    office.put(*(letter(f"p{n}@d{n % 7}.example") for n in range(60)))
    posts = [ScriptedPost() for _ in range(6)]
    threads = [threading.Thread(target=office.send, args=(post,)) for post in posts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    office.wait(seconds=3)  # for letters that found two conversations with their domain
    office.send(posts[0])
    taken = [to for post in posts for _sender, to, _raw in post.taken]
    assert len(taken) == len(set(taken)) == 60 and set(office.states()) == {"sent"}


WORKERS = """
import os, random, sys
from datetime import UTC, datetime
from correspondence.core import db
from correspondence.core.config import Settings
from correspondence.outbound import outbox
from correspondence.transport import open_post

def work():
    settings = Settings(secret_key="k", mail_domain="games.example", mail_send=sys.argv[2])
    engine = db.make_engine(sys.argv[1])
    count = outbox.send_due(engine, open_post(settings), settings, now=lambda: datetime.now(UTC),
                            still_wanted=lambda session, letter: True, rng=random.Random())
    engine.dispose()
    return count

for _ in range(4):
    if not os.fork():
        os._exit(work())
print(*(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(4)))
"""


def test_failure_10_four_processes_and_100_due_rows_make_100_mails(office, url, tmp_path):
    office.put(*(letter(f"p{n}@d{n % 9}.example") for n in range(100)))
    folder = tmp_path / "sent"
    command = [sys.executable, "-c", WORKERS, url, f"maildir:{folder}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    counts = [int(word) for word in done.stdout.split()]
    raws = [file.read_bytes() for file in (folder / "new").iterdir()]
    ids = {re.search(rb"(?m)^Message-ID: (.+)\r$", raw)[1] for raw in raws}
    assert (sum(counts), len(raws), len(ids)) == (100, 100, 100)
    assert sum(count > 0 for count in counts) > 1  # SQLite promises nobody a turn, and one process may come too late
    assert set(office.states()) == {"sent"}
