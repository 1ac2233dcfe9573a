from __future__ import annotations

import base64
import itertools
import json
import textwrap
from email.message import EmailMessage, Message
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.commands import Draw, Other, looks_like_move, parse_commands
from correspondence.mime.cleaning import clean
from correspondence.mime.limits import (
    DEPTH_LIMIT,
    FIELD_COUNT_LIMIT,
    FIELD_LIMIT,
    HEADER_LIMIT,
    LINE_LIMIT,
    MESSAGE_LIMIT,
    PART_LIMIT,
    RAW_LINE_LIMIT,
    TAG_LIMIT,
    TEXT_LIMIT,
)
from correspondence.mime.replytext import (
    OUR_MARKERS,
    Reply,
    read_reply,
    safe_header,
    subject_of,
    within_limits,
)
from correspondence.mime.replytext.markup import html_lines
from tests.replies.clients import (
    CLIENTS,
    LANGUAGES,
    MARKED,
    NOTICE,
    NOTICE_HTML,
    POSTURES,
    TYPED,
    UNMARKED,
    WIRES,
    headers,
    html_reply,
    mail,
    plain_reply,
    read_body,
    unmarked_notice,
)
from tests.sizes import sampled

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "mail-corpus"


def visible_text(html):
    """What a reader sees of a page that is no quotation."""
    return "\n".join(line.text for line in html_lines(html) if not line.quoted).strip("\n")


SENT = (NOTICE, visible_text(NOTICE_HTML))


def nonblank_lines(text):
    return [line for line in text.split("\n") if line.strip()]


def acted(reply):
    """What a game would take from a reply: moves and commands, not talk."""
    commands = parse_commands(reply.command_lines or reply.below)
    return [c for c in commands if not isinstance(c, Other) or looks_like_move(c.line)]


def moves_typed(posture):
    return [c for c in parse_commands(TYPED[posture]) if looks_like_move(c.line)]


def assert_exactly_typed(reply, posture):
    assert nonblank_lines(reply.text) == TYPED[posture]
    assert list(reply.command_lines if posture == "top" else reply.below) == TYPED[posture]
    assert acted(reply) == moves_typed(posture)
    assert reply.trouble == ""


# --- replies to our own notice, by program and language ------------------------------------------------

PROGRAMS = sampled(itertools.product(CLIENTS, LANGUAGES), every=3, names=2)
"""Mail programs and their languages: each of either in some of the pairs that stay."""


@pytest.mark.parametrize(("client", "language"), PROGRAMS)
def test_a_reply_to_our_notice_is_what_was_typed(client, language):
    for posture in POSTURES:
        for notice in (NOTICE, unmarked_notice()):
            raw = mail(plain_reply(client, language, posture, notice))
            assert_exactly_typed(read_reply(raw, SENT), posture)
            if client in MARKED or posture == "top":
                assert_exactly_typed(read_reply(raw), posture)


@pytest.mark.parametrize(("client", "language"), PROGRAMS)
def test_a_reply_in_html_alone_is_what_was_typed(client, language):
    for posture in POSTURES:
        if client in ("yahoo", "proton") and posture == "inline":
            continue  # what is typed inside the quotation of these two cannot be told from it
        raw = mail(html=html_reply(client, language, posture))
        assert_exactly_typed(read_reply(raw, SENT), posture)
        if client not in ("outlook", "outlook-desktop") or posture == "top":
            assert_exactly_typed(read_reply(raw), posture)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("client", CLIENTS)
def test_the_wire_changes_nothing(client, wire):
    for language in ("en", "fr", "ja"):
        raw = mail(plain_reply(client, language, "top"), html_reply(client, language, "top"), wire)
        assert_exactly_typed(read_reply(raw, SENT), "top")
        assert_exactly_typed(read_reply(raw), "top")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("client", UNMARKED)
def test_where_marks_and_memory_are_missing_nothing_is_taken_from_the_quotation(client, language):
    for posture in ("bottom", "inline"):
        plain, html = plain_reply(client, language, posture), html_reply(client, language, posture)
        for raw in (mail(plain), mail(html=html), mail(plain, html)):
            assert set(acted(read_reply(raw))) <= set(moves_typed(posture))


