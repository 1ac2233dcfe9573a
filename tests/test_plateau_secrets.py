"""What Plateau keeps secret: the seven events that make a face public, and that nothing else does."""

from __future__ import annotations

import random
import re

import pytest

from engines.base import Hidden, MoveError
from engines.plateau import GAME, Move, Options, Plateau, start
from engines.record import Entry, positions, transcript
from engines.text import render
from tests.referees.plateau import Referee

VIEWERS = (0, 1, None)

SAMPLE = """
B +d1 br,xr
   +d1 br,xr
   +d1 ??,x?
W +a3 rr,xr
   +a3 ??,x?
   +a3 rr,xr
B +a1 bb
   +a1 bb
   +a1 b?
W +b3 rr
   +b3 r?
   +b3 rr
B +d1/1 rr
   +d1/1 rr {d1/0=b?}
   +d1/1 r? {d1/0=b?}
W a3~(2)-a2(2)-a1x1
   a3~(2)-a2(2)-a1x1 {flip rx; takes B; a1/0=r?}
   a3~(2)-a2(2)-a1x1 {flip rx; takes B; a1/0=r?}
B d1(3)-c2(3)-b3(2)-a4
   d1(3)-c2(3)-b3(2)-a4
   d1(3)-c2(3)-b3(2)-a4
W +a3 xb
   +a3 x?
   +a3 xb
B b3~(1)-a3x1
   b3~(1)-a3x1 {flip rb; takes BM}
   b3~(1)-a3x1 {flip rb; takes BM}
W tender B
   tender B
   tender B
B refuse
   refuse
   refuse
W a1(1)-a2(1)-a3x1
   a1(1)-a2(1)-a3x1 {takes A}
   a1(1)-a2(1)-a3x1 {takes A}
B +a4/2 bb
   +a4/2 bb
   +a4/2 b?
W a3(1)-a4x1
   a3(1)-a4x1 {takes B}
   a3(1)-a4x1 {takes B}
B tender BM
   tender BM
   tender BM
W pay B,B,A
   pay B,B,A
   pay B,B,A
W a4x1
   a4x1 {takes RM}
   a4x1 {takes RM}
B +b2 xb
   +b2 xb
   +b2 x?
W b3(1)-b2x1
   b3(1)-b2x1 {takes BM}
   b3(1)-b2x1 {takes BM}
B +a2 ox
   +a2 ox
   +a2 o?
W b2(1)-a2x1
   b2(1)-a2x1 {takes TW}
   b2(1)-a2x1 {takes TW}
B +b1 xx
   +b1 xx
   +b1 x?
W a4x1
   a4x1 {takes R}
   a4x1 {takes R}
B +b2 rb
   +b2 rb
   +b2 r?
W a2(1)-b2x1
   a2(1)-b2x1 {takes A}
   a2(1)-b2x1 {takes A}
B +d3 xx
   +d3 xx
   +d3 x?
W b2(1)-b1x1
   b2(1)-b1x1
   b2(1)-b1x1
"""


def sample():
    """The sample game: entries, and each as it is told to Black and to White at the time."""
    lines = [line.strip() for line in SAMPLE.strip().splitlines()]
    games = zip(lines[::3], lines[1::3], lines[2::3], strict=True)
    return [(Entry("BW".index(text[0]), text[2:]), [black, white]) for text, black, white in games]


def at(text, turn="W to move"):
    return Plateau.from_text(f"{text}; {turn}")


def play(position, *texts):
    for text in texts:
        seat = position.to_act[0]
        position = position.play(seat, position.read(seat, text))
    return position


def seen(position, viewer=None):
    """The board as the viewer sees it."""
    return "; ".join(part for part in position.view(viewer).to_text().split("; ") if part[2] == ":")


def form_for(position, text, viewer=None):
    seat = position.to_act[0]
    move = position.read(seat, text)
    return position.tell(seat, move, viewer, position.play(seat, move))


# -- the seven events --------------------------------------------------------------


def test_r1_the_opening_shows_the_up_face_of_the_upper_piece_only():
    position = start(Options())
    assert form_for(position, "+b1 xx,rb") == form_for(position, "+b1 xx,rb", 1) == "+b1 ??,r?"
    assert form_for(position, "+b1 xx,rb", 0) == "+b1 xx,rb"
    assert seen(play(position, "+b1 xx,rb")) == "b1: B?? Br?"


def test_r2_onboarding_shows_the_new_up_face():
    position = at("a1: Wrr; d4: Bxx")
    assert (form_for(position, "+c3 xr"), form_for(position, "+c3 xr", 1)) == ("+c3 x?", "+c3 xr")
    assert seen(play(position, "+c3 xr")) == "a1: Wr?; c3: Wx?; d4: Bx?"


