"""Letters say what is true of their reader: no example that would fail, no words for nobody, no word of another language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from sqlmodel import select

from correspondence.commands.pace import read_pace
from correspondence.community import erasure
from correspondence.core import db
from correspondence.core.i18n import LANGUAGES, in_language
from correspondence.core.time_control import pace
from correspondence.models import LetterState, Offer, OfferKind, OfferState
from correspondence.outbound.delivery_log import mails_about, outcome_sentence
from engines import GAMES
from engines.options import read_options
from engines.wording import _
from tests.outgoing import letter
from tests.post import html_of, text_of
from tests.test_translations import sentences

ROOT = Path(__file__).resolve().parent.parent
ODD = "lots suiting fellow fellows doorkeeper tongues rejoinder respite shelf manners prey plies solver".split()
"""Words of the makers among themselves, which nobody else can understand."""


@pytest.fixture
def pair(town):
    town.join("ann", "bob")
    return town


def last(town, name):
    return " ".join(text_of(town.letter(name)).split())


def reply(town, name, body):
    """An answer to the newest letter to somebody that came from a game."""
    return town.answer(next(one for one in reversed(town.letters(name)) if one["List-Id"]), body)


def open_offers(town):
    with db.reading(town.engine) as session:
        return {offer.kind for offer in session.exec(select(Offer)) if offer.state == OfferState.OPEN}


def first_sentence(town, name):
    """The first paragraph of the newest letter to somebody, on one line."""
    return " ".join(text_of(town.letter(name)).strip().partition("\r\n\r\n")[0].split())


def test_the_first_sentence_of_a_turn_says_what_was_played_and_by_when_to_move(pair):
    number = pair.match("duel")
    assert first_sentence(pair, "ann").startswith(
        "Your game with bob begins, and you move first. Your move is due by Tue"
    )
    pair.play(number, "ann", "3@a1")
    assert first_sentence(pair, "bob") == "ann played 3@a1. Your move is due by Tue 1 Dec, 12:00 UTC."


@pytest.mark.parametrize(
    ("loser", "sentence"), [("ann", "You resigned, so bob won."), ("bob", "You won: bob resigned.")]
)
def test_the_first_sentence_of_a_result_says_who_won_and_why(pair, loser, sentence):
    number = pair.match("duel")
    pair.resign(number, loser)
    assert first_sentence(pair, "ann") == sentence


@pytest.mark.parametrize(("game", "has_proof"), [("duel", False), ("proteus-dice roulette=after", True)])
def test_only_a_game_with_chance_has_its_proof_in_letters_and_at_their_end(pair, game, has_proof):
    pair.agree("ann", f"challenge bob {game}")
    text = text_of(pair.letter("bob"))
    assert ("fingerprint" in text) is has_proof and ("words: a walk" in text) is has_proof
    assert not has_proof or text.index("The rules:") < text.index("fingerprint")


# -- the first letter ----------------------------------------------------------------


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_the_line_in_the_letter_of_welcome_works_for_whoever_gets_it(town, name):
    town.mail(f"{name}@example.org", "play@games.example", f"join {name}")
    town.answer(town.letter(name), "yes")
    welcome = town.letter(name)
    line = re.search(r"Write for example: (.+)", text_of(welcome))[1]
    assert town.answer(welcome, line) == "done: seekpartner"
    assert "is open until" in last(town, name)


def test_letters_and_the_front_page_name_the_address_of_the_service(town, world):
    town.mail("ann@example.org", "play@games.example", "join ann")
    assert 'href="mailto:play@games.example"' in html_of(town.letter("ann"))
    town.answer(town.letter("ann"), "yes")
    assert "write to play@games.example." in text_of(town.letter("ann"))
    assert 'href="mailto:play@localhost"' in world.client().get("/").text


# -- words of the games --------------------------------------------------------------


def test_a_puzzle_says_that_one_plays_alone_and_names_no_seat(pair, world):
    pair.agree("ann", "puzzle")
    assert "You play alone." in last(pair, "ann") or GAMES["duel-puzzle"].presentation.alone in last(pair, "ann")
    assert "Solver" not in text_of(pair.letter("ann")) + html_of(pair.letter("ann"))
    assert reply(pair, "ann", "What a nice evening.") == "done: nothing to do"
    assert "nobody would read that" in last(pair, "ann")


def test_before_a_tile_is_in_force_the_note_says_so_in_one_word():
    game = GAMES["proteus-tiles"]
    start = game.start(read_options(game.Options, {}))
    assert start.draw().notes == ("no tile is in force yet",)
    with in_language("it"):
        assert start.draw().notes == ("nessuna tessera è ancora in vigore",)


def test_a_pace_in_hours_is_told_in_days_where_it_is_days(pair):
    pair.agree("ann", "seek duel 48 hours")
    assert "(2 days a move)" in last(pair, "ann")
    assert pace(read_pace("48 hours")) == "2 days a move"


def test_no_sentence_for_people_holds_a_word_of_the_makers():
    forms = ([sentence] if isinstance(sentence, str) else sentence for sentence in sentences())
    texts = [text for each in forms for text in each if text != "Solver"]
    assert [text for text in texts if set(re.findall(r"[a-z]+", text.casefold())) & set(ODD)] == []


def test_every_sentence_stands_where_the_translators_find_it():
    """A sentence inside the braces of another string is not found, and stays English for everybody."""
    inside = []
    for folder in ("correspondence", "engines"):
        for file in (ROOT / folder).rglob("*.py"):
            strings = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.JoinedStr))
            calls = (node for one in strings for node in ast.walk(one) if isinstance(node, ast.Call))
            inside += [
                f"{file.name}:{call.lineno}"
                for call in calls
                if isinstance(call.func, ast.Name)
                and call.func.id in ("_", "N_", "ngettext")
                and isinstance(call.args[0], ast.Constant)
            ]
    assert inside == []


def test_the_letter_at_the_end_is_in_its_readers_language_to_the_last_word(town):
    town.join("ann", "bob", language="it")
    number = town.match()
    town.open(number)
    town.wait(days=40)
    text = last(town, "ann")
    assert "Il tuo rating" in text and "È ancora provvisorio." in text
    assert "question" not in text


# -- what happened to letters and mails ----------------------------------------------


def test_nobody_is_told_under_which_number_a_mail_server_keeps_their_letter():
    for text in (
        outcome_sentence(letter(state=LetterState.SENT, answer="250 2.0.0 Ok: queued as 4XyZ12abc")),
        outcome_sentence(
            letter(state=LetterState.SENT, answer="250 OK id=1tE-00-7", bounce="hard", bounce_words="no such user")
        ),
    ):
        assert "250" not in text
        assert "4XyZ12abc" not in text
        assert "1tE" not in text


def test_what_became_of_a_mail_is_told_in_the_readers_language(pair):
    number = pair.match()
    pair.answer(pair.letter("ann"), "c3/f2=B")
    with db.reading(pair.engine) as session, in_language("it"):
        assert mails_about(session, number, pair.person(session, "ann").id)[0].outcome == "Letta: mossa giocata."


# -- those who have left --------------------------------------------------------------


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_no_letter_invites_words_to_a_member_who_has_left(town, language):
    town.join("ann", "bob", language=language)
    number = town.match()
    town.open(number)
    with db.transaction(town.engine) as session:
        erasure.forget(session, town.person(session, "bob"), now=town.time)
    town.deliver()
    with in_language(language):
        invited = [
            _("For a rematch, reply with rematch. Anything else you write goes to %(opponent)s."),
            _("Any other sentence goes to %(opponent)s."),
        ]
        heads = [text.partition("%(")[0] for text in invited]
        end, finished = last(town, "ann"), town.letter("ann")
        reply(town, "ann", "Thank you for the game, it was a pleasure.")
        refusal = last(town, "ann")
        assert _("Your opponent no longer plays here, so nobody would read that.") in refusal
        reply(town, "ann", "show")
    texts = (end, refusal, last(town, "ann"), html_of(finished))
    assert not any(head in text for head in heads for text in texts)
    assert town.stand(number).ended_at is not None


def test_whoever_is_still_there_can_be_written_to_after_the_game(pair):
    number = pair.match()
    pair.open(number)
    pair.wait(days=40)
    assert "For a rematch, reply with rematch. Anything else you write goes to bob." in last(pair, "ann")
    assert "ann, you played White." in last(pair, "ann")


# -- several things at once ------------------------------------------------------------


def test_a_line_of_several_moves_says_which_of_them_failed(pair):
    pair.match()
    reply(pair, "ann", "preview c3/f2=B c6/a7=B zz9")
    assert "Move 3 of the line, “zz9”: " in last(pair, "ann")
    reply(pair, "ann", "preview c3/f2=Q")
    assert "of the line" not in last(pair, "ann") and "f2" in last(pair, "ann")


@pytest.mark.parametrize("word", ["accept", "decline"])
def test_of_two_offers_a_bare_answer_asks_which(pair, word):
    number = pair.match()
    pair.open(number)
    reply(pair, "ann", "draw")
    reply(pair, "ann", "pause 3 days")
    reply(pair, "bob", word)
    assert f"Please say which: {word} draw or {word} pause." in last(pair, "bob")
    assert open_offers(pair) == {OfferKind.DRAW, OfferKind.PAUSE}


def test_an_answer_that_names_an_offer_is_about_that_one(pair):
    number = pair.match()
    pair.open(number)
    reply(pair, "ann", "draw")
    reply(pair, "ann", "pause 3 days")
    reply(pair, "bob", "decline the draw")
    assert open_offers(pair) == {OfferKind.PAUSE}
    reply(pair, "bob", "accept takeback")
    assert "No such offer of your opponent is waiting" in last(pair, "bob")
    reply(pair, "bob", "accept")
    assert open_offers(pair) == set() and "The pause has begun" in last(pair, "bob")


def test_a_percentage_is_written_without_a_blank():
    every = [one for text in sentences() for one in ([text] if isinstance(text, str) else text) if one]
    assert [text for text in every if re.search(r"[0-9})s] %(?:%|[ .,;]|$)", text)] == []