@pytest.mark.parametrize(("client", "language"), PROGRAMS)
def test_an_empty_reply_does_nothing(client, language):
    for notice in (NOTICE, unmarked_notice()):
        quotation = plain_reply(client, language, "top", notice).partition("\n\n")[2]
        for sent in ((), SENT):
            assert read_body(quotation, sent) == Reply("", trouble="empty")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_telephone_adds_is_no_talk(language):
    phone = LANGUAGES[language]["phone"]
    quotation = plain_reply("gmail", language, "top").partition("\n\n")[2]
    assert read_body(f"c3/f2=B\n\n{phone}\n\n{quotation}").text == "c3/f2=B"
    assert read_body(f"c3/f2=B\n{phone}\n").text == "c3/f2=B"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_forward_is_never_a_command(language):
    body = "\n".join(["---------- Forwarded message ---------", *headers(language), "", "resign", "c3/f2=B"])
    assert read_body(body).command_lines == ()
    assert read_body(body).below == ()
    assert read_body(body).trouble == "forward-only"


@pytest.mark.parametrize("frame", ["", "--- QIn ---\n", "________________\n"])
def test_an_unknown_language_is_cut_by_form_alone(frame):
    attribution = "Sa 21.11.2026 10:05, Correspondence <r.k7q2@games.example> ghItlhpu':"
    block = "nagh: Correspondence <r.k7q2@games.example>\njaj: 21.11.2026 10:05\nmung: ann@post.example"
    for opening in (attribution, frame + block):
        assert read_body(f"c3/f2=B\n\n{opening}\n\n{unmarked_notice()}").text == "c3/f2=B"
        assert read_body(f"c3/f2=B\n{opening}\n> resign").text == "c3/f2=B"


# --- our own letters, however they come back -----------------------------------------------------------


def garbled(sent):
    """The HTML letter as programs tell it in plain text: cell by cell, links written out, pieces lost."""
    rows = []
    for row in sent.split("\n"):
        cells = row.replace("♟", "?").split()
        rows += cells if len(cells) > 2 and max(map(len, cells)) < 2 else [row.replace("♟", "?")]
    return "\n".join(rows).replace("Play on the page", "Play on the page <http://games.example/games/42>")


@pytest.mark.parametrize("width", [30, 45, 60, 72])
def test_our_letter_is_known_again_when_it_is_wrapped_anew(width):
    wrapped = "\n".join("\n".join(textwrap.wrap(row, width)) for row in unmarked_notice().split("\n"))
    assert read_body(f"c3/g1=B\n\n{wrapped}", SENT) == Reply("c3/g1=B", ("c3/g1=B",))
    assert read_body(f"{wrapped}\n\nc3/g1=B", SENT).below == ("c3/g1=B",)


@pytest.mark.parametrize("prefix", ["", "> ", "| ", "    ", ">> "])
def test_our_letter_is_known_again_when_a_program_tells_it_in_its_own_words(prefix):
    quoted = "\n".join(prefix + row for row in garbled(SENT[1]).split("\n")[2:])
    assert read_body(f"resign\n\n{quoted}", SENT) == Reply("resign", ("resign",))
    assert acted(read_body(f"{quoted}\n\ndraw", SENT)) == [Draw()]
    assert read_body(quoted, SENT) == Reply("", trouble="empty")


def test_a_move_above_the_letter_is_not_taken_for_a_cell_of_it():
    quotation = "Your turn in game 42, Plateau.\nYou have time until Tuesday.\nReply with your move."
    sent = f"a4\nb4\n{quotation}"
    assert read_body(f"a4\n{quotation}", [sent]) == Reply("a4", ("a4",))
    assert read_body(f"a4\nb4\n{quotation}", [sent]).command_lines == ("a4", "b4")


ROUTE = "a2-b3-c4-d5-e6"
"""A move so long that it is known as ours where our letter says it."""

TOLD = f"{NOTICE}\nReply with:\n{ROUTE}\n"
ANNOUNCED = "On Tue, 3 Mar 2026, 10:00 Games <play@games.example> wrote:"
QUOTED = "\n> ".join([ANNOUNCED, *TOLD.split("\n")])


def read_answer(body):
    """What is read in a plain answer to TOLD, in a game where two lines act."""
    return read_body(body, [TOLD], lambda line: line in (ROUTE, "e4"))


def test_a_move_that_our_letter_says_counts_above_its_quotation_and_not_below():
    assert read_answer(f"{ROUTE}\n\n{QUOTED}") == Reply(ROUTE, (ROUTE,))
    assert read_answer(f"{QUOTED}\n{ROUTE}\n") == Reply("", trouble="empty")


def test_what_was_typed_inside_a_quotation_is_found_where_a_move_stands_above_and_marked_lines_below():
    heading, rows = "-----Original Message-----", TOLD.split("\n")[:25]
    reply = read_answer("\n".join(["e4", "", heading, *rows, "well played indeed", "> older"]))
    assert (reply.command_lines, reply.below) == (("e4",), ("well played indeed",))