def test_r2_a_piece_slid_in_shows_what_it_is_laid_on():
    opened = play(start(Options()), "+b1 xb,rb", "+d4 xx,rr")
    assert form_for(opened, "+b1/1 xx") == "+b1/1 x? {b1/0=x?}"
    assert seen(play(opened, "+b1/1 xx"), 1).startswith("b1: Bx? Bx? Br?")
    assert form_for(opened, "+b1/0 xx") == "+b1/0 x?"
    assert seen(play(opened, "+b1/0 xx"), 1).startswith("b1: Bx? B?? Br?")
    assert form_for(opened, "+b1 xx") == "+b1/2 x?"
    assert seen(play(opened, "+b1 xx"), 1).startswith("b1: B?? Br? Bx?")


def test_r2_also_an_enemy_piece_that_is_laid_on():
    position = at("c3: Wbb Wrr Bxb Bxx", "B to move")
    assert seen(position) == "c3: W?? W?? B?? Bx?"
    assert form_for(position, "+c3/2 bb") == "+c3/2 b? {c3/1=r?}"
    assert seen(play(position, "+c3/2 bb"), 0) == "c3: W?? Wr? Bbb Bxb Bxx"


def test_r3_a_flip_shows_both_faces_and_the_up_face_beneath():
    position = at("b2: Brr Bbx Wxr")
    assert form_for(position, "b2~(1)-b3") == "b2~(1)-b3 {flip rx; b2/1=b?}"
    assert seen(play(position, "b2~(1)-b3")) == "b2: B?? Bb?; b3: Wrx"


def test_r3_the_uncovered_piece_is_told_where_it_lies_afterwards():
    position = at("a2: Wbb Wxx Wxr")
    assert form_for(position, "a2~(2)-a3(2)-a4") == "a2~(2)-a3(2)-a4 {flip rx; a2/0=b?; a4/0=x?}"
    assert seen(play(position, "a2~(3)-a3")) == "a3: W?? Wx? Wrx"


def test_r3_the_flip_is_told_again_of_a_piece_that_is_known():
    position = play(at("a1: Wrx; d4: Bxx"), "a1~(1)-a2", "d4(1)-d3")
    assert seen(position) == "a2: Wxr; d3: Bx?"
    assert form_for(position, "a2~(1)-a1") == "a2~(1)-a1 {flip rx}"


def test_r4_what_stays_behind_shows_its_top():
    position = at("a1: Wbb Wxx Wrr Wrb")
    assert form_for(position, "a1(3)-b1(1)-c1") == "a1(3)-b1(1)-c1 {a1/0=b?; b1/1=r?}"
    assert seen(play(position, "a1(3)-b1(1)-c1")) == "a1: Wb?; b1: W?? Wr?; c1: Wr?"


def test_r4_an_enemy_piece_whose_pin_ends_shows_its_top():
    position = at("a1: Brr Bxb Wxx Wrr; b1: Bbb Bxx Wxo")
    assert form_for(position, "a1(2)-b1(3)-c1") == "a1(2)-b1(3)-c1 {a1/1=x?; b1/1=x?}"
    assert seen(play(position, "a1(2)-b1(3)-c1"), 1) == "a1: B?? Bx?; b1: B?? Bx?; c1: Wxo Wxx Wrr"


def test_r4_the_inside_of_a_group_and_its_undersides_stay_secret():
    position = at("a1: Wbb Wxx Wrr; b1: Wrb Wxx")
    assert seen(play(position, "a1(3)-b1(4)-c1")) == "b1: Wr?; c1: Wx? W?? W?? Wr?"
    assert seen(play(position, "a1(3)-b1")) == "b1: W?? Wx? W?? W?? Wr?"


def test_r5_a_capture_shows_the_captured_and_what_lay_directly_beneath_each():
    position = at("b2: Brr Bxx Wox Bbx Wrr Wbb")
    assert form_for(position, "b2x2") == "b2x2 {takes BM,M; b2/0=r?; b2/1=o?}"
    after = play(position, "b2x2")
    assert seen(after) == "b2: Br? Wo? W?? Wb?"
    assert after.view(0).prisoners == after.view(None).prisoners == ("", "03")


def test_r6_exchanged_pieces_are_anonymous_again():
    position = at("a1: Wxx; d4: Bxx; B holds RM; W holds BM", "B to move")
    after = play(position, "tender RM", "pay BM")
    assert form_for(position, "tender RM") == "tender RM"
    assert seen(after) == seen(position)
    assert after.view(0).hands == (after.hands[0], "?" * 11)
    again = play(after, "+c3 xr")
    assert seen(again, 0) == "a1: Wx?; c3: Wx?; d4: Bxx"


