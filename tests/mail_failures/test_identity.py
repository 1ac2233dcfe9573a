"""Failures 12, 13 and 14: the token is the proof, From must agree, and nobody can lend himself a verdict."""

from __future__ import annotations

import itertools
import smtplib
from dataclasses import replace

import pytest

from correspondence import transport
from correspondence.core import db, tokens
from correspondence.mime.authentication import AuthResult, auth_result_of
from correspondence.ops.reception import recipient_check, store_callback
from tests.imap import Mailbox
from tests.mail_failures.boxes import DOOR, every_box, rows
from tests.post import text_of
from tests.sizes import sampled

OURS = "mx.games.example"


@pytest.fixture
def game(town):
    number, boxes = every_box(town)
    town.settings = replace(town.settings, mail_authserv_id=OURS)
    return town, number, boxes


def cased(address):
    return address.lower(), address.upper(), "".join(c.upper() if n % 2 else c for n, c in enumerate(address))


# -- 12: the case of letters ------------------------------------------------------------


@pytest.mark.parametrize("case", range(3))
def test_failure_12_a_recipient_in_any_letter_case_is_known_at_rcpt_and_acts(town, case):
    number, boxes = every_box(town)
    runtime = replace(town.runtime, settings=replace(town.settings, mail_listen="smtp://127.0.0.1:0"))
    listener = transport.listening.listen(runtime.settings, store_callback(runtime), recipient_check(runtime))
    try:
        with smtplib.SMTP("127.0.0.1", listener.port, "test", timeout=10) as client:
            for name in ("reply", "bounce", "play", "postmaster"):
                client.ehlo_or_helo_if_needed()
                client.mail("ann@example.org")
                assert client.rcpt(cased(boxes[name])[case])[0] == 250
                client.rset()
            client.sendmail(
                "ann@example.org",
                [cased(boxes["reply"])[case]],
                town.compose("ann@example.org", "x@y.example", "c3/f2=B"),
            )
    finally:
        listener.stop()
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]


@pytest.mark.parametrize("case", range(3))
def test_failure_12_a_token_in_to_is_found_in_any_letter_case(town, case):
    number, boxes = every_box(town)
    to = cased(boxes["reply"])[case]
    with Mailbox(town.compose("ann@example.org", to, "c3/f2=B")) as box:
        transport.imap.fetch_imap(
            box.url, store_callback(town.runtime), transport.imap.Progress(), domain="games.example"
        )
    assert town.sweep() == "done: played" and town.moves(number) == ["c3/f2=B"]


# -- 13: threads that providers tear ------------------------------------------------------


@pytest.mark.parametrize(
    "thread",
    [{}, {"In_Reply_To": "<CAF=0123@mail.provider.example>"}, {"References": "<0100@eu-west-1.provider.example>"}],
    ids=["none", "another id", "another thread"],
)
def test_failure_13_the_token_is_enough_whatever_became_of_the_thread(town, thread):
    number, boxes = every_box(town)
    assert town.mail("ann@example.org", boxes["reply"], "c3/f2=B", **thread) == "done: played"
    assert town.moves(number) == ["c3/f2=B"]


def test_failure_13_a_thread_without_a_token_moves_nothing(town):
    number, _boxes = every_box(town)
    turn = town.received or None
    assert turn is None
    town.mail("ann@example.org", DOOR, "c3/f2=B", References=f"<g{number}@games.example>")
    assert town.moves(number) == []
    assert "Game 1 against bob: reply 1 to play c3/f2=B." in text_of(town.letter("ann"))


# -- 14: the matrix -----------------------------------------------------------------------

VERDICTS = {
    "pass": f"{OURS}; dmarc=pass header.from=example.org",
    "none": f"{OURS}; none",
    "fail": f"{OURS}; dmarc=fail header.from=example.org",
    "unchecked": "",
}


def mailed(town, to, body, verdict="", author="ann@example.org"):
    town.received.clear()
    field = {"Authentication_Results": verdict} if verdict else {}
    return town.mail(author, to, body, **field)


