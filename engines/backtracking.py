"""Find regular expressions with catastrophic backtracking, such as “(a+)+$”.

Each pattern is tried in a separate process. For each repetition in it, a test text leads up to the repetition, repeats
it, and then fails to match. The time of a safe pattern grows with a small power of the text's length; that of a
catastrophic one grows exponentially.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice, product
from re import _parser  # type: ignore[attr-defined]  # the only public way to a pattern's parts is to parse it again
from typing import Any

LENGTH = 200
"""Length of the test texts, in characters."""

PATIENCE = 5.0
"""Time limit for all patterns of a game, in seconds, including the start of the process."""

MOST_EXAMPLES = 12
"""Maximum number of example texts for a part of a pattern."""

_TRY = """
import json, re, sys
for pattern, texts in json.load(sys.stdin):
    form = re.compile(pattern, re.IGNORECASE)
    for text in texts:
        form.fullmatch(text), form.search(text)
    print(flush=True)
"""
_SIGNS = {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}


def endless(patterns: Iterable[str], patience: float = PATIENCE) -> str:
    """Return the first pattern that exceeds the time limit in seconds; empty if none does."""
    todo = [(pattern, list(_texts(pattern))) for pattern in patterns]
    if not todo:
        return ""
    command = [sys.executable, "-I", "-S", "-c", _TRY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            process.communicate(json.dumps(todo), timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            done = process.communicate()[0].count("\n")
            return todo[min(done, len(todo) - 1)][0]
    return ""


def _texts(pattern: str) -> Iterator[str]:
    """Yield, for each repetition, texts that repeat it many times and then fail to match."""
    for before, body in _repetitions(_parser.parse(pattern, re.IGNORECASE), ""):
        if body:
            for end in ("!", "\n\n", "~1"):
                yield before + body * (LENGTH // len(body)) + end


def _repetitions(parts: Iterable[Any], before: str) -> Iterator[tuple[str, str]]:
    """Yield, for each repetition, an example of what precedes it and one of what it repeats."""
    for name, value in parts:
        if str(name) in ("MAX_REPEAT", "MIN_REPEAT"):
            yield from ((before, body) for body in _examples(value[2]))
        for inner in _inside(str(name), value):
            yield from _repetitions(inner, before)
        before += next(iter(_examples([(name, value)])), "")


def _inside(name: str, value: Any) -> list[Any]:
    if name == "BRANCH":
        return list(value[1])
    if name in ("SUBPATTERN", "MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [value[-1]]
    return [value] if name == "ATOMIC_GROUP" else [value[1]] if name.startswith("ASSERT") else []


def _examples(parts: Iterable[Any]) -> list[str]:
    """Return some matching texts, with as few repetitions as allowed, but at least one."""
    choices = [_choices(str(name), value) for name, value in parts]
    return ["".join(one) for one in islice(product(*choices), MOST_EXAMPLES)]


def _choices(name: str, value: Any) -> list[str]:
    if name == "LITERAL":
        return [chr(value)]
    if name == "RANGE":
        return [chr(end) for end in value]
    if name == "IN":
        return [one for kind, item in value for one in _choices(str(kind), item)] or [""]
    if name == "CATEGORY":
        return [_SIGNS.get(str(value), ":")]
    if name in ("ANY", "NOT_LITERAL"):
        return ["a", ":"]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [one * max(min(value[0], LENGTH), 1) for one in _examples(value[2])]
    if name in ("BRANCH", "SUBPATTERN", "ATOMIC_GROUP"):
        return [one for inner in _inside(name, value) for one in _examples(inner)] or [""]
    return [""]
