"""Talk can be recalled until its letter has left, and nobody can tell afterwards that anything was said."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from sqlmodel import select

from correspondence.community.data_export import export_chunks
from correspondence.core import db
from correspondence.core.signing import signer_of
from correspondence.models import Audience, Letter, LetterState, Plan, Remark
from correspondence.outbound.schedule import MERGE_WINDOW
from correspondence.play import matches, recall
from tests.post import reply_address, text_of

WORDS = "words that should never have been said"


def count(engine, kind):
    with db.reading(engine) as session:
        return len(session.exec(select(kind)).all())


@pytest.fixture(params=["duel", "plateau"])
def club(world, request):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match(request.param)
    world.game = request.param
    return world


@pytest.fixture
def secret(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    world.match("plateau")
    return world


def say(world, who="ann", text=WORDS, **data):
    assert world.client(who).post("/games/1/say", data={"text": text, **data}).status_code == 303


def traces(world, who):
    """All that somebody can read of the game, and what an open page is told."""
    client = world.client(who)
    paths = ["/games/1", "/games/1/0", "/games/1/mail", "/games/1.record", "/games/1.atom", "/games"]
    pages = {path: client.get(path).text for path in paths}
    return pages, client.get("/games/1/ply.json").get_json()


def export(world, who):
    with db.reading(world.runtime.engine) as session:
        number = matches.Person.__table__.select().where(matches.Person.handle == who)
        person = session.exec(number).first().id
    copy = export_chunks(world.runtime.engine, person, signer=signer_of(world.settings), now=world.clock())
    file = zipfile.ZipFile(io.BytesIO(b"".join(copy)))
    return "".join(file.read(name).decode() for name in file.namelist())


@pytest.mark.parametrize("audience", ["players", "everyone"])
def test_where_something_is_hidden_nobody_reads_words_while_they_can_be_recalled(secret, audience):
    before = {who: traces(secret, who) for who in ("bob", "cleo", "")}
    say(secret, audience=audience)
    assert {who: traces(secret, who) for who in before} == before
    assert WORDS not in export(secret, "bob") and WORDS in export(secret, "ann")
    assert WORDS in secret.client("ann").get("/games/1").text
    secret.clock.go(minutes=4, seconds=59)
    assert {who: traces(secret, who)[1] for who in before} == {who: seen[1] for who, seen in before.items()}
    secret.clock.go(seconds=1)
    assert WORDS in secret.client("bob").get("/games/1").text
    assert traces(secret, "bob")[1] != before["bob"][1]


def test_what_is_recalled_leaves_no_trace(club):
    before = traces(club, "bob")
    say(club)
    answer = club.client("ann").post("/games/1/say/recall")
    assert answer.status_code == 200
    assert WORDS in answer.text
    assert "nobody has read it" in answer.text
    assert traces(club, "bob") == before and WORDS not in export(club, "bob")
    assert count(club.runtime.engine, Remark) == 0
    club.clock.go(minutes=6)
    assert traces(club, "bob")[1] == before[1]
    assert club.client("ann").post("/games/1/say/recall").status_code == 409


def waiting_talk(world):
    """The remarks in letters of talk that wait, by recipient."""
    with db.reading(world.runtime.engine) as session:
        texts = {str(remark.id): remark.text for remark in session.exec(select(Remark))}
        waiting = select(Letter).where(Letter.kind == "talk", Letter.state == LetterState.QUEUED)
        return {
            letter.recipient: [texts[number] for number in letter.remarks.split()] for letter in session.exec(waiting)
        }


def test_last_message_alone_is_recalled_and_earlier_ones_still_leave(club):
    say(club, text="one")
    club.clock.go(seconds=20)
    say(club, text="two")
    say(club, "bob", text="mine")
    for recalled, left in (("two", {"bob@example.org": ["one"]}), ("one", {})):
        answer = club.client("ann").post("/games/1/say/recall")
        assert answer.status_code == 200 and f"{recalled}</textarea>" in answer.text
        assert waiting_talk(club) == {**left, "ann@example.org": ["mine"]}
    assert club.client("ann").post("/games/1/say/recall").status_code == 409


def test_notes_are_not_recalled(club):
    say(club, audience="me")
    assert club.client("ann").post("/games/1/say/recall").status_code == 409
    assert count(club.runtime.engine, Remark) == 1


def test_nobody_recalls_what_another_said(club):
    say(club)
    assert club.client("bob").post("/games/1/say/recall").status_code == 409
    assert club.client("cleo").post("/games/1/say/recall").status_code == 403
    assert count(club.runtime.engine, Remark) == 1


def see(world, who):
    """The page of the game is loaded, and says what it has shown."""
    client = world.client(who)
    shown = re.search(r'name="remark" value="(\d+)"', client.get("/games/1").text)[1]
    client.post("/games/1/seen", data={"ply": "0", "remark": shown})


def test_what_a_page_has_shown_cannot_be_recalled(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("duel")
    say(world)
    assert "Unsend" in world.client("ann").get("/games/1").text
    see(world, "bob")
    assert world.client("ann").post("/games/1/say/recall").status_code == 409
    assert "Unsend" not in world.client("ann").get("/games/1").text


def test_a_page_does_not_show_what_waits_by_showing_what_came_after_it(secret):
    say(secret)
    say(secret, "bob", text="mine")
    see(secret, "bob")
    assert secret.client("ann").post("/games/1/say/recall").status_code == 200


@pytest.mark.parametrize("state", [LetterState.SENDING, LetterState.SENT, LetterState.UNCERTAIN, LetterState.FAILED])
def test_what_has_left_cannot_be_recalled(club, state):
    say(club)
    with db.transaction(club.runtime.engine) as session:
        letter = session.exec(select(Letter).where(Letter.kind == "talk")).one()
        letter.state = state
        session.add(letter)
    assert club.client("ann").post("/games/1/say/recall").status_code == 409
    assert count(club.runtime.engine, Remark) == 1


def test_a_move_tells_what_was_said_before_it_and_so_ends_the_wait(secret):
    say(secret)
    secret.play(1, "ann", "+b1 xx,rb")
    assert WORDS in secret.client("bob").get("/games/1").text
    assert secret.client("ann").post("/games/1/say/recall").status_code == 409


def test_an_offered_draw_that_was_told_together_is_told_by_itself(club):
    club.client("ann").post("/games/1/draw")
    club.clock.go(seconds=30)
    say(club)
    assert club.client("ann").post("/games/1/say/recall").status_code == 200
    with db.reading(club.runtime.engine) as session:
        waiting = session.exec(select(Letter).where(Letter.state == LetterState.QUEUED, Letter.recipient.like("bob%")))
        assert "draw_offered" in [letter.kind for letter in waiting]
    assert WORDS not in export(club, "bob")


# -- by mail ----------------------------------------------------------------------------


@pytest.fixture
def post(town):
    town.join("ann", "bob")
    town.number = town.match("duel")
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def say_by_mail(post, text=WORDS):
    with db.transaction(post.engine) as session:
        matches.say(session, post.player(session, post.number, "ann"), text, now=post.time)


def plan(post):
    post.play(post.number, "ann", "5@b3")
    post.turn = post.letter("ann") if post.letters("ann") else post.turn
    post.answer(post.turn, "if 5@b2 then 6@b1")
    assert count(post.engine, Plan) == 1


def latest_text(post):
    return " ".join(text_of(post.letter("ann")).split())


@pytest.mark.parametrize("line", ["cancel", "cancel talk", "Cancel my words.", "cancel what I said", "annulla",
                                  "annulla le mie parole", "cancel message"])  # fmt: skip
def test_cancel_recalls_what_was_said_and_quotes_it(post, line):
    say_by_mail(post)
    raw = post.compose("ann@example.org", reply_address(post.turn), line, answering=post.turn)
    post.put(raw, reply_address(post.turn))
    from correspondence.inbound import mailbox

    mailbox.drain(post.engine, post.settings, now=post.time, rng=post.rng)
    assert count(post.engine, Remark) == 0
    post.deliver()
    assert "unsent" in latest_text(post)
    assert f"> {WORDS}" in latest_text(post)
    assert post.letters("bob") == []


def test_cancel_drops_the_plan_where_nothing_waits(post):
    plan(post)
    post.answer(post.turn, "cancel")
    assert count(post.engine, Plan) == 0 and "Your plan has been dropped" in latest_text(post)


@pytest.mark.parametrize(("line", "plans", "remarks"), [("cancel", 1, 0), ("cancel talk", 1, 0), ("cancel plan", 0, 1)])
def test_with_both_the_words_go_first_and_either_can_be_named(post, line, plans, remarks):
    plan(post)
    say_by_mail(post)
    from correspondence.inbound import mailbox

    raw = post.compose("ann@example.org", reply_address(post.turn), line, answering=post.turn)
    post.put(raw, reply_address(post.turn))
    mailbox.drain(post.engine, post.settings, now=post.time, rng=post.rng)
    assert (count(post.engine, Plan), count(post.engine, Remark)) == (plans, remarks)


def test_cancel_with_nothing_to_cancel_says_so(post):
    post.answer(post.turn, "cancel")
    assert "can no longer be unsent" in latest_text(post)


def test_after_five_minutes_it_is_too_late(post):
    say_by_mail(post)
    with db.transaction(post.engine) as session:
        player = post.player(session, post.number, "ann")
        assert recall.recallable(session, player, now=post.time + MERGE_WINDOW) == ()
        assert session.exec(select(Remark)).one().audience == Audience.PLAYERS
        with pytest.raises(matches.MatchError, match="can no longer be unsent"):
            recall.recall(session, player, now=post.time + MERGE_WINDOW)
