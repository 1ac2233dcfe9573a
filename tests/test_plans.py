"""Conditional moves by mail: what is foreseen is answered at once, nobody else sees it, and its owner is told."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.community import blocking, erasure
from correspondence.core import db, tokens
from correspondence.fairness import heads
from correspondence.matchmaking import challenges
from correspondence.models import By, Match, Move, Plan, PlanStop
from correspondence.models.loading import MatchError, moves_of, position_of
from correspondence.play import chat, matches, offers
from correspondence.play.conditional import disclosure, line_reading, plan_commands, plans, syntax
from correspondence.play.conditional.syntax import PlanError, read_lines
from correspondence.play.lookahead import try_step
from engines import GAMES
from engines.base import MoveError
from engines.options import read_options
from tests.post import text_of
from tests.tables import START

ANNS = "if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y, if Bhxf2/a7=N then Bxf2/c3=Y"
BOBS = "if h4/d2=B then Bxh4/a7=B, if c3/e1=Y then Bhxf2/a7=N"
GAME = ["a3/g1=B", "e6/d8=B", "h4/d2=B", "Bxh4/a7=B", "c3/e1=Y", "Bhxf2/a7=N", "Bxf2/c3=Y"]


@pytest.fixture
def table(town):
    """Ann has moved and waits; Bob is to answer."""
    town.join("ann", "bob")
    town.number = town.match()
    town.play(town.number, "ann", "a3/g1=B")
    return town


def plan(town, name, text, **more):
    with db.transaction(town.engine) as session:
        return plan_commands.enter(session, town.player(session, town.number, name), text, now=town.time, **more)


def shown(town, name):
    with db.reading(town.engine) as session:
        return plan_commands.plan_view(session, town.player(session, town.number, name))


def act(town, use_case, name, *args, **more):
    with db.transaction(town.engine) as session:
        return use_case(session, town.player(session, town.number, name), *args, now=town.time, **more)


def entries(town):
    with db.reading(town.engine) as session:
        return moves_of(session, town.number)


def stop_of(town, name):
    with db.reading(town.engine) as session:
        found = plans.plan_of(session, town.number, town.person(session, name).id)
        return None if found is None else found.stop


# -- journey: conditional trees ------------------------------------------------------


def test_both_armed_one_arrival_triggers_five_plies_each_stamped_and_logged_and_one_mail_each(table):
    plan(table, "ann", ANNS)
    table.wait(hours=5)
    table.received.clear()
    table.play(table.number, "bob", "e6/d8=B", plan=BOBS)
    assert table.moves(table.number) == GAME
    made = entries(table)
    assert [move.by for move in made[1:]] == [By.WEB, *[By.PLAN] * 5]
    assert all(move.at == table.time for move in made[1:])
    assert [move.spent for move in made[2:]] == [0] * 5
    with db.reading(table.engine) as session:
        match = session.get_one(Match, table.number)
        chained = heads.first_head(match)
        for move in made:
            chained = heads.next_head(match, chained, move)
            assert move.hash == chained
    to_bob, to_ann = table.letters("bob"), table.letters("ann")
    assert len(to_bob) == len(to_ann) == 1
    assert "ann played " in text_of(to_bob[0]) and "bob is to move" in text_of(to_ann[0])
    assert "Played for you, as you planned: Bxh4/a7=B, Bhxf2/a7=N" in text_of(to_bob[0])
    assert "Played for you, as you planned: h4/d2=B, c3/e1=Y, Bxf2/c3=Y" in " ".join(text_of(to_ann[0]).split())
    for letter in (*to_bob, *to_ann):
        assert all(f": {move}" in text_of(letter) for move in GAME[1:])


def _reply(town, name, body):
    """Who writes to which address, for `World.mail`: a reply to that player's address of the game."""
    with db.reading(town.engine) as session:
        token = town.player(session, town.number, name).token_id
    return f"{name}@example.org", f"r.{tokens.spell(town.settings.secret_key, token)}@games.example", body


def test_a_chain_that_a_mail_begins_is_told_in_one_letter_to_each(table):
    table.play(table.number, "bob", "e6/d8=B")
    plan(table, "bob", BOBS)
    table.received.clear()
    table.mail(*_reply(table, "ann", "h4/d2=B\nif Bxh4/a7=B then c3/e1=Y, if Bhxf2/a7=N then Bxf2/c3=Y"))
    assert table.moves(table.number) == GAME
    assert len(table.letters("ann")) == len(table.letters("bob")) == 1


