"""`rules` teaches a game by mail as its page does: in words and diagrams, whole or one part, in both parts of the letter."""

from __future__ import annotations

import html
import random
import re

import pytest

from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.move_text import looks_like_move
from correspondence.outbound import kinds
from correspondence.outbound.letter_pictures import diagram_png
from correspondence.outbound.letters import Draft, To, write_letter
from correspondence.outbound.transcript import PageBlock, TranscriptEntry, pictures_of
from correspondence.rulebook import pages
from correspondence.rulebook.chapters import CHAPTERS
from correspondence.rulebook.lessons import MOST_DIAGRAMS, lesson, parts
from engines import GAMES
from engines.options import choices_of
from engines.wording import _
from tests.post import html_of, text_of
from tests.test_letters_do_nothing import does_something

DOOR = "play@games.example"
GAME = pytest.mark.parametrize("key", GAMES)
LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)
LARGEST = 60_000
SIXTEEN = [f"{red}{green}{blue}" for red in ("00", "ff") for green in ("00", "ff") for blue in ("00", "55", "aa", "ff")]


def flat(text):
    """Words in one line, without the signs that keep lines of a letter from being commands."""
    return " ".join(re.sub(r"^\| ", " ", text, flags=re.M).split())


def words_of(page):
    return flat(html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"<(/?(p|h2|h3|div|br)\b)", r" <\1", page))))


def answer_to(town, line, name="ann"):
    town.mail(f"{name}@example.org", DOOR, line)
    return town.letter(name)


def pictures(letter):
    return [part for part in letter.walk() if part.get_content_type() == "image/png"]


def captions(key, language):
    with in_language(language):
        return [_(one.caption) for one in CHAPTERS[key].diagrams]


@GAME
@LANGUAGE
def test_a_game_is_taught_in_one_letter_with_goal_pieces_turn_end_and_every_option(town, key, language):
    town.join("ann", language=language)
    letter = answer_to(town, f"rules {key}")
    text = flat(text_of(letter))
    with in_language(language):
        titles = [_(title) for title in CHAPTERS[key].sections.values()]
        assert [title for title in titles if f"== {title} ==" not in text] == []
        assert [one.text for one in CHAPTERS[key].examples if f"{one.text} – {_(one.says)}" not in text] == []
    for choice in choices_of(GAMES[key].Options):
        assert re.search(rf"-- {choice.name}=\S+ ", text), choice.name
    assert f"https://games.example/rules/{key}" in text


@GAME
@LANGUAGE
def test_the_html_part_says_what_the_text_part_says_and_shows_its_diagrams(town, key, language):
    town.join("ann", language=language)
    letter = answer_to(town, f"rules {key}")
    page, text = words_of(html_of(letter)), flat(re.sub(r"\n\s*\n", "\n\n", text_of(letter)))
    for block in lesson(GAMES[key], "", language).blocks:
        if block.kind != "diagram":
            assert block.text in page and block.text in text.replace(" | ", " "), block
    descriptions = [one for one in captions(key, language) if one in text]
    assert 1 <= len(descriptions) <= MOST_DIAGRAMS and [one for one in descriptions if one not in page] == []
    shown = re.findall(r'<img src="cid:([^"]+)" width="(\d+)" height="\d+" alt="([^"]+)"', html_of(letter))
    assert len(shown) == len(descriptions) and all(len(alt) > 20 and int(width) <= 420 for _cid, width, alt in shown)
    assert [part["Content-ID"] for part in pictures(letter)] == [f"<{cid}>" for cid, *_ in shown]


@GAME
@LANGUAGE
def test_every_part_is_a_letter_of_less_than_sixty_kilobytes_of_which_no_line_does_anything(
    town, key, language, is_thorough
):
    town.join("ann", language=language)
    names = parts(lesson(GAMES[key], "", "en").sections, [one.name for one in choices_of(GAMES[key].Options)])
    in_this_language = slice(None) if is_thorough else slice(list(LANGUAGES).index(language), None, len(LANGUAGES))
    for part in ["", *names][in_this_language]:
        letter = answer_to(town, f"rules {key} {part}")
        assert len(letter.as_bytes()) < LARGEST, part
        lines = text_of(letter).splitlines()
        assert [line for line in lines if does_something(line) or looks_like_move(line)] == []


