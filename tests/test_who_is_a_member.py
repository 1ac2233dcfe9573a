"""Nobody learns from a page whether an address belongs to a member: same answer, same size, same work."""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlmodel import SQLModel, col, func, select

from correspondence.accounts import accounts
from correspondence.core.db import reading, transaction
from correspondence.matchmaking import invitations
from correspondence.models import Letter, LetterRequest
from correspondence.ops.sending_sweeps import sweep_letter_requests

MEMBER, STRANGER = "bobby@example.org", "zoe12@example.org"  # of one length, as an attacker would choose them
assert len(MEMBER) == len(STRANGER)


@pytest.fixture
def club(world):
    for handle in ("ann", "bobby"):
        world.join(handle)
    return world


@contextmanager
def work(world):
    """The statements that are sent to the database meanwhile."""
    done = []
    listen = (world.runtime.engine, "before_cursor_execute", lambda _c, _x, statement, *_more: done.append(statement))
    event.listen(*listen)
    yield done
    event.remove(*listen)


def ask(world, client, path, form, address):
    """The answer to a form with this address, without what differs each time; the work; and how many rows each table
    has more."""
    before = rows(world)
    with work(world) as statements:
        answer = client.post(path, data={name: text.format(address=address) for name, text in form.items()})
    added = {name: count - before[name] for name, count in rows(world).items()}
    page = re.sub(r'datetime="[^"]+"|/i/\w{26}', "", answer.text).replace(address, "ADDRESS")
    headers = {name: text for name, text in answer.headers if name not in ("Set-Cookie", "Date")}
    return (answer.status_code, headers, page), list(statements), added


def rows(world):
    with reading(world.runtime.engine) as session:
        tables = SQLModel.metadata.sorted_tables
        return {table.name: session.exec(select(func.count()).select_from(table)).one() for table in tables}


FORMS = {
    "join with a handle that is free": ("/join", {"handle": "newcomer", "mail": "{address}", "zone": "Europe/Rome"}),
    "join with a handle that is taken": ("/join", {"handle": "ann", "mail": "{address}"}),
    "join with the member's own handle": ("/join", {"handle": "bobby", "mail": "{address}"}),
    "join with a handle that cannot be": ("/join", {"handle": "!", "mail": "{address}"}),
    "sign in": ("/sign-in", {"who": "{address}"}),
    "invite": ("/invite", {"game": "duel", "pace": "3", "open-days": "60", "address": "{address}"}),
}


@pytest.mark.parametrize("again", [False, True], ids=["asked once", "asked before"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_form_answers_and_works_alike_for_members_and_strangers(club, form, again):
    client = club.client("ann" if form[0] == "/invite" else "")
    client.get("/")  # what a process looks up now and then it knows from here on
    if again:
        for address in (MEMBER, STRANGER):
            ask(club, client, *form, address)
            sweep_letter_requests(club.runtime)
    known = ask(club, client, *form, MEMBER)
    club.clock.go(seconds=1)  # offers of one moment look for numbers of their own
    unknown = ask(club, client, *form, STRANGER)
    assert known == unknown
    assert known[2]["letter"] == 0
    assert known[2]["token"] == (form[0] == "/invite" and not again)  # the same invitation is one invitation


def test_a_taken_handle_is_told_whoever_has_the_address(club):
    for address in (MEMBER, STRANGER):
        answer = club.client().post("/join", data={"handle": "ann", "mail": address})
        assert answer.status_code == 422 and "is taken" in answer.text


def test_the_worker_writes_what_was_asked_for_and_forgets_who_asked(club):
    stranger = club.client()
    for path, form in (FORMS["join with a handle that is free"], FORMS["sign in"]):
        for address in (MEMBER, STRANGER):
            ask(club, stranger, path, form, address)
    ask(club, club.client("ann"), *FORMS["invite"], STRANGER)
    assert sweep_letter_requests(club.runtime) == 5
    with reading(club.runtime.engine) as session:
        written = session.exec(select(Letter.recipient, Letter.kind).order_by(col(Letter.id))).all()
        assert session.exec(select(LetterRequest)).all() == []
    assert [tuple(row) for row in written if row.kind != "welcome"][2:] == [
        (MEMBER, "sign_in"), (STRANGER, "join"), (MEMBER, "sign_in"), (STRANGER, "invitation"),
    ]  # fmt: skip
    assert sweep_letter_requests(club.runtime) == 0


def test_two_workers_write_a_letter_that_was_asked_for_once(club):
    club.client().post("/sign-in", data={"who": "ann"})
    with reading(club.runtime.engine) as session:
        numbers = list(session.exec(select(LetterRequest.id)))
    from correspondence.matchmaking import letter_requests

    for _worker in range(2):
        for number in numbers:
            with transaction(club.runtime.engine) as session:
                letter_requests.write(session, number, now=club.clock())
    with reading(club.runtime.engine) as session:
        assert len(session.exec(select(Letter).where(Letter.kind == "sign_in")).all()) == 1


def test_a_request_that_cannot_be_written_is_dropped_and_holds_up_no_other(club, caplog):
    with transaction(club.runtime.engine) as session:
        session.add(LetterRequest(kind="join", mail=STRANGER, payload="{", created_at=club.clock()))
        accounts.ask_to_sign_in(session, "ann", now=club.clock())
    assert sweep_letter_requests(club.runtime) == 2 and "request 1 failed" in caplog.text
    assert STRANGER not in caplog.text
    assert club.client().get(club.link_in("sign_in")).status_code == 200
    assert sweep_letter_requests(club.runtime) == 0


def test_an_invitation_that_was_withdrawn_meanwhile_is_not_written(club):
    with transaction(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        token = invitations.invite(session, ann, STRANGER, "duel", {}, now=club.clock())
        token.used_at = club.clock()
        session.add(token)
    sweep_letter_requests(club.runtime)
    with reading(club.runtime.engine) as session:
        assert session.exec(select(Letter).where(Letter.kind == "invitation")).all() == []


def test_by_mail_nobody_but_the_address_itself_is_told_what_is_known_of_it(town):
    town.join("ann", "bob")
    for sender in ("bob@example.org", "zoe@example.org"):
        for handle in ("ann", "bob", "newcomer"):
            town.received.clear()
            town.mail(sender, "play@games.example", f"join {handle}")
            assert [str(letter["To"]) for letter in town.received] == [sender]


LOCKED = OperationalError("", {}, Exception("database is locked"))
FAILURES = {"the database": (LOCKED, 1), "ourselves": (ValueError(), 0)}


@pytest.mark.parametrize(("error", "kept"), FAILURES.values(), ids=FAILURES)
def test_a_request_is_tried_again_where_the_database_failed_it(club, monkeypatch, error, kept):
    ask(club, club.client(), *FORMS["sign in"], MEMBER)

    def fail(*_args, **_more):
        raise error

    with monkeypatch.context() as broken:
        broken.setattr("correspondence.matchmaking.letter_requests.write", fail)
        assert sweep_letter_requests(club.runtime) == 1
    assert sweep_letter_requests(club.runtime) == kept