def test_the_increment_is_added_as_for_any_move_and_an_answer_costs_no_time(table):
    plan(table, "ann", "if e6/d8=B then h4/d2=B")
    with db.reading(table.engine) as session:
        before = table.player(session, table.number, "ann").bank
        match = session.get_one(Match, table.number)
        expected = min(match.cap, before + match.increment)
    table.wait(days=2)
    table.play(table.number, "bob", "e6/d8=B")
    with db.reading(table.engine) as session:
        assert table.player(session, table.number, "ann").bank == expected


def test_words_with_a_move_stop_the_chain_until_its_owner_goes_on(table):
    plan(table, "ann", ANNS)
    table.received.clear()
    table.play(table.number, "bob", "e6/d8=B", comment="Are you sure?")
    assert len(table.moves(table.number)) == 2 and stop_of(table, "ann") == PlanStop.WORDS
    letter = " ".join(text_of(table.letter("ann")).split())
    assert "Are you sure?" in letter and "Its answer is h4/d2=B: write “plan on”" in letter
    table.mail(*_reply(table, "ann", "plan on"))
    assert table.moves(table.number)[-1] == "h4/d2=B" and stop_of(table, "ann") == PlanStop.NONE
    assert "if Bxh4/a7=B then c3/e1=Y" in shown(table, "ann").lines[0]


def test_moving_as_planned_lets_a_stopped_plan_go_on_and_moving_otherwise_ends_it(table):
    plan(table, "ann", ANNS)
    table.play(table.number, "bob", "e6/d8=B", comment="Hm.")
    table.play(table.number, "ann", "h4/d2=B")
    assert shown(table, "ann").is_armed
    table.play(table.number, "bob", "Bxh4/a7=B", comment="Ha!")
    table.play(table.number, "ann", "a4/g1=N")
    assert stop_of(table, "ann") is None


def test_words_said_apart_from_the_move_stop_it_too_but_not_those_said_before_it_was_armed(table):
    act(table, matches.say, "bob", "I think.")
    plan(table, "ann", ANNS)
    table.play(table.number, "bob", "e6/d8=B")
    assert table.moves(table.number)[-1] == "h4/d2=B"
    act(table, chat.keep_note, "bob", "for me", ply=None)
    act(table, matches.say, "bob", "Wait a moment!")
    table.play(table.number, "bob", "Bxh4/a7=B")
    assert stop_of(table, "ann") == PlanStop.WORDS


def test_words_that_its_owner_does_not_want_to_hear_do_not_stop_a_plan(table):
    plan(table, "ann", ANNS)
    act(table, blocking.mute_match, "ann")
    act(table, matches.say, "bob", "Look out of the window!")
    table.play(table.number, "bob", "e6/d8=B", comment="Are you sure?")
    assert table.moves(table.number)[-1] == "h4/d2=B"


def test_what_a_player_notes_for_themselves_stops_no_plan(table):
    plan(table, "ann", ANNS)
    act(table, chat.keep_note, "bob", "I wonder whether ann has a plan.", ply=None)
    table.play(table.number, "bob", "e6/d8=B")
    assert table.moves(table.number)[-1] == "h4/d2=B"


def test_words_with_a_move_stop_the_plan_of_their_reader_and_not_that_of_their_writer(table):
    plan(table, "ann", ANNS)
    act(table, blocking.mute_match, "ann")
    table.play(table.number, "bob", "e6/d8=B", plan=BOBS, comment="Nobody reads this")
    assert table.moves(table.number) == GAME


def test_a_move_that_a_plan_makes_is_no_sign_that_its_owner_has_seen_the_board(table):
    plan(table, "ann", "if e6/d8=B then h4/d2=B")
    table.play(table.number, "bob", "e6/d8=B")
    with db.reading(table.engine) as session:
        seen = {name: table.player(session, table.number, name).seen_ply for name in ("ann", "bob")}
    assert seen == {"ann": 1, "bob": 2}


