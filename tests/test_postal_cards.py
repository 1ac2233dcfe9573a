"""Postal cards: what is printed, for whom, and how it looks as a file."""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from sqlmodel import select

from correspondence.accounts import postal_members
from correspondence.accounts.accounts import PeopleError
from correspondence.core import db
from correspondence.models import Match, Person
from correspondence.models.loading import position_of
from correspondence.ops.postal_cli import cards_command
from correspondence.play import card_entries, matches, offers
from correspondence.queries.due_cards import due_cards
from correspondence.render.card_sheet import card_pages, card_sheets
from correspondence.render.postal_card import Card
from engines import svg
from tests.sizes import examples
from tests.test_by_post import PETE, begin, club, enter, game, word  # noqa: F401 -- fixtures
from tests.test_by_post_pages import ADDRESS
from tests.world import KEY

BASE = "https://games.example"
MM = 72 / 25.4

CARD = Card(
    language="en",
    title="Game 7 · Duel",
    players="pete – ann",
    moment="After move 4. You play White, and it is your turn.",
    news=("Black: c6/a7=B",),
    until="To be entered by Tue 1 Dec, 10:00 CET",
    word="HGLJ",
    is_secret=False,
    board='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 12"><rect width="9" height="9"/></svg>',
    link=f"{BASE}/games/7/card",
    to=("Pete Miller", "12 Mill Lane"),
    reply_to=("Ann Rossi", "Via Roma 1"),
    notation=("A turn is a move.",),
    example="c3/f2=B",
)


def due(town, handle=""):
    with db.reading(town.engine) as session:
        return due_cards(session, key=town.settings.secret_key, base_url=BASE, now=town.time, handle=handle)


def texts(pdf):
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


# -- which cards ---------------------------------------------------------------------


def test_a_card_is_due_to_a_player_by_post_who_is_to_move(game):  # noqa: F811
    town, number = game
    (card,) = due(town)
    assert (card.word, card.link) == (word(town, number), f"{BASE}/games/{number}/card")
    assert card.to == ("Pete Miller", "12 Mill Lane", "Wells BA5 2PN") and card.players == "pete – ann"
    enter(town, "ann", number, "c3/f2=B")
    assert due(town) == []


def test_the_next_card_tells_what_was_entered_by_whom_and_what_was_played_and_said(game):  # noqa: F811
    town, number = game
    wrong = "BBBB" if word(town, number) != "BBBB" else "CCCC"
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B", comment="A fine day here.")
    enter(town, "ann", number, "anything", wrong)
    (card,) = due(town)
    news = " | ".join(card.news)
    assert "Entered from your card as move 1: c3/f2=B, by ann" in news
    assert "1 card with a wrong check word was entered" in news
    assert "Black: c6/a7=B" in news and "“A fine day here.”" in news


def test_a_card_tells_of_a_draw_that_is_offered(game):  # noqa: F811
    town, number = game
    with db.transaction(town.engine) as session:
        matches.offer_draw(session, town.player(session, number, "ann"), now=town.time)
    assert due(town)[0].news[-1] == "ann offers a draw. To accept, write: draw"


def test_a_card_tells_that_the_opponent_wants_a_move_back(game):  # noqa: F811
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B")
    with db.transaction(town.engine) as session:
        offers.offer_takeback(session, town.player(session, number, "ann"), now=town.time)
    assert due(town)[0].news[-1].endswith("To allow it, write: takeback")


def test_a_card_says_that_an_entry_is_contested(game):  # noqa: F811
    town, number = game
    enter(town, "ann", number, "c3/f2=B")
    town.play(number, "ann", "c6/a7=B")
    with db.transaction(town.engine) as session:
        card_entries.contest(session, town.person(session, "hilda"), number, 1, "It said d3.", now=town.time)
    assert "You contest it." in due(town)[0].news[0]


def test_a_finished_game_has_a_last_card_for_who_gets_no_mail_and_for_two_weeks(game):  # noqa: F811
    town, number = game
    with db.transaction(town.engine) as session:
        matches.resign(session, town.player(session, number, "ann"), now=town.time)
    (card,) = due(town)
    assert card.word == "" and "White wins" in card.moment
    assert "Check word" not in texts(card_pages([card], title="x"))[0]
    town.wait(days=15)
    assert due(town) == []


