"""Near misses in games that hide something: asked about and never passed on, by mail, on the page, in the use case."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from correspondence.community import member_mail
from correspondence.core import db
from correspondence.matchmaking.challenges import ChallengeError
from correspondence.models import Match, Move, Player, Remark, loading
from correspondence.play import matches, talk_guard
from correspondence.web.talk import DONE
from engines import GAMES
from engines.scene import Scene
from engines.text import render
from tests.post import text_of
from tests.sizes import examples, in_turn

LINES = Path(__file__).parent / "near"
STREET = {"wall_street": "secret"}


def listed(name):
    return [line for line in (LINES / f"{name}.txt").read_text().splitlines() if line and not line.startswith("#")]


def talk_in(town):
    with db.reading(town.engine) as session:
        comments = [move.comment for move in session.exec(select(Move)) if move.comment]
        return comments + [remark.text for remark in session.exec(select(Remark))]


def begin(town, game, **options):
    town.join("ann", "bob")
    town.number = town.match(game, **options)
    town.turn = town.letter("ann")
    town.received.clear()
    return town


@pytest.fixture
def plateau(town):
    """Ann is to open, with all that she has unseen."""
    return begin(town, "plateau")


@pytest.fixture
def street(town):
    """Both are to seal a set-up."""
    return begin(town, "proteus-dice", **STREET)


def refused(town, who, text, error=talk_guard.DisclosureError):
    """Whether the use case refuses to pass a text on, and nothing is written."""
    with db.transaction(town.engine) as session:
        try:
            matches.say(session, town.player(session, town.number, who), text, now=town.time)
        except error:
            return True
        session.rollback()
        return False


def test_every_line_of_the_list_is_asked_about_on_ones_turn_and_off_it(town):
    plateau = begin(town, "plateau")
    assert [line for line in listed("plateau-ask") if not refused(plateau, "ann", line)] == []
    assert [line for line in listed("plateau-ask") if not refused(plateau, "bob", line)] == []


def test_every_line_of_the_list_is_asked_about_on_wall_street(street):
    assert [line for line in listed("street-ask") if not refused(street, "ann", line)] == []
    street.play(street.number, "ann", "setup PPPQPPPP")
    assert [line for line in listed("street-ask") if not refused(street, "ann", line)] == []


@pytest.mark.parametrize(("game", "options"), [
    ("plateau", {}), ("proteus-dice", STREET), ("proteus-dice", {}), ("duel", {}), ("proteus-tiles", {}),
])  # fmt: skip
def test_talk_is_passed_on_in_every_game_on_ones_turn_and_off_it(town, game, options, is_thorough):
    begin(town, game, **options)
    lines = listed("talk")
    third = len(lines) if is_thorough else len(lines) // 3
    for turn, who in enumerate(("ann", "bob"), start=2 * len(game) + len(options)):
        chosen = in_turn(lines, turn, at_once=third, is_thorough=is_thorough)
        assert [line for line in chosen if refused(town, who, line)] == []


@pytest.mark.parametrize("line", listed("open-ask"))
def test_what_is_nearer_to_a_move_than_to_talk_is_never_passed_on_where_nothing_is_hidden_either(town, line):
    game, _colon, text = line.partition(": ")
    begin(town, game)
    town.answer(town.turn, text)
    assert talk_in(town) == []
    assert town.letters("bob") == []
    assert len(town.letters("ann")) == 1


# -- every slip of every secret move ---------------------------------------------------


@cache
def secret_moves(game, rounds):
    """Moves that others are told otherwise, as texts, with the position in which seat 0 can make them."""
    key, options = game
    rules = GAMES[key]
    position = rules.start(rules.Options(**dict(options)))
    rng = random.Random(3)
    for _round in range(rounds):
        seat = position.to_act[0]
        position = position.play(seat, position.random_move(seat, rng))
    seat = position.to_act[0]
    other = next(viewer for viewer in (0, 1) if viewer != seat)
    texts = []
    for move in islice(position.view(seat).legal_moves(seat), 3_000):
        text = position.write(seat, move)
        if position.tell(seat, move, other, position.play(seat, move)).partition(" {")[0] != text:
            texts.append(text)
    return position, seat, texts


def _street():
    from engines.proteus_dice import Options, WallStreet, start

    position = start(Options(wall_street=WallStreet.SECRET))
    return loading.stored(position.play(-1, position.random_move(-1, random.Random(1))))


def match_at(key, options, position):
    return Match(game=key, options=options, position=position)


AROUND = ["", "I play ", "my move: ", "ok, ", "gioco ", "here is mine - ", "good luck! ", "> "]
BEHIND = ["", "!", " thanks", " - good luck!", ".", " ok?", ", grazie"]


@st.composite
def slips(draw, texts):
    """A secret move as somebody types it in a hurry."""
    text = draw(st.sampled_from(texts))
    for change in draw(st.lists(st.sampled_from(["case", "blanks", "signs", "double", "drop", "wide"]), max_size=2)):
        text = _slip(draw, text, change)
    return draw(st.sampled_from(AROUND)) + text + draw(st.sampled_from(BEHIND))


def _slip(draw, text, change):
    at = draw(st.integers(0, len(text) - 1))
    if change == "case":
        return draw(st.sampled_from([text.upper(), text.lower(), text.title(), text.swapcase()]))
    if change == "blanks":
        return draw(st.sampled_from([text.replace(" ", ""), text.replace(" ", "  "), text.replace(",", ", "),
                                     text.replace(",", " "), text.replace(" ", "\n")]))  # fmt: skip
    if change == "signs":
        sign = draw(st.sampled_from("-:;/.|_=&"))
        return draw(st.sampled_from([text.replace(" ", sign), text.replace(",", sign), text.replace("+", ""),
                                     text.replace("+", sign), f"({text})", f"[{text}]", f"“{text}”"]))  # fmt: skip
    if change == "double":
        return text[: at + 1] + text[at:]
    if change == "drop":
        return text[:at] + text[at + 1 :] if len(text) > 3 else text
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@pytest.mark.parametrize("rounds", [0, 1, 2, 6])
def test_no_slip_of_a_secret_move_is_talk_in_plateau(rounds):
    position, seat, texts = secret_moves(("plateau", ()), rounds)
    match = match_at("plateau", "", loading.stored(position))

    @settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
    @given(slips(texts), st.sampled_from([seat, 1 - seat]))
    def check(text, who):
        with pytest.raises(talk_guard.DisclosureError):
            talk_guard.refuse_disclosure(match, who, text)

    check()


def test_no_slip_of_a_sealed_set_up_is_talk_on_wall_street():
    match = match_at("proteus-dice", "wall_street=secret", _street())
    position = loading.position_of(match)
    texts = [position.write(0, move) for move in position.legal_moves(0)]

    @settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
    @given(slips(texts), st.sampled_from([0, 1]))
    def check(text, who):
        with pytest.raises(talk_guard.DisclosureError):
            talk_guard.refuse_disclosure(match, who, text)

    check()


# -- the question, by mail -------------------------------------------------------------


def numbered(letter):
    """The numbered choices of a question, by what they say."""
    rows = [row.strip() for row in text_of(letter).splitlines()]
    return {row[4:]: row[1] for row in rows if row[:1] == "(" and row[1:2].isdigit()}


PASS = "pass these words on to your opponent"


@pytest.mark.parametrize(("line", "move"), [("b1 xx,rb", "+b1 xx,rb"), ("b1: xx/rb", "+b1 xx,rb"),
                                            ("I put xx,rb - no, +b1 xx rb!", "+b1 xx,rb")])  # fmt: skip
def test_a_near_miss_is_quoted_back_with_the_move_it_may_be_and_a_number_plays_it(plateau, line, move):
    plateau.answer(plateau.turn, f"Hello Bob!\n{line}\nSee you")
    question = plateau.letter("ann")
    assert talk_in(plateau) == []
    assert plateau.moves(plateau.number) == []
    assert plateau.letters("bob") == []
    assert all(f"> {row}" in text_of(question) for row in ("Hello Bob!", line, "See you"))
    plateau.answer(question, numbered(question)[move])
    assert plateau.moves(plateau.number) == [move] and talk_in(plateau) == []


def test_the_number_of_the_other_choice_passes_all_words_on(plateau):
    plateau.play(plateau.number, "ann", "+b1 xx,xx")
    words = "Hello Bob!\nIf you like, we play again.\nCiao"
    plateau.answer(plateau.turn, words)
    question = plateau.letter("ann")
    assert talk_in(plateau) == []
    plateau.answer(question, numbered(question)[PASS])
    assert talk_in(plateau) == [words]


@pytest.mark.parametrize("line", ["my Ace is under it", "xr", "+c3 xr", "White Red Mask, blank up", "ho in mano 3 Muti",
                                  "2 Blue left", "RM, BM", "il mio Asso", "Maschera Rossa del Bianco"])  # fmt: skip
def test_what_names_a_hidden_piece_is_not_passed_on_even_if_it_is_meant(plateau, line):
    plateau.answer(plateau.turn, line)
    assert PASS not in text_of(plateau.letter("ann"))
    plateau.answer(plateau.turn, f"say: {line}")
    with db.transaction(plateau.engine) as session:
        player = plateau.player(session, plateau.number, "ann")
        with pytest.raises(talk_guard.SecretDisclosedError):
            matches.say(session, player, line, now=plateau.time, is_meant=True)
    assert talk_in(plateau) == [] and plateau.letters("bob") == []


def test_the_name_of_a_piece_of_the_other_side_passes_once_it_is_meant(plateau):
    plateau.answer(plateau.turn, "Where is your Ace?")
    question = plateau.letter("ann")
    assert talk_in(plateau) == []
    plateau.answer(question, numbered(question)[PASS])
    assert talk_in(plateau) == ["Where is your Ace?"]


def test_a_move_is_played_and_the_line_that_names_a_piece_is_asked_about(plateau):
    plateau.answer(plateau.turn, "+b1 xx,rb\nGood luck!\nmy Ace is up")
    assert plateau.moves(plateau.number) == ["+b1 xx,rb"] and talk_in(plateau) == ["Good luck!"]
    assert "> my Ace is up" in text_of(plateau.letter("ann")) and "my Ace" not in text_of(plateau.letter("bob"))


def test_a_line_that_begins_with_say_is_asked_about_where_something_is_hidden(street):
    street.answer(street.turn, "say: PPPQPPPP is what I like")
    assert talk_in(street) == [] and street.letters("bob") == []


def test_a_set_up_with_words_behind_it_is_offered_and_sealed_by_its_number(street):
    street.answer(street.turn, "setup PPPQPPPP - good luck!")
    question = street.letter("ann")
    assert talk_in(street) == [] and list(numbered(question)) == ["setup PPPQPPPP"]
    street.answer(question, "1")
    assert street.moves(street.number)[1:] == ["setup PPPQPPPP"]


@pytest.mark.parametrize("subject", ["b1 xr", "+b1 Mute, Ace", "my Ace is red"])
def test_a_subject_that_names_a_piece_is_asked_about_too(plateau, subject):
    plateau.answer(plateau.turn, "", subject=subject)
    assert talk_in(plateau) == [] and plateau.letters("bob") == []


def test_a_mail_that_is_refused_asks_with_no_number_that_means_something_else(plateau):
    plateau.answer(plateau.turn, "+b2 xx,rb\nmy Ace is up")
    answer = plateau.letter("ann")
    assert plateau.moves(plateau.number) == [] and talk_in(plateau) == []
    assert PASS not in numbered(answer) and "> my Ace is up" in text_of(answer)


def test_once_the_game_is_over_nothing_is_hidden(plateau):
    with db.transaction(plateau.engine) as session:
        matches.resign(session, plateau.player(session, plateau.number, "ann"), now=plateau.time)
    assert not refused(plateau, "ann", "my Ace was at +b1 xx,rb")


def test_once_the_set_ups_are_open_the_dice_may_be_named(street):
    street.play(street.number, "ann", "setup PPPQPPPP")
    assert refused(street, "ann", "my queen is on d2", talk_guard.SecretDisclosedError)
    street.play(street.number, "bob", "setup PPPPPPPQ")
    assert not refused(street, "ann", "I always buy a queen for the middle of the board")


# -- our own words, wherever they come from --------------------------------------------


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("rounds", range(2, 12, 3))
def test_no_line_of_a_letter_that_shows_a_hidden_piece_is_passed_on(rounds, language):
    from correspondence.core.i18n import in_language

    position, seat, _texts = secret_moves(("plateau", ()), rounds)
    match = match_at("plateau", "", loading.stored(position))
    with in_language(language):
        mine, theirs = ({*_told(position.scene(viewer), seat)} for viewer in (seat, 1 - seat))
    secret = [line for line in mine - theirs if line.strip()]
    assert secret
    for line in secret:
        assert talk_guard.doubtful_lines(match, seat, line), line
    with pytest.raises(talk_guard.SecretDisclosedError):
        talk_guard.refuse_disclosure(match, seat, "\n".join(secret), is_meant=True)


def _told(scene: Scene, seat):
    names = [piece.name for row in scene.rows for cell in row for piece in cell.pieces if piece.side == seat]
    trays = [f"{item.count} {item.piece.name}" for tray in scene.trays for item in tray.items]
    return [*names, *trays, scene.summary]


def test_a_letter_to_a_member_names_no_hidden_piece_of_a_game_of_both(plateau):
    with db.transaction(plateau.engine) as session:
        ann = plateau.person(session, "ann")
        with pytest.raises(ChallengeError, match="cannot know"):
            member_mail.write(session, ann, "bob", "I have the Red Mask on b1", now=plateau.time)
        member_mail.write(session, ann, "bob", "Shall we meet in Rome?", now=plateau.time)


def test_a_board_with_a_hidden_piece_in_a_mail_is_not_passed_on(plateau):
    with db.reading(plateau.engine) as session:
        board = render(loading.position_of(session.get(Match, plateau.number)).scene(0))
    plateau.answer(plateau.turn, f"look:\n{board}")
    assert talk_in(plateau) in ([], ["look:"])


# -- the same on the page ---------------------------------------------------------------


@pytest.fixture
def page(world):
    for handle in ("ann", "bob"):
        world.join(handle)
    world.match("plateau")
    return world


def remarks(world):
    with db.reading(world.runtime.engine) as session:
        return [r.text for r in session.exec(select(Remark))] + [m.comment for m in session.exec(select(Move))]


@pytest.mark.parametrize("audience", ["players", "everyone"])
def test_the_box_for_talk_asks_and_keeps_the_words(page, audience):
    answer = page.client("bob").post("/games/1/say", data={"text": "if you like, again", "audience": audience})
    assert answer.status_code == 422
    assert "if you like, again" in answer.text
    assert 'name="meant"' in answer.text
    assert remarks(page) == []
    sure = {"text": "if you like, again", "audience": audience, "meant": "1"}
    assert page.client("bob").post("/games/1/say", data=sure).status_code == 303
    assert remarks(page) == ["if you like, again"]


def test_the_box_for_talk_offers_no_way_for_what_is_hidden(page):
    data = {"text": "my Ace is up", "meant": "1"}
    answer = page.client("bob").post("/games/1/say", data=data)
    assert answer.status_code == 422
    assert "my Ace is up" in answer.text
    assert 'name="meant"' not in answer.text
    assert remarks(page) == []


def test_a_comment_that_names_a_piece_holds_the_move_up_and_nothing_is_lost(page):
    data = {"move": "+b1 xx,rb", "ply": "0", "comment": "if you take, I take back"}
    answer = page.client("ann").post("/games/1/move", data=data)
    assert answer.status_code == 422 and remarks(page) == []
    assert "+b1 xx,rb" in answer.text
    assert data["comment"] in answer.text
    assert 'name="meant"' in answer.text
    assert page.client("ann").post("/games/1/move", data={**data, "meant": "1"}).status_code == 303
    assert remarks(page) == [data["comment"]]


def test_a_comment_that_tells_the_face_of_the_new_piece_is_refused_for_good(page):
    data = {"move": "+b1 xx,rb", "ply": "0", "comment": "rb on xx", "meant": "1"}
    assert page.client("ann").post("/games/1/move", data=data).status_code == 422
    assert remarks(page) == []


def test_notes_may_name_what_they_like(page):
    data = {"text": "my Ace is up: +b1 xx,rb", "audience": "me"}
    assert page.client("ann").post("/games/1/say", data=data).status_code == 303
    assert remarks(page) == [data["text"]] and set(DONE)


def test_the_words_of_seats_are_no_secret(page):
    assert page.client("bob").post("/games/1/say", data={"text": "You are Black, I am White"}).status_code == 303
    with db.reading(page.runtime.engine) as session:
        assert len(session.exec(select(Player)).all()) == 2