def test_r7_the_end_shows_everything():
    position = at("a1: Wxx Wxx Wrr; b1: Wxx Wrr Wbb Bxx")
    move = position.read(1, "a1-b1")
    won = position.play(1, move)
    for viewer in VIEWERS:
        assert won.view(viewer) == won
        assert position.tell(1, move, viewer, won) == "a1(3)-b1x1"
    opened = start(Options())
    assert opened.tell(0, opened.read(0, "+b1 xx,rb"), 1, won) == "+b1 xx,rb"


def test_a_masked_opening_is_uncovered_step_by_step():
    position = play(start(Options()), "+a1 xr,xb", "+d4 xx,rr")
    assert seen(position, 1).startswith("a1: B?? Bx?")
    assert seen(play(position, "a1~(2)-b2"), 1).startswith("b2: Bx? Bbx")
    assert seen(play(position, "a1(2)-a2"), 1).startswith("a2: B?? Bx?")
    assert seen(play(position, "a1(1)-a2"), 1).startswith("a1: Bx?; a2: Bx?")


def test_a_flip_that_captures_is_told_in_full():
    position = at("b2: Bxx Bbb Wxr")
    assert form_for(position, "b2~x1", 0) == "b2~x1 {flip rx; takes B; b2/0=x?}"
    assert seen(play(position, "b2~x1"), 0) == "b2: Bxx Wrx"


# -- views and tellings ------------------------------------------------------------


def test_a_view_has_own_pieces_in_full_and_of_others_what_was_shown():
    position = at("a1: Bxx Wxb Wrr; b2: Brb; W holds M")
    black, white, onlooker = (position.view(viewer) for viewer in VIEWERS)
    assert black.to_text() == "a1: Bxx W?? Wr?; b2: Brb; W holds M; W to move; W hand 10"
    assert white.to_text() == "a1: B?? Wxb Wrr; b2: Br?; W holds M; W to move; B hand 9"
    assert onlooker.to_text() == "a1: B?? W?? Wr?; b2: Br?; W holds M; W to move; B hand 9; W hand 10"


def test_the_sample_game_is_told_to_both_sides_as_printed():
    entries = [entry for entry, _told in sample()]
    course = list(positions(GAME, Options(), entries))
    for before, after, (entry, printed) in zip(course, course[1:], sample(), strict=False):
        move = before.read(entry.seat, entry.text)
        assert [before.tell(entry.seat, move, viewer, after) for viewer in (0, 1)] == printed
    assert course[-1].to_text() == "a1: Wrr; a4: Wrx; b1: Wrr; d3: Bxx; W holds M,R,BM,RM,TW,A"


def test_after_the_end_the_transcript_is_the_record():
    entries = tuple(entry for entry, _told in sample())
    for viewer in VIEWERS:
        assert transcript(GAME, Options(), entries, viewer) == entries
        running = transcript(GAME, Options(), entries[:-1], viewer)
        assert running[0].text == ("+d1 br,xr" if viewer == 0 else "+d1 ??,x?")


def test_a_picture_has_choices_only_for_who_is_to_act():
    position = play(start(Options()), "+a1 xr,xb", "+d4 xx,rr")
    assert {choice.touch for choice in position.scene(0).choices} >= {"~", "up:r", "at:1", "a1(1)"}
    assert position.scene(1).choices == position.scene(None).choices == ()
    touches = [item.touch for tray in position.scene(1).trays for item in tray.items]
    assert not any(touches)


# -- random games ------------------------------------------------------------------


def walk(seed, most=120):
    """A random game as (position, seat, move, next position)."""
    rng = random.Random(seed)
    position, plies = start(Options()), []
    while position.outcome is None and len(plies) < most:
        seat = position.to_act[0]
        move = position.random_move(seat, rng)
        plies.append((position, seat, move, position.after(seat, move)))
        position = plies[-1][-1]
    return plies


@pytest.mark.parametrize("seed", range(12))
def test_what_is_seen_and_told_is_what_a_referee_has_noted(seed):
    referee = Referee()
    for position, seat, move, after in walk(seed):
        text = position.write(seat, move)
        news = referee.play(text)
        for viewer in VIEWERS:
            expected = text if referee.over else referee.form_for(seat, text, viewer, news)
            assert position.tell(seat, move, viewer, after) == expected
            assert seen(after, viewer) == referee.seen(viewer)


@pytest.mark.parametrize("seed", range(20))
def test_the_next_view_follows_from_the_last_view_and_what_was_told(seed):
    rng = random.Random(seed)
    compared = 0
    for position, seat, move, after in walk(seed):
        viewer = rng.choice(VIEWERS)
        other = position.imagine(viewer, rng)
        news = position.tell(seat, move, viewer, after)
        public = news.partition(" {")[0]
        for alike in same_in_public(other, seat, viewer, public):
            then = other.after(seat, alike)
            if other.tell(seat, alike, viewer, then) != news or then.outcome or after.outcome:
                continue
            if then.passes == after.passes:
                compared += 1
                assert then.view(viewer) == after.view(viewer)
                assert then.scene(viewer) == after.scene(viewer)
    assert compared > 10


