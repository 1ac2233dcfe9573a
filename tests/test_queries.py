"""What pages read: lists in their order, and nothing that the reader may not know."""

from __future__ import annotations

import random

import pytest

from correspondence.accounts import web_sessions
from correspondence.accounts.accounts import person_by_handle
from correspondence.community.directory import directory
from correspondence.core.db import reading, transaction
from correspondence.matchmaking import challenges as pairing
from correspondence.models import By, Person
from correspondence.play import matches
from correspondence.queries.open_challenges import challenges_of
from correspondence.queries.profiles import member_rows
from correspondence.queries.queries import (
    PAGE,
    acting_position,
    archive,
    game_view,
    games_of,
    next_game,
    player_of,
)
from correspondence.queries.visitors import link_purpose, member
from correspondence.ratings.finished_games import finished_games
from correspondence.render.viewer_game import check_move, marks_between, touch_tree
from engines import GAMES
from engines.record import draw_lots
from tests.games import CASES

ANN, BOB, CLEO = 1, 2, 3


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


def read(world, query, *args, **more):
    with reading(world.runtime.engine) as session:
        return query(session, *args, **more)


def test_my_games_come_the_most_urgent_first(club):
    late = club.match("duel")
    club.clock.go(hours=-30)
    urgent = club.match("duel", "ann", "cleo")
    club.clock.go(hours=31)
    waiting = club.match("duel", "bob", "ann")
    assert [card.number for card in read(club, games_of, ANN)] == [urgent, late, waiting]
    assert read(club, next_game, ANN, except_id=urgent) == late
    assert read(club, next_game, BOB, except_id=waiting) is None


def test_a_member_knows_how_many_games_wait(club):
    club.match("duel"), club.match("duel", "ann", "cleo"), club.match("duel", "bob", "ann")
    with transaction(club.runtime.engine) as session:
        key = web_sessions.begin(session, person_by_handle(session, "ann"), now=club.clock())
    assert read(club, member, key, now=club.clock()).waiting == 2
    assert read(club, member, f"{key}x", now=club.clock()) is None and read(club, member, ANN, now=club.clock()) is None


def test_the_archive_is_newest_first_and_filtered(club):
    numbers = [club.match("duel"), club.match("plateau", "bob", "cleo"), club.match("duel", "cleo", "ann")]
    for number, loser in zip(numbers, ("ann", "cleo", "cleo"), strict=True):
        club.clock.go(hours=1)
        club.resign(number, loser)
    listed = [card.number for card in read(club, archive)]
    assert listed == numbers[::-1]
    assert [card.number for card in read(club, archive, before=numbers[1])] == [numbers[0]]
    assert [card.number for card in read(club, archive, player="ANN")] == [numbers[2], numbers[0]]
    assert [card.number for card in read(club, archive, game="plateau")] == [numbers[1]]
    assert [card.number for card in read(club, archive, result="0-1")] == [numbers[2], numbers[0]]
    assert read(club, archive, player="nobody") == ()


def test_a_page_of_the_archive_ends_where_the_next_begins(club):
    for _game in range(PAGE + 3):
        club.resign(club.match("duel"), "ann")  # all at the same moment: the number decides
    first = read(club, archive)
    assert len(first) == PAGE + 1
    second = read(club, archive, before=first[PAGE - 1].number)
    assert [card.number for card in second] == [3, 2, 1]


def test_a_profile_counts_won_lost_and_drawn(club):
    club.resign(club.match("duel"), "ann")
    club.resign(club.match("duel", "bob", "ann"), "bob")
    club.match("plateau", "ann", "cleo")
    with reading(club.runtime.engine) as session:
        ann = club.person(session, "ann")
        seen = member_rows(session, ann, finished_games(session, ann.id, now=club.time)).profile
    assert seen.tally == (("duel", "Duel", 1, 1, 0),)
    assert len(seen.playing) == seen.running == 1 and len(seen.finished) == seen.games == 2


def test_the_directory_goes_by_handle(club):
    club.match("duel")
    assert [(p.handle, p.in_play) for p in read(club, directory, 1, now=club.time)] == [
        ("ann", 1),
        ("bob", 1),
        ("cleo", 0),
    ]


