"""Play by post: who may enter a card, what the check word proves, and what the postal player learns of it."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.accounts import postal_members
from correspondence.accounts.accounts import PeopleError
from correspondence.accounts.postal_members import PostalDetails
from correspondence.clocks import vacations
from correspondence.community import data_export, erasure, member_mail, postal_contests
from correspondence.core import db
from correspondence.core.signing import signer_of
from correspondence.matchmaking import challenges, helped_challenges
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import By, Match, MemberReport, Move, PostalEntry
from correspondence.models.loading import MatchError, players_of, position_of
from correspondence.play import card_entries, check_words, helped_absence, matches, offers
from correspondence.play.check_words import CardKey, check_word, earlier_board, is_right
from engines.base import MoveError
from tests.post import text_of

PETE = PostalDetails("Pete Miller", "12 Mill Lane\nWells BA5 2PN", plays_by_post=True)


@pytest.fixture
def club(town):
    """ann and bob, who play; hilda, who helps; pete, who has no mail address and plays by post."""
    town.join("ann", "bob", "hilda")
    with db.transaction(town.engine) as session:
        postal_members.register(session, "pete", PETE, language="en", zone="UTC", helper="hilda", now=town.time)
    town.deliver()
    with db.transaction(town.engine) as session:
        postal_members.agree(session, town.person(session, "hilda"), "pete", now=town.time)
    return town


@pytest.fixture
def game(club):
    """A game of pete at the first seat against ann."""
    return club, begin(club)


def begin(town, key="proteus-dice", white="pete", black="ann", **options):
    """A match; whoever has no mail address is challenged, and their helper accepts."""
    with db.transaction(town.engine) as session:
        seek = challenges.challenge(session, town.person(session, "ann"), "pete", key, options,
                                    seat=0 if white == "ann" else 1, now=town.time)  # fmt: skip
        number = helped_challenges.accept(session, town.person(session, "hilda"), "pete", seek.id,
                                          now=town.time, rng=town.rng).id  # fmt: skip
    town.deliver()
    return number


def word(town, number, name="pete"):
    """The check word on somebody's card."""
    with db.reading(town.engine) as session:
        player = town.player(session, number, name)
        return card_entries.word_of(session, session.get(Match, number), player, town.settings.secret_key)


def enter(town, name, number, move, written=None, *, ply=None, takebacks=None):
    """What becomes of a card that somebody enters."""
    written = word(town, number) if written is None else written
    with db.transaction(town.engine) as session:
        reading = card_entries.enter_card(
            session, town.person(session, name), number, move, written, ply=ply, takebacks=takebacks,
            key=town.settings.secret_key, now=town.time,
        )  # fmt: skip
    town.deliver()
    return reading


def some_move(town, number):
    with db.reading(town.engine) as session:
        position = position_of(session.get(Match, number))
    return position.write(0, next(position.legal_moves(0)))


def entries(town):
    with db.reading(town.engine) as session:
        return session.exec(select(PostalEntry).order_by(PostalEntry.id)).all()


# -- entering a card -----------------------------------------------------------------


@pytest.mark.parametrize(("name", "is_helper"), [("ann", False), ("hilda", True)])
def test_an_opponent_and_a_helper_enter_what_stands_on_the_card(game, name, is_helper):
    town, number = game
    assert enter(town, name, number, "c3/f2=B", word(town, number).lower()).move == "c3/f2=B"
    assert town.moves(number) == ["c3/f2=B"]
    with db.reading(town.engine) as session:
        assert session.exec(select(Move.by)).one() == By.POST
    (entry,) = entries(town)
    assert (entry.ply, entry.is_helper, entry.is_refused) == (1, is_helper, False)
    assert "pete played c3/f2=B." in text_of(town.letter("ann"))


def test_the_time_of_a_card_in_the_post_counts(game):
    town, number = game
    town.time += timedelta(days=4)
    enter(town, "ann", number, "c3/f2=B")
    with db.reading(town.engine) as session:
        assert session.exec(select(Move.spent)).one() == 4 * 86_400


