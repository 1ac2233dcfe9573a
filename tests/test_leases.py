"""A letter and the place of its conversation are held while somebody posts it, and soon free if they are killed."""

from __future__ import annotations

import threading
from contextlib import closing
from datetime import timedelta

import pytest

from correspondence.core import db
from correspondence.outbound import leases, outbox
from tests.outgoing import ScriptedPost, letter
from tests.test_outbox import Office, url_in


class Killed(BaseException):
    """What stands for SIGKILL: nothing of the program runs after it."""


@pytest.fixture
def office(tmp_path):
    with closing(Office(url_in(tmp_path))) as office:
        yield office


class Slow(ScriptedPost):
    """A post whose conversation lasts until a semaphore was released three times."""

    def __init__(self, steps):
        super().__init__()
        self._steps = steps

    def post(self, sender, recipient, raw):
        assert all(self._steps.acquire(timeout=30) for _time in range(3))
        return super().post(sender, recipient, raw)


@pytest.fixture
def held(monkeypatch):
    """Every lease that was taken, newest last."""
    taken = []

    class Kept(leases.Lease):
        def __init__(self, *parts):
            super().__init__(*parts)
            taken.append(self)

    monkeypatch.setattr(outbox, "Lease", Kept)
    return taken


def killed_while_posting(office):
    """A worker that claims a letter and is no more."""
    with db.transaction(office.engine) as session:
        return outbox.claim(session, office.time).is_ours


def test_workers_killed_while_posting_silence_no_domain(office):
    office.put(*(letter(f"p{number}@big.example") for number in range(4)))
    assert killed_while_posting(office) and killed_while_posting(office)
    assert office.send(ScriptedPost()) == 0, "both places are taken"
    office.time += leases.LEASE
    assert office.send(ScriptedPost()) >= 2


def test_a_long_conversation_keeps_its_letter_and_its_place(office, held):
    office.put(letter("ann@big.example"), letter("bob@big.example"))
    with db.transaction(office.engine) as session:
        outbox.throttle.admit(session, "big.example", office.time, office.time + timedelta(days=1))
    others = []

    class Renewing(ScriptedPost):
        def post(self, sender, recipient, raw):
            for _step in range(5):
                office.time += leases.LEASE * 0.9
                held[-1].renew()
                if recipient == "ann@big.example":
                    others.append(office.send(ScriptedPost()))
            return super().post(sender, recipient, raw)

    post = Renewing()
    assert office.send(post) == 1
    assert others == [0] * 5, "nobody else had the letter, or the place"
    office.wait(seconds=5)
    assert office.send(post) == 1 and set(office.states()) == {"sent"}


def test_a_lease_that_was_lost_is_not_taken_back(office, held):
    (number,) = office.put(letter())

    class Asleep(ScriptedPost):
        def post(self, sender, recipient, raw):
            office.time += leases.LEASE * 2
            assert office.send(ScriptedPost()) == 1, "another worker sends it"
            held[0].renew()
            return super().post(sender, recipient, raw)

    office.send(Asleep())
    assert office.states() == ["sent"]
    with db.reading(office.engine) as session:
        assert session.get(outbox.Letter, number).tries == 2


def test_a_lease_renews_itself_until_the_conversation_ends(office, monkeypatch, held):
    monkeypatch.setattr(leases, "_RENEWED_EVERY", timedelta(seconds=0.01))
    renewed, renew = threading.Semaphore(0), leases.Lease.renew

    def noted(lease):
        renew(lease)
        renewed.release()

    monkeypatch.setattr(leases.Lease, "renew", noted)
    office.put(letter())

    assert office.send(Slow(renewed)) == 1
    held[-1]._timer.join(30)
    assert not held[-1]._timer.is_alive()


def test_a_trouble_with_the_database_does_not_end_the_renewing(office, monkeypatch, held):
    monkeypatch.setattr(leases, "_RENEWED_EVERY", timedelta(seconds=0.01))
    tries = threading.Semaphore(0)

    def fail(_lease):
        tries.release()
        raise OSError("away")

    monkeypatch.setattr(leases.Lease, "renew", fail)
    office.put(letter())
    assert office.send(Slow(tries)) == 1
