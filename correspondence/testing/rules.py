"""Contract tests of the rules: turns, notation, legal moves, storage, replay, drawing."""

from __future__ import annotations

import itertools
import json
import random
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from correspondence.commands import CommandError, Other, read_line
from correspondence.testing.walks import Case, looked_at, moments, moves_of, seats_of, viewers, walk
from engines import codec, svg, text
from engines.base import CHANCE, IllegalMove, MoveError
from engines.options import read_options
from engines.record import Entry, positions, replay, transcript


def test_somebody_can_act_until_the_end_and_nobody_after_it(case: Case, seed: int) -> None:
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


def test_chance_acts_only_where_the_game_says_so(case: Case, seed: int) -> None:
    plies, _last = walk(case, seed)
    says_so = case.game.has_chance(read_options(case.game.Options, case.options))
    assert says_so or all(seat != CHANCE for _position, seat, _move in plies)


def test_canonical_and_long_form_read_back(case: Case, seed: int) -> None:
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


def test_objections_draw_the_line_exactly(case: Case, seed: int) -> None:
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


def test_refusals_are_sentences_and_suggest_only_what_works(case: Case, seed: int) -> None:
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


def test_only_who_is_to_act_may_act(case: Case) -> None:
    position = case.start()
    for seat in seats_of(case):
        if seat not in position.to_act:
            with pytest.raises(MoveError):
                position.read(seat, "a1")


def test_positions_survive_json(case: Case, seed: int) -> None:
    plies, last = walk(case, seed)
    for position in [*(position for position, _seat, _move in plies), last]:
        stored = codec.dump(position)
        assert codec.load(type(position), stored) == position
        json.loads(stored)
        hash(position)


def test_replay_equals_play(case: Case, seed: int) -> None:
    plies, last = walk(case, seed)
    entries = [Entry(seat, position.write(seat, move)) for position, seat, move in plies]
    options: Any = read_options(case.game.Options, case.options)
    assert replay(case.game, options, entries) == last
    course = list(positions(case.game, options, entries))
    assert course[:-1] == [position for position, _seat, _move in plies]


def test_sealed_choices_commute(case: Case, seed: int) -> None:
    plies, _last = walk(case, seed)
    rng = random.Random(seed)
    for position, _seat, _move in plies:
        if len(position.to_act) < 2:
            continue
        one, other = position.to_act[:2]
        mine, theirs = position.random_move(one, rng), position.random_move(other, rng)
        assert position.after(one, mine).after(other, theirs) == position.after(other, theirs).after(one, mine)


def test_transcripts_keep_the_length_and_the_seats(case: Case) -> None:
    plies, _last = walk(case, 5)
    entries = [Entry(seat, position.write(seat, move)) for position, seat, move in plies]
    options: Any = read_options(case.game.Options, case.options)
    for viewer in viewers(case):
        lines = transcript(case.game, options, entries, viewer)
        assert [entry.seat for entry in lines] == [entry.seat for entry in entries]


def test_a_game_that_keeps_no_secrets_tells_everybody_each_move_as_it_is_written(case: Case, seed: int) -> None:
    plies, last = walk(case, seed)
    if plies[0][0].keeps_secrets:
        return
    for position, seat, move in plies:
        for viewer, now in itertools.product(viewers(case), (position.after(seat, move), last)):
            assert position.tell(seat, move, viewer, now) == position.write(seat, move)


def test_touch_paths_are_unique_and_prefix_free(case: Case, seed: int) -> None:
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


def test_each_touch_is_followed_by_a_prompt_if_a_game_has_any(case: Case, seed: int) -> None:
    presentation = case.game.presentation
    plies, _last = walk(case, seed)
    for position, seat, _played in looked_at(plies, seed)[:6] if presentation.prompts else ():
        if seat == CHANCE:
            continue
        seen = position.view(seat)
        following: dict[tuple[str, ...], set[str]] = {}
        for move in itertools.islice(seen.legal_moves(seat), 3000):
            path = seen.touches(seat, move)
            for at in range(1, len(path)):
                following.setdefault(path[:at], set()).add(path[at])
        unsaid = [(path, tokens) for path, tokens in following.items() if not presentation.next_step(path, tokens)]
        assert not unsaid, unsaid[:3]


def test_pictures_are_well_formed(case: Case, seed: int) -> None:
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


def test_lots_and_texts_of_a_seat_that_is_not_to_act_are_refused(case: Case) -> None:
    for position, truth, _plies, rng in moments(case, 2):
        for seat in {CHANCE, *seats_of(case)} - truth.keys():
            assert list(position.legal_moves(seat)) == []
            with pytest.raises(MoveError):
                position.random_move(seat, rng)
            with pytest.raises(MoveError):
                position.parse(seat, "a1")


def test_a_position_knows_its_seats(case: Case) -> None:
    assert case.game.seats == case.start().SEATS
    assert case.game.key and case.game.name and case.game.notation


def test_no_move_is_a_command(case: Case, seed: int) -> None:
    plies, _last = walk(case, seed)
    for position, seat, move in looked_at(plies, seed):
        line = position.write(seat, move)
        try:
            assert isinstance(read_line(line), Other), line
        except CommandError as error:
            pytest.fail(f"{line} is read as a command: {error}")
