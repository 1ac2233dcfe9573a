"""What no game may break, asked of every game and option set at once (random walks)."""

from __future__ import annotations

import functools
import itertools
import json
import random
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import codec, svg, text
from engines.base import CHANCE, Hidden, IllegalMove, MoveError
from engines.options import read_options
from engines.record import Entry, positions, replay, transcript
from tests.games import CASES, Case
from tests.sizes import examples, sampled

WALKS = 3
MOST_PLIES = 160
LOOKED_AT = 12


def walk(case, seed):
    return _walked(case.key, tuple(case.options.items()), seed)


@functools.cache
def _walked(key, options, seed):
    """The plies of one random game: (position, seat, move), other seats' sealed choices in random order."""
    rng = random.Random(seed)
    position, plies = Case(key, dict(options)).start(), []
    while position.to_act and len(plies) < MOST_PLIES:
        seat = rng.choice(position.to_act)
        move = position.random_move(seat, rng)
        plies.append((position, seat, move))
        position = position.after(seat, move)
    return plies, position


def looked_at(plies, seed):
    """The first plies and some others: enough to find faults, few enough to be quick."""
    rng = random.Random(seed)
    return plies[:4] + rng.sample(plies[4:], min(LOOKED_AT, len(plies[4:])))


def moves_of(position, seat, rng, most=40):
    """Some legal moves: all of them where they are few; huge choices of chance are sampled, not listed."""
    listed = []
    for move in position.legal_moves(seat):
        listed.append(move)
        if len(listed) > 3000:
            break
    return listed if len(listed) <= most else rng.sample(listed, most)


def seats_of(case):
    return range(len(case.game.seats))


def viewers(case):
    return [None, *seats_of(case)]


each_case = pytest.mark.parametrize("case", CASES, ids=str)
each_walk = pytest.mark.parametrize("seed", sampled(range(WALKS), every=WALKS))


@each_case
@each_walk
def test_chance_acts_only_where_the_game_says_so(case, seed):
    plies, _last = walk(case, seed)
    says_so = case.game.has_chance(read_options(case.game.Options, case.options))
    assert says_so or all(seat != CHANCE for _position, seat, _move in plies)


@each_case
@each_walk
def test_somebody_can_act_until_the_end_and_nobody_after_it(case, seed):
    plies, last = walk(case, seed)
    for position, seat, move in plies:
        assert position.outcome is None
        assert next(iter(position.legal_moves(seat)), None) is not None
        assert position.to_act == (CHANCE,) or CHANCE not in position.to_act
        assert position.objection(seat, move) is None
    assert (last.outcome is None) == bool(last.to_act)
    if last.outcome is not None:
        assert last.outcome.reason and set(last.outcome.winners) <= set(seats_of(case))
        for seat in seats_of(case):
            with pytest.raises(MoveError, match="over"):
                last.read(seat, "a1")


@each_case
@each_walk
def test_canonical_and_long_form_read_back(case, seed):
    plies, _last = walk(case, seed)
    rng = random.Random(seed)
    for position, seat, played in looked_at(plies, seed):
        seen = position if seat == CHANCE else position.view(seat)
        texts = set()
        tried = [*moves_of(seen, seat, rng, 25), played]
        assert seen.write_all(seat, tried) == [seen.write(seat, move) for move in tried]
        for move in tried:
            text = seen.write(seat, move)
            assert text == text.strip() and text.isascii() and "\n" not in text and " ; " not in text
            assert position.write(seat, move) == text
            assert position.read(seat, text) == move, text
            assert position.read(seat, f"  {text} ") == move
            assert position.read(seat, seen.write_long(seat, move)) == move, seen.write_long(seat, move)
            texts.add((text, move))
        assert len({text for text, _move in texts}) == len({move for _text, move in texts})


