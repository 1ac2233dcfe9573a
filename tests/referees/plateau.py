"""Plateau once more, straight from the rules and as slow as it likes: disks carried about one by one.

Independent of the engine on purpose: it knows disks with two sides instead of signs, lists moves by
trying every way of carrying, and notes for each disk which sides have been seen. Tests hold it
against the engine; nothing else uses it.
"""

from __future__ import annotations

import itertools
import re

TYPES = {"M": "xx", "B": "bb", "R": "rr", "BM": "bx", "RM": "rx", "TW": "ox", "A": "rb"}
VALUE = {"M": 1, "B": 4, "R": 5, "BM": 8, "RM": 10, "TW": 15, "A": 21}
COUNT = {"M": 4, "B": 2, "R": 2, "BM": 1, "RM": 1, "TW": 1, "A": 1}
SQUARES = [file + rank for file in "abcd" for rank in "1234"]
EDGE = [square for square in SQUARES if square[0] in "ad" or square[1] in "14"]


class Disk:
    """A disk on the board: its owner, its type, which side is up, and which sides everybody has seen."""

    def __init__(self, owner, faces):
        self.owner = owner
        self.kind = kind_of(faces)
        self.up, self.down = faces
        self.seen_up = self.seen_down = False

    def turn(self):
        self.up, self.down = self.down, self.up
        self.seen_up = self.seen_down = True

    def known(self):
        if self.seen_down:
            return self.up + self.down
        return self.up + "?" if self.seen_up else "??"


def kind_of(faces):
    return next(kind for kind, sides in TYPES.items() if faces in (sides, sides[::-1]))


def ranked(kinds):
    return tuple(sorted(kinds, key=VALUE.__getitem__))


def choices(kinds):
    """Every selection of these prisoners, as sorted tuples."""
    return {ranked(c) for n in range(1, len(kinds) + 1) for c in itertools.combinations(kinds, n)}


def worth(kinds):
    return sum(VALUE[kind] for kind in kinds)


def shifted(square, dx, dy):
    name = chr(ord(square[0]) + dx) + str(int(square[1]) + dy)
    return name if name in SQUARES else None


