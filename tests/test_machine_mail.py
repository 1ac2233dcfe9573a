"""Machine mail is told from people's by its header block, in a fixed order; identity is read strictly."""

from __future__ import annotations

import sys
from email.header import Header

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from correspondence.core import tokens
from correspondence.mime.classify import classify, message_key, references_of, sole_author
from correspondence.mime.headers import headers_of
from correspondence.mime.mail_keys import feedback_sender, mail_key

DOMAIN = "games.example"
TOKEN = tokens.spell("key", 7)
HUMAN = "From: Ann <ann@example.org>\nTo: r.x@games.example\nSubject: Re: [Game 12 vs bob] your turn\n"


def verdict(headers="", *, human=HUMAN, sender="ann@example.org", recipient=f"r.{TOKEN}@{DOMAIN}", body="e4\n"):
    raw = f"{headers}\n".lstrip("\n").encode() + f"{human}\n{body}".encode()
    return classify(raw, sender=sender, recipient=recipient, instance=DOMAIN, domain=DOMAIN)


def from_(value):
    return HUMAN.replace("Ann <ann@example.org>", value)


MACHINES = {
    "X-Loop: games.example": "loop",
    "X-Loop: Games.Example": "loop",
    f"Feedback-ID: turn:game:prod:{feedback_sender(DOMAIN)}": "loop",
    "List-Id: Game 12 <g12.games.games.example>": "loop",
    "Return-Path: <>": "auto",
    "Return-Path: <>\nX-Failed-Recipients: a@b.c": "bounce",
    "Return-Path: <>\nContent-Type: multipart/report; report-type=disposition-notification": "receipt",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=x": "bounce",
    'Content-Type: multipart/report;\n boundary=x; report-type="disposition-notification"': "receipt",
    "Content-Type: Multipart/Report; Report-Type=Feedback-Report": "complaint",
    "Content-Type: multipart/report": "bounce",
    "Auto-Submitted: auto-replied": "auto",
    "Auto-Submitted: auto-generated": "auto",
    "Auto-Submitted: auto-notified; owner-email=x@y.z": "auto",
    "AUTO-SUBMITTED: Auto-Replied (vacation)": "auto",
    "Auto-Submitted: (no) auto-replied": "auto",
    "Auto-Submitted: no\nAuto-Submitted: auto-replied": "auto",
    "Auto-Submitted:\n  auto-replied": "auto",
    "X-Autoreply: yes": "auto",
    "X-Autorespond: Out": "auto",
    "X-Autoresponder: 1": "auto",
    "X-Auto-Reply-From: a@b.c": "auto",
    "X-Mail-Autoreply: x": "auto",
    "X-Failed-Recipients: a@b.c": "auto",
    "Delivered-To: autoresponder": "auto",
    "Delivered-To: Autoresponder@mail.example": "auto",
    "Precedence: bulk": "auto",
    "Precedence: Junk": "auto",
    "Precedence: list": "list",
    "Precedence: AUTO_REPLY": "auto",
    "List-Id: <x.example>": "list",
    "List-Unsubscribe: <https://x.example>": "list",
    "List-Post: NO": "list",
    "List-Anything: 1": "list",
    "Mailing-List: contact x@y.z": "list",
    "X-Mailing-List: x@y.z": "list",
    "Subject: Out of office": "auto",
    "\n".join(["Received: from a by b"] * 51): "loop",
}

ROBOTS = [
    "MAILER-DAEMON@mail.example (Mail Delivery System)",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "MAILER-DAEMON (Mail System)",
    "Postmaster <postmaster@b.example>",
    "no-reply@b.example",
    "noreply+12@b.example",
    "NoReply <NOREPLY@b.example>",
    "bounce@b.example",
    "bounces@b.example",
    '"x@y" <bounces@b.example>',
]

OURS = [f"Correspondence <play@{DOMAIN}>", f"r.{TOKEN}@{DOMAIN}", f"B.{TOKEN.upper()}@GAMES.example"]