@each_case
@each_walk
def test_objections_draw_the_line_exactly(case, seed):
    plies, _last = walk(case, seed)
    rng = random.Random(seed)
    for position, seat, _played in looked_at(plies, seed):
        if seat == CHANCE:
            continue
        legal = set(position.legal_moves(seat))
        strangers = [move for _p, who, move in rng.sample(plies, min(30, len(plies))) if who != CHANCE]
        for move in [*rng.sample(sorted(legal, key=repr), min(20, len(legal))), *strangers]:
            objection = position.view(seat).objection(seat, move)
            assert (objection is None) == (move in legal), (move, objection)
            if objection is not None:
                assert objection.endswith((".", "?", "!"))
                with pytest.raises(IllegalMove):
                    position.play(seat, move)


@each_case
@each_walk
def test_refusals_are_sentences_and_suggest_only_what_works(case, seed):
    plies, _last = walk(case, seed)
    rng = random.Random(seed)
    for position, seat, _played in looked_at(plies, seed)[:8]:
        other = rng.choice(plies)
        texts = ["", "?", "e9", "hello there", "\x00", "Ω", other[0].write(other[1], other[2])]
        for text_ in texts:
            try:
                position.read(seat, text_)
            except MoveError as error:
                assert str(error).strip() and str(error)[-1] in ".?!", str(error)
                assert all(isinstance(near, str) and near for near in error.suggestions)


@each_case
def test_only_who_is_to_act_may_act(case):
    position = case.start()
    for seat in seats_of(case):
        if seat not in position.to_act:
            with pytest.raises(MoveError):
                position.read(seat, "a1")


@each_case
@each_walk
def test_positions_survive_json(case, seed):
    plies, last = walk(case, seed)
    for position in [*(position for position, _seat, _move in plies), last]:
        stored = codec.dump(position)
        assert codec.load(type(position), stored) == position
        json.loads(stored)
        hash(position)


@each_case
@each_walk
def test_replay_equals_play(case, seed):
    plies, last = walk(case, seed)
    entries = [Entry(seat, position.write(seat, move)) for position, seat, move in plies]
    options = read_options(case.game.Options, case.options)
    assert replay(case.game, options, entries) == last
    course = list(positions(case.game, options, entries))
    assert course[:-1] == [position for position, _seat, _move in plies]


@each_case
@each_walk
def test_sealed_choices_commute(case, seed):
    plies, _last = walk(case, seed)
    rng = random.Random(seed)
    for position, _seat, _move in plies:
        if len(position.to_act) < 2:
            continue
        one, other = position.to_act[:2]
        mine, theirs = position.random_move(one, rng), position.random_move(other, rng)
        assert position.after(one, mine).after(other, theirs) == position.after(other, theirs).after(one, mine)


@each_case
@each_walk
def test_views_are_idempotent_and_blind_to_what_is_hidden(case, seed):
    plies, last = walk(case, seed)
    rng = random.Random(seed)
    for position in [*(p for p, _s, _m in looked_at(plies, seed)), last]:
        for viewer in viewers(case):
            seen = position.view(viewer)
            assert seen.view(viewer) == seen
            assert seen.to_act == position.to_act and seen.outcome == position.outcome
            other = position.imagine(viewer, rng)
            assert other.view(viewer) == seen
            assert other.scene(viewer) == position.scene(viewer)
            if viewer is not None and viewer in position.to_act:
                assert list(other.legal_moves(viewer))[:500] == list(position.legal_moves(viewer))[:500]
                for text_ in ("a1", "zz", "b2-b3"):
                    assert refusal(other, viewer, text_) == refusal(position, viewer, text_)


def refusal(position, seat, text_):
    try:
        return position.write(seat, position.read(seat, text_))
    except MoveError as error:
        return str(error), error.suggestions


@each_case
def test_transcripts_keep_the_length_and_the_seats(case):
    plies, _last = walk(case, 5)
    entries = [Entry(seat, position.write(seat, move)) for position, seat, move in plies]
    options = read_options(case.game.Options, case.options)
    for viewer in viewers(case):
        lines = transcript(case.game, options, entries, viewer)
        assert [entry.seat for entry in lines] == [entry.seat for entry in entries]