def test_diagrams_that_would_make_a_letter_too_large_give_way_to_their_words(town):
    rng = random.Random(1)
    noise = "".join(f'<rect x="{x}" y="{y}" width="1" height="1" fill="#{rng.choice(SIXTEEN)}"/>'
                    for x in range(300) for y in range(300))  # fmt: skip
    pictures_ = [f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="0 0 300 300">{body}</svg>'
                 for body in ('<rect width="9" height="9"/>', noise)]  # fmt: skip
    page = tuple(PageBlock("diagram", "caption", picture=svg, alt=f"words {at} & more", width=200)
                 for at, svg in enumerate(pictures_))  # fmt: skip
    entry = TranscriptEntry("", "Two pictures", block="words", page=page)
    draft = Draft(kinds.ANSWER, "test:1", diagrams=pictures_of([entry]))
    with db.transaction(town.engine) as session:
        write_letter(session, To("ann@example.org"), draft, now=town.time, subject_line="x", entries=[entry], board="")
    town.deliver()
    letter = town.letter("ann")
    assert len(pictures(letter)) == 1 and len(letter.as_bytes()) < LARGEST
    assert "<em>words 1 &amp; more</em>" in html_of(letter) and 'alt="words 0 &amp; more"' in html_of(letter)
    assert "%%" not in html_of(letter)


@pytest.mark.parametrize("line, words, other_words", [
    ("rules proteus-dice polarity", "Odd pieces take only even ones", "Knight and bishop change places"),
    ("rules proteus dice warhorses", "Knight and bishop change places", "Odd pieces take only even ones"),
    ("rules proteus-dice wall street", "You buy your army", "Odd pieces take only even ones"),
    ("rules dice Trade-Off", "turn a single die two steps", "You buy your army"),
    ("rules proteus-dice notation", "Faces are Y pyramid", "You buy your army"),
    ("rules proteus-dice options", "You buy your army", "Faces are Y pyramid"),
    ("rules polarity", "Odd pieces take only even ones", "You buy your army"),
    ("rules puzzle", "The buttons of Duel for one player", "Chess without kings"),
    ("rules puzzle goal", "Four moves are a good result", "How buttons walk"),
    ("rules duel sun", "Eight bridges of each colour", "Diagonals do not count"),
    ("rules plateau options", "Plateau has none", "Blanks do not pin"),
    ("rules duel the end", "four of your buttons fill a row", "Sixteen numbered buttons"),
], ids=str)  # fmt: skip
def test_one_part_or_one_option_is_asked_about(town, line, words, other_words):
    town.join("ann")
    letter = answer_to(town, line)
    assert words in flat(text_of(letter)) and other_words not in flat(text_of(letter))
    assert words in words_of(html_of(letter)) and other_words not in words_of(html_of(letter))


def test_an_option_is_answered_with_its_values_and_how_to_choose_it(town):
    town.join("ann")
    letter = answer_to(town, "rules proteus-dice polarity")
    line = "polarity can be no or yes; the default is no. Choose it in a challenge or a seek: seek proteus-dice polarity=yes"
    assert line in flat(text_of(letter)) and line in words_of(html_of(letter))
    assert (len(pictures(letter)) == 1 and "{n}" in text_of(letter)) or "{q}" in text_of(letter)


def test_a_title_in_the_readers_language_names_a_part_too(town):
    town.join("ann", language="it")
    title = lesson(GAMES["duel"], "", "it").sections["swapping"]
    assert title != lesson(GAMES["duel"], "", "en").sections["swapping"]
    assert f"== {title} ==" in text_of(answer_to(town, f"regole duel {title}"))
    assert "5a2" in text_of(answer_to(town, "regole duel notazione"))
    assert "sun" in text_of(answer_to(town, "regole duel opzioni"))


