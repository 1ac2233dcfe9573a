"""A whole tournament by mail: made, entered, played to the end, left, and organised."""

from __future__ import annotations

import re

import pytest
from sqlalchemy.orm import make_transient

from correspondence.core import db
from correspondence.features.tournaments.tables import TournamentState
from correspondence.models import Seek, SeekState
from tests.club import row, seek
from tests.post import reply_address, text_of
from tests.tournaments import games, run_sweep, stand, table
from tests.world import mail_world

PLAY = "play@games.example"


@pytest.fixture
def club(tmp_path):
    club = mail_world(tmp_path)
    club.join("ann", "bob", "cleo", "dan")
    yield club
    club.close()


def say(club, name, body):
    """Write to the open address, agree to what is proposed, and return the last letter's text."""
    club.agree(name, body)
    return text_of(club.letter(name))


def test_tournament_is_made_entered_and_shown_by_mail(club):
    answer = say(
        club, "ann", 'tournament new round-robin duel players=3 name="Autumn cup" about="For all" 3 days unrated'
    )
    assert "https://games.example/tournaments/1" in answer and "Autumn cup" in answer
    assert "enter 1" in say(club, "bob", "tournaments")
    for name in ("ann", "bob"):
        assert "You are in tournament 1, Autumn cup." in say(club, name, "enter 1")
    assert "2 entrants" in say(club, "ann", "tournament 1")
    say(club, "cleo", "enter 1")
    assert stand(club, 1).state is TournamentState.RUNNING and not stand(club, 1).rated
    answer = say(club, "ann", "tournament 1")
    assert "is being played" in answer and "To leave, write: withdraw 1" in answer.replace("\n", " ")


def test_whole_tournament_is_played_by_mail(club):
    say(club, "ann", "tournament new round-robin duel players=3")
    for name in ("ann", "bob", "cleo"):
        say(club, name, "enter 1")
    for game, loser, _other in games(club, 1):
        first = next(one for one in club.letters(loser) if f"[Game {game} " in one["Subject"])
        club.answer(first, "resign")
        club.answer(club.letter(loser), "yes")
        run_sweep(club)
    assert stand(club, 1).state is TournamentState.FINISHED
    assert {line[3] for line in table(club, 1)} == {2}
    assert re.search(r"you have come \d of 3\. First: ", " ".join(text_of(club.letter("bob")).split()))


def test_withdraw_bye_and_refusals_by_mail(club):
    say(club, "ann", "tournament new swiss duel players=8")
    assert "needs" not in say(club, "bob", "enter 1")
    assert "You are in tournament 1 already." in say(club, "bob", "enter 1")
    assert "You sit out round 1 of tournament 1" in say(club, "bob", "bye 1")
    assert "that is possible once" in " ".join(say(club, "bob", "bye 1").split())
    assert "You have withdrawn from tournament 1." in say(club, "bob", "withdraw 1")
    assert "There is no tournament 9 here." in say(club, "bob", "enter 9")
    assert "league duel enter" in " ".join(say(club, "bob", "tournament new league duel").split())


def test_number_of_an_offer_and_of_a_tournament_is_asked_about(club):
    number = seek(club, "bob")
    with db.transaction(club.engine) as session:
        offer = session.get_one(Seek, number)
        make_transient(offer)
        offer.id = 1
        session.add(offer)
    say(club, "ann", "tournament new swiss duel players=8")
    say(club, "bob", "enter 1")
    answer = " ".join(say(club, "bob", "withdraw 1").split())
    assert "withdraw seek 1" in answer and "withdraw tournament 1" in answer
    assert "You have withdrawn from tournament 1." in say(club, "bob", "withdraw tournament 1")
    assert "Number 1 has been withdrawn." in say(club, "bob", "withdraw 1")
    assert row(club, 1).state == SeekState.WITHDRAWN


def test_organiser_acts_by_mail(club):
    say(club, "ann", "tournament new swiss duel players=8")
    say(club, "bob", "enter 1")
    assert "gets a letter" in say(club, "ann", "tournament 1 announce We begin soon.")
    assert "We begin soon." in text_of(club.letter("bob"))
    assert "Only the organiser" in say(club, "bob", "tournament 1 close")
    assert "There is more time now" in say(club, "ann", "tournament 1 extend 7")
    assert "bob has been removed" in say(club, "ann", "tournament 1 remove bob He asked for it.")
    assert "He asked for it." in text_of(club.letter("bob"))
    assert "is called off" in say(club, "ann", "tournament 1 call off")
    assert stand(club, 1).state is TournamentState.CALLED_OFF


def test_help_explains_tournaments(club):
    answer = say(club, "ann", "help tournaments")
    assert "tournament new round-robin duel players=8" in answer and "withdraw 5" in answer


def test_letters_about_tournaments_are_stopped_without_withdrawing(club):
    say(club, "ann", "tournament new round-robin duel players=3")
    for name in ("ann", "bob", "cleo"):
        say(club, name, "enter 1")
    letter = next(one for one in club.letters("bob") if "[Tournament 1]" in one["Subject"])
    assert reply_address(letter)
    stop = re.search(r"https://games\.example(/\S+)", letter["List-Unsubscribe"])[1].rstrip(">,")
    assert club.client().post(stop, data={"List-Unsubscribe": "One-Click"}).status_code in (200, 303)
    say(club, "ann", "tournament 1 announce Hello")
    assert not any("announce" in text_of(one) for one in club.letters("bob"))
    assert len(games(club, 1)) == 3