PEOPLE = [
    "",
    "Auto-Submitted: no",
    "Auto-Submitted: No ",
    "Auto-Submitted: no (human)",
    "Auto-Submitted: NO; x=y",
    "Auto-Submitted: (a (nested) comment) no",
    "Auto-Submitted:",
    "Feedback-ID: 12345:user:proton",
    "Feedback-ID: i1:fastmail:user:5",
    "X-Loop: somebody.else.example",
    "Precedence: normal",
    "Content-Type: text/plain; report-type=delivery-status",
    "Return-Path: <ann@example.org>",
    "Delivered-To: ann@example.org",
    "Received: from a by b\n" * 49 + "Received: from a by b",
    "X-Mailer: X-Autoreply",
    "X-Priority: 1",
]

AWAY = {
    "en": "Automatic reply: [Game 12 vs bob] your turn",
    "en-2": "Re: Out of the Office until Monday",
    "en-3": "Auto: Re: your turn",
    "de": "Automatische Antwort: [Game 12 vs bob]",
    "de-2": "AW: Abwesenheitsnotiz: Re: x",
    "fr": "Réponse automatique : x",
    "fr-2": "Reponse automatique: x",
    "fr-3": "RE: Absence du bureau",
    "es": "Respuesta automática: x",
    "it": "Risposta automatica: x",
    "pt": "Resposta automática: x",
    "nl": "Antw: Automatisch antwoord: x",
    "sv": "SV: Automatiskt svar: x",
    "da": "Automatisk svar: x",
    "fi": "Automaattinen vastaus: x",
    "pl": "Odp: Automatyczna odpowiedź: x",
    "cs": "Automatická odpověď: x",
    "hu": "Automatikus válasz: x",
    "ro": "Răspuns automat: x",
    "tr": "YNT: Otomatik yanıt: x",
    "el": "Αυτόματη απάντηση: x",
    "ru": "Автоматический ответ: x",
    "uk": "Автоматична відповідь: x",
    "he": "מענה אוטומטי: x",
    "ar": "رد تلقائي: x",
    "ja": "自動応答: x",
    "zh": "自动答复: x",
    "ko": "자동 회신: x",
}

RETURNED = [
    "Undelivered Mail Returned to Sender",
    "Mail delivery failed: returning message to sender",
    "failure notice",
    "Delivery Status Notification (Failure)",
    "Undeliverable: your turn",
    "Unzustellbar: x",
    "Non remis : x",
    "No se puede entregar: x",
    "配信不能: x",
]

WRITTEN_BY_PEOPLE = [
    "Re: [Game 12 vs bob] your turn",
    "away 5 days",
    "Auto racing",
    "Absolutely, e4",
    "Re: [Game 7 vs outofoffice] your turn",
    "I will be out of office tomorrow, so here is my move",
    "Delivery of my move",
    "Failure is not an option",
    "Re:",
    "",
]


@pytest.mark.parametrize("headers", MACHINES, ids=lambda text: text[:40])
def test_machine_mail_is_known_by_one_header_and_never_answered(headers):
    human = "" if headers.startswith("Subject") else HUMAN
    found = verdict(headers, human=human)
    assert (found.kind, found.may_answer) == (MACHINES[headers], False)


@pytest.mark.parametrize("author", ROBOTS)
def test_mail_from_a_robots_address_is_automatic(author):
    assert verdict(human=from_(author)).reason == "robot-in-from"


@pytest.mark.parametrize("author", OURS)
def test_mail_from_ourselves_is_a_loop(author):
    assert verdict(human=from_(author)).kind == "loop"


@pytest.mark.parametrize("sender", ["", "<>", " "])
def test_the_null_sender_is_never_a_person(sender):
    assert verdict(sender=sender).kind == "auto"
    assert verdict(sender=sender, human=from_(ROBOTS[0])).kind == "bounce"