@pytest.mark.parametrize("name", ["bob", "pete"])
def test_nobody_else_enters_a_card(game, name):
    town, number = game
    with pytest.raises(MatchError, match="no card for you to enter|your own card"):
        enter(town, name, number, "c3/f2=B")
    assert town.moves(number) == [] and entries(town) == []


def test_a_helper_who_was_let_go_or_never_agreed_enters_nothing(game):
    town, number = game
    with db.transaction(town.engine) as session:
        postal_members.name_helper(session, town.person(session, "pete"), "bob", now=town.time)
    for name in ("hilda", "bob"):
        with pytest.raises(MatchError, match="no card for you to enter"):
            enter(town, name, number, "c3/f2=B")


def test_a_card_of_somebody_who_plays_by_mail_cannot_be_entered(club):
    number = club.match("proteus-dice", "ann", "bob")
    with pytest.raises(MatchError, match="nobody you know who plays by post"):
        enter(club, "bob", number, "c3/f2=B", "BCDF")


def test_a_move_that_is_impossible_is_refused_and_costs_no_try(game):
    town, number = game
    with pytest.raises(MoveError):
        enter(town, "ann", number, "c3/c8=Q")
    assert entries(town) == [] and town.moves(number) == []


def test_a_card_entered_from_an_old_page_is_refused(game):
    town, number = game
    enter(town, "ann", number, "c3/f2=B", ply=0, takebacks=0)
    town.play(number, "ann", "c6/a7=B")
    with pytest.raises(MoveError, match="Too late|gone on"):
        enter(town, "hilda", number, "d3-e5/a1=Y", ply=0, takebacks=0)


def test_the_same_card_is_entered_once(game):
    town, number = game
    written = word(town, number)
    enter(town, "ann", number, "c3/f2=B", written)
    with pytest.raises(MatchError, match="nobody you know who plays by post is to move"):
        enter(town, "hilda", number, "c3/f2=B", written)


@pytest.mark.parametrize("text", ["resign", "Abbandono.", "draw"])
def test_only_a_helper_ends_a_game_from_a_card(game, text):
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B")
    with db.transaction(town.engine) as session:
        matches.offer_draw(session, town.player(session, number, "ann"), now=town.time)
    with pytest.raises(MatchError, match="Only a helper can enter a resignation, a draw"):
        enter(town, "ann", number, text)
    assert town.stand(number).ended_at is None
    assert enter(town, "hilda", number, text).done
    assert town.stand(number).result == ("1/2-1/2" if text == "draw" else "0-1")
    assert entries(town)[-1].is_helper


def test_a_helper_allows_a_takeback_that_the_opponent_asks_for(game):
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B")
    with pytest.raises(MatchError):
        enter(town, "hilda", number, "takeback")
    with db.transaction(town.engine) as session:
        offers.offer_takeback(session, town.player(session, number, "ann"), now=town.time)
    with pytest.raises(MatchError, match="Only a helper can enter"):
        enter(town, "ann", number, "takeback")
    assert enter(town, "hilda", number, "takeback").done and town.moves(number) == ["c3/f2=B"]


def test_a_helper_announces_the_absence_of_whom_they_help_and_of_nobody_else(club):
    with db.transaction(club.engine) as session:
        hilda, pete = club.person(session, "hilda"), club.person(session, "pete")
        helped_absence.announce(session, hilda, "pete", 5, now=club.time)
        assert vacations.absent_until(session, pete.id, club.time) == club.time + timedelta(days=5, hours=12)
        helped_absence.end(session, hilda, "pete", now=club.time)
        assert vacations.absent_until(session, pete.id, club.time) is None
        with pytest.raises(PeopleError, match="hasn't asked you"):
            helped_absence.announce(session, hilda, "bob", 5, now=club.time)


# -- check words ---------------------------------------------------------------------


