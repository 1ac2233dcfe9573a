"""Several letters leave at once, over kept connections, through a real mail server; MAIL_PACE says how fast to one domain."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest

from correspondence.core.config import SettingError, Settings, with_defaults
from correspondence.outbound import outbox, refusals, throttle
from correspondence.transport import PostError, open_post
from correspondence.transport.posting import SENDERS
from tests.outgoing import SETTINGS, ScriptedPost, letter
from tests.smtp import Inbox
from tests.tables import fresh_database
from tests.test_outbox import Office, url_in


class SlowServer(Inbox):
    """A real server that keeps letters to some domains waiting until `answers` is set; `most` were there at once."""

    def __init__(self, *slow):
        super().__init__()
        self.slow, self.answers = slow, threading.Event()
        self.peers, self.there, self.most = set(), Counter(), Counter()

    async def handle_DATA(self, server, session, envelope):
        domain = envelope.rcpt_tos[0].rpartition("@")[2]
        self.peers.add(session.peer)
        self.there[domain] += 1
        self.most[domain] = max(self.most[domain], self.there[domain])
        while domain in self.slow and not self.answers.is_set():
            await asyncio.sleep(0.01)
        self.there[domain] -= 1
        return await super().handle_DATA(server, session, envelope)

    @property
    def recipients(self):
        return [envelope.rcpt_tos[0] for envelope in list(self.envelopes)]


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request, tmp_path):
    url = url_in(tmp_path) if request.param == "sqlite" else fresh_database(request.getfixturevalue("postgres_url"))
    with closing(Office(url)) as office:
        yield office


def settings_for(server, **more):
    return replace(SETTINGS, mail_send=f"smtp://{server.host}:{server.port}", **more)


@contextmanager
def sending(office, server, **more):
    """A sweep that runs beside the test, with the post that it sends by."""
    settings = settings_for(server, **more)
    with closing(open_post(settings)) as post:
        sweep = threading.Thread(target=office.send, args=(post,), kwargs={"settings": settings})
        sweep.start()
        try:
            yield post
        finally:
            server.answers.set()
            sweep.join(30)
            assert not sweep.is_alive()


def wait_for(reached):
    until = time.monotonic() + 20
    while not reached():
        assert time.monotonic() < until, "this took too long"
        time.sleep(0.01)


def test_slow_domains_hold_up_no_letters_to_others(office):
    office.put(*(letter(f"p{number}@{domain}") for domain in ("slow.example", "late.example") for number in range(9)))
    quick = [f"q{number}@quick{number % 3}.example" for number in range(12)]
    office.put(*map(letter, quick))
    with SlowServer("slow.example", "late.example") as server:
        with sending(office, server):
            wait_for(lambda: len(server.envelopes) == len(quick))
            assert sorted(server.recipients) == sorted(quick)
        assert sorted(server.recipients) == sorted(
            [*quick, *(f"p{n}@{domain}" for domain in ("slow.example", "late.example") for n in range(9))]
        )
        assert max(server.most.values()) <= outbox.CONVERSATIONS
    assert set(office.states()) == {"sent"}


def test_letters_leave_over_few_connections_which_the_next_sweep_uses_too(office):
    with SlowServer() as server, closing(open_post(settings_for(server))) as post:
        for sweep in range(3):
            office.put(*(letter(f"p{sweep}.{number}@d{number % 5}.example") for number in range(20)))
            assert office.send(post, settings=settings_for(server)) == 20
        assert len(server.peers) <= SENDERS and len(set(server.recipients)) == len(server.recipients) == 60
        post.close(unused_for=60)
        office.put(letter())
        before = set(server.peers)
        office.send(post, settings=settings_for(server))
        assert server.peers == before, "connections used lately stay open"
        post.close()
        office.put(letter())
        office.send(post, settings=settings_for(server))
        assert len(server.peers) == len(before) + 1, "closed ones are opened again"


def test_several_workers_that_send_at_once_send_each_letter_once(office):
    sent = [f"p{number}@d{number % 7}.example" for number in range(60)]
    office.put(*map(letter, sent))
    with SlowServer() as server:
        with sending(office, server), sending(office, server):
            pass
        assert sorted(server.recipients) == sorted(sent)
    assert set(office.states()) == {"sent"}


@pytest.mark.parametrize(("pace", "leave"), [("", 150), ("off", 150), ("60", throttle.BURST)])
def test_pace_to_one_domain_is_off_for_a_server_on_this_machine_unless_set(office, pace, leave):
    office.put(*(letter(f"p{number}@big.example") for number in range(150)))
    with SlowServer() as server, closing(open_post(settings_for(server))) as post:
        settings = settings_for(server, mail_pace=pace)
        office.send(post, settings=settings)
        assert len(server.envelopes) == leave


def test_domain_that_asked_to_wait_rests_without_a_pace_too(office):
    class Busy(SlowServer):
        async def handle_RCPT(self, _server, _session, envelope, address, _options):
            if address.endswith("busy.example") and not self.answers.is_set():
                return "421 4.7.0 later"
            envelope.rcpt_tos.append(address)
            return "250 OK"

    office.put(letter("a@busy.example"))
    with Busy() as server, closing(open_post(settings_for(server))) as post:
        office.send(post, settings=settings_for(server))
        server.answers.set()
        office.put(letter("b@busy.example"), letter("c@other.example"))
        office.send(post, settings=settings_for(server))
        assert server.recipients == ["c@other.example"]
        office.time += throttle.BACKOFF
        office.send(post, settings=settings_for(server))
        assert sorted(server.recipients) == ["a@busy.example", "b@busy.example", "c@other.example"]


def test_server_out_of_reach_is_tried_every_few_seconds_however_often_letters_come(office):
    down = PostError("no route", relay_down=True)
    post = ScriptedPost(*[down] * 9)
    for _news in range(5):
        office.put(letter())
        office.send(post)
    assert len(post.answers) == 8
    office.time += refusals.UNREACHABLE_WAIT
    office.send(post)
    assert len(post.answers) == 7
    post.answers.clear()
    office.wait(minutes=2)
    assert office.send(post) == 5


@pytest.mark.parametrize(
    ("send", "pace", "seconds"),
    [("smtp://127.0.0.1:25", "", 0), ("smtp://localhost", "", 0), ("smtp://[::1]:25", "30", 2),
     ("smtps://u:p@smtp.example.net", "", 0.5), ("smtps://u:p@smtp.example.net", "OFF", 0),
     ("smtps://u:p@smtp.example.net", "600", 0.1)],
)  # fmt: skip
def test_pace_depends_on_what_stands_behind(send, pace, seconds):
    assert Settings(mail_send=send, mail_pace=pace).letter_interval.total_seconds() == pytest.approx(seconds)


@pytest.mark.parametrize("pace", ["0", "-1", "fast", "1.5", "60001", "١٢"])
def test_pace_that_is_no_number_of_letters_is_refused(tmp_path, pace):
    with pytest.raises(SettingError, match="MAIL_PACE"):
        with_defaults(Settings(instance_dir=str(tmp_path), mail_pace=pace))