def same_in_public(position, seat, viewer, public, most=6):
    """Moves that the viewer would be told in the same words, faces in braces aside."""
    found = []
    for move in position.legal_moves(seat):
        text = position.tell(seat, move, viewer, position)
        if text.partition(" {")[0] == public:
            found.append(move)
        if len(found) == most:
            break
    return found


@pytest.mark.parametrize("seed", range(8))
def test_who_is_to_act_is_answered_the_same_whatever_is_hidden(seed):
    rng = random.Random(seed)
    texts = ["", "a1", "b2x1", "a1-a2x1", "c3~-c4", "+b2", "+b2 xx", "+a1/1 rb", "tender M", "pay M", "pass"]
    for position, seat, move, _after in walk(seed)[::5]:
        other = position.imagine(seat, rng)
        assert list(other.legal_moves(seat)) == list(position.legal_moves(seat))
        assert list(position.view(seat).legal_moves(seat)) == list(position.legal_moves(seat))
        for text in [*texts, position.write(seat, move)]:
            assert answer(other, seat, text) == answer(position, seat, text)


def answer(position, seat, text):
    try:
        return position.read(seat, text)
    except MoveError as error:
        return type(error), str(error), error.suggestions


@pytest.mark.parametrize("seed", range(6))
def test_nothing_shown_to_an_onlooker_names_a_secret_face(seed):
    for position, _seat, _move, _after in walk(seed)[::7]:
        scene = position.scene(None)
        unknown = [piece for row in scene.rows for cell in row for piece in cell.pieces if piece.face == "?"]
        assert all(piece.under == "?" and piece.name.endswith("piece, unseen") for piece in unknown)
        assert not re.search(r"hand:\w", render(scene) + repr(scene))


@pytest.mark.parametrize("seed", range(6))
def test_imagined_positions_have_twelve_pieces_a_side_and_look_the_same(seed):
    rng = random.Random(seed)
    for position, _seat, _move, _after in walk(seed)[::6]:
        for viewer in VIEWERS:
            imagined = position.imagine(viewer, rng)
            assert imagined.view(viewer) == position.view(viewer)
            assert "?" not in imagined.to_text()
            assert list(map(len, imagined.hands)) == list(map(len, position.hands))


def test_imagined_positions_differ():
    position = play(start(Options()), "+a1 xr,xb", "+d4 xx,rr")
    rng = random.Random(1)
    assert len({position.imagine(1, rng) for _ in range(50)}) > 20


# -- positions with blanks -------------------------------------------------------------


def beyond_what_white_sees():
    """White's own board after Black's top piece would leave a secret one behind, and White had answered."""
    seen = start(Options())
    for text in ("+b1 xr,rb", "+d4 xx,rr"):
        seen = seen.play(seen.turn, seen.read(seen.turn, text))
    seen = seen.view(1)
    for text in ("b1(1)-b2", "+c3 xx"):
        seen = seen.after(seen.turn, seen.read(seen.turn, text))
    return seen


def test_a_piece_whose_faces_are_not_seen_is_listed_with_no_move_and_said_to_be_hidden():
    seen = beyond_what_white_sees()
    listed = [seen.write(0, move) for move in seen.legal_moves(0)]
    assert listed and not any(text.startswith(("b1", "+", "pass")) for text in listed)
    for text in ("b1-a1", "b1~-a1", "b1-", "b1x"):
        with pytest.raises(Hidden, match="The faces of the top piece on b1 are hidden from you"):
            seen.read(0, text)


def test_a_hand_that_is_not_seen_puts_down_nothing_that_can_be_told():
    seen = beyond_what_white_sees()
    for text in ("+a1 xr", "+b1/1 xx", "+a4"):
        with pytest.raises(Hidden, match="What Black has in hand is hidden from you"):
            seen.read(0, text)
    with pytest.raises(Hidden):
        seen.after(0, Move("onboard", 0, "xr"))


def test_what_is_paid_to_a_hand_that_is_not_seen_is_not_seen_there():
    seen = at("a1: Wxx; d4: Bxx; B holds R; W holds R,M", "B to move").view(1)
    for text in ("tender R", "pay R"):
        seen = seen.after(seen.turn, seen.read(seen.turn, text))
    assert seen.hands[0] == "?" * 10 and seen.view(1) == seen
    assert seen.hands[1].count("2") == 2, "one's own hand is known"
