"""Conditional moves as text and as a tree. Pure, and independent of any game.

Lines are separated by `;` or line breaks. Each is `if MOVE then MOVE`, continued with `, if MOVE then MOVE` any number
of times, or with `then if …` on a line of its own. Every `if` names a move of the opponent, every `then` the reply to
it. Two lines with the same beginning are two branches of one tree.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from correspondence.core.move_text import normalise
from correspondence.models.loading import MatchError
from engines.wording import _

MOST_MOVES = 100
"""Maximum size of a plan, in moves of both sides."""

DEEPEST = 16
"""Maximum length of a line, in moves of both sides."""

LONGEST = 8_000
"""Maximum length of a plan's text, in characters."""

Pair = tuple[str, str]
"""A move of the opponent and the reply."""

Line = tuple[Pair, ...]
"""Consecutive pairs."""


class PlanError(MatchError):
    """Raised if a plan is impossible; str() names the first wrong move in a sentence.

    `unread` are the lines that were skipped because there were too many moves.
    """

    def __init__(self, sentence: str, unread: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.unread = unread


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """The reply to one move of the opponent, and the plan after it."""

    reply: str
    tree: Tree


Tree = Mapping[str, PlannedAnswer]
"""A plan: opponent's moves with their answers. Canonical texts keep its moves distinct."""

_THEN_IF = re.compile(r"[;,.]?\s*\b(?:and\s+)?then\s+if\b", re.IGNORECASE)
_IF = re.compile(r"[\s,(]*\bif\b", re.IGNORECASE)
_THEN = re.compile(r"\bthen\b", re.IGNORECASE)
_ELSE = re.compile(r"[;,.\s]*\belse\s+wait\b[\s.)]*$", re.IGNORECASE)


def read_lines(text: str) -> tuple[Line, ...]:
    """Split a text into lines as written; moves are not checked. Raises PlanError."""
    return tuple(map(read_branch, split_branches(text)))


def split_branches(text: str) -> tuple[str, ...]:
    """Split a text into unread branches; raise PlanError if there is none or it is too long."""
    if len(text) > LONGEST:
        raise PlanError(_("A plan has at most {most} characters.").format(most=LONGEST))
    cleaned = "\n".join(normalise(line) for line in text.splitlines())
    joined = _THEN_IF.sub(", if", _ELSE.sub("", cleaned))
    parts = [part for part in re.split(r"[;\n]", joined) if part.strip(" .,")]
    if not parts:
        raise PlanError(_("There is nothing in this plan. Write, for example: if MOVE then MOVE"))
    return tuple(_joined(parts))


def _joined(parts: Sequence[str]) -> Iterator[str]:
    """Join each part that begins with a comma to the part before it."""
    current = ""
    for part in parts:
        if current and not part.lstrip().startswith(","):
            yield current
            current = ""
        current += part
    yield current


def read_branch(part: str) -> Line:
    """Read one branch as written; its moves are not checked. Raises PlanError."""
    before, *conditions = _IF.split(part)
    if before.strip() or not conditions:
        raise PlanError(_("“{text}” is not a line of a plan. Write: if MOVE then MOVE").format(text=_short(part)))
    if 2 * len(conditions) > DEEPEST:
        raise too_deep()
    return tuple(_pair(condition) for condition in conditions)


def _pair(condition: str) -> Pair:
    move, *replies = (_bare(text) for text in _THEN.split(condition))
    if not move or len(replies) != 1 or not replies[0]:
        text = _short(f"if {condition.strip()}")
        raise PlanError(_("“{text}” must name one move and one reply: if MOVE then MOVE").format(text=text))
    return move, replies[0]


def _bare(text: str) -> str:
    """Strip brackets, commas and full stops around a move; keep the move's own brackets."""
    move = text.strip(" ,.")
    while move.startswith("(") or move.count(")") > move.count("("):
        move = move[1:] if move.startswith("(") else move[: move.rindex(")")] + move[move.rindex(")") + 1 :]
        move = move.strip(" ,.")
    return move


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"{line[:60]}…" if len(line) > 60 else line


# -- trees ---------------------------------------------------------------------------


def merged(tree: Tree, line: Line) -> tuple[Tree, tuple[tuple[str, str, str], ...]]:
    """Return the tree with a line added, and replaced replies as (opponent's move, old, new)."""
    if not line:
        return tree, ()
    (move, reply), rest = line[0], line[1:]
    old = tree.get(move)
    subtree = old.tree if old is not None and old.reply == reply else {}
    merged_below, replaced = merged(subtree, rest)
    if old is not None and old.reply != reply:
        replaced = ((move, old.reply, reply), *replaced)
    return {**tree, move: PlannedAnswer(reply, merged_below)}, replaced


def lines_of(tree: Tree) -> tuple[Line, ...]:
    """Return every path through the tree, in the order of entry."""
    lines: list[Line] = []
    for move, answer in tree.items():
        below = lines_of(answer.tree) or ((),)
        lines += [((move, answer.reply), *rest) for rest in below]
    return tuple(lines)


def line_text(line: Line) -> str:
    """Write a line as text: `if A then B, if C then D`."""
    return ", ".join(f"if {move} then {reply}" for move, reply in line)


def line_texts(tree: Tree) -> tuple[str, ...]:
    """Write every line of the tree as text."""
    return tuple(line_text(line) for line in lines_of(tree))


def size(tree: Tree) -> int:
    """Return the number of moves in a tree, both sides counted."""
    return sum(2 + size(answer.tree) for answer in tree.values())


def depth(tree: Tree) -> int:
    """Return the length of the longest line, in moves of both sides."""
    return max((2 + depth(answer.tree) for answer in tree.values()), default=0)


def check_size(tree: Tree) -> None:
    """Raise PlanError if a tree exceeds the maximum size or depth."""
    if depth(tree) > DEEPEST:
        raise too_deep()
    if size(tree) > MOST_MOVES:
        raise PlanError(_("A plan has at most {most} moves, counting both sides.").format(most=MOST_MOVES))


def too_deep() -> PlanError:
    """Return the error for a line that has too many moves."""
    return PlanError(_("A line of a plan has at most {most} moves, counting both sides.").format(most=DEEPEST))


def dump(tree: Tree) -> str:
    """Serialise a tree for `Plan.tree`."""
    return json.dumps(_plain(tree), ensure_ascii=False)


def load(text: str) -> Tree:
    """Parse a tree serialised by `dump`."""
    return _tree(json.loads(text))


def _plain(tree: Tree) -> dict[str, list[object]]:
    return {move: [answer.reply, _plain(answer.tree)] for move, answer in tree.items()}


def _tree(plain: dict[str, list[object]]) -> Tree:
    tree: dict[str, PlannedAnswer] = {}
    for move, (reply, below) in plain.items():
        assert isinstance(reply, str) and isinstance(below, dict)
        tree[move] = PlannedAnswer(reply, _tree(below))
    return tree
