"""What is another's and what was never there are refused alike: same status, same page, as many statements."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import event
from sqlmodel import select

from correspondence.core.db import reading, transaction
from correspondence.core.tokens import spell
from correspondence.models import Purpose, Remark, Seek, Token
from tests.attacks.reach import unthrottled
from tests.world import KEY, World

NOTHING = 987654


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    world = unthrottled(World(tmp_path_factory.mktemp("club")))
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("duel")
    world.match("plateau")
    ann = world.client("ann")
    ann.post("/games/1/say", data={"text": "a note of mine", "audience": "me", "ply": "0"})
    ann.post("/challenge", data={"game": "duel", "handle": "bob", "pace": "3"})
    ann.post("/seeks/new", data={"game": "duel", "kind": "open", "pace": "3", "step": "post"})
    ann.post("/invite", data={"game": "duel", "address": "guest@example.org", "pace": "3"})
    ann.post("/games/1/try", data={"move": "5@a2", "ply": "0", "at": ""})
    yield world
    world.close()


def numbers(world):
    """What ann has of her own: a challenge and a note, by number."""
    with reading(world.runtime.engine) as session:
        note = session.exec(select(Remark.id)).first()
        challenge = session.exec(select(Seek.id).order_by(Seek.id)).all()[-1]
        return {"note": note, "challenge": challenge}


ACTS = [
    ("/challenges/{}/accept", "challenge", {}), ("/challenges/{}/decline", "challenge", {}),
    ("/challenges/{}/withdraw", "challenge", {}), ("/challenges/{}/counter", "challenge", {"pace": "3"}),
    ("/seeks/{}/withdraw", "challenge", {}), ("/seeks/{}/renew", "challenge", {}), ("/seeks/{}/take", "challenge", {}),
    ("/games/1/notes/{}/drop", "note", {}),
]  # fmt: skip


def response_to(world, who, path, data):
    """Status, page and number of statements; the number that was asked for is blotted out."""
    statements = []

    def count(*_more):
        statements.append(1)

    event.listen(world.runtime.engine, "before_cursor_execute", count)
    try:
        answer = world.client(who).post(path, data=data) if data is not None else world.client(who).get(path)
    finally:
        event.remove(world.runtime.engine, "before_cursor_execute", count)
    text = re.sub(r'content="[\w.-]{40,}"|value="[\w.-]{40,}"|value="/[^"]*"', "", answer.text)
    return answer.status_code, re.sub(r"\b\d+\b", "N", text), len(statements)


@pytest.mark.parametrize(("path", "kind", "data"), ACTS, ids=str)
@pytest.mark.parametrize("who", ["cleo", ""])
def test_what_is_another_s_is_refused_like_what_never_was(club, path, kind, data, who):
    theirs = response_to(club, who, path.format(numbers(club)[kind]), data)
    nobody_s = response_to(club, who, path.format(NOTHING), data)
    assert theirs[0] >= 300
    assert theirs == nobody_s


KINDS = [Purpose.PLAY, Purpose.RESIGN, Purpose.SIGN_IN, Purpose.STOP, Purpose.RENEW, Purpose.JOIN]
LEAD = re.compile(r'<p class="lead">.*?</p>|<p class="doors">.*?</p>', re.DOTALL)
SAYING_WHY = ("/t/{}", "/i/{}", "/u/{}")
"""Whoever holds the token of a letter is told that it was used; nothing else of the page differs."""

TOKEN_PAGES = ["/t/{}", "/u/{}", "/i/{}", "/calendar/{}.ics", "/games/1/try/{}"]


@pytest.mark.parametrize("path", TOKEN_PAGES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_token_for_something_else_or_used_up_opens_nothing_and_its_page_says_no_more_than_why(club, path, kind):
    with transaction(club.runtime.engine) as session:
        ann = session.exec(select(Token.person_id).where(Token.person_id.is_not(None))).first()
        used = Token(purpose=kind, person_id=ann, created_at=club.clock(), used_at=club.clock())
        session.add(used)
        session.flush()
        number = used.id
    if "/u/" in path and kind == Purpose.STOP:
        return  # whoever stopped letters once may press the button again
    spent, never = spell(KEY, number), spell("another key", number)
    answers = [response_to(club, "", path.format(token), None)[:2] for token in (spent, never)]
    assert LEAD.sub("", answers[0][1]) == LEAD.sub("", answers[1][1]) and answers[0][0] == answers[1][0]
    if path not in SAYING_WHY:
        assert answers[0] == answers[1]
