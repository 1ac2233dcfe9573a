"""A slow second opinion on Proteus with tiles, written from the rules alone: no table, no shared code.

The board is two dictionaries, from space to tile (“Mo”) and from space to piece (“Bo”); a turn is tried
out on copies, and what has come together is found by comparing the board before and after.
"""

from __future__ import annotations

from itertools import combinations, permutations

SPACES = [f + r for f in "abc" for r in "123"]
ALL_TILES = [c + s for c in "MTG" for s in "ost"]
ALL_PIECES = [p + s for p in "BW" for s in "ost"]
LINES = ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1"]


def apart(one, other):
    return abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1]))


def can_be_completed(free_tiles, hand, still_wanted):
    """K-d by trying every assignment of the hand to distinct tiles."""
    for chosen in permutations(free_tiles, len(hand)):
        lit = [tile[0] for tile, piece in zip(chosen, hand, strict=True) if tile[1] == piece[1]]
        if sorted(lit) == sorted(still_wanted):
            return True
    return False


class TilesReferee:
    """One game; `legal` are the canonical texts, `play` makes one of them."""

    def __init__(self, repetition="forbid"):
        self.repetition = repetition
        self.tile, self.piece, self.active = {}, {}, set()
        self.turn, self.course, self.winner, self.drawn = "B", [], None, False

    # what is asked from outside

    def to_act(self):
        return () if self.winner or self.drawn else ("BW".index(self.turn),)

    def outcome(self):
        if not (self.winner or self.drawn):
            return None
        return ("BW".index(self.winner),) if self.winner else ()

    def legal(self):
        return {text for text, _result in self.results()}

    def play(self, text):
        (result,) = [result for written, result in self.results() if written == text]
        was_moving = self.is_moving()
        self.tile, self.piece, self.active, self.winner = result
        self.turn = "W" if self.turn == "B" else "B"
        if self.winner:
            return
        if not self.is_moving():
            if not self.results():
                self.turn = "W" if self.turn == "B" else "B"
                assert self.results(), "K-f: somebody can always place"
            return
        if not was_moving:
            self.course = []
        self.course.append(self.moment())
        if self.repetition == "draw":
            self.drawn = self.course.count(self.moment()) >= 3
        elif not self.results():
            self.turn = "W" if self.turn == "B" else "B"
            self.course.append(self.moment())
            self.drawn = not self.results()

    # the rules

    def is_moving(self):
        return len(self.tile) == 9 and len(self.piece) == 6

    def moment(self):
        return sorted(self.tile.items()), sorted(self.piece.items()), sorted(self.active), self.turn

    def results(self):
        """Every legal text with the board, tiles in force and winner that it leads to."""
        if not self.is_moving():
            return [self.finished(*placing) for placing in self.placings()]
        found = [self.finished(*action) for action in [*self.moves(), *self.exchanges()]]
        if self.repetition == "draw":
            return found
        other = "W" if self.turn == "B" else "B"
        return [
            (text, (tile, piece, active, winner))
            for text, (tile, piece, active, winner) in found
            if (sorted(tile.items()), sorted(piece.items()), sorted(active), other) not in self.course
        ]

    def placings(self):
        for tile in ALL_TILES:
            for space in SPACES:
                if tile not in self.tile.values() and space not in self.tile:
                    yield f"{tile}@{space}", {**self.tile, space: tile}, self.piece
        for piece in ALL_PIECES:
            if piece[0] != self.turn or piece in self.piece.values():
                continue
            for space in self.tile:
                if space not in self.piece and self.may_be_placed(piece, space):
                    yield f"{piece[1]}@{space}", self.tile, {**self.piece, space: piece}

    def may_be_placed(self, piece, space):
        covered = [self.tile[s] for s in self.piece]
        free = [t for t in ALL_TILES if t not in covered and t != self.tile[space]]
        hand = [p for p in ALL_PIECES if p not in self.piece.values() and p != piece]
        wanted = [c for c in "MTG" if c not in [t[0] for t in self.active]]
        if self.tile[space][1] == piece[1]:
            if self.tile[space][0] not in wanted:
                return False
            wanted.remove(self.tile[space][0])
        return can_be_completed(free, hand, wanted)

    def in_force(self, colour):
        for tile in self.active:
            if tile[0] == colour:
                return tile
        return None

    def moves(self):
        rule = self.in_force("M")
        for start, piece in self.piece.items():
            for end in SPACES:
                files, ranks = apart(start, end)
                king = rule == "Mo" and max(files, ranks) == 1
                rook = rule == "Ms" and min(files, ranks) == 0 and start != end
                knight = rule == "Mt" and min(files, ranks) > 0
                if piece[0] == self.turn and end not in self.piece and (king or rook or knight):
                    stay = {s: p for s, p in self.piece.items() if s != start}
                    yield f"{piece[1]}{end}", self.tile, {**stay, end: piece}

    def exchanges(self):
        rule = self.in_force("T")
        for one, other in combinations(SPACES, 2):
            a, b = self.tile[one], self.tile[other]
            owners = {self.piece.get(one, "-")[0], self.piece.get(other, "-")[0]}
            polarity = rule == "To" and owners == {"B", "W"}
            colour = rule == "Ts" and a[0] == b[0]
            shape = rule == "Tt" and a[1] == b[1]
            if polarity or colour or shape:
                yield f"{one}={other}", {**self.tile, one: b, other: a}, self.piece

    def finished(self, text, tile, piece):
        """The text with its marks, and the board with what was activated and who has won."""
        before = {(p, self.tile[s]) for s, p in self.piece.items()}
        after = {s: (p, tile[s]) for s, p in piece.items() if p[1] == tile[s][1]}
        events = [s for s in SPACES if s in after and after[s] not in before]
        events = [s for s in events if tile[s] not in self.active]
        if len(events) == 2 and len({tile[s][0] for s in events}) == 1:
            events = []
        active = set(self.active)
        for s in events:
            active = {t for t in active if t[0] != tile[s][0]} | {tile[s]}
        happy = [side for side in "BW" if self.goal_met(side, tile, piece, active)]
        winner = happy[0] if len(happy) == 1 else None
        marks = "".join("+" + tile[s] for s in events) + ("#" if winner else "")
        return text + marks, (tile, piece, active, winner)

    def goal_met(self, side, tile, piece, active):
        own = sorted(s for s, p in piece.items() if p[0] == side)
        if len(own) < 3:
            return False
        lined = "Go" in active and " ".join(own) in {" ".join(sorted(line.split())) for line in LINES}
        coloured = "Gs" in active and len({tile[s][0] for s in own}) == 1
        shaped = "Gt" in active and len({tile[s][1] for s in own}) == 1
        return lined or coloured or shaped