def test_a_wrong_word_plays_nothing_and_says_what_the_board_should_be(game):
    town, number = game
    wrong = "BBBB" if word(town, number) != "BBBB" else "CCCC"
    refusal = enter(town, "ann", number, "c3/f2=B", wrong).refusal
    assert f"“{wrong}” is on no card of this game" in refusal and "the position after move 0" in refusal
    assert town.moves(number) == [] and entries(town)[0].is_refused


def test_the_word_of_an_older_card_is_told_as_such(game):
    town, number = game
    old = word(town, number)
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B")
    refusal = enter(town, "ann", number, "d3-e5/a1=Y", old).refusal
    assert f"“{old}” is on an older card of pete’s, for the position after move 0" in refusal
    assert "The card must show the position after move 2" in refusal


def test_a_word_from_before_a_takeback_is_worth_nothing_although_the_board_is_the_same(game):
    town, number = game
    old = word(town, number)
    enter(town, "ann", number, "c3/f2=B", old)
    with db.transaction(town.engine) as session:
        offers.offer_takeback(session, town.player(session, number, "pete"), now=town.time)
        offers.offer_takeback(session, town.player(session, number, "ann"), now=town.time)
    assert town.moves(number) == [] and word(town, number) != old
    refusal = enter(town, "ann", number, "c3/f2=B", old).refusal
    assert "from before a move was taken back; pete needs the new card" in refusal


def test_words_cannot_be_tried_out(game):
    town, number = game
    right = word(town, number)
    wrong = next(letters for letters in ("BBBB", "CCCC") if letters != right)
    for _try in range(card_entries.MOST_TRIES):
        assert enter(town, "ann", number, "c3/f2=B", wrong).refusal
    with pytest.raises(MatchError, match="8 wrong check words in this turn"):
        enter(town, "ann", number, "c3/f2=B", right)
    assert enter(town, "hilda", number, "c3/f2=B", right).move == "c3/f2=B"
    town.play(number, "ann", "c6/a7=B")
    assert enter(town, "ann", number, some_move(town, number)).move


@given(st.text(max_size=12))
def test_any_text_is_a_right_word_or_a_wrong_one(text):
    board = CardKey(1, 0, 2, 1, "abc")
    hashes = ["a", "b", "abc"]
    assert is_right("key", board, text) == (check_words.normalised(text) == check_word("key", board))
    earlier = earlier_board("key", board, hashes, text)
    assert earlier is None or is_right("key", earlier, text)


boards = st.builds(CardKey, *[st.integers(0, 5)] * 4, st.sampled_from(["", "0a", "0b"]))


@given(boards, boards, st.sampled_from(["key", "another key"]))
def test_a_word_turns_on_the_key_and_on_everything_about_its_board(one, other, key):
    assert check_word("key", one) == check_word("key", one)
    assert len(check_word(key, one)) == 4 and set(check_word(key, one)) <= set(check_words.LETTERS)
    words = {
        check_word(
            "key",
            one,
        ),
        check_word("key", other),
    }
    assert len(words) == 1 or one != other


@pytest.mark.parametrize(
    "changed", [{"match_id": 8}, {"seat": 1}, {"ply": 6}, {"takebacks": 1}, {"hash": "01"}], ids=str
)
def test_each_part_of_a_board_changes_its_word(changed):
    board = CardKey(7, 0, 4, 0, "00")
    assert check_word("key", replace(board, **changed)) != check_word("key", board)


def test_a_word_is_not_known_without_the_key():
    board = CardKey(7, 0, 4, 0, "00")
    assert len({check_word(f"key {number}", board) for number in range(200)}) > 190


# -- what is hidden ------------------------------------------------------------------


def test_an_opponent_never_enters_where_anything_is_hidden_and_a_helper_does(club):
    number = begin(club, "plateau")
    with db.reading(club.engine) as session:
        position = position_of(session.get(Match, number))
    seat = position.to_act[0]
    if seat != 0:
        pytest.skip("pete is not to move first")
    text = position.write(seat, next(position.legal_moves(seat)))
    with pytest.raises(
        MatchError, match="Something is hidden in this game, so an opponent can never enter pete’s cards"
    ):
        enter(club, "ann", number, text)
    with pytest.raises(MatchError, match="Something is hidden"):
        enter(club, "ann", number, "nonsense", "BBBB")
    assert enter(club, "hilda", number, text).move