def test_a_deviation_disarms_and_keeps_the_tree(table):
    plan(table, "ann", ANNS)
    table.received.clear()
    table.play(table.number, "bob", "c6/a7=B")
    assert stop_of(table, "ann") == PlanStop.DEVIATED
    assert "Your plan did not foresee your opponent's last move" in text_of(table.letter("ann"))
    assert shown(table, "ann").lines == (ANNS,)
    table.play(table.number, "ann", "c3/f2=B")
    assert not shown(table, "ann").is_armed


def test_what_is_still_possible_after_a_deviation_can_be_armed_again(table):
    plan(table, "ann", "if e6/d8=B then d4/f2=B; if c6/b8=B then d4/f2=B")
    table.play(table.number, "bob", "c6/a7=B")
    with pytest.raises(MatchError, match="move first"):
        act(table, plan_commands.resume, "ann")
    table.play(table.number, "ann", "c3/f2=B")
    again = act(table, plan_commands.resume, "ann")
    assert again.lines == ()
    assert len(again.changes) == 2
    assert stop_of(table, "ann") is None


def test_an_open_offer_stops_a_plan_and_a_draw_that_is_declined_lets_it_go_on(table):
    plan(table, "ann", ANNS)
    act(table, matches.offer_draw, "bob")
    table.play(table.number, "bob", "e6/d8=B")
    assert stop_of(table, "ann") == PlanStop.OFFER and len(table.moves(table.number)) == 2
    act(table, offers.decline, "ann")
    act(table, plan_commands.resume, "ann")
    assert table.moves(table.number)[-1] == "h4/d2=B"


def test_an_answer_that_is_not_possible_stops_the_plan_and_tells_its_owner_alone(table):
    plan(table, "ann", "if e6/d8=B then h4/d2=B")
    with db.transaction(table.engine) as session:
        kept = session.exec(select(Plan)).one()
        kept.tree = syntax.dump({"e6/d8=B": syntax.PlannedAnswer("Qa1/a2=B", {})})
    table.received.clear()
    table.play(table.number, "bob", "e6/d8=B")
    assert stop_of(table, "ann") == PlanStop.ILLEGAL and len(table.moves(table.number)) == 2
    assert "its answer Qa1/a2=B is not possible" in " ".join(text_of(table.letter("ann")).split())
    assert table.letters("bob") == []


def test_a_take_back_stops_plans_until_their_owner_goes_on(table):
    plan(table, "ann", ANNS)
    act(table, offers.offer_takeback, "ann")
    act(table, offers.offer_takeback, "bob")
    assert stop_of(table, "ann") == PlanStop.TAKEN_BACK
    table.play(table.number, "ann", "a3/g1=B")
    assert act(table, plan_commands.resume, "ann").is_armed


def test_a_take_back_that_stops_a_plan_is_told_to_its_owner_in_the_letter_about_it(table):
    plan(table, "ann", ANNS)
    table.received.clear()
    act(table, offers.offer_takeback, "ann")
    act(table, offers.offer_takeback, "bob")
    table.deliver()
    (letter,) = table.letters("ann")
    assert "your move was taken back" in text_of(letter) and "so your plan is off" in text_of(letter)
    assert all("plan" not in text_of(letter) for letter in table.letters("bob"))


def test_whoever_allows_a_take_back_is_told_by_a_letter_of_its_own_that_his_plan_is_off(table):
    table.play(table.number, "bob", "e6/d8=B")
    table.play(table.number, "ann", "h4/d2=B")
    plan(table, "ann", "if Bxh4/a7=B then c3/e1=Y")
    table.play(table.number, "bob", "Bxh4/a7=B", comment="Wait!")
    table.received.clear()
    act(table, offers.offer_takeback, "bob")
    table.deliver()
    act(table, offers.offer_takeback, "ann")
    table.deliver()
    turn, notice = table.letters("ann")
    assert "your plan is off" in text_of(notice) and "its lines have been kept" in " ".join(text_of(notice).split())
    assert "draw" not in text_of(turn).partition("You can also write")[0]
    assert all("plan" not in text_of(letter) for letter in table.letters("bob"))
    assert "plan" in text_of(notice) and "offers you a draw" not in text_of(notice)


# -- after the game ------------------------------------------------------------------