def test_a_table_is_seen_as_its_viewer_may_see_it(club):
    number = club.match("plateau")
    club.play(number, "ann", "+b1 xx,rb", comment="between us")
    own, other, onlooker = (read(club, game_view, number, person) for person in (ANN, BOB, CLEO))
    assert (own.card.viewer, other.card.viewer, onlooker.card.viewer) == (0, 1, None)
    assert own.lines[0].text == "+b1 xx,rb"
    assert other.lines[0].text == onlooker.lines[0].text == "+b1 ??,r?"
    assert other.talk[0].text == "between us" and onlooker.talk == ()
    assert own.scene.rows != other.scene.rows and other.scene.rows == onlooker.scene.rows
    club.resign(number, "bob")
    assert read(club, game_view, number, None).lines[0].text == "+b1 xx,rb"


def test_sealed_choices_and_words_with_them_stay_sealed_until_all_are_in(club):
    number = club.match("proteus-dice", wall_street="secret")
    club.play(number, "ann", "setup PPPPPPPQ", comment="a surprise, ha")
    hidden = read(club, game_view, number, BOB)
    assert hidden.lines[-1].text == "setup ????????"
    assert hidden.lines[-1].comment == ""
    assert not hidden.scene.marks
    club.play(number, "bob", "setup PPPPPPPQ")
    assert "a surprise, ha" in [remark.text for remark in read(club, game_view, number, BOB).talk]


def test_there_is_no_table_where_there_is_no_match_or_no_such_ply(club):
    number = club.match("duel")
    assert read(club, game_view, 99, None) is None
    assert read(club, game_view, number, None, 1) is None
    assert read(club, game_view, number, None, 0).is_latest


def test_only_who_is_to_act_stands_anywhere(club):
    number = club.match("duel")
    assert read(club, acting_position, number, ANN).seat == 0
    assert read(club, acting_position, number, BOB) is None
    assert read(club, acting_position, number, None) is None


def test_challenges_are_told_to_both_sides(club):
    with transaction(club.runtime.engine) as session:
        pairing.challenge(session, session.get_one(Person, ANN), "bob", "duel", {}, seat=1, now=club.clock())
    to_ann, from_ann = read(club, challenges_of, ANN, now=club.clock())
    assert to_ann == () and from_ann[0].opponent == "bob"
    assert read(club, challenges_of, BOB, now=club.clock())[0][0].seat_name == "White"


def test_an_unknown_or_old_link_asks_nothing(club):
    assert read(club, link_purpose, 9999, now=club.clock()) is None
    assert read(club, link_purpose, None, now=club.clock()) is None


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_tree_of_touches_leads_to_every_move(case):
    position = draw_lots(case.start(), random.Random(2))[0]
    seat = position.to_act[0]
    texts = {position.view(seat).write(seat, move) for move in position.view(seat).legal_moves(seat)}
    assert set(leaves(touch_tree(position, seat))) == texts


def leaves(tree):
    for branch in tree.values():
        yield from leaves(branch) if isinstance(branch, dict) else [branch]


def test_a_verdict_shows_a_move_without_playing_it(club):
    number = club.match("proteus-dice")
    position = read(club, acting_position, number, ANN).position
    good = check_move(position, 0, "c3/f2=B")
    assert (good.state, good.text) == ("good", "c3/f2=B") and good.picture.startswith("<svg")
    assert good.words == "White pawn from c1 to c3; White pawn on f2 becomes White bishop"
    assert check_move(position, 0, "c3").state == "unfinished"
    wrong = check_move(position, 0, "c9")
    assert wrong.state == "wrong" and wrong.sentence.endswith((".", "?"))


def test_nobody_peeks_by_having_a_move_read(club):
    number = club.match("plateau")
    club.play(number, "ann", "+b1 xx,rb")
    position = read(club, acting_position, number, BOB).position
    assert check_move(position, 1, "+c3 xx,rb").picture == ""


def test_a_capture_is_marked_where_it_happened():
    game = GAMES["proteus-dice"]
    start = game.start(game.Options())
    after = start.play(0, start.read(0, "c3/f2=B"))
    kinds = {mark.cell: mark.kind for mark in marks_between(start.draw(), after.draw(), ("c1", "c3", "f2"))}
    assert kinds == {"c1": "from", "c3": "to", "f2": "turned"}


def test_player_rows_are_found_for_use_cases(club):
    number = club.match("duel")
    with transaction(club.runtime.engine) as session:
        player = player_of(session, number, ANN)
        matches.make_move(session, player, "5@b3", now=club.clock(), by=By.WEB)
    assert read(club, player_of, number, CLEO) is None