def test_what_was_typed_inside_a_quotation_of_html_is_told_where_a_move_stands_above():
    rows = TOLD.split("\n")
    inside = "<br>".join([*rows[:25], "well played indeed", *rows[25:]])
    reply = read_reply(raw_mail(f"<p>e4</p><blockquote>{inside}</blockquote>", "text/html"), [TOLD], "e4".__eq__)
    assert (reply.command_lines, reply.withheld) == (("e4",), ("well played indeed",))


def test_a_second_move_between_marked_lines_is_found_below_the_first():
    reply = read_answer(f"e4\n\n{QUOTED}".replace("> White: h4/d2=B", "> White: h4/d2=B\n\ne4\n"))
    assert (reply.command_lines, reply.below) == (("e4",), ("e4",))


def test_a_sentence_of_ours_that_does_nothing_is_told_even_where_it_stands_alone_above_a_quotation():
    echo = next(row for row in TOLD.split("\n") if row.startswith("You have time until"))
    reply = read_answer(f"{echo}\n\n{QUOTED}")
    assert echo not in reply.text and not reply.command_lines


def test_lines_below_our_letter_are_the_writers_unless_they_are_marked_as_quoted():
    reply = read_body(f"{unmarked_notice()}\n> resign\n\nc3/g1=B\n-- \nAnn", SENT)
    assert (reply.text, reply.below) == ("c3/g1=B", ("c3/g1=B",))


def test_a_line_of_ours_alone_is_no_quotation_and_not_passed_on_but_told():
    typed = "You have time until Tue 24 Nov, 10:05 CET.\nReally?"
    assert read_body(typed, SENT) == Reply("Really?", ("Really?",), withheld=(typed.split("\n")[0],))


@pytest.mark.parametrize("typed", ["your turn", "It says “until Tue 24 Nov”.", "bob, it is your turn"])
def test_a_few_words_that_our_letter_has_too_are_the_writers(typed):
    assert read_body(f"c3/f2=B\n{typed}", SENT).text == f"c3/f2=B\n{typed}"


@pytest.mark.parametrize("marker", OUR_MARKERS)
def test_nothing_below_our_marker_is_anybodys(marker):
    for form in (marker, marker.upper(), f"*{marker}*", marker.replace("---", "—"), f"  {marker}"):
        assert read_body(f"c3\n\n{form}\nresign\n") == Reply("c3", ("c3",))


# --- attributions, header blocks, signatures -----------------------------------------------------------


@pytest.mark.parametrize(
    "quotation",
    [
        "On Tue, 3 Mar 2026, 10:00 Games <play@games.example> wrote:\nresign",
        "> On 3 Mar 2026, at 10:00, Games <play@games.example> wrote:\n>\n> resign",
        "On Mar 3, 2026,\nat 10:00,\nGames <play@games.example> wrote:\n\n> resign",
        "On Tue, Mar 3, 2026 at 10:00 AM Games <\nplay@games.example> wrote:\n\n> resign",
        "tir. 3. mar. 2026 kl. 10:00 skrev Games <play@games.example\n>:\n\n> resign",
        "---- On Tue, 03 Mar 2026 10:00:00 +0100 play@games.example wrote ----\n\nresign",
        "On Tue, 3 Mar 2026 10:00:00 +0100 Games <play@games.example> wrote\n\nresign",
        "*From:* Games [mailto:play@games.example]\n*Sent:* March 3, 2026\n*Subject:* Your turn\n\nresign",
        "From: Games\n<play@games.example>\nSent: Tuesday, March 3, 2026 10:00\nTo: Ann\n\nresign",
        "From: Games\n\nSent: Tuesday, March 3, 2026 10:00\n\nTo: Ann\n\nresign",
        "________________________________\nVon: Games <play@games.example>\nGesendet: 3. März\nresign",
        "-----Original Message-----\nresign",
        "Begin forwarded message:\n\nresign",
        "| resign\n| draw",
        "Anna schrieb:\n> resign",
        "On 3 Mar 2026 10:00, Games <play@games.example> wrote: Your turn.\nresign",
        "From: Games <play@games.example> Sent: Tuesday, March 3, 2026 To: Ann Subject: Your turn\nresign",
        "##- Please type your reply above this line -##\nresign",
        "> a very long line that the program of the sender has broken because it was\nresign\n> like this",
    ],
    ids=range(19),
)
def test_nothing_is_executed_out_of_a_quotation(quotation):
    for reply in (read_body(f"c3/f2=B\n\n{quotation}"), read_body(f"c3/f2=B\n{quotation}")):
        assert reply == Reply("c3/f2=B", ("c3/f2=B",))
    assert acted(read_body(quotation)) == []