BOBS_LINE, ANNS_LINE = "if c3/f2=B then Bxh4/a7=B", "if Bxh4/a7=B then c3/e1=Y, if Bhxf2/a7=N then Bxf2/c3=Y"


@pytest.fixture
def ended(table):
    """Both had planned, and neither played all of it; Bob has resigned."""
    plan(table, "ann", ANNS)
    table.play(table.number, "bob", "e6/d8=B")
    with db.transaction(table.engine) as session:
        (line,) = read_lines(BOBS_LINE)
        tree, _replaced = syntax.merged({}, line)
        match = session.get(Match, table.number)
        plans.arm(session, match, table.player(session, table.number, "bob"), tree, now=table.time)
    table.received.clear()
    act(table, matches.resign, "bob")
    table.deliver()
    return table


def unplayed(town, name):
    with db.reading(town.engine) as session:
        return disclosure.unplayed(session, town.player(session, town.number, name))


def test_what_was_not_played_is_kept_when_the_game_is_over_and_each_reads_his_own_lines_alone(ended):
    assert unplayed(ended, "ann").mine == (ANNS_LINE,) and unplayed(ended, "bob").mine == (BOBS_LINE,)
    assert unplayed(ended, "ann").theirs == unplayed(ended, "bob").theirs == ()
    for name in ("ann", "bob"):
        letter = " ".join(text_of(ended.letter(name)).split())
        assert "only if both of you want the plans opened" in letter and " then " not in letter


def test_plans_are_opened_by_mail_when_both_want_it_and_not_before(ended):
    ended.received.clear()
    ended.mail(*_reply(ended, "ann", "open plans"))
    question = " ".join(text_of(ended.letter("bob")).split())
    assert "ann would like to open the plans" in question and "e1=Y" not in question
    answer = text_of(ended.letter("ann"))
    assert "stay sealed until bob asks too" in " ".join(answer.split())
    assert ANNS_LINE in answer and BOBS_LINE not in answer
    ended.mail(*_reply(ended, "ann", "open plans"))
    assert len(ended.letters("bob")) == 1 and unplayed(ended, "ann").theirs == ()
    ended.mail(*_reply(ended, "bob", "Open the plans."))
    for name in ("ann", "bob"):
        assert f"1. {ANNS_LINE}" in text_of(ended.letter(name)) and f"1. {BOBS_LINE}" in text_of(ended.letter(name))
    assert unplayed(ended, "ann").theirs == (BOBS_LINE,) and unplayed(ended, "bob").theirs == (ANNS_LINE,)
    ended.mail(*_reply(ended, "bob", "plan"))
    assert ANNS_LINE in text_of(ended.letter("bob"))


def test_whether_the_other_had_planned_at_all_shows_no_sooner(ended):
    before = unplayed(ended, "ann")
    act(ended, plan_commands.cancel, "bob")
    assert unplayed(ended, "ann") == before
    act(ended, disclosure.agree, "bob")
    act(ended, disclosure.agree, "ann")
    assert unplayed(ended, "ann").theirs == () and "no lines left" in unplayed(ended, "ann").status


def test_plans_are_not_opened_while_the_game_runs_nor_alone_nor_with_somebody_who_has_left(table):
    plan(table, "ann", ANNS)
    with pytest.raises(MatchError, match="when the game is over"):
        act(table, disclosure.agree, "ann")
    act(table, matches.resign, "bob")
    act(table, disclosure.agree, "bob")
    with db.transaction(table.engine) as session:
        erasure.forget(session, table.person(session, "ann"), now=table.time)
    with db.reading(table.engine) as session:
        assert session.exec(select(Plan)).all() == []
    assert unplayed(table, "bob").theirs == () and not unplayed(table, "bob").may_agree


def test_somebody_who_has_left_took_his_lines_with_him_and_opens_nothing_any_more(ended):
    with db.transaction(ended.engine) as session:
        erasure.forget(session, ended.person(session, "ann"), now=ended.time)
    with pytest.raises(MatchError, match="has left"):
        act(ended, disclosure.agree, "bob")
    assert unplayed(ended, "bob").mine == (BOBS_LINE,)


