"""Duel: the rule sheet's sentences, the rulings, the test positions and counts of its specification."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import GAMES, bridges, codec
from engines.base import IllegalMove, MoveError, NotationError, UnfinishedMove
from engines.bridges import NAMES, NUMBERS, board
from engines.buttons import VALUES, Layout
from engines.duel import Duel, Options, Place, Walk
from engines.walks import reach_of
from tests.recorded import recorded
from tests.referees.duel import DuelReferee

BLACK, WHITE = 0, 1
LAYOUTS = [layout.value for layout in Layout]
on_both_boards = pytest.mark.parametrize("layout", LAYOUTS)

D1 = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. B"
D2 = ".,.,.,./.,B5,.,./.,.,.,./.,.,.,. W"
D3 = ".,.,.,./.,B5,W1,./.,.,.,./.,.,.,. B"
D5 = ".,.,.,./.,.,.,./B1,.,.,./W1,.,.,. W"
D6 = "W5,W2,W3,./.,B1,.,W1/.,B2,.,./.,.,.,. W"
D8 = "B5,B2,B3,W1/W5,W2,W3,B1/.,.,.,./.,.,.,. W"
D9 = "W1,.,.,B1/.,W2,B2,./.,B3,W3,./B4,.,.,W4 B"
LONG_WAY = ".,.,.,./.,.,.,./.,.,.,./W5,.,.,B1 W"


def at(text, layout="ring"):
    return Duel.from_text(text, layout)


def after(text, *actions, layout="ring"):
    position = at(text, layout) if "/" in text else played(text, layout=layout)
    for action in actions:
        position = position.play(position.side, position.read(position.side, action))
    return position


def played(line, layout="ring"):
    """The position after a printed record, `1. 5@a2 6@b2 2. …`, with its past."""
    position = Duel.start(layout)
    for action in line.split():
        if not action.endswith("."):
            position = position.play(position.side, position.read(position.side, action))
    return position


def texts(position):
    return {position.write(position.side, move) for move in position.legal_moves(position.side)}


def refusal(position, text, kind=IllegalMove):
    with pytest.raises(kind) as caught:
        position.read(position.side, text)
    return str(caught.value)


def perft(position, depth):
    if depth == 0:
        return 1
    seats = position.to_act
    return sum(perft(position.after(s, m), depth - 1) for s in seats for m in position.legal_moves(s))


# -- boards ----------------------------------------------------------------------------


def reach_tables():
    text = (Path(__file__).parent / "duel_reach.txt").read_text()
    for section in text.split("\n\n")[1:]:
        layout, *lines = section.strip().splitlines()
        for line in lines:
            start, *by_value = (part.split() for part in line.split("|"))
            yield pytest.param(layout, start[0], by_value, id=f"{layout}-{start[0]}")


def mirrored(name):
    return "abcd"["1234".index(name[1])] + "1234"["abcd".index(name[0])]


@pytest.mark.parametrize("layout, start, by_value", list(reach_tables()))
def test_a_button_goes_exactly_where_the_tables_say(layout, start, by_value):
    reach = reach_of(layout)
    for white, black, ends in zip("abcdefgh", "ABCDEFGH", by_value, strict=True):
        assert [NAMES[end] for end in reach[white][NUMBERS[start]]] == ends
        mirror = {NAMES[end] for end in reach[black][NUMBERS[mirrored(start)]]}
        assert mirror == {mirrored(end) for end in ends}


@pytest.mark.parametrize(
    "layout, colours, least, mean, means, leasts, apart",
    [
        ("ring", (12, 6, 6), 2, 3.31, "2.25 2.5 3.5 3.5 4.25 3.75 3.25 3.5", "2 2 3 3 3 3 3 3", 0.51),
        ("sun", (8, 8, 8), 1, 3.25, "2 3 4 3.5 3 3.5 4 3", "1 2 4 3 3 3 4 2", 0.55),
    ],
)
def test_the_boards_are_as_mobile_as_they_are_said_to_be(layout, colours, least, mean, means, leasts, apart):
    here = board(layout)
    signs = list(here.bridges.values())
    assert (signs.count("red"), signs.count("black"), signs.count("white")) == colours
    black, white = here.reach
    counts = [[len(ends) for ends in by_start] for by_start in white[1:]]
    assert min(map(min, counts)) == least and round(sum(map(sum, counts)) / 128, 2) == mean
    assert [sum(row) / 16 for row in counts] == [float(number) for number in means.split()]
    assert [min(row) for row in counts] == [int(number) for number in leasts.split()]
    pairs = [(set(black[v][s]), set(white[v][s])) for v in range(1, 9) for s in range(16)]
    assert round(sum(1 - len(one & other) / len(one | other) for one, other in pairs) / 128, 2) == apart


@on_both_boards
def test_a_button_that_is_not_a_1_has_two_ways_everywhere_so_nobody_is_ever_stuck(layout):
    for by_value in board(layout).reach:
        assert min(len(ends) for by_start in by_value[2:] for ends in by_start) >= 2


@on_both_boards
def test_reach_is_where_lawful_trails_end(layout):
    here = board(layout)
    for seat in (BLACK, WHITE):
        for value in (1, 4, 7):
            for start in range(16):
                ends = {end for _path, end in bridges.walk_paths(here, seat, start, value)} - {start}
                assert ends == set(here.reach[seat][value][start])


@on_both_boards
def test_the_way_of_every_walk_crosses_as_many_different_bridges_of_its_colours_as_its_number(layout):
    rng = random.Random(7)
    position = Duel.start(layout)
    for _turn in range(12):
        seat = position.side
        for move in position.legal_moves(seat):
            way = position.way(seat, move)
            if isinstance(move, Place):
                assert way == ()
                continue
            crossed = [frozenset(pair) for pair in pairwise(way)]
            colours = {frozenset((bridge.one, bridge.other)): bridge.colour for bridge in position.draw().bridges}
            assert (way[0], way[-1]) == (NAMES[move.start], NAMES[move.to])
            assert len(crossed) == len(set(crossed)) == VALUES[move.button]
            assert {colours[bridge] for bridge in crossed} <= {"red", ("black", "white")[seat]}
        position = position.after(seat, position.random_move(seat, rng))
        if not position.to_act:
            break


def test_a_full_line_shines_and_two_of_both_colours_do():
    position = Duel.from_text("B5,B2,B3,W1/W5,W2,W3,B1/.,.,.,./.,.,.,. W")
    assert position.draw().lines == ()
    after = position.after(1, position.read(1, "1d3=B1"))
    assert after.draw().lines == (("a3", "b3", "c3", "d3"), ("a4", "b4", "c4", "d4"))


@on_both_boards
def test_the_picture_says_that_the_board_is_our_own(layout):
    scene = Duel.start(layout).scene(None)
    assert any(f"{layout.capitalize()} board, our own" in note for note in scene.notes)
    assert "our own" in scene.summary and len(scene.bridges) == 24
    assert not any("our own" in note for note in scene.brief_notes)  # pages leave it to the page of the rules


# -- the turn --------------------------------------------------------------------------


def test_black_begins_on_any_space_of_the_empty_board():
    assert Duel.start("ring").to_act == (BLACK,)
    assert len(texts(at(D1))) == 128
    assert texts(after(D1, "5@a1")) == {f"{value}@{space}" for value in range(1, 9) for space in ("a2", "b1")}


def test_a_button_is_placed_next_to_an_enemy_button():
    assert len(texts(at(D2))) == 32
    assert {"5@a3", "5@b2", "5@b4", "5@c3"} <= texts(at(D2))
    assert "b1 is not next to an enemy button" in refusal(at(D2), "5@b1")
    assert refusal(at(D2), "5@a1").endswith("you can place on a3, b2, b4 or c3.")


def test_next_to_means_next_to_the_enemy_not_to_oneself():
    found = texts(at(D3))
    assert {text for text in found if text.startswith("1@")} == {"1@c2", "1@c4", "1@d3"}
    assert {text for text in found if text[0] == "5"} == {"5a1", "5a3", "5d2"}


def test_a_space_that_is_taken_and_a_button_that_is_on_the_board_cannot_be_placed():
    assert refusal(at(D3), "1@c3") == "On c3 lies White's 1; a button is placed on an empty space."
    assert refusal(at(D3), "5@c2") == "Black's 5 is on the board already, on b3."
    assert "still in the supply" in refusal(at(D3), "4c2")


def test_buttons_that_meet_change_places_whoever_owns_the_other():
    assert after(D5, "1a2=B1").to_text() == ".,.,.,./.,.,.,./W1,.,.,./B1,.,.,. B B1W1"
    own = at(".,.,.,./.,.,.,./B2,.,.,./B1,W1,.,. B")
    assert after(own.to_text(), "1a2=B2").to_text() == ".,.,.,./.,.,.,./B1,.,.,./B2,W1,.,. W B1B2"


def test_a_walk_may_pass_its_own_start_and_any_space_twice():
    assert texts(at(LONG_WAY)) >= {"5a2"}
    assert at(LONG_WAY).read(WHITE, "5a2:NNESW") == Walk("e", NUMBERS["a1"], NUMBERS["a2"])


def test_a_walk_ends_on_another_space():
    assert refusal(at(LONG_WAY), "5a1") == "White's 5 stands on a1; a move ends on another space."


def test_a_walk_crosses_exactly_as_many_bridges_as_the_number():
    assert refusal(at(LONG_WAY), "5b1") == (
        "White's 5 crosses exactly 5 bridges and cannot end on b1; from a1 it can go to a2, a4, c2, c4 or d3."
    )


def test_no_reversals_bars_the_same_two_from_changing_back_at_once():
    assert texts(at(D5)) & {"1a2=B1", "1b1"} == {"1a2=B1", "1b1"}
    assert {text for text in texts(at(D5)) if "@" not in text} == {"1a2=B1", "1b1"}
    swapped = after(D5, "1a2=B1")
    assert {text for text in texts(swapped) if text.startswith("1")} == {"1b1"}
    assert refusal(swapped, "1a2") == (
        "Black's 1 and White's 1 have just changed places; they may not change back at once."
    )
    assert after(D5, "1a2=B1", "1b1").to_text().endswith(" -")


# -- the end ---------------------------------------------------------------------------


def test_four_in_a_row_or_column_win():
    assert {text for text in texts(at(D6)) if "#" in text} == {"1d4#"}
    won = after(D6, "1d4#")
    assert won.outcome.winners == (WHITE,)
    assert won.to_act == ()
    assert won.outcome.reason == "a line of four"
    assert after(".,.,B4,./.,.,B3,W1/.,.,.,W2/.,.,B1,W3 B", "2@c2#").outcome.winners == (BLACK,)


def test_two_lines_at_once_win_nothing_until_only_one_is_left():
    both = after(D8, "1d3=B1")
    assert both.outcome is None
    found = texts(both)
    assert len(found) == 29 and "1d3=W1" not in found
    ending = {text for text in found if text.endswith("#")}
    assert ending == {"3d2#", "5b2#", "5c1#", "5d2#"}
    assert after(both.to_text(), "3d2#").outcome.winners == (WHITE,)
    assert found >= {"2a3=W5", "2c3=W3", "3a3=W5", "3c3=W3", "4@a2", "1c4=B3"}


@pytest.mark.parametrize("action, lines_left", [("2a3=W5", False), ("3c3=W3", False), ("4@a2", True)])
def test_with_no_line_or_two_lines_the_game_goes_on(action, lines_left):
    position = after(D8, "1d3=B1", action)
    assert position.outcome is None
    rows = position.to_text().split()[0].split("/")
    assert lines_left == all(len({button[0] for button in row.split(",")}) == 1 for row in rows[:2])


def test_completing_the_enemys_line_lets_him_win():
    given_away = "W5,W2,W3,B1/.,.,.,W1/.,.,.,./.,.,.,. B"
    position = after(given_away, "1d3=W1#")
    assert position.outcome.winners == (WHITE,)


def test_diagonals_do_not_count():
    assert at(D9).outcome is None and at(D9).to_act == (BLACK,)


REPEATING = "1. 1@a1 1@b1 2. 1a2 1c1 3. 1a1 1b1 4. 1a2 1c1 5. 1a1"


def test_the_third_occurrence_of_a_position_is_a_draw():
    position = played(REPEATING)
    assert position.outcome is None
    drawn = after(REPEATING, "1b1")
    assert drawn.outcome.winners == () and drawn.outcome.reason == "the third occurrence of a position"
    assert codec.load(Duel, codec.dump(position)).play(WHITE, position.read(WHITE, "1b1")) == drawn


def test_fifty_turns_each_without_a_placement_are_a_draw():
    rng = random.Random(7)
    position, turns = played("1. 5@a1 6@b1"), 0
    while position.outcome is None:
        walks = [m for m in position.legal_moves(position.side) if isinstance(m, Walk)]
        fresh = [m for m in walks if position.after(position.side, m).outcome is None or turns == 99]
        position, turns = position.after(position.side, rng.choice(fresh)), turns + 1
    assert turns == 100 and position.outcome.reason == "50 turns by each player without a placement"
    assert len(codec.dump(position)) < 4096


def test_a_placement_begins_the_count_anew():
    position = played("1. 5@a1 6@b1 2. 5b3")
    assert position.turns_without_placement() == 1
    assert after("1. 5@a1 6@b1 2. 5b3", "1@a3").turns_without_placement() == 0


# -- notation --------------------------------------------------------------------------


def test_the_long_form_says_where_a_walk_begins():
    position = played("1. 5@a1 6@b1")
    move = position.read(BLACK, "5b3")
    assert position.write_long(BLACK, move) == "5a1-b3"
    assert {position.read(BLACK, text) for text in ("5a1-b3", "B5b3", " 5 B3 ", "b5a1-b3")} == {move}
    assert "stands on a1" in refusal(position, "5a2-b3")


def test_a_mark_may_be_left_out_but_must_be_true():
    assert at(D6).read(WHITE, "1d4") == at(D6).read(WHITE, "w1D4#")
    assert refusal(at(D6), "1c3#") == "Nobody wins by that, so leave the # out: 1c3."
    assert refusal(at(D5), "1a2=B2") == "On a2 lies Black's 1: write 1a2=B1."
    assert refusal(at(D5), "1b1=B1") == "b1 is empty, so nothing changes places there: write 1b1."
    assert at(D5).read(WHITE, "1a2") == at(D5).read(WHITE, "1a2=b1")


def test_a_placement_can_win_and_says_so():
    position = at(".,.,.,./.,.,.,./W1,.,.,./B1,B2,B3,. B")
    assert "4@d1#" not in texts(position)
    position = at(".,.,.,./.,.,.,W1/.,.,.,W2/B1,B2,B3,. B")
    assert "4@d1#" in texts(position)
    assert after(position.to_text(), "4@d1").outcome.winners == (BLACK,)


@pytest.mark.parametrize(
    "path, kind, sentence",
    [
        ("WNESW", IllegalMove, "Step 1 of the path, W from a1, leaves the board."),
        ("NEENN", IllegalMove, "Step 3 of the path, E, crosses the black bridge b2-c2; "
                               "White's buttons use red and white ones only."),
        ("NNSSE", IllegalMove, "Step 3 of the path, S, crosses the bridge a2-a3 a second time."),
        ("NNNES", IllegalMove, "Step 5 of the path, S, crosses the black bridge b3-b4; "
                               "White's buttons use red and white ones only."),
        ("EEENW", IllegalMove, "The path ends on c2, not on a2."),
        ("NNE", UnfinishedMove, "The path has 3 steps; White's 5 crosses exactly 5."),
        ("", UnfinishedMove, "The path has 0 steps; White's 5 crosses exactly 5."),
        ("EEENNN", IllegalMove, "The path has 6 steps; White's 5 crosses exactly 5."),
    ],
)  # fmt: skip
def test_a_path_is_checked_bridge_by_bridge(path, kind, sentence):
    assert refusal(at(LONG_WAY), f"5a2:{path}", kind) == sentence


def test_a_missing_bridge_is_named(monkeypatch):
    pictures = dict(bridges.PICTURES, gap=bridges.PICTURES["ring"].replace("r   w   w   r", "r       w   r"))
    monkeypatch.setattr(bridges, "PICTURES", pictures)
    position = at(".,.,.,./.,.,.,./.,.,.,./W3,.,.,B1 W", "gap")
    assert refusal(position, "3b3:NEN") == "Step 3 of the path, N: there is no bridge b2-b3."


def test_a_path_that_breaks_off_is_continued():
    with pytest.raises(UnfinishedMove) as caught:
        at(LONG_WAY).read(WHITE, "5a2:NN")
    assert caught.value.suggestions and all(at(LONG_WAY).read(WHITE, text) for text in caught.value.suggestions)
    assert "W5a1-a2:NNESW" in caught.value.suggestions


@pytest.mark.parametrize("text", ["5", "4@", "4@b", "B5", "5a1-", "5b", "1", "8@"])
def test_a_beginning_is_continued(text):
    position = played("1. 5@a1 6@b1")
    with pytest.raises(UnfinishedMove) as caught:
        position.read(BLACK, text)
    assert caught.value.suggestions
    for whole in caught.value.suggestions:
        position.read(BLACK, whole)


def test_a_move_names_its_button():
    position = played("1. 5@a1 6@b1")
    assert refusal(position, "a1-b3", NotationError) == "A move begins with the number of the button: 5a1-b3."
    assert "Black has none on b1" in refusal(position, "b1-b2", NotationError)


def test_the_enemys_button_is_not_ones_own():
    assert refusal(at(D5), "B1a1") == "You play White; Black's 1 is not yours."
    assert refusal(at(D5), "B2@a3") == "You play White; Black's 2 is not yours."


@pytest.mark.parametrize(
    "move",
    [Place("5", 0), Place("e", -1), Place("e", 16), Place("A", 1), Walk("a", 0, -12), Walk("a", 0, 16),
     Walk("a", 4, 1), Walk("h", 0, 1), Walk("", 0, 1), Walk("a", 0, 0)],
    ids=str,
)  # fmt: skip
def test_moves_of_no_button_or_space_are_refused(move):
    assert at(D5).objection(WHITE, move).endswith(".")


ANY_DUEL_TEXT = st.one_of(
    st.text(max_size=30), st.text("12345678abcdBW@-=#: NESWſβ٣nesw", max_size=14),
    st.from_regex(r"[BW]?[0-9](@|[a-e][0-5]-)?[a-e][0-5](=[BW][1-8])?#?(:[NESW]{0,9})?", fullmatch=True),
)  # fmt: skip


@given(ANY_DUEL_TEXT, st.sampled_from([D1, D2, D3, D5, D6, D8, D9, LONG_WAY]), st.sampled_from(LAYOUTS))
def test_any_text_is_a_legal_move_or_refused_in_a_sentence(text, where, layout):
    position = at(where, layout)
    try:
        move = position.read(position.side, text)
    except MoveError as error:
        assert str(error)[-1] in ".…"
        for near in error.suggestions:
            position.read(position.side, near)
    else:
        assert position.objection(position.side, move) is None
        assert position.write(position.side, move)[0] in text


# -- whole games -----------------------------------------------------------------------


@on_both_boards
def test_the_counts_from_the_start(layout):
    assert [perft(Duel.start(layout), depth) for depth in (1, 2)] == [128, 3072]


def test_the_sample_game_ends_with_row_2():
    game = recorded("duel-sample")
    final = game.end()
    assert final.to_text().split()[0] == ".,.,.,./.,B8,.,./W4,W6,W2,W8/B5,.,B1,."
    assert final.outcome.winners == (WHITE,) and game.tags["Result"] == "0-1"


@on_both_boards
@pytest.mark.parametrize("seed", range(6))
def test_an_independent_referee_agrees_at_every_ply(layout, seed):
    rng = random.Random(seed)
    position, referee = GAMES["duel"].start(Options(Layout(layout))), DuelReferee(layout)
    while position.to_act:
        mine = {position.write(position.side, m): m for m in position.legal_moves(position.side)}
        assert set(mine) == set(referee.texts())
        assert position.to_text() == referee.position_text()
        quiet = [text for text in sorted(mine) if "#" not in text]
        text = rng.choice(quiet or sorted(mine)) if seed else rng.choice(sorted(mine))
        position = position.play(position.side, mine[text])
        referee.play(text)
        assert (referee.actor() is None) == (position.to_act == ())
    winners = [("Black", "White")[seat][0] for seat in position.outcome.winners]
    assert winners == ([] if referee.result == "draw" else [referee.result])


@pytest.mark.parametrize("text", [D1, D3, D9, "W1,.,.,B1/.,.,.,./.,.,.,./.,.,.,. W B1W1"])
def test_position_texts_read_back(text):
    whole = text if text.count(" ") == 2 else f"{text} -"
    assert at(text).to_text() == whole and at(at(text).to_text()) == at(text)


@pytest.mark.parametrize(
    "text", ["", "x", D1[:-2], f"{D1[:-1]}R", f"{D3} B1B1", f"{D3} B1", f"{D3} - -", "B1,B1,.,./" + D1[8:]]
)
def test_other_position_texts_are_refused(text):
    with pytest.raises(ValueError):
        at(text)


def test_the_picture_shows_boards_supplies_and_what_is_barred():
    scene = after(D5, "1a2=B1").scene(None)
    assert scene.title == "Duel: Black to move"
    assert [cell.text for row in scene.rows for cell in row if cell.pieces] == ["W1", "B1"]
    assert [len(tray.items) for tray in scene.trays] == [7, 7]
    assert [item.touch for item in scene.trays[0].items][:2] == ["hand:2", "hand:3"]
    assert {item.touch for item in scene.trays[1].items} == {""}
    assert "Black's 1 and White's 1 have just changed places" in scene.summary
    assert after(D6, "1d4").scene(None).title == "Duel: White wins"