@pytest.mark.parametrize(
    "typed",
    [
        "On Thursday:\n\nI am away.",
        "On the other hand, a4 was better.",
        "One is not On, as you wrote: never",
        "The data comes From: our database",
        "with regards to the bishop",
        "Sent from my desk, is much easier than my telephone",
        "It was sent from my iPhone app",
        "I sent it from my phone\nsent with love",
        "Look at https://example.com/on-date-someone-wrote: there",
        "answer above this line, please",
        "----\n\nmy plan\n\n====",
        "-- first point\n-- second point",
        "From: a1\nTo: b2",
        "To be honest: I am lost\nSubject to change: my plan",
        "let us meet at 10:30:\nbring the board",
        "2024-01-15 14:30:25\n15.01.2024 14:30",
    ],
)
def test_what_only_looks_like_a_quotation_or_signature_stays(typed):
    assert read_body(typed).text == typed


@pytest.mark.parametrize("rule", ["-- ", "--", "__", "____________", "—————"])
def test_a_signature_is_cut(rule):
    assert read_body(f"c3/f2=B\n\n{rule}\nAnn\nresign\n").text == "c3/f2=B"


def test_lines_below_a_signature_and_a_quotation_are_the_writers_again():
    reply = read_body("-- \nAnn\n\n> what now?\n\nresign\n")
    assert (reply.command_lines, reply.below) == ((), ("resign",))


def test_lines_between_quotations_are_candidates_beside_those_above():
    reply = read_body("c3\n\n> one\n\nd4\n\n> two\n\ne5\n")
    assert (reply.command_lines, reply.below) == (("c3",), ("d4", "e5"))
    assert reply.text == "c3\n\nd4\n\ne5"


# --- HTML ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        "c3<div style='display: none'>resign</div>",
        "c3<span hidden>resign</span>",
        "c3<script>resign</script><style>resign</style><!-- resign -->",
        "<head><title>resign</title></head>c3",
        "c3<blockquote>resign</blockquote>",
        "c3<div class='x_gmail_attr'>resign</div><blockquote>resign</blockquote>",
        "c3<div class='gmail_extra'>resign</div>",
        "c3<div class='gmail_signature'>resign</div>",
        "c3<div id='x_divRplyFwdMsg'>From: resign</div>resign",
        "c3<div id='appendonsend'></div><hr><div>resign</div>",
        "c3<div class='gmail_attr'>---------- Forwarded message ---------</div>resign",
        "c3<div data-marker='__QUOTED_TEXT__'>resign</div>",
        "c3<div data-marker='__SIG_POST__'>resign</div>",
        "c3<div class='protonmail_quote'>resign</div>",
        "c3<div class='yahoo_quoted'>resign</div>",
        "<![if !mso]>c3<![endif]><?xml resign ?><!ENTITY resign>",
        "<p>c3<p><blockquote><p>resign<p>resign",
        "<span>c3<blockquote><span>a</span>resign</blockquote></span>",
        "c3<!-- never closed resign",
        "c3<blockquote><b><div>a</b></div><br>resign</blockquote>",
    ],
    ids=range(20),
)
def test_html_is_cut_by_structure(html):
    assert read_reply(mail(html=f"<html><body>{html}</body></html>")).command_lines == ("c3",)


def test_html_becomes_the_lines_that_a_reader_sees():
    html = "<p>one &amp;\ntwo</p><div>three<br>four</div><ul><li>five</li></ul><pre>a  b\nc</pre>"
    html += "<table><tr><td>6<td>7</table>"
    assert visible_text(html) == "one & two\n\nthree\nfour\nfive\na  b\nc\n6 7"


def test_our_own_html_letter_is_rendered_whole():
    text = visible_text(NOTICE_HTML)
    assert text.startswith(OUR_MARKERS[0])
    assert "Reply with: Bxh4/a7=N" in text
    assert "[Game 42" not in text


# --- parts, charsets, encodings ------------------------------------------------------------------------


def raw_mail(body, content_type="text/plain", *fields):
    top = [f"Content-Type: {content_type}", *fields, "MIME-Version: 1.0", "", ""]
    return "\r\n".join(top).encode() + (body if isinstance(body, bytes) else body.encode())


EIGHT_BIT = "Content-Transfer-Encoding: 8bit"


