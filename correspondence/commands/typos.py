"""Near misses: a command word with a letter missing, doubled, changed or out of order."""

from __future__ import annotations


def is_slip(word: str, name: str) -> bool:
    """Whether `word` is `name` with one letter wrong, missing, doubled or exchanged; two in a long word."""
    allowed = 2 if len(name) > 7 else 1
    alike = word[:1] == name[:1] and abs(len(word) - len(name)) <= allowed
    return alike and 0 < _slips(word, name) <= allowed


def is_plain_slip(word: str, name: str) -> bool:
    """Whether `word`, alone on its line, can hardly be another word: “darw”, “resgin”, but not “plane”."""
    if len(name) < 6 or len(word) < 5:
        return len(word) == len(name) and sorted(word) == sorted(name) and is_slip(word, name)
    return is_slip(word, name) and (len(word) != len(name) or sorted(word) == sorted(name) or len(name) > 7)


def _slips(word: str, name: str) -> int:
    """Letters inserted, dropped, changed, or exchanged with a neighbour (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(word):
        last, before, row = before, row, [i + 1]
        for j, wanted in enumerate(name):
            cost = min(before[j] + (letter != wanted), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == name[j - 1] and word[i - 1] == wanted:
                cost = min(cost, last[j - 1] + 1)
            row.append(cost)
    return row[-1]
