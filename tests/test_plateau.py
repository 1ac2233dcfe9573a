"""The rules of Plateau, one test each: the sheet's examples, the rulings, refusals, counts, a whole game."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import codec, plateau
from engines.base import IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.plateau import GAME, Move, Options, Plateau, start
from engines.record import Entry, replay
from engines.scene import TrayItem
from tests.referees.plateau import Referee
from tests.sizes import examples

RECORD = Path(plateau.__file__).parent / "sample.record"


def at(text, turn="W to move"):
    return Plateau.from_text(f"{text}; {turn}")


def play(position, *texts):
    for text in texts:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position


def texts(position):
    seat = position.to_act[0]
    return [position.write(seat, move) for move in position.legal_moves(seat)]


def moves(position):
    """The movements among the legal texts."""
    return {text for text in texts(position) if text[0] in "abcd"}


def onboardings(position, square):
    """The places on one square where a new piece may lie, by the number of pieces beneath."""
    found = {re.match(rf"\+{square}(?:/(\d+))? ", text) for text in texts(position)}
    return {int(match[1] or 0) for match in found if match}


def board(position):
    return "; ".join(part for part in position.to_text().split("; ") if part[2] == ":")


def refusal(position, text):
    with pytest.raises(MoveError) as caught:
        position.read(position.to_act[0], text)
    return caught.value


def illegal(position, *refused):
    return all(isinstance(refusal(position, text), IllegalMove) for text in refused)


# -- the opening and onboarding ----------------------------------------------------


def test_the_opening_wants_an_empty_square_of_the_perimeter():
    position = play(start(Options()), "+a1 xx,rb")
    assert illegal(position, "+a1 xb,xx", "+b2 xb,xx")
    assert board(play(position, "+d4 xb,xx")) == "a1: Bxx Brb; d4: Wxb Wxx"


def test_the_opening_is_two_pieces_and_nothing_else():
    position = start(Options())
    assert isinstance(refusal(position, "+a1 xx"), UnfinishedMove)
    assert illegal(position, "a1-b1", "tender M", "pass", "refuse", "+a1 ox,xo")
    assert "only one TW" in str(refusal(position, "+a1 ox,xo"))
    after = play(position, "+a1 xx,rb", "+d4 xb,xx")
    assert illegal(after, "+b1 xx,bb")


def test_the_opening_has_the_counted_number_of_ways():
    position = start(Options())
    first = list(position.legal_moves(0))
    assert len(first) == 1260
    assert sum(sum(1 for _ in position.after(0, move).legal_moves(1)) for move in first) == 1_455_300


def test_a_new_piece_must_touch_an_own_piece_in_a_stack():
    assert onboardings(at("c3: Wrr Wrb Bxx"), "c3") == {0, 1, 2}
    assert onboardings(at("c3: Bxx Bbb Wrr"), "c3") == {2, 3}
    assert onboardings(at("c3: Bxx Bbb"), "c3") == set()
    assert moves(at("c3: Wrr Wrb Bxx")) == set()


def test_a_new_piece_flips_and_captures_nothing():
    position = play(at("c3: Bxx Bbb Wrr"), "+c3/2 bb")
    assert board(position) == "c3: Bxx Bbb Wbb Wrr" and position.prisoners == ("", "")


def test_onboardings_are_counted():
    position = at("a1: Wxx Wrr; d4: Bxx Bbb")
    put = [text for text in texts(position) if text.startswith("+")]
    assert (len(put), len(moves(position))) == (187, 10)


def test_whoever_controls_no_stack_is_taught_to_put_a_piece_on_the_board():
    examples = [line.example for line in at("d4: Wxx Bbb").guide(1) if line.example]
    assert examples and all(example.startswith("+") for example in examples)


def test_only_pieces_of_the_hand_can_be_put_down():
    position = at("a1: Wrr Wrr; d4: Bxx")
    assert "no R in your hand" in str(refusal(position, "+b2 rr"))
    assert isinstance(refusal(position, "+b2 bo"), NotationError)
    assert "bx or xb" in str(refusal(position, "+b2 BM"))


# -- movement ----------------------------------------------------------------------


def test_four_drop_one_each():
    position = play(at("a1: Wxx Wxx Wrr Wrr"), "a1(3)-b1(2)-c1(1)-d1")
    assert board(position) == "a1: Wxx; b1: Wxx; c1: Wrr; d1: Wrr"


def test_two_pick_up_three_and_keep_their_range():
    position = at("a1: Wxx Wrr; b1: Wxx Wbb Wxx")
    assert board(play(position, "a1(2)-b1(5)-c1")) == "c1: Wxx Wbb Wxx Wxx Wrr"
    assert not any(text.startswith("a1") and text.endswith("d1") for text in moves(position))
    assert "at most 2 squares" in str(refusal(position, "a1-d1"))


def test_two_capture_two():
    position = play(at("a1: Wxx Wrr; b1: Bbb Bxb"), "a1(2)-b1x2")
    assert board(position) == "b1: Wxx Wrr"
    assert position.to_text().startswith("b1: Wxx Wrr; W holds B,BM")


def test_a_group_captures_with_what_it_picked_up():
    position = at("a1: Wxx Wrr; b1: Wbb; c1: Bxx Wrr Bbb Bxr")
    three = play(position, "a1(2)-b1(3)-c1x3")
    assert three.to_text() == "c1: Wrr Wbb Wxx Wrr; W holds M,B,RM; B to move"
    two = play(position, "a1(2)-b1(2)-c1x2")
    assert two.to_text() == "b1: Wbb; c1: Bxx Wrr Wxx Wrr; W holds B,RM; B to move"


def test_a_blank_keeps_up_a_pin_and_a_weapon_starts_one():
    position = play(at("a1: Brr Wxx Wrr Wxx Wrb; b1: Bbb; c1: Wbb"), "a1(3)-b1(2)-c1(1)-d1")
    assert board(position) == "a1: Brr Wxx; b1: Bbb Wrr; c1: Wbb Wxx; d1: Wrb"
    assert position.prisoners == ("", "")
    assert moves(position) == set()


def test_a_blank_starts_no_pin():
    position = at("a1: Wxx Wxx Wrr; b1: Bbb")
    assert illegal(position, "a1(3)-b1(2)-c1", "a1(3)-b1(1)-c1")
    assert "blank starts no pin" in str(refusal(position, "a1(3)-b1(2)-c1"))
    assert board(play(position, "a1(3)-b1(3)-c1")) == "b1: Bbb; c1: Wxx Wxx Wrr"
    assert illegal(at("a1: Wrr Wxx Wrr; b1: Bbb"), "a1(3)-b1(1)-c1")
    pinned = play(at("a1: Wxx Wrr Wrr; b1: Bbb"), "a1(3)-b1(1)-c1")
    assert board(pinned) == "b1: Bbb Wxx Wrr; c1: Wrr"


def test_a_blank_may_be_left_on_an_own_unit_that_lies_on_enemies():
    position = play(at("a1: Wxx Wrr; b1: Bbb Wrr"), "a1(2)-b1(1)-c1")
    assert board(position) == "b1: Bbb Wrr Wxx; c1: Wrr"


def test_a_flip_comes_first_and_turns_a_blank_into_a_weapon():
    position = at("b2: Bxx Bbb Wxr")
    assert "blank up" in str(refusal(position, "b2x1"))
    assert play(position, "b2~x1").to_text() == "b2: Bxx Wrx; W holds B; B to move"


def test_a_piece_with_equal_faces_is_not_flipped():
    assert "two equal faces" in str(refusal(at("b2: Bxx Wrr"), "b2~-b3"))


def test_a_stomp_releases_own_pieces_on_the_way_down():
    position = play(at("b2: Brr Wxx Bbb Wrr Wbb"), "b2x2")
    assert board(position) == "b2: Wxx Wrr Wbb"
    assert position.to_text().endswith("W holds B,R; B to move")


def test_joining_an_own_unit_on_enemies_captures_only_with_a_marker_up():
    position = at("a1: Wrx; b1: Bbb Bxx Wxx")
    assert play(position, "a1-b1").to_text() == "b1: Wxx Wrx; W holds M,B; B to move"
    assert play(position, "a1~-b1").to_text() == "b1: Bbb Bxx Wxx Wxr; B to move"


def test_a_twister_moves_one_straight_and_one_diagonally_onward():
    position = at("a1: Wox; b1: Bxx")
    assert moves(position) == {"a1(1)-a2(1)-b3", "a1(1)-b1(1)-c2", "a1~(1)-a2", "a1~(1)-b2"}


def test_a_twister_in_the_middle_reaches_four_knights_squares_or_flipped_all_neighbours():
    found = moves(at("b2: Wox"))
    ends = {text[-2:] for text in found if "~" not in text}
    flipped = {text[-2:] for text in found if "~" in text}
    assert ends == {"a4", "c4", "d1", "d3"}
    assert flipped == {"a1", "a2", "a3", "b1", "b3", "c1", "c2", "c3"}
    assert "b2(1)-b3(1)-a4" in found and "b2(1)-c2(1)-d1" in found


def test_a_twister_may_pin_on_its_elbow():
    position = play(at("a1: Wrr Wox; b1: Bxx"), "a1(2)-b1(1)-c2")
    assert board(position) == "b1: Bxx Wrr; c2: Wox"


def test_a_pinned_piece_lets_only_the_top_unit_move():
    assert moves(at("a1: Wrr Wbb Bxx Wrr")) == {"a1(1)-a2", "a1(1)-b1", "a1x1"}


def test_a_blank_cannot_land_on_the_enemy():
    assert "cannot land" in str(refusal(at("a1: Wxx; b1: Bbb"), "a1-b1"))


def test_a_unit_of_five_has_the_counted_number_of_moves():
    assert len(moves(at("a1: Wxx Wxx Wrr Wbb Wxb"))) == 220


# -- the end -----------------------------------------------------------------------


def test_six_in_a_stack_win():
    position = play(at("a1: Wxx Wxx Wrr; b1: Wxx Wrr Wbb Bxx"), "a1(3)-b1x1")
    assert position.outcome.winners == (1,) and position.outcome.reason == "six in a stack"
    assert position.to_act == () and list(position.legal_moves(0)) == []


def test_a_pinned_six_unit_wins_too():
    position = play(at("a1: Wxx Wxx Wrr Wxx Wbb Brr"), "+a1/5 rr")
    assert position.outcome.winners == (1,)


def test_six_only_on_the_way_do_not_win():
    position = at("a1: Wxx Wxx Wrr; b1: Wxx Wxx Wbb")
    assert play(position, "a1(3)-b1(4)-c1").outcome is None
    assert play(position, "a1-b1").outcome.winners == (1,)


def test_six_prisoners_win_and_seven_as_well():
    position = at("a1: Wxx Wrr; b1: Bbb Bxb; W holds M,M,M,R,RM")
    won = play(position, "a1(2)-b1x2")
    assert len(won.prisoners[1]) == 7
    assert won.outcome.winners == (1,) and won.outcome.reason == "six prisoners"


def test_who_can_do_nothing_is_passed_over():
    position = at("a1: Wxx Wrr Wxx Wrr Bbb; b1: Wbb Wxx Wbb Brr; c1: Wxx Wxb Wxr Wxo Wrb Brr")
    assert position.to_act == (0,) and position.passes == 1


STUCK = "a1: Wxx Wrr Wxx Wrr Bbb; b1: Wbb Wxx Wbb Brr; c1: Wxx Wxb Wxr Wxo Brr; W holds M; B holds A"


def test_who_can_only_tender_may_pass():
    position = at(STUCK)
    assert texts(position) == ["tender M", "pass"]
    refused = play(position, "tender M", "refuse")
    assert refused.to_act == (0,)
    assert refused.passes == 1
    assert refused.refused == ()
    assert play(position, "pass").to_act == (0,)


def nobody_moves(black, white):
    """An empty board, empty hands and some prisoners, White to act."""
    return Plateau(("",) * 16, ("", ""), (black, white), 1)


def test_two_passes_in_a_row_are_a_draw():
    position = nobody_moves("0", "0")
    assert texts(position) == ["tender M", "pass"]
    drawn = play(position, "pass", "pass")
    assert drawn.outcome.winners == () and drawn.outcome.reason == "two passes in a row"


def test_a_forced_pass_counts_like_a_chosen_one():
    refused = play(nobody_moves("6", "0"), "tender M", "refuse")
    assert refused.to_act == (0,) and refused.passes == 1
    assert play(refused, "pass").outcome.reason == "two passes in a row"


def test_an_exchange_between_two_passes_breaks_the_row():
    paid = play(nobody_moves("00", "0"), "pass", "tender M", "pay M")
    assert paid.passes == 0
    assert paid.outcome is None
    assert paid.to_act == (1,)


def test_two_hundred_turns_without_progress_are_a_draw():
    position = at("a1: Wrr; d4: Brr")
    round_trip = ("a1-a2", "d4-d3", "a2-a1", "d3-d4")
    quiet = play(position, *round_trip * 49, *round_trip[:3])
    assert quiet.outcome is None and quiet.idle == 199
    drawn = play(quiet, "d3-d4")
    assert drawn.outcome.winners == () and drawn.outcome.reason.startswith("200 turns")
    assert play(quiet, "+c3 xx").idle == 0


def test_a_win_comes_before_a_draw():
    quiet = at("a1: Wxx Wxx Wrr; b1: Wxx Wxx Wbb")
    late = Plateau(quiet.stacks, quiet.hands, quiet.prisoners, 1, idle=199)
    assert play(late, "a1-b1").outcome.winners == (1,)
    assert play(late, "a1-a2").outcome.winners == ()


# -- exchange ----------------------------------------------------------------------


def exchange(white, tender, black="M,R,R"):
    return play(at(f"a1: Wxx; d4: Bxx; B holds {black}; W holds {white}", "B to move"), f"tender {tender}")


def test_an_equal_value_must_be_met_or_exceeded():
    position = exchange("M,M,R,BM", "M,R")
    worth = {"M": 1, "R": 5, "BM": 8}
    paid = {sum(worth[t] for t in text[4:].split(",")) for text in texts(position)}
    assert paid == {6, 7, 8, 9, 10, 13, 14, 15}
    assert "refuse" not in texts(position)
    assert "at least 6" in str(refusal(position, "pay R"))
    assert "cannot refuse" in str(refusal(position, "refuse"))


def test_without_an_equal_value_the_next_lower_must_be_paid():
    position = exchange("M,M,M,TW", "R", black="R")
    assert {text for text in texts(position) if "TW" not in text} == {"pay M,M,M"}


def test_without_an_equal_or_lower_value_one_may_refuse_or_exceed():
    position = exchange("RM,A", "R", black="M,R")
    assert set(texts(position)) == {"pay RM", "pay A", "pay RM,A", "refuse"}
    refused = play(position, "refuse")
    assert refused.to_act == (0,)
    assert "tender R" not in texts(refused) and "tender M,R" in texts(refused)
    assert "was refused" in str(refusal(refused, "tender R"))
    assert play(refused, "tender M", "refuse").refused == ("2", "0")
    assert play(refused, "+c3 xx").refused == ()


@pytest.mark.parametrize(
    ("tender", "held", "dearest"),
    [
        ("M,B", "R,M", "R"),
        ("M,M,M,R", "BM,R", "BM"),
        ("M,B,R", "RM,BM", "RM"),
        ("R,RM", "TW,RM", "TW"),
        ("M,R,TW", "A,TW", "A"),
    ],
    ids=str,
)
def test_a_piece_pays_exactly_what_the_rules_say_it_is_worth(tender, held, dearest):
    """What is tendered is worth as much as one piece, so that piece alone pays, and nothing cheaper does."""
    position = exchange(held, tender, black=tender)
    assert f"pay {dearest}" in texts(position)
    cheaper = held.replace(dearest, "").strip(",")
    worth = {"M": 1, "B": 4, "R": 5, "BM": 8, "RM": 10, "TW": 15, "A": 21}
    sentence = f"{cheaper} is worth {worth[cheaper]}; for {tender} you must pay at least {worth[dearest]}."
    assert str(refusal(position, f"pay {cheaper}")) == sentence


def test_nothing_is_tendered_to_who_holds_nothing():
    position = at("a1: Wxx; d4: Bxx; B holds R", "B to move")
    assert not any(text.startswith("tender") for text in texts(position))
    assert "holds no prisoners" in str(refusal(position, "tender R"))


def test_an_overpaid_tender_is_taken_and_the_payer_moves_next():
    position = play(exchange("R,BM", "R,R", black="R,R"), "pay BM")
    assert position.to_act == (1,)
    assert position.to_text() == "a1: Wxx; d4: Bxx; W holds R; W to move"
    assert position.hands[0].count("3") == 1 and position.hands[1].count("2") == 2
    assert position.idle == 1


def test_a_tender_awaits_its_answer():
    position = exchange("RM,A", "R", black="M,R")
    assert "White" not in str(refusal(position, "a1-a2"))
    assert str(refusal(position, "a1-a2")) == "Black tenders R: answer with pay and types, or with refuse."
    assert "no tender to answer" in str(refusal(at("a1: Wxx"), "refuse"))


# -- reading -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stands", "written", "canonical"),
    [
        ("b1: Wrr", "+c3/0 XR", "+c3 xr"),
        ("b1: Wxx Wrb", "+b1 xx", "+b1/2 xx"),
        ("b1: Wxx Wrb", " + b1 / 1  xx ", "+b1/1 xx"),
        ("a1: Wxx Wrr; b1: Wxx Wbb Wxx", "a1-b1(5)-c1", "a1(2)-b1(5)-c1"),
        ("a2: Wxx Wxr; a3: Brr Bbb", "a2~-a3", "a2~(2)-a3x2"),
        ("a2: Wxx Wxr; a3: Brr Bbb", "A2 ~ (2) - A3 X", "a2~(2)-a3x2"),
        ("b2: Bbb Wxr", "b2~x", "b2~x1"),
        ("a1: Wrr Wox; b1: Bxx", "a1-b1(1)-c2", "a1(2)-b1(1)-c2"),
        ("a1: Wxx Wbb Wrr; b1: Bxx", "a1-c1", "a1(3)-b1(3)-c1"),
        ("a1: Wrr Wox; b1: Bxx", "a1-c2", "a1(2)-b1(2)-c2"),
        ("a1: Wxx; W holds BM,M; B holds M", "tender xb , m", "tender M,BM"),
    ],
)
def test_what_may_be_left_out(stands, written, canonical):
    position = at(stands)
    assert position.write(1, position.read(1, written)) == canonical


def test_a_mark_that_is_written_must_be_true():
    position = at("a1: Wxx Wrr; b1: Bbb Bxb")
    assert "captures exactly 2" in str(refusal(position, "a1-b1x1"))
    assert refusal(position, "a1(1)-b1x2").suggestions == ("a1(1)-b1x1",)
    assert "Nothing is captured" in str(refusal(position, "a1-c1x"))
    assert illegal(position, "a1-c1x0")


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("b2-b3", "nothing on b2"),
        ("b1-b2", "b1 is Black's"),
        ("a1-b2", "Red up moves straight along a file or rank: from a1 to a2, a3, b1 or c1, not to b2."),
        ("a1(3)-a2", "From a1 1 to 2 pieces can travel on, not 3."),
        ("a1(2)-a2(3)-a3", "From a2 1 to 2 pieces can travel on, not 3."),
        ("a1-b2(1)-c1", "b2 is not on the way from a1 to c1"),
        ("a1x", "no enemy piece under yours on a1"),
        ("a1(2)x1", "written without a count: a1x1"),
        ("a1-b1(2)x", "takes no count"),
        ("a1-a1", "from a1 to"),
        ("+b1 xx", "None of your pieces lies on b1"),
        ("+a1/7 xx", "2 pieces on a1"),
        ("+b2 xx,rb", "The opening is over"),
        ("pass", "cannot pass while"),
        ("tender M", "You hold no prisoners"),
        ("tender Q", "not a list of types"),
        ("pay M", "no tender to answer"),
        ("e9-e4", "is not a move here. Try"),
    ],
)
def test_refusals_say_why(written, says):
    assert says in str(refusal(at("a1: Wxx Wrr; b1: Bbb Bxb"), written))


@pytest.mark.parametrize("written", ["a1", "a1~", "a1(2)-", "a1(2)-a2(1)", "+", "+a1", "+a1/1", "tender"])
def test_a_beginning_is_continued_by_its_suggestions(written):
    position = at("a1: Wxx Wrb; b1: Bbb; W holds M; B holds M")
    error = refusal(position, written)
    assert isinstance(error, UnfinishedMove) and error.suggestions
    for text in error.suggestions:
        assert text in texts(position) and text.startswith(written)


ANY_TEXT = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="abcd1234+-~(),/x rbo?0", max_size=24),
    st.from_regex(r"[a-d][1-4]~?(\([0-6]\))?(-[a-d][1-4](\([0-6]\))?){0,3}(x[0-3]?)?", fullmatch=True),
    st.from_regex(r"\+[a-d][1-4](/[0-4])? [xbro]{2}(,[xbro]{2})?", fullmatch=True),
    st.from_regex(r"(tender|pay) (M|B|R|BM|RM|TW|A|xx)(,(M|B|R|A)){0,3}", fullmatch=True),
)
MOMENTS = [
    start(Options()),
    at("a1: Wxx Wrb; b1: Bbb; c2: Bxx Wox; W holds M; B holds M"),
    exchange("RM,A", "R", black="M,R"),
    at(STUCK),
]


@settings(max_examples=examples(300), deadline=None)
@given(ANY_TEXT, st.sampled_from(MOMENTS))
def test_any_text_is_a_legal_move_or_a_refusal(text, position):
    seat = position.to_act[0]
    try:
        move = position.read(seat, text)
    except MoveError as error:
        assert str(error)[-1] in ".?!"
        legal = texts(position)
        assert all(near in legal for near in error.suggestions)
    else:
        assert move in set(position.legal_moves(seat))
        assert position.write(seat, move) in texts(position)


ANY_MOVE = st.builds(
    Move,
    st.sampled_from(["open", "onboard", "move", "tender", "pay", "refuse", "pass", ""]),
    st.integers(-2, 17),
    st.sampled_from(["", "xx", "rb", "xxrb", "zz", "x", "xxr"]),
    st.integers(-2, 4),
    st.booleans(),
    st.lists(st.integers(-1, 16), max_size=3).map(tuple),
    st.lists(st.integers(-1, 4), max_size=3).map(tuple),
    st.sampled_from(["", "0", "00", "20", "02", "9", "z"]),
)


@settings(max_examples=examples(300), deadline=None)
@given(ANY_MOVE, st.sampled_from(MOMENTS), st.integers(0, 1))
def test_any_move_value_is_legal_or_objected_to(move, position, seat):
    assert (position.objection(seat, move) is None) == (move in set(position.legal_moves(seat)))


# -- position text, pictures, touches ----------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a1: Bxx Wxx Wrr; b3: Bbb; W to move",
        "a1: Wxx; d4: Bxx; B holds M,RM; W holds A; B tenders M; refused RM M,RM; W to move",
        "opening; B to move",
        "a1: Bxx Brb; opening; W to move",
        "a1: Wrr; a4: Wrx; W holds M,R,BM,RM,TW,A",
    ],
)
def test_position_texts_read_back(text):
    assert Plateau.from_text(text).to_text() == text


@pytest.mark.parametrize(
    "text", ["a1: Wxq; W to move", "", "a1: Wxx", "a1: Wox Wox; W to move", "B holds Q; W to move"]
)
def test_what_is_no_position_text_is_refused(text):
    with pytest.raises(ValueError):
        Plateau.from_text(text)


def test_cells_print_from_the_top_down_and_tall_stacks_are_cut():
    scene = at("a1: Bxx Wxx Wbb; b1: Wxx Wrr Wxx Wrr Bbb Bxx Bxr; c3: Wxb").draw()
    cells = {cell.name: cell.text for row in scene.rows for cell in row}
    assert (cells["a1"], cells["b1"], cells["c3"], cells["d4"]) == ("WbbWxxBxx", "BxrBxxBbbWrr+3", "Wxb", ".")
    assert "b1: Wxx Wrr Wxx Wrr Bbb Bxx Bxr" in " ".join(scene.notes)


def test_the_summary_says_everything_in_sentences():
    summary = at("a1: Bbb Wxr; W holds M,M").view(0).draw().summary
    assert summary == (
        "Plateau: White to move. On a1, from the bottom up: Black Blue; White piece, blank up. "
        "Black has in hand 2 Mute, 1 Blue, 2 Red, 1 Blue Mask, 1 Red Mask, 1 Twister, 1 Ace; "
        "prisoners: none. White has in hand 11 unseen pieces; prisoners: 2 Mute."
    )


def test_touches_go_by_piece_target_and_what_remains():
    position = at("a1: Wxx Wrb; b1: Bbb; W holds M; B holds M")
    touched = {text: position.touches(1, position.read(1, text)) for text in texts(position)}
    assert touched["+c3 xr"] == ("hand:RM", "up:x", "c3")
    assert touched["+a1/1 xx"] == ("hand:M", "a1", "at:1")
    assert touched["a1(2)-a2(1)-a3"] == ("a1", "a3", "a1(2)", "a2(1)")
    assert touched["a1(1)-b1x1"] == ("a1", "b1", "a1(1)")
    assert touched["a1~(1)-b2"] == ("a1", "~", "b2", "a1(1)")
    assert touched["tender M"] == ("prisoner:M", "done")
    opening = start(Options())
    assert opening.touches(0, opening.read(0, "+b1 xx,rb")) == ("hand:M", "hand:A", "up:r", "b1")


def test_every_touch_is_on_the_picture_of_who_is_to_act():
    rng = random.Random(3)
    for position in [*MOMENTS, *some_positions(rng, 12)]:
        seat = position.to_act[0]
        scene = position.scene(seat)
        items = [item for tray in scene.trays for item in tray.items]
        on_picture = {name.name for row in scene.rows for name in row} | {item.touch for item in items}
        on_picture |= {choice.touch for choice in scene.choices}
        assert all(isinstance(item, TrayItem) for item in items)
        for move in position.legal_moves(seat):
            assert set(position.touches(seat, move)) <= on_picture


def some_positions(rng, count):
    found = []
    while len(found) < count:
        position = start(Options())
        for _ply in range(rng.randint(5, 60)):
            if position.outcome is None:
                position = position.after(position.to_act[0], position.random_move(position.to_act[0], rng))
        if position.outcome is None:
            found.append(position)
    return found


# -- whole games -------------------------------------------------------------------


def test_the_sample_game_ends_as_printed():
    lines = re.findall(r"^\d+\. (Black|White): (.+)$", RECORD.read_text(), re.MULTILINE)
    entries = [Entry(GAME.seats.index(seat), text) for seat, text in lines]
    last = replay(GAME, Options(), entries)
    assert len(entries) == 27
    assert last.to_text() == "a1: Wrr; a4: Wrx; b1: Wrr; d3: Bxx; W holds M,R,BM,RM,TW,A"
    assert last.outcome.winners == (1,) and last.outcome.reason == "six prisoners"


def test_random_moves_are_legal_and_every_kind_is_drawn():
    rng = random.Random(11)
    position = at("a1: Wxx Wrb; b1: Bbb; c1: Wrr; W holds M; B holds M")
    legal = set(position.legal_moves(1))
    drawn = {position.random_move(1, rng) for _ in range(4000)}
    assert drawn <= legal and len(drawn) > 0.95 * len(legal)


def test_a_refused_tender_is_not_drawn_again():
    rng = random.Random(5)
    refused = play(nobody_moves("6", "00"), "tender M", "refuse")
    drawn = {refused.write(1, refused.random_move(1, rng)) for _ in range(60)}
    assert drawn == set(texts(refused)) == {"tender M,M", "pass"}


SET_UPS = [
    STUCK + "; W to move",
    "a1: Wrr Wxx Brb Wox; b2: Bxx Bbb Wxr; c3: Wrb Bxx; d1: Bxr Box; W holds M,B; B holds BM; W to move",
    "b2: Wxx Brr Wbb Bxx Bbb Wrr; c2: Box Wxo; d4: Brb Wxb; B holds M,R; W holds M,RM; B to move",
]


@pytest.mark.parametrize("seed", range(6))
def test_an_independent_referee_agrees_about_every_move(seed):
    rng = random.Random(seed)
    if seed < 3:
        position, referee = start(Options()), Referee()
    else:
        position, referee = Plateau.from_text(SET_UPS[seed - 3]), Referee.at(SET_UPS[seed - 3])
    for _ply in range(90):
        if referee.over:
            assert position.outcome.winners == (() if referee.winner is None else (referee.winner,))
            break
        seat = referee.turn
        assert position.to_act == (seat,)
        legal = texts(position)
        assert len(legal) == len(set(legal)) and set(legal) == referee.legal()
        text = rng.choice(sorted(legal))
        position = codec.load(Plateau, codec.dump(play(position, text)))
        referee.play(text)
        assert (position.idle, position.passes) == (referee.quiet, referee.passes) or referee.over
    assert (position.outcome is not None) == referee.over