@pytest.mark.parametrize(
    ("label", "charset"),
    [
        ("utf-8", "utf-8"),
        ("utf8", "utf-8"),
        ("us-ascii", "utf-8"),
        ("iso-8859-1", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("x-unknown", "utf-8"),
        ("no-such-charset", "utf-8"),
        ("no-such-charset", "cp1252"),
        ("utf-8", "cp1252"),
        ("", "utf-8"),
        ("utf-16", "utf-16"),
        ("cp-850", "cp850"),
        ("hex", "utf-8"),
        ("unicode-1-1-utf-7", "utf-7"),
    ],
)
def test_a_wrong_or_odd_charset_loses_nothing(label, charset):
    raw = raw_mail("c3/f2=B\né".encode(charset), f"text/plain; charset={label}", EIGHT_BIT)
    assert read_reply(raw).text == "c3/f2=B\né"


@pytest.mark.parametrize(("label", "charset", "words"), [
    ("gb2312", "gb18030", "好棋"),
    ("ks_c_5601-1987", "cp949", "좋은 수"),
    ("iso-2022-jp", "iso-2022-jp", "良い手"),
    ("shift_jis", "cp932", "良い手"),
    ("koi8-r", "koi8-r", "хороший ход"),
    ("iso-8859-8-i", "iso-8859-8", "מהלך טוב"),
])  # fmt: skip
def test_charsets_of_the_world_are_read(label, charset, words):
    raw = raw_mail(words.encode(charset), f'text/plain; charset="{label}"', EIGHT_BIT)
    assert read_reply(raw).text == words


def test_the_first_inline_text_is_read_and_attachments_are_not():
    message = EmailMessage()
    message.set_content("c3")
    message.add_attachment("resign", filename="a.txt")
    message.add_attachment(b"resign", maintype="text", subtype="calendar")
    assert read_reply(message.as_bytes()).text == "c3"


def test_an_attached_text_is_not_read_even_if_it_comes_first():
    attached = "--b\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nresign\r\n"
    inline = "--b\r\nContent-Type: text/html\r\n\r\n<p>c3</p>\r\n--b--\r\n"
    assert read_reply(raw_mail(attached + inline, "multipart/mixed; boundary=b")).command_lines == ("c3",)


def test_an_attached_message_is_never_a_command():
    inner, outer = EmailMessage(), EmailMessage()
    inner.set_content("resign")
    outer.make_mixed()
    outer.add_attachment(inner)
    assert read_reply(outer.as_bytes()) == Reply("", trouble="forward-only")


@pytest.mark.parametrize("plain", [" \n\n", "This message is in HTML; your client cannot display it."])
def test_an_empty_plain_part_falls_through_to_html(plain):
    assert read_reply(mail(plain, "<p>c3</p>")).command_lines == ("c3",)


def test_html_alone_is_read():
    assert read_reply(mail(html="<p>c3</p>")).command_lines == ("c3",)


@pytest.mark.parametrize(
    ("content_type", "body", "trouble"),
    [
        ('multipart/encrypted; boundary="b"', "--b\r\n\r\nVersion: 1\r\n--b--\r\n", "encrypted"),
        ("application/pkcs7-mime; smime-type=enveloped-data", "MIAGCSqG", "encrypted"),
        ("text/plain", "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA\r\n", "encrypted"),
        ('application/ms-tnef; name="winmail.dat"', "x", "winmail"),
        ('application/octet-stream; name="WINMAIL.DAT"', "x", "winmail"),
        ("message/rfc822", "Subject: x\r\n\r\nresign", "forward-only"),
        ("text/plain", "", "empty"),
        ("text/plain", "> resign\r\n", "empty"),
        ("text/html", "<p> </p>", "empty"),
        ("image/png", "x", "empty"),
        ("text/calendar", "resign", "empty"),
    ],
)
def test_mail_without_readable_words_says_why(content_type, body, trouble):
    assert read_reply(raw_mail(body, content_type)) == Reply("", trouble=trouble)


def test_a_signed_part_is_read_without_its_signature():
    signed = 'multipart/signed; boundary="b"; protocol="application/pkcs7-signature"'
    body = "--b\r\n\r\nc3\r\n--b\r\nContent-Type: text/plain\r\n\r\nresign\r\n--b--\r\n"
    assert read_reply(raw_mail(body, signed)).command_lines == ("c3",)
    assert read_reply(raw_mail(body.replace("c3", ""), signed)) == Reply("", trouble="empty")


def test_a_clear_signature_is_taken_off():
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nc3\n- -- \nAnn\n"
    assert read_body(f"{signed}-----BEGIN PGP SIGNATURE-----\n\niQE=\n").text == "c3"


def test_flowed_lines_are_joined_for_talk_and_kept_for_commands():
    body = "c3/f2=B \r\nwas hard \r\nto find\r\n > typed, not quoted\r\n-- \r\nAnn\r\n"
    reply = read_reply(raw_mail(body, "text/plain; format=flowed"))
    assert reply.text == "c3/f2=B was hard to find\n> typed, not quoted"
    assert reply.command_lines[0] == "c3/f2=B"
    delsp = read_reply(raw_mail("良い \r\n手\r\n", "text/plain; charset=utf-8; format=flowed; delsp=yes"))
    assert delsp.text == "良い手"


def test_invisible_signs_are_removed_and_letters_composed():
    assert read_body("\ufeffc\u200b3\u00ad\u200e/f2=B\x00\u00a0e\u0301").text == "c3/f2=B é"


# --- headers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        b"Message-ID: <[abc@x]>",
        b"From: =?utf-8?q?a=0D=0Ab?= <a@b.c>",
        b"Subject: =?no-such-charset?q?x?=",
        b"To: " + b"(" * 2_000,
        b"From: \xff\xfe <a@b.c>",
        b"Content-Type: text/plain; charset*=\xff''x",
        b'Content-Type: ;;;=="',
        b"Content-Disposition: inline; filename*0*=%%%",
        b"Content-Transfer-Encoding: x-nonsense",
    ],
)
def test_a_horrible_header_does_not_lose_the_mail(fields):
    raw = b"Subject: hello\r\n" + fields + b"\r\n\r\nc3/f2=B\r\n"
    assert read_reply(raw).text == "c3/f2=B"
    assert subject_of(raw) == "hello"