def test_the_cards_of_one_player_are_asked_for_by_handle(game):  # noqa: F811
    town, _number = game
    assert len(due(town, "PETE")) == 1
    for handle in ("ann", "nobody"):
        with pytest.raises(PeopleError, match=f"Nobody called “{handle}” plays by post"):
            due(town, handle)


@pytest.mark.parametrize("key", ["plateau", "proteus-tiles", "duel"])
def test_a_card_shows_what_its_player_sees_and_no_more(club, key):  # noqa: F811
    number = begin(club, key)
    (card,) = due(club)
    with db.reading(club.engine) as session:
        position = position_of(session.get(Match, number))
    seat = position.to_act[0]
    assert card.board == svg.render(position.scene(seat), bottom=seat)
    assert card.is_secret is (key == "plateau")


def test_a_secret_card_is_never_addressed_to_the_opponent(club):  # noqa: F811
    with db.transaction(club.engine) as session:
        postal_members.save(session, club.person(session, "ann"), replace(PETE, name="Ann"), now=club.time)
    begin(club, "plateau")
    begin(club, "duel")
    secret, open_card = due(club, "pete")
    assert secret.reply_to == () and open_card.reply_to[0] == "Ann"
    assert "must not see this card" in " ".join(texts(card_pages([secret], title="x"))[1].split())


def test_a_card_speaks_the_language_of_its_reader(game):  # noqa: F811
    town, _number = game
    with db.transaction(town.engine) as session:
        session.exec(select(Person).where(Person.handle == "pete")).one().language = "it"
    front, back = texts(card_pages(due(town), title="x"))
    assert "La mia mossa:" in front and "Come si risponde" in back


# -- the file ------------------------------------------------------------------------


def test_a_card_is_two_pages_of_a6(tmp_path):
    reader = PdfReader(io.BytesIO(card_pages([CARD, CARD], title="Cards")))
    assert len(reader.pages) == 4
    assert {(round(page.mediabox.width / MM), round(page.mediabox.height / MM)) for page in reader.pages} == {
        (148, 105)
    }
    front, back = (page.extract_text() for page in reader.pages[:2])
    assert all(letter in front for letter in CARD.word)
    assert "Black: c6/a7=B" in front
    assert "/games/7/card" in front
    assert "Pete Miller" in back
    assert "Via Roma 1" in back
    assert "Pete Miller" not in front


def test_a_sheet_of_a4_holds_four_cards_with_each_back_behind_its_front():
    cards = [replace(CARD, title=f"Game {number}", to=(f"Reader {number}", "x")) for number in range(5)]
    reader = PdfReader(io.BytesIO(card_sheets(cards, title="Cards")))
    sizes = {(round(page.mediabox.width / MM), round(page.mediabox.height / MM)) for page in reader.pages}
    assert len(reader.pages) == 4 and sizes == {(297, 210)}
    fronts, backs = places(reader.pages[0], "Game"), places(reader.pages[1], "Reader")
    for number in range(4):
        front, back = fronts[f"Game {number}"], backs[f"Reader {number}"]
        assert front[1] == back[1] and front[0] != back[0]  # mirrored left and right


def places(page, begins):
    """Where texts stand that begin so: left or right, above or below."""
    found = {}

    def note(text, _current, matrix, _font, _size):
        x, y = matrix[4], matrix[5]
        if text.strip().startswith(begins):
            found[text.strip()] = (x > 297 * MM / 2, y > 210 * MM / 2)

    page.extract_text(visitor_text=lambda text, cm, tm, font, size: note(text, cm, product(tm, cm), font, size))
    return found


def product(one, other):
    """The two last numbers of the product of two matrices, in a row of six."""
    x = one[4] * other[0] + one[5] * other[2] + other[4]
    return (0, 0, 0, 0, x, one[4] * other[1] + one[5] * other[3] + other[5])


words = st.text(max_size=60)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(words, st.lists(words, max_size=12).map(tuple), st.lists(words, max_size=7).map(tuple), st.booleans())
def test_whatever_is_written_becomes_a_card(text, news, lines, is_secret):
    card = replace(CARD, title=text, news=news, to=lines, reply_to=lines, moment=text, is_secret=is_secret)
    assert len(PdfReader(io.BytesIO(card_pages([card], title=text))).pages) == 2


