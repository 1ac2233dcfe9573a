"""Two accounts of one member become one: what is theirs, and what follows from it."""

from __future__ import annotations

import pytest
from sqlalchemy import select as select_values
from sqlmodel import SQLModel, col, select

from correspondence.accounts import accounts
from correspondence.accounts.accounts import PeopleError
from correspondence.archive import import_export
from correspondence.community import blocking, erasure
from correspondence.community.person_keys import names_person
from correspondence.core import db
from correspondence.core.signing import check_signature, signer_of
from correspondence.matchmaking import challenges
from correspondence.models import Address, Block, Match, Person, Player, Rating, RatingChange
from correspondence.moderation.acts import ActError
from correspondence.play import matches
from correspondence.ratings import ratings
from engines.verification.checks import ClaimState, check_record
from tests.operators import act, appoint, last_act, undo
from tests.post import text_of
from tests.test_decided_results import played, standings
from tests.world import mail_world


@pytest.fixture
def club(town):
    town.join("ann", "anna", "bob", "cleo", "olga")
    appoint(town, "olga")
    return town


def merge(club, **more):
    return act(club, "merge", handle="ann", other="anna", again="anna", **more)


def ids(club, *names):
    with db.reading(club.engine) as session:
        return [club.person(session, name).id for name in names]


def test_nothing_names_the_account_that_went_but_games_of_the_two(club):
    _ann, anna = ids(club, "ann", "anna")
    club.match("duel", "anna", "bob")
    club.resign(club.match("duel", "cleo", "anna"), "cleo")
    with db.transaction(club.engine) as session:
        blocking.block(session, club.person(session, "anna"), "cleo", now=club.time)
    merge(club)
    with db.reading(club.engine) as session:
        for table in SQLModel.metadata.sorted_tables:
            for column in filter(names_person, table.columns):
                found = session.execute(select_values(table).where(column == anna)).all()
                assert found == [], (table.name, column.name)


def test_an_annulment_that_is_reversed_after_a_merger_counts_for_the_account_that_stays(club):
    number = played(club, "bob", "anna", "bob")
    annulled = act(club, "annul", game=str(number))
    merge(club)
    undo(club, annulled)
    ann, bob = ids(club, "ann", "bob")
    rows, changes = standings(club)
    assert [row[0] for row in rows if row[1] == 1] == [ann, bob]
    assert [(change[0], change[1]) for change in changes] == [(number, ann), (number, bob)]


def test_no_game_of_two_accounts_that_are_one_counts_again(club):
    number = played(club, "anna", "ann", "anna")
    annulled = act(club, "annul", game=str(number))
    merge(club)
    before = standings(club)
    with pytest.raises(ActError, match=f"The two accounts that played game {number} now belong to one member"):
        undo(club, annulled)
    assert standings(club) == before


def test_running_games_go_on_under_the_handle_that_stays_and_old_letters_address_them(club):
    number = club.match("duel", "anna", "bob")
    letter = club.letter("anna")
    merge(club)
    browser = club.client("ann")
    assert f"/games/{number}" in browser.get("/games").text and "ann" in browser.get(f"/games/{number}").text
    club.answer(letter, "3@a1")
    assert club.moves(number) == ["3@a1"]
    club.play(number, "bob", "3@b1")
    club.answer(club.letter("ann"), "5@b2")
    assert club.moves(number) == ["3@a1", "3@b1", "5@b2"]


def test_the_other_handle_leads_to_the_one_that_stays_and_can_be_taken_by_nobody(club):
    merge(club)
    assert "ann" in club.client("bob").get("/players/anna").text
    with db.transaction(club.engine) as session:
        assert accounts.person_by_handle(session, "ANNA").handle == "ann"
        seek = challenges.challenge(session, club.person(session, "bob"), "anna", "duel", {}, now=club.time)
        assert seek.opponent_id == club.person(session, "ann").id
        with pytest.raises(PeopleError, match="is taken"):
            accounts.checked_handle(session, "anna")
    assert club.client("bob").get("/partners").text.count("anna") == 0


def test_addresses_of_both_belong_to_one_and_one_of_them_is_main(club):
    merge(club)
    [ann] = ids(club, "ann")
    with db.reading(club.engine) as session:
        rows = session.exec(select(Address).where(Address.person_id == ann).order_by(col(Address.id))).all()
        assert [(row.mail, row.is_main) for row in rows] == [("ann@example.org", True), ("anna@example.org", False)]
    club.received.clear()
    club.mail("anna@example.org", "play@games.example", "games")
    assert len(club.received) == 1


def test_whoever_was_signed_in_as_the_other_is_so_no_longer(club):
    browser = club.client("anna")
    assert browser.get("/games").status_code == 200
    merge(club)
    assert browser.get("/games").status_code == 303


def test_both_are_told_at_their_own_addresses(club):
    merge(club, reason="You asked for it.")
    for name in ("ann", "anna"):
        text = " ".join(text_of(club.letters(name)[-1]).split())
        assert "merged your accounts anna and ann" in text and "| You asked for it." in text