def test_a_header_is_one_safe_line():
    message = Message()
    message["Subject"] = "a\x07b"
    message["To"] = "x" * (FIELD_LIMIT + 1)
    message["From"] = "y" * 2_000
    assert safe_header(message, "subject") == "ab"
    assert safe_header(message, "To") == ""
    assert len(safe_header(message, "From")) == 998
    assert safe_header(message, "Cc") == ""


def test_a_subject_cannot_smuggle_a_line_end():
    assert subject_of(b"Subject: =?utf-8?q?re=0D=0ABcc:_x?=\r\n\r\n") in ("re Bcc: x", "")
    assert subject_of(b"Subject: =?utf-8?b?" + base64.b64encode(b"Zug") + b"?=\r\n\r\n") == "Zug"
    assert subject_of(b"\r\nSubject: in the body\r\n") == ""


# --- limits and bombs: the outcome is asserted, the cost is bounded by size ----------------------------


def test_each_limit_has_its_reason():
    parts = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
    nested = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    assert within_limits(b"\r\n" + b"x" * (MESSAGE_LIMIT - 2)) is None
    assert within_limits(b"x" * (MESSAGE_LIMIT + 1)) == "too-big"
    assert within_limits(b"X: " + b"y" * HEADER_LIMIT + b"\r\n\r\n") == "header-too-big"
    assert within_limits(b"X: y\r\n" * FIELD_COUNT_LIMIT + b"\r\n") is None
    assert within_limits(b"X: y\r\n" * (FIELD_COUNT_LIMIT + 1) + b"\r\n") == "too-many-fields"
    assert within_limits(parts + b"\r\n--b\r\n\r\nx" * (PART_LIMIT + 1)) == "too-many-parts"
    assert within_limits(nested * DEPTH_LIMIT) is None
    assert within_limits(nested * (DEPTH_LIMIT + 1)) == "too-deep"
    assert within_limits(b"Content-Type: message/rfc822\r\n\r\n" * 1_000) == "too-deep"
    assert within_limits(b"\r\n" * RAW_LINE_LIMIT) is None
    assert within_limits(b"\r\n" * RAW_LINE_LIMIT + b"\r") == "too-many-lines"
    assert within_limits(b"\r\nContent-Type: " + b"x" * FIELD_LIMIT) == "header-too-big"


def test_rows_of_dashes_in_plain_text_are_no_parts():
    assert within_limits(raw_mail("\n-----" * 500)) is None


def test_what_is_beyond_a_limit_is_not_read():
    assert read_reply(b"x" * (MESSAGE_LIMIT + 1)) == Reply("", trouble="too-big")
    assert subject_of(b"Subject: x\r\n" * (FIELD_COUNT_LIMIT + 1)) == ""


