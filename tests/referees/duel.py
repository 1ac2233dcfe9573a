"""A slow second opinion on Duel and the Puzzle, written from the rules alone: no table, no shared code.

A board is a dictionary from square names to texts like “W3”; every question is answered by trying
everything. `DuelReferee` and `PuzzleReferee` are played by canonical texts.
"""

from __future__ import annotations

from itertools import pairwise

FILES, RANKS = "abcd", "1234"
SQUARES = [f + r for r in RANKS for f in FILES]

RING = {
    "red": "a1-b1 b1-c1 c1-d1 d1-d2 d2-d3 d3-d4 d4-c4 c4-b4 b4-a4 a4-a3 a3-a2 a2-a1",
    "white": "a3-b3 c3-d3 a2-b2 c2-d2 b2-b3 c2-c3",
    "black": "b4-b3 c4-c3 b2-b1 c2-c1 b3-c3 b2-c2",
}
SUN = {
    "red": "a2-b2 c2-d2 a3-b3 c3-d3 b1-b2 c1-c2 b3-b4 c3-c4",
    "white": "a1-b1 b1-c1 c1-d1 a4-b4 b4-c4 c4-d4 b2-b3 c2-c3",
    "black": "a1-a2 a2-a3 a3-a4 d1-d2 d2-d3 d3-d4 b2-c2 b3-c3",
}
BRIDGES = {"ring": RING, "sun": SUN}


def ends_of_walks(board_name, button, start):
    """Every square but the first where a trail of just so many bridges can end, found by walking them all."""
    colours = ["red", {"W": "white", "B": "black"}[button[0]]]
    bridges = [frozenset(b.split("-")) for c in colours for b in BRIDGES[board_name][c].split()]
    ends = set()

    def walk(here, left, crossed):
        if left == 0:
            ends.add(here)
            return
        for number, bridge in enumerate(bridges):
            if here in bridge and number not in crossed:
                (there,) = bridge - {here}
                walk(there, left - 1, [*crossed, number])

    walk(start, int(button[1]), [])
    return ends - {start}


WALKS = {}


def walks(board_name, button, start):
    key = board_name, button, start
    if key not in WALKS:
        WALKS[key] = ends_of_walks(*key)
    return WALKS[key]


def all_lines():
    for f in FILES:
        yield [f + r for r in RANKS]
    for r in RANKS:
        yield [f + r for f in FILES]


def owners_of_lines(board):
    owners = set()
    for line in all_lines():
        colours = {board[s][0] if s in board else None for s in line}
        if len(colours) == 1 and None not in colours:
            owners |= colours
    return owners


def are_neighbours(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1])) == 1


class DuelReferee:
    def __init__(self, board_name="ring"):
        self.board_name, self.board, self.colour = board_name, {}, "B"
        self.swapped, self.past, self.quiet, self.result = None, [], 0, None

    def actor(self):
        return None if self.result else self.colour

    def texts(self):
        """Canonical text -> the board after it, for everything that is legal now."""
        if self.result:
            return {}
        found = {}
        enemy = "W" if self.colour == "B" else "B"
        for value in "12345678":
            button = self.colour + value
            places = [s for s, b in self.board.items() if b == button]
            if not places:
                for square in SQUARES:
                    by_enemy = any(are_neighbours(square, s) for s, b in self.board.items() if b[0] == enemy)
                    if square not in self.board and (by_enemy or not self.board):
                        found[f"{value}@{square}"] = {**self.board, square: button}
                continue
            (start,) = places
            for end in walks(self.board_name, button, start):
                after = {s: b for s, b in self.board.items() if s != start}
                after[end], text = button, value + end
                if end in self.board:
                    if {button, self.board[end]} == self.swapped:
                        continue
                    after[start] = self.board[end]
                    text += "=" + self.board[end]
                found[text] = after
        return {t + "#" * (len(owners_of_lines(a)) == 1): a for t, a in found.items()}

    def play(self, text):
        after = self.texts()[text]
        placed = "@" in text
        self.swapped = None
        if "=" in text:
            self.swapped = {self.colour + text[0], text.split("=")[1][:2]}
        self.board, self.colour = after, "W" if self.colour == "B" else "B"
        self.quiet = 0 if placed else self.quiet + 1
        now = (frozenset(after.items()), self.colour, frozenset(self.swapped or ()))
        self.past.append(now)
        owners = owners_of_lines(after)
        if len(owners) == 1:
            self.result = owners.pop()
        elif self.past.count(now) >= 3 or self.quiet >= 100:
            self.result = "draw"

    def position_text(self):
        rows = ["", "", "", ""]
        for i, r in enumerate(reversed(RANKS)):
            rows[i] = ",".join(self.board.get(f + r, ".") for f in FILES)
        pair = "".join(sorted(self.swapped)) if self.swapped else "-"
        return f"{'/'.join(rows)} {self.colour} {pair}"


class PuzzleReferee:
    def __init__(self, board_name, goal, dealt):
        """`dealt` is the sixteen buttons in the order in which they leave the bag."""
        self.board_name, self.goal, self.moves = board_name, goal, 0
        order = [f + r for r in reversed(RANKS) for f in FILES]
        self.board = dict(zip(order, dealt, strict=True))

    def solved(self, board=None):
        board = board or self.board
        pairs = []
        lines = list(all_lines())
        for group in (lines[:4], lines[4:]):
            for one in group:
                for other in group:
                    white, black = [board[s] for s in one], [board[s] for s in other]
                    if "".join(b[0] for b in white + black) != "WWWWBBBB":
                        continue
                    values = [int(b[1]) for b in white]
                    if values != [int(b[1]) for b in black]:
                        continue
                    steady = all(abs(a - b) == 1 for a, b in pairwise(values))
                    if self.goal in (1, 3) or steady:
                        pairs.append((one, other))
        return len(pairs) >= (1 if self.goal < 3 else 2)

    def texts(self):
        if self.solved():
            return {}
        found = {}
        for start, button in self.board.items():
            for end in walks(self.board_name, button, start):
                after = {**self.board, start: self.board[end], end: button}
                found[f"{button}{end}={self.board[end]}" + "#" * self.solved(after)] = after
        return found

    def play(self, text):
        self.board = self.texts()[text]
        self.moves += 1
