"""Mail servers that refuse us: real ones on loopback. No letter is lost by what is not about it."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import closing
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.mime.bounces import blames_us, names_dead_mailbox
from correspondence.models import Letter, LetterState
from correspondence.ops.cli import mail_command
from correspondence.ops.doctor import examine
from correspondence.outbound import delivery_log, outbox, refusals
from tests.outgoing import START, letter
from tests.smtp import Refuser, smtp_post
from tests.tables import fresh_database
from tests.test_bounces import returned
from tests.test_desk import appoint, section
from tests.test_metrics import TOKEN, numbers
from tests.test_outbox import Office, url_in
from tests.world import World

DOMAINS = ("big.example", "small.example", "third.example")

OF_US = {
    "relaying": {"at_rcpt": {"*": "550 5.7.1 Relaying denied"}},
    "relaying without a code": {"at_rcpt": {"*": "550 Relaying denied"}},
    "blocked": {"at_rcpt": {"*": "554 5.7.1 Client host [192.0.2.1] blocked"}},
    "server": {"at_rcpt": {"*": "554 5.3.2 System not accepting messages"}},
    "sender syntax": {"at_rcpt": {"*": "553 5.1.7 Bad sender address syntax"}},
    "sender domain": {"at_rcpt": {"*": "550 5.1.8 Sender domain has no MX"}},
    "authentication": {"at_rcpt": {"*": "530 5.7.0 Authentication required"}},
    "authentication without a code": {"at_rcpt": {"*": "550 authentication required"}},
    "Gmail": {"at_data": {"*": "550 5.7.26 This mail has been blocked because the sender is unauthenticated"}},
    "Microsoft": {"at_data": {"*": "550 5.7.515 Access denied, sending domain does not meet the required level"}},
    "no reason": {"at_rcpt": {"*": "554 no"}},
    "no reason for a letter": {"at_data": {"*": "554 Transaction failed"}},
    "later": {"at_mail": "451 4.7.1 Service unavailable - try again later"},
    "full disk": {"at_mail": "452 4.3.1 Insufficient system storage"},
    "sender": {"at_mail": "550 5.7.1 Sender rejected"},
    "sender without a code": {"at_mail": "550 no"},
}


@pytest.fixture(scope="module")
def url_on_a_server(postgres_url):
    return fresh_database(postgres_url)


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request, tmp_path):
    on_a_server = request.param == "postgresql"
    url = request.getfixturevalue("url_on_a_server") if on_a_server else url_in(tmp_path)
    with closing(Office(url)) as office:
        yield office


def put(office, each=5, domains=DOMAINS, **fields):
    return office.put(*(letter(f"p{n}@{domain}", **fields) for n in range(each) for domain in domains))


def sweep(office, post, **span):
    """Sweep once a minute for this time."""
    until = office.time + timedelta(**span)
    while office.time < until:
        office.send(post)
        office.wait(minutes=1)


@pytest.mark.parametrize("how", OF_US)
def test_server_that_refuses_everything_for_a_while_loses_no_letter(office, how, caplog):
    numbers = put(office, each=10)
    with Refuser(**OF_US[how]) as server, closing(smtp_post(server)) as post:
        sweep(office, post, minutes=6)
        assert Counter(office.states()) == {"queued": 30} and server.envelopes == []
        assert caplog.text.count("no letters leave") == 1
        office.wait(days=6)
        sweep(office, post, minutes=6)
        assert Counter(office.states()) == {"queued": 30}
        server.open_up()
        sweep(office, post, minutes=5)
        assert Counter(office.states()) == {"sent": len(numbers)} and len(server.envelopes) == 30
        with db.reading(office.engine) as session:
            assert refusals.stopped(session) is None


def test_no_letter_leaves_while_several_domains_refuse_but_one_trial_each_minute(office):
    put(office, each=20)
    with Refuser(at_rcpt={"*": "550 5.7.1 Relaying denied"}) as server, closing(smtp_post(server)) as post:
        sweep(office, post, hours=1)
        assert 50 <= len(server.tried) <= 62
        with db.reading(office.engine) as session:
            assert refusals.stopped(session).words == "550 5.7.1 Relaying denied"


def test_domain_that_refuses_us_rests_for_hours_and_delays_nobody_else(office):
    put(office)
    with Refuser(at_rcpt={"big.example": "550 5.7.1 blocked"}) as server, closing(smtp_post(server)) as post:
        sweep(office, post, minutes=100)
        assert Counter(office.states()) == {"sent": 10, "queued": 5}
        tried = [to for to in server.tried if to.endswith("@big.example")]
        assert tried and set(tried) <= {"p0@big.example", "p1@big.example"}  # two leave at once to one domain
        with db.reading(office.engine) as session:
            [state] = refusals.resting(session, now=office.time)
            assert state.name == "big.example" and refusals.stopped(session) is None
            waiting = session.exec(select(Letter).where(Letter.state == LetterState.QUEUED)).all()
            assert {one.answer for one in waiting} == {"550 5.7.1 blocked"}
        server.open_up()
        sweep(office, post, minutes=25)
    assert set(office.states()) == {"sent"}


def test_trials_find_the_domain_that_accepts_letters_before_older_ones(office):
    put(office, each=20, domains=DOMAINS[:2], due_at=START - timedelta(hours=1))
    [good] = office.put(letter("ann@third.example"))
    answers = dict.fromkeys(DOMAINS[:2], "550 5.7.1 blocked")
    with Refuser(at_rcpt=answers) as server, closing(smtp_post(server)) as post:
        sweep(office, post, minutes=3)
    assert office.letter(good).state == LetterState.SENT


def test_letter_that_is_refused_alone_fails_and_stops_no_others(office):
    bad, *_others = put(office, domains=["big.example"])
    with (
        Refuser(at_data={"big.example": "554 5.7.1 Message content rejected"}) as server,
        closing(smtp_post(server)) as post,
    ):
        post.at_once = 1  # of two that leave together the server would refuse both
        office.send(post)
        server.open_up()
        office.time += refusals.REST + timedelta(seconds=10)
        sweep(office, post, minutes=1)
        assert office.letter(bad).state == LetterState.QUEUED and office.states().count("sent") == 4
        server.at_data = {"big.example": "554 5.7.1 Message content rejected"}
        office.time = office.letter(bad).due_at
        office.send(post)
        server.open_up()
        later = office.put(letter("late@big.example", due_at=office.time))
        office.send(post)
    assert office.letter(bad).state == LetterState.FAILED
    assert office.letter(later[0]).state == LetterState.SENT


def test_letter_about_which_a_server_speaks_fails_at_once(office):
    answers = [
        "550 5.1.1 unknown",
        "552 5.3.4 too big",
        "550 5.2.1 disabled",
        "554 5.6.0 malformed",
        "550 no such user",
    ]
    for number, answer in enumerate(answers):
        office.put(letter(f"ann@d{number}.example"))
        with Refuser(at_rcpt={"*": answer}) as server, closing(smtp_post(server)) as post:
            office.send(post)
    assert office.states() == ["failed"] * len(answers)
    with db.reading(office.engine) as session:
        assert refusals.stopped(session) is None and not refusals.resting(session, now=office.time)


def test_workers_that_are_refused_at_once_wait_for_each_other_in_one_order(office):
    numbers = put(office, each=8, domains=[f"d{n}.example" for n in range(8)])
    with Refuser(at_rcpt={"*": "550 5.7.1 Relaying denied"}) as server:
        for _minute in range(8):
            together(office, server)
            office.wait(minutes=1)
        assert Counter(office.states()) == {"queued": 64}
        server.open_up()
        for _minute in range(6):
            together(office, server)
            office.wait(minutes=1)
    assert Counter(office.states()) == {"sent": 64}
    assert len(server.envelopes) == len(numbers), "each letter left once"


def together(office, server, workers=4):
    errors = []

    def run():
        try:
            with closing(smtp_post(server)) as post:
                office.send(post)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_letter_is_given_up_after_days_of_tries_and_not_of_waiting(office):
    [number] = office.put(letter())
    office.wait(days=9)
    with Refuser(at_rcpt={"*": "450 4.2.1 later"}) as server, closing(smtp_post(server)) as post:
        for _try in range(len(outbox.RETRIES)):
            office.send(post)
            office.time = office.letter(number).due_at
            assert office.letter(number).state == LetterState.QUEUED
        office.send(post)
    assert office.letter(number).state == LetterState.FAILED


@pytest.mark.parametrize(("words", "of_us", "dead"), [
    ("550 5.1.1 unknown; our policy forbids spam", False, True), ("550 5.1.10 null MX", False, True),
    ("550 5.1.0 local policy", True, False), ("550 5.7.1 no such user", True, False), ("550 5.1.7 sender", True, False),
    ("550 5.1.8 sender", True, False), ("550 5.3.0 trouble", True, False), ("552 5.3.4 too big", False, False),
    ("550 5.4.1 Recipient address rejected: Access denied", False, False), ("550 user unknown", False, False),
    ("554 delivery error: dd This user doesn't have an account", False, False), ("550 Rejected", True, False),
    ("554 virus found", False, False), ("550 sorry, no mailbox here by that name", False, False),
    ("554 mail from 5.1.1.7 refused", True, False), ("550 5.0.0 5.1.1 unknown", False, True), ("550 5.2.2 full", False, False),
])  # fmt: skip
def test_status_codes_tell_of_whom_a_refusal_speaks(words, of_us, dead):
    assert (blames_us(words), names_dead_mailbox(words)) == (of_us, dead)


# -- what operators and members see ---------------------------------------------------------


@pytest.fixture
def club(tmp_path):
    club = World(tmp_path, metrics_token=TOKEN)
    club.join("ann", "bob")
    appoint(club, "ann")
    yield club
    club.close()


def fail(club, recipient, answer, **fields):
    with db.transaction(club.engine) as session:
        person = club.person(session, "bob")
        session.add(
            one := letter(
                recipient, state=LetterState.FAILED, answer=answer, due_at=club.time, person_id=person.id, **fields
            )
        )
        session.flush()
        return one.id


def flask(club, *words):
    return club.app.test_cli_runner().invoke(mail_command, words)


def findings(club):
    return " ".join(one.sentence for one in examine(club.runtime))


def test_failed_letters_are_seen_at_the_desk_in_metrics_and_by_the_doctor(club):
    fail(club, "bob@example.org", "554 5.6.0 <bob@example.org>: r.abcdefghijklmnopqrstuvwxyz@games.example malformed")
    for words in (section(club, "Undelivered letters"), flask(club, "dead").output):
        assert "554 5.6.0" in words
        assert "bob@" not in words
        assert "abcdefghij" not in words
    assert numbers(club)["letters_failed"] == 1
    assert "1 letter found undelivered in the last week: flask mail dead says why" in findings(club)
    club.time += timedelta(days=8)
    assert numbers(club)["letters_failed"] == 0 and "did not arrive" not in findings(club)


def test_refusing_domains_and_servers_are_seen_at_the_desk_in_metrics_and_by_the_doctor(club):
    with db.transaction(club.engine) as session:
        session.add(letter("p@big.example", due_at=club.time))
        refusals.refuse(session, "big.example", "550 5.7.1 blocked", club.time)
    assert "big.example" in section(club, "Undelivered letters")
    assert "big.example refuses our letters" in findings(club)
    assert (numbers(club)["domains_refusing"], numbers(club)["letters_refused"]) == (1, 0)
    with db.transaction(club.engine) as session:
        refusals.refuse(session, "small.example", "550 5.7.1 <bob@small.example> blocked", club.time)
    assert "The mail server has accepted no letters since" in section(club, "Service status")
    assert "The mail server has accepted no letters since" in findings(club) and "bob@small" not in findings(club)
    assert numbers(club)["letters_refused"] == 1


@pytest.mark.parametrize("since", ["2h", "90m", "1d", "2026-11-21", "2026-11-21T10:00"])
def test_failed_letters_are_sent_again_since_a_moment(club, since):
    old = fail(club, "bob@example.org", "554 no")
    club.time += timedelta(days=5)
    with db.transaction(club.engine) as session:
        session.get(Letter, old).due_at = START - timedelta(days=9)
    new = fail(club, "bob@example.org", "554 no", bounce="hard", bounce_words="554 no", bounced_at=club.time)
    unsure = fail(club, "bob@example.org", "no answer to the letter", may_have_arrived=True)
    done = flask(club, "resend", "--failed", since)
    assert done.exit_code == 0 and f"Letter {new} will be sent again." in done.output
    with db.reading(club.engine) as session:
        states = [session.get(Letter, number).state for number in (old, new, unsure)]
        assert session.get(Letter, new).bounce == ""
    assert states == [LetterState.FAILED, LetterState.QUEUED, LetterState.FAILED]


@pytest.mark.parametrize("words", [("resend",), ("resend", "--failed", "soon"), ("resend", "3", "--failed", "2h")])
def test_resending_without_knowing_which_letters_is_refused(club, words):
    assert flask(club, *words).exit_code == 2


def test_letters_that_came_back_because_of_us_rest_their_domain_and_can_be_sent_again(club):
    club.match("duel")
    number, outcome = returned(club, ("failed", "5.7.515", "550 5.7.515 Access denied"))
    assert outcome == "done: bounce: block"
    with db.reading(club.engine) as session:
        assert [one.name for one in refusals.resting(session, now=club.time)] == ["example.org"]
        status = delivery_log.last_letters(session, 1, most=50)
    assert any("5.7.515 means: the recipient's server requires both SPF and DKIM" in one.outcome for one in status)
    assert f"Letter {number} will be sent again." in flask(club, "resend", "--failed", "1h").output
