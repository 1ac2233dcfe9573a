"""What programs put into a mail in a person's name is no answer and no talk: reactions, warnings, signatures."""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.core import db, tokens
from correspondence.mime.replytext import parts, read_reply
from tests.post import reply_address, text_of
from tests.questions import ASKED, choice
from tests.replies.clients import read_body

MOVE = "c3/f2=B"
NAME = "Ann Berg"
OURS = "bob via Correspondence <play@games.example>"


def acts(line):
    return line.strip() == MOVE


def mail(text, name=NAME):
    message = EmailMessage()
    message["From"] = f"{name} <ann@example.org>" if name else "ann@example.org"
    message.set_content(text)
    return message


def written(text, name=NAME):
    """What of a plain mail is taken for the writer's words."""
    return read_reply(mail(text, name).as_bytes(), (OURS,), acts).text


# -- reactions, calendars, protected mail ---------------------------------------------


def _gmail_reaction():
    message = mail("👍\n\nAnn Berg reacted via Gmail\n<https://www.google.com/gmail/about/>\n")
    message.add_alternative('{"emoji":"👍","version":1}', subtype="vnd.google.email-reaction+json")
    return message


def _reaction_of_rfc_9078():
    message = mail("👍")
    message["Content-Disposition"] = "reaction"
    return message


def _outlook_reaction(announces="Ann Berg reacted to your message:"):
    return mail(
        f"{announces}\n{'_' * 32}\nFrom: {OURS}\nSent: Monday, January 5, 2026 1:40 PM\nSubject: x\n\nbob played."
    )


def _calendar(method):
    message = mail("Ann Berg has proposed a new time for this meeting.")
    message.add_alternative(f"BEGIN:VCALENDAR\nMETHOD:{method}\nEND:VCALENDAR\n", subtype="calendar")
    return message


def _purview():
    message = mail(
        "Ann Berg (ann@example.org) has sent you a protected message.\n\nRead the message<https://x.example>"
    )
    message.add_attachment(
        b"x", maintype="application", subtype="x-microsoft-rpmsg-message", filename="message_v4.rpmsg"
    )
    return message


REACTIONS = [_gmail_reaction(), _reaction_of_rfc_9078(), _outlook_reaction(), _outlook_reaction("Ann Berg ha risposto 👍:"),
             _outlook_reaction("Berg, Ann hat auf Ihre Nachricht reagiert:"),
             mail("Ann Berg hat mit 👍 auf Ihre Nachricht reagiert"),
             mail("Ann Berg reacted with ❤️ to your message"), mail("Ann Berg loved your message"),
             mail("Ann Berg ha reagito con 👍 al tuo messaggio"), mail("Ann Berg hat mit 👍 reagiert"),
             mail("👍\n\nAnn Berg ha reagito tramite Gmail\n<https://www.google.com/gmail/about/>"),
             mail("❤️\n\nAnn Berg hat über Gmail reagiert\n<https://www.google.com/gmail/about/>")]  # fmt: skip
CALENDARS = [_calendar(method) for method in ("REPLY", "COUNTER", "REQUEST")]
PROTECTED = [_purview()] + [mail(f"Ann Berg has sent you a message.\n{link}") for link in (
    "https://mail.proton.me/eo/abc", "https://app.tuta.com/mail/x", "https://outlook.office365.com/Encryption/retrieve.ashx",
)]  # fmt: skip


@pytest.fixture
def town_in_play(town):
    town.join("ann", "bob")
    town.match()
    town.turn = town.letter("ann")
    town.received.clear()
    return town


def deliver(town, message):
    del message["To"], message["In-Reply-To"]
    message["To"], message["In-Reply-To"] = reply_address(town.turn), town.turn["Message-ID"]
    town.put(message.as_bytes(), reply_address(town.turn))
    return town.sweep()


@pytest.mark.parametrize("message", REACTIONS)
def test_a_reaction_is_dropped_without_a_word(town_in_play, message):
    assert deliver(town_in_play, message) == "done: reaction"
    town_in_play.wait(minutes=6)
    assert list(town_in_play.received) == []


@pytest.mark.parametrize("author", ["Zoe <zoe@example.org>", "ann@forward.example", "Ann Berg <ann@example.org>"])
def test_a_reaction_is_dropped_whoever_sends_it_and_to_whom_else(town_in_play, author):
    for message in (_gmail_reaction(), _outlook_reaction()):
        message.replace_header("From", author)
        message["Cc"] = other_address(town_in_play)
        assert deliver(town_in_play, message) == "done: reaction"
    assert list(town_in_play.received) == []