def test_whoever_is_muted_does_not_ask_by_mail(ended):
    with db.transaction(ended.engine) as session:
        ended.player(session, ended.number, "bob").muted_at = ended.time
    ended.received.clear()
    act(ended, disclosure.agree, "ann")
    ended.deliver()
    assert ended.letters("bob") == []
    assert "ann would like" in unplayed(ended, "bob").status


def test_a_pause_does_not_stop_a_plan_because_both_may_move_all_the_same(table):
    plan(table, "ann", ANNS)
    act(table, offers.offer_pause, "bob", 5)
    act(table, offers.offer_pause, "ann", None)
    table.play(table.number, "bob", "e6/d8=B")
    assert table.moves(table.number)[-1] == "h4/d2=B"


def test_a_plan_can_end_the_game_and_the_last_letter_tells_of_it(town):
    town.join("ann", "bob")
    town.number = town.match("duel")
    for name, text in zip(["ann", "bob"] * 4, "5@a2 6@b2 8@b3 8@a1 1@c2 4@d2 5d2=W4 2@c1".split(), strict=True):
        town.play(town.number, name, text)
    plan(town, "bob", "if 1c1=W2 then 8d2=B5")
    town.received.clear()
    town.play(town.number, "ann", "1c1=W2")
    assert town.stand(town.number).result == "0-1" and town.moves(town.number)[-1] == "8d2=B5#"
    assert len(town.letters("ann")) == len(town.letters("bob")) == 1
    assert "Played for you, as you planned: 8d2=B5#" in text_of(town.letter("bob"))
    assert "planned" not in text_of(town.letter("ann"))


# -- entering ------------------------------------------------------------------------


def test_a_plan_is_entered_by_mail_shown_dropped_and_told_to_its_owner_alone(table):
    table.received.clear()
    table.mail(*_reply(table, "ann", "if e6/d8=B then h4/d2=B; if D6 b8=B then h4/d2=b"))
    answer = text_of(table.letter("ann"))
    assert "Your plan is on" in answer
    assert "1. if e6/d8=B then h4/d2=B" in answer
    assert "2. if d6/b8=B then" in answer
    table.mail(*_reply(table, "ann", "plan"))
    assert "1. if e6/d8=B then h4/d2=B" in text_of(table.letter("ann"))
    table.mail(*_reply(table, "ann", "cancel"))
    assert "dropped" in text_of(table.letter("ann")) and shown(table, "ann").lines == ()
    assert table.letters("bob") == []


def test_lines_are_merged_and_the_same_move_replaces_the_answer_and_says_so(table):
    plan(table, "ann", "if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y")
    more = plan(table, "ann", "if e6/d8=B then h4/d2=B, if Be7/a7=B then c3/e1=Y; if d6/b8=B then c3/f2=B")
    assert len(more.lines) == 3 and more.changes == ()
    other = plan(table, "ann", "if e6/d8=B then c3/f2=B")
    assert other.lines == ("if e6/d8=B then c3/f2=B", "if d6/b8=B then c3/f2=B")
    assert other.changes == ("After e6/d8=B you now answer c3/f2=B instead of h4/d2=B.",)


def test_entering_the_same_twice_changes_nothing(table):
    assert plan(table, "ann", ANNS) == plan(table, "ann", ANNS)


def test_when_it_is_ones_turn_one_moves_first(table):
    with pytest.raises(PlanError, match="move first"):
        plan(table, "bob", BOBS)


def test_a_wrong_plan_does_not_hold_up_the_move_it_came_with(table):
    table.play(table.number, "bob", "e6/d8=B")
    table.mail(*_reply(table, "ann", "h4/d2=B\nif Bxh4/a7=B then Qd1/a2=B"))
    assert table.moves(table.number)[-1] == "h4/d2=B" and stop_of(table, "ann") is None
    answer = " ".join(text_of(table.letter("ann")).split())
    assert "Qd1/a2=B cannot be planned" in answer and "None of these lines was entered." in answer


def test_one_wrong_branch_is_named_and_the_others_are_kept(table):
    table.play(table.number, "bob", "e6/d8=B")
    table.mail(*_reply(table, "ann", "h4/d2=B\nif Bxh4/a7=B then c3/e1=Y; if Bxh4/a7=B then Qd1/a2=B; nonsense"))
    assert table.moves(table.number)[-1] == "h4/d2=B" and shown(table, "ann").lines == ("if Bxh4/a7=B then c3/e1=Y",)
    answer = " ".join(text_of(table.letter("ann")).split())
    assert "Qd1/a2=B cannot be planned" in answer and "“nonsense” is not a line of a plan" in answer
    assert "The other lines have been entered." in answer and "None of these" not in answer