class Referee:
    """A game in progress; `legal()` lists canonical texts, `play(text)` changes it."""

    def __init__(self):
        self.board = {square: [] for square in SQUARES}
        self.hand = [[k for k in TYPES for _ in range(COUNT[k])] for _seat in (0, 1)]
        self.held = [[], []]
        self.turn = 0
        self.openings = 2
        self.tender = None
        self.refused = set()
        self.passes = self.quiet = 0
        self.winner = None
        self.over = False

    @classmethod
    def at(cls, text):
        """A game that stands as a position text says, nothing known but the up faces of top pieces."""
        self = cls()
        self.openings = 0
        for part in text.split("; "):
            if part[2] == ":":
                self.board[part[:2]] = [Disk("BW".index(p[0]), p[1:]) for p in part[4:].split()]
                self.board[part[:2]][-1].seen_up = True
            elif " holds " in part:
                self.held["BW".index(part[0])] = part.split()[2].split(",")
            elif part.endswith("to move"):
                self.turn = "BW".index(part[0])
        for seat in (0, 1):
            for disk in itertools.chain(*self.board.values()):
                if disk.owner == seat:
                    self.hand[seat].remove(disk.kind)
            for kind in self.held[1 - seat]:
                self.hand[seat].remove(kind)
        if not self.legal():
            self.finish(self.turn, True, passed=True)
        return self

    # -- what is possible

    def legal(self):
        me, him = self.turn, 1 - self.turn
        if self.over:
            return set()
        if self.tender is not None:
            least = self.least(me)
            replies = {"pay " + ",".join(r) for r in choices(self.held[me]) if worth(r) >= least}
            return replies | ({"refuse"} if least == 0 else set())
        if self.openings:
            return set(self.opening_texts())
        tenders = {"tender " + ",".join(s) for s in choices(self.held[me]) if self.held[him] and s not in self.refused}
        board = set(self.onboardings()) | set(self.movements())
        return board | tenders if board or not tenders else tenders | {"pass"}

    def least(self, seat):
        top = worth(self.tender)
        return max([worth(r) for r in choices(self.held[seat]) if worth(r) <= top], default=0)

    def oriented(self):
        lays = []
        for kind in dict.fromkeys(self.hand[self.turn]):
            lays += {TYPES[kind], TYPES[kind][::-1]}
        return lays

    def opening_texts(self):
        hand = self.hand[self.turn]
        for square in EDGE:
            for one, two in itertools.product(self.oriented(), repeat=2):
                kinds = [kind_of(one), kind_of(two)]
                if not self.board[square] and all(kinds.count(k) <= hand.count(k) for k in kinds):
                    yield f"+{square} {one},{two}"

    def onboardings(self):
        for square, stack in self.board.items():
            for index in range(len(stack) + 1):
                touched = ([stack[index - 1]] if index else []) + stack[index : index + 1]
                if stack and not any(disk.owner == self.turn for disk in touched):
                    continue
                for faces in self.oriented():
                    yield f"+{square}/{index} {faces}" if stack else f"+{square} {faces}"

    def own_top(self, stack):
        """The top unit of a stack if it is the mover's, else nothing."""
        return list(itertools.takewhile(lambda disk: disk.owner == self.turn, reversed(stack)))[::-1]

    def movements(self):
        for square, stack in self.board.items():
            unit = self.own_top(stack)
            if not unit:
                continue
            for flip in ("", "~"):
                top = unit[-1]
                if flip and top.up == top.down:
                    continue
                face = top.down if flip else top.up
                if face != "x" and len(unit) < len(stack):
                    taken = min(len(unit), sum(d.owner != self.turn for d in stack))
                    yield f"{square}{flip}x{taken}"
                for path in self.paths(square, face, len(unit)):
                    for carried in range(1, len(unit) + 1):
                        begun = f"{square}{flip}({carried})"
                        yield from self.carried(begun, path, unit[-carried:], face)

    def paths(self, square, face, reach):
        straight = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        slanting = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
        if face == "o":
            for dx, dy in straight:
                for sx, sy in slanting:
                    elbow = shifted(square, dx, dy)
                    end = elbow and shifted(elbow, sx, sy)
                    if end and (dx == sx or dy == sy):
                        yield [elbow, end]
            return
        for dx, dy in {"r": straight, "b": slanting, "x": straight + slanting}[face]:
            for far in range(1, reach + 1):
                path = [shifted(square, dx * step, dy * step) for step in range(1, far + 1)]
                if all(path):
                    yield path

    def carried(self, begun, path, group, face):
        """Every ending of a movement whose group is about to enter the first square of the path."""
        square, rest = path[0], path[1:]
        stack = self.board[square]
        mine = self.own_top(stack)
        if not rest:
            if not stack or mine:
                foes = sum(d.owner != self.turn for d in stack)
                taken = min(len(mine + group), foes) if face != "x" else 0
                yield f"{begun}-{square}" + (f"x{taken}" if taken else "")
            elif face != "x":
                taken = min(len(group), sum(d.owner != self.turn for d in stack))
                yield f"{begun}-{square}x{taken}"
            return
        pile = mine + group
        for count in range(1, len(pile) + 1):
            left = pile[: len(pile) - count]
            if stack and not mine and left and left[-1].up == "x":
                continue
            yield from self.carried(f"{begun}-{square}({count})", rest, pile[-count:], face)

    # -- what happens

    def play(self, text):
        """Play a legal text; returns what became public, in the words of a told turn."""
        me, him = self.turn, 1 - self.turn
        if text.startswith("tender"):
            self.tender, self.turn = tuple(text.split()[1].split(",")), him
            return []
        if text.startswith("pay"):
            self.exchange(text.split()[1].split(","))
            return []
        if text == "refuse":
            self.refused.add(self.tender)
            self.tender, self.turn = None, him
            if not self.legal() - {"pass"}:
                self.finish(him, True, passed=True)
            return []
        if text == "pass":
            self.finish(me, True, passed=True)
            return []
        self.before = {id(disk): disk.known() for stack in self.board.values() for disk in stack}
        self.named = []
        self.news = []
        quiet = False
        if text.startswith("+"):
            self.put(text)
        else:
            quiet = not self.move(text)
        news = self.news + self.uncovered()
        self.finish(me, quiet)
        return news

    def put(self, text):
        where, faces = text[1:].split(" ")
        square, _, index = where.partition("/")
        stack = self.board[square]
        for number, lay in enumerate(faces.split(",")):
            disk = Disk(self.turn, lay)
            self.hand[self.turn].remove(disk.kind)
            place = int(index or 0) + number
            if place and place < len(stack):
                stack[place - 1].seen_up = True
            stack.insert(place, disk)
            disk.seen_up = "," not in faces or number == 1
            self.named.append(disk)

    def move(self, text):
        """Carry, land, capture; returns whether anything was captured."""
        first, *others = re.sub(r"x\d+$", "", text).split("-")
        square, flip, count = re.fullmatch(r"(..)(~?)(?:\((\d+)\))?", first).groups()
        stack = self.board[square]
        if flip:
            top = stack[-1]
            top.turn()
            self.named.append(top)
            self.news.append(f"flip {top.up}{top.down}")
            if len(stack) > 1:
                stack[-2].seen_up = True
        if not others:
            return self.capture(stack)
        group = self.lifted(square, int(count))
        for step in others[:-1]:
            square, count = re.fullmatch(r"(..)\((\d+)\)", step).groups()
            self.board[square] += group
            group = self.lifted(square, int(count))
        self.board[others[-1]] += group
        return self.capture(self.board[others[-1]])

    def lifted(self, square, count):
        stack = self.board[square]
        group = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        if stack:
            stack[-1].seen_up = True
        return group

    def capture(self, stack):
        unit = self.own_top(stack)
        if unit[-1].up == "x":
            return False
        lay = list(stack)
        foes = [disk for disk in reversed(lay) if disk.owner != self.turn]
        for disk in foes[: len(unit)]:
            place = next(n for n, other in enumerate(lay) if other is disk)
            if place:
                lay[place - 1].seen_up = True
            self.held[self.turn].append(disk.kind)
        taken = foes[: len(unit)]
        stack[:] = [disk for disk in lay if not any(disk is gone for gone in taken)]
        if taken:
            self.news.append("takes " + ",".join(disk.kind for disk in taken))
        return bool(taken)

    def exchange(self, paid):
        payer, giver = self.turn, 1 - self.turn
        for kind in self.tender:
            self.held[giver].remove(kind)
            self.hand[payer].append(kind)
        for kind in paid:
            self.held[payer].remove(kind)
            self.hand[giver].append(kind)
        self.tender = None
        self.finish(giver, True)

    def uncovered(self):
        """What became known of the pieces on the board, save those that the text itself shows."""
        return [
            f"{square}/{index}={disk.known()}"
            for square in SQUARES
            for index, disk in enumerate(self.board[square])
            if not any(disk is named for named in self.named) and self.before[id(disk)] == "??" != disk.known()
        ]

    # -- the end of a turn

    def finish(self, seat, quiet, passed=False):
        self.refused = set()
        self.openings = max(0, self.openings - 1)
        self.quiet = self.quiet + 1 if quiet else 0
        self.passes = self.passes + 1 if passed else 0
        if any(self.six(stack, seat) for stack in self.board.values()) or len(self.held[seat]) >= 6:
            self.over, self.winner = True, seat
        elif self.passes == 2 or self.quiet == 200:
            self.over = True
        else:
            self.turn = 1 - seat
            if not self.legal():
                self.finish(self.turn, True, passed=True)

    def six(self, stack, seat):
        runs = ["".join(group) for _seat, group in itertools.groupby(str(disk.owner) for disk in stack)]
        return any(len(run) >= 6 and run[0] == str(seat) for run in runs)

    # -- what is seen

    def form_for(self, seat, text, viewer, news):
        """A turn as it is told while the game goes on."""
        if viewer != seat and text.startswith("+"):
            where, faces = text.split(" ")
            one, _, two = faces.partition(",")
            text = f"{where} ??,{two[0]}?" if two else f"{where} {one[0]}?"
        return text + (" {" + "; ".join(news) + "}" if news else "")

    def seen(self, viewer):
        """The board as the viewer sees it, in position text."""
        stacks = []
        for square in SQUARES:
            lay = [
                "BW"[d.owner] + (d.up + d.down if d.owner == viewer or self.over else d.known())
                for d in self.board[square]
            ]
            if lay:
                stacks.append(f"{square}: " + " ".join(lay))
        return "; ".join(stacks)