def test_a_reaction_is_dropped_though_it_quotes_an_altered_board(town):
    town.join("ann", "bob")
    town.match("duel")
    town.turn = town.letter("ann")
    town.received.clear()
    row = next(row for row in text_of(town.turn).splitlines() if row.startswith("3 "))
    altered = text_of(town.turn).replace(row, "3 [B8]-w- W8 -b- W3 -w- B7  3")
    message = _outlook_reaction()
    message.set_content(message.get_content().replace("bob played.", altered))
    assert deliver(town, message) == "done: reaction"


def other_address(town):
    """The reply address of bob."""
    with db.reading(town.engine) as session:
        token = town.player(session, 1, "bob").token_id
    return f"r.{tokens.spell(town.settings.secret_key, token)}@games.example"


@pytest.mark.parametrize("kind", [*ASKED, "choice"])
def test_a_mail_is_parsed_once_whatever_it_answers(town, monkeypatch, kind):
    case = {**ASKED, "choice": choice}[kind](town)
    parsed = []
    known = parts.message_from_bytes
    monkeypatch.setattr(parts, "message_from_bytes", lambda *given, **named: parsed.append(1) or known(*given, **named))
    case.answer("yes")
    assert parsed == [1]


@pytest.mark.parametrize(("messages", "reason"), [(CALENDARS, "calendar"), (PROTECTED, "cannot read it")])
def test_what_cannot_be_read_is_told_to_the_writer_alone(town_in_play, messages, reason):
    for message in messages:
        deliver(town_in_play, message)
    town_in_play.wait(minutes=6)
    assert reason in text_of(town_in_play.letter("ann")) and town_in_play.letters("bob") == []
    assert "Berg" not in "".join(map(text_of, town_in_play.received))


def test_words_that_mention_a_reaction_are_talk():
    assert written("My knights reacted well:\nto the left and to the right.")
    assert written("I loved your message")
    assert read_reply(mail("What a reaction!").as_bytes()).trouble == ""


# -- above and below a reply ----------------------------------------------------------

BANNERS = [
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you\n"
    "recognize the sender and know the content is safe.",
    "[EXTERNAL]",
    "You don't often get email from play@games.example. Learn why this is important<https://aka.ms/LearnAbout>",
    "ACHTUNG: Diese E-Mail stammt von außerhalb der Organisation. Klicken Sie nicht auf Links.",
    "Attention : ce courriel provient de l’extérieur. Ne cliquez pas sur les liens.",
    "Questo messaggio proviene dall'esterno.\nNon fare clic su collegamenti.",
    "[EXT]",
    "[Externe]",
    "ATTENZIONE: mail proveniente dall'esterno dell'organizzazione. Non aprire allegati.",
    "This sender might be impersonating a domain that's associated with your organization.",
    "ZjQcmQRYFpfptBannerStart\nThis Message Is From an Untrusted Sender\nYou have not previously corresponded with this\n"
    "sender.\nZjQcmQRYFpfptBannerEnd",
]
SIGNATURES = [
    "Best regards,\nAnn", "Viele Grüße\nAnn Berg", "よろしくお願いします。\nBerg", "Cordialement,\n\nAnn Berg\nDirectrice",
    "Ann Berg", "Ann", "A. Berg", "Thanks,\nAnn", "Mit freundlichen Grüßen\n\nAnn Berg\nVertrieb\nTel.: +49 30 1234567",
    "Ann Berg\nSales | ACME GmbH\nPhone +1 (555) 010-9999\nwww.acme.example",
    "ACME GmbH · Hauptstr. 1 · Berlin\nT +49 30 1234567\nann@acme.example",
    "Sent from my iPhone", "This e-mail contains AI-generated content.", "--\nAnn",
    "Virus-free. www.avg.com", "—\nAnn Berg", "Kind regards,\n\nAnn Berg | Product Owner | Acme",
    "This email was drafted with the help of AI.", "Written with Copilot", "AI-assisted message",
    "Diese E-Mail wurde mit Hilfe künstlicher Intelligenz erstellt.", "Testo scritto con intelligenza artificiale.",
    "Ce message et ses pièces jointes sont confidentiels et destinés exclusivement à leur destinataire.",
    "Le informazioni di questa comunicazione sono riservate al solo destinatario della stessa.",
    "Secured with Proton Mail secure email.", "This email has been scanned by Symantec Email Security.cloud.",
    "Disclaimer: The views expressed are those of the sender and not of Acme Ltd.",
    "Mit freundlichen Grüßen / Kind regards\n\nAnn Berg\nAbteilungsleiterin\n\nBeispiel AG\nTelefon +49 89 123456",
    "_______________________________________________\nGames mailing list\nTo unsubscribe send an email to x@lists.example",
    "-------------- next part --------------\nAn HTML attachment was scrubbed...\nURL: <https://lists.example/x>",
]  # fmt: skip
TALK = ["", "Good luck!", "How is the weather in Oslo?\n\nHere it rains.", "Thanks, see you on Friday.", "Best of luck"]