@pytest.mark.parametrize("name", VERDICTS)
def test_failure_14_a_token_and_its_owners_address_play_whatever_forwarders_did(game, name):
    town, number, boxes = game
    assert mailed(town, boxes["reply"], "c3/f2=B\nA good game to you!", VERDICTS[name]) == "done: played"
    assert town.moves(number) == ["c3/f2=B"]
    assert "A good game to you!" in text_of(town.letter("bob"))


@pytest.mark.parametrize("name", VERDICTS)
def test_failure_14_resigning_takes_a_second_letter_to_the_registered_address(game, name):
    town, number, boxes = game
    mailed(town, boxes["reply"], "resign", VERDICTS[name])
    assert town.stand(number).result == "*" and "really resign" in text_of(town.letter("ann"))
    town.answer(town.letter("ann"), "yes", Authentication_Results=VERDICTS[name] or "x; none")
    assert town.stand(number).result == "0-1"


@pytest.mark.parametrize("name", VERDICTS)
def test_failure_14_a_draw_is_not_agreed_by_a_mail_that_was_found_forged(game, name):
    town, number, boxes = game
    mailed(town, boxes["reply"], "draw", VERDICTS[name])
    if name == "fail":
        assert town.letters("bob") == [] and "did not vouch" in text_of(town.letter("ann"))
        assert "https://games.example/games" in text_of(town.letter("ann"))
    else:
        assert "offers you a draw" in text_of(town.letter("bob"))
    assert town.stand(number).result == "*"


FOREIGN = [
    "eve@example.org",
    "bob@example.org",
    "ann@example.org, eve@example.org",
    "ann@example.org <eve@example.org>",
    "<ann@example.org>eve@example.org",
    '"ann@example.org" <eve@example.org>',
    "Ann: ann@example.org;",
    "",
]


KINDS = ("reply", "desk", "resign", "challenge", "join")
IN_OTHER_HANDS = sampled(itertools.product(KINDS, VERDICTS, FOREIGN), every=3, names=3)


@pytest.mark.parametrize(("kind", "name", "author"), IN_OTHER_HANDS, ids=lambda text: text or "none")
def test_failure_14_a_token_in_other_hands_does_nothing(game, kind, name, author):
    town, _number, boxes = game
    before = rows(town.engine)
    field = f"Authentication-Results: {VERDICTS[name]}\n" if VERDICTS[name] else ""
    body = "yes\naccept\nc3/f2=B\ndraw\nstop\nwords for the other"
    raw = f"{field}{f'From: {author}' if author else 'X: y'}\nSubject: Re: x\n\n{body}\n"
    town.put(raw.encode(), boxes[kind], "eve@example.org")
    assert town.sweep().startswith("rejected")
    after = rows(town.engine)
    changed = {table for table in before if before[table] != after[table]}
    assert changed <= {"letter", "token"}, changed  # the note to the owner, and the token it can be answered by
    assert {str(one["To"]) for one in town.received} <= {"ann@example.org"} and len(town.received) <= 1


def test_failure_14_the_owner_is_told_once_a_day(game):
    town, _number, boxes = game
    for _forwarded in range(5):
        mailed(town, boxes["reply"], "c3/f2=B", author="eve@example.org")
    assert [one.key.rpartition(":")[0] for one in _notes(town)] == ["foreign:u1"]


def _notes(town):
    from sqlmodel import col, select

    from correspondence.core import db
    from correspondence.models import Letter

    with db.reading(town.engine) as session:
        wanted = col(Letter.key).startswith("foreign:") | col(Letter.key).startswith("doubt:")
        return session.exec(select(Letter).where(wanted)).all()