@pytest.mark.parametrize("line, sentence", [
    ("rules duell", "Did you mean “duel”?"),
        ("rules plateua pins", "Did you mean “plateau”?"),
    ("rules chess", "There is no game “chess” here. We play proteus-dice, proteus-tiles, duel"),
    ("rules plato", "Did you mean “plateau”?"),
    ("rules proteus", "“proteus” can mean proteus-dice or proteus-tiles. Please write the whole name."),
    ("rules duel polarty", "The rules of Duel have no part “polarty”."),
    ("rules proteus-dice polarty", "Did you mean “polarity”?"),
    ("rules proteus-dice polarty", "You can write rules proteus-dice and one of these: equipment, turn, pieces"),
], ids=str)  # fmt: skip
def test_what_is_unknown_is_answered_with_what_there_is_and_what_is_nearest(town, line, sentence):
    town.join("ann")
    assert sentence in flat(text_of(answer_to(town, line)))
    assert sentence in flat(text_of(answer_to(town, line, "stranger")))


def test_rules_alone_list_the_games_with_a_sentence_each(town):
    town.join("ann")
    text = flat(text_of(answer_to(town, "rules")))
    assert [key for key, game in GAMES.items() if f"· {key} – {game.name}. {game.presentation.pitch}" not in text] == []


def test_in_reply_to_the_letter_of_a_game_its_rules_need_no_name(town):
    town.join("ann", "bob")
    town.match("proteus-tiles", white="bob", black="ann")
    first = town.letter("bob")
    town.answer(first, "rules")
    assert "Nine tiles are the board" in flat(text_of(town.letter("bob")))
    town.answer(first, "rules notation")
    assert "A tile is a capital letter" in flat(text_of(town.letter("bob")))
    town.answer(first, "rules duel")
    assert "Sixteen numbered buttons" in flat(text_of(town.letter("bob")))
    assert [letter for letter in town.letters("ann") if "rules" in text_of(letter).splitlines()] == []


def test_a_second_game_in_one_mail_is_asked_for_again_not_sent_along(town):
    town.join("ann")
    letter = answer_to(town, "rules duel\nrules plateau\ngames")
    assert "Sixteen numbered buttons" in flat(text_of(letter)) and "Stacks of two-sided disks" not in flat(
        text_of(letter)
    )
    assert "The rules of Plateau: this page fills a letter of its own." in flat(text_of(letter))
    assert len(letter.as_bytes()) < LARGEST


def test_a_reader_of_plain_text_gets_the_same_words_and_text_boards(town):
    town.join("ann", text_only=True)
    letter = answer_to(town, "rules duel")
    assert letter.get_body(("html",)) is None and pictures(letter) == []
    assert "|" not in text_of(letter) or "B8" in text_of(letter)
    assert sum(caption in flat(text_of(letter)) for caption in captions("duel", "en")) == MOST_DIAGRAMS


def test_somebody_who_has_not_joined_learns_a_game_too(town):
    letter = answer_to(town, "rules duel", "nobody")
    assert "Sixteen numbered buttons" in flat(text_of(letter)) and pictures(letter)


def test_a_page_of_a_package_that_cannot_be_read_gives_way_to_its_pictures_and_notation(town, monkeypatch):
    monkeypatch.setattr(pages, "page_of", lambda game: "rules/none.html")
    pages.blocks_of.cache_clear()
    town.join("ann")
    letter = answer_to(town, "rules duel")
    pages.blocks_of.cache_clear()
    assert "5a2" in text_of(letter) and CHAPTERS["duel"].diagrams[0].caption in flat(text_of(letter))


@pytest.mark.parametrize("words", ["rules are there to be broken", "rules of thumb help me here",
                                   "rules duel pistols were fired at dawn by old men"])  # fmt: skip
def test_talk_that_begins_with_rules_is_talk(town, words):
    town.join("ann", "bob")
    number = town.match()
    town.answer(town.letter("ann"), words)
    assert f"| {words}" in text_of(town.letter("bob")) and town.moves(number) == []


def test_small_pictures_have_a_palette_and_are_small():
    square = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4" viewBox="0 0 8 4">' \
             '<rect width="4" height="4" fill="#ff0000"/></svg>'  # fmt: skip
    png = diagram_png(square, 1.0)
    assert png[25] == 3
    assert b"PLTE" in png
    assert len(png) < 150
    assert diagram_png("no picture", 1.0) is None
