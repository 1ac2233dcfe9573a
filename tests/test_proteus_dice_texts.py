"""Proteus with dice: what people write, what they are told, and what they see."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import codec
from engines.base import AmbiguousMove, IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.proteus_dice import ProteusDice, Turn
from tests.games import CASES
from tests.sizes import examples
from tests.test_proteus_dice import S5, S10, S19, S19B, at, moves, opening, play, texts

WHITE, BLACK, CHANCE = 0, 1, -1
BOTH_C5 = "7p/6p1/8/2n5/1P1B4/8/8/P7 w"


def read(position, text):
    (seat,) = position.to_act
    return position.write(seat, position.read(seat, text))


def refusal(position, text):
    with pytest.raises(MoveError) as caught:
        position.read(position.to_act[0], text)
    return caught.value


# -- accepted texts --------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "c3/f2=B",
        "c3,f2=B",
        "c3;f2=B",
        "c3 f2=B",
        "  c3  /  f2 = B ",
        "C3/F2=b",
        "c3/f2+",
        "Pc3/f2=B",
        "c1-c3/f2=B",
        "c1 - c3 f2=b",
        "Pc1-c3/f2=B",
        "c1c3/f2+",
    ],
)
def test_the_same_turn_may_be_written_in_many_ways(text):
    assert read(opening(), text) == "c3/f2=B"


@pytest.mark.parametrize("text", ["Re6^/a2=B", "Re6/a2=B", "re6 a2+", "Ra6-e6/a2=B", "a6-e6^/a2=B", "RE6^/A2=B"])
def test_the_mark_of_a_backstab_may_be_left_out(text):
    assert read(at(S5), text) == "Re6^/a2=B"


@pytest.mark.parametrize("text", ["Rxh8", "Rxh8#", "rxh8", "h1-h8", "Rh1xh8", "h1xh8#", "Rh8"])
def test_a_move_that_ends_the_game_stands_alone(text):
    assert read(at(S10), text) == "Rxh8"


def test_dice_are_told_apart_by_file_then_rank_then_square():
    assert {text for text in moves(at(S19)) if text.endswith("d4")} == {"Rad4", "Rhd4", "Rdd4"}
    assert {text for text in moves(at(S19B)) if text.endswith("d4")} == {"Qa4d4", "Qhd4", "Q1d4"}
    assert read(at(S19), "Ra4d4/a1=B") == "Rad4/a1=B" and read(at(S19), "R1d4/a1=B") == "Rdd4/a1=B"


def test_only_dice_that_could_go_there_are_told_apart():
    blocked = at("7p/6p1/8/8/RP5R/8/8/P7 w")
    assert "Rd4" in moves(blocked)


def test_the_long_form_names_both_squares():
    position = at(S5)
    move = position.read(WHITE, "Re6^/a2=B")
    assert position.write_long(WHITE, move) == "a6-e6/a2=B"
    end = at(S10)
    assert end.write_long(WHITE, end.read(WHITE, "Rxh8")) == "h1-h8"


def test_a_small_b_is_a_file_where_that_gives_a_legal_turn():
    position = at(BOTH_C5)
    assert read(position, "bxc5/a1=B") == "bxc5/a1=B"
    assert read(position, "Bxc5/a1=B") == "Bxc5/a1=B"
    assert read(position, "bb2/a1=b") == "Bb2/a1=B"


def test_capitals_that_fit_two_turns_are_refused():
    error = refusal(at(BOTH_C5), "BXC5/A1=B")
    assert isinstance(error, AmbiguousMove) and set(error.suggestions) == {"bxc5/a1=B", "Bxc5/a1=B"}
    assert isinstance(refusal(at(BOTH_C5), "BXC5"), AmbiguousMove)


@pytest.mark.parametrize("text", ["f2==N", "f2=N", "F2==n", "f2 == N"])
def test_a_double_rotation_stands_alone(text):
    assert read(opening(trade_off="yes"), text) == "f2==N"


@pytest.mark.parametrize("text", ["a2=B", "a2+", "A2=b", "a2 = B"])
def test_after_a_throw_only_the_rotation_is_written(text):
    assert read(play(at(S5, roulette="before"), "Re6^ {Y}"), text) == "a2=B"


@pytest.mark.parametrize(
    "text", ["army QPPPPPPP", "army PPPPPPPQ", "PPPP QPPP", "Army p,p,p,p,p,p,p,q", "ARMY: QPPPPPPP"]
)
def test_an_army_may_be_written_in_any_order(text):
    position = opening(wall_street="open")
    assert position.write(WHITE, position.read(WHITE, text)) == "army QPPPPPPP"


def test_a_set_up_is_written_by_file():
    position = play(opening(wall_street="secret"), "roll 4-2,")
    assert position.write(WHITE, position.read(WHITE, "set-up pp bp, nppp")) == "setup PPBPNPPP"


# -- unfinished and ambiguous ----------------------------------------------------------


def test_a_move_alone_asks_for_the_die_to_turn():
    error = refusal(opening(), "c3")
    assert isinstance(error, UnfinishedMove)
    assert str(error) == "c3 is fine; which other die do you turn?"
    assert set(error.suggestions) == {text for text in texts(opening()) if text.startswith("c3/")}


@pytest.mark.parametrize("text", ["c3/f2", "c3 f2=", "c1-c3/f2"])
def test_a_die_without_its_face_asks_for_the_face(text):
    error = refusal(opening(), text)
    assert isinstance(error, UnfinishedMove) and error.suggestions == ("c3/f2=Y", "c3/f2=B")


@pytest.mark.parametrize(
    ("position", "text", "suggestions"),
    [
        (play(at(S5, roulette="before"), "Re6^ {Y}"), "a2", ("a2=Y", "a2=B")),
        (opening(trade_off="yes"), "f2==", ("f2==N",)),
        (opening(wall_street="open"), "army QPP", ("army QPPPPPPP",)),
        (play(opening(wall_street="secret"), "roll 4-2,"), "setup PPB", ("setup PPBPPPPP",)),
    ],
)
def test_other_beginnings_are_continued(position, text, suggestions):
    error = refusal(position, text)
    assert isinstance(error, UnfinishedMove) and error.suggestions == suggestions
    for one in suggestions:
        assert position.read(position.to_act[0], one)


def test_a_die_to_place_asks_for_its_square():
    position = opening(wall_street="open")
    position = position.play(WHITE, position.read(WHITE, "army QPPPPPPP"))
    position = play(position.play(BLACK, position.read(BLACK, "army PPPPPPPP")), "roll 2-1,")
    error = refusal(position, "q")
    assert isinstance(error, UnfinishedMove)
    assert "Q@h2" in error.suggestions
    assert len(error.suggestions) == 8


def test_two_dice_that_could_go_there_are_named():
    error = refusal(at(S19), "Rd4/a1+")
    assert isinstance(error, AmbiguousMove)
    assert set(error.suggestions) == {"Rad4/a1=B", "Rhd4/a1=B", "Rdd4/a1=B"}
    assert set(refusal(at(S19), "Rd4/a2=B").suggestions) == {"Rad4", "Rhd4", "Rdd4"}


# -- refusals --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("c3/c1=B", "die that moved cannot be turned"),
        ("c3/f2=R", "pawn on f2 is turned one step only: to a pyramid or bishop"),
        ("c3/f8=B", "pawn on f8 is not yours"),
        ("c3/f3=B", "no die on f3"),
        ("e4/f2=B", "pawn on e1 cannot go to e4"),
        ("d2-d5", "pawn on d2 cannot go to d5"),
        ("e5-e6", "no die on e5"),
        ("a7-a6", "pawn on a7 is not yours"),
        ("Nf3", "You have no knight"),
        ("Nb2-c4", "On b2 there is a pawn, not a knight"),
        ("bxc3", "diagonally only to capture, and c3 is empty"),
        ("cxd2", "Your own pawn on d2"),
        ("a1-a1", "must move to another square"),
        ("f2==N", "Trade-Off rule only"),
        ("f2=B", "only after another one has moved"),
        ("c3/f2=B#", "does not end the game"),
        ("c3^/f2=B", "backstabs no queen"),
        ("c1xc3/f2=B", "Nothing stands on c3"),
    ],
)
def test_an_illegal_turn_is_explained(text, sentence):
    error = refusal(opening(), text)
    assert isinstance(error, IllegalMove) and sentence in str(error)


@pytest.mark.parametrize(
    ("board", "text", "sentence"),
    [
        ("7p/6p1/8/8/8/1p6/8/RP6 w", "Rd1", "pawn on b1 is in the way of the rook on a1"),
        ("7p/6p1/8/8/8/8/8/RYP5 w", "b1-b2", "pyramid on b1 cannot move"),
        ("7p/6p1/8/8/y7/8/8/R1P5 w", "Rxa4", "pyramid cannot be captured"),
        ("7p/6p1/8/8/8/8/8/B1P5 w", "Ba4", "no bishop moves like that"),
        ("7p/6p1/8/8/8/n7/P7/P6P w", "a2-a3", "knight on a3 is in the way of the pawn on a2"),
        ("7p/6p1/8/8/n7/8/8/1P5P w", "b1-b3", "starting squares, and b1 is not one"),
        ("7p/6p1/8/8/8/8/8/R1R4P w", "Rb9", "is not a move"),
        ("7p/6p1/8/8/8/8/8/N1N4P w", "Nh7", "None of your dice on a1 and c1"),
    ],
)
def test_an_illegal_move_is_explained(board, text, sentence):
    assert sentence in str(refusal(at(board), text))


def test_polarity_is_explained():
    error = refusal(at("7p/6p1/8/8/b7/8/8/R1P5 w", polarity="yes"), "Rxa4")
    assert "a rook (5) cannot take the bishop on a4 (3)" in str(error)


def test_a_die_that_has_moved_is_told_so():
    position = at("7p/6p1/8/8/8/8/1P6/P7 w 0-0 0 1 a1", pawn_double="first")
    assert "die on b2 has moved before" in str(refusal(position, "b4/a1=B"))


def test_a_rotation_too_much_is_refused_and_not_played_in_part():
    error = refusal(at(S10), "Rxh8/a1=B")
    assert "ends the game" in str(error) and error.suggestions == ("Rxh8",)
    error = refusal(at(S5, roulette="before"), "Re6/a2=B")
    assert "is thrown before you turn" in str(error) and error.suggestions == ("Re6^",)


@pytest.mark.parametrize("text", ["", "?", "e9", "hello there", "c3//f2==B", "c3/f2=K", "Ω", "{N}", "c" * 500])
def test_what_reads_as_nothing_is_answered_with_examples(text):
    error = refusal(opening(), text)
    assert isinstance(error, NotationError) and error.suggestions
    for one in error.suggestions:
        assert opening().read(WHITE, one)


def test_players_do_not_write_for_chance():
    thrown = play(at(S5, roulette="before"), "Re6^")
    with pytest.raises(MoveError, match="chance comes first"):
        thrown.read(WHITE, "{Q}")


MOMENTS = [
    opening(),
    opening(trade_off="yes", roulette="before", polarity="yes", warhorses="yes", pawn_double="first"),
    at(S5, trade_off="yes"),
    at(S19),
    at(BOTH_C5),
    play(at(S5, roulette="before"), "Re6^"),
    play(at(S5, roulette="before"), "Re6^ {Y}"),
    opening(wall_street="open"),
    opening(wall_street="secret"),
    play(opening(wall_street="secret"), "roll 4-2,"),
]
TEXTS = st.text(max_size=30) | st.text(alphabet="abcdefghRQNBPYxX12345678=+-^#/ ,;{}@y", max_size=14)


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(MOMENTS), TEXTS)
def test_any_text_is_a_legal_move_or_a_refusal(position, text):
    seat = position.to_act[0]
    try:
        move = position.read(seat, text)
    except MoveError as error:
        assert str(error)[-1] in ".?"
    else:
        assert position.objection(seat, move) is None


SQUARE = st.integers(-2, 66)
TURNS = st.builds(Turn, SQUARE, SQUARE, SQUARE, st.sampled_from(["", "Y", "P", "B", "N", "R", "Q", "q", "PB", "x"]))


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(MOMENTS), TURNS)
def test_any_turn_is_legal_or_objected_to(position, turn):
    seat = position.to_act[0]
    assert (position.objection(seat, turn) is None) == (turn in set(position.legal_moves(seat)))


# -- position texts --------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1p1p1p1p/p1p1p1p1/8/8/8/8/1P1P1P1P/P1P1P1P1 w 0-0 0 1",
        "7p/6p1/4Y3/8/8/8/P7/8 w 6-0 0 1 !e6",
        "7p/6p1/4R3/8/8/8/P7/8 w 6-0 0 1 ?e6",
        "1n5p/p7/8/8/8/8/7P/PN6 b 5-4 98 60",
        "8/8/3Bn3/8/8/PY6/8/8 w 22-12 0 13",
    ],
)
def test_position_texts_read_back(text):
    assert at(text).to_text() == text
    assert codec.load(ProteusDice, codec.dump(at(text))) == at(text)


def test_unmoved_dice_stand_in_the_position_text():
    text = "1p5p/p7/8/8/8/8/1P5P/P7 w 0-0 0 1 a1a7b2b8h8"
    assert at(text, pawn_double="first").to_text() == text
    assert at(text[:-10] + "-", pawn_double="first").to_text() == text[:-10] + "-"


@pytest.mark.parametrize(
    "text", ["", "8/8 w", "9/8/8/8/8/8/8/8 w", S5[:-1] + "x", f"{S5} 0:0", f"{S5} 0-0 a 1", f"{S5} ?z9"]
)
def test_other_position_texts_are_refused(text):
    with pytest.raises(ValueError):
        ProteusDice.from_text(text)


# -- pictures --------------------------------------------------------------------------


def test_the_picture_shows_faces_values_and_owners():
    scene = at(S5).draw()
    cells = {cell.name: cell for row in scene.rows for cell in row}
    rook, queen = cells["a6"].pieces[0], cells["e5"].pieces[0]
    assert (cells["a6"].text, rook.face, rook.value, rook.side, rook.name) == (
        "R",
        "R",
        5,
        WHITE,
        "White rook",
    )
    assert (cells["e5"].text, queen.face, queen.value, queen.side, queen.name) == (
        "q",
        "Q",
        6,
        BLACK,
        "Black queen",
    )
    assert (cells["a1"].tint, cells["b1"].tint, cells["a1"].text) == ("dark", "light", ".")
    assert scene.title == "Proteus with dice: White to move, 0–0"
    assert "White: rook a6; pawn a2." in scene.summary and scene.notes[0] == "Points: White 0, Black 0."


def test_the_pips_follow_the_chain_in_force():
    scene = at("7p/6p1/8/8/8/8/8/BN5P w", warhorses="yes").draw()
    values = {cell.text: cell.pieces[0].value for row in scene.rows for cell in row if cell.pieces}
    assert (values["B"], values["N"]) == (4, 3)
    assert "Rules in force: Warhorses." in scene.notes


def test_many_quiet_turns_are_told():
    notes = [note for note in at("1n5p/p7/8/8/8/8/7P/PN6 w 0-0 51 40").draw().notes if "without a capture" in note]
    assert notes == ["51 turns without a capture: after 49 more the points decide."]
    assert "without" not in " ".join(at("1n5p/p7/8/8/8/8/7P/PN6 w 0-0 50 40").draw().notes)


def test_the_picture_says_what_is_thrown_and_what_was():
    thrown = play(at(S5, roulette="before"), "Re6^")
    assert "The die on e6 is to be thrown now." in thrown.draw().notes
    assert thrown.draw().marks[0].cell == "e6"
    assert any("was thrown: a pyramid" in note for note in play(thrown, "{Y}").draw().notes)


def test_the_picture_says_how_the_game_ended():
    scene = play(at(S10), "Rxh8").draw()
    assert scene.title == "Proteus with dice: White wins, 2–0"
    assert "White wins by more points when a side was down to one die or none." in scene.notes


def test_hands_are_trays_and_others_see_only_their_number():
    position = opening(wall_street="open")
    position = position.play(WHITE, position.read(WHITE, "army QPPPPPPP"))
    position = play(position.play(BLACK, position.read(BLACK, "army RBPPPPPP")), "roll 5-3,")
    mine, theirs = position.scene(WHITE).trays
    assert [(item.touch, item.count) for item in mine.items] == [("hand:Q", 1), ("hand:P", 7)]
    assert theirs.items == () and theirs.note == "8 dice, unseen"
    assert "R" not in "".join(tray.note + str(tray.items) for tray in position.scene(None).trays)


@pytest.mark.parametrize(
    ("position", "text", "path"),
    [
        (opening(), "c3/f2=B", ("c1", "c3", "f2", "=B")),
        (opening(trade_off="yes"), "f2==N", ("f2", "==N")),
        (at(S10), "Rxh8", ("h1", "h8")),
        (play(at(S5, roulette="before"), "Re6^ {Y}"), "a2=B", ("a2", "=B")),
        (opening(wall_street="open"), "army QPPPPPPP", ("army:QPPPPPPP",)),
    ],
)
def test_touches_are_from_to_die_and_face(position, text, path):
    seat = position.to_act[0]
    assert position.touches(seat, position.read(seat, text)) == path


@pytest.mark.parametrize("case", [case for case in CASES if case.key == "proteus-dice"], ids=str)
def test_every_touch_is_on_the_picture(case):
    rng = random.Random(3)
    position = case.start()
    for _ply in range(60):
        if not position.to_act:
            return
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        if seat != CHANCE:
            scene = position.scene(seat)
            known = {cell.name for row in scene.rows for cell in row} | {choice.touch for choice in scene.choices}
            known |= {item.touch for tray in scene.trays for item in tray.items}
            assert set(position.touches(seat, move)) <= known
        position = position.after(seat, move)


def test_a_position_stays_small_however_long_nothing_is_captured():
    rng = random.Random(1)
    largest = 0
    for _game in range(10):
        position = opening(polarity="yes")
        while position.to_act:
            quiet = [move for move in position.legal_moves(position.turn) if position.board[move.target] == "."]
            move = rng.choice(quiet) if quiet else position.random_move(position.turn, rng)
            position = position.after(position.turn, move)
            largest = max(largest, len(codec.dump(position)))
    assert 2000 < largest < 4096


def test_two_squares_that_may_be_a_bishop_told_apart_by_its_rank_are_asked_about():
    position = ProteusDice.from_text("5b2/7p/8/8/5Pb1/1R1B4/8/8 w 0-0 0 1")
    with pytest.raises(AmbiguousMove) as refused:
        position.read(0, "b3b5/f4=B")
    assert set(refused.value.suggestions) == {"Rb5/f4=B", "Bb5/f4=B"}
    assert position.write(0, position.read(0, "b3-b5/f4=B")) == "Rb5/f4=B"
