"""Make the starter set: robots play, and proofs are searched. Pure; the same code makes the same set.

Every game has its own seed, so nothing depends on the order in which games are played.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from correspondence.archive.openings import PLIES
from correspondence.features.samples.plan import BookKind, ExerciseKind, SampleKind
from engines import GAMES
from engines.base import CHANCE, Position
from engines.options import options_from, read_options
from engines.search import choose, find_exercise, judge_move
from engines.verification.record_text import result_of

SHORTEST, LONGEST = 12, 120
"""Minimum and maximum length of a sample game, in entries."""

LONGEST_IN_BOOK = 150
"""Length at which a game for the book is abandoned, in entries."""

LOOKED_AT = 12
"""Number of final positions searched for an exercise."""

MOST_MOVES = 3
"""Maximum number of the solver's moves to win an exercise."""

EXERCISE_BUDGET = 6_000
"""Number of moves that one search for an exercise tries."""

JUDGED = 3_000
"""Number of positions searched to judge one move."""

TURNING = 0.25
"""Minimum loss of expected result at a turning point with a comment."""

MOST_COMMENTS = 5
"""Maximum number of comments on one game."""

FEWEST = 2
"""Minimum number of games that continue with a move of the book; the first move may be a single one's."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game between two robots. `levels` are by seat, `texts` are moves as written."""

    game: str
    options: str
    levels: tuple[int, int]
    entries: tuple[tuple[int, str], ...]
    result: str
    reason: str
    positions: tuple[Position[Any], ...] = field(repr=False)


def play(game_key: str, options: str, levels: tuple[int, int], seed: str, longest: int) -> PlayedGame | None:
    """Play a game between two robots; None if it is longer than `longest` entries."""
    game, rng = GAMES[game_key], random.Random(seed)
    typed: Any = read_options(game.Options, options_from(options))
    position: Position[Any] = game.start(typed)
    positions = [position]
    entries: list[tuple[int, str]] = []
    while position.to_act and len(entries) < longest:
        seat = position.to_act[0]
        move = (
            position.random_move(seat, rng) if seat == CHANCE else choose(game_key, position, seat, levels[seat], rng)
        )
        entries.append((seat, position.write(seat, move)))
        position = position.after(seat, move)
        positions.append(position)
    if position.outcome is None:
        return None
    result, reason = result_of(position.outcome), position.outcome.reason
    return PlayedGame(game_key, options, levels, tuple(entries), result, reason, tuple(positions))


def samples(kind: SampleKind) -> Iterator[PlayedGame]:
    """Play the sample games of a kind; the robots change seats from game to game."""
    found = tried = 0
    while found < kind.number:
        first, second = kind.levels
        levels = (first, second) if tried % 2 == 0 else (second, first)
        game = play(kind.game, kind.options, levels, f"sample {kind.game} {kind.options} {tried}", LONGEST)
        tried += 1
        if game is not None and len(game.entries) >= SHORTEST:
            found += 1
            yield game


def turning_points(game: PlayedGame) -> list[list[Any]]:
    """Judge each move; return `[ply, best, expected, played]` of those that lost most, in game order."""
    found: list[list[Any]] = []
    for ply, (seat, text) in enumerate(game.entries, 1):
        before = game.positions[ply - 1]
        if seat == CHANCE or before.to_act != (seat,):
            continue
        judged = judge_move(game.game, before, seat, text, JUDGED, random.Random(ply))
        if judged is not None and judged.expected - judged.played >= TURNING:
            found.append([ply, judged.best, judged.expected, judged.played])
    most = sorted(found, key=lambda one: (one[3] - one[2], one[0]))[:MOST_COMMENTS]
    return sorted(most)


def exercises(kind: ExerciseKind) -> Iterator[tuple[PlayedGame, int, dict[str, Any]]]:
    """Find exercises in games of weak robots; yield game, number of entries before the position, and tree."""
    found = at_once = 0
    for tried in range(kind.games):
        if found == kind.number:
            return
        levels = (2, 1) if tried % 2 else (1, 2)
        game = play(kind.game, kind.options, levels, f"exercise {kind.game} {kind.options} {tried}", LONGEST)
        proven = _proven(game, allow_at_once=at_once < kind.at_once) if game is not None else None
        if game is not None and proven is not None:
            found, at_once = found + 1, at_once + int(proven[1]["moves"] == 1)
            yield game, *proven


def _proven(game: PlayedGame, *, allow_at_once: bool) -> tuple[int, dict[str, Any]] | None:
    """Return the last position that is an exercise, with its tree."""
    last = len(game.entries) - 1
    for ply in range(last, max(last - LOOKED_AT, -1), -1):
        position, played = game.positions[ply], game.entries[ply][1]
        if len(position.to_act) != 1 or position.to_act[0] < 0:
            continue
        seat, rng = position.to_act[0], random.Random(ply)
        tree = find_exercise(game.game, position.view(seat), seat, played, MOST_MOVES, EXERCISE_BUDGET, rng)
        if tree is not None and (tree["moves"] > 1 or allow_at_once):
            return ply, tree
    return None


def book(kind: BookKind, tell: Tell) -> dict[str, Any]:
    """Play the games of the book, and return the tree of their openings.

    A node maps moves to `[first wins, draws, second wins, node]`; rare moves are left out.
    """
    root: dict[str, Any] = {}
    for number in range(kind.number):
        if number % 100 == 0:
            tell(f"book: {kind.game} {kind.options}, game {number} of {kind.number}")
        game = play(
            kind.game, kind.options, (kind.level, kind.level), f"book {kind.game} {kind.options} {number}",
            LONGEST_IN_BOOK,
        )  # fmt: skip
        if game is not None:
            _count(root, [text for _seat, text in game.entries[:PLIES]], game.result)
    return _frequent(root, 0)


def _count(node: dict[str, Any], texts: Sequence[str], result: str) -> None:
    column = {"1-0": 0, "0-1": 2}.get(result, 1)
    for text in texts:
        counted = node.setdefault(text, [0, 0, 0, {}])
        counted[column] += 1
        node = counted[3]


def _frequent(node: dict[str, Any], depth: int) -> dict[str, Any]:
    fewest = FEWEST if depth else 1
    kept = {text: counts for text, counts in sorted(node.items()) if sum(counts[:3]) >= fewest}
    return {text: [*counts[:3], _frequent(counts[3], depth + 1)] for text, counts in kept.items()}