@pytest.mark.parametrize("box", ["play@games.example", "Play@Games.Example"])
def test_failure_14_without_a_token_a_vouched_address_asks_and_any_other_is_only_told_of(game, box):
    town, number, _boxes = game
    for name, outcome in {
        "pass": "done: games",
        "none": "rejected",
        "fail": "rejected",
        "unchecked": "rejected",
    }.items():
        before = rows(town.engine)
        assert mailed(town, box, "games", VERDICTS[name]).startswith(outcome), name
        changed = {table for table, one in rows(town.engine).items() if one != before[table]}
        assert changed <= {"letter", "token"}
    assert len(_notes(town)) == 1 and town.moves(number) == []


@pytest.mark.parametrize("box", ["PostMaster@Games.Example", "abuse@games.example"])
def test_failure_14_mail_to_the_operator_is_obeyed_from_nobody(game, box):
    town, number, _boxes = game
    before = rows(town.engine)
    for verdict in VERDICTS.values():
        assert mailed(town, box, "resign", verdict) == "done: kept: OPERATOR is not set"
    assert rows(town.engine) == before and town.moves(number) == []


def test_failure_14_where_nobody_checks_the_door_takes_what_harms_nobody(town):
    number, _boxes = every_box(town)
    before = rows(town.engine)
    for verdict in VERDICTS.values():
        mailed(town, DOOR, "games", verdict)
        mailed(town, DOOR, "resign", verdict)
        mailed(town, DOOR, "draw", verdict)
        mailed(town, DOOR, "yes", verdict)
        mailed(town, DOOR, "c3/f2=B", verdict)
    changed = {table for table, one in rows(town.engine).items() if one != before[table]}
    assert changed <= {"letter", "token"} and town.stand(number).result == "*"


@pytest.mark.parametrize("kind", ["reply", "resign", "join", "challenge"])
def test_failure_14_an_expired_token_looks_like_an_unknown_one_and_does_nothing(game, kind):
    from correspondence.core import db
    from tests.mail_failures.boxes import token_row

    town, _number, boxes = game
    with db.transaction(town.engine) as session:
        token = token_row(session, town, boxes[kind])
        token.expires_at = town.time
        session.add(token)
    before = rows(town.engine)
    altered = boxes[kind][:4] + ("b" if boxes[kind][4] != "b" else "c") + boxes[kind][5:]
    outcomes = {mailed(town, box, "yes\nc3/f2=B", VERDICTS["pass"]) for box in (boxes[kind], altered)}
    assert outcomes == {"rejected: token unknown or expired"}
    assert rows(town.engine) == before and town.received == []


# -- 14: what a field says, and what it only seems to say ---------------------------------