@each_case
@each_walk
def test_a_game_that_keeps_no_secrets_tells_everybody_each_move_as_it_is_written(case, seed):
    plies, last = walk(case, seed)
    if plies[0][0].keeps_secrets:
        return
    for position, seat, move in plies:
        for viewer, now in itertools.product(viewers(case), (position.after(seat, move), last)):
            assert position.tell(seat, move, viewer, now) == position.write(seat, move)


@each_case
@each_walk
def test_touch_paths_are_unique_and_prefix_free(case, seed):
    plies, _last = walk(case, seed)
    for position, seat, _played in looked_at(plies, seed)[:6]:
        if seat == CHANCE:
            continue
        seen = position.view(seat)
        moves = list(seen.legal_moves(seat))[:3000]
        paths = [seen.touches(seat, move) for move in moves]
        assert [seen.first_touch(seat, move) for move in moves] == [path[0] for path in paths]
        assert len(set(paths)) == len(paths)
        ordered = sorted(paths)
        for one, other in itertools.pairwise(ordered):
            assert one and other[: len(one)] != one, (one, other)


@each_case
@each_walk
def test_pictures_are_well_formed(case, seed):
    plies, last = walk(case, seed)
    for position in [*(p for p, _s, _m in looked_at(plies, seed)[:5]), last]:
        for viewer in viewers(case):
            scene = position.scene(viewer)
            printed = text.render(scene)
            assert printed.isascii() and max(map(len, printed.splitlines())) <= 72, printed
            assert scene.title and scene.summary
            assert [len(row) for row in scene.rows] == [len(scene.files)] * len(scene.ranks)
            root = ET.fromstring(svg.render(scene))
            children = [child.tag.rpartition("}")[2] for child in root]
            assert "title" in children and "desc" in children


# -- what anybody sees answers everything ----------------------------------------------

WRITTEN_ANYWHERE = (
    "", "?", "zz", "+a1", "+a1 ??", "+a1 ??,r?", "+b1/1 xx", "a1-b1", "a1-", "a1x", "a1~", "b1~-c1", "b1(2)-c1",
    "tender", "tender M", "pay", "pay A", "refuse", "pass", "setup", "setup ????????", "setup PPPQPPPP", "army",
    "P@a1", "a2=Q", "a2-a3", "c3/f2=B", "{?}", "{N}", "roll 3-4", "W1a4", "1@a1", "deal",
)  # fmt: skip


def answer(ask, *arguments):
    """What a method answers, or the refusal; anything else that it raises fails the test."""
    try:
        return ask(*arguments)
    except MoveError as refusal:
        assert str(refusal)[-1] in ".?!", str(refusal)
        return refusal


def ask_to_look(seen, viewers_of_case, rng):
    scene = seen.draw()
    text.render(scene)
    svg.render(scene)
    assert codec.load(type(seen), codec.dump(seen)) == seen
    assert seen.outcome is None or not seen.to_act
    for viewer in viewers_of_case:
        seen.view(viewer).draw()
        seen.scene(viewer)
        seen.imagine(viewer, rng)


def ask_about(seen, seat, move, viewers_of_case):
    """Everything that can be asked of a move; what follows is only as much as was seen before."""
    for ask in (seen.write, seen.write_long, seen.touches, seen.objection, seen.play):
        answer(ask, seat, move)
    for viewer in viewers_of_case:
        answer(seen.tell, seat, move, viewer, seen)
    after = answer(seen.after, seat, move)
    if not isinstance(after, MoveError):
        for other in (CHANCE, *(viewer for viewer in viewers_of_case if viewer is not None)):
            list(itertools.islice(after.legal_moves(other), 40))
        ask_to_look(after, viewers_of_case, random.Random(0))


