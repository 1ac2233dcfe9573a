"""Puzzles: the deal of the day is the same for all and known to nobody before; results stand beside par."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from correspondence.accounts import accounts
from correspondence.core.db import reading, transaction
from correspondence.models import Match, Move
from correspondence.models.loading import position_of
from correspondence.outbound import kinds, letters
from correspondence.play import puzzles
from correspondence.web.sample_letter import sample_context
from engines import GAMES
from engines.duel_solver import solve
from engines.presentation import Presentation
from tests.post import text_of

DOOR = "play@games.example"


@pytest.fixture
def club(world):
    for handle in ("ann", "bob", "cleo"):
        world.join(handle)
    return world


def take(world, who):
    return int(world.client(who).post("/puzzles/today").location.rsplit("/", 1)[1])


def deal_of(world, number):
    with reading(world.runtime.engine) as session:
        return session.exec(select(Move.text).where(Move.match_id == number, Move.ply == 1)).one()


def solved(world, number, who):
    with reading(world.runtime.engine) as session:
        position = position_of(session.get_one(Match, number))
    for walk in solve(position).moves:
        text, position = position.write(0, walk), position.after(0, walk)
        world.play(number, who, text)


def test_the_deal_of_the_day_is_the_same_for_all_and_another_tomorrow(club):
    one, other = take(club, "ann"), take(club, "bob")
    assert one != other and deal_of(club, one) == deal_of(club, other)
    assert take(club, "ann") == one
    club.clock.go(days=1)
    assert deal_of(club, take(club, "ann")) != deal_of(club, one)


def test_another_try_at_the_same_deal_is_shown_only_to_who_is_done_with_his_own(club):
    mine, other = take(club, "ann"), take(club, "bob")
    solved(club, mine, "ann")
    faces = [f"/games/{mine}{end}" for end in ("", "/1", "/1.svg", "/1.txt", ".record", "/1/try")]
    for who in ("bob", "cleo", ""):
        answers = {path: club.client(who).get(path).status_code for path in faces}
        assert set(answers.values()) <= {404, 303}, (who, answers)
    page = club.client("bob").get("/puzzles").text
    assert "ann" in page and f'/games/{mine}"' not in page
    assert "ann" not in club.client("cleo").get("/archive").text.split("<main")[1]
    club.resign(other, "bob")
    assert {club.client("bob").get(path).status_code for path in faces} == {200}
    assert f'/games/{mine}"' in club.client("bob").get("/puzzles").text


def test_fewest_moves_stand_first_and_ones_own_stand_beside_par(club):
    mine = take(club, "ann")
    solved(club, mine, "ann")
    page = club.client("ann").get("/puzzles").text
    assert "You solved it in" in page and "deal of the day" in page
    with reading(club.runtime.engine) as session:
        (best,) = puzzles.best_results(session, club.clock().date())
        assert best.moves == session.get_one(Match, mine).ply - 1 and best.handle == "ann"


def test_there_are_no_hints_for_the_deal_of_the_day(club):
    number = take(club, "ann")
    assert "Give me a hint" not in club.client("ann").get(f"/games/{number}").text
    assert club.client("ann").post(f"/games/{number}/hint").status_code == 409


def test_a_puzzle_of_ones_choice_begins_at_once_and_a_goal_that_is_none_is_refused(club):
    assert club.client("ann").post("/puzzles", data={"option-goal": "3", "option-board": "sun"}).status_code == 303
    refused = club.client("ann").post("/puzzles", data={"option-goal": "9"})
    assert refused.status_code == 422 and 'role="alert"' in refused.text
    assert "in play" in club.client("ann").get("/puzzles").text
    assert club.client().get("/puzzles").status_code == 200
    assert club.client().post("/puzzles").status_code == 403


def test_the_deal_of_the_day_comes_by_mail(town):
    town.join("ann")
    town.agree("ann", "puzzle today")
    assert "Duel Puzzle" in text_of(town.letter("ann"))
    town.time += timedelta(minutes=1)
    town.agree("ann", "puzzle today", subject="again")
    assert "it is game 1" in text_of(town.letter("ann"))


def test_the_page_of_a_deal_hurries_nobody_and_has_notes_but_no_talk(club):
    with transaction(club.runtime.engine) as session:
        number = puzzles.start_daily(session, accounts.person_by_handle(session, "ann"), now=club.clock()).id
    page = club.client("ann").get(f"/games/{number}").text
    assert " left" not in page.partition('class="status"')[2].partition("</p>")[0] and 'class="clock"' not in page
    assert "<h2>Notes</h2>" in page and "Talk" not in page
    assert " left" not in club.client("ann").get("/games").text


def test_two_tries_at_once_are_one(club):
    with transaction(club.runtime.engine) as session:
        ann = accounts.person_by_handle(session, "ann")
        ids = {puzzles.start_daily(session, ann, now=club.clock()).id for _try in range(2)}
    assert len(ids) == 1


@pytest.mark.parametrize(
    ("presentation", "sentence"),
    [(GAMES["duel-puzzle"].presentation, "You solve this puzzle."), (Presentation(), "You play alone.")],
    ids=["the puzzle", "another game for one"],
)
def test_a_letter_of_a_game_for_one_says_what_the_game_says_its_player_does(presentation, sentence):
    game = GAMES["duel-puzzle"]
    context = sample_context(game.key, game.presentation.chapter.letter)
    context["game"] = replace(game, presentation=presentation)
    _subject, text, html = letters.render(kinds.TURN, letters.To("ann@example.org", "en"), **context)
    assert f"Game 12, {game.name}. {sentence}" in text and f"Game 12, {game.name}. {sentence}" in html