def test_a_semicolon_where_a_comma_was_meant_is_explained(table):
    text = "if e6/d8=B then h4/d2=B; if Bxh4/a7=B then c3/e1=Y"
    view = act(table, plan_commands.enter_possible, "ann", text)
    assert "To go on after h4/d2=B, use a comma: if e6/d8=B then h4/d2=B, if Bxh4/a7=B then c3/e1=Y" in view.refused
    assert view.lines == ("if e6/d8=B then h4/d2=B",)


def test_a_comma_where_a_semicolon_was_meant_is_explained(table):
    with pytest.raises(PlanError, match="use a semicolon: if e6/d8=B then h4/d2=B; if c6/a7=B then d4/f2=B"):
        act(table, plan_commands.enter_possible, "ann", "if e6/d8=B then h4/d2=B, if c6/a7=B then d4/f2=B")
    assert shown(table, "ann").lines == ()


def test_a_wrong_move_keeps_its_plan_out(table):
    table.play(table.number, "bob", "e6/d8=B")
    table.mail(*_reply(table, "ann", "Qd1/a2=B\nif Bxh4/a7=B then c3/e1=Y"))
    assert stop_of(table, "ann") is None and "plan was not entered" in text_of(table.letter("ann"))


@pytest.mark.parametrize("body", [
    "if e6/d8=B then\nh4/d2=B\nA word to you",
    "if e6/d8=B\nthen h4/d2=B\nA word to you",
    "A word to you\nif e6/d8=B then Qa9/z3=B",
    "if e6/d8=B then\n\nA word to you",
    "A word to you\nif e6/d8=B, h4/d2=B",
    "A word to you\nIf e6/d8=B I shall play h4/d2=B, of course",
    "A word to you\n1. if e6/d8=B then h4/d2=B",
    "A word to you\n- then if e6/d8=B then h4/d2=B",
])  # fmt: skip
def test_no_line_of_a_plan_broken_or_wrong_is_passed_on_to_the_opponent(table, body):
    table.received.clear()
    table.mail(*_reply(table, "ann", body))
    table.wait(minutes=6)
    assert all("e6/d8" not in text_of(letter) and "h4/d2" not in text_of(letter) for letter in table.letters("bob"))
    assert table.moves(table.number) == ["a3/g1=B"]


def test_a_plan_for_a_position_that_the_opponent_has_left_is_refused(table):
    plan(table, "ann", ANNS, ply=1)
    table.play(table.number, "bob", "c6/a7=B")
    table.play(table.number, "ann", "c3/f2=B")
    with pytest.raises(PlanError, match="has moved since"):
        plan(table, "ann", "if e6/d8=B then h4/d2=B", ply=1)


def test_a_plan_has_an_end(table):
    too_deep = ", ".join(["if e6/d8=B then h4/d2=B"] * 9)
    with pytest.raises(PlanError, match="16"):
        syntax.check_size(_tree(too_deep))
    with pytest.raises(PlanError, match="100"):
        syntax.check_size(_tree("; ".join(f"if a{n} then b{n}" for n in range(51))))
    with pytest.raises(PlanError):
        plan(table, "ann", "if e6 then d4;" * 2000)


def _tree(text):
    tree = {}
    for line in read_lines(text):
        tree, _replaced = syntax.merged(tree, line)
    return tree


# -- what cannot be foreseen ---------------------------------------------------------


def test_a_branch_by_chance_is_refused_and_names_the_first_move_that_cannot_be_planned():
    rng, refused = random.Random(1), 0
    position = GAMES["proteus-dice"].start(read_options(GAMES["proteus-dice"].Options, {"roulette": "after"}))
    for _ply in range(200):
        if not position.to_act:
            break
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        after = position.after(seat, move)
        if seat >= 0 and after.to_act == (-1,):
            refused += 1
            text = position.write(seat, move)
            with pytest.raises(PlanError, match="chance decides something after it") as refusal:
                line_reading.checked_lines(position, 1 - seat, [((text, "a3/g1=B"), ("a1", "b2"))])
            assert str(refusal.value).startswith(text)
        position = after
    assert refused


