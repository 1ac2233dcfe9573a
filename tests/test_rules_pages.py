"""The rules pages: every diagram is drawn from a position that does what its caption says, every text is read."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest

from correspondence.core.i18n import LANGUAGES
from correspondence.rulebook.chapters import CHAPTERS, Moment
from correspondence.rulebook.drawing import drawn, scene_of, targets
from correspondence.rulebook.examples import position_at, start_of
from correspondence.web.rules import COMMON_SECTIONS
from correspondence.web.sample_letter import sample_letter
from engines import GAMES
from engines.base import MoveError
from engines.options import choices_of
from engines.plateau import Plateau

GAME = pytest.mark.parametrize("key", GAMES)
DIAGRAMS = [pytest.param(key, one, id=f"{key}-{one.name}") for key in CHAPTERS for one in CHAPTERS[key].diagrams]
EXAMPLES = [pytest.param(key, one, id=f"{key} {one.text}") for key in CHAPTERS for one in CHAPTERS[key].examples]
HEAVIEST_PAGE, HEAVIEST_DIAGRAMS = 60_000, 60_000


def texts(page, element):
    found = re.findall(rf"<{element}>(.*?)</{element}>", page, re.S)
    return [html.unescape(re.sub(r"<[^>]+>", "", text)).strip() for text in found]


def known_texts(key):
    """Every text of a chapter that another test has the engine read."""
    chapter = CHAPTERS[key]
    yield from (text for one in chapter.examples for text in (one.text, *one.also))
    yield from (text for one in chapter.diagrams for text in (*one.moment.played, *one.allows))


def test_every_game_has_a_chapter_and_every_chapter_a_game():
    assert list(CHAPTERS) == list(GAMES)


def test_every_page_leads_to_the_rules_of_every_game(world):
    assert 'href="/rules"' in world.client().get("/").text
    page = world.client().get("/rules").text
    assert [key for key in GAMES if f'href="/rules/{key}"' not in page] == []


@GAME
def test_a_page_has_all_its_sections_and_contents_lead_there(world, key):
    answer = world.client().get(f"/rules/{key}")
    assert answer.status_code == 200
    anchors = [*CHAPTERS[key].sections, *COMMON_SECTIONS]
    assert re.findall(r'<h2 id="([^"]+)">', answer.text) == ["contents", *anchors]
    assert re.findall(r'<li><a href="#([^"]+)">', answer.text) == anchors


@GAME
def test_a_page_shows_every_diagram_with_words_for_who_does_not_see_it(world, key):
    page = world.client().get(f"/rules/{key}").text
    shown = re.findall(r'<img src="([^"]+)" alt="([^"]*)" width="(\d+)" height="(\d+)" loading="lazy">', page)
    names = [one.name for one in CHAPTERS[key].diagrams]
    assert sorted(src for src, *_ in shown) == sorted(f"/rules/{key}/{name}.svg" for name in names)
    assert all(len(alt) > 20 and int(width) > 100 and int(height) > 50 for _, alt, width, height in shown)
    captions = {html.unescape(text) for text in texts(page, "figcaption")}
    assert captions == {one.caption for one in CHAPTERS[key].diagrams}


@GAME
def test_names_and_captions_of_diagrams_are_unique(key):
    diagrams = CHAPTERS[key].diagrams
    assert len({one.name for one in diagrams}) == len({one.caption for one in diagrams}) == len(diagrams)


@GAME
def test_a_page_explains_every_option_and_value(world, key):
    headings = re.findall(r"<h3><samp>(\S+)</samp>", world.client().get(f"/rules/{key}").text)
    wanted = set()
    for choice in choices_of(GAMES[key].Options):
        is_variant = choice.default in ("no", "none")
        wanted |= {f"{choice.name}={value}" for value in choice.values if not is_variant or value != choice.default}
    assert len(headings) == len(set(headings)) and set(headings) == wanted


@GAME
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_in_the_text_of_a_page_is_one_that_is_tested(world, key, language):
    page = world.client().get(f"/rules/{key}", headers={"Accept-Language": language}).text
    written = set(texts(page, "code"))
    assert written and written <= set(known_texts(key))


@GAME
def test_a_page_and_its_diagrams_are_light(world, key):
    assert len(world.client().get(f"/rules/{key}").data) < HEAVIEST_PAGE
    assert sum(len(drawn(key, one, "en").gzipped) for one in CHAPTERS[key].diagrams) < HEAVIEST_DIAGRAMS


@GAME
def test_a_page_says_whose_game_it_is_and_that_we_are_not_theirs(world, key):
    page = world.client().get(f"/rules/{key}").text
    credit = page.split('<h2 id="credits">')[1]
    assert "not affiliated with" in credit
    assert ("trademark" in credit) == key.startswith("proteus")
    assert ("boards are our own" in credit) == key.startswith("duel")


@GAME
def test_a_page_has_neither_scripts_nor_styles_of_its_own(world, key):
    page = world.client().get(f"/rules/{key}").text
    own = page.split("<main")[1]
    assert "<script" not in own and "<style" not in page and " style=" not in page


@pytest.mark.parametrize("key, diagram", DIAGRAMS)
def test_a_diagram_is_a_picture(world, key, diagram):
    answer = world.client().get(f"/rules/{key}/{diagram.name}.svg")
    assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.data)
    words = [root.findtext(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("title", "desc")]
    assert all(words)


@pytest.mark.parametrize("key, diagram", DIAGRAMS)
def test_a_diagram_marks_what_the_engine_says(key, diagram):
    position, marks = position_at(key, diagram.moment), scene_of(key, diagram).marks
    hinted = [mark.cell for mark in marks if mark.kind == "hint"]
    assert tuple(hinted) == (targets(position, diagram) if diagram.reach is not None else ())
    assert bool(hinted) == (diagram.reach is not None)
    if diagram.squares:
        assert sorted(hinted) == sorted(diagram.squares.split())


@pytest.mark.parametrize("key, diagram", DIAGRAMS)
def test_a_caption_keeps_its_promises(key, diagram):
    position = position_at(key, diagram.moment)
    assert (position.outcome and position.outcome.winners) == diagram.wins
    assert not diagram.becomes or position.to_text() == diagram.becomes
    for text in diagram.allows:
        position.read(position.to_act[0], text)
    for text in diagram.refuses:
        with pytest.raises(MoveError):
            position.read(position.to_act[0], text)


@pytest.mark.parametrize("key, diagram", DIAGRAMS)
def test_a_position_text_is_written_as_it_was_read(key, diagram):
    if diagram.moment.position and (position := start_of(key, diagram.moment)).to_act:
        assert type(position).from_text(position.to_text()).to_text() == position.to_text()


@pytest.mark.parametrize("key, example", EXAMPLES)
def test_an_example_is_read_where_it_is_given(key, example):
    position = position_at(key, example.moment)
    seat = position.to_act[0]
    move = position.read(seat, example.text)
    assert position.write(seat, move) == example.text
    assert [position.read(seat, text) for text in example.also] == [move] * len(example.also)


@GAME
def test_the_sample_letter_is_the_real_one_and_its_answer_can_be_played(world, key):
    chapter = CHAPTERS[key]
    position = position_at(key, chapter.letter)
    position.read(position.to_act[0], chapter.reply)
    subject, letter = sample_letter(key, chapter.letter, "en", "https://games.example")
    assert subject.startswith("[Game 12") and f"https://games.example/rules/{key}" in letter and "%%" not in letter
    page = world.client().get(f"/rules/{key}").text
    assert html.escape(subject) in page and f">{chapter.reply}\n" in page


def test_pictures_of_secrets_are_what_that_side_sees():
    seen = {name: CHAPTERS["plateau"].diagram(f"seen-{name}") for name in ("black", "white", "onlooker")}
    summaries = {name: scene_of("plateau", one).summary for name, one in seen.items()}
    position = position_at("plateau", seen["black"].moment)
    assert summaries["black"] == position.scene(0).summary != summaries["white"] == position.scene(1).summary
    assert summaries["onlooker"] == position.scene(None).summary
    sealed = [scene_of("proteus-dice", CHAPTERS["proteus-dice"].diagram(f"sealed-{who}")) for who in ("own", "other")]
    assert "b2 P" in sealed[0].trays[0].note and "unseen" in sealed[1].trays[0].note


def test_the_public_form_on_the_page_of_plateau_is_what_the_engine_tells(world):
    start: Plateau = position_at("plateau", Moment())
    form = start.tell(0, start.read(0, "+b1 xx,rb"), 1, start)
    assert f"<samp>{form}</samp>" in world.client().get("/rules/plateau").text


def test_a_diagram_comes_compressed_to_whoever_takes_it_so_and_only_once(world):
    client, path = world.client(), "/rules/duel/ring.svg"
    plain, packed = client.get(path), client.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and len(packed.data) < len(plain.data) / 4
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert client.get(path, headers={"If-None-Match": plain.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("path", ["go", "go.svg", "go/ring.svg", "duel/nope.svg"])
def test_what_is_unknown_is_refused_with_a_sentence(world, path):
    answer = world.client().get(f"/rules/{path}")
    assert answer.status_code == 404 and "<h1>No such" in answer.text
    assert "There is no game of that name here." in answer.text or "have no such diagram" in answer.text


def test_the_page_speaks_the_language_of_its_reader(world):
    page = world.client().get("/rules/duel", headers={"Accept-Language": "it"}).text
    assert '<html lang="it">' in page and "tocca a te" in page.split('<h2 id="letter">')[1].casefold()
