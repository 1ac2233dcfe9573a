"""Positions for those who listen or read with their fingers: in words, and for a braille display."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import pairwise

import pytest

from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.models.loading import position_of
from correspondence.render.board_text import board_text
from engines import GAMES, braille, spoken
from engines.options import read_options
from engines.record import playout, positions
from engines.scene import Cell, Piece, Scene
from tests.games import CASES
from tests.post import html_of, text_of
from tests.test_letters_do_nothing import does_something

EVERY = pytest.mark.parametrize("case", CASES, ids=str)
MOST_PLIES = 400
"""The most entries of a game that only chance can end, such as a random puzzle."""

ONE_OF_EACH = pytest.mark.parametrize("key", sorted({case.key for case in CASES if len(case.game.seats) > 1}))


def moments(case):
    """Positions of a game played at random, spread over all of it."""
    return _moments(case.key, tuple(case.options.items()))


@cache
def _moments(key, options, count=12):
    game = GAMES[key]
    typed = read_options(game.Options, dict(options))
    played = playout(game.start(typed), random.Random(4), MOST_PLIES)
    every = list(positions(game, typed, played.entries))
    return every[:: max(1, len(every) // count)]


def looks(case):
    """What every viewer sees at these moments."""
    viewers = (None, *range(len(case.game.seats)))
    return [position.scene(viewer) for position in moments(case) for viewer in viewers]


def things_on(scene):
    """Every piece and tile with its place, as the board shows them."""
    cells = [cell for row in scene.rows for cell in row]
    alone = {(cell.name, cell.pieces[0].name) for cell in cells if len(cell.pieces) == 1}
    stacks = {(cell.name, "; ".join(piece.name for piece in cell.pieces)) for cell in cells if len(cell.pieces) > 1}
    return alone | stacks | {(cell.name, cell.ground.name) for cell in cells if cell.ground}


def words_for_dice(scene):
    """What a scene calls its dice: on the board, beside it, and where faces are chosen."""
    dice = [piece for row in scene.rows for cell in row for piece in cell.pieces]
    dice += [item.piece for tray in scene.trays for item in tray.items]
    return {die.name for die in dice} | {
        text for one in scene.choices if one.piece for text in (one.label, one.piece.name)
    }


@pytest.mark.parametrize("case", [case for case in CASES if case.key == "proteus-dice"], ids=str)
def test_dice_have_words_of_the_language_of_whoever_looks_whoever_looked_before(case):
    for position in moments(case):
        with in_language("en"):
            english = words_for_dice(position.scene(0))
        with in_language("it"):
            assert not english & words_for_dice(position.scene(0))
        with in_language("en"):
            assert words_for_dice(position.scene(0)) == english


def things_heard(scene, sentences):
    """The same, as the sentences tell it."""
    cells = [cell for row in scene.rows for cell in row]
    names = {piece.name for cell in cells for piece in (*cell.pieces, cell.ground) if piece is not None}
    heard = set()
    for sentence in sentences:
        for name in names:
            capital = name[:1].upper() + name[1:]
            if (found := re.fullmatch(rf"{re.escape(capital)}(?:, \d+)?: ([a-z0-9, ]+)\.", sentence)) is not None:
                heard |= {(place, name) for place in found[1].split(", ")}
            if (found := re.fullmatch(rf"(\w+): {re.escape(name)}\.", sentence)) is not None:
                heard.add((found[1], name))
        if (stack := re.fullmatch(r"(\w+), \d+ pieces from the bottom up: (.+)\.", sentence)) is not None:
            heard.add((stack[1], stack[2]))
    return heard


# -- in words --------------------------------------------------------------------------


@EVERY
def test_the_words_tell_every_piece_at_its_place_and_no_other(case):
    for scene in looks(case):
        assert things_heard(scene, spoken.sentences(scene)) == things_on(scene)


@EVERY
def test_two_boards_that_differ_sound_different(case):
    for one, other in pairwise(looks(case)):
        if (one.rows, one.trays, one.title) != (other.rows, other.trays, other.title):
            assert spoken.sentences(one) != spoken.sentences(other)


@EVERY
def test_what_is_hidden_changes_neither_words_nor_braille(case):
    rng = random.Random(8)
    for position in moments(case):
        for viewer in (None, *range(len(case.game.seats))):
            other = position.imagine(viewer, rng)
            assert spoken.sentences(position.scene(viewer)) == spoken.sentences(other.scene(viewer))
            assert braille.render(position.scene(viewer)) == braille.render(other.scene(viewer))


@EVERY
def test_every_sentence_begins_with_a_capital_or_a_place_and_ends_where_a_voice_pauses(case):
    for scene in looks(case):
        for sentence in spoken.sentences(scene):
            assert re.match(r"[A-Z0-9]|[a-z]\d", sentence) and sentence.endswith((".", "!", "?", ":"))


def test_places_that_fill_many_rows_leave_none_that_is_a_move_by_itself():
    """A row such as “a9, a10” would be two moves if it were quoted."""
    piece = Piece("B", "Black stone", "button", side=0)
    files, ranks = tuple("abcdefghijk"), tuple(str(rank) for rank in range(1, 12))
    for count in range(20, 110):
        cells = [Cell(file + rank, "B", (piece,)) for file in files for rank in ranks][:count]
        scene = Scene("Hex", "", files, ranks[:1], (tuple(cells),))
        for form in ("words", "braille"):
            rows = board_text(scene, form, 0).splitlines()
            assert [row for row in rows if does_something(row)] == []


def test_plateau_is_told_without_the_signs_of_its_notation():
    for scene in looks(next(case for case in CASES if case.key == "plateau")):
        assert not any("up face before down face" in sentence for sentence in spoken.sentences(scene))


# -- for a braille display ----------------------------------------------------------------


@EVERY
def test_a_braille_board_has_forty_columns_and_plain_signs(case):
    for scene in looks(case):
        for bottom in (0, 1):
            rows = board_text(scene, "braille", bottom).splitlines()
            assert max(map(len, rows)) <= 40 and all(" " <= sign <= "~" for row in rows for sign in row)
            board, _below = braille.render(scene, bottom=bottom)
            assert set("".join(board)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-: ")


@EVERY
def test_each_place_has_one_sign_and_the_legend_tells_what_it_is(case):
    for scene in looks(case):
        board, below = braille.render(scene)
        legend = {line[0]: line[2:] for line in below if re.match(r"[A-Za-z] \S", line)}
        for row, line in zip(scene.rows, board, strict=False):
            signs = line.split()[1:]
            assert len(signs) == len(row)
            for cell, sign in zip(row, signs, strict=True):
                if len(cell.pieces) == 1:
                    assert legend[sign] == cell.pieces[0].name.replace("×", "x")
                else:
                    assert sign == (str(len(cell.pieces)) if cell.pieces else "+" if cell.tint == "dark" else "-")


# -- in letters ------------------------------------------------------------------------------


def told_first(letter):
    """The text of a letter below the line that names the game."""
    paragraphs = "\n".join(text_of(letter).splitlines()).split("\n\n")
    named = next(at for at, text in enumerate(paragraphs) if re.search(r"^(Game|Partita) \d+", text, re.MULTILINE))
    return paragraphs[named + 1]


@pytest.fixture
def pair(town):
    town.join("ann", "bob")
    return town


@ONE_OF_EACH
@pytest.mark.parametrize("language", list(LANGUAGES))
def test_who_wants_words_gets_the_position_first_and_no_picture(town, key, language):
    town.join("ann", "bob", language=language)
    town.mail("ann@example.org", "play@games.example", "settings board words")
    town.answer(town.letter("ann"), "yes")
    number = town.match(key)
    letter = next(one for one in reversed(town.letters("ann")) if one["List-Id"])
    with in_language(language):
        scene = town_scene(town, number, 0)
        assert " ".join(told_first(letter).split()) == " ".join(" ".join(spoken.sentences(scene)).split())
    assert "<img" not in html_of(letter) and "<pre" not in html_of(letter)
    assert html_of(letter).index("<li>") < html_of(letter).index("<code")
    assert [part.get_content_type() for part in letter.walk() if part.get_content_maintype() == "image"] == []


def town_scene(town, number, seat):
    return position_of(town.stand(number)).scene(seat)


def test_who_wants_braille_gets_a_board_of_forty_columns_in_both_parts(pair):
    pair.agree("ann", "settings board braille")
    pair.match("duel")
    letter = next(one for one in reversed(pair.letters("ann")) if one["List-Id"])
    board = told_first(letter)
    assert board.splitlines()[0] == "4 - - - -" and max(map(len, board.splitlines())) <= 40
    page = "\n".join(html_of(letter).splitlines())
    assert "4 - - - -\n3 - - - -" in page and "<img" not in page


def test_answers_show_the_board_in_the_same_form(pair):
    number = pair.match()
    pair.agree("ann", "settings board words")
    letter = next(one for one in pair.letters("ann") if one["List-Id"])
    for body in ("show", "history", "preview c3/f2=B", "c3/f2=Q"):
        pair.answer(letter, body)
        assert "All other places are empty." in text_of(pair.letter("ann")), body
    pair.mail("ann@example.org", "play@games.example", f"show {number}")
    assert "Black pawn, 8: " in text_of(pair.letter("ann"))


def test_the_setting_can_be_undone_and_says_what_is_possible(pair):
    pair.agree("ann", "settings board braille")
    assert "for a braille display" in " ".join(text_of(pair.letter("ann")).split())
    pair.agree("ann", "settings board figura")
    assert "as pictures and diagrams" in " ".join(text_of(pair.letter("ann")).split())
    pair.agree("ann", "settings board morse")
    assert "picture, words or braille, not as “morse”" in text_of(pair.letter("ann"))
    with db.reading(pair.engine) as session:
        assert pair.person(session, "ann").board == "picture"


@ONE_OF_EACH
@pytest.mark.parametrize("form", ["words", "braille"])
def test_no_line_of_such_a_letter_is_executable(town, key, form):
    town.join("ann", "bob", board=form)
    case = next(case for case in CASES if case.key == key)
    lines = {row for scene in looks(case) for row in board_text(scene, form, 1).splitlines()}
    number = town.match(key)
    town.answer(next(one for one in town.letters("ann") if one["List-Id"]), "show")
    lines |= {line for letter in town.received for line in text_of(letter).splitlines()}
    assert [line for line in lines if does_something(line)] == [] and town.stand(number) is not None


# -- on pages --------------------------------------------------------------------------------


def test_the_page_of_settings_offers_the_forms_and_the_page_of_the_game_follows(world):
    for name in ("ann", "bob"):
        world.join(name)
    world.match("duel")
    ann = world.client("ann")
    assert ann.post("/settings/board", data={"board": "words", "confirm_moves": "on"}).status_code == 303
    assert re.search(r'value="words" checked', ann.get("/settings/board").text)
    page = ann.get("/games/1").text
    assert page.index("<li>Duel: Black to move.</li>") < page.index('id="board"')
    ann.post("/settings/board", data={"board": "braille"})
    assert "4 - - - -\n3 - - - -" in ann.get("/games/1").text
    ann.post("/settings/board")
    assert re.search(r'value="braille" checked', ann.get("/settings/board").text)
    refused = ann.post("/settings/board", data={"board": "morse"})
    assert refused.status_code == 422 and "picture, words or braille" in refused.text