@given(st.sampled_from(["", *BANNERS]), st.sampled_from(TALK), st.sampled_from(["", *SIGNATURES]))
def test_only_what_the_writer_typed_is_the_reply(banner, talk, signature):
    typed = "\n\n".join(filter(None, [MOVE, talk]))
    assert written("\n\n".join(filter(None, [banner, typed, signature]))) == typed


@pytest.mark.parametrize("talk", [
    "Best wishes for the new year!", "Ann", "My number is +49 30 1234567, call me.", "See www.example.org for the rules",
    "I regard this as lost.", "Thanks\nGood luck", "I wrote this with the help of AI", "Was this written by AI?",
    "This is confidential", "The robot is AI, and it plays well.", "I reacted badly to your message",
])  # fmt: skip
def test_words_that_only_resemble_a_signature_are_talk(talk):
    assert written(f"{MOVE}\n\n{talk}", name="Zoe Lind") == f"{MOVE}\n\n{talk}"


CARDS = [
    "Bob Miller\nAcme Ltd\n+44 20 7946 0958",
    "Bob Miller\nSenior Engineer\nAcme Ltd",
    "Bob Miller\nSenior Engineer | Acme Ltd\nT: 020 7946 0958\nwww.acme.example",
    "Bob Miller, PhD\nAcme Ltd\nTel. 020 79460958",
    "Dr. Bob Miller\nUniversity of Leeds\nbob.miller@leeds.example",
    "BOB MILLER\nAcme Ltd\n12 High Street, London W1 1AA\n+44 20 7946 0958",
    "Bob\n+44 7700 900123",
    "Bob Miller\n+44 7700 900123",
    "Bob Miller\nhttps://bob.example",
    "Bob Miller | Acme Ltd | +44 20 7946 0958",
    "Bob Miller\nAcme Ltd\n\n+44 20 7946 0958\nwww.acme.example",
    "Anna Schmidt\nMuster GmbH\nMusterstraße 1\n12345 Berlin\nTel.: 030 1234567",
    "Mario Rossi\nDirettore commerciale\nAcme S.r.l.\nTel. 06 1234567\nCell. 333 1234567",
    "*Bob Miller*\n*Acme Ltd*\n+44 20 7946 0958",
    "Bob Miller\nAcme Ltd\nM 07700 900123 | E bob@acme.example",
    "Jean Dupont\nDirecteur technique\nSociété Exemple SAS\n01 23 45 67 89",
    "山田太郎\n株式会社例\n03-1234-5678\ntaro@example.jp",
    "Bob Miller\nHead of Sales",
    "Bob Miller\nManaging Director\nAcme Ltd\nRegistered in England No. 1234567",
    "Ann Berg\nVP Marketing\nFoo Inc.\nOffice: (555) 123-4567\nFax: (555) 123-4568",
    "B. Miller\nAcme\nPhone 5551234567",
    "Bob Miller (he/him)\nAcme Ltd\n+44 20 7946 0958",
    "Bob Miller\nAcme Ltd\nFollow us on LinkedIn",
    "_____\nBob Miller\nAcme Ltd\n+44 20 7946 0958",
    "[image: logo]\nBob Miller\nAcme Ltd\n+44 20 7946 0958",
    "Bob Miller\nCEO",
    "Иван Петров\nООО Ромашка\n+7 495 123-45-67",
]
"""Visiting cards as mail programs add them, without “-- ”."""
PROSE = [
    "Tomorrow at noon\nYour place\nbring the board",
    "Call me on +44 7700 900123\nif you want to talk about it",
    "Great game!\nSee https://example.org/article for the opening",
    "Bob Miller said so\nand I agree",
    "My number is +44 7700 900123",
    "Nice weather here in London\nThe score was 3-1 yesterday",
    "Anna won the tournament\nBerlin was great\nSee you",
    "Thanks for the game\nIt was fun",
    "I read this\nhttps://example.org/x",
    "Have you seen it?\nwww.example.org\nIt is good",
    "Born 1980\nLives in Rome\nLoves chess",
    "Happy Birthday\nDear Bob",
    "Paris\nLondon\nRome",
    "Good Luck\nBob",
]