BOMBS = {
    "on monday": "On Monday\n" * 100_000,
    "on a a a": "On " + "a " * 300_000,
    "colons": "On 1 a@b.c wrote\nx 12:30 y:\n" * 20_000,
    "blank lines": "\n" * 500_000,
    "dashes": "-" * 500_000,
    "rows of dashes": "----\n" * 100_000,
    "underscores": "_" * 500_000,
    "marks of quotation": ">" * 500_000,
    "nested marks": "".join(">" * (i % 500) + "\n" for i in range(5_000)),
    "labels": "From: a@b.c\n" * 50_000,
    "unknown labels": "abc: a\n" * 50_000,
    "addresses": "a@b" * 150_000 + ":",
    "dots and ats": "@." * 250_000,
    "digits": "1" * 500_000 + ":",
    "heap of accents": "a" + "\u0315\u0300" * 200_000,
    "long expansion": "\ufdfa" * 100_000,
    "angle brackets": "<" * 500_000,
    "square brackets": "[image:" * 70_000,
    "signatures": "Sent from my iPhone\n" * 30_000,
    "markers": "--- write your answer\n" * 30_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_of_text_ends_in_a_bounded_reply(name):
    text = BOMBS[name]
    reply = read_body(text, [text, NOTICE])
    assert len(reply.text) <= TEXT_LIMIT
    assert len(reply.command_lines) + len(reply.below) <= LINE_LIMIT
    assert len(clean(read_body(text).text)) <= TEXT_LIMIT


HEAD = b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
NEST = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n"
RAW_BOMBS = {
    "folded type": HEAD + b"--b\r\nContent-Type: text/plain;\r\n" + b" aaaaaaaa=b;\r\n" * 70_000 + b"\r\nc3",
    "long type": HEAD + b"--b\r\nContent-Type: text/plain; " + b"a=b; " * 200_000 + b"\r\n\r\nc3",
    "open parameters": HEAD + (b'--b\r\nContent-Type: text/plain; a="' + b";" * 8_000 + b"\r\n\r\n\r\n") * 90,
    "folded field": HEAD + b"--b\r\nX: a\r\n" + b" aaaaaaaaaa\r\n" * 70_000 + b"\r\nc3",
    "empty lines": HEAD + b"\n" * 900_000,
    "nested parts": b"".join(NEST % (i, i) for i in range(DEPTH_LIMIT)) + b"- aaaaaaaa\n" * 90_000,
    "punycode": b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a9" * 500_000,
    "quoted-printable": b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=        =\n" * 80_000,
    "base64": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=!A " * 200_000,
}  # fmt: skip


@pytest.mark.parametrize("name", RAW_BOMBS)
def test_a_bomb_of_mime_is_refused_or_read_within_bounds(name):
    reply = read_reply(RAW_BOMBS[name], SENT)
    assert reply.trouble in ("", "empty", "too-many-lines", "header-too-big")
    assert len(reply.text) <= TEXT_LIMIT
    assert subject_of(RAW_BOMBS[name]) == ""


HTML_BOMBS = {
    "open tags": "<a " * 100_000,
    "open attributes": '<a b="' * 80_000,
    "half closed attributes": '<a b=">' * 50_000 + "<a b='>" * 50_000,
    "open comments": "<!--" * 100_000,
    "open declarations": "<![" * 100_000 + "<!" * 50_000 + "<?" * 50_000,
    "nested elements": "<div>" * 100_000,
    "nested quotations": "<blockquote>" * 50_000 + "resign",
    "end tags": "<div>" * 10_000 + "</p>" * 100_000,
    "crossed tags": "<span><div>" * 8_000 + "</span>" * 50_000,
    "entities": "&" * 300_000 + "&#99999999999;" * 1_000,
    "open script": "<script>" * 50_000,
    "breaks": "<br>" * 100_000,
    "attributes": "<a " + "b=c " * 100_000 + ">",
}


@pytest.mark.parametrize("name", HTML_BOMBS)
def test_a_bomb_of_html_ends_in_bounded_text(name):
    text = visible_text("<p>c3</p>" + HTML_BOMBS[name])
    assert text.startswith("c3")
    assert len(text) <= TEXT_LIMIT
    assert text.count("\n") < LINE_LIMIT


def test_tags_beyond_the_limit_are_ignored():
    html = "<p>c3</p>" + "<i></i>" * TAG_LIMIT + "<p>resign</p>"
    assert visible_text(html) == "c3"


# --- properties ----------------------------------------------------------------------------------------


PIECES = st.sampled_from([
    "c3/f2=B", "resign", "", "> quoted", ">:", "On 3 Mar 2026 a@b.example wrote:", "wrote:", "10:30:", "| x",
    "From: a@b.example", "Sent: 3 Mar 2026 10:00", "To: you", "-----Original Message-----", "a@b.example:",
    "--", "-- ", "____", "Sent from my iPhone", OUR_MARKERS[0], *NOTICE.split("\n"),
])  # fmt: skip
BODIES = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=40).map("\n".join))


