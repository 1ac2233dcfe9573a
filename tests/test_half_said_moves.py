"""Moves in other signs and words: played where exactly one legal move results, asked about where they were dictated."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.core import db
from correspondence.models import Move, Remark
from correspondence.play import near_moves
from engines import GAMES, nearness
from engines.base import AmbiguousMove, MoveError
from engines.folding import foldings
from engines.proteus_dice import Options as Dice
from engines.proteus_dice import WallStreet
from tests.post import text_of
from tests.sizes import examples

SECRET = Dice(wall_street=WallStreet.SECRET)
TABLES = [*((key, None) for key in GAMES), ("proteus-dice", SECRET)]


def later(key, options, plies, seed):
    """A position after some random moves, in which a player is to act, and that player."""
    game, rng = GAMES[key], random.Random(seed)
    position = game.start(options or game.Options())
    for ply in range(plies + 20):
        if not position.to_act or (ply >= plies and position.to_act[0] >= 0):
            break
        seat = position.to_act[0]
        view = position if seat < 0 else position.view(seat)
        position = position.play(seat, view.random_move(seat, rng))
    return position, position.to_act[0] if position.to_act else None


def wide(text):
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


FIGURINES = str.maketrans("QRBNP", "♕♖♗♘♙")
ITALIAN = str.maketrans("QRBN", "DTAC")
WORDS = {"Q": "queen", "R": "rook", "B": "alfiere", "N": "cavallo", "P": "Pawn", "Y": "pyramid"}
DRESSES = [
    lambda text: f"{text},", lambda text: f"{text} ;", wide, lambda text: f"“{text}”", lambda text: f"[{text}]",
    lambda text: text.translate(FIGURINES), lambda text: text.translate(ITALIAN), lambda text: text.replace("-", " -> "),
    lambda text: text.replace("-", " > "), lambda text: text.replace("-", " to "), lambda text: text.replace("x", " takes "),
    lambda text: text.replace("@", " -> "), lambda text: text.replace("/", " > "), lambda text: text.replace("@", " to "),
    lambda text: text.replace(",", "→"), lambda text: text.replace("=", " = "), lambda text: text.replace("=", "→"),
    str.upper, str.lower,
    lambda text: "".join(WORDS.get(sign, sign) for sign in text), lambda text: text.replace("x", "×"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "options"), TABLES)
def test_another_way_of_writing_a_move_is_that_move_or_refused(key, options):
    @settings(max_examples=examples(150))
    @given(st.integers(0, 30), st.integers(0, 5), st.data())
    def check(plies, seed, data):
        position, seat = later(key, options, plies, seed)
        if seat is None:
            return
        view = position.view(seat)
        move = data.draw(st.sampled_from([*islice(view.legal_moves(seat), 400)]))
        write = data.draw(st.sampled_from([view.write, view.write_long]))
        text = write(seat, move)
        for dress in data.draw(st.lists(st.sampled_from(DRESSES), max_size=2)):
            text = dress(text)
        try:
            assert view.write(seat, position.read(seat, text)) == view.write(seat, move)
        except MoveError as error:
            assert text not in (view.write(seat, move), view.write_long(seat, move)), error

    check()


@given(st.text(max_size=80))
def test_a_folded_text_is_never_empty_nor_the_text_itself(text):
    assert all(folded and folded != text for folded in foldings(text))


def begin(town, game, **options):
    town.join("ann", "bob")
    town.number = town.match(game, **options)
    town.turn = town.letter("ann")
    town.received.clear()


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


def choices(letter):
    return [
        row.strip()[4:] for row in text_of(letter).splitlines() if row.strip()[:1] == "(" and row.strip()[2:3] == ")"
    ]


@pytest.mark.parametrize(("game", "line", "move"), [
    ("proteus-dice", "c3/f2=bishop", "c3/f2=B"), ("proteus-dice", "♙c3/f2=♗", "c3/f2=B"),
    ("proteus-dice", "c3/f2=A", "c3/f2=B"), ("proteus-dice", "c3/f2=alfiere,", "c3/f2=B"),
    ("proteus-dice", "c 3 / f 2 = B", "c3/f2=B"), ("proteus-dice", "ｃ３／ｆ２＝Ｂ，", "c3/f2=B"),
    ("proteus-dice", "pawn c3, f2 → bishop", "c3/f2=B"), ("duel", "1@a2,", "1@a2"), ("duel", "１＠ａ２；", "1@a2"),
    ("proteus-tiles", "“Mo@b2”,", "Mo@b2"), ("plateau", "+a1 xr, rb,", "+a1 xr,rb"),
    ("duel", "1 -> a2", "1@a2"), ("duel", "1 > a2", "1@a2"),
    ("proteus-dice", "c3 -> f2=B", "c3/f2=B"), ("proteus-dice", "c3 > f2 → bishop", "c3/f2=B"),
    ("duel", "1 to a2", "1@a2"), ("duel", "1 a a2.", "1@a2"), ("proteus-dice", "c3 to f2 = bishop", "c3/f2=B"),
    ("proteus-tiles", "Mo to b2", "Mo@b2"), ("proteus-tiles", "Mo → b2", "Mo@b2"), ("plateau", "+a1 xr -> rb", "+a1 xr,rb"),
])  # fmt: skip
@pytest.mark.parametrize("way", ["mail", "page"])
def test_other_signs_and_words_are_played_by_mail_and_on_the_page(town, way, game, line, move):
    begin(town, game)
    if way == "mail":
        assert town.answer(town.turn, line) == "done: played"
    else:
        town.client("ann").post(f"/games/{town.number}/move", data={"move": line, "ply": "0", "sure": "yes"})
    assert town.moves(town.number) == [move] and talk_in(town) == []


@pytest.mark.parametrize(("game", "line", "move"), [
    ("proteus-dice", "c three slash f two equals b", "c3/f2=B"),
    ("proteus-dice", "move my pawn from c three to f two", "c3/f2=B"),
    ("proteus-dice", "charlie three slash foxtrot two equals bishop", "c3/f2=B"),
    ("proteus-dice", "c tre barra f due uguale alfiere", "c3/f2=B"),
    ("proteus-dice", "Bac3/f2=Bzz9", "c3/f2=B"),
    ("duel", "one at a two", "1@a2"), ("duel", "uno a a due", "1@a2"), ("duel", "put the one on a2", "1@a2"),
    ("duel", "1@a2zz9", "1@a2"), ("duel", "seven at bravo four", "7@b4"), ("duel", "place 1 at a2 please", "1@a2"),
    ("duel", "put my 1 on a2", "1@a2"), ("duel", "numero uno in a due", "1@a2"), ("duel", "tile 1 a2", "1@a2"),
    ("duel", "number one on a two", "1@a2"), ("duel", "I’d like to put one on a two", "1@a2"),
    ("proteus-tiles", "Move circle on b2", "Mo@b2"), ("proteus-tiles", "trade square on c three", "Ts@c3"),
    ("proteus-tiles", "goal triangle at a one", "Gt@a1"), ("duel", "1 auf a2", "1@a2"), ("duel", "1 nach a2", "1@a2"),
    ("duel", "1 on a2", "1@a2"), ("duel", "il 1 su a2", "1@a2"), ("duel", "le 1 en a2", "1@a2"),
    ("proteus-tiles", "em oh at b two", "Mo@b2"), ("proteus-tiles", "tee ess on c3", "Ts@c3"),
    ("proteus-tiles", "Movecircle b2", "Mo@b2"), ("proteus-tiles", "movecircle at b2", "Mo@b2"),
    ("proteus-tiles", "goaltriangle c1", "Gt@c1"), ("proteus-tiles", "Movecirlce b2", "Mo@b2"),
])  # fmt: skip
def test_a_dictated_or_mistyped_move_is_asked_about_and_the_nearest_is_among_the_first(town, game, line, move):
    begin(town, game)
    assert town.answer(town.turn, line) in ("done: asked", "done: refused")
    assert town.moves(town.number) == []
    assert talk_in(town) == []
    assert town.letters("bob") == []
    assert move in choices(town.letter("ann"))[:2]


@pytest.mark.parametrize(("game", "line"), [
    ("proteus-dice", "cavallo f3"), ("proteus-dice", "Nf3"), ("proteus-dice", "♘f3"), ("proteus-dice", "queen takes c3"),
    ("proteus-dice", "c2 -> c3"), ("proteus-dice", "the knight to f3"), ("duel", "1 a2"), ("duel", "cavallo a3"),
    ("duel", "b1 -> a2"), ("duel", "5b3-c4"), ("proteus-tiles", "a1-c3"), ("proteus-tiles", "cavallo c3"),
    ("proteus-tiles", "o -> b2"), ("plateau", "Nd3"), ("plateau", "b2-d3"),
])  # fmt: skip
def test_moves_nearest_to_an_impossible_one_are_offered(town, game, line):
    begin(town, game)
    assert town.answer(town.turn, line) in ("done: asked", "done: refused")
    offered = [text for text in choices(town.letter("ann")) if not text.startswith("pass ")]
    assert offered and re.search("|".join(re.findall("[a-h][1-8]", line)), offered[0])
    assert town.moves(town.number) == [] and talk_in(town) == []


@pytest.mark.parametrize("key", GAMES)
def test_whatever_names_a_square_gets_legal_moves_to_choose_from(key):
    for seed in range(12):
        position, seat = later(key, None, 3 * seed, seed)
        if seat is None:
            continue
        legal = [position.write(seat, move) for move in position.view(seat).legal_moves(seat)]
        square = next(iter(re.findall("[a-h][1-8]", " ".join(legal[-3:]))), "a1")
        for text in (f"K{square}", f"knight {square}", f"{square}-{square}", f"x{square}", f"9 -> {square}"):
            try:
                position.read(seat, text)
            except MoveError as error:
                assert error.suggestions, text


SPOKEN = {
    **dict(zip("12345678", "one two three four five six seven eight".split(), strict=True)),
    "/": "slash", "=": "equals", "@": "at", "Y": "pyramid", "P": "pawn", "B": "bishop", "N": "knight", "R": "rook",
    "Q": "queen", "x": "takes",
}  # fmt: skip


@pytest.mark.parametrize("game", ["proteus-dice", "duel"])
def test_every_dictated_move_is_offered_first_and_never_told_to_the_opponent(town, game, is_thorough):
    begin(town, game)
    position, _seat = later(game, None, 0, 1)
    texts = [position.write(0, move) for move in position.legal_moves(0)]
    for text in random.Random(2).sample(texts, 30 if is_thorough else 6):
        spoken = " ".join(SPOKEN.get(sign, sign) for sign in text)
        assert town.answer(town.turn, spoken) == "done: asked", spoken
        assert choices(town.letter("ann"))[0] == text
        town.wait(minutes=30)
    assert talk_in(town) == [] and town.moves(town.number) == []


NAMES_OF_LETTERS = {"m": "em", "t": "tee", "g": "gee", "s": "ess", "o": "oh", "r": "are", "q": "queue", "b": "bee"}


@pytest.mark.parametrize("game", ["proteus-tiles", "proteus-dice", "duel", "plateau"])
def test_every_move_spelled_letter_by_letter_reads_as_dictated(game):
    vocabulary, rng = GAMES[game].vocabulary, random.Random(4)
    for seed in range(12):
        position, seat = later(game, None, 2 * seed, seed)
        if seat is None:
            continue
        texts = [position.write(seat, move) for move in islice(position.view(seat).legal_moves(seat), 400)]
        drops = [text for text in texts if re.fullmatch(r"[MTG][ost]@[a-h][1-8]", text)]
        for text in rng.sample(drops, min(8, len(drops))):
            letters = " ".join(NAMES_OF_LETTERS[letter] for letter in text[:2].casefold())
            for square in (text[3:], f"{text[3]} {SPOKEN[text[4]]}"):
                assert near_moves.is_dictated(f"{letters} at {square}", vocabulary), (letters, square)
                assert nearness.nearest(f"{letters} at {square}", texts)[0] == text


@pytest.mark.parametrize("game", GAMES)
@given(st.sampled_from(["move", "place", "put", "the", "play"]), st.data())
@settings(max_examples=examples(60))
def test_a_face_that_lost_its_blank_before_a_square_is_meant_as_a_move(game, word, data):
    vocabulary = GAMES[game].vocabulary
    if not vocabulary.everyday:
        return
    face = data.draw(st.sampled_from(vocabulary.everyday))
    text = f"{word}{face} {data.draw(st.sampled_from(['', 'at ', 'on ']))}b2"
    assert near_moves.is_mostly_move(near_moves.words(text, vocabulary)), text


@pytest.mark.parametrize("mark", ["- ", "• ", "* ", "– ", "·", "▪ "])
@pytest.mark.parametrize("way", ["mail", "page"])
def test_a_list_mark_before_a_move_is_no_part_of_it(town, way, mark):
    begin(town, "duel")
    if way == "mail":
        assert town.answer(town.turn, f"Hello!\n\n{mark}1@a2\n") == "done: played"
    else:
        town.client("ann").post(f"/games/{town.number}/move", data={"move": f"{mark}1@a2", "ply": "0", "sure": "yes"})
    assert town.moves(town.number) == ["1@a2"]


@pytest.mark.parametrize("lines", ["- 1@a2\n- 2@a3", "Either\n• 1@a2\n• 2@b2", "- resign"])
def test_a_list_of_moves_plays_none_of_them(town, lines):
    begin(town, "duel")
    town.answer(town.turn, lines)
    assert town.moves(town.number) == [] and town.stand(town.number).result == "*"


@pytest.mark.parametrize("line", [
    "put the double red on c4", "place blank red on a1", "red on top of blue at b2", "the red one goes to c4",
    "double blue on d four", "metto il rosso in c4", "open on a one with mute and mask",
])  # fmt: skip
def test_what_places_a_hidden_piece_is_never_offered_for_passing_on(town, line):
    begin(town, "plateau")
    town.answer(town.turn, line)
    assert talk_in(town) == [] and town.moves(town.number) == []
    assert "pass these words on" not in text_of(town.letter("ann"))


def test_a_capital_that_is_a_file_and_an_italian_piece_is_asked_about():
    board = GAMES["proteus-dice"]
    found = []
    for seed in range(400):
        position, seat = later("proteus-dice", None, seed % 40, seed)
        if seat is None:
            continue
        texts = [position.write(seat, move) for move in position.legal_moves(seat)]
        knights = {text for text in texts if text.startswith("Nx") and f"cx{text[2:]}" in texts}
        found += [(position, seat, text[2:]) for text in sorted(knights)[:1]]
    assert found and board is not None
    for position, seat, rest in found:
        assert position.write(seat, position.read(seat, f"cx{rest}")) == f"cx{rest}"
        with pytest.raises(AmbiguousMove):
            position.read(seat, f"Cx{rest}")


@pytest.mark.parametrize("quoted", ["> 5@a2", ">5@a2", "> > 5@a2"])
def test_a_quoted_line_stays_a_quotation(town, quoted):
    begin(town, "duel")
    town.answer(town.turn, f"Good evening!\n\n{quoted}\n")
    assert town.moves(town.number) == []
