"""Proteus with dice: the rules, each by its own positions; counts, a whole game, a second opinion."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from engines import GAMES, codec
from engines.base import Hidden, IllegalMove, MoveError
from engines.options import read_options
from engines.proteus_dice import Options, ProteusDice, Turn
from engines.proteus_dice.moves import Placing, Setup
from engines.proteus_dice.street import BUDGET, armies, price, setups
from tests.games import CASES
from tests.recorded import recorded
from tests.referees.proteus_dice import DiceReferee

WHITE, BLACK, CHANCE = 0, 1, -1
GAME = GAMES["proteus-dice"]
OPTION_SETS = [case.options for case in CASES if case.key == "proteus-dice"]

S2 = "2P4r/6pP/8/4p3/8/8/PP6/PP6 w"
S4 = "1p1y4/2B5/8/y7/8/1N6/7P/R7 w"
S5 = "7p/6p1/R7/4q3/8/8/P7/8 w"
S7 = "4q2p/3R2p1/8/8/1p6/8/8/R7 w"
S8 = "7p/6p1/4R3/8/3q4/8/8/P7 b"
S10 = "7p/y7/8/8/8/8/8/P1P4R w"
S11 = "1y6/y7/8/8/8/8/8/P1P1p2R b 0-12"
S13 = "8/p7/1b3n2/2q1p3/3B3q/8/5r2/3N4 w"
S16 = "1p6/p7/8/8/8/8/8/P1P5 w"
S17 = "7r/p7/1b6/8/4Q3/8/8/P1P5 b"
S19 = "7p/6p1/8/8/R6R/8/8/P2R4 w"
S19B = "7p/6p1/8/8/Q6Q/8/8/Q5PP w"
S21 = "7p/2p3p1/8/1P6/8/8/8/P7 b"
S26 = "b4/a1=B e6/b8=B b5/e1=B g6/b8=P Bb2/e1=P e5/b8=B d3/b2=P g5/b8=P"
S27 = "1n5p/p7/8/8/8/8/7P/PN6 w"


def options(**texts):
    return read_options(Options, texts)


def at(text, **texts):
    return ProteusDice.from_text(text, options(**texts))


def opening(**texts):
    return GAME.start(options(**texts))


def play(position, line):
    """The position after these texts, parted by commas if they contain blanks."""
    for text in filter(None, line.split(",") if "," in line else line.split()):
        (seat,) = position.to_act
        position = position.play(seat, position.read(seat, text))
    return position


def texts(position):
    (seat,) = position.to_act
    return [position.write(seat, move) for move in position.legal_moves(seat)]


def moves(position):
    """The moves without the rotation."""
    return {text.partition("/")[0] for text in texts(position)}


def moves_of(position, square):
    """The moves of the die on `square`, without the rotation."""
    (seat,) = position.to_act
    return {
        position.write(seat, move).partition("/")[0]
        for move in position.legal_moves(seat)
        if position.touches(seat, move)[0] == square and not position.touches(seat, move)[1].startswith("=")
    }


def turned(position):
    return {text.partition("/")[2] for text in texts(position)}


# -- the start and the counts ----------------------------------------------------------


def test_all_sixteen_dice_start_as_pawns_on_the_dark_squares():
    start = "1p1p1p1p/p1p1p1p1/8/8/8/8/1P1P1P1P/P1P1P1P1 w 0-0 0 1"
    assert opening().to_text() == start
    dark = [cell.tint for row in opening().draw().rows for cell in row if cell.pieces]
    assert dark == ["dark"] * 16


@pytest.mark.parametrize(
    ("names", "counts"),
    [
        ({}, (224, 50176)),
        ({"trade_off": "yes"}, (232, 53824)),
        ({"roulette": "before"}, (224, 50176)),
        ({"roulette": "after"}, (224, 50176)),
        ({"polarity": "yes"}, (224, 50176)),
        ({"warhorses": "yes"}, (224, 50176)),
        ({"pawn_double": "first"}, (224, 50176)),
    ],
    ids=str,
)
def test_counts_from_the_start(names, counts):
    position = opening(**names)
    after = [position.after(WHITE, move) for move in position.legal_moves(WHITE)]
    assert len(after) == counts[0]
    assert sum(1 for one in after for _move in one.legal_moves(BLACK)) == counts[1]


def test_the_sample_game_replays_to_its_final_position():
    game = recorded("proteus-dice-sample")
    end = game.end()
    assert end.to_text().split()[0] == "8/8/3Bn3/8/8/PY6/8/8"
    assert end.outcome.winners == (WHITE,) and end.outcome.scores == (22, 12)
    assert end.to_act == () and list(end.legal_moves(BLACK)) == []


# -- moving ----------------------------------------------------------------------------


def test_a_pawn_steps_once_or_from_a_starting_square_twice():
    position = at(S2)
    assert moves_of(position, "a1") == moves_of(position, "b1") == set()
    assert moves_of(position, "a2") == {"a3"}
    assert moves_of(position, "b2") == {"b3", "b4"}
    assert moves_of(position, "h7") == moves_of(position, "c8") == set()


def test_a_pyramid_blocks_everybody_but_knights():
    position = at(S4)
    assert moves_of(position, "a1") == {"Ra2", "Ra3", "Ra4", "Rb1", "Rc1", "Rd1", "Re1", "Rf1", "Rg1", "Rh1"}
    assert moves_of(position, "b3") == {"Nc1", "Nc5", "Nd2", "Nd4"}
    assert moves_of(position, "c7") == {"Bb6", "Bd6", "Be5", "Bf4", "Bg3", "Bxb8"}


def test_a_queen_is_captured_from_the_square_behind_her():
    position = at(S5)
    assert {text for text in moves(position) if "^" in text} == {"Re6^"}
    assert {"Rf6", "Rg6", "Rh6"} <= moves(position)
    after = play(position, "Re6^/a2=B")
    assert after.to_text() == "7p/6p1/4R3/8/8/8/B7/8 b 6-0 0 1"


def test_a_queen_on_her_first_rank_has_no_back():
    assert not [text for text in texts(at(S7)) if "^" in text]


def test_a_queen_arriving_in_front_of_an_enemy_is_safe():
    after = play(at(S8), "Qe5/h8=Y")
    assert (after.white, after.black) == (0, 0)
    assert "Rxe5" in moves(after) and not [text for text in texts(after) if "^" in text]


def test_a_die_turned_to_a_queen_in_front_of_an_enemy_is_safe():
    after = play(at("7p/6p1/4P3/4r3/8/8/8/P7 b"), "g6/e5=Q")
    assert (after.white, after.board.count("q")) == (0, 1)
    assert not [text for text in texts(after) if "^" in text]


def test_black_backstabs_below_a_white_queen():
    after = play(at(S17), "Be3^/a7=B")
    assert (after.white, after.black) == (0, 6) and "Q" not in after.board


def test_displacing_the_die_behind_a_queen_captures_both():
    after = play(at("7p/6p1/4q3/4q3/8/1B6/p7/P7 w"), "Bxe6^/a1=B")
    assert after.white == 12 and after.board.count("q") == 0


def test_a_pawn_backstabs_only_by_displacing():
    position = at("7p/6p1/4p3/3Pq3/8/8/p7/P7 w")
    assert {"dxe6^", "d6"} == moves_of(position, "d5")
    assert play(position, "dxe6^/a1=B").white == 8
    assert "dxe6^" not in moves(at("7p/6p1/8/3Pq3/8/8/p7/P7 w"))


def test_no_pawn_is_taken_in_passing():
    after = play(at(S21), "c5/h8=B")
    assert moves_of(after, "b5") == {"b6"}


def test_another_die_is_turned_one_step():
    position = opening()
    assert turned(position) == {
        f"{square}={face}" for square in ["a1", "b2", "c1", "d2", "e1", "f2", "g1", "h2"] for face in "YB"
    }
    for text in ("c3/c1=B", "c3/c3=B", "c3/f2=N", "c3/a7=B", "c3/c4=B"):
        with pytest.raises(IllegalMove):
            position.read(WHITE, text)


@pytest.mark.parametrize("chosen", OPTION_SETS, ids=str)
def test_a_rotation_is_always_possible(chosen):
    rng = random.Random(7)
    position = GAME.start(read_options(Options, chosen))
    while position.to_act:
        seat = position.to_act[0]
        if position.stage == "turn":
            assert sum(position.board.count(face) for face in ("YPBNRQ", "ypbnrq")[seat]) >= 2
        position = position.after(seat, position.random_move(seat, rng))


# -- the double step -------------------------------------------------------------------


def test_the_double_step_of_the_english_sheet_belongs_to_the_square():
    after = play(opening(), S26)
    assert moves_of(after, "b2") == {"b3", "b4"}
    assert moves_of(after, "e1") == {"e2", "e3"}


def test_the_double_step_of_the_italian_sheet_belongs_to_the_unmoved_die():
    after = play(opening(pawn_double="first"), S26)
    assert moves_of(after, "b2") == {"b3"}
    assert moves_of(after, "e1") == {"e2", "e3"}
    assert after.to_text().split()[5] == "a7b8c1c7d8e1f2f8g1h2h8"


def test_a_captured_die_takes_its_unmoved_right_along():
    before = at("1p6/p7/8/8/8/8/1b6/P1P1P3 b 0-0 0 1 a1a7b8c1", pawn_double="first")
    assert play(before, "Bxa1/a7=B").to_text() == "1p6/b7/8/8/8/8/8/b1P1P3 w 0-2 0 2 a7b8c1"


# -- the end ---------------------------------------------------------------------------


def test_a_move_that_leaves_one_die_ends_the_game_without_a_rotation():
    position = at(S10)
    assert "Rxh8" in texts(position) and not [text for text in texts(position) if "Rxh8/" in text]
    end = play(position, "Rxh8")
    assert end.outcome.winners == (WHITE,)
    assert end.outcome.scores == (2, 0)
    assert end.to_act == ()
    assert end.to_text() == "7R/y7/8/8/8/8/8/P1P5 w 2-0 0 1"


def test_the_last_dice_are_decided_by_points_even_against_the_captor():
    end = play(at(f"{S10} 1-9"), "Rxh8")
    assert end.outcome.winners == (BLACK,) and end.outcome.scores == (3, 9)
    assert play(at(f"{S10} 1-3"), "Rxh8").outcome.winners == ()


def test_a_double_capture_can_leave_none():
    end = play(at("8/8/4q3/4q3/8/1B6/8/P7 w"), "Bxe6^")
    assert end.outcome.scores == (12, 0) and end.board.upper().count("Q") == 0


def test_a_player_who_cannot_move_loses_whatever_the_points():
    position = at(S11)
    assert position.to_act == () and position.outcome.winners == (WHITE,)
    assert position.outcome.scores == (0, 12) and "no die that can move" in position.outcome.reason


def test_under_trade_off_a_player_who_cannot_move_may_still_turn():
    position = at(S11, trade_off="yes")
    assert set(texts(position)) == {"b8==B", "a7==B", "e1==N"}


def test_one_die_is_decided_by_points_before_immobility():
    end = play(at("8/1y5p/8/8/8/8/8/2P4R w 0-3"), "Rxh7")
    assert end.outcome.winners == (BLACK,)


def test_the_third_occurrence_is_a_draw():
    there_and_back = "Nc3/a1=Y Nc6/h8=Y Nb1/a1=P Nb8/h8=P "
    position = at(S27)
    assert play(position, there_and_back).outcome is None
    end = play(position, there_and_back * 2)
    assert end.outcome.winners == () and "third occurrence" in end.outcome.reason
    assert codec.load(ProteusDice, codec.dump(end)) == end


def test_what_releases_before_this_one_remembered_still_counts():
    once = play(at(S27), "Nc3/a1=Y Nc6/h8=Y Nb1/a1=P Nb8/h8=P ")
    packed = "+PN85P8888p8n5p-Y86P2N8885p8n5p+Y86P2N887n5p86y-PN85P8882n5p86y+PN85P8888p8n5p"
    stored = codec.load(ProteusDice, codec.dump(replace(once, seen=packed)))
    end = play(stored, "Nc3/a1=Y Nc6/h8=Y Nb1/a1=P Nb8/h8=P ")
    assert "third occurrence" in end.outcome.reason


def test_the_third_occurrence_is_seen_however_long_it_takes():
    turns = []
    for number in range(12):
        rng, position, met = random.Random(number), at("7p/6p1/8/8/8/8/1P6/P7 w"), Counter()
        while not position.ending:
            met[position.board, position.turn] += 1
            quiet = [move for move in position.legal_moves(position.turn) if position.board[move.target] == "."]
            position = position.after(position.turn, rng.choice(quiet[:2]))
        met[position.board, position.turn] += 1
        assert (max(met.values()) == 3) is (position.ending == "repetition")
        turns += [position.quiet] if position.ending == "repetition" else []
    assert min(turns) < 40 and max(turns) > 70


def test_a_die_that_has_moved_makes_another_position_where_that_matters():
    there_and_back = "Nc3/a1=Y Nc6/h8=Y Nb1/a1=P Nb8/h8=P "
    fresh = at(f"{S27} 0-0 0 1 a1a7b8h8", pawn_double="first")
    assert play(fresh, there_and_back * 2).outcome is None
    assert play(fresh, there_and_back * 2 + "Nc3/a1=Y Nc6/h8=Y").outcome.winners == ()


@pytest.mark.parametrize(("points", "winners"), [("5-4", (WHITE,)), ("4-4", ()), ("3-4", (BLACK,))])
def test_after_a_hundred_quiet_turns_the_points_decide(points, winners):
    position = play(at(f"{S27} {points} 98 60"), "Nc3/a1=Y")
    assert position.outcome is None and position.quiet == 99
    end = play(position, "Nc6/h8=Y")
    assert end.outcome.winners == winners and end.outcome.scores == tuple(map(int, points.split("-")))


# -- Trade-Off, Polarity, Warhorses ----------------------------------------------------


def test_a_double_rotation_is_the_whole_turn():
    after = play(opening(trade_off="yes"), "f2==N")
    assert after.to_text() == "1p1p1p1p/p1p1p1p1/8/8/8/8/1P1P1N1P/P1P1P1P1 b 0-0 1 1"


def test_a_double_rotation_needs_both_steps():
    position = at("7p/6p1/8/8/8/8/8/YPBNRQ2 w", trade_off="yes")
    doubles = {text for text in texts(position) if "==" in text}
    assert doubles == {"a1==B", "b1==N", "c1==Y", "c1==R", "d1==P", "d1==Q", "e1==B", "f1==N"}


def test_odd_takes_even_and_even_takes_odd():
    position = at(S13, polarity="yes")
    assert moves_of(position, "d4") == {"Ba1", "Bb2", "Bc3", "Be3", "Bxc5", "Bxe5"}
    assert moves_of(position, "d1") == {"Nb2", "Nc3", "Ne3", "Nxf2"}


def test_with_warhorses_the_parity_follows_the_values_in_force():
    position = at(S13, polarity="yes", warhorses="yes")
    assert moves_of(position, "d4") == {"Ba1", "Bb2", "Bc3", "Be3", "Bxf2"}
    assert moves_of(position, "d1") == {"Nb2", "Nc3", "Ne3"}


def test_under_polarity_only_an_odd_die_backstabs():
    assert "Re6^" in moves(at(S5, polarity="yes"))
    even = at("7p/6p1/Q7/4q3/8/8/P7/8 w", polarity="yes")
    assert "Qe6" in moves(even) and "Qe6^" not in moves(even)


def test_a_move_is_written_by_the_rules_of_its_own_game_although_the_board_is_the_same():
    board = "7p/6p1/Q7/4q3/8/8/P7/8 w"
    for _again in range(2):
        assert "Qe6^" in moves(at(board)) and "Qe6" in moves(at(board, polarity="yes"))


def test_with_warhorses_a_pawn_becomes_a_knight():
    after = turned(at(S16, warhorses="yes"))
    assert {text for text in after if text.startswith("c1")} == {"c1=N", "c1=Y"}


def test_with_warhorses_knights_score_three_and_bishops_four():
    assert play(at("7p/n5p1/8/8/8/8/7P/R7 w", warhorses="yes"), "Rxa7/h2=N").white == 3
    assert play(at("7p/b5p1/8/8/8/8/7P/R7 w", warhorses="yes"), "Rxa7/h2=N").white == 4


# -- Russian Roulette ------------------------------------------------------------------


def test_before_the_rotation_a_captor_is_thrown_in_the_middle_of_the_turn():
    position = at(S5, roulette="before")
    assert "Re6^" in texts(position) and not [text for text in texts(position) if text.startswith("Re6^/")]
    thrown = play(position, "Re6^")
    assert thrown.to_act == (CHANCE,) and thrown.to_text().endswith("?e6")
    assert texts(thrown) == [f"{{{face}}}" for face in "YPBNRQ"]
    due = play(thrown, "{Y}")
    assert due.to_act == (WHITE,) and due.to_text() == "7p/6p1/4Y3/8/8/8/P7/8 w 6-0 0 1 !e6"
    assert set(texts(due)) == {"a2=B", "a2=Y"}
    with pytest.raises(IllegalMove, match="moved cannot be turned"):
        due.read(WHITE, "e6=P")
    after = play(due, "a2=B")
    assert after.to_act == (BLACK,)
    assert after.quiet == 0
    assert after.board.count("B") == 1


def test_after_the_rotation_a_captor_is_thrown_when_the_turn_is_given():
    position = at(S5, roulette="after")
    assert {text for text in texts(position) if "^" in text} == {"Re6^/a2=B", "Re6^/a2=Y"}
    thrown = play(position, "Re6^/a2=B")
    assert thrown.to_act == (CHANCE,)
    assert play(thrown, "{Q}").to_text() == "7p/6p1/4Q3/8/8/8/B7/8 b 6-0 0 1"


@pytest.mark.parametrize("when", ["before", "after"])
def test_no_die_is_thrown_when_the_game_is_over_or_nothing_was_captured(when):
    assert play(at(S10, roulette=when), "Rxh8").outcome is not None
    assert play(at(S10, roulette=when), "Rh7/a1=B").to_act != (CHANCE,)


# -- Wall Street -----------------------------------------------------------------------


@pytest.mark.parametrize("warhorses", [False, True])
def test_twelve_armies_and_495_set_ups_can_be_bought(warhorses):
    assert len(armies(warhorses)) == 12 and len(setups(warhorses)) == len(set(setups(warhorses))) == 495
    assert sum(price(faces, warhorses) == BUDGET for faces in setups(warhorses)) == 330
    standard = {
        "PPPPPPPP",
        "BPPPPPPP",
        "NPPPPPPP",
        "RPPPPPPP",
        "QPPPPPPP",
        "BBPPPPPP",
        "NBPPPPPP",
        "RBPPPPPP",
        "NNPPPPPP",
        "BBBPPPPP",
        "NBBPPPPP",
        "BBBBPPPP",
    }
    swapped = {army.translate(str.maketrans("BN", "NB")) for army in standard}
    assert set(armies(warhorses)) == (swapped if warhorses else standard)


@pytest.mark.parametrize("army", ["QPPPPPPP", "RBPPPPPP", "BBBBPPPP"])
def test_an_army_for_twenty_points_is_good(army):
    assert price(army, False) == 20
    position = opening(wall_street="open")
    assert position.write(WHITE, position.read(WHITE, f"army {army}")) == f"army {army}"


@pytest.mark.parametrize(
    ("army", "why"),
    [
        ("RNPPPPPP", "cost 21"),
        ("PPPPPPP", "One die is missing"),
        ("PPPPPPPPP", "these are 9"),
        ("YPPPPPPP", "pyramid cannot be bought"),
        ("KPPPPPPP", "no K"),
    ],
)
def test_other_armies_are_refused(army, why):
    for moment, word in (("open", "army"), ("secret", "setup")):
        position = opening(wall_street=moment)
        position = position if moment == "open" else position.play(CHANCE, position.read(CHANCE, "roll 4-2"))
        with pytest.raises(MoveError, match=why):
            position.read(WHITE, f"{word} {army}")


def test_with_warhorses_a_knight_is_cheaper():
    position = opening(wall_street="open", warhorses="yes")
    for army in ("RNPPPPPP", "BBPPPPPP"):
        assert price(army, True) == 20 and position.read(WHITE, f"army {army}")


def test_in_secret_the_winner_of_the_roll_moves_first():
    position = opening(wall_street="secret")
    assert position.to_act == (CHANCE,) and len(texts(position)) == 30
    position = position.play(CHANCE, position.read(CHANCE, "roll 2-4"))
    assert position.to_act == (WHITE, BLACK)
    position = position.play(BLACK, position.read(BLACK, "setup PPPPPPPQ"))
    assert position.to_act == (WHITE,)
    position = position.play(WHITE, position.read(WHITE, "setup PPBPNPPP"))
    assert position.to_text() == "1p1p1p1q/p1p1p1p1/8/8/8/8/1P1P1P1P/P1B1N1P1 b 0-0 0 1"
    assert play(position, "a6/c7=B").to_text().split()[4] == "1"
    assert play(position, "a6/c7=B a2/b2=B").to_text().split()[4] == "2"


def test_in_the_open_the_dice_are_placed_in_turn():
    position = opening(wall_street="open", warhorses="yes")
    assert position.to_act == (WHITE, BLACK)
    position = position.play(WHITE, position.read(WHITE, "army QPPPPPPP"))
    position = position.play(BLACK, position.read(BLACK, "army BBPPPPPP"))
    position = play(position, "roll 6-1,")
    assert position.to_act == (WHITE,) and len(texts(position)) == 16
    line = "Q@a1 B@a7 P@b2 B@b8 P@c1 P@c7 P@d2 P@d8 P@e1 P@e7 P@f2 P@f8 P@g1 P@g7 P@h2 P@h8"
    position = play(position, line)
    assert position.to_text() == "1b1p1p1p/b1p1p1p1/8/8/8/8/1P1P1P1P/Q1P1P1P1 w 0-0 0 1"


def test_the_first_die_of_a_mixed_army_has_24_placings():
    position = opening(wall_street="open", warhorses="yes")
    position = position.play(WHITE, position.read(WHITE, "army QPPPPPPP"))
    position = position.play(BLACK, position.read(BLACK, "army RNPPPPPP"))
    position = play(position, "roll 1-6,")
    assert position.to_act == (BLACK,) and len(texts(position)) == 24


def test_sealed_dice_stay_unseen_until_all_lie_open():
    start = opening(wall_street="open")
    army = start.read(WHITE, "army QPPPPPPP")
    sealed = start.play(WHITE, army)
    assert sealed.view(BLACK).hands == ("????????", "") and sealed.view(WHITE).hands[0] == "QPPPPPPP"
    assert start.tell(WHITE, army, BLACK, sealed) == start.tell(WHITE, army, None, sealed) == "army ????????"
    assert start.tell(WHITE, army, WHITE, sealed) == "army QPPPPPPP"
    placing = play(sealed.play(BLACK, start.read(BLACK, "army RBPPPPPP")), "roll 5-3,P@a1,R@a7")
    assert placing.view(BLACK).hands == ("???????", "BPPPPPP")
    assert start.tell(WHITE, army, BLACK, placing) == "army ????????"
    line = "P@b2 P@b8 P@c1 P@c7 P@d2 P@d8 P@e1 P@e7 P@f2 P@f8 P@g1 P@g7 Q@h2 B@h8"
    assert start.tell(WHITE, army, BLACK, play(placing, line)) == "army QPPPPPPP"


def test_a_sealed_set_up_is_told_once_both_are_in():
    start = play(opening(wall_street="secret"), "roll 3-1,")
    setup = start.read(BLACK, "setup QPPPPPPP")
    sealed = start.play(BLACK, setup)
    assert start.tell(BLACK, setup, WHITE, sealed) == "setup ????????"
    both = sealed.play(WHITE, sealed.read(WHITE, "setup PPPPPPPP"))
    assert start.tell(BLACK, setup, WHITE, both) == "setup QPPPPPPP"


def test_what_follows_from_dice_that_are_not_seen_is_said_to_be_hidden():
    sealed = play(opening(wall_street="secret"), "roll 3-1,").play(BLACK, Setup("QPPPPPPP"))
    with pytest.raises(Hidden, match="hidden from you"):
        sealed.view(WHITE).play(WHITE, Setup("PPPPPPPP"))
    assert sealed.play(WHITE, Setup("PPPPPPPP")).to_act == (WHITE,)
    armies = opening(wall_street="open")
    for seat, army in ((WHITE, "QPPPPPPP"), (BLACK, "RBPPPPPP")):
        armies = armies.play(seat, armies.read(seat, f"army {army}"))
    placing = play(armies, "roll 5-3,")
    for viewer in (BLACK, None):
        seen = placing.view(viewer)
        assert list(seen.legal_moves(WHITE)) == []
        assert seen.objection(WHITE, Placing("Q", 0)) == "What White has in hand is hidden from you."
        with pytest.raises(Hidden):
            seen.after(WHITE, Placing("Q", 0))


# -- a second opinion ------------------------------------------------------------------


@pytest.mark.parametrize("chosen", OPTION_SETS, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_an_independent_referee_agrees_at_every_ply(chosen, seed):
    rng = random.Random(seed)
    position, referee = GAME.start(read_options(Options, chosen)), DiceReferee(chosen)
    for _ply in range(70):
        assert set(position.to_act) == referee.actors()
        if not position.to_act:
            assert set(position.outcome.winners) == referee.result
            return
        seat = rng.choice(position.to_act)
        mine = {position.write(seat, move): move for move in position.legal_moves(seat)}
        assert set(mine) == set(referee.texts(seat))
        eager = [text for text in sorted(mine) if "x" in text or "^" in text or "=Q" in text]
        text = rng.choice(eager if eager and rng.random() < 0.4 else sorted(mine))
        position = position.after(seat, mine[text])
        referee.play(seat, text)
        assert (position.white, position.black) == tuple(referee.points.values())


@pytest.mark.parametrize("text", [S2, S4, S5, S7, S8, S13, S17, S19, S19B, S21, S27])
def test_the_referee_sees_the_same_moves_in_the_test_positions(text):
    for chosen in OPTION_SETS:
        if "wall_street" not in chosen:
            assert set(texts(at(text, **chosen))) == set(DiceReferee(chosen, text).texts(at(text).turn))


def test_the_turn_is_a_plain_value():
    position = opening()
    assert position.read(WHITE, "c3/f2=B") == Turn(2, 18, 13, "B")
