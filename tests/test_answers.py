"""Answers to letters that ask: ordinary words act, words with a condition never do, and nobody meets silence."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.commands.answer_reading import ChosenNumber, Mistake, No, NotAnAnswer, Question, Yes, read_answer
from correspondence.commands.answer_topics import (
    ADDRESS,
    CHALLENGE,
    CHOICES,
    DRAW,
    FORGET,
    JOIN,
    PAUSE,
    PROPOSAL,
    RENEW,
    RESIGN,
    TAKEBACK,
    UNDO,
)
from correspondence.core import db
from correspondence.play import offers
from tests.post import text_of
from tests.questions import ASKED, IN_GAMES, OF_OFFERS, PRIVATE, choice, seek_states, talk_in

# -- the reader ------------------------------------------------------------------------

YES = {
    "en": ["yes", "Yes", "YES", "y", "yep", "ok", "Okay", "sure", "accept", "I accept", "accepted", "I agree", "agreed",
           "ok accept", "yes yes", "yes I do", "of course", "with pleasure"],
    "it": ["sì", "Si", "accetto", "va bene", "d'accordo", "certo", "volentieri"],
    "de": ["ja", "Ja gerne", "einverstanden", "ich nehme an", "angenommen", "natürlich"],
    "fr": ["oui", "j'accepte", "d'accord", "bien sûr", "volontiers"],
    "es": ["sí", "acepto", "de acuerdo", "vale", "claro que sí", "por supuesto"],
}  # fmt: skip
ELSEWHERE = {
    "fi": ("Joo, totta kai!", "Ei kiitos.", "joo, mutta vain huomenna"),
    "cs": ("Ano, přijímám.", "Ne, díky", "ano, ale jen zítra"),
    "sk": ("Áno, súhlasím!", "Nie, ďakujem", "áno, ak začneš"),
    "tr": ("Evet, kabul ediyorum. Saygılar", "Hayır, teşekkürler", "evet ama yarın"),
    "el": ("Ναι, δέχομαι!", "Όχι, ευχαριστώ", "ναι, αλλά αύριο"),
    "uk": ("Так, звичайно!", "Ні, дякую", "так, але завтра"),
    "ro": ("Da, accept, mulțumesc!", "Nu, mulțumesc", "da, dar mâine"),
    "nb": ("Ja, gjerne!", "Nei takk", "ja, men bare i morgen"),
    "da": ("Ja, selvfølgelig", "Nej tak", "ja, men kun i morgen"),
    "ca": ("Sí, accepto", "No, gràcies", "sí, però demà"),
    "pl": ("Tak, chętnie zagram!", "Nie, dziękuję", "tak, ale jutro"),
    "nl": ("Ja, graag! Groetjes", "Nee, bedankt", "ja, maar morgen"),
    "ja": ("はい、承諾します。", "いいえ、結構です。", "はい、でも明日"),
    "zh": ("好的,接受", "不用了,谢谢", "好的,但是明天"),
    "ko": ("네, 좋아요!", "아니요, 감사합니다", "네, 하지만 내일"),
    "ru": ("Да, согласен!", "Нет, спасибо", "да, но завтра"),
    "pt": ("Sim, aceito!", "Não, obrigado", "sim, mas amanhã"),
    "hu": ("Igen, elfogadom!", "Nem, köszönöm", "igen, de holnap"),
    "sv": ("Ja, gärna!", "Nej tack", "ja, men bara i morgon"),
}  # fmt: skip
"""A yes, a no and a yes with a condition in the languages of people to whom we write in others."""
NO = {
    "en": ["no", "No", "nope", "n", "no thanks", "No, sorry", "decline", "I decline", "not now"],
    "it": ["no", "no grazie", "rifiuto", "non ora"],
    "de": ["nein", "Nein danke", "lieber nicht", "ich lehne ab"],
    "fr": ["non", "non merci", "je refuse", "pas maintenant"],
    "es": ["no", "no gracias", "rechazo", "ahora no"],
}
COURTESIES = {
    "en": ["", "Hello,\n", "Hi Bob!\n\n", "Thanks for asking!\n", "Thank you for the kind offer, ", "Good morning. "],
    "it": ["", "Ciao!\n", "Grazie per l'invito.\n", "Buongiorno,\n"],
    "de": ["", "Hallo!\n", "Guten Tag,\n\n", "Danke für die Nachricht!\n"],
    "fr": ["", "Bonjour,\n", "Merci pour votre message.\n"],
    "es": ["", "Hola:\n", "Gracias por escribir.\n"],
}
ENDS = {
    "en": ["", " please", "\nThanks!", "\n\nBest regards,\nAnn Berg", "\nThanks, Ann", "\nCheers", ". Good luck!"],
    "it": ["", ", grazie", "\n\nSaluti\nAnna", " per favore"],
    "de": ["", ", danke", "\n\nViele Grüße\nAnna Berg", " bitte"],
    "fr": ["", ", merci", "\n\nCordialement,\nAnne", " s'il vous plaît"],
    "es": ["", ", gracias", "\n\nSaludos,\nAna", " por favor"],
}
SIGNS = ["", ".", "!", ",", "!!!", "…", " :)", " 👍", " 😀", ";", " 🙂🎉", ")"]
TOPICS = (CHALLENGE, RESIGN, DRAW, TAKEBACK, PAUSE, JOIN, ADDRESS, PROPOSAL, FORGET, RENEW)
SPOILT = [
    "{} if you play white", "{} but only unrated", "{}, unless it rains", "{}?", "not {}", "{} and no", "{} 👎",
    "{}\nBut I would like longer time.", "{}. What is the weather like?", "Perhaps {}", "{} se giochi tu",
    "{} wenn du willst", "{} si tu veux", "{} pero solo mañana", "I cannot say {}", "{} except on Sundays",
    "{} 7 days", "{}\nI went to the market and bought apples.", "{}, once you tell me more", "{}\nThanks\nbut not rated",
    "I went to the market.\n{}", "Nice weather here in Rome!\n\n{}", "{}\n\nI would rather play Plateau some day.",
]  # fmt: skip


@st.composite
def wordings(draw, table):
    """An answer in one language, with courtesies before, a sign behind, and courtesies at the end."""
    language = draw(st.sampled_from(sorted(table)))
    parts = [draw(st.sampled_from(rows[language])) for rows in (COURTESIES, table, ENDS)]
    core = draw(st.sampled_from([str, str.upper, str.title, lambda word: f"*{word}*", lambda word: f"“{word}”"]))(
        parts[1]
    )
    return f"{parts[0]}{core}{draw(st.sampled_from(SIGNS))}{parts[2]}"


def question(topic):
    return Question(topic, number=7, names=frozenset({"ann", "berg", "bob"}))


@given(st.sampled_from(TOPICS), wordings(YES))
@settings(max_examples=600, deadline=None)
def test_a_yes_in_ordinary_words_is_a_yes(topic, words):
    assert isinstance(read_answer(question(topic), words), Yes)


@given(st.sampled_from(TOPICS), wordings(NO))
@settings(max_examples=600, deadline=None)
def test_a_no_in_ordinary_words_is_a_no(topic, words):
    assert isinstance(read_answer(question(topic), words), No)


@given(
    st.sampled_from(TOPICS),
    st.sampled_from([word for table in (YES, NO) for words in table.values() for word in words]),
    st.sampled_from(SPOILT),
)
@settings(max_examples=600, deadline=None)
def test_a_condition_a_negation_or_prose_makes_it_no_answer(topic, words, spoilt):
    assert not isinstance(read_answer(question(topic), spoilt.format(words)), Yes)


THANKED = {
    "en": ("thanks for", ["asking", "the kind offer", "inviting me", "the game", "your patience", "thinking of me"]),
    "it": ("grazie per", ["l'invito", "la bella partita", "la tua proposta", "avermi invitato"]),
    "de": ("danke für", ["die Einladung", "das nette Angebot", "deine Geduld"]),
    "fr": ("merci pour", ["l'invitation", "ta gentille proposition", "tout"]),
    "es": ("gracias por", ["invitarme", "la partida", "tu paciencia"]),
}
TOLD = {
    "en": ["telling me", "letting me know", "the update", "the reminder", "the heads up", "your message", "that news"],
    "it": ["avermelo detto", "l'informazione", "il tuo messaggio", "avermi avvisato"],
    "de": ["die Info", "die Erinnerung", "deine Nachricht", "den Hinweis"],
    "fr": ["l'information", "le rappel", "ton message", "m'avoir prévenu"],
    "es": ["avisar", "la información", "el mensaje", "contarme"],
}


@given(st.sampled_from(TOPICS), st.sampled_from(sorted(TOLD)), st.sampled_from([" ", ", ", ". ", "! "]), st.data())
def test_a_yes_beside_thanks_for_news_is_no_answer(topic, language, between, data):
    news, weak = data.draw(st.sampled_from(TOLD[language])), data.draw(st.sampled_from(["ok", *YES[language]]))
    words = f"{weak}{between}{THANKED[language][0]} {news}"
    answer = read_answer(question(topic), words)
    is_firm = isinstance(answer, Yes) and answer.is_firm
    assert isinstance(answer, NotAnAnswer) or is_firm, words


@given(st.sampled_from(TOPICS), st.sampled_from(sorted(THANKED)), st.data())
def test_a_yes_beside_thanks_for_what_was_offered_is_a_yes(topic, language, data):
    start, offered = THANKED[language]
    thanks, yes = f"{start} {data.draw(st.sampled_from(offered))}", data.draw(st.sampled_from(YES[language]))
    for words in (f"{yes}, {thanks}", f"{thanks}, {yes}", f"{thanks}.\n{yes}", f"{yes} {thanks}"):
        assert isinstance(read_answer(question(topic), words), Yes), words


@pytest.mark.parametrize("language", ELSEWHERE)
@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_people_answer_in_their_own_language(topic, language):
    yes, no, condition = ELSEWHERE[language]
    assert isinstance(read_answer(question(topic), yes), Yes)
    assert isinstance(read_answer(question(topic), no), No)
    assert isinstance(read_answer(question(topic), condition), NotAnAnswer)


@pytest.mark.parametrize(("words", "answer"), [
    ("yesss!", Yes), ("Jaaaa gerne", Yes), ("sììì", Yes), ("Nooo!", No), ("okkkk", Yes), ("Yes ma'am", Yes),
    ("Sure, no problem", Yes), ("Yes, sounds like fun!", Yes), ("I'm afraid I have to decline, too busy.", No),
    ("Sorry, I'll pass this time.", No), ("Nein, diesmal leider nicht", No), ("Avec grand plaisir !", Yes),
    ("Ok, but I'm too busy", NotAnAnswer), ("No problem", NotAnAnswer), ("ok, I'll pass", NotAnAnswer),
    ("right?", NotAnAnswer), ("That's right, yes", Yes), ("yes, too busy", NotAnAnswer),
    ("Sure, why not?", Yes), ("Warum nicht?", Yes), ("Pourquoi pas ?", Yes), ("Perché no?", Yes), ("¿Por qué no?", Yes),
    ("No, why?", NotAnAnswer), ("yes?", NotAnAnswer), ("Yes, why not today?", NotAnAnswer),
    ("no thank you, maybe later", No), ("Sorry, I don't have time", No), ("That works for me", Yes),
    ("It's a yes from me!", Yes), ("I'm happy to accept", Yes), ("Ovviamente!", Yes), ("Accetto l'offerta", Yes),
    ("I disagree", No), ("I don't agree", No), ("Never!", No), ("Sorry, can't", No), ("I will decline", No),
    ("Adesso no", No), ("Magari un'altra volta", No), ("no thanx", No), ("I never said yes", NotAnAnswer),
    ("I can't wait", NotAnAnswer), ("Yes, can't wait!", Yes), ("yes, never better", NotAnAnswer),
])  # fmt: skip
def test_spoken_ways_of_answering_are_understood(words, answer):
    for topic in (CHALLENGE, PAUSE, JOIN, PROPOSAL):
        assert isinstance(read_answer(question(topic), words), answer)


@given(st.sampled_from((*TOPICS, UNDO, CHOICES)), st.text())
def test_whatever_is_written_is_read(topic, words):
    read_answer(Question(topic, choices=3), words)


@pytest.mark.parametrize(("topic", "words"), [
    (CHALLENGE, "let's play"), (CHALLENGE, "I accept your challenge"), (CHALLENGE, "accept challenge 7"),
    (CHALLENGE, "Ich nehme die Herausforderung an"), (RESIGN, "Yes, I resign"), (RESIGN, "I resign"),
    (RESIGN, "Ja, ich gebe auf"), (RESIGN, "sì, mi arrendo"), (DRAW, "I accept the draw"), (DRAW, "draw"),
    (DRAW, "I'll take the draw"), (JOIN, "Sì, partecipo"), (CHALLENGE, "Grazie dell'invito, accetto"), (DRAW, "accetto la patta"),
    (TAKEBACK, "takeback"), (TAKEBACK, "allow it"), (PAUSE, "I agree to the pause"),
    (FORGET, "Yes, delete my account"), (JOIN, "yes, sign me up"), (RENEW, "renew it"), (UNDO, "Undo, please!"),
    (ADDRESS, "yes, that's me"), (PROPOSAL, "yes, do it"), (CHALLENGE, "I'm ready"), (CHALLENGE, "Would love to play!"),
    (DRAW, "A draw is fine"), (DRAW, "Remis ist ok"), (TAKEBACK, "ok, you can have it back"), (JOIN, "Sì, voglio giocare"),
    (TAKEBACK, "Don't worry, take it back"), (ADDRESS, "Yes, it is also mine"), (PROPOSAL, "Sì, sono stato io"),
    (JOIN, "Yes, I asked for that"), (CHALLENGE, "your terms are fine"),
])  # fmt: skip
def test_what_was_asked_may_be_named(topic, words):
    assert isinstance(read_answer(question(topic), words), Yes)


@pytest.mark.parametrize(("topic", "words"), [
    (DRAW, "Let's play on"), (DRAW, "No draw, let's play on"), (DRAW, "Preferisco continuare"), (RESIGN, "no, I play on"),
    (CHALLENGE, "I do not accept"), (CHALLENGE, "Unfortunately I have to decline"), (CHALLENGE, "Declino l'invito"),
])  # fmt: skip
def test_a_refusal_may_be_worded_by_its_topic(topic, words):
    assert isinstance(read_answer(question(topic), words), No)


@pytest.mark.parametrize(("topic", "words"), [
    (RESIGN, "keep playing"), (RESIGN, "No, I want to keep playing"), (RESIGN, "I do not resign"), (RESIGN, "Non mi arrendo"),
    (RESIGN, "Ich gebe nicht auf"), (RESIGN, "Je n'abandonne pas"), (RESIGN, "No me rindo"), (DRAW, "nessuna patta"),
    (TAKEBACK, "sorry no take-backs"), (TAKEBACK, "nicht erlaubt"), (ADDRESS, "not mine"), (ADDRESS, "This is not my address"),
    (PROPOSAL, "That was not me!"), (PROPOSAL, "I didn't send that"), (JOIN, "No, I never asked for that"),
    (JOIN, "Non sono stato io"), (FORGET, "no, keep my account"), (CHALLENGE, "Ich nehme nicht an"),
    (CHALLENGE, "je n'accepte pas"), (CHALLENGE, "No acepto"), (CHALLENGE, "não aceito"), (CHALLENGE, "Keine Zeit, sorry"),
    (CHALLENGE, "Non posso, mi spiace"), (CHALLENGE, "لا"), (CHALLENGE, "לא תודה"),
])  # fmt: skip
def test_the_topic_may_be_negated(topic, words):
    assert isinstance(read_answer(question(topic), words), No)


@pytest.mark.parametrize(("words", "answer"), [
    ("accpet", Yes), ("Acept!", Yes), ("I acccept", Yes), ("declien", No), ("acetto", Yes), ("ablehenn", No),
    ("except", NotAnAnswer), ("accent", NotAnAnswer), ("not accpet", NotAnAnswer), ("accpet?", NotAnAnswer),
])  # fmt: skip
def test_an_obvious_typo_of_an_answer_is_that_answer(words, answer):
    assert isinstance(read_answer(question(CHALLENGE), words), answer)


@pytest.mark.parametrize(("topic", "words"), [
    (RESIGN, "You resign!"), (RESIGN, "Will you resign"), (RESIGN, "You will really resign"), (DRAW, "you draw"),
    (CHALLENGE, "I start"), (CHALLENGE, "I want to begin"), (CHALLENGE, "I want to play another game"),
    (CHALLENGE, "you accept"), (CHALLENGE, "نعم؟"),
])  # fmt: skip
def test_what_the_other_side_or_another_game_is_to_do_is_no_answer(topic, words):
    assert isinstance(read_answer(question(topic), words), NotAnAnswer)


@pytest.mark.parametrize("below", [
    "sorry, wrong: no", "PS: but unrated", "Ann\n\nActually, wait until Monday", "Unfortunately only unrated",
    "Ann\nSorry, I changed my mind", "Anna\nAnzi, aspetta domani", "Ann\n\nDas heißt, nur ohne Wertung",
])  # fmt: skip
def test_a_condition_anywhere_below_a_closing_phrase_retracts_the_answer(below):
    for words in ("yes\nThanks", "accept\nCheers"):
        assert isinstance(read_answer(question(CHALLENGE), f"{words}\n{below}"), NotAnAnswer)


@pytest.mark.parametrize("below", [
    "I can't wait", "Ann Berg - Acme Ltd", "No problem at all!", "Ann\nNon vedo l'ora", "Ann\n\nThis will be a good game",
])  # fmt: skip
def test_courtesies_below_a_closing_phrase_retract_nothing(below):
    assert isinstance(read_answer(question(CHALLENGE), f"accept\nCheers\n{below}"), Yes)


@pytest.mark.parametrize("words", [
    "👍", "👍👍 🎉", ":)", "", "Thanks!", "Hello Bob", "accept 8", "yes 👎", "I resign myself to losing", "no way yes",
    "accept bob@example.org", "yes\nTomorrow, perhaps", "Regards\nAnn", "1", "+1", "😀 1️⃣",
])  # fmt: skip
def test_an_emoji_or_courtesy_alone_is_no_answer(words):
    for topic in (CHALLENGE, RESIGN, DRAW):
        assert isinstance(read_answer(question(topic), words), NotAnAnswer), (topic.name, words)


@pytest.mark.parametrize("words", [
    "2", "2,", "2.", "(2)", "#2", "2 😀", "My move: 2", "Thanks!\n2", "2\nThanks!\nAnn", "number 2", "two please",
    "２", "The second one", "second!", "la seconda", "Das zweite, bitte", "le deuxième",
    "la segunda", "I choose 2", "ok, 2", "2 2", "Option 2!", "Nummer 2, bitte", "la 2, grazie", "Hi Bob,\n2",
])  # fmt: skip
def test_a_number_in_ordinary_words_is_a_choice(words):
    assert read_answer(Question(CHOICES, choices=3, names=frozenset({"ann"})), words) == ChosenNumber(2)


@pytest.mark.parametrize(
    "words",
    [
        "2️⃣",
        "1 or 2",
        "2 if it is legal",
        "2\nbut wait",
        "no 2",
        "2?",
        "2b",
        "1.2",
        "+2",
        "not 2",
        "not the second one",
        "first or second",
        "In the second game I won",
    ],
)
def test_a_number_with_other_words_is_no_choice(words):
    assert isinstance(read_answer(Question(CHOICES, choices=3), words), NotAnAnswer)


@pytest.mark.parametrize("words", ["that was a mistake", "Sorry, that was a mistake!", "Oops", "è stato un errore",
                                   "Das war ein Versehen.", "C'était une erreur", "fue un error, perdón"])  # fmt: skip
def test_a_mistake_is_known_in_every_language(words):
    assert read_answer(question(CHALLENGE), words) == Mistake()


# -- by mail ---------------------------------------------------------------------------


def some(table, seed):
    """Wordings of a table, other ones for each seed but the same each time."""
    pick = random.Random(seed)
    made = []
    for language in table:
        courtesy, core, end = (pick.choice(rows[language]) for rows in (COURTESIES, table, ENDS))
        made.append(f"{courtesy}{core}{pick.choice(SIGNS)}{end}")
    return made


@pytest.mark.parametrize(
    ("kind", "words"), [(kind, words) for kind in ASKED for words in ("Thanks!\nyes", "ok", "y", *some(YES, kind))]
)
def test_ordinary_words_do_what_the_letter_asked(town, kind, words):
    case = ASKED[kind](town)
    case.answer(words)
    assert case.is_done(), text_of(town.received[-1])
    assert talk_in(town) == []


@pytest.mark.parametrize("kind", ASKED)
def test_other_words_never_act_and_are_always_answered(town, kind):
    case = ASKED[kind](town)
    for words in [spoilt.format(pick) for spoilt, pick in zip(SPOILT, ["accept", "yes", "ok"] * 9, strict=False)]:
        town.received.clear()
        town.wait(hours=3)
        outcome = case.answer(words)
        writer = str(case.letter["To"])
        assert not case.is_done(), words
        assert [one for one in town.received if str(one["To"]) == writer], (words, outcome)
        if kind not in IN_GAMES:
            assert talk_in(town) == [], words


@pytest.mark.parametrize("kind", PRIVATE)
@pytest.mark.parametrize("words", ["What does this mean?", "👍", "Thanks!", "I am not sure, bob plays well", "yes?"])
def test_private_words_go_nowhere_and_come_back_with_the_question(town, kind, words):
    case = ASKED[kind](town)
    town.received.clear()
    case.answer(words)
    [letter] = town.received
    assert str(letter["To"]) == str(case.letter["To"]) and f"> {words}" in text_of(letter)
    assert not case.is_done() and talk_in(town) == []
    town.answer(letter, "yes")
    assert case.is_done()


@pytest.mark.parametrize("kind", OF_OFFERS)
@pytest.mark.parametrize("words", ["no thanks", "No, sorry", "Thanks for asking, but no.", "nein danke"])
def test_an_offer_is_declined_in_ordinary_words_and_both_are_told(town, kind, words):
    case = ASKED[kind](town)
    town.received.clear()
    case.answer(words)
    assert case.is_declined() and not case.is_done()
    assert "declined" in text_of(town.letter("ann")) and "declined" in str(town.letter("bob")["Subject"])


@pytest.mark.parametrize("kind", OF_OFFERS)
def test_what_was_declined_by_mistake_is_open_again_for_an_hour(town, kind):
    case = ASKED[kind](town)
    case.answer("no thanks")
    town.received.clear()
    town.wait(minutes=50)
    town.answer(town.letter("ann") if town.letters("ann") else case.letter, "Sorry, that was a mistake!")
    assert seek_states(town)[-1] == "open"
    assert "open again" in text_of(town.letter("ann")) and "by mistake" in text_of(town.letter("bob"))
    case.answer("no thanks")
    assert case.is_declined() and "declined" in str(town.letter("bob")["Subject"])


@pytest.mark.parametrize("kind", OF_OFFERS)
def test_after_an_hour_a_mistake_stands(town, kind):
    case = ASKED[kind](town)
    case.answer("no thanks")
    town.wait(minutes=61)
    case.answer("that was a mistake")
    assert case.is_declined() and "within the last hour" in text_of(town.letter("ann"))


@pytest.mark.parametrize("kind", IN_GAMES)
@pytest.mark.parametrize("words", ["no thanks", "I decline", "nein danke"])
def test_an_offer_in_a_game_is_declined_in_ordinary_words(town, kind, words):
    case = ASKED[kind](town)
    case.answer(words)
    assert case.is_declined()
    assert not case.is_done()
    assert talk_in(town) == []


@pytest.mark.parametrize("kind", IN_GAMES)
def test_talk_in_reply_to_an_offer_is_passed_on_and_the_offer_stands(town, kind):
    case = ASKED[kind](town)
    town.received.clear()
    case.answer("How is the weather in your town?")
    assert talk_in(town) == ["How is the weather in your town?"]
    answer = " ".join(text_of(town.letter("bob")).split())
    assert "Passed on to your opponent" in answer and "still waits for your answer" in answer
    case.answer("accept")
    assert case.is_done()


@pytest.mark.parametrize("kind", IN_GAMES)
@pytest.mark.parametrize("words", ["ok", "yes", "no", "Sure!"])
def test_a_bare_word_beside_an_offer_is_asked_about(town, kind, words):
    case = ASKED[kind](town)
    turn = next(one for one in reversed(town.letters("bob")) if text_of(one).startswith("ann played"))
    town.received.clear()
    town.answer(turn, words)
    assert not case.is_done()
    assert not case.is_declined()
    assert talk_in(town) == []
    assert "(1)" in text_of(town.letter("bob")) and f"> {words}" in text_of(town.letter("bob"))
    town.answer(town.letter("bob"), "1")
    assert case.is_done()


@pytest.mark.parametrize("kind", IN_GAMES)
@pytest.mark.parametrize("words", ["I accept", "agreed", "accept"])
def test_a_clear_word_beside_the_only_offer_takes_it(town, kind, words):
    case = ASKED[kind](town)
    turn = next(one for one in reversed(town.letters("bob")) if text_of(one).startswith("ann played"))
    town.answer(turn, words)
    assert case.is_done()


@pytest.mark.parametrize("kind", IN_GAMES)
@pytest.mark.parametrize(
    "words", ["accept\nif you give me a rematch", "The weather is nice in Rome.\naccept", "yes, but not now"]
)
def test_prose_beside_an_answer_to_a_turn_letter_never_takes_the_offer(town, kind, words):
    case = ASKED[kind](town)
    turn = next(one for one in reversed(town.letters("bob")) if text_of(one).startswith("ann played"))
    town.received.clear()
    town.answer(turn, words)
    assert not case.is_done()
    assert not case.is_declined()
    assert town.letters("bob")


def test_an_offer_dies_with_the_move_of_whoever_could_take_it(town):
    case = ASKED["draw"](town)
    town.play(1, "bob", "e6/a7=N")
    case.answer("I accept the draw")
    assert not case.is_done() and talk_in(town) == []
    assert "No offer of your opponent is waiting" in text_of(town.letter("bob"))


@pytest.mark.parametrize("minutes", [0, 1])
def test_the_question_whether_to_resign_dies_with_the_writers_move(town, minutes):
    case = ASKED["resign"](town)
    town.wait(minutes=minutes)
    town.play(1, "ann", "5@a2")
    case.answer("yes")
    assert town.stand(1).ended_at is None
    assert "You have moved since" in text_of(town.letter("ann"))


def test_the_question_whether_to_resign_dies_with_a_take_back(town):
    case = ASKED["resign"](town)
    town.wait(minutes=1)
    town.play(1, "ann", "5@a2")
    for name in ("ann", "bob"):
        with db.transaction(town.engine) as session:
            offers.offer_takeback(session, town.player(session, 1, name), now=town.time)
    assert town.moves(1) == []
    case.answer("yes")
    assert town.stand(1).ended_at is None
    assert "a move was taken back" in text_of(town.letter("ann"))


@pytest.mark.parametrize("words", ["1,", "1 😀", "My move: 1", "Thanks!\n1", "(1)", "1\n\nThanks\nAnn"])
def test_a_numbered_choice_is_taken(town, words):
    case = choice(town)
    case.answer(words)
    assert case.is_done() and talk_in(town) == []


@pytest.mark.parametrize("words", ["1 if it is good", "1\nbut ask me first", "1 or 2", "1️⃣", "yes", "1?"])
def test_a_doubtful_choice_is_asked_about_again(town, words):
    case = choice(town)
    town.received.clear()
    case.answer(words)
    assert not case.is_done() and town.letters("ann")


@pytest.mark.parametrize("kind", ASKED)
def test_only_words_above_the_quotation_answer(town, kind):
    case = ASKED[kind](town)
    quoted = "\n".join(f"> {row}" for row in text_of(case.letter).splitlines())
    for body in (f"{quoted}\n\nyes\n", f"What?\n\n{quoted}\n\nyes\n",
                 "Look at this\n\n---------- Forwarded message ----------\nFrom: eve\n\nyes\n"):  # fmt: skip
        case.answer(body)
        assert not case.is_done(), body


@pytest.mark.parametrize("kind", ASKED)
def test_nobody_else_answers(town, kind):
    case = ASKED[kind](town)
    town.answer(case.letter, "yes", sender="eve@evil.example")
    assert not case.is_done()


def test_a_second_answer_is_told_that_the_question_is_closed(town):
    case = ASKED["resign"](town)
    case.answer("no")
    town.received.clear()
    case.answer("yes")
    assert town.stand(1).ended_at is None and "no longer works" in text_of(town.letter("ann"))


# -- lines for us in the thread of a game ------------------------------------------------


@pytest.fixture
def duel(town):
    """Ann is to place a die."""
    town.join("ann", "bob")
    town.number = town.match("duel")
    town.turn = town.letter("ann")
    town.received.clear()
    return town


MEANT = {
    "challenge ann lines of action 3 days": "help challenge", "exercise duel": "help exercise", "quit": "resign",
    "time": "show", "board": "show", "Print.": "show", "moves": "history", "digest daily": "settings digest daily",
    "add address x@y.example": "address add x@y.example", "holiday 5 days": "away 5 days",
    "Draw offer": "draw", "offro patta": "draw", "propose a draw": "draw", "oops undo": "takeback", "undo my move": "takeback",
    "give up": "resign", "whose move?": "show", "pause for a week": "help pause", "ferie 5 giorni": "away 5 giorni",
    "web link": "sign in", "delete my account": "forget me",
    "stop all": "stop", "Urlaub 5 Tage": "away 5 Tage", "receipts off": "settings receipts off",
}  # fmt: skip


@pytest.mark.parametrize(("line", "meant"), MEANT.items())
def test_a_line_for_us_is_asked_about_and_not_told_to_the_opponent(duel, line, meant):
    duel.answer(duel.turn, line)
    assert talk_in(duel) == [] and f"(1) {meant}" in text_of(duel.letter("ann"))
    duel.answer(duel.letter("ann"), "2")
    assert talk_in(duel) == [line.replace("x@y.example", "…@…")]


@pytest.mark.parametrize(("line", "meant"), MEANT.items())
def test_a_line_that_is_nearly_a_command_names_the_right_one_at_the_desk(town, line, meant):
    town.join("ann", "bob")
    town.mail("ann@example.org", "play@games.example", line)
    assert meant in text_of(town.letter("ann"))


@pytest.mark.parametrize(
    "line", ["Rematch?", "I want a rematch!", "Another game?", "La rivincita?", "Noch eine Partie?"]
)
def test_a_wish_for_another_game_is_asked_about_after_a_result(duel, line):
    duel.resign(duel.number, "bob")
    duel.answer(duel.letter("ann"), line)
    assert talk_in(duel) == [] and "(1) rematch" in text_of(duel.letter("ann"))
    duel.answer(duel.letter("ann"), "1")
    assert len(seek_states(duel)) == 2


@pytest.mark.parametrize("line", [
    "Nice move!", "Show me your best!", "rules are rules", "talk soon", "I quit smoking", "time flies", "the board is full",
    "I challenge you", "match point", "I offer you my hand", "a draw would be a pity",
    "never give up", "your link is broken", "Help, I am lost", "you report to me", "see you in 5 days",
    "I am on holiday for 5 days",
])  # fmt: skip
def test_talk_that_only_mentions_commands_is_passed_on(duel, line):
    duel.answer(duel.turn, line)
    assert talk_in(duel) == [line]


def test_whoever_wants_receipts_is_told_that_talk_was_passed_on(town):
    town.join("ann", "bob", receipts=True)
    town.match("duel")
    turn = town.letter("ann")
    town.received.clear()
    town.answer(turn, "How is the weather?")
    answer = text_of(town.letter("ann"))
    assert "Passed on to your opponent" in answer and "still your turn" in answer


@pytest.mark.parametrize("words", ["yes", "Yes!", "no", "ok", "ja", "sì", "Yes, gladly.", "yes\nTomorrow suits me."])
def test_an_answer_to_talk_is_passed_on_where_no_offer_waits(town, words):
    town.join("ann", "bob", receipts=True)
    town.match("duel")
    town.answer(town.letter("ann"), "Shall we play faster?")
    town.wait(minutes=10)
    question = town.letter("bob")
    town.received.clear()
    town.answer(question, words)
    assert words.splitlines() == talk_in(town)[-1].splitlines()
    assert "Passed on to your opponent." in text_of(town.letter("bob"))


def test_a_yes_to_talk_takes_no_offer_that_waits_unasked(town):
    town.join("ann", "bob")
    number = town.match("duel")
    turn = town.letter("ann")
    town.answer(turn, "Shall we play faster?")
    town.wait(minutes=10)
    question = town.letter("bob")
    town.answer(turn, "draw")
    town.answer(question, "yes")
    assert talk_in(town) == ["Shall we play faster?"]
    assert town.stand(number).ended_at is None
    assert "accept the draw" in text_of(town.letter("bob"))