def test_who_helps_both_sides_enters_neither_where_anything_is_hidden(club):
    number = begin(club, "plateau")
    with db.transaction(club.engine) as session:
        ann, hilda = club.person(session, "ann"), club.person(session, "hilda")
        postal_members.save(session, ann, PETE, now=club.time)
        postal_members.name_helper(session, ann, "hilda", now=club.time)
        postal_members.agree(session, hilda, "ann", now=club.time)
    with pytest.raises(MatchError, match="you help both sides"):
        enter(club, "hilda", number, "anything")


def test_a_helper_who_plays_against_the_one_they_help_is_an_opponent(club):
    with db.transaction(club.engine) as session:
        hilda = club.person(session, "hilda")
        seek = challenges.challenge(session, hilda, "pete", "plateau", {}, rated=False, seat=1, now=club.time)
        helped_challenges.accept(session, hilda, "pete", seek.id, now=club.time, rng=club.rng)
        match = session.get(Match, 1)
        assert all(not right.sees_card for right in card_entries.rights(session, match, hilda.id))
    with pytest.raises(MatchError, match="an opponent can never enter"):
        enter(club, "hilda", 1, "anything")


# -- what is told, and contested -----------------------------------------------------


def test_a_helper_is_told_when_a_card_is_due_and_nothing_of_the_game(game):
    town, number = game
    letter = text_of(town.letter("hilda"))
    assert "pete, whom you help by post, is to move in game 1" in letter and f"/games/{number}/card" in letter
    assert word(town, number) not in letter


def test_a_postal_player_with_an_address_is_told_by_mail_what_was_entered(club):
    with db.transaction(club.engine) as session:
        postal_members.save(session, club.person(session, "bob"), PETE, now=club.time)
    number = club.match("proteus-dice", "bob", "ann")
    enter(club, "ann", number, "c3/f2=B", word(club, number, "bob"))
    text = next(text_of(one) for one in club.letters("bob") if "was entered from your card" in text_of(one))
    assert "ann entered c3/f2=B as your move 1" in " ".join(text.split())


def test_a_contested_entry_is_marked_and_reported_and_the_move_stands(game):
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    with db.transaction(town.engine) as session:
        hilda = town.person(session, "hilda")
        postal_contests.contest(session, hilda, number, 1, "It said d3.", operator="op@example.org", now=town.time)
        assert card_entries.entered_moves(session, number)[1].contested_at == town.time
        assert "It said d3." in session.exec(select(MemberReport.text)).one()
        assert [(one.entered_by, one.words) for one in postal_contests.contested_entries(session)] == [
            ("ann", "It said d3.")
        ]
    assert town.moves(number) == ["c3/f2=B"]
    with db.transaction(town.engine) as session, pytest.raises(MatchError, match="already contested"):
        postal_contests.contest_for(session, "pete", number, 1, "again", now=town.time)


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_only_the_postal_player_and_their_helper_contest(game, name):
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    with db.transaction(town.engine) as session, pytest.raises(MatchError, match="No move 1 was entered from a card"):
        postal_contests.contest(session, town.person(session, name), number, 1, "no", operator="", now=town.time)


# -- members by post -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("details", "sentence"),
    [
        (PostalDetails("", "Somewhere"), "name and the postal address"),
        (PostalDetails("Pete", " \n "), "name and the postal address"),
        (PostalDetails("P" * 41, "Somewhere"), "A card has room"),
        (PostalDetails("Pete", "x" * 41), "A card has room"),
        (PostalDetails("Pete", "a\n" * 7), "A card has room"),
    ],
)
def test_an_address_that_fits_on_no_card_is_refused(club, details, sentence):
    with db.transaction(club.engine) as session, pytest.raises(PeopleError, match=sentence):
        postal_members.save(session, club.person(session, "bob"), details, now=club.time)