def test_ratings_are_as_if_one_member_had_played_all(tmp_path):
    worlds = {}
    for name, one in (("two", "anna"), ("one", "ann")):
        world = mail_world(tmp_path / name)
        world.join("ann", "anna", "bob", "cleo")
        for who, other, loser in (
            ("ann", "bob", "bob"),
            (one, "cleo", "cleo"),
            ("bob", "cleo", "bob"),
            (one, "bob", one),
        ):
            played(world, loser, who, other)
        worlds[name] = world
    merge(worlds["two"])
    names = ("ann", "bob", "cleo")
    found = {}
    for name, world in worlds.items():
        with db.reading(world.engine) as session:
            people = [world.person(session, handle).id for handle in names]
            found[name] = [
                (state.games, round(state.rating, 6), round(state.deviation, 6))
                for state in ratings.ratings_of(session, people, "duel").values()
            ]
        world.close()
    assert found["two"] == found["one"]


def test_games_against_each_other_are_annulled_and_stay_with_the_departed_player(club):
    number = played(club, "anna", "ann", "anna")
    played(club, "bob", "anna", "bob")
    merge(club, reason="Two accounts of one member.")
    page = club.client("bob").get(f"/games/{number}").text
    assert club.stand(number).result == "*" and "Two accounts of one member." in page
    with db.reading(club.engine) as session:
        seats = session.exec(select(Player.person_id).where(Player.match_id == number).order_by(col(Player.seat))).all()
        assert len(set(seats)) == 2
        record = import_export.export(session, number, signer_of(club.settings), now=club.time)
        assert check_record(record, check_signature).state == ClaimState.HOLDS
    rows, changes = standings(club)
    assert [games for _person, games, *_more in rows] == [1, 1] and len(changes) == 2


def test_words_in_games_against_others_go_along(club):
    number = club.match("duel", "anna", "bob")
    with db.transaction(club.engine) as session:
        matches.say(session, club.player(session, number, "anna"), "Hello, bob.", now=club.time)
    merge(club)
    assert "Hello, bob." in club.client("ann").get(f"/games/{number}").text


def test_blocks_of_both_hold_once_and_never_between_themselves(club):
    with db.transaction(club.engine) as session:
        ann, anna, cleo = (club.person(session, name) for name in ("ann", "anna", "cleo"))
        blocking.block(session, ann, "bob", now=club.time)
        blocking.block(session, anna, "bob", now=club.time)
        blocking.block(session, cleo, "anna", now=club.time)
        blocking.block(session, anna, "ann", now=club.time)
    merge(club)
    ann, bob, cleo = ids(club, "ann", "bob", "cleo")
    with db.reading(club.engine) as session:
        pairs = [(row.person_id, row.other_id) for row in session.exec(select(Block))]
    assert sorted(pairs) == sorted([(ann, bob), (cleo, ann)])


def test_a_chain_of_mergers_leads_to_the_last(club):
    merge(club)
    act(club, "merge", handle="cleo", other="ann", again="ann")
    with db.reading(club.engine) as session:
        assert {accounts.person_by_handle(session, name).handle for name in ("ann", "anna", "cleo")} == {"cleo"}


def test_when_the_member_is_erased_no_handle_of_theirs_stays(club):
    merge(club, by="olga")
    with db.transaction(club.engine) as session:
        erasure.forget(session, club.person(session, "ann"), now=club.time)
        with pytest.raises(PeopleError, match="is taken"):
            accounts.checked_handle(session, "anna")
    with db.reading(club.engine) as session:
        assert accounts.person_by_handle(session, "anna") is None
        assert "anna" not in session.exec(select(Person.handle_key)).all()
    assert "anna" not in club.client("olga").get("/desk/acts").text


def test_it_has_no_undo(club):
    number = merge(club)
    with pytest.raises(ActError, match="cannot be reversed"):
        undo(club, number)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"handle": "ann", "other": "ann", "again": "ann"}, "one account"),
        ({"handle": "ann", "other": "anna", "again": "ann"}, "a second time"),
        ({"handle": "ann", "other": "olga", "again": "olga"}, "That is you"),
        ({"handle": "olga", "other": "ann", "again": "ann"}, "That is you"),
        ({"handle": "otto", "other": "ann", "again": "ann"}, "is an operator"),
        ({"handle": "ann", "other": "nobody", "again": "nobody"}, "Nobody here is called"),
    ],
)
def test_what_cannot_be_merged_is_refused(club, given, sentence):
    club.join("otto")
    appoint(club, "otto")
    with pytest.raises((ActError, PeopleError), match=sentence):
        act(club, "merge", by="olga", **given)
    assert last_act(club) is None


def test_a_running_game_of_the_two_must_be_annulled_first(club):
    number = club.match("duel", "ann", "anna")
    with pytest.raises(ActError, match=f"They play game {number} against each other"):
        merge(club)
    act(club, "annul", game=str(number))
    merge(club)
    with db.reading(club.engine) as session:
        assert (
            session.exec(select(Person).where(col(Person.merged_into_id).is_not(None))).one().departed_at == club.time
        )
        assert session.exec(select(Rating)).all() == session.exec(select(RatingChange)).all() == []
        assert session.get_one(Match, number).result == "*"
