"""Contract tests of views: they reveal nothing hidden, and every method works on them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.testing.walks import (
    MOST_PLIES,
    Case,
    answer,
    examples,
    looked_at,
    moments,
    refusal,
    seats_of,
    viewers,
    walk,
)
from engines import codec, svg, text
from engines.base import CHANCE, Hidden, MoveError, Position, Seat, Viewer


def test_views_are_idempotent_and_blind_to_what_is_hidden(case: Case, seed: int) -> None:
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


WRITTEN_ANYWHERE = (
    "", "?", "zz", "+a1", "+a1 ??", "+a1 ??,r?", "+b1/1 xx", "a1-b1", "a1-", "a1x", "a1~", "b1~-c1", "b1(2)-c1",
    "tender", "tender M", "pay", "pay A", "refuse", "pass", "setup", "setup ????????", "setup PPPQPPPP", "army",
    "P@a1", "a2=Q", "a2-a3", "c3/f2=B", "{?}", "{N}", "roll 3-4", "W1a4", "1@a1", "deal",
)  # fmt: skip


def ask_to_look(seen: Position[Any], viewers_of_case: Sequence[Viewer], rng: random.Random) -> None:
    """Call every method that shows a view; none may raise."""
    scene = seen.draw()
    text.render(scene)
    svg.render(scene)
    assert codec.load(type(seen), codec.dump(seen)) == seen
    assert seen.outcome is None or not seen.to_act
    for viewer in viewers_of_case:
        seen.view(viewer).draw()
        seen.scene(viewer)
        seen.imagine(viewer, rng)


def ask_about(seen: Position[Any], seat: Seat, move: Any, viewers_of_case: Sequence[Viewer]) -> None:
    """Call every method about a move on a view; none may raise anything but a refusal."""
    for ask in (seen.write, seen.write_long, seen.touches, seen.objection, seen.play):
        answer(ask, seat, move)
    for viewer in viewers_of_case:
        answer(seen.tell, seat, move, viewer, seen)
    after = answer(seen.after, seat, move)
    if not isinstance(after, MoveError):
        for other in (CHANCE, *(viewer for viewer in viewers_of_case if viewer is not None)):
            list(itertools.islice(after.legal_moves(other), 40))
        ask_to_look(after, viewers_of_case, random.Random(0))


def test_no_view_fails_at_any_question_of_anybody(case: Case, is_thorough: bool) -> None:
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


@settings(deadline=None, max_examples=examples(15))
@given(
    number=st.integers(0, 2),
    at=st.integers(0, MOST_PLIES),
    wild=st.text(max_size=30) | st.text("abcdxrbo+-~/(),?123 =@{}PQN", max_size=14),
)
def test_no_text_makes_a_view_fail(case: Case, number: int, at: int, wild: str) -> None:
    plies, last = walk(case, number)
    position = [*(p for p, _s, _m in plies), last][at % (len(plies) + 1)]
    for viewer in viewers(case):
        for seat in (CHANCE, *seats_of(case)):
            answer(position.view(viewer).parse, seat, wild)
            answer(position.view(viewer).read, seat, wild)


def test_a_view_lists_what_is_legal_in_truth_and_says_hidden_of_the_rest(case: Case, seed: int) -> None:
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


def test_what_follows_in_a_view_shows_no_more_than_the_view_after_it(case: Case, seed: int) -> None:
    for position, truth, _plies, _rng in moments(case, seed, 10):
        for viewer, seat in itertools.product(viewers(case), position.to_act):
            for move in truth[seat]:
                follows = answer(position.view(viewer).after, seat, move)
                if isinstance(follows, MoveError):
                    assert isinstance(follows, Hidden)
                elif (now := position.after(seat, move)).outcome is None:
                    assert follows.to_act == now.to_act
                    assert seat != viewer or follows.view(viewer) == follows