@given(BODIES, st.booleans())
def test_every_line_of_a_reply_was_a_line_of_the_body(body, remembered):
    lines = {line.rstrip() for line in clean(body).split("\n")}
    reply = read_body(body, SENT if remembered else ())
    assert set(reply.text.split("\n")) <= lines | {""}
    stripped = {line.strip() for line in lines}
    assert {*reply.command_lines, *reply.below} <= stripped
    assert reply.trouble if not reply.text else not reply.trouble


@given(st.binary(max_size=3_000), st.lists(st.text(), max_size=2))
def test_no_bytes_raise(raw, sent):
    parts = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b"
    for message in (raw, b"Content-Type: text/html\r\n\r\n" + raw, parts + raw):
        assert isinstance(read_reply(message, sent), Reply)
        assert "\n" not in subject_of(message)
    within_limits(raw)


@given(st.text(alphabet=st.sampled_from("<>/!-= \"'abdivpscrt&;#1\n"), max_size=400))
def test_no_html_raises(html):
    assert isinstance(visible_text(html), str)


@given(st.lists(st.sampled_from(NOTICE.split("\n")), max_size=30).map("\n".join))
def test_nothing_of_ours_is_executed_however_it_is_shuffled(shuffled):
    quoted = "\n".join(f"> {line}" for line in shuffled.split("\n"))
    assert acted(read_body(f"{quoted}\n", SENT)) == []
    assert acted(read_body(shuffled, SENT)) == []


WRITTEN = st.sampled_from(["c3/f2=B", "resign", "draw", "I am thinking", "f2==N", "pass", "well, well"])


@given(
    st.sampled_from(sorted(LANGUAGES)),
    st.sampled_from(CLIENTS),
    st.lists(WRITTEN, min_size=1, max_size=5, unique=True),
)
def test_whatever_is_typed_above_is_executed_and_nothing_else(language, client, typed):
    quotation = plain_reply(client, language, "top").partition("\n\n")[2]
    for sent in ((), SENT):
        assert read_body("\n".join(typed) + "\n\n" + quotation, sent) == Reply("\n".join(typed), tuple(typed))


# --- the corpus ----------------------------------------------------------------------------------------


def corpus():
    index = CORPUS / "expected.jsonl"
    if not index.exists():
        return []
    return [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]


def folded(text):
    rows = []
    for row in text.replace("\r\n", "\n").replace("\xa0", " ").split("\n"):
        if row.strip() or (rows and rows[-1]):
            rows.append(row.rstrip())
    return "\n".join(rows).strip()


def body_of(case):
    return (CORPUS / case["path"]).read_bytes().decode("utf-8")


needs_corpus = pytest.mark.skipif(not corpus(), reason=f"no corpus of replies at {CORPUS}")


HOLDS_A_NAME = {"crisp-email-reply-parser/email_emoji.txt"}
"""Cases whose expected reply holds a signature: nobody's real name is passed on here."""


@needs_corpus
def test_the_corpus_is_read_as_well_as_promised():
    cases = [case for case in corpus() if "expected_reply" in case and case["path"] not in HOLDS_A_NAME]
    pairs = [(folded(read_body(body_of(case)).text), folded(case["expected_reply"])) for case in cases]
    first = sum(got.split("\n")[0] == wanted.split("\n")[0] for got, wanted in pairs)
    exact = sum(got == wanted for got, wanted in pairs)
    assert first / len(pairs) >= 0.97
    assert exact / len(pairs) >= 0.95


@needs_corpus
def test_the_phrases_of_the_corpus_are_kept_and_cut():
    for case in corpus():
        text = folded(read_body(body_of(case)).text)
        assert all(phrase in text for phrase in case.get("must_contain", ())), case["path"]
        assert not any(phrase in text for phrase in case.get("must_not_contain", ())), case["path"]


@needs_corpus
def test_every_reply_of_the_corpus_is_a_part_of_its_body():
    for case in corpus():
        body = clean(body_of(case))
        lines = {line.rstrip() for line in body.split("\n")} | {""}
        assert set(read_body(body_of(case)).text.split("\n")) <= lines, case["path"]


@needs_corpus
def test_a_command_planted_in_a_quotation_of_the_corpus_is_not_executed():
    planted = 0
    for case in corpus():
        body, wanted = folded(body_of(case)), folded(case.get("expected_reply", ""))
        quotation = body.removeprefix(wanted)
        if wanted and quotation not in ("", body) and folded(read_body(body).text) == wanted:
            line = "> resign" if "\n>" in quotation else "resign"
            assert folded(read_body(f"{body}\n{line}\n").text) == wanted, case["path"]
            planted += 1
    assert planted > 40