@pytest.mark.parametrize("name", ["Bob Miller", "Ann Berg", ""])
@pytest.mark.parametrize("card", CARDS)
def test_a_visiting_card_below_a_reply_is_no_part_of_it(card, name):
    for reply in (MOVE, "yes", f"{MOVE}\n\nGood luck!"):
        assert written(f"{reply}\n\n{card}", name) == reply


SIGNED = [
    "MfG Ann Berg", "lg ann", "thx ann", "Mit besten Grüßen Ann", "E-mail: ann@example.org", "Web: www.ann.example",
    "VG, Ann", "Ciao, Ann", "Mvh Ann", "Love, Ann", "Cheers,\nA.", "Yours ever,\nAnn", "Talk soon,\nAnn",
    "Dr. Ann Berg", "Ann Berg, PhD", "Ann Berg <ann@example.org>", "Tel: 0171 2345678", "Mob. +44 7700 900123",
    "ann@example.org", "[cid:image001.png@01D9]\nAnn Berg", "<image001.png>", "[image: Acme logo]",
    "Ann\nMobile: 07700 900123\nSkype: annberg", "Anna Berg\nStudio Legale Berg\nVia Roma 1 - 00100 Roma\nP.IVA 01234567890",
]  # fmt: skip
"""The writer's name or contacts on one line, with a title, a picture or a closing phrase beside it."""
ADDED_BY_PROGRAMS = [
    "Think green - don't print this email unless you need to.", "Avant d'imprimer ce message, pensez à l'environnement",
    "Bitte prüfen Sie, ob diese Mail wirklich ausgedruckt werden muss!", "Sin virus. www.avg.com",
    "Der Inhalt dieser E-Mail ist vertraulich und nur für den Adressaten bestimmt.",
    "Este mensaje y sus archivos adjuntos son confidenciales", "Esta mensagem pode conter informação confidencial",
    "Registered in England and Wales No 01234567. Registered office: 1 High Street, London",
    "Sitz der Gesellschaft: München, Registergericht: Amtsgericht München, HRB 12345\nGeschäftsführer: Max Muster",
    "Cet e-mail a été vérifié par le logiciel antivirus d'Avast.", "Translated with DeepL.com", "Traduit avec DeepL.com",
    "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.", "Übersetzt mit DeepL.com (kostenlose Version)",
    "To unsubscribe, click here: https://groups.example/u", "Click here to report this email as spam.",
    "Book a meeting with me: https://calendar.example/ann", "Sent with Tutanota, enjoy secure & ad-free emails.",
]  # fmt: skip
WARNINGS = ["⚠️ EXTERNAL", "-- External Message - Use Caution --", "*** EXTERN ***", "[Esterno]",
            "Be careful with this message: the sender is outside your organization"]  # fmt: skip


@pytest.mark.parametrize("below", [*SIGNED, *ADDED_BY_PROGRAMS])
def test_a_name_contact_or_footer_on_the_last_lines_is_no_part_of_the_reply(below):
    for reply in (MOVE, f"{MOVE}\n\nGood luck with that pawn!"):
        assert written(f"{reply}\n\n{below}") == reply


@pytest.mark.parametrize("warning", WARNINGS)
def test_a_short_warning_above_is_no_part_of_the_reply(warning):
    for gap in ("\n", "\n\n"):
        assert written(f"{warning}{gap}{MOVE}") == MOVE


@pytest.mark.parametrize("talk", [
    "External pressure is bad", "Ciao\nBella Partita", "Cheers, Bob", "My telephone: 12", "Dr. Who is on tonight", "A. B.",
    "Is Ann here?", "Write to me: bob@example.org", "The pawn <x.png> is lost", "Ciao, a domani", "I am Ann",
])  # fmt: skip
def test_words_that_only_resemble_a_name_or_warning_are_talk(talk):
    assert written(f"{MOVE}\n\n{talk}") == f"{MOVE}\n\n{talk}"


@pytest.mark.parametrize("talk", PROSE)
def test_prose_that_names_people_or_links_is_no_visiting_card(talk):
    assert written(f"{MOVE}\n\n{talk}", name="Zoe Lind") == f"{MOVE}\n\n{talk}"