CLAIMS = {
    f"{OURS}; dmarc=pass header.from=example.org": AuthResult.PASS,
    f"{OURS.upper()}; dmarc=PASS header.from=Example.ORG": AuthResult.PASS,
    f"{OURS} 1; dmarc=pass (p=none dis=none) header.from=example.org": AuthResult.PASS,
    f"{OURS}; spf=pass smtp.mailfrom=evil.org; dkim=pass header.d=example.org": AuthResult.PASS,
    f"{OURS}; dkim=pass header.i=@example.org": AuthResult.PASS,
    f"{OURS}; dmarc=fail header.from=example.org": AuthResult.FAIL,
    f"{OURS}; dmarc=fail; dmarc=pass header.from=example.org": AuthResult.FAIL,
    f"{OURS}; dmarc=fail header.from=example.org; dkim=pass header.d=example.org": AuthResult.FAIL,
    f"{OURS}; dmarc=fail (dmarc=pass header.from=example.org)": AuthResult.FAIL,
    f"{OURS}; dkim=fail header.d=example.org; dkim=pass header.d=evil.org": AuthResult.FAIL,
    f"{OURS}; none": AuthResult.NONE,
    f"{OURS}; spf=pass smtp.mailfrom=example.org": AuthResult.NONE,
    f"{OURS}; dkim=pass header.d=evil.org": AuthResult.NONE,
    f"{OURS}; dkim=pass header.d=example.org.evil.org": AuthResult.NONE,
    f"{OURS}; dmarc=pass header.from=evil.org": AuthResult.NONE,
    f"{OURS}; dmarc=pass": AuthResult.NONE,
    f"{OURS}; dmarc=temperror header.from=example.org": AuthResult.NONE,
    f'{OURS}; spf=pass smtp.mailfrom="a) dmarc=pass header.from=example.org (b"@evil.org': AuthResult.NONE,
    f'{OURS}; spf=pass smtp.mailfrom="; dmarc=pass header.from=example.org"@evil.org': AuthResult.NONE,
    f"{OURS} (a (nested) dmarc=pass header.from=example.org) ; none": AuthResult.NONE,
    f"{OURS}; spf=pass (;dmarc=pass header.from=example.org) smtp.mailfrom=evil.org": AuthResult.NONE,
    f"{OURS}; dkim=fail header.d=evil.org reason=x; arc=pass header.from=example.org": AuthResult.NONE,
    "evil.org; dmarc=pass header.from=example.org": AuthResult.NONE,
    f"x.{OURS}; dmarc=pass header.from=example.org": AuthResult.NONE,
    f"evil.org ({OURS}); dmarc=pass header.from=example.org": AuthResult.NONE,
    f"{OURS}": AuthResult.NONE,
    "": AuthResult.NONE,
    "(" * 400: AuthResult.NONE,
    "x" * 9_000: AuthResult.NONE,
    f"{OURS}; " + "dmarc=pass " * 300: AuthResult.NONE,
}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda text: text[:70] or "empty")
def test_failure_14_a_field_is_read_for_what_it_says_about_from(claim):
    raw = f"Authentication-Results: {claim}\nFrom: ann@example.org\n\n".encode()
    assert auth_result_of(raw, "ann@example.org", OURS) == CLAIMS[claim]
    assert auth_result_of(raw, "ann@example.org", "") == AuthResult.UNKNOWN


def test_failure_14_only_the_topmost_field_counts():
    forged, own = f"{OURS}; dmarc=pass header.from=example.org", f"{OURS}; dmarc=fail header.from=example.org"
    for above, below, standing in (
        (own, forged, AuthResult.FAIL),
        ("mx.other.example; none", forged, AuthResult.NONE),
    ):
        raw = f"Authentication-Results: {above}\nAuthentication-Results: {below}\n\n".encode()
        assert auth_result_of(raw, "ann@example.org", OURS) == standing


# -- several addresses of ours in one mail ------------------------------------------------


def test_a_mail_to_the_reply_addresses_of_two_people_does_nothing_and_asks(town):
    every_box(town)
    addresses = {}
    for name in ("ann", "bob"):
        with db.reading(town.engine) as session:
            token = town.player(session, 1, name).token_id
        addresses[name] = f"r.{tokens.spell(town.settings.secret_key, token)}@games.example"
    both = f"{addresses['bob']}, <{addresses['ann'].upper()}>"
    for name in ("ann", "bob"):
        raw = town.compose("ann@example.org", both, "c3/f2=B")
        town.put(raw, addresses[name])
        town.sweep()
    assert town.moves(1) == []
    assert "addresses of several people" in " ".join(text_of(town.letter("ann")).split())
    assert "which is not one of your addresses" in " ".join(text_of(town.letter("bob")).split())


def test_who_writes_to_several_reply_addresses_is_told_so_in_their_own_language(town):
    town.join("anna", language="it")
    town.join("bob")
    number = town.match(white="anna")
    with db.reading(town.engine) as session:
        boxes = [
            f"r.{tokens.spell(town.settings.secret_key, town.player(session, number, name).token_id)}@games.example"
            for name in ("anna", "bob")
        ]
    town.put(town.compose("anna@example.org", ", ".join(boxes), "c3/f2=B"), boxes[0])
    town.sweep()
    assert "agli indirizzi di risposta di più persone" in " ".join(text_of(town.letter("anna")).split())


def test_a_copy_to_somebody_else_or_to_another_address_of_ones_own_does_no_harm(town):
    _number, boxes = every_box(town)
    assert town.mail("ann@example.org", boxes["reply"], "c3/f2=B", Cc=f"bob@example.org, {DOOR}") == "done: played"