def moments(case, seed, most=6):
    """Some positions of a random game and the last one, with the moves that are legal there in truth."""
    plies, last = walk(case, seed)
    rng = random.Random(seed)
    for position in [*(p for p, _s, _m in plies[:4] + rng.sample(plies, min(most, len(plies)))), last]:
        truth = {seat: moves_of(position, seat, rng, 12) for seat in position.to_act}
        yield position, truth, plies, rng


@each_case
def test_no_view_fails_at_any_question_of_anybody(case, is_thorough):
    everybody, few = viewers(case), 1 if is_thorough else 2
    for position, truth, plies, rng in moments(case, 1, 3 // few):
        strangers = rng.sample(plies, min(6 // few, len(plies)))
        texts = [*rng.sample(WRITTEN_ANYWHERE, 8 // few), *(p.write(seat, move) for p, seat, move in strangers)]
        for seen in {position.view(viewer) for viewer in everybody}:
            ask_to_look(seen, everybody, rng)
            for seat in (CHANCE, *seats_of(case)):
                moves = list(itertools.islice(seen.legal_moves(seat), 400))
                answer(seen.random_move, seat, rng)
                for move in [*truth.get(seat, ())[: 6 // few], *rng.sample(moves, min(4 // few, len(moves)))]:
                    ask_about(seen, seat, move, everybody)
                for _position, _seat, move in strangers:
                    answer(seen.objection, seat, move)
                for text_ in texts:
                    answer(seen.parse, seat, text_)
                    answer(seen.read, seat, text_)


@each_case
@settings(deadline=None, max_examples=examples(15))
@given(
    seed=st.integers(0, 2),
    at=st.integers(0, MOST_PLIES),
    wild=st.text(max_size=30) | st.text("abcdxrbo+-~/(),?123 =@{}PQN", max_size=14),
)
def test_no_text_makes_a_view_fail(case, seed, at, wild):
    plies, last = walk(case, seed)
    position = [*(p for p, _s, _m in plies), last][at % (len(plies) + 1)]
    for viewer in viewers(case):
        for seat in (CHANCE, *seats_of(case)):
            answer(position.view(viewer).parse, seat, wild)
            answer(position.view(viewer).read, seat, wild)


@each_case
@each_walk
def test_a_view_lists_what_is_legal_in_truth_and_says_hidden_of_the_rest(case, seed):
    for position, truth, _plies, _rng in moments(case, seed, 10):
        for viewer, seat in itertools.product(viewers(case), position.to_act):
            seen = position.view(viewer)
            for move in itertools.islice(seen.legal_moves(seat), 400):
                assert position.objection(seat, move) is None, (move, viewer)
            for move in truth[seat]:
                objection = seen.objection(seat, move)
                assert objection is None or objection.endswith("hidden from you."), objection
                if objection is not None:
                    with pytest.raises(MoveError):
                        seen.play(seat, move)


@each_case
@each_walk
def test_what_follows_in_a_view_shows_no_more_than_the_view_after_it(case, seed):
    for position, truth, _plies, _rng in moments(case, seed, 10):
        for viewer, seat in itertools.product(viewers(case), position.to_act):
            for move in truth[seat]:
                follows = answer(position.view(viewer).after, seat, move)
                if isinstance(follows, MoveError):
                    assert isinstance(follows, Hidden)
                elif (now := position.after(seat, move)).outcome is None:
                    assert follows.to_act == now.to_act
                    assert seat != viewer or follows.view(viewer) == follows


@each_case
def test_lots_and_texts_of_a_seat_that_is_not_to_act_are_refused(case):
    for position, truth, _plies, rng in moments(case, 2):
        for seat in {CHANCE, *seats_of(case)} - truth.keys():
            assert list(position.legal_moves(seat)) == []
            with pytest.raises(MoveError):
                position.random_move(seat, rng)
            with pytest.raises(MoveError):
                position.parse(seat, "a1")


@each_case
def test_a_position_knows_its_seats(case):
    assert case.game.seats == case.start().SEATS
    assert case.game.key and case.game.name and case.game.notation
