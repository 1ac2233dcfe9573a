"""The chain of hashes, seals and commitments of a record, worked out by hand, and every byte that they must guard."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import string
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.archive.record_file import RecordError, read_record, verify
from correspondence.core.db import reading
from correspondence.core.signing import check_signature
from correspondence.models import Seed
from engines import GAMES
from engines.verification import chain, seals
from engines.verification.checks import ClaimState, check_record
from tests.test_records import play_on, record

SEED = bytes(range(32))
ALPHABET = string.ascii_letters + string.digits + "+/"
TEN = datetime(2026, 11, 22, 10, tzinfo=UTC)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def report(text):
    return check_record(text, check_signature)


def states(text):
    return {finding.claim: finding.state.value for finding in report(text).findings}


# -- the known answers of the contract ---------------------------------------------------


def test_the_known_answers_of_commitment_salt_seal_and_chain():
    assert seals.commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert seals.salt(SEED, 3) == "66ab70eafa60cc63d32df79a9e4b1fa8bf2453399d01ae877581af4f49eabc7b"
    assert seals.seal(SEED, 3, "+b1 xx,rb") == "663a2b599669cd5d1cfd5387df3585d9ab31664236b8c2e3c47383fa17a4eb39"
    root = chain.first_hash("plateau", 1, "")
    assert root == "cd5ddc2dfe37dab470e9be58814004cf076c0d792d47549885f994e04f41bf4d"
    sealed = chain.sealed("663a2b599669cd5d1cfd5387df3585d9ab31664236b8c2e3c47383fa17a4eb39")
    first = chain.next_hash(root, 1, 0, TEN, sealed)
    assert first == "c3b48c2e031637bda4a7f904e8bd6276326e65c83c44476d4f26e707a6b20c9b"


def test_the_first_hash_is_sha256_of_game_version_and_options():
    assert chain.first_hash("duel", 1, "") == sha256(b"duel 1")
    assert chain.first_hash("proteus-dice", 2, "polarity=yes roulette=after") == sha256(
        b"proteus-dice 2 polarity=yes roulette=after"
    )


def test_each_hash_holds_the_one_before_the_number_the_seat_the_moment_and_the_text():
    first = chain.first_hash("duel", 1, "")
    second = sha256(first.encode() + b"\n1 0 2026-11-22T10:00:00Z 5@b3")
    assert chain.next_hash(first, 1, 0, TEN.replace(microsecond=999), "5@b3") == second


texts = st.text("abc123@-=/ ", min_size=1, max_size=8)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)).map(lambda at: at.replace(microsecond=0, tzinfo=UTC))
entries = st.lists(st.tuples(st.integers(-1, 1), moments, texts), min_size=1, max_size=6)


def last_hash(options, plies):
    head = chain.first_hash("duel", 1, options)
    for ply, (seat, at, text) in enumerate(plies, start=1):
        head = chain.next_hash(head, ply, seat, at, text)
    return head


@given(one=entries, other=entries)
def test_two_games_have_one_hash_only_if_they_are_the_same(one, other):
    assert (last_hash("", one) == last_hash("", other)) == (one == other)
    assert last_hash("", one) != last_hash("board=sun", one)


# -- records of games that are over ------------------------------------------------------

GAMES_PLAYED = [("duel", {"board": "sun"}), ("proteus-dice", {"roulette": "after"}), ("plateau", {}),
                ("proteus-dice", {"wall_street": "secret"})]  # fmt: skip


@pytest.fixture(params=GAMES_PLAYED, ids=lambda case: case[0] + "".join(case[1].values()))
def match(world, request):
    return world.begin("eleven moves", request.param, lambda: eleven_moves(world, *request.param))


def eleven_moves(world, game, options):
    world.join("ann"), world.join("bob")
    number = world.match(game, **options)
    play_on(world, number, 11)
    return number


@pytest.fixture
def finished(world, match):
    world.begin("resigned", "bob", lambda: world.resign(match, "bob"))
    return record(world, match)


def tags_of(text):
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))


def seats_of(tags):
    return {"*": -1} | {seat: at for at, seat in enumerate(GAMES[tags["Game"]].seats)}


def by_hand(text):
    """The head that the lines of a record make, from nothing but its text."""
    tags = tags_of(text)
    seats = seats_of(tags)
    sealed = dict(word.split("=") for word in tags["Seals"].split())
    head = sha256(f"{tags['Game']} {tags['Version']} {tags['Options']}".rstrip().encode())
    for number, seat, move, at in re.findall(r"^(\d+)\. (\S+): (.*?) ; \[%ts ([^]]+)\]", text, re.M):
        what = f"seal:{sealed[number]}" if number in sealed else move
        head = sha256(f"{head}\n{number} {seats[seat]} {at} {what}".encode())
    return head


def test_the_head_of_a_record_can_be_worked_out_from_its_lines(finished):
    assert tags_of(finished)["Hash"] == by_hand(finished)


def test_the_seals_of_a_record_can_be_worked_out_from_the_seed(finished):
    tags = tags_of(finished)
    seed = bytes.fromhex(tags["Seed"])
    assert tags["Commitment"] == sha256(seed)
    moves = dict(re.findall(r"^(\d+)\. \S+: (.*?) ; ", finished, re.M))
    for word in tags["Seals"].split():
        number, seal = word.split("=")
        salt = hmac.digest(seed, f"seal-1\n{number}".encode(), "sha256").hex()
        assert seal == sha256(f"{salt}\n{moves[number]}".encode())
    assert bool(tags["Seals"]) == (tags["Game"] == "plateau" or "secret" in tags["Options"])


def test_everything_that_a_finished_record_claims_holds(finished):
    assert set(states(finished).values()) == {"holds"}, states(finished)
    assert report(finished).state == ClaimState.HOLDS and verify(finished)


def guarded(text):
    """The places of all bytes that are not white space at the end of a line."""
    at = 0
    for line in text.splitlines(keepends=True):
        yield from range(at, at + len(line.rstrip()))
        at += len(line)


def test_every_byte_of_a_finished_record_is_guarded(finished):
    places = list(guarded(finished))
    assert len(places) > 1000
    for place in places[:: max(1, len(places) // 300)]:
        for other in {chr(ord(finished[place]) ^ 1), "0", "x"} - {finished[place]}:
            changed = finished[:place] + other + finished[place + 1 :]
            assert is_refused(changed), changed[max(place - 20, 0) : place + 20]


def test_no_other_spelling_of_key_or_signature_is_taken_for_it(finished):
    """The last sign of base64 has bits that mean nothing: a checker that leaves them out would accept others."""
    for name, claim in (("Key", "signature"), ("Signature", "signature"), ("End", "end")):
        value = tags_of(finished)[name]
        at = len(value.rstrip("=")) - 1
        others = [value[:at] + sign + value[at + 1 :] for sign in ALPHABET if sign != value[at]]
        same = [one for one in others if base64.b64decode(one) == base64.b64decode(value)]
        assert len(same) in (3, 15)
        for other in same:
            changed = check_record(finished.replace(value, other), lambda *_asked: True)
            assert changed.first_wrong.claim == claim


def is_refused(text):
    try:
        verify(text)
    except RecordError as refusal:
        return str(refusal)[-1] in ".?!"
    return False


def test_entries_cannot_be_left_out_exchanged_or_added(finished):
    lines = finished.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("1. "))
    last = len(lines) - 1
    exchanged = [lines[first + 1].replace("2.", "1.", 1), lines[first].replace("1.", "2.", 1)]
    added = f"{last - first + 2}. {lines[last].partition('. ')[2]}"
    for changed in (lines[:last], lines[:first], [*lines[:first], *exchanged, *lines[first + 2 :]], [*lines, added]):
        assert is_refused("\n".join(changed))
    assert len(read_record(finished).entries) == last - first + 1


def test_the_first_thing_that_is_wrong_is_named_with_its_line(finished):
    changed = re.sub(
        r'(?m)^\[Commitment "(.)', lambda found: f'[Commitment "{"1" if found[1] == "0" else "0"}', finished
    )
    wrong = report(changed).first_wrong
    line = changed.splitlines()[wrong.line - 1]
    assert wrong.claim == "commitment" and line.startswith("[Commitment")


def with_seed(text, seed):
    """The record as if it had been drawn from another seed, with the commitment to that."""
    text = re.sub(r'(?m)^\[Seed ".*"\]$', f'[Seed "{seed}"]', text)
    return re.sub(r'(?m)^\[Commitment ".*"\]$', f'[Commitment "{sha256(bytes.fromhex(seed))}"]', text)


def test_draws_that_do_not_follow_from_the_opened_seed_are_wrong_though_the_commitment_fits_it(finished):
    opened = [states(with_seed(finished, sha256(str(number).encode()))) for number in range(9)]
    assert {found["commitment"] for found in opened} == {"holds"}
    has_draws = re.search(r"(?m)^\d+\. \*: ", finished) is not None
    assert ("wrong" in {found["lots"] for found in opened}) == has_draws


# -- while a game runs -------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_a_running_game_opens_nothing_and_proves_its_chain_and_signature(world, match, viewer):
    text = record(world, match, viewer)
    with reading(world.runtime.engine) as session:
        secret = session.get_one(Seed, match).secret
    assert secret.hex() not in text and "[Seed" not in text
    found = states(text)
    assert (found["chain"], found["signature"], found["commitment"]) == ("holds", "holds", "open")
    assert "wrong" not in found.values() and report(text).state == ClaimState.OPEN
    assert tags_of(text)["Hash"] == tags_of(record(world, match, 1))["Hash"]


def test_two_games_with_the_same_players_and_moves_draw_differently(world):
    world.join("ann"), world.join("bob")
    numbers = [world.match("proteus-dice", wall_street="open") for _twice in range(2)]
    with reading(world.runtime.engine) as session:
        assert len({session.get_one(Seed, number).secret for number in numbers}) == 2


@pytest.mark.parametrize("match", GAMES_PLAYED[:2], indirect=True)  # games that hide nothing
def test_an_old_record_without_commitments_is_not_proven_whole(finished):
    names = "Commitment|Seed|Seals|Chain|Signature|Key|Words0|Words1|Ended|EndKey|End"
    old = re.sub(rf'(?m)^\[({names}) ".*"\]\n', "", finished)
    head = chain.first_hash(tags_of(old)["Game"], 1, tags_of(old)["Options"])
    seats = seats_of(tags_of(old))
    for number, seat, move in re.findall(r"^(\d+)\. (\S+): (.*?) ; ", old, re.M):
        head = chain.undated_hash(head, int(number), seats[seat], move)
    old = re.sub(r'\[Hash "\w+"\]', f'[Hash "{head}"]', old)
    assert states(old)["commitment"] == "absent" and states(old)["chain"] == "holds"
    with pytest.raises(RecordError, match="not proven complete: the end is not signed"):
        verify(old)


def test_a_runtime_with_other_settings_signs_for_the_other_site(world):
    one, runtime = world.runtime.signer, world.runtime
    elsewhere = replace(runtime, settings=replace(runtime.settings, base_url="https://elsewhere.example"))
    assert runtime.signer is one and elsewhere.signer.site(7) == "https://elsewhere.example/games/7" != one.site(7)