@pytest.mark.parametrize("headers", PEOPLE, ids=lambda text: text[:40] or "nothing")
def test_failure_3_human_mail_is_not_dropped_as_automatic(headers):
    found = verdict(headers)
    assert (found.kind, found.may_answer) == ("person", True)


@pytest.mark.parametrize("headers", ["X-Ack: no", "X-No-Ack: 1"])
def test_who_asks_for_no_answer_is_read_but_not_answered(headers):
    found = verdict(headers)
    assert (found.kind, found.may_answer) == ("person", False)


@pytest.mark.parametrize("headers", ["X-Auto-Response-Suppress: All", "X-Auto-Response-Suppress: DR, OOF"])
def test_whose_server_asks_programs_not_to_answer_is_answered_reticently(headers):
    found = verdict(headers)
    assert (found.kind, found.may_answer, found.is_reticent) == ("person", True, True)
    assert not verdict("X-Auto-Response-Suppress: None").is_reticent


@pytest.mark.parametrize("language", AWAY)
@pytest.mark.parametrize("charset", ["", "utf-8"], ids=["raw", "encoded"])
def test_answering_machines_are_known_in_their_languages(language, charset):
    subject = Header(AWAY[language], charset, maxlinelen=60).encode() if charset else AWAY[language]
    assert verdict(human=HUMAN.replace("Re: [Game 12 vs bob] your turn", subject)).reason == "subject"


@pytest.mark.parametrize("subject", RETURNED)
def test_returned_mail_is_known_by_its_subject(subject):
    assert verdict(human=f"From: a@b.c\nSubject: {subject}\n").reason == "subject"


@pytest.mark.parametrize("subject", WRITTEN_BY_PEOPLE)
def test_subjects_that_people_write_are_left_alone(subject):
    assert verdict(human=f"From: a@b.c\nSubject: {subject}\n").kind == "person"


@pytest.mark.parametrize("headers", ["", "X-Loop: games.example", "Auto-Submitted: no"])
@pytest.mark.parametrize("box", [f"b.{TOKEN}@{DOMAIN}", f"B.{TOKEN.upper()}@Games.Example", f"b.nonsense@{DOMAIN}"])
def test_whatever_comes_to_a_bounce_address_is_a_bounce(headers, box):
    assert verdict(headers, recipient=box).reason == "bounce-address"


def test_the_first_rule_that_hits_decides():
    everything = "X-Loop: games.example\nContent-Type: multipart/report\nAuto-Submitted: auto-replied\nList-Id: x"
    assert verdict(everything, sender="").reason == "our-x-loop"
    assert verdict("Content-Type: multipart/report\nAuto-Submitted: auto-replied\nList-Id: x").reason == "report"
    assert verdict("Auto-Submitted: auto-replied\nList-Id: x").reason == "auto-submitted"


def test_a_body_cannot_talk_its_way_in_or_out():
    assert verdict(body="Auto-Submitted: auto-replied\nX-Loop: games.example\n").kind == "person"


@pytest.mark.parametrize("box", [f"play@{DOMAIN}", f"r.{TOKEN}@{DOMAIN}", f"b.{TOKEN}@{DOMAIN}"])
@pytest.mark.parametrize("shape", [*(h for h, kind in MACHINES.items() if kind == "bounce"), *map(from_, ROBOTS)])
def test_failure_2_no_shape_of_bounce_is_a_command_anywhere(box, shape):
    found = verdict(shape, recipient=box, human="Subject: x\n")
    assert found.kind != "person" and not found.may_answer


