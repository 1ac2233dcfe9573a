"""Failure 15: scanners open every link of every mail; looking changes nothing, and one click still stops."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from correspondence.accounts import accounts, delivery_checks, joining
from correspondence.core import db, tokens
from correspondence.core.ratelimit import RateLimiter
from correspondence.inbound import mailbox
from correspondence.matchmaking import challenges
from correspondence.models import Inbound, Letter, LetterState, Person, Purpose, Scope, Token
from correspondence.ops.worker import sweep_deadlines
from correspondence.outbound import compose, suppressions
from correspondence.play import matches
from tests.mail_failures.boxes import rows
from tests.tables import START

KINDS = {
    "join", "welcome", "sign_in", "challenge", "declined", "turn", "talk", "draw_offered", "resign", "reminder",
    "over", "answer", "test", "put_off",
}  # fmt: skip


@pytest.fixture
def letters(world):
    """A world in which every kind of letter was written, and how each went over the wire."""
    world.join("ann")
    world.join("bob")
    world.match("proteus-dice")
    engine, now = world.runtime.engine, world.clock()
    world.play(1, "ann", "c3/f2=B")
    with db.transaction(engine) as session:
        joining.request_join(session, "cleo", "cleo@example.org", now=now)
        accounts.request_sign_in(session, "ann", now=now)
        ann, bob = (accounts.person_by_handle(session, name) for name in ("ann", "bob"))
        delivery_checks.request_test_letter(session, ann, now=now)
        player = world.player(session, 1, "bob")
        matches.say(session, player, "Hello!", now=now)
        matches.offer_draw(session, player, now=now)
        matches.ask_to_resign(session, player, now=now)
        challenges.decline(session, bob, challenges.challenge(session, ann, "bob", "duel", {}, now=now).id, now=now)
    mailbox.store_message(engine, b"From: ann@example.org\n\nhelp\n", "play@localhost", "ann@example.org", now=now)
    mailbox.drain(engine, world.runtime.settings, now=now, rng=world.runtime.rng)
    _let_time_pass(world)
    with db.transaction(engine) as session:
        matches.resign(session, world.player(session, 1, "bob"), now=world.clock())
    with db.reading(engine) as session:
        every = session.exec(select(Letter).order_by(col(Letter.id))).all()
    yield world, [(one.kind, compose.compose(one, world.runtime.settings)) for one in every]


def _let_time_pass(world):
    with db.reading(world.runtime.engine) as session:
        found = session.exec(select(matches.Match)).one()
    world.clock.now = found.remind_at + timedelta(seconds=1)
    sweep_deadlines(world.runtime)
    with db.transaction(world.runtime.engine) as session:
        suppressions.suppress(session, "bob@example.org", Scope.ALL, "bounced: 5.1.1", now=world.clock())
    world.clock.now = found.deadline + timedelta(seconds=1)
    sweep_deadlines(world.runtime)


def urls_in(raw):
    from email import message_from_bytes
    from email.policy import default

    message = message_from_bytes(raw, policy=default)
    parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return set(re.findall(r"https?://[^\s<>\"')\],]+", "\n".join([str(message["List-Unsubscribe"]), *parts])))


def test_failure_15_every_link_of_every_mail_can_be_opened_without_changing_anything(letters):
    world, sent = letters
    assert {kind for kind, _raw in sent} == KINDS
    engine = world.runtime.engine
    found = {url for _kind, raw in sent for url in urls_in(raw)}
    own = {url.removeprefix(world.runtime.settings.base_url).rstrip(".") for url in found}
    assert len(own) > 8
    assert any(path.startswith("/u/") for path in own)
    assert any(path.startswith("/t/") for path in own)
    with db.reading(engine) as session:
        used = session.exec(select(Token.id).where(col(Token.purpose) == Purpose.JOIN, col(Token.used_at).is_not(None)))
        spent = {f"/t/{tokens.spell(world.runtime.settings.secret_key, number)}" for number in used}
    assert len(spent & own) == 2  # the links by which two have joined
    before = rows(engine)
    world.clock.now = START  # when every token still worked
    for number, (who, path) in enumerate((who, path) for who in ("", "ann", "bob") for path in sorted(own)):
        world.app.extensions["correspondence_rate_limiter"] = RateLimiter()  # a ration for each, members too
        for method in ("GET", "HEAD"):
            peer = {"REMOTE_ADDR": f"192.0.2.{number}"}  # each scanner has an address, and a ration, of its own
            answer = world.client(who).open(path or "/", method=method, environ_base=peer)
            shut = answer.status_code == 404 if path in spent else (answer.status_code, who) == (403, "")
            assert shut or (answer.status_code < 400 and path not in spent), (who, path, answer.status_code)
    assert rows(engine) == before
    with db.reading(engine) as session:
        assert all(one.state in (LetterState.QUEUED, LetterState.MERGED) for one in session.exec(select(Letter)))
        assert session.exec(select(Inbound)).one().reason == "help"


def test_failure_15_one_click_stops_without_a_cookie_and_only_on_post(letters):
    world, sent = letters
    page = next(url for kind, raw in sent if kind == "turn" for url in urls_in(raw) if "/u/" in url)
    path = page.removeprefix(world.runtime.settings.base_url)
    answer = world.client().post(path, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
    with db.reading(world.runtime.engine) as session:
        assert sorted(one.turn_letters for one in session.exec(select(Person))) == [False, True]


def test_no_letter_names_another_site_or_shows_anothers_token(letters):
    world, sent = letters
    site = world.runtime.settings.base_url
    for kind, raw in sent:
        assert all(url.startswith(site) for url in urls_in(raw)), kind
        assert len(set(re.findall(rb"\br\.([a-z2-7]{26})@", raw))) <= 2, kind  # to reply, and to stop
    assert replace(world.runtime.settings, base_url=site) == world.runtime.settings