def test_nobody_answers_a_puzzle(town):
    town.join("ann")
    with db.transaction(town.engine) as session:
        ann = town.person(session, "ann")
        town.number = challenges.start_alone(session, ann, "duel-puzzle", {}, now=START, rng=town.rng).id
    with pytest.raises(PlanError, match="alone"):
        plan(town, "ann", "if W1b4 then W1b4")


def test_sealed_choices_cannot_be_planned(town):
    town.join("ann", "bob")
    town.number = town.match(wall_street="secret")
    with db.reading(town.engine) as session:
        position = position_of(session.get_one(Match, town.number))
    seat = position.to_act[0]
    with pytest.raises(PlanError):
        plan(town, ("bob", "ann")[seat], "if army QPPPPPPP then setup PPPPPPPP")


def test_what_the_opponent_hides_cannot_be_planned(town):
    town.join("ann", "bob")
    town.number = town.match("plateau")
    town.play(town.number, "ann", "+a1 xx,bb")
    for hidden in ("+b1 xx,rb", "+b1 ??,r?"):
        with pytest.raises(PlanError):
            plan(town, "ann", f"if {hidden} then +c3 xx")


SEEDS = st.integers(0, 10_000)
PLAYED = [("proteus-dice", {}), ("proteus-tiles", {}), ("duel", {}), ("plateau", {}),
          ("proteus-dice", {"roulette": "before"})]  # fmt: skip