def test_news_that_has_no_room_ends_in_dots():
    card = replace(CARD, news=tuple(f"Black: move number {number}" for number in range(40)))
    front = texts(card_pages([card], title="x"))[0]
    assert "…" in front and "move number 39" not in front
    assert "…" not in texts(card_pages([CARD], title="x"))[0]


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm is not installed here")
def test_a_drawn_card_is_a_picture_of_a6_with_ink_on_it(tmp_path):
    (tmp_path / "card.pdf").write_bytes(card_pages([CARD], title="x"))
    subprocess.run(["pdftoppm", "-r", "60", "-gray", tmp_path / "card.pdf", tmp_path / "card"], check=True)
    header, size, _most, pixels = (tmp_path / "card-1.pgm").read_bytes().split(b"\n", 3)
    assert header == b"P5" and size.split()[0] == b"350"
    assert 0.02 < sum(one < 128 for one in pixels) / len(pixels) < 0.6


# -- pages and the command -----------------------------------------------------------


@pytest.fixture
def pages(world):
    for handle in ("ann", "bob", "hilda", "pete"):
        world.join(handle)
    world.client("pete").post("/settings/post", data=ADDRESS)
    world.client("pete").post("/settings/post/helper", data={"handle": "hilda"})
    world.client("hilda").post("/settings/post/help/pete")
    return world


def test_player_and_helper_fetch_the_card_and_nobody_else(pages):
    number = pages.match("plateau", "pete", "ann")
    for handle in ("pete", "hilda"):
        for path in (f"/games/{number}/card.pdf", f"/games/{number}/card.pdf?a4", "/settings/post/cards.pdf"):
            answer = pages.client(handle).get(path)
            assert answer.mimetype == "application/pdf" and answer.headers["Cache-Control"] == "no-store"
            assert "12 Mill Lane" in "".join(texts(answer.data))
    for handle in ("ann", "bob"):
        assert pages.client(handle).get(f"/games/{number}/card.pdf").mimetype == "text/html"
        assert pages.client(handle).get("/settings/post/cards.pdf").status_code == 404
    assert pages.client().get(f"/games/{number}/card.pdf").location == "/sign-in"


@pytest.mark.parametrize("key", ["plateau", "duel"])
def test_a_helper_who_plays_against_whom_they_help_gets_no_card(pages, key):
    number = pages.match(key, "pete", "hilda")
    assert pages.client("hilda").get(f"/games/{number}/card.pdf").mimetype == "text/html"
    assert pages.client("hilda").get("/settings/post/cards.pdf").status_code == 404


def flask(world, *words):
    return world.app.test_cli_runner().invoke(cards_command, [str(word) for word in words])


def test_the_operator_prints_all_that_is_due(pages, tmp_path):
    number, out = pages.match("proteus-dice", "pete", "ann"), tmp_path / "cards.pdf"
    assert f"Written: {out}, 1 card." in flask(pages, "--out", out).output
    assert out.stat().st_mode & 0o777 == 0o600 and len(texts(out.read_bytes())) == 2
    with db.reading(pages.runtime.engine) as session:
        match = session.get(Match, number)
        right = card_entries.rights(
            session, match, session.exec(select(Person.id).where(Person.handle == "pete")).one()
        )
        assert card_entries.word_of(session, match, right[0].player, KEY) in "".join(texts(out.read_bytes())[0].split())
    assert flask(pages, "--out", out, "--for", "pete", "--a4").exit_code == 0
    pages.play(number, "pete", "c3/f2=B")
    done = flask(pages, "--out", tmp_path / "none.pdf")
    assert done.exit_code == 0
    assert "No card is due" in done.output
    assert not (tmp_path / "none.pdf").exists()


def test_a_wrong_input_is_a_sentence_and_status_2(pages, tmp_path):
    pages.match("proteus-dice", "pete", "ann")
    for words, sentence in (
        (("--for", "ann", "--out", tmp_path / "a.pdf"), "Nobody called “ann” plays by post here."),
        (("--out", tmp_path), "cannot be written"), (("--out", tmp_path / "no" / "a.pdf"), "cannot be written"),
        (("--in", "x"), "No such option"),
    ):  # fmt: skip
        done = flask(pages, *words)
        assert done.exit_code == 2
        assert sentence in done.output
        assert "Traceback" not in done.output
