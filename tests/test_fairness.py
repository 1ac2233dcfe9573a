"""The chain of hashes of a record, worked out by hand, and every byte that it must guard."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from correspondence.archive.record_file import RecordError, read_record, verify
from correspondence.core.hashchain import next_hash, root_hash
from tests.test_records import play_on, record


def sha256(told):
    return hashlib.sha256(told).hexdigest()


def test_the_first_hash_is_sha256_of_game_version_and_options():
    assert root_hash("duel", 1, "") == sha256(b"duel 1")
    assert root_hash("duel", 1, "") == "5e387de9f94e6c94af18bc64981c41f39fa0efb7f26f958469eceaaeffa045c5"
    assert root_hash("proteus-dice", 2, "polarity=yes roulette=after") == sha256(
        b"proteus-dice 2 polarity=yes roulette=after"
    )


def test_each_hash_is_sha256_of_the_one_before_the_ply_the_seat_and_the_text():
    first = sha256(b"duel 1")
    second = sha256(first.encode() + b"\n1 0 5@b3")
    assert next_hash(first, 1, 0, "5@b3") == second
    assert second == "12e90430d4ea58cebc640664f8536ac477d5b0891c6cfaa5f32e81f384c1a5ed"
    assert next_hash(second, 2, -1, "{N}") == sha256(second.encode() + b"\n2 -1 {N}")


texts = st.text("abc123@-=/ ", min_size=1, max_size=8)
entries = st.lists(st.tuples(st.integers(-1, 1), texts), min_size=1, max_size=6)


def last_hash(options, told):
    chained = root_hash("duel", 1, options)
    for ply, (seat, text) in enumerate(told, start=1):
        chained = next_hash(chained, ply, seat, text)
    return chained


@given(one=entries, other=entries)
def test_two_games_have_one_hash_only_if_they_are_the_same(one, other):
    assert (last_hash("", one) == last_hash("", other)) == (one == other)
    assert last_hash("", one) != last_hash("board=sun", one)


def by_hand(text):
    """The hash that the lines of a record make, from nothing but its text."""
    tags = dict(line[1:-2].split(' "', 1) for line in text.splitlines() if line.startswith("["))
    seats = {"*": -1, "White": 0, "Black": 1} if tags["Game"] == "proteus-dice" else {"*": -1, "Black": 0, "White": 1}
    chained = sha256(f"{tags['Game']} {tags['Version']} {tags['Options']}".rstrip().encode())
    for line in text.splitlines():
        number, _dot, rest = line.partition(". ")
        if number.isdigit():
            seat, _colon, told = rest.partition(" ; ")[0].partition(": ")
            chained = sha256(f"{chained}\n{number} {seats[seat]} {told}".encode())
    return tags["Hash"], chained


@pytest.fixture(params=[("duel", {"board": "sun"}), ("proteus-dice", {"roulette": "after"})], ids=lambda case: case[0])
def finished(world, request):
    world.join("ann"), world.join("bob")
    number = world.begin("ann", "bob", *request.param)
    play_on(world, number, 9)
    world.resign(number, "bob")
    return record(world, number)


def test_the_hash_of_a_record_can_be_worked_out_from_its_lines(finished):
    written, worked_out = by_hand(finished)
    assert written == worked_out


def guarded(text):
    """The places of all bytes that say which game was played: some tags, and each entry up to its remark."""
    at = 0
    for line in text.splitlines(keepends=True):
        name = line[1:].partition(" ")[0] if line.startswith("[") else ""
        if name in ("Game", "Version", "Options", "Result", "Reason", "Hash"):
            yield from range(at + line.index('"') + 1, at + line.rindex('"'))
        elif line[:1].isdigit():
            yield from range(at, at + line.index(" ; "))
        at += len(line)


def test_every_byte_that_says_what_was_played_is_guarded(finished):
    told = list(guarded(finished))
    assert len(told) > 200 and verify(finished)
    for at in told:
        for other in {chr(ord(finished[at]) ^ 1), chr(ord(finished[at]) ^ 32), "0", "x"} - {finished[at]}:
            changed = finished[:at] + other + finished[at + 1 :]
            assert is_refused(changed), changed[max(at - 20, 0) : at + 20]


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