@pytest.mark.parametrize(("key", "options"), PLAYED, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_what_can_be_planned_in_a_game_is_what_then_happens(key, options, seed):
    """At a random moment the next move, and any answer, are planned; what the planner foresaw is what he then sees."""
    rng = random.Random(seed)
    position = GAMES[key].start(read_options(GAMES[key].Options, options))
    planned = 0
    for _ply in range(60):
        if not position.to_act:
            break
        seat = position.to_act[0]
        move = position.random_move(seat, rng) if seat < 0 else position.view(seat).random_move(seat, rng)
        after = position.after(seat, move)
        planner = 1 - seat if seat >= 0 else 0
        if seat >= 0 and after.to_act == (planner,) and position.to_act == (seat,):
            text = position.tell(seat, move, planner, after).partition(" {")[0]
            reply = after.view(planner).write(planner, after.view(planner).random_move(planner, rng))
            try:
                (line,) = line_reading.checked_lines(position, planner, [((text, reply),)])
            except PlanError:
                pass
            else:
                planned += 1
                assert line == ((text, reply),)
        position = after
    assert planned > 0


@pytest.mark.parametrize("seed", range(8))
def test_a_refusal_or_a_plan_of_plateau_tells_nothing_that_the_planner_does_not_see(seed):
    rng = random.Random(seed)
    position = GAMES["plateau"].start(read_options(GAMES["plateau"].Options, {}))
    for _ply in range(rng.randrange(2, 40)):
        if not position.to_act:
            return
        seat = position.to_act[0]
        position = position.after(seat, position.view(seat).random_move(seat, rng))
    for planner in (0, 1):
        if planner in position.to_act or not position.to_act:
            continue
        other = position.imagine(planner, rng)
        for _try in range(10):
            text = position.write(1 - planner, position.random_move(1 - planner, rng))
            line = ((text, "+a1 xx"),)
            assert _planned(position, planner, line) == _planned(other, planner, line)


def _planned(position, planner, line):
    try:
        return line_reading.checked_lines(position, planner, [line])
    except PlanError as error:
        return str(error)


@pytest.mark.parametrize("seed", [1, 2])
def test_in_a_game_with_hidden_pieces_a_plan_answers_or_waits_where_something_unknown_was_shown(town, seed):
    """Every move of a game of Plateau is planned for, as it will be told; by hand where the service refuses to."""
    town.join("ann", "bob")
    town.number, rng, answered = town.match("plateau"), random.Random(seed), []
    while answered.count(True) < 2 or answered.count(False) < 2:
        position, names = position_of(town.stand(town.number)), ("ann", "bob")
        seat = position.to_act[0]
        planner = names[1 - seat]
        move = position.view(seat).random_move(seat, rng)
        text, after = position.write(seat, move), position.after(seat, move)
        if after.to_act != (1 - seat,):
            town.play(town.number, names[seat], text)
            continue
        news = position.tell(seat, move, 1 - seat, after).partition(" {")[0]
        reply = after.view(1 - seat).write(1 - seat, after.view(1 - seat).random_move(1 - seat, rng))
        accepted = _tried_to_plan(town, planner, news, reply)
        town.play(town.number, names[seat], text)
        answered.append(_foreseen(position, news) == after.view(1 - seat))
        assert answered[-1] or not accepted
        if answered[-1]:
            assert entries(town)[-1].by == By.PLAN and stop_of(town, planner) is None
        else:
            assert stop_of(town, planner) == PlanStop.SHOWN
            act(town, plan_commands.cancel, planner)


def _foreseen(position, news):
    """What a planner who waits expects to see after the move he is told; None where he cannot know."""
    try:
        return try_step(position.view(1 - position.to_act[0]), news)[2]
    except (MoveError, MatchError):
        return None


def _tried_to_plan(town, name, news, reply):
    """Whether a plan of one line was accepted; where not, it is put there all the same."""
    try:
        plan(town, name, f"if {news} then {reply}")
        return True
    except PlanError:
        with db.transaction(town.engine) as session:
            match = session.get_one(Match, town.number)
            tree = {news: syntax.PlannedAnswer(reply, {})}
            plans.arm(session, match, town.player(session, town.number, name), tree, now=town.time)
        return False


# -- the words -----------------------------------------------------------------------


MOVES = st.sampled_from(["e4", "c3/f2=B", "+b1 xx,rb", "a2(2)-a3", "tender BM,M", "Re6^/a2=B", "a1=c3+Go#"])
TREES = st.recursive(
    st.just({}),
    lambda below: st.dictionaries(MOVES, st.builds(syntax.PlannedAnswer, MOVES, below), min_size=1, max_size=3),
    max_leaves=8,
)


@given(TREES.filter(bool))
def test_what_a_plan_is_written_as_reads_as_the_same_plan(tree):
    assert _tree("\n".join(syntax.line_texts(tree))) == tree == syntax.load(syntax.dump(tree))


@given(st.text(st.sampled_from("if then else wait;,()\n.a1Bx=/ "), max_size=80) | st.text(max_size=60))
def test_whatever_is_written_is_a_plan_or_a_sentence(text):
    try:
        assert all(move and reply for line in read_lines(text) for move, reply in line)
    except PlanError as error:
        assert str(error)


@pytest.mark.parametrize(("text", "same"), [
    ("IF a1, THEN b2.", "if a1 then b2"),
    ("if a1 then b2; then if c3 then d4", "if a1 then b2, if c3 then d4"),
    ("if a1 then b2\nthen if c3 then d4\nif e5 then f6", "if a1 then b2, if c3 then d4\nif e5 then f6"),
    ("if a1 then (b2 if c3 then d4); else wait", "if a1 then b2, if c3 then d4"),
    ("if a1 then b2 and then if c3 then d4", "if a1 then b2, if c3 then d4"),
    ("if a2(2)-a3 then (b1(1)-b2)", "if a2(2)-a3 then b1(1)-b2"),
])  # fmt: skip
def test_a_plan_may_be_written_in_several_ways(text, same):
    assert "\n".join(syntax.line_texts(_tree(text))) == same


@pytest.mark.parametrize("text", ["", ";", "a1 then b2", "if a1", "if then b2", "if a1 then", "if a1 then b2 then c3"])
def test_what_is_no_plan_is_told_how_one_is_written(text):
    with pytest.raises(PlanError, match="if MOVE then MOVE"):
        read_lines(text)


def test_the_table_of_a_plan_keeps_no_move_that_was_made(table):
    plan(table, "ann", ANNS)
    table.play(table.number, "bob", "e6/d8=B")
    with db.reading(table.engine) as session:
        kept = session.exec(select(Plan)).one()
        made = {move.text for move in session.exec(select(Move))}
    assert syntax.load(kept.tree).keys() == {"Bxh4/a7=B"} and "Bxh4/a7=B" not in made
