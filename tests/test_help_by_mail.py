"""`help` gives an overview and a short page for every topic and every command, each no longer than a phone's screen."""

from __future__ import annotations

import pytest

from correspondence.commands import Help, InvalidCommand, Other, parse_commands, registry
from correspondence.commands.help import TOPICS, WIDTH, help_page, lines_of, overview, topic_named
from correspondence.core.i18n import LANGUAGES, in_language
from engines.wording import _
from tests.post import html_of, text_of
from tests.test_letters_do_nothing import does_something

DOOR = "play@games.example"
SCREEN = 25
LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def answer_to(town, line, name="ann"):
    town.mail(f"{name}@example.org", DOOR, line)
    return text_of(town.letter(name))


@LANGUAGE
def test_the_overview_is_one_screen_and_names_every_topic(town, language):
    town.join("ann", language=language)
    text = answer_to(town, "help")
    with in_language(language):
        assert len(overview().splitlines()) <= SCREEN
        assert [name for name, topic in TOPICS.items() if f"· {_(topic.line)} – {_(topic.title)}" not in text] == []
        assert [name for name, topic in TOPICS.items() if topic_named(_(topic.line).partition(" ")[2]) != name] == []
    assert max(map(len, overview().splitlines())) <= 55


@LANGUAGE
@pytest.mark.parametrize("name", TOPICS)
def test_every_page_is_one_screen_and_is_asked_for_by_its_name_and_its_title(town, language, name):
    town.join("ann", language=language)
    with in_language(language):
        title, page = help_page(name)
        assert len(page.splitlines()) <= SCREEN and max(map(len, page.splitlines())) <= WIDTH
        word = _(TOPICS[name].title)
    letter = answer_to(town, f"help {name}")
    assert page in letter.replace("\r\n", "\n") and title[1:] in " ".join(letter.split())
    assert topic_named(word) == name
    assert "<pre" in html_of(town.letter("ann"))
    assert [line for line in letter.splitlines() if does_something(line)] == []


def test_every_command_that_can_be_written_has_help():
    words = {word.rstrip(":") for word in registry.tables().readers} | {
        phrase for phrase in registry.tables().phrases
        if phrase.isascii() and phrase in {"draw", "takeback", "games", "seeks", "yes", "no", "plan", "plan on", "open plans",
                                           "resign", "back", "partners", "robots", "puzzle", "hint", "settings", "stop", "export",
                                           "forget me", "letters", "test letter", "sign in", "wait", "rematch", "claim", "nudge",
                                           "pause", "cancel", "addresses", "recovery code"}
    }  # fmt: skip
    assert [word for word in sorted(words) if not topic_named(word)] == []


def commands_shown(name, language):
    """The lines that a page of help shows in a language, but for those that name what to fill in."""
    with in_language(language):
        filled = {
            _("your move"),
            _("any other sentence"),
            _("say: c3/f2=B was strong"),
            _("report ann WORDS"),
            _("recover CODE"),
        }
        examples = [_(line.example) for line in lines_of(name)]
        shown = [line for line in examples if line not in filled and "…" not in line]
    return [line for row in shown for line in ([row] if "if " in row or row.endswith("30") else row.split(", "))]


@LANGUAGE
@pytest.mark.parametrize("name", TOPICS)
def test_every_line_that_a_page_shows_is_a_command_and_the_same_in_every_language(name, language):
    english, shown = commands_shown(name, "en"), commands_shown(name, language)
    read = [parse_commands([line])[0] for line in shown]
    assert [line for line, one in zip(shown, read, strict=True) if isinstance(one, (Other, InvalidCommand))] == []
    assert list(map(type, read)) == [type(parse_commands([line])[0]) for line in english]


@pytest.mark.parametrize("line, sentence", [
    ("help plnas", "There is no help about “plnas”. Did you mean “plans”? You can write help and one of these: begin, moves"),
    ("help chessboard", "There is no help about “chessboard”. You can write help and one of these:"),
], ids=str)  # fmt: skip
def test_what_there_is_no_help_about_is_answered_with_the_topics(town, line, sentence):
    town.join("ann")
    assert sentence in " ".join(answer_to(town, line).split())
    assert sentence in " ".join(answer_to(town, line, "stranger").split())


def test_somebody_who_has_not_joined_reads_how_to_join_and_the_topics(town):
    text = answer_to(town, "help", "stranger")
    assert "join YOURNAME" in text and "· help moves – playing a move" in text
    assert "· draw" in answer_to(town, "help offers", "stranger")


@LANGUAGE
def test_what_a_letter_of_help_or_rules_offers_can_be_written_in_reply_to_it(town, language):
    town.join("ann", language=language)
    for line in ("help", "help plans", "rules", "rules duel", "rules duel walking", "rules duel board"):
        before = len(town.letters("ann"))
        outcome = town.answer(town.letter("ann"), line) if before else town.mail("ann@example.org", DOOR, line)
        assert outcome.startswith("done") and len(town.letters("ann")) == before + 1, (line, outcome)
        assert ("· " if "help" in line else "==") in text_of(town.letter("ann")) or line == "rules", line
    assert town.answer(town.letter("ann"), "seek duel board=sun").startswith("done")


def test_help_for_a_command_answers_in_a_game_and_says_nothing_to_the_opponent(town):
    town.join("ann", "bob")
    town.match()
    town.answer(town.letter("ann"), "help draw")
    assert "offer a draw, or accept one" in text_of(town.letter("ann"))
    assert [letter for letter in town.letters("bob") if "help" in text_of(letter).split("You can")[0]] == []


@pytest.mark.parametrize("line, command", [
    ("help", Help()), ("help me", Help()), ("Help, please", Help()), ("help moves", Help("moves")),
    ("aiuto mosse", Help("mosse")), ("help me to understand this", Other("help me to understand this")),
    ("helping hands", Other("helping hands")), ("help!", Help()), ("help DRAW", Help("draw")),
], ids=str)  # fmt: skip
def test_help_is_read_where_it_asks_and_talk_stays_talk(line, command):
    (read,) = parse_commands([line])
    assert read == type(read)(
        **{**{name: getattr(command, name) for name in command.__dataclass_fields__}, "written": line}
    )
