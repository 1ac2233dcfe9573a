"""Letters that come back: what a report says, and that nobody is harmed by one."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.core import db
from correspondence.mime.bounces import Weight, read_answer, read_report
from correspondence.models import Address, Letter, LetterState, Scope, Suppression
from correspondence.ops.sending_sweeps import still_wanted
from correspondence.outbound import compose, outbox, suppressions
from correspondence.transport import PostError
from tests.outgoing import ScriptedPost
from tests.post import text_of
from tests.reports import complaint, dsn

GONE = ("failed", "5.1.1", "550 5.1.1 user unknown")

CASES = [
    (("failed", "5.1.1", "550 5.1.1 no such user"), Weight.HARD),
    (("failed", "5.0.0", "550 something"), Weight.HARD),
    (("failed", "5.4.4", "host not found"), Weight.HARD),
    (("failed", "5.2.2", "552 5.2.2 mailbox full"), Weight.SOFT),
    (("failed", "5.0.0", "550 over quota"), Weight.SOFT),
    (("failed", "4.4.7", "delivery time expired"), Weight.SOFT),
    (("delayed", "4.4.1", "451 try later"), Weight.SOFT),
    (("delayed", "5.1.1", "still trying"), Weight.SOFT),
    (("failed", "5.7.1", "550 5.7.1 not authorised"), Weight.BLOCK),
    (("failed", "5.0.0", "554 rejected as spam"), Weight.BLOCK),
    (("failed", "5.1.0", "550 local policy"), Weight.BLOCK),
    (("delivered", "2.0.0", "250 fine"), None),
    (("relayed", "2.0.0", "250 passed on"), None),
]


@pytest.mark.parametrize(("recipient", "weight"), CASES, ids=lambda case: str(case)[:40])
def test_a_report_is_weighed_by_its_status(recipient, weight):
    report = read_report(dsn(recipient))
    assert (report.weight if report else None) == weight


def test_the_gravest_of_several_recipients_counts():
    report = read_report(dsn(("delivered", "2.0.0", "250"), ("delayed", "4.0.0", "451"), GONE))
    assert report.weight == Weight.HARD and "user unknown" in report.words


@pytest.mark.parametrize("words", ["550 5.1.1 unknown", "553 no such mailbox"])
def test_a_refusal_in_the_conversation_is_weighed_alike(words):
    assert read_answer(words).weight == Weight.HARD
    assert read_answer(f"554 5.7.1 {words[4:]}").weight == Weight.BLOCK


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure"])
def test_not_every_feedback_is_a_complaint(kind):
    assert read_report(complaint()).weight == Weight.COMPLAINT
    assert read_report(complaint(kind)) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"From: a@b.example\n\nI am on holiday\n",
        b"Content-Type: multipart/report; boundary=x\n\nno parts",
        dsn(),
        dsn(("\xff", "?", "=?x?q?=00?=")),
        b"Content-Type: multipart/mixed; boundary=b0\n\n--b0\n" + dsn(GONE) + b"\n--b0--\n",
    ],
    ids=["empty", "holiday", "no parts", "no recipient", "odd", "within another mail"],
)
def test_what_is_no_report_says_nothing(raw):
    assert read_report(raw) is None


# -- in the service ---------------------------------------------------------------------


@pytest.fixture
def game(town):
    town.join("ann", "bob")
    return town, town.match()


def returned(town, recipient, *, letter=None, raw=None):
    """Let the newest letter to ann, or this one, come back."""
    with db.reading(town.engine) as session:
        found = select(Letter).where(Letter.recipient == "ann@example.org").order_by(Letter.id.desc())
        letter = session.get(Letter, letter) if letter else session.exec(found).first()
    to = compose.envelope_sender(letter, town.settings)
    town.put(raw or dsn(recipient, to=to), to, "")
    return letter.id, town.sweep()


def letters_to(town, name):
    with db.transaction(town.engine) as session:
        person = town.person(session, name)
        for number in range(3):
            session.add(
                Letter(
                    key=f"test:{name}:{number}:{random.random()}",
                    kind="over",
                    person_id=person.id,
                    recipient=f"{name}@example.org",
                    subject="s",
                    text="t",
                    message_id=f"x{random.random()}",
                    created_at=town.time,
                    due_at=town.time,
                )
            )
    town.deliver()
    with db.reading(town.engine) as session:
        found = select(Letter.id).where(Letter.recipient == f"{name}@example.org").order_by(Letter.id.desc())
        return list(session.exec(found.limit(3)))


def address(town, name="ann"):
    with db.reading(town.engine) as session:
        return session.exec(select(Address).where(Address.mail_key == f"{name}@example.org")).one()


def suppressed(town):
    with db.reading(town.engine) as session:
        return {(row.mail_key, row.scope.value) for row in session.exec(select(Suppression))}


def cut_off(town, name="ann"):
    with db.transaction(town.engine) as session:
        suppressions.suppress(session, f"{name}@example.org", Scope.ALL, "bounced: 5.1.1", now=town.time)


def test_a_letter_that_came_back_is_noted_and_nothing_is_answered_or_played(game):
    town, number = game
    town.received.clear()
    letter, outcome = returned(town, GONE)
    assert outcome == "done: bounce: hard"
    with db.reading(town.engine) as session:
        assert "user unknown" in session.get(Letter, letter).bounce_words
    assert address(town).bounce_score == 1
    assert town.received == []
    assert town.moves(number) == []
    assert town.stand(number).result == "*"


def test_one_letter_is_counted_once_and_delays_count_nothing(game):
    town, _number = game
    letter, _outcome = returned(town, ("delayed", "4.0.0", "451"))
    assert address(town).bounce_score == 0
    for days in range(3):
        town.time += timedelta(days=days)
        returned(town, GONE, letter=letter)
    assert address(town).bounce_score == 1 and suppressed(town) == set()


def test_two_answers_a_day_apart_that_nobody_lives_there_silence_an_address(game):
    town, _number = game
    first, second, third = letters_to(town, "ann")
    for letter in (first, second):
        returned(town, GONE, letter=letter)
        town.time += timedelta(hours=23)
    assert suppressed(town) == set() and address(town).bounce_score == 1
    town.time += timedelta(hours=1)
    returned(town, GONE, letter=third)
    assert suppressed(town) == {("ann@example.org", "all")}
    town.received.clear()
    letters_to(town, "ann")
    assert town.received == []
    with db.reading(town.engine) as session:
        last = session.exec(select(Letter).order_by(Letter.id.desc())).first()
        assert last.state == LetterState.CANCELLED and last.answer.startswith("suppressed: bounced: 5.1.1")


def test_a_verdict_on_us_never_silences_an_address(game):
    town, _number = game
    for letter in letters_to(town, "ann"):
        returned(town, ("failed", "5.7.1", "550 5.7.1 blocked"), letter=letter)
    assert suppressed(town) == set() and address(town).bounce_score == 0


def test_a_score_is_forgotten_after_thirty_days(game):
    town, _number = game
    first, second, _third = letters_to(town, "ann")
    returned(town, GONE, letter=first)
    town.time += suppressions.DECAY * 1.1
    returned(town, GONE, letter=second)
    assert address(town).bounce_score == 1 and suppressed(town) == set()


@pytest.mark.parametrize("words", ["5.2.2", "5.2.1", "5.0.0", "5.4.4", "5.7.1", "5.3.0", "5.1.7", "5.1.8", "4.1.1"])
def test_no_other_answer_silences_an_address_however_often(game, words):
    town, _number = game
    for letter in letters_to(town, "ann"):
        returned(town, ("failed", words, f"550 {words} unknown"), letter=letter)
        town.time += timedelta(days=2)
    assert suppressed(town) == set() and address(town).bounce_score == 0


def test_a_vacation_notice_to_a_bounce_address_does_not_count(game):
    town, _number = game
    note = b"From: ann@example.org\nSubject: away\nMessage-ID: <1@example.org>\n\nresign\n"
    _letter, outcome = returned(town, GONE, raw=note)
    assert outcome == "ignored: bounce: bounce-address" and address(town).bounce_score == 0


@pytest.mark.parametrize("box", ["abuse@games.example", "play@games.example"])
def test_a_complaint_silences_at_once_wherever_it_comes_in(game, box):
    town, _number = game
    with db.reading(town.engine) as session:
        letter = session.exec(select(Letter).where(Letter.recipient == "ann@example.org")).first()
    town.put(complaint(sender=compose.envelope_sender(letter, town.settings), to=box), box, "fbl@example.org")
    assert town.sweep() == "done: complaint: complaint"
    assert suppressed(town) == {("ann@example.org", "all")}


@pytest.mark.parametrize(("answer", "score"), [("550 5.1.1 unknown", 1), ("554 5.7.1 spam", 0), ("552 5.2.2 full", 0)])
def test_a_refusal_while_sending_counts_as_a_bounce(game, answer, score):
    town, number = game
    town.time += suppressions.DECAY / 30
    with db.transaction(town.engine) as session:
        letter = session.exec(select(Letter).where(Letter.recipient == "ann@example.org")).first()
        letter.state, letter.kind, letter.due_at = LetterState.QUEUED, "over", town.time
        session.add(letter)
    error = PostError(answer, permanent=True, code=int(answer[:3]))
    outbox.send_due(
        town.engine,
        ScriptedPost(error),
        town.settings,
        now=lambda: town.time,
        still_wanted=still_wanted,
        rng=random.Random(1),
    )
    assert address(town).bounce_score == score
    assert town.stand(number).result == "*"


def test_a_sign_in_letter_still_goes_out_and_its_link_opens_the_address_again(town):
    from correspondence.accounts import accounts

    town.join("ann")
    cut_off(town)
    with db.transaction(town.engine) as session:
        accounts.request_sign_in(session, "ann", now=town.time)
    town.deliver()
    assert len(town.received) == 1
    with db.transaction(town.engine) as session:
        letter = session.exec(select(Letter).where(Letter.kind == "sign_in")).one()
        accounts.sign_in(session, letter.link_token_id, now=town.time)
    assert suppressed(town) == set()


def test_nobody_loses_on_time_while_letters_do_not_arrive_but_not_for_ever(game):
    town, number = game
    town.open(number)
    cut_off(town)
    deadline = town.stand(number).deadline
    for times in (1, 2, 3):
        town.received.clear()
        town.time = town.stand(number).deadline
        town.wait(seconds=1)
        assert town.stand(number).result == "*" and (town.stand(number).deadline - deadline).days == 7 * times
        [letter] = town.letters("bob")
        assert "Our letters to ann do not arrive" in text_of(letter)
    town.time = town.stand(number).deadline
    town.wait(seconds=1)
    assert town.stand(number).result == "0-1"


def test_a_player_whom_letters_reach_loses_on_time_as_ever(game):
    town, number = game
    town.open(number)
    cut_off(town, "bob")
    town.time = town.stand(number).deadline
    town.wait(seconds=1)
    assert town.stand(number).result == "0-1"


def ann_plays_bob_and_letters_do_not_reach_her(world):
    world.join("ann")
    world.join("bob")
    world.match("duel")
    with db.transaction(world.runtime.engine) as session:
        suppressions.suppress(session, "ann@example.org", Scope.ALL, "bounced: 5.1.1", now=world.clock())


def test_the_page_tells_the_opponent_and_nobody_else(world):
    ann_plays_bob_and_letters_do_not_reach_her(world)
    assert "Letters aren't reaching ann" in world.client("bob").get("/games/1").text
    for who in ("", "ann"):
        assert "Letters aren't reaching ann" not in world.client(who).get("/games/1").text


def test_whom_letters_do_not_reach_is_told_where_he_looks_and_led_to_the_reason(world):
    ann_plays_bob_and_letters_do_not_reach_her(world)
    for path in ("/games", "/games/1"):
        assert "Letters aren't reaching you" in world.client("ann").get(path).text
        assert "Letters aren't reaching you" not in world.client("bob").get(path).text
    assert "bounced: 5.1.1" in world.client("ann").get("/settings").text