AUTHORS = {
    "ann@example.org": "ann@example.org",
    "<ann@example.org>": "ann@example.org",
    "Ann <Ann@Example.org>": "Ann@Example.org",
    '"Ann, of the \\"club\\"" <ann@example.org>': "ann@example.org",
    "Ann (work) <ann@example.org>": "ann@example.org",
    "ann@example.org (Ann)": "ann@example.org",
    "=?utf-8?q?J=C3=BCrgen?= <j@example.org>": "j@example.org",
    '"ann@example.org" <ann@example.org>': "ann@example.org",
    "\"'ANN@example.org'\" <ann@example.org>": "ann@example.org",
    "Zoë <zoë@exämple.org>": "zoë@exämple.org",
    "a..b@docomo.example": "a..b@docomo.example",
    '"Somebody @ home" <ann@example.org>': "ann@example.org",
    "=?utf-8?q?Somebody_=40_home?= <ann@example.org>": "ann@example.org",
    "ann@example.org (Ann, @ann there)": "ann@example.org",
    "Somebody @ home <ann@example.org>": None,
    '"victim@good" <a@evil.org>': None,
    '"victim@good.org @ home" <a@evil.org>': None,
    "victim@good.org <a@evil.org>": None,
    "<victim@good.org>a@evil.org": None,
    '"victim@good.org" <a@evil.org>': None,
    "=?utf-8?q?victim=40good.org?= <a@evil.org>": None,
    "=?utf-8?b?dmljdGltQGdvb2Qub3Jn?= <a@evil.org>": None,
    "a@evil.org (victim@good.org)": None,
    "victim@good.org, a@evil.org": None,
    "Doe, Ann <ann@example.org>": None,
    "friends: ann@example.org;": None,
    "<@relay.example:ann@example.org>": None,
    "ann@good.org@evil.org": None,
    '"a b"@example.org': None,
    "ann@[127.0.0.1]": None,
    "Ann": None,
    "": None,
    "<>": None,
    "a" * 65 + "@example.org": None,
    "x" * 990 + " <ann@example.org>": None,
    "(" * 400 + " ann@example.org": None,
}


@pytest.mark.parametrize("value", AUTHORS, ids=lambda text: text[:40] or "empty")
def test_failure_14_the_author_is_one_mailbox_that_cannot_be_read_otherwise(value):
    assert sole_author(f"Subject: x\nFrom: {value}\n\nbody".encode()) == AUTHORS[value]


@pytest.mark.parametrize(
    "raw",
    [
        b"From: ann@example.org\nFrom: ann@example.org\n\n",
        b"From: a@evil.org\r\nSubject: x\rFrom: ann@example.org\r\n\r\n",
        b"From: a@evil.org\nFrom : ann@example.org\n\n",
        b"Subject: x\n\nFrom: ann@example.org\n",
        b"Subject: x\nnot a field at all\nFrom: ann@example.org\n\n",
        b"",
    ],
    ids=["twice", "bare CR", "blank before the colon", "in the body", "unsound", "nothing"],
)
def test_a_doubtful_header_block_has_no_author(raw):
    assert sole_author(raw) is None


def test_folding_blank_lines_before_and_an_mbox_line_do_no_harm():
    assert sole_author(b"From ann Mon Jan 1\nFrom: Ann\n\t<ann@example.org>\n\n") == "ann@example.org"
    assert sole_author(b"\r\n\r\nFrom: ann@example.org\r\n\r\n") == "ann@example.org"


def test_addresses_are_compared_without_case_and_with_the_domain_in_idna():
    assert mail_key("Ann@Example.ORG") == mail_key(" ann@example.org. ") == "ann@example.org"
    assert mail_key("zoë@EXÄMPLE.org") == "zoë@xn--exmple-cua.org"
    assert mail_key("x@straße.de") != mail_key("x@strasse.de")
    assert mail_key("x@\N{FULLWIDTH LATIN SMALL LETTER G}ood.org") == "x@good.org"


def test_copies_of_a_message_share_a_key():
    assert message_key(b"Message-ID: <a.B@Example.org>\n\none") == "a.B@example.org"
    assert message_key(b"Received: x\nMESSAGE-ID:\n <a.B@example.org> \n\ntwo") == "a.B@example.org"
    assert message_key(b"Message-ID: a@b\n\n") == "a@b"


