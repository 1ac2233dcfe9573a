"""The rules pages as they are shown; what they say is held by the contract (`correspondence.testing.teaching`)."""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

import pytest

from correspondence.rulebook.chapters import CHAPTERS, Moment
from correspondence.rulebook.drawing import scene_of
from correspondence.rulebook.examples import position_at
from correspondence.web.rules import COMMON_SECTIONS
from correspondence.web.sample_letter import sample_letter
from engines import GAMES
from engines.plateau import Plateau

GAME = pytest.mark.parametrize("key", GAMES)
DIAGRAMS = [pytest.param(key, one, id=f"{key}-{one.name}") for key in CHAPTERS for one in CHAPTERS[key].diagrams]
HEAVIEST_PAGE = 60_000


def texts(page, element):
    found = re.findall(rf"<{element}>(.*?)</{element}>", page, re.S)
    return [html.unescape(re.sub(r"<[^>]+>", "", text)).strip() for text in found]


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
def test_a_page_is_light(world, key):
    assert len(world.client().get(f"/rules/{key}").data) < HEAVIEST_PAGE


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
    assert "<script" not in own
    assert "<style" not in page
    assert " style=" not in page


@pytest.mark.parametrize("key, diagram", DIAGRAMS)
def test_a_diagram_is_a_picture(world, key, diagram):
    answer = world.client().get(f"/rules/{key}/{diagram.name}.svg")
    assert answer.status_code == 200 and answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.data)
    words = [root.findtext(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("title", "desc")]
    assert all(words)


@GAME
def test_the_sample_letter_is_the_real_one_and_its_answer_can_be_played(world, key):
    chapter = CHAPTERS[key]
    position = position_at(key, chapter.letter)
    position.read(position.to_act[0], chapter.reply)
    subject, letter = sample_letter(key, chapter.letter, "en", "https://games.example")
    assert subject.startswith("[Game 12")
    assert f"https://games.example/rules/{key}" in letter
    assert "%%" not in letter
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
    assert "There&#39;s no game of that name here." in answer.text or "have no such diagram" in answer.text


def test_the_page_speaks_the_language_of_its_reader(world):
    page = world.client().get("/rules/duel", headers={"Accept-Language": "it"}).text
    assert '<html lang="it">' in page and "tocca a te" in page.split('<h2 id="letter">')[1].casefold()
