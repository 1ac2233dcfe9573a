"""A slow second opinion on Proteus with dice, written from the rules alone: no table, no shared code.

The board is a dictionary from square names to dice, a die a dictionary of its colour, its face and
whether it has moved. `DiceReferee` is played by canonical texts, seat by seat; -1 is chance.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, permutations

WHITE_HOMES = ["a1", "b2", "c1", "d2", "e1", "f2", "g1", "h2"]
BLACK_HOMES = ["a7", "b8", "c7", "d8", "e7", "f8", "g7", "h8"]
HOMES = {"white": WHITE_HOMES, "black": BLACK_HOMES}
COLOURS = ["white", "black"]


def at(column, row):
    if 1 <= column <= 8 and 1 <= row <= 8:
        return "abcdefgh"[column - 1] + str(row)
    return None


def column(square):
    return "abcdefgh".index(square[0]) + 1


def row(square):
    return int(square[1])


def moved_by(square, dx, dy):
    return at(column(square) + dx, row(square) + dy)


class DiceReferee:
    def __init__(self, options, text=None):
        self.trade_off = options.get("trade_off") == "yes"
        self.roulette = options.get("roulette", "none")
        self.wall_street = options.get("wall_street", "none")
        self.polarity = options.get("polarity") == "yes"
        self.chain = (
            ["Y", "P", "N", "B", "R", "Q"] if options.get("warhorses") == "yes" else ["Y", "P", "B", "N", "R", "Q"]
        )
        self.first_only = options.get("pawn_double") == "first"
        self.dice, self.points = {}, {"white": 0, "black": 0}
        self.side = self.starter = "white"
        self.quiet, self.history, self.result = 0, [], None
        self.bought, self.left = {}, {}
        self.due, self.pending = "turn", None
        if text is not None:
            self.set_from(text)
        elif self.wall_street == "none":
            self.lay({"white": "P" * 8, "black": "P" * 8})
        else:
            self.due = "army" if self.wall_street == "open" else "roll"

    # -- before play

    def lay(self, faces):
        for colour in COLOURS:
            for square, face in zip(HOMES[colour], faces[colour], strict=True):
                self.dice[square] = {"colour": colour, "face": face, "fresh": True}
        self.begin_play()

    def begin_play(self):
        self.side, self.due = self.starter, "turn"
        self.look_for_the_end()

    def set_from(self, text):
        placement, side, *more = text.split()
        points, quiet, _number = (*more, "0-0", "0", "1")[:3] if len(more) < 3 else more[:3]
        for y, line in zip(range(8, 0, -1), placement.split("/"), strict=True):
            x = 1
            for letter in line:
                if letter.isdigit():
                    x += int(letter)
                else:
                    colour = "white" if letter.isupper() else "black"
                    self.dice[at(x, y)] = {"colour": colour, "face": letter.upper(), "fresh": False}
                    x += 1
        self.side = {"w": "white", "b": "black"}[side]
        self.points["white"], self.points["black"] = map(int, points.split("-"))
        self.quiet = int(quiet)
        self.look_for_the_end()

    # -- rules of movement

    def worth(self, face):
        return self.chain.index(face) + 1

    def may_take(self, face, victim_face):
        if victim_face == "Y":
            return False
        return not self.polarity or (self.worth(face) + self.worth(victim_face)) % 2 == 1

    def own(self):
        return [square for square, die in self.dice.items() if die["colour"] == self.side]

    def ways(self, square):
        """The squares that the die on `square` may go to."""
        die = self.dice[square]
        straight = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        oblique = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
        found = []
        if die["face"] in "BRQ":
            for dx, dy in {"B": oblique, "R": straight, "Q": straight + oblique}[die["face"]]:
                for length in range(1, 8):
                    to = moved_by(square, dx * length, dy * length)
                    between = [moved_by(square, dx * n, dy * n) for n in range(1, length)]
                    if to and not any(one in self.dice for one in between):
                        found.append(to)
        elif die["face"] == "N":
            for dx in (-2, -1, 1, 2):
                for dy in (-2, -1, 1, 2):
                    if abs(dx) + abs(dy) == 3 and moved_by(square, dx, dy):
                        found.append(moved_by(square, dx, dy))
        elif die["face"] == "P":
            return self.pawn_ways(square, die)
        return [to for to in found if to not in self.dice or self.is_prey(die, to)]

    def is_prey(self, die, to):
        other = self.dice.get(to)
        return bool(other) and other["colour"] != die["colour"] and self.may_take(die["face"], other["face"])

    def pawn_ways(self, square, die):
        up = 1 if die["colour"] == "white" else -1
        one, two = moved_by(square, 0, up), moved_by(square, 0, 2 * up)
        found = []
        if one and one not in self.dice:
            found.append(one)
            home = square in HOMES[die["colour"]] and (die["fresh"] or not self.first_only)
            if home and two not in self.dice:
                found.append(two)
        slant = [moved_by(square, dx, up) for dx in (-1, 1)]
        return found + [to for to in slant if to and self.is_prey(die, to)]

    def stabbed(self, square, to):
        """The queen in front of whom, seen from her own first rank, the die comes to stand."""
        die = self.dice[square]
        for spot, other in self.dice.items():
            if other["face"] == "Q" and other["colour"] != die["colour"]:
                behind = moved_by(spot, 0, -1 if other["colour"] == "white" else 1)
                if behind == to and self.may_take(die["face"], "Q"):
                    return spot
        return None

    def other(self):
        return "black" if self.side == "white" else "white"

    def number_of(self, colour):
        return sum(die["colour"] == colour for die in self.dice.values())

    # -- texts

    def actors(self):
        if self.result is not None:
            return set()
        if self.due in ("army", "setup"):
            return {seat for seat, colour in enumerate(COLOURS) if colour not in self.bought}
        if self.due in ("roll", "throw"):
            return {-1}
        return {COLOURS.index(self.side)}

    def texts(self, seat):
        """Every canonical text of a seat to act, with what it does."""
        if self.due == "army":
            return {"army " + army: army for army in self.armies()}
        if self.due == "setup":
            return {"setup " + one: one for one in self.set_ups()}
        if self.due == "roll":
            return {f"roll {w}-{b}": (w, b) for w in range(1, 7) for b in range(1, 7) if w != b}
        if self.due == "throw":
            return {"{" + face + "}": face for face in self.chain}
        if self.due == "place":
            colour = COLOURS[seat]
            vacant = [square for square in HOMES[colour] if square not in self.dice]
            return {f"{face}@{square}": (face, square) for face in set(self.left[colour]) for square in vacant}
        if self.due == "rotation":
            return {f"{sq}={face}": (sq, face) for sq, face in self.turnings(1) if sq != self.pending}
        return dict(self.turn_texts())

    def armies(self):
        found = []
        for faces in combinations_with_replacement(self.chain[1:], 8):
            if sum(map(self.worth, faces)) <= 20:
                found.append("".join(sorted(faces, key=self.worth, reverse=True)))
        return found

    KEPT_SET_UPS = {}

    def set_ups(self):
        key = "".join(self.chain)
        if key not in self.KEPT_SET_UPS:
            orders = {order for army in self.armies() for order in self.orders(army)}
            self.KEPT_SET_UPS[key] = ["".join(order) for order in orders]
        return self.KEPT_SET_UPS[key]

    def orders(self, army):
        """Every order of the dice: the dear ones go anywhere, pawns fill the rest."""
        dear = [face for face in army if face != "P"]
        for places in permutations(range(8), len(dear)):
            line = ["P"] * 8
            for place, face in zip(places, dear, strict=True):
                line[place] = face
            yield tuple(line)

    def turnings(self, steps):
        for square in self.own():
            place = self.chain.index(self.dice[square]["face"])
            for new in (place - steps, place + steps):
                if 0 <= new <= 5:
                    yield square, self.chain[new]

    def turn_texts(self):
        all_ways = {square: self.ways(square) for square in self.own()}
        for square, ways in all_ways.items():
            for to in ways:
                yield from self.texts_of_move(square, to, all_ways)
        if self.trade_off:
            for square, face in self.turnings(2):
                yield f"{square}=={face}", (None, None, square, face)

    def texts_of_move(self, square, to, all_ways):
        text = self.move_text(square, to, all_ways)
        lost = [spot for spot in (to, self.stabbed(square, to)) if spot in self.dice]
        ends = lost and self.number_of(self.other()) - len(lost) < 2
        if ends or (lost and self.roulette == "before"):
            yield text, (square, to, None, None)
            return
        for die, face in self.turnings(1):
            if die != square:
                yield f"{text}/{die}={face}", (square, to, die, face)

    def move_text(self, square, to, all_ways):
        face = self.dice[square]["face"]
        cross = "x" if to in self.dice else ""
        stab = "^" if self.stabbed(square, to) else ""
        if face == "P":
            return (square[0] if cross else "") + cross + to + stab
        same = [
            one for one, ways in all_ways.items() if self.dice[one]["face"] == face and to in ways and one != square
        ]
        for hint in ("", square[0], square[1], square):
            if not any(self.fits(one, hint) for one in same):
                return face + hint + cross + to + stab
        raise AssertionError(square)

    def fits(self, square, hint):
        return all(sign in square for sign in hint)

    # -- play

    def play(self, seat, text):
        act = self.texts(seat)[text]
        if self.due in ("army", "setup"):
            self.seal(COLOURS[seat], act)
        elif self.due == "roll":
            self.starter = self.side = "white" if act[0] > act[1] else "black"
            self.due = "setup" if self.wall_street == "secret" else "place"
        elif self.due == "place":
            self.place(*act)
        elif self.due == "throw":
            self.throw(act)
        elif self.due == "rotation":
            self.dice[act[0]]["face"] = act[1]
            self.pass_on()
        else:
            self.turn(*act)

    def seal(self, colour, faces):
        self.bought[colour] = faces
        if len(self.bought) < 2:
            return
        if self.due == "setup":
            self.lay(self.bought)
        else:
            self.left, self.due = {c: list(self.bought[c]) for c in COLOURS}, "roll"

    def place(self, face, square):
        self.left[self.side].remove(face)
        self.dice[square] = {"colour": self.side, "face": face, "fresh": True}
        self.side = self.other()
        if not self.left["white"] and not self.left["black"]:
            self.begin_play()

    def turn(self, square, to, die, face):
        gain = 0
        if square is not None:
            spot = self.stabbed(square, to)
            for gone in (to, spot):
                if gone in self.dice:
                    gain += self.worth(self.dice.pop(gone)["face"])
            mover = self.dice.pop(square)
            mover["fresh"] = False
            self.dice[to] = mover
        self.points[self.side] += gain
        self.quiet = 0 if gain else self.quiet + 1
        if gain and self.number_of(self.other()) <= 1:
            self.count_points()
            return
        if die is not None:
            self.dice[die]["face"] = face
        if gain and self.roulette != "none":
            self.due, self.pending = "throw", to
        else:
            self.pass_on()

    def throw(self, face):
        self.dice[self.pending]["face"] = face
        if self.roulette == "before":
            self.due = "rotation"
        else:
            self.pass_on()

    def pass_on(self):
        self.due, self.pending, self.side = "turn", None, self.other()
        self.look_for_the_end()

    def look_for_the_end(self):
        """Immobility, then the third occurrence, then a hundred quiet turns."""
        self.history.append(self.picture())
        if not self.trade_off and not any(self.ways(square) for square in self.own()):
            self.result = {COLOURS.index(self.other())}
        elif Counter(self.history)[self.picture()] == 3:
            self.result = set()
        elif self.quiet >= 100:
            self.count_points()

    def picture(self):
        dice = [
            (square, die["colour"], die["face"], die["fresh"] if self.first_only else None)
            for square, die in sorted(self.dice.items())
        ]
        return tuple(dice), self.side, tuple(self.points.values())

    def count_points(self):
        best = max(self.points.values())
        winners = {seat for seat, colour in enumerate(COLOURS) if self.points[colour] == best}
        self.result = winners if len(winners) == 1 else set()