@pytest.mark.parametrize(
    "field",
    [
        b"",
        b"Message-ID:\n",
        b"Message-ID: <>\n",
        b"Message-ID: <no-sign>\n",
        b"Message-ID: <[abc@x]\n b>\n",
        b"Message-ID: <a@b>\nMessage-ID: <c@d>\n",
        b"Message-ID: <" + b"x" * 300 + b"@y>\n",
        b"Message-ID: <\xff@y>\n",
        b"Message-ID: sha256:1234\n",
    ],
)
def test_without_a_message_id_the_bytes_are_the_key(field):
    one, other = message_key(field + b"\none"), message_key(field + b"\nother")
    assert one.startswith("sha256:")
    assert len(one) == 71
    assert one != other


def test_references_are_split_at_blanks_and_commas_newest_first():
    raw = b"References: <root@x>,<two@x>\n\t<three@x> junk <four@x>\nIn-Reply-To: Your letter <four@x>\n\n"
    assert references_of(raw) == ("four@x", "three@x", "two@x", "root@x")
    assert references_of(b"In-Reply-To: <a@x><b@x>\n\n") == ("a@x", "b@x")
    assert references_of(b"Subject: x\n\nReferences: <a@x>\n") == ()


@settings(deadline=None)
@given(st.one_of(st.binary(max_size=2000), st.text(max_size=1000).map(lambda t: t.encode("utf-8", "surrogatepass"))))
def test_no_bytes_at_all_make_reading_fail(raw):
    for prefix in (b"", b"From: ", b"Subject: =?utf-8?b?", b"Message-ID: <", b"Auto-Submitted: ("):
        classify(prefix + raw, sender="a@b", recipient="r.x@games.example", instance=DOMAIN, domain=DOMAIN)
        assert sole_author(prefix + raw) is None or b"@" in raw
        assert message_key(prefix + raw)
        references_of(prefix + raw)


BOMBS = {
    "2,000 open brackets": b"From: " + b"(" * 2000,
    "50,000 quotes": b"From: " + b'"' * 50_000,
    "a long dotted name": b"From: " + b"a." * 50_000,
    "20,000 addresses": b"From: " + b"a@b.c, " * 20_000,
    "200,000 folded lines": b"From: a\n" + b" b\n" * 200_000,
    "many fields": b"X: y\n" * 200_000,
    "many prefixes": b"Subject: " + b"Re: " * 2000,
    "encoded words": b"Subject: " + b"=?utf-8?q?=20?= " * 500,
    "broken encoded words": b"Subject: " + b"=?utf-8?b?A" * 90 + b"?=",
    "unknown charset": b"Subject: =?x-nothing?b?QUJD?=",
    "comments": b"Auto-Submitted: " + b"(" * 4000 + b")" * 4000,
    "references": b"References: " + b"<a@b>," * 100_000,
    "noise": bytes(range(256)) * 4096,
}


def calls_of(work) -> int:
    """How many functions `work` calls: what it costs, counted alike on every machine."""
    calls = 0

    def count(frame, event, argument):
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("name", BOMBS)
def test_failure_20_hostile_headers_cost_less_than_a_call_for_two_bytes(name):
    raw = BOMBS[name] + b"\n\nbody"

    def read_headers():
        classify(raw, sender="a@b", recipient="r.x@games.example", instance=DOMAIN, domain=DOMAIN)
        sole_author(raw), message_key(raw), references_of(raw)

    assert calls_of(read_headers) < 1000 + len(raw) / 2


def test_a_field_beyond_its_limit_is_absent_and_others_are_not():
    headers = headers_of(b"X-Big: " + b"y" * 9000 + b"\nAuto-Submitted: auto-replied\n\n")
    assert not headers.has("x-big") and headers.first("auto-submitted") == "auto-replied"
