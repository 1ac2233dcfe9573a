"""What happened to letters and mails, told to whom they concern."""

from __future__ import annotations

import pytest

from correspondence.core import db
from correspondence.models import LetterState, Scope
from correspondence.outbound import suppressions
from correspondence.outbound.delivery_log import letters_about, mails_about, outcome_sentence
from correspondence.web import mail_log
from tests.outgoing import letter
from tests.post import text_of


@pytest.mark.parametrize("state", list(LetterState))
def test_every_state_of_a_letter_is_a_sentence(state):
    assert outcome_sentence(letter(state=state, answer="250 2.0.0 queued")).strip()
    assert "451 4.3.0 busy" in outcome_sentence(letter(state=LetterState.FAILED, answer="451 4.3.0 busy"))


def test_a_suppressed_and_a_bounced_letter_say_why():
    assert "bounced: 5.1.1" in outcome_sentence(
        letter(state=LetterState.CANCELLED, answer="suppressed: bounced: 5.1.1")
    )
    assert "no longer needed" in outcome_sentence(letter(state=LetterState.CANCELLED))
    came_back = letter(state=LetterState.SENT, answer="250 OK", bounce="hard", bounce_words="5.1.1 no such user")
    assert "no such user" in outcome_sentence(came_back)


def test_no_token_is_told():
    token = "a" * 26
    assert token not in outcome_sentence(letter(state=LetterState.FAILED, answer=f"550 <b.{token}@games.example> no"))


def test_a_player_is_told_of_his_own_letters_and_mails_only(town):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), "c3/f2=B")
    town.answer(town.letter("bob"), "nonsense=", Auto_Submitted="auto-replied")
    with db.reading(town.engine) as session:
        ann, bob = (town.person(session, name).id for name in ("ann", "bob"))
        assert [one.kind for one in letters_about(session, number, ann)] == ["your turn"]
        assert [one.outcome for one in mails_about(session, number, ann)] == ["Read: played."]
        assert ["auto-submitted" in one.outcome for one in mails_about(session, number, bob)] == [True]


def test_letters_by_mail_lists_the_last_ones_and_their_state(town):
    town.join("ann", "bob")
    town.match()
    town.mail("ann@example.org", "play@games.example", "letters")
    text = text_of(town.letter("ann"))
    assert "your turn (game 1)" in text and "Accepted by the mail server" in text


@pytest.fixture
def club(world):
    for name in ("ann", "bob", "cleo"):
        world.join(name)
    world.match("duel")
    return world


def test_the_page_of_letters_is_for_the_players_each_his_own(club):
    page = club.client("ann").get("/games/1/mail").text
    assert "your turn" in page and "Waiting to be sent." in page
    assert "your turn" not in club.client("bob").get("/games/1/mail").text
    assert club.client("cleo").get("/games/1/mail").status_code == 403
    assert club.client().get("/games/1/mail").location == "/sign-in"
    assert club.client("ann").get("/games/9/mail").status_code == 404
    assert "/games/1/mail" in club.client("ann").get("/games/1").text
    assert "/games/1/mail" not in club.client("cleo").get("/games/1").text


def test_a_test_letter_begins_letters_again_and_there_are_only_so_many(club):
    with db.transaction(club.runtime.engine) as session:
        suppressions.suppress(session, "ann@example.org", Scope.ALL, "bounced: 5.1.1", now=club.clock())
    ann = club.client("ann")
    assert "Letters to you are stopped" in ann.get("/settings").text
    for _ in range(4):
        assert "on its way" in ann.post("/settings/test-letter", follow_redirects=True).text
    page = ann.get("/settings").text
    assert "The last test letter" in page and "are stopped" not in page
    assert "Please wait a little" in ann.post("/settings/test-letter", follow_redirects=True).text
    assert club.client().post("/settings/test-letter").status_code == 403


def test_log_of_a_game_is_paged_and_filtered(club, monkeypatch):
    monkeypatch.setattr(mail_log, "PAGE", 1)
    club.play(1, "ann", "5@b3")
    club.play(1, "bob", "5@b2")
    ann = club.client("ann")
    first, second = ann.get("/games/1/mail").text, ann.get("/games/1/mail?page=1").text
    assert "page=1" in first
    assert "page=2" not in second
    assert "Newer ones" in second
    assert "Mail from you" in first
    only = ann.get("/games/1/mail?show=letters").text
    assert "Mail from you" not in only and "Letters to you" in only
    assert ann.get("/games/1/mail?page=999999&show=x").status_code == 200