@pytest.mark.parametrize(
    "leave", ["Best regards\nAnn Berg", "Thanks\nAnn", "Viele Grüße,\nAnn Berg\nACME GmbH\nTel. 030 1234567"]
)
@pytest.mark.parametrize(
    "more", ["P.S. How is your mother?", "PS: see you", "By the way, how is your mother?\nWe miss her."]
)
def test_words_below_the_writers_name_are_passed_on(leave, more):
    assert written(f"{MOVE}\n\n{leave}\n\n{more}") == f"{MOVE}\n\n{more}"


@pytest.mark.parametrize("card", [CARDS[0], CARDS[3], CARDS[14], CARDS[16]])
def test_a_yes_above_a_visiting_card_begins_the_game(town, card):
    town.join("ann", "bob")
    town.agree("bob", "challenge ann duel seat=black 3 days")
    town.answer(town.letter("ann"), f"yes\n\n{card}")
    assert town.stand(1) is not None


def test_words_below_the_line_of_a_phone_are_passed_on():
    assert written(f"{MOVE}\n\nSent from my iPhone\n\nGood luck!") == f"{MOVE}\n\nGood luck!"


# -- announcements that a mail program broke ------------------------------------------

WRAPPED = json.loads((Path(__file__).parent / "replies" / "languages.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", [*WRAPPED, "ca"])
@pytest.mark.parametrize("client", ["gmail", "apple", "yahoo"])
def test_an_announcement_is_never_talk_wherever_it_is_broken(language, client):
    given_line = (
        WRAPPED[language][client]
        if language in WRAPPED
        else "Missatge de Correspondence <play@games.example> del dia dl., 5 de gen. 2026 a les 13:40:"
    )
    sent = "Correspondence <r.k7q2m5zx3nb6v4wd2hj5ty7pae@games.example>\nCorrespondence <play@games.example>"
    blanks = [at for at, char in enumerate(given_line) if char in " <" and at > 20]
    for at in blanks:
        at += given_line[at] == "<"
        broken = f"{given_line[:at].rstrip()}\n{given_line[at:].lstrip()}"
        body = f"{MOVE}\n\nHello\n\n{broken}\n\n> bob played.\n> Your move.\n"
        assert read_body(body, (sent,), acts).text == f"{MOVE}\n\nHello", broken


@pytest.mark.parametrize("announcement", [
    "bob via Correspondence <\nplay@games.example>, 5 Oca 2026 Pzt, 13:40\ntarihinde şunu yazdı:",
    "bob via Correspondence <\nplay@games.example> igorleak hau idatzi du (2026 urt. 5, al. (13:40)):",
    "في الاثنين، ٥ يناير ٢٠٢٦ في ١:٤٠ م تمت كتابة ما يلي بواسطة bob via\nCorrespondence <play@games.example>:",
])  # fmt: skip
def test_our_name_may_be_broken_in_a_language_without_a_table(announcement):
    body = f"{MOVE}\n\nHello\n\n{announcement}\n\n> ann played.\n> Your move.\n"
    assert read_body(body, (OURS,), acts).text == f"{MOVE}\n\nHello"


# -- a forwarder that rewrites From ---------------------------------------------------


def _forwarded(town, line, author='"ann@example.org via forward" <no-reply@forward.example>'):
    message = EmailMessage()
    message["From"], message["Reply-To"], message["Message-ID"] = (
        author,
        "ann@example.org",
        f"<{line[:4]}@forward.example>",
    )
    message.set_content(f"{line}\n")
    return deliver(town, message)


def test_owner_is_asked_each_time_about_a_mail_whose_from_a_forwarder_rewrote(town_in_play):
    for count, line in enumerate((MOVE, "e3/f2=B"), start=1):
        _forwarded(town_in_play, line)
        questions = [
            one for one in town_in_play.letters("ann") if "not one of your addresses" in " ".join(text_of(one).split())
        ]
        assert len(questions) == count and f"(1) {line}" in text_of(questions[-1])
    assert town_in_play.moves(1) == []
    town_in_play.answer(questions[-1], "1")
    assert town_in_play.moves(1) == ["e3/f2=B"]


def test_a_robot_that_acknowledges_is_not_asked_about(town_in_play):
    assert _forwarded(town_in_play, "We have received your request. Ticket 42.").startswith("rejected")
    assert _forwarded(town_in_play, "Thank you.", "no-reply@example.org").startswith("ignored")
    assert town_in_play.letters("bob") == []


def test_talk_in_a_mail_with_a_rewritten_from_is_not_passed_on(town_in_play):
    _forwarded(town_in_play, f"{MOVE}\n\nHello from me!")
    town_in_play.answer(town_in_play.letter("ann"), "1")
    assert town_in_play.moves(1) == [MOVE] and "Hello" not in text_of(town_in_play.letter("bob"))
