"""Invitations, the directory and letters between members: people meet, and no address is told to anybody."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts.accounts import PeopleError
from correspondence.clocks import vacations
from correspondence.community import directory, member_mail
from correspondence.core import db
from correspondence.matchmaking import counteroffers, invitations
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Block, Letter, Seek, SeekState
from tests.club import challenge, matches_of, pair, seek, take, why
from tests.post import text_of


@pytest.fixture
def club(town):
    town.join("ann", "bob", "cleo")
    return town


def act(town, use_case, name, *given, **more):
    with db.transaction(town.engine) as session:
        done = use_case(session, town.person(session, name), *given, now=town.time, **more)
    town.deliver()
    return done


def invite(town, name, address="", **conditions):
    return act(town, invitations.invite, name, address, "duel", {}, conditions)


def accept(town, name, token):
    return act(town, invitations.accept, name, token.id, rng=town.rng)


def letters_to(town, address):
    return [letter for letter in town.received if str(letter["To"]) == address]


def block(town, who, whom):
    with db.transaction(town.engine) as session:
        one, other = town.person(session, who), town.person(session, whom)
        session.add(Block(person_id=one.id, other_id=other.id, since=town.time))


# -- invitations -----------------------------------------------------------------------


def test_a_link_opened_five_weeks_later_still_begins_the_game_and_once_only(club):
    token = invite(club, "ann")
    club.time += timedelta(weeks=5)
    accept(club, "bob", token)
    assert len(matches_of(club)) == 1
    with pytest.raises(PeopleError, match="no longer works"):
        accept(club, "cleo", token)


def test_a_link_too_old_withdrawn_or_from_somebody_blocked_says_the_same(club):
    token = invite(club, "ann", days="10")
    block(club, "ann", "cleo")
    with pytest.raises(PeopleError, match="no longer works"):
        accept(club, "cleo", token)
    club.time += timedelta(days=10)
    with pytest.raises(PeopleError, match="no longer works"):
        accept(club, "bob", token)


def test_nobody_accepts_his_own_invitation(club):
    with pytest.raises(ChallengeError, match="your own"):
        accept(club, "ann", invite(club, "ann"))


def test_an_address_gets_one_letter_in_a_quarter_whoever_invites(club):
    for name, seat in (("ann", "any"), ("bob", "any"), ("ann", "black")):
        invite(club, name, "Friend@Elsewhere.example", seat=seat)
        club.wait(days=1)
    invite(club, "ann", "friend@elsewhere.example", seat="white")
    assert len(letters_to(club, "Friend@elsewhere.example")) == 1
    club.time += 2 * invitations.QUARTER
    invite(club, "ann", "friend@elsewhere.example")
    assert len(letters_to(club, "friend@elsewhere.example")) == 1


def test_who_answered_stop_is_never_invited(club):
    invite(club, "ann", "friend@elsewhere.example")
    club.answer(letters_to(club, "friend@elsewhere.example")[0], "stop")
    club.received.clear()
    club.time += 3 * invitations.QUARTER
    invite(club, "bob", "friend@elsewhere.example")
    assert letters_to(club, "friend@elsewhere.example") == []


def test_the_inviter_cannot_tell_a_member_from_a_stranger(club):
    seen = []
    for address in ("bob@example.org", "nobody@example.org"):
        club.received.clear()
        letter = challenge_letter(club)
        club.answer(letter, f"invite {address} duel 3 days")
        seen.append(re.sub(r"/t/\w+|\d\d:\d\d|\b[0-9a-f]{64}\b|words \d+", "", text_of(club.letter("ann"))))
    assert seen[0] == seen[1] and "pass this link on" in seen[0]
    assert "Or reply with the word accept" in text_of(club.letter("bob")) if club.letters("bob") else True


def test_a_game_to_which_a_letter_invites_may_be_unrated(club):
    club.answer(challenge_letter(club), "invite bob@example.org duel unrated")
    with db.reading(club.engine) as session:
        assert session.exec(select(Seek.rated).where(Seek.is_private)).one() is False


def challenge_letter(town):
    """A letter to ann under whose token she can write."""
    town.mail("ann@example.org", "play@games.example", "settings")
    return town.letter("ann")


def test_a_from_line_alone_invites_nobody(club):
    club.mail("ann@example.org", "play@games.example", "invite friend@elsewhere.example duel")
    assert "A mail in your name asks" in text_of(club.letter("ann"))
    assert letters_to(club, "friend@elsewhere.example") == []
    club.answer(club.letter("ann"), "yes")
    assert len(letters_to(club, "friend@elsewhere.example")) == 1


def test_a_stranger_joins_and_accepts_all_by_mail(club):
    invite(club, "ann", "friend@elsewhere.example")
    letter = letters_to(club, "friend@elsewhere.example")[0]
    club.answer(letter, "join fred")
    club.answer(letters_to(club, "friend@elsewhere.example")[-1], "yes")
    club.answer(letter, "accept")
    assert {*matches_of(club)[0][1:]} == {"ann", "fred"}


def test_invitations_are_few_a_day(club):
    for _time in range(invitations.INVITATIONS_A_DAY):
        invite(club, "ann")
    with pytest.raises(ChallengeError, match="today"):
        invite(club, "ann")


def test_an_invitation_is_in_no_list_and_cannot_be_taken_by_number(club):
    invite(club, "ann")
    with pytest.raises(ChallengeError, match="no open seek"):
        take(club, "bob", club.offer())
    club.mail("bob@example.org", "play@games.example", f"seeks\naccept {club.offer()}")
    assert "Nobody is looking" in text_of(club.letter("bob"))
    club.answer(club.letter("bob"), "yes")
    assert f"no open seek number {club.offer()}" in text_of(club.letter("bob")) and matches_of(club) == []


# -- counter-offers, rematches, withdrawing ----------------------------------------------


def test_a_counter_offer_goes_back_to_be_accepted(club):
    number = challenge(club, "ann", "bob")
    club.answer(club.letter("bob"), "counter board=sun 3 days seat=white")
    letter = club.letter("ann")
    assert "counter-offer" in text_of(letter) and "You would play Black" in text_of(letter)
    club.answer(letter, "accept")
    assert matches_of(club) == [("duel", "ann", "bob")]
    with db.reading(club.engine) as session:
        assert session.get(Seek, number).state == SeekState.DECLINED
        assert "board=sun" in session.exec(select(Seek).where(Seek.answers_id == number)).one().options


def test_a_counter_offer_that_changes_nothing_is_refused(club):
    challenge(club, "ann", "bob")
    club.answer(club.letter("bob"), "counter board=ring")
    assert f"exactly what challenge {club.offer()} offers" in text_of(club.letter("bob"))


def test_a_rematch_exchanges_seats_and_two_who_both_ask_begin_at_once(club):
    number = take(club, "bob", seek(club, "ann", seat="black"))
    club.agree("ann", f"rematch {number}")
    assert "still in play" in text_of(club.letter("ann"))
    club.resign(number, "bob")
    club.answer(club.letter("ann"), "rematch")
    assert "colours swapped" in text_of(club.letter("bob"))
    act(club, counteroffers.rematch, "bob", number, rng=club.rng)
    assert matches_of(club) == [("duel", "ann", "bob"), ("duel", "bob", "ann")]


def test_a_challenge_to_oneself_to_somebody_gone_or_blocked_is_a_sentence(club):
    with pytest.raises(ChallengeError, match="cannot challenge yourself"):
        challenge(club, "ann", "ann")
    block(club, "bob", "ann")
    with pytest.raises(ChallengeError, match="does not want to play"):
        challenge(club, "ann", "bob")
    with db.transaction(club.engine) as session:
        session.delete(session.exec(select(member_mail.letters.Address).where(
            member_mail.letters.Address.person_id == club.person(session, "cleo").id)).one())  # fmt: skip
    with pytest.raises(ChallengeError, match="no longer plays here"):
        challenge(club, "ann", "cleo")


def test_who_challenges_somebody_away_reads_when_he_will_be_back(club):
    go_away(club, "bob")
    club.agree("ann", "challenge bob duel 3 days")
    answer = " ".join(text_of(club.letter("ann")).split())
    assert "bob has been asked to play Duel with you" in answer and WAITS in answer
    assert "ann challenges you" in text_of(club.letter("bob"))
    club.answer(club.letter("bob"), "accept")
    assert matches_of(club) == [("duel", "ann", "bob")] or matches_of(club) == [("duel", "bob", "ann")]


def test_who_answers_with_another_offer_or_wants_a_rematch_reads_of_the_absence_too(club):
    challenge(club, "bob", "ann")
    game = take(club, "bob", seek(club, "ann", seat="black"))
    club.resign(game, "ann")
    go_away(club, "bob")
    club.answer(next(one for one in club.letters("ann") if "challenges you" in text_of(one)), "counter 3 days")
    assert WAITS in " ".join(text_of(club.letter("ann")).split())
    club.agree("ann", f"rematch {game}")
    assert WAITS in " ".join(text_of(club.letter("ann")).split())


WAITS = "bob is away until Friday 27 November; your challenge waits."


def go_away(town, name, days=5, begins=None):
    with db.transaction(town.engine) as session:
        person = town.person(session, name)
        person.vacation_hours_left = 240
        vacations.announce(session, person, days, now=town.time, begins=begins)


def come_back(town, name):
    with db.transaction(town.engine) as session:
        vacations.come_back(session, town.person(session, name), now=town.time)


def test_a_seek_rests_while_its_seeker_is_away_and_is_taken_when_he_is_back(club):
    number = seek(club, "bob")
    go_away(club, "bob")
    sentence = "bob is away until Friday 27 November; this seek is paused until then."
    assert why(club, "ann", number) == [f"- {sentence}"]
    club.agree("ann", f"accept {number}")
    assert sentence in " ".join(text_of(club.letter("ann")).split())
    club.mail("bob@example.org", "play@games.example", "seeks")
    assert "it is paused until Friday 27 November, while you are away" in " ".join(text_of(club.letter("bob")).split())
    seek(club, "ann")
    assert pair(club) == 0 and matches_of(club) == []
    come_back(club, "bob")
    assert pair(club) == 1 and {*matches_of(club)[0]} == {"duel", "ann", "bob"}


@pytest.mark.parametrize("days", [1, 5])
def test_nobody_is_paired_while_away_and_whoever_is_back_by_the_calendar_is(club, days):
    seek(club, "bob", pair="yes")
    go_away(club, "bob", days)
    seek(club, "ann", pair="yes")
    assert pair(club) == 0
    club.time += timedelta(days=days, hours=12)
    assert pair(club) == 1


def test_who_is_away_opens_a_seek_that_rests_and_takes_none(club):
    go_away(club, "bob")
    other = seek(club, "ann")
    club.agree("bob", "seek duel")
    answer = " ".join(text_of(club.letter("bob")).split())
    assert "is open until" in answer
    assert "You are away until Friday 27 November; your seeks are paused until then." in answer
    assert matches_of(club) == []
    club.agree("bob", f"accept {other}")
    assert "You're on leave; write back, or end your leave, to play." in text_of(club.letter("bob"))
    assert matches_of(club) == []


def test_an_absence_to_come_hinders_nobody(club):
    go_away(club, "bob", begins=club.time + timedelta(days=2))
    number = seek(club, "bob")
    assert why(club, "ann", number) == ["+ Anyone can take it."]
    assert take(club, "ann", number)


def test_an_invitation_can_be_accepted_while_the_inviter_is_away(club):
    invited = invite(club, "bob")
    go_away(club, "bob")
    accept(club, "ann", invited)
    assert {*matches_of(club)[0]} == {"duel", "ann", "bob"}


# -- seeks by mail ---------------------------------------------------------------------


def test_the_second_journey_by_mail(club):
    """Two games, a reliability, no opponent twice; blocked people never see it."""
    club.join("dan")
    block(club, "ann", "dan")
    wish = "seek proteus-dice games=2 48 h + 24 h reliability=80 again=never"
    club.agree("ann", wish)
    assert "is open until" in text_of(club.letter("ann"))
    club.mail("bob@example.org", "play@games.example", "seeks")
    assert f"{club.offer()}. ann: Proteus with dice, 2 days, and 1 day more" in text_of(club.letter("bob"))
    assert "you qualify" in text_of(club.letter("bob")) and "so you qualify" in text_of(club.letter("bob"))
    club.agree("bob", f"accept {club.offer()}")
    club.agree("bob", f"accept {club.offer()}")
    assert "a new opponent each time, and you two have already played" in text_of(club.letter("bob"))
    club.mail("dan@example.org", "play@games.example", f"seeks\naccept {club.offer()}")
    assert "Nobody is looking" in text_of(club.letter("dan"))
    club.answer(club.letter("dan"), "yes")
    assert f"no open seek number {club.offer()}" in text_of(club.letter("dan"))
    club.agree("cleo", f"accept {club.offer()}")
    assert len(matches_of(club)) == 2


@pytest.mark.parametrize("line", ["seek duel -3 days", "seek duel rating=1800-1400", "seek duel games=2 standing=2",
                                  "renew 99", "withdraw 99", "accept 99", "rematch 99", "counter 99 board=sun",
                                  "seek duel board=moon", "renew"])  # fmt: skip
def test_what_cannot_be_is_answered_with_a_sentence(club, line):
    assert club.agree("ann", line) == "done: refused"
    assert len(text_of(club.letter("ann")).split()) > 10


# -- directory and letters ---------------------------------------------------------------


def listed(town, reader):
    with db.reading(town.engine) as session:
        return {
            entry.handle: entry
            for entry in directory.directory(session, town.person(session, reader).id, now=town.time)
        }


def test_the_directory_shows_what_each_chose_and_blocked_people_do_not_see_each_other(club):
    assert set(listed(club, "ann")) == {"ann", "bob", "cleo"} and listed(club, "ann")["bob"].mail == ""
    act_show(club, "bob", directory.DirectoryPreferences(shows_mail=True, games=("duel",), languages=("it",)))
    act_show(club, "cleo", directory.DirectoryPreferences(shows_handle=False))
    assert listed(club, "ann")["bob"].mail == "bob@example.org" and "cleo" not in listed(club, "ann")
    block(club, "bob", "ann")
    assert set(listed(club, "ann")) == {"ann"} and "ann" not in listed(club, "bob")


def act_show(town, name, shown):
    with db.transaction(town.engine) as session:
        directory.save_preferences(session, town.person(session, name), shown)


@pytest.mark.parametrize("shown", [
    directory.DirectoryPreferences(shows_post=True), directory.DirectoryPreferences(shows_handle=False, shows_mail=True),
    directory.DirectoryPreferences(games=("chess",)),
    directory.DirectoryPreferences(post="x" * 500), directory.DirectoryPreferences(languages=("klingon",)),
], ids=["no address", "no name", "no such game", "too long", "no such language"])  # fmt: skip
def test_what_cannot_be_shown_is_refused(club, shown):
    with pytest.raises(ChallengeError):
        act_show(club, "ann", shown)


def test_members_write_and_answer_through_us_and_no_address_is_told(club):
    club.answer(challenge_letter(club), "write bob: Dear Bob,\nshall we play Plateau?\nmail me: ann@example.org")
    letter = club.letter("bob")
    assert "shall we play Plateau?" in text_of(letter) and "ann@example.org" not in letter.as_string()
    club.answer(letter, "Gladly! c3 is my favourite square.")
    back = club.letter("ann")
    assert "Gladly! c3 is my favourite" in text_of(back) and "bob@example.org" not in back.as_string()
    club.answer(back, "Then challenge me.")
    assert "Then challenge me." in text_of(club.letter("bob"))


def test_letters_to_members_are_few_and_only_to_those_who_take_them(club):
    for _time in range(member_mail.TO_ONE_A_WEEK):
        act(club, member_mail.write, "ann", "bob", "hello")
    with pytest.raises(ChallengeError, match="already this week"):
        act(club, member_mail.write, "ann", "bob", "hello")
    with pytest.raises(ChallengeError, match="to yourself"):
        act(club, member_mail.write, "ann", "ann", "hello")
    act_show(club, "cleo", directory.DirectoryPreferences(takes_letters=False))
    with pytest.raises(ChallengeError, match="does not accept letters"):
        act(club, member_mail.write, "ann", "cleo", "hello")
    block(club, "bob", "cleo")
    with pytest.raises(ChallengeError, match="does not accept letters"):
        act(club, member_mail.write, "cleo", "bob", "hello")
    with db.reading(club.engine) as session:
        assert len(session.exec(select(Letter).where(Letter.kind == "contact")).all()) == member_mail.TO_ONE_A_WEEK
