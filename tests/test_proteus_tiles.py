"""Proteus with tiles: rule sheet, rulings, test positions and counts of its specification."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import GAMES, codec
from engines.base import IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.options import read_options
from engines.proteus_tiles import Move, Tiles
from engines.proteus_tiles.tiles import RULES, SPACES, TILES
from tests.recorded import recorded
from tests.referees.proteus_tiles import TilesReferee

BLACK, WHITE = 0, 1
GAME = GAMES["proteus-tiles"]
PAIRS = [(one, other) for one, other in product(range(9), repeat=2) if one < other]
on_both_options = pytest.mark.parametrize("repetition", ["forbid", "draw"])

EMPTY = "-,-,-/-,-,-/-,-,- B P"
K3 = "MoWs,MsWo,Mt/GoWt,To,Gs/Ts,-,- B P"
K4 = "Go*Bo,MtBs,To/Ms,Ts,Mo/-,-,- B P"
K6 = "Ms*,To*Bo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts,GsBt B M"
K7 = "Ms,To*Bo,Gt/MoWt,Go*Ws,TtBs/Mt*Wo,Ts,GsBt B M"
K10 = "MoBt,Ms*,Go*/MtWo,Ts*Bs,GsWs/To,TtBo,GtWt B M"
K12 = "MsBo,GoWs,Gt/To*,MtBt,Mo*/TtWo,Gs*Wt,TsBs B M"
K13 = "MoBs,TsBt,GtBo/MtWs,To*Wt,Go/Ms*,Tt,Gs*Wo W M"
K15 = "MoBs,TtBo,Gt/Ms*,MtWt,GsBt/To*,TsWo,Go*Ws B M"
K16 = "Mo*Wo,MsWt,Gt/TsBt,To,MtWs/Go,Gs,Tt W P"
THERE_AND_BACK = "Ms*,ToBo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts*,GsBt B M"
"""COLOR lets the tiles of a1 and a3 change places and back, which activates nothing."""


def at(text, repetition="forbid"):
    return Tiles.from_text(text, draws=repetition == "draw")


def after(position, *actions):
    position = at(position) if isinstance(position, str) else position
    for action in actions:
        position = position.play(position.seat, position.read(position.seat, action))
    return position


def played(line, repetition="forbid"):
    """The position after a printed record, `1. Mo@b2 o@b2+Mo 2. …`."""
    start = GAME.start(read_options(GAME.Options, {"repetition": repetition}))
    return after(start, *(action for action in line.split() if not action.endswith(".")))


def texts(position):
    return {position.write(position.seat, move) for move in position.legal_moves(position.seat)}


def unmarked(position):
    return {text.partition("+")[0].rstrip("#") for text in texts(position)}


def moves(position):
    return {text for text in unmarked(position) if text[0] in "ost" and "@" not in text}


def exchanges(position):
    return {text for text in unmarked(position) if "=" in text}


def piece_placings(position):
    return {text for text in texts(position) if text[0] in "ost"}


def refusal(position, text, kind=IllegalMove):
    with pytest.raises(kind) as caught:
        position.read(position.seat, text)
    assert type(caught.value) is kind
    return str(caught.value)


def perft(position, depth):
    if depth == 0:
        return 1
    return sum(perft(position.after(s, m), depth - 1) for s in position.to_act for m in position.legal_moves(s))


def walk(repetition, seed, shy=False):
    """The positions of a random game; a shy one is not won while anything else is possible."""
    rng = random.Random(seed)
    position = GAME.start(read_options(GAME.Options, {"repetition": repetition}))
    while position.to_act and len(position.past) < 11 * 200:
        yield position
        seat = position.seat
        move = position.random_move(seat, rng)
        for _attempt in range(20 * shy):
            if position.after(seat, move).outcome is None:
                break
            move = position.random_move(seat, rng)
        position = position.after(seat, move)
    yield position


# -- placing ---------------------------------------------------------------------------


def test_black_begins_and_may_place_any_tile_on_any_space():
    position = at(EMPTY)
    assert position.to_act == (BLACK,)
    assert texts(position) == {f"{tile}@{space}" for tile in TILES for space in SPACES}


def test_after_one_tile_there_are_67_replies():
    replies = texts(after(EMPTY, "Mo@b2"))
    assert len(replies) == 67
    assert {text for text in replies if text[0] in "ost"} == {"o@b2+Mo", "s@b2", "t@b2"}


def test_a_second_tile_of_one_colour_is_not_activated_while_placing():
    position = played("1. Mo@b2 o@b2+Mo 2. Ms@a1")
    assert position.to_act == (WHITE,)
    assert piece_placings(position) == {"t@a1"}
    assert "a Move tile is in force already" in refusal(position, "s@a1")
    assert refusal(position, "o@a1").startswith("Your circle already stands on b2.")


def test_the_last_chance_of_a_colour_may_not_be_blocked():
    assert piece_placings(at(K3)) == {"o@b2+To", "s@c2+Gs", "t@c3+Mt"}
    assert "could no longer activate exactly one tile of each colour" in refusal(at(K3), "o@c3")
    full = K3.replace("Ts,-,-", "Ts,Tt,Gt")
    assert piece_placings(at(full)) == texts(at(full)) == {"o@b2+To", "s@c2+Gs", "t@c3+Mt"}


def test_a_mandatory_activation_may_wait_while_tiles_are_placed():
    assert {"Tt@b1", "Gt@c1"} <= texts(at(K3))


def test_a_piece_is_placed_on_a_tile_without_a_piece_and_a_tile_on_a_space_without_a_tile():
    position = played("1. Mo@b2 Ms@b3 2. t@b2")
    assert refusal(position, "t@a1").startswith("There is no tile on a1, and a piece is placed onto a tile.")
    assert refusal(position, "t@b2").startswith("The Black triangle already stands on b2.")
    assert refusal(position, "Tt@b2").startswith("The tile Mo (KING) already lies on b2.")
    assert refusal(position, "Mo@a1").startswith("The tile Mo (KING) already lies on b2.")


def test_nothing_placed_is_moved_in_the_placement_phase():
    position = played("1. Mo@b2 Ms@b3 2. t@b2 Ts@c3")
    for text in ("tb3", "tb2-b3", "b2=b3"):
        assert refusal(position, text).startswith("Nothing moves before all tiles and pieces are placed.")


def test_the_game_can_be_won_while_placing():
    won = after(K4, "t@c3#")
    assert "t@c3#" in texts(at(K4))
    assert won.outcome.winners == (BLACK,) and won.outcome.reason == "three pieces in line"
    assert won.lit == "--6" and not won.moving


def test_an_illegal_placing_cannot_win():
    position = at(K4.replace("Go*Bo,MtBs,To/Ms,Ts,Mo", "Go*Bo,MtBs,Gt/Ms,Ts,Mo"))
    assert not any(text.startswith("t@c3") for text in texts(position))


def test_who_has_nothing_to_place_is_passed_over():
    position = at(K16)
    assert position.to_act == (BLACK,)
    assert texts(position) == {"o@b2+To", "s@b1+Gs#"}


def test_the_others_goal_fulfilled_by_my_turn_wins_for_him():
    assert after(K16, "s@b1+Gs#").outcome.winners == (WHITE,)


def test_the_movement_phase_begins_when_all_is_placed_with_the_next_player():
    position = at("Mo*Bo,Ms,Mt/Ts*Bs,To,TtWo/Gt*Bt,GoWs,Gs W P")
    ready = after(position, "t@c1")
    assert ready.moving
    assert ready.to_act == (BLACK,)
    assert ready.outcome is None
    assert refusal(ready, "Mo@a1").startswith("Everything is placed: now a piece moves")
    assert refusal(ready, "o@a1").startswith("Everything is placed: now a piece moves")


@on_both_options
def test_somebody_can_always_place(repetition):
    for seed in range(60):
        for position in walk(repetition, seed):
            assert not position.to_act or texts(position)


# -- moving and exchanging -------------------------------------------------------------


def test_a_rook_goes_along_row_or_column_and_leaps():
    assert moves(at(K6)) == {"oa3", "ob1", "oc3", "sc3", "tb1", "tc3"}
    assert "oc3#" in texts(at(K6))
    assert moves(at(K6.replace(" B M", " W M"))) == {"oa3", "ob1", "sb1", "ta3"}


def test_a_bishop_knight_goes_to_another_row_and_column():
    assert moves(at(K7)) == {"sa3", "sb1", "ta3"}
    assert moves(at(K7.replace(" B M", " W M"))) == {"oc3", "sa3", "sc3", "tb1", "tc3"}


def test_a_king_goes_one_space_and_does_not_leap():
    king = K6.replace("Ms*", "Ms").replace("Mo", "Mo*")
    assert moves(at(king)) == {"oa3", "oc3", "sb1", "sc3", "tb1"}
    assert "KING is in force, it moves one space in any direction" in refusal(at(king), "ob1")


POLARITY = "a1=b3 a1=c1 a1=c2 a2=b3 a2=c1 a2=c2 b2=b3 b2=c1 b2=c2"
COLOUR = "a1=a2 a1=a3 a2=a3 b1=b3 b1=c2 b2=c1 b2=c3 b3=c2 c1=c3"
SHAPE = "a1=c2 a1=c3 a2=b2 a2=b3 a3=b1 a3=c1 b1=c1 b2=b3 c2=c3"


@pytest.mark.parametrize(
    "active, pairs", [("To", POLARITY), ("Ts", COLOUR), ("Tt", SHAPE)], ids=["POLARITY", "COLOR", "SHAPE"]
)
def test_two_tiles_are_exchanged_by_the_trade_tile_in_force(active, pairs):
    position = at(K6.replace("To*", "To").replace(active, f"{active}*"))
    assert exchanges(position) == set(pairs.split())


def test_an_exchange_takes_the_tiles_and_leaves_the_pieces():
    assert after(K6, "a1=c2").to_text() == "Ms*,To*Bo,Gt/MoWt,Go*Ws,MtBs/TtWo,Ts,GsBt W M"


@on_both_options
def test_in_the_movement_phase_one_tile_of_each_colour_is_in_force_and_nine_exchanges_fit(repetition):
    for seed in range(30):
        for position in walk(repetition, seed, shy=True):
            if position.moving and position.to_act:
                assert "-" not in position.lit
                assert [TILES[int(tile)][0] for tile in position.lit] == ["M", "T", "G"]
                fitting = [pair for pair in PAIRS if position.exchange_fits(*pair)]
                assert len(fitting) == 9


# -- activating ------------------------------------------------------------------------


def test_two_matches_of_one_colour_both_inactive_cancel_each_other():
    assert "a2=a3" in texts(at(K10))
    position = after(K10, "a2=a3")
    assert position.to_text() == "MtBt,Ms*,Go*/MoWo,Ts*Bs,GsWs/To,TtBo,GtWt W M"
    assert "+Mo is not right" in refusal(at(K10), "a2=a3+Mo")


def test_two_matches_of_different_colours_both_take_effect():
    assert "a3=b3+Go+Ms#" in texts(at(K12))
    won = after(K12, "a3=b3")
    assert won.outcome.winners == (BLACK,) and won.lit == "136"


def test_of_two_matches_of_one_colour_the_inactive_one_is_activated():
    position = at("Mo*Bt,Ms,Go*/MtWo,Ts*Bs,GsWs/To,TtBo,GtWt B M")
    assert "a2=a3+Mt" in texts(position)
    assert after(position, "a2=a3+Mt").to_text().startswith("Mt*Bt,Ms,Go*/MoWo")


RESTING = "Mo*Bo,Ms,Go*/MtWt,Ts*Bs,GsWs/ToBt,Tt,GtWo B M"
"""Bo, Wt, Bs and Ws rest on tiles of their shapes; Mt and Gs are not in force all the same."""


def test_a_piece_that_rests_on_its_tile_activates_nothing():
    assert "ob3" in texts(at(RESTING))
    assert after(RESTING, "ob3").lit == at(RESTING).lit


def test_a_tile_stays_in_force_when_its_piece_leaves_or_it_is_exchanged_away():
    assert after(RESTING, "ob3").to_text().startswith("Mo*,MsBo,Go*/")
    assert "a3=b3" in texts(at(RESTING))
    assert after(RESTING, "a3=b3").to_text().startswith("MsBo,Mo*,Go*/")


def test_a_match_with_the_tile_in_force_is_no_event_and_has_no_mark():
    position = after(RESTING, "ob3", "sc3")
    assert "oa3" in texts(position)


# -- winning ---------------------------------------------------------------------------


def test_when_both_fulfil_the_goal_nobody_wins_until_only_one_does():
    position = after(K13, "oc2+Go")
    assert "oc2+Go" in texts(at(K13))
    assert position.outcome is None and position.to_act == (BLACK,)
    assert any("Both sides" in note for note in position.draw().notes)
    broken = next(text for text in texts(position) if text[0] in "ost" and text.endswith("#"))
    assert after(position, broken).outcome.winners == (WHITE,)


def test_the_goal_that_counts_is_the_one_in_force_at_the_end_of_the_turn():
    assert "tc3+Gt" in texts(at(K15))
    position = after(K15, "tc3+Gt")
    assert position.outcome is None and RULES[TILES[int(position.lit[2])]] == "SHAPE"


def test_after_the_end_nobody_may_act():
    won = after(K6, "oc3")
    assert won.to_act == () and list(won.legal_moves(WHITE)) == []
    assert won.objection(WHITE, Move("o", "-", "a3")) == "The game is over."


# -- repetition ------------------------------------------------------------------------


def test_an_action_may_not_recreate_an_earlier_position():
    position = after(THERE_AND_BACK, "a1=a3")
    assert "a1=a3" not in texts(position) and "a2=a3+Mt" in texts(position)
    assert refusal(position, "a1=a3").startswith("That would bring back an earlier position with the same player")


def test_the_first_position_of_the_phase_counts():
    last = at("Ms*,To*Bo,Gt/MoWt,Go*Ws,TtBs/MtWo,Ts,Gs B P")
    first = after(last, "t@c1")
    assert first.moving and first.to_act == (WHITE,)
    assert len(first.past) == 11


def test_the_same_board_with_the_other_player_to_act_is_another_position():
    position = at(THERE_AND_BACK)
    other = at(THERE_AND_BACK.replace(" B M", " W M"))
    assert position.past != other.past


def test_the_third_occurrence_of_a_position_is_a_draw_by_option():
    position = after(at(THERE_AND_BACK, "draw"), "a1=a3", "a1=a3", "a1=a3")
    assert position.outcome is None and position.to_act == (WHITE,)
    drawn = after(position, "a1=a3")
    assert drawn.outcome.winners == () and drawn.outcome.reason == "the third occurrence of a position"
    assert not position.write(WHITE, position.read(WHITE, "a1=a3")).endswith("#")


def closed(before, position):
    """`before`, as if every position that can follow on `position` had been seen already."""
    ways = replace(position, draws=True)
    seen = [ways.after(ways.seat, move).past[-11:] for move in ways.legal_moves(ways.seat)]
    return replace(before, past=before.past + "".join(seen))


def test_who_is_barred_from_every_action_is_passed_over():
    start = at(THERE_AND_BACK)
    passed = after(closed(start, after(start, "a1=a3")), "a1=a3")
    assert passed.to_act == (BLACK,) and texts(passed)
    assert passed.past.endswith(at(passed.to_text()).past)
    assert passed.to_text() == after(start, "a1=a3").to_text().replace(" W M", " B M")


def test_two_such_passes_in_a_row_are_a_draw():
    start = at(THERE_AND_BACK)
    one = closed(start, after(start, "a1=a3"))
    both = closed(one, after(one, "a1=a3"))
    drawn = after(both, "a1=a3")
    assert drawn.to_act == () and drawn.outcome.winners == ()
    assert drawn.outcome.reason == "two forced passes in a row"


def test_under_forbid_no_position_recurs():
    for seed in range(20):
        *_others, last = walk("forbid", seed, shy=True)
        course = last.past.split()
        assert len(set(course)) == len(course)


def test_a_position_stays_small():
    longest = max((list(walk("forbid", seed))[-1] for seed in range(60)), key=lambda end: len(end.past))
    assert len(codec.dump(longest)) < 4096


# -- notation --------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["oc3", "oc3#", "OC3", "ob3-c3", "Ob3-C3#", " o c3 ", "\u00a0oc3"])
def test_a_move_may_be_written_short_or_long_with_marks_or_without(text):
    assert at(K6).read(BLACK, text) == Move("o", "-", "c3")


def test_the_long_form_names_where_a_piece_comes_from():
    assert at(K6).write_long(BLACK, Move("o", "-", "c3")) == "ob3-c3#"
    assert at(K6).write_long(BLACK, Move("a1", "=", "b3")) == at(K6).write(BLACK, Move("a1", "=", "b3"))
    assert refusal(at(K6), "oa1-c3") == "Your circle stands on b3, not on a1."


def test_an_exchange_may_be_written_in_either_order():
    assert at(K6).read(BLACK, "C1=a1") == at(K6).read(BLACK, "a1=c1") == Move("a1", "=", "c1")


def test_a_mark_that_is_written_must_be_true():
    assert at(K12).read(BLACK, "a3=b3+Ms") == at(K12).read(BLACK, "A3=B3+ms+GO#") == at(K12).read(BLACK, "a3=b3#")
    for text in ("a3=b3+Mo", "a3=b3+Go+Go", "a3=b3+Go+Mt#"):
        assert "it would be written a3=b3+Go+Ms#." in refusal(at(K12), text)
    assert refusal(at(K6), "oa3#") == "oa3 is possible, but the mark # is not right: it would be written oa3."


@pytest.mark.parametrize(
    "where, text, sentence",
    [
        (K6, "oa2", "The White triangle already stands on a2. You can play oa3,"),
        (
            K6,
            "sb1",
            "Your square cannot go from c2 to b1: ROOK is in force, it moves along its row or its column.",
        ),
        (
            K7,
            "tc3",
            "Your triangle cannot go from c1 to c3: BISHOP/KNIGHT is in force, it moves to another row",
        ),
        (
            K6,
            "a1=a2",
            "POLARITY exchanges the tiles under one Black and one White piece, not those of a1 and a2.",
        ),
        (K10, "a1=b1", "SHAPE exchanges two tiles of one shape"),
        (THERE_AND_BACK, "a1=b1", "COLOR exchanges two tiles of one colour, not Mt on a1 and Ts on b1."),
    ],
)
def test_a_refusal_says_which_piece_why_and_what_is_possible(where, text, sentence):
    position = at(where.replace("Ts*", "Ts").replace("Tt", "Tt*") if where == K10 else where)
    assert refusal(position, text).startswith(sentence)


@pytest.mark.parametrize(
    "where, text, sentence",
    [
        (EMPTY, "Mo", "Onto which space does the tile Mo (KING) go?"),
        (EMPTY, "mo@", "Onto which space does the tile Mo (KING) go?"),
        (EMPTY, "b2", "What is to be placed on b2?"),
        (EMPTY, "G", "“G” is only a beginning."),
        (K3, "o", "Onto which tile does your circle go?"),
        (K6, "o", "Where does your circle go?"),
        (K6, "ob3", "Where does your circle go?"),
        (K6, "tc1", "Where does your triangle go? You can play tb1 or tc3+Gt."),
        (K6, "ob3-", "Where does your circle go?"),
        (K6, "c3", "What happens on c3: does a piece go there, or a tile change places?"),
        (K6, "c1=", "What happens on c1: does a piece go there, or a tile change places?"),
    ],
)
def test_a_beginning_is_continued(where, text, sentence):
    position = at(where)
    assert refusal(position, text, UnfinishedMove).startswith(sentence)
    with pytest.raises(UnfinishedMove) as caught:
        position.read(position.seat, text)
    assert caught.value.suggestions
    for whole in caught.value.suggestions:
        assert position.write(position.seat, position.read(position.seat, whole)) == whole


def test_a_beginning_that_leads_nowhere_says_why():
    position = played("1. Mo@b2 o@b2+Mo 2. Ms@a1")
    assert refusal(position, "mo@").startswith("The tile Mo (KING) already lies on b2.")
    assert refusal(position, "o").startswith("Your circle already stands on b2.")
    assert refusal(position, "o@a").startswith("No move that begins with “o@a” is possible now.")


def test_nobody_passes_by_choice():
    assert refusal(at(K6), "pass", NotationError).startswith("You cannot choose to pass in this game.")


@pytest.mark.parametrize("where", [EMPTY, K3, K4, K6, K7, K10, K12, K16, THERE_AND_BACK])
def test_an_objection_meets_exactly_what_is_not_legal(where):
    position = at(where)
    legal = set(position.legal_moves(position.seat))
    things = ["", "x", "MO", "O", *TILES, *"ost", *SPACES]
    for what, sign, to in product(things, ["@", "-", "=", "", "#"], ["", "A1", "d4", *SPACES]):
        objection = position.objection(position.seat, Move(what, sign, to))
        assert (objection is None) == (Move(what, sign, to) in legal)
        assert objection is None or objection.endswith(".")
    assert {position.objection(1 - position.seat, move) for move in legal} == {"It is the other player's turn."}


ANY_TILES_TEXT = st.one_of(
    st.text(max_size=30),
    st.text("MTGostabc123@=-+#ſKpas ", max_size=12),
    st.from_regex(r"([MTG]?[ost]@|[ost]([a-c][1-3]-)?|[a-c][1-3]=)[a-c][1-4](\+[MTG][ost]){0,2}#?", fullmatch=True),
)


@given(ANY_TILES_TEXT, st.sampled_from([EMPTY, K3, K4, K6, K7, K10, K12, K15, K16, THERE_AND_BACK]))
def test_any_text_is_a_legal_move_or_refused_in_a_sentence(text, where):
    position = at(where)
    try:
        move = position.read(position.seat, text)
    except MoveError as error:
        assert str(error)[-1] in ".?"
        for near in error.suggestions:
            position.read(position.seat, near)
    else:
        assert position.objection(position.seat, move) is None
        assert move.to in text.lower() and move.what.lower() in text.lower()


# -- picture and position text ---------------------------------------------------------


def test_the_picture_shows_tiles_pieces_and_what_is_in_force():
    scene = at(K6).draw()
    assert [cell.text for cell in scene.rows[0]] == ["Ms*", "To*Bo", "Gt"]
    cell = scene.rows[0][1]
    assert (cell.ground.name, cell.ground.face, cell.ground.lit) == (
        "Trade tile, circle: POLARITY, in force", "To", True,
    )  # fmt: skip
    assert (cell.pieces[0].name, cell.pieces[0].shape, cell.pieces[0].side) == (
        "Black circle",
        "circle",
        BLACK,
    )
    assert scene.notes == ("in force: ROOK - POLARITY - 3-IN-LINE",)
    assert scene.title == "Proteus with tiles: Black to move" and scene.trays == ()
    assert scene.lines == ()
    assert "b3: Trade tile, circle: POLARITY, in force, with the Black circle." in scene.summary


def test_the_pool_and_the_own_hand_can_be_touched():
    scene = played("1. Mo@b2 o@b2+Mo 2. Ms@a1").draw()
    pool, black, white = scene.trays
    assert [item.touch for item in pool.items] == [f"pool:{tile}" for tile in TILES if tile not in ("Mo", "Ms")]
    assert [item.touch for item in black.items] == ["", "", ""]
    assert [item.touch for item in white.items] == ["hand:s", "hand:t"]
    assert scene.rows[1][0].text == "-" and scene.notes == ("in force: KING",)


def test_rules_in_force_are_named_with_what_they_mean():
    meanings = {rule.name: rule.meaning for rule in at(K6).draw().in_force}
    assert meanings["Move tile: ROOK"] == "a piece moves along its row or its column, and leaps over what lies between."
    assert meanings["Goal tile: 3-IN-LINE"] == "a player with three pieces in one line wins."
    asleep = played("1. Mo@b2 o@b2+Mo 2. Ms@a1").draw().in_force
    assert [rule.name for rule in asleep] == ["Move tile: KING", "Trade tile", "Goal tile"]
    assert "nobody can win" in asleep[2].meaning


@pytest.mark.parametrize(
    "where, move, path",
    [
        (EMPTY, Move("Mo", "@", "b2"), ("pool:Mo", "b2")),
        (K3, Move("o", "@", "b2"), ("hand:o", "b2")),
        (K6, Move("o", "-", "c3"), ("b3", "c3")),
        (K6, Move("a1", "=", "c1"), ("exchange", "a1", "c1")),
    ],
)
def test_a_move_is_a_path_of_touches(where, move, path):
    assert at(where).touches(BLACK, move) == path


@on_both_options
def test_every_touch_is_in_the_picture(repetition):
    for position in walk(repetition, 3):
        scene = position.draw()
        shown = {item.touch for tray in scene.trays for item in tray.items} | set(SPACES)
        shown |= {choice.touch for choice in scene.choices}
        for move in position.legal_moves(position.seat):
            assert set(position.touches(position.seat, move)) <= shown


@on_both_options
def test_position_texts_read_back(repetition):
    for position in walk(repetition, 11):
        again = at(position.to_text(), repetition)
        assert again.to_text() == position.to_text()
        assert replace(again, past=position.past) == position


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "-,-,-/-,-,-/-,-,- B", "-,-,-/-,-,- B P", "-,-,-/-,-,-/-,-,- B M", "-,-,-/-,-,-/-,-,Bo B P",
        "Mo,Mo,-/-,-,-/-,-,- B P", "Mo*,Ms*,-/-,-,-/-,-,- B P", "MoBo,MsBo,-/-,-,-/-,-,- B P",
        K6.replace(" M", " P"), K6.replace("Ms*", "Ms"), "MoWs,MsWo,MtBs/-,-,-/-,-,- B P",
    ],
)  # fmt: skip
def test_what_is_no_position_text_is_refused(text):
    with pytest.raises(ValueError, match=r"\.$"):
        at(text)


# -- whole games -----------------------------------------------------------------------


@on_both_options
def test_the_counts_from_the_start(repetition):
    start = at(EMPTY, repetition)
    assert [perft(start, depth) for depth in (1, 2)] == [81, 5427]


def test_the_sample_game_ends_with_three_circles():
    game = recorded("proteus-tiles-sample")
    final = game.end()
    assert final.to_text().split()[0] == "Mt*,Ms,ToWo/Gt*Bt,Ts*Bs,MoWt/GsBo,Tt,GoWs"
    assert final.outcome.winners == (WHITE,) and game.tags["Result"] == "0-1"
    assert final.outcome.reason == "three pieces on tiles of one shape"
    assert len(game.entries) == 20


@on_both_options
@pytest.mark.parametrize("seed", range(4))
def test_an_independent_referee_agrees_at_every_ply(repetition, seed):
    rng, position, referee = random.Random(seed), at(EMPTY, repetition), TilesReferee(repetition)
    while position.to_act and len(position.past) < 11 * 60:
        assert position.to_act == referee.to_act() and referee.outcome() is None
        assert texts(position) == referee.legal()
        played_text = rng.choice(sorted(texts(position)))
        position = after(position, played_text)
        referee.play(played_text)
    assert position.to_act == referee.to_act()
    assert (position.outcome and position.outcome.winners) == referee.outcome()