def test_a_helper_must_be_another_member_who_agrees(club):
    with db.transaction(club.engine) as session:
        pete, bob = club.person(session, "pete"), club.person(session, "bob")
        for handle, sentence in (("nobody", "Nobody here"), ("pete", "That is you")):
            with pytest.raises(PeopleError, match=sentence):
                postal_members.name_helper(session, pete, handle, now=club.time)
        with pytest.raises(PeopleError, match="Only members who play by post"):
            postal_members.name_helper(session, bob, "ann", now=club.time)
        with pytest.raises(PeopleError, match="hasn't asked you"):
            postal_members.agree(session, bob, "pete", now=club.time)
        assert not postal_members.helps(session, bob.id, pete.id)


def test_somebody_can_be_asked_for_help_by_few_letters_a_day(club):
    club.join("cleo", "dora")
    with db.transaction(club.engine) as session:
        pete = club.person(session, "pete")
        for handle in ("ann", "bob"):
            postal_members.name_helper(session, pete, handle, now=club.time)
        with pytest.raises(PeopleError, match="You have asked 3 members today"):
            postal_members.name_helper(session, pete, "cleo", now=club.time)


def test_a_helper_begins_no_rated_game_with_whom_they_help(club):
    with db.transaction(club.engine) as session:
        hilda = club.person(session, "hilda")
        seek = challenges.challenge(session, hilda, "pete", "duel", {}, now=club.time)
        with pytest.raises(ChallengeError, match="you can't start a rated game"):
            helped_challenges.accept(session, hilda, "pete", seek.id, now=club.time, rng=club.rng)
    with db.transaction(club.engine) as session, pytest.raises(ChallengeError, match="you can't start a rated game"):
        helped_challenges.challenge(session, club.person(session, "hilda"), "pete", "hilda", "duel", now=club.time)


def test_a_challenge_for_somebody_by_post_has_the_pace_of_the_post(club):
    with db.transaction(club.engine) as session:
        hilda = club.person(session, "hilda")
        seek = helped_challenges.challenge(session, hilda, "pete", "bob", "duel", now=club.time)
        assert seek.time_control.bank == timedelta(days=30) and seek.person_id == club.person(session, "pete").id
        with pytest.raises(PeopleError, match="hasn't asked you"):
            helped_challenges.challenge(session, club.person(session, "ann"), "pete", "bob", "duel", now=club.time)


def test_nobody_is_told_that_a_letter_is_on_its_way_to_who_has_no_mail(club):
    with db.transaction(club.engine) as session, pytest.raises(ChallengeError, match="pete does not accept letters"):
        member_mail.write(session, club.person(session, "ann"), "pete", "Hello!", now=club.time)


def test_what_a_player_says_of_a_card_is_in_no_copy_of_the_data_of_who_entered_it(game):
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    with db.transaction(town.engine) as session:
        postal_contests.contest_for(session, "pete", number, 1, "It said d3.", now=town.time)
        numbers = {name: town.person(session, name).id for name in ("ann", "pete")}
    for name, is_told in (("ann", False), ("pete", True)):
        copy = zipfile.ZipFile(io.BytesIO(b"".join(copied(town, numbers[name]))))
        assert any(b"It said d3." in copy.read(part) for part in copy.namelist()) is is_told


def test_erasing_a_helper_leaves_the_player_and_erasing_the_player_leaves_no_address(game):
    town, number = game
    enter(town, "hilda", number, "c3/f2=B")
    with db.transaction(town.engine) as session:
        erasure.forget(session, town.person(session, "hilda"), now=town.time)
        pete = town.person(session, "pete")
        assert postal_members.helper_of(session, pete.id) is None
        assert postal_members.details_of(session, pete.id) is not None
        assert card_entries.entered_moves(session, number)[1].is_helper
        erasure.forget(session, pete, now=town.time)
        assert postal_members.details_of(session, pete.id) is None
        assert players_of(session, number)[0].person_id == pete.id


def copied(town, number):
    """The copy of a member's data, in pieces."""
    return data_export.export_chunks(town.engine, number, signer=signer_of(town.settings), now=town.time)
