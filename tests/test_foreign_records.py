"""Records of other servers are marked wherever their games are shown, and evidence pages say what of our games is verified."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from sqlmodel import select

from correspondence.archive.import_export import import_record
from correspondence.archive.record_file import RecordError
from correspondence.core.db import reading, transaction
from correspondence.core.signing import signer_of
from correspondence.fairness import keys
from correspondence.inbound import mailbox
from correspondence.models import ImportedRecord, Letter, Match, Move
from engines import GAMES
from engines.verification import chain
from tests.test_records import play_on, record
from tests.world import World

NOON = datetime(2027, 1, 1, 12, tzinfo=UTC)
MARK, SENTENCE = "imported, not signed here", "This game was imported; its record was signed elsewhere, or not at all."


@pytest.fixture
def theirs(tmp_path_factory):
    """The record of a game that another server has played, which calls itself by the same name as this one."""
    other = World(tmp_path_factory.mktemp("other"), rng=5)
    (signer_of(other.runtime.settings).key_file).unlink(missing_ok=True)
    other.join("ann"), other.join("bob")
    number = other.match("duel", board="sun")
    play_on(other, number, 7)
    other.resign(number, "bob")
    text = record(other, number)
    other.close()
    return text


def brought(world, text):
    with transaction(world.runtime.engine) as session:
        return import_record(session, text, signer_of(world.runtime.settings), now=NOON)


def older(text):
    """The same game as records were written before there were commitments, by hand: nothing in it is signed."""
    old = re.sub(
        r'(?m)^\[(Commitment|Seed|Seals|Chain|Signature|Key|Words0|Words1|Ended|EndKey|End) ".*"\]\n', "", text
    )
    head = chain.first_hash("duel", 1, re.search(r'\[Options "(.*)"\]', old)[1])
    for number, seat, move in re.findall(r"^(\d+)\. (\S+): (.*?) ; ", old, re.M):
        head = chain.undated_hash(head, int(number), GAMES["duel"].seats.index(seat), move)
    return re.sub(r'\[Hash "\w+"\]', f'[Hash "{head}"]', old)


def places_of(number):
    return (f"/games/{number}", f"/games/{number}/3", f"/games/{number}/evidence")


def lists():
    return ("/", "/archive", "/players/ann", "/archive?game=duel")


def is_marked_everywhere(world, number):
    client = world.client("cleo")
    marks = [SENTENCE in client.get(path).text for path in places_of(number)]
    marks += [MARK in client.get(path).text for path in lists()]
    marks += ["signed elsewhere" in client.get(path).text for path in ("/archive.atom", f"/games/{number}.atom")]
    return marks


def test_a_foreign_record_is_marked_wherever_its_game_is_shown(world, theirs):
    world.join("ann"), world.join("cleo")
    number = brought(world, older(theirs))
    assert all(is_marked_everywhere(world, number)), is_marked_everywhere(world, number)
    for line in (f"show {number}", f"history {number}"):
        raw = f"From: cleo@example.org\nTo: play@localhost\nMessage-ID: <{line}@x>\nSubject: x\n\n{line}\n"
        mailbox.store_message(world.runtime.engine, raw.encode(), "play@localhost", "cleo@example.org", now=NOON)
        mailbox.drain(world.runtime.engine, world.runtime.settings, now=NOON, rng=world.runtime.rng)
        with reading(world.runtime.engine) as session:
            last = session.exec(select(Letter).order_by(Letter.id.desc())).first()
            assert SENTENCE in " ".join(last.text.split())


def test_a_game_of_ours_has_no_such_mark_nor_has_one_that_came_back_with_an_older_key(world):
    world.join("ann"), world.join("bob"), world.join("cleo")
    number = world.match("duel", board="sun")
    play_on(world, number, 7)
    world.resign(number, "bob")
    world.client().get("/help/fairness")
    assert not any(is_marked_everywhere(world, number))
    text = record(world, number)
    with transaction(world.runtime.engine) as session:
        keys.register(session, signer_of(world.runtime.settings), today=world.clock().date())
        keys.rotate(session, signer_of(world.runtime.settings), today=world.clock().date())
        for move in session.exec(select(Move)).all():
            move.hash = "0" * 64  # as if the game were here no longer
            session.add(move)
    again = brought(world, text)
    with reading(world.runtime.engine) as session:
        assert session.get_one(ImportedRecord, again).is_foreign is False


@pytest.mark.parametrize("claim", ["our site", "our site and our key"])
def test_a_record_that_claims_to_be_ours_is_foreign_or_refused(world, theirs, claim):
    world.join("ann"), world.join("cleo")
    signer = signer_of(world.runtime.settings)
    text = re.sub(r'\[Site ".*"\]', f'[Site "{signer.site(1)}"]', theirs)
    if claim == "our site":
        number = brought(world, older(text))
        assert all(is_marked_everywhere(world, number))
        return
    forged = re.sub(r'\[Key ".*"\]', f'[Key "{signer.public_key}"]', text)
    forged = re.sub(r'\[Signature "."', '[Signature "A"', re.sub(r'(\[Signature ")(.)', r"\1B", forged))
    with pytest.raises(RecordError):
        brought(world, forged)


@pytest.mark.parametrize("words", ["x" * 201, "a\u202eb", " a "])
def test_words_that_nobody_could_contribute_here_are_not_imported(world, theirs, words):
    with pytest.raises(RecordError, match="randomness"):
        brought(world, re.sub(r'\[Words0 ".*"\]', f'[Words0 "{words}"]', theirs))
    with reading(world.runtime.engine) as session:
        assert session.exec(select(Match)).first() is None


# -- what the evidence of our own games says ------------------------------------------------


def evidence_of(world, number, who=""):
    """The first sentence of the evidence page, and its table of findings."""
    page = world.client(who).get(f"/games/{number}/evidence").text
    found = re.search(r"</h1>\s*<p>(.*?)</p>.*?<tbody>(.*?)</tbody>", page, re.S)
    return found[1], found[2]


@pytest.mark.parametrize(("key", "options"), [("plateau", {}), ("proteus-dice", {"wall_street": "open"}), ("duel", {})])
def test_evidence_says_what_holds_and_what_is_open(world, key, options):
    world.join("ann"), world.join("bob")
    number = world.match(key, **options)
    play_on(world, number, 4)
    for who in ("ann", "bob", ""):
        summary, findings = evidence_of(world, number, who)
        assert "All checks possible so far have passed; the rest must wait until the game is over." in summary
        assert "The seed is not open yet." in findings
        assert "The chain of hashes ends in the hash of the record." in findings
    world.resign(number, "bob")
    summary, findings = evidence_of(world, number)
    assert "Verified: all checks have passed." in summary
    assert findings.count("✓ holds") == 10


def test_evidence_finds_a_changed_row(world):
    world.join("ann"), world.join("bob")
    number = world.match("duel")
    play_on(world, number, 4)
    world.resign(number, "bob")
    assert "Verified" in evidence_of(world, number)[0]
    with transaction(world.runtime.engine) as session:
        last = session.exec(select(Move).order_by(Move.ply.desc())).first()
        last.hash = "0" * 64
        session.add(last)
    summary, findings = evidence_of(world, number)
    assert "Something is wrong with this record." in summary
    assert "✗ wrong" in findings


def test_a_game_from_before_commitments_is_never_called_verified(world):
    world.join("ann"), world.join("bob")
    number = world.match("duel")
    play_on(world, number, 4)
    with transaction(world.runtime.engine) as session:
        match = session.get_one(Match, number)
        match.chain = 1
        head = chain.first_hash(match.game, match.version, match.options)
        for move in session.exec(select(Move).order_by(Move.ply)).all():
            move.hash = head = chain.undated_hash(head, move.ply, move.seat, move.text)
            session.add(move)
        session.add(match)
    for is_over in (False, True):
        summary, findings = evidence_of(world, number)
        assert "began before there were commitments" in summary
        assert "Verified" not in summary
        assert "so it can&#39;t be verified" in findings
        if not is_over:
            world.resign(number, "bob")


@pytest.mark.parametrize("is_over", [False, True])
def test_the_page_of_a_game_claims_nothing_and_links_to_its_evidence(world, is_over):
    world.join("ann"), world.join("bob")
    number = world.match("proteus-dice")
    play_on(world, number, 4)
    with transaction(world.runtime.engine) as session:
        for move in session.exec(select(Move)).all():
            move.hash = "0" * 64
            session.add(move)
    if is_over:
        world.resign(number, "bob")
    for who in ("ann", ""):
        page = world.client(who).get(f"/games/{number}").text
        assert f'<a href="/games/{number}/evidence">check the record</a>' in page
        assert "verif" not in page.lower()
    assert "Something is wrong with this record." in evidence_of(world, number)[0]
