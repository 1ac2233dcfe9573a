"""Typos in command words: a letter missing, doubled, changed or out of order."""

from __future__ import annotations


def is_typo(word: str, name: str) -> bool:
    """Whether `word` is one typo away from `name`, or two if `name` has at least 8 letters."""
    allowed = 2 if len(name) > 7 else 1
    similar = word[:1] == name[:1] and abs(len(word) - len(name)) <= allowed
    return similar and 0 < _distance(word, name) <= allowed


def is_obvious_typo(word: str, name: str) -> bool:
    """Whether `word`, alone on its line, is unlikely to be another word: “darw”, not “plane”."""
    if len(name) < 6 or len(word) < 5:
        return len(word) == len(name) and sorted(word) == sorted(name) and is_typo(word, name)
    return is_typo(word, name) and (len(word) != len(name) or sorted(word) == sorted(name) or len(name) > 7)


def is_one_slip(text: str, meant: str) -> bool:
    """Whether `text` differs from `meant` by one wrong, missing, extra or swapped character."""
    if text == meant or abs(len(text) - len(meant)) > 1:
        return False
    start = _same_signs(text, meant)
    rest, other = text[start:], meant[start:]
    end = _same_signs(rest[::-1], other[::-1])
    rest, other = rest[: len(rest) - end], other[: len(other) - end]
    return max(len(rest), len(other)) == 1 or (len(rest) == 2 and rest == other[::-1])


def _same_signs(text: str, other: str) -> int:
    """Count the characters that two texts share at the beginning."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (sign, another) in pairs if sign != another), min(len(text), len(other)))


def _distance(word: str, name: str) -> int:
    """Optimal string alignment distance: insertions, deletions, changes and adjacent swaps."""
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(word):
        last, before, row = before, row, [i + 1]
        for j, expected in enumerate(name):
            cost = min(before[j] + (letter != expected), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == name[j - 1] and word[i - 1] == expected:
                cost = min(cost, last[j - 1] + 1)
            row.append(cost)
    return row[-1]
