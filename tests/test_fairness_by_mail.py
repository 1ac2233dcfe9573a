"""`rules fairness`: what the page about fairness says, in a letter, with an example that a shell really works out."""

from __future__ import annotations

import html
import re
import shutil
import subprocess

import pytest

from correspondence.commands import Rules, parse_commands
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.rulebook.fairness import EXAMPLE, fairness_blocks
from engines.chance import ChanceStream
from engines.wording import _
from tests.post import html_of, text_of
from tests.test_letters_do_nothing import does_something

DOOR = "play@games.example"
LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def answer_to(town, line, language="en"):
    town.join("ann", language=language)
    town.mail("ann@example.org", DOOR, line)
    return town.letter("ann")


def flat(text):
    return " ".join(re.sub(r"^[|·] ", " ", text, flags=re.M).split())


def words_of(page):
    return flat(html.unescape(re.sub(r"<[^>]+>", " ", page)))


@pytest.mark.parametrize("line", ["rules fairness", "regole equità", "rules fair dice", "rules FAIRNESS?"])
def test_the_topic_is_asked_for_by_its_names(line):
    assert parse_commands([line]) == (Rules("fairness"),)


@LANGUAGE
def test_both_parts_of_the_letter_say_what_the_page_says(town, language):
    letter = answer_to(town, "rules fairness", language)
    text, part = flat(text_of(letter)), words_of(html_of(letter))
    for block in fairness_blocks(language):
        assert flat(block.text) in text and flat(block.text) in part, block
    assert "https://games.example/help/fairness" in text


@LANGUAGE
def test_the_page_says_it_with_the_same_words(world, language):
    world.join("ann", language=language)
    page = words_of(world.client("ann").get("/help/fairness").text)
    assert [block for block in fairness_blocks(language) if flat(block.text) not in page] == []


@LANGUAGE
def test_no_line_of_the_letter_is_longer_than_78_characters_or_does_anything_when_quoted(town, language):
    lines = text_of(answer_to(town, "regole equità", language)).splitlines()
    assert max(map(len, lines)) <= 78
    assert [line for line in lines if does_something(line)] == []


@LANGUAGE
def test_it_says_what_is_not_proven_and_how_words_help(language):
    text = " ".join(block.text for block in fairness_blocks(language))
    with in_language(language):
        for sentence in (
            "It does not prove that the service never showed the seed or a secret to a friend of its operator. Words of your own "
            "do not help against that.",
            "It proves nothing about games that began before there were commitments; their evidence says so.",
        ):
            assert _(sentence) in text
        assert _("Your own randomness") in text


def test_strangers_and_the_list_of_games_are_told_too(town):
    town.mail("stranger@example.org", DOOR, "rules fairness")
    assert EXAMPLE["commitment"] in text_of(town.letter("stranger"))
    assert "· fairness – how chance" in text_of(answer_to(town, "rules"))
    town.mail("ann@example.org", DOOR, "rules fairness")
    assert town.letter("ann")["Subject"] == "Fair chance, and records that can be verified"


def scripts(town, language):
    """The commands of the letter's example, with what it says each of them prints."""
    rows = [
        row[4:] for row in text_of(answer_to(town, "rules fairness", language)).splitlines() if row.startswith("    ")
    ]
    commands, expected = [], []
    for row in rows:
        if re.fullmatch(r"[0-9a-f]{64}", row):
            expected.append(row)
        elif not row.startswith("python3"):
            commands.append(row)
    return "\n".join(commands), expected


@LANGUAGE
@pytest.mark.skipif(not (shutil.which("openssl") and shutil.which("sha256sum")), reason="no openssl, or no sha256sum")
def test_the_example_prints_in_a_real_shell_what_it_says(town, language):
    script, expected = scripts(town, language)
    done = subprocess.run(["bash", "-eu"], input=script, capture_output=True, text=True, timeout=60)
    assert done.stderr == "" and len(expected) == 8
    assert re.findall(r"\b[0-9a-f]{64}\b", done.stdout) == expected


def test_the_pocket_calculator_gives_what_the_service_draws():
    words = (EXAMPLE["words"], "")
    first = int(EXAMPLE["bytes"][:2], 16)
    assert first == 4 * 16 + 1 and first // 32 == 2
    assert ChanceStream(bytes.fromhex(EXAMPLE["seed"]), 1, words).below(6) == 2
